"""How long an annotator waits: from Enter to the next entry's pages, decoded with their boxes.

Two pages of 2000 x 4000 pixels an entry, a second of thinking between entries, every save acknowledged by the real server.
Measured in the same run, in the same browser:

- `surface`: the judging page;
- `st.image`: a plain Streamlit page that shows the same two pages and goes on at a click;
- `floor`: an empty page that decodes two images which the browser has in its cache: nothing can be faster.

With --throttle the surface runs on a line of 20 Mbit/s with 40 ms of delay as well. With --memory the server's resident
memory is read after entries 50 and 300. With --pdf the evidence lies in a PDF of 468 pages, none of which the server has drawn
before: the waits between entries, of steps to the next page, and to go to any page. `--help` lists the options.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.clients import saving_clients
from benchmarks.leafing import jump, jumps, steps
from benchmarks.long_pdf import PAGES, write_pdf_bundle
from benchmarks.servers import App, PlainPage, resident_mb
from tests.browser.chromium import FLAGS, chromium_path

WIDTH, HEIGHT = 2000, 4000
HOST = "[data-testid='judging-surface']"

#: Runs before the page's own scripts: notes when Enter is pressed, and when the next entry, whose images the surface says
#: are decoded, has been painted (the second frame begins after the first one was handed on).
_WATCH = """
(() => {
  window.waits = [];
  let pressed = null;
  window.addEventListener("keydown", (event) => { if (event.key === "Enter") pressed = performance.now(); }, true);
  new MutationObserver(() => {
    if (pressed === null) return;
    const start = pressed;
    pressed = null;
    requestAnimationFrame(() => requestAnimationFrame(() => window.waits.push(performance.now() - start)));
  }).observe(document, {attributes: true, attributeFilter: ["data-ready"], subtree: true});
})();
"""

_FLOOR = """
async (sources) => {
  const show = async () => {
    document.body.replaceChildren();
    const start = performance.now();
    const images = sources.map((source) => { const image = new Image(); image.src = source; return image; });
    await Promise.all(images.map((image) => image.decode()));
    document.body.append(...images);
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    return performance.now() - start;
  };
  await show();
  return await show();
}
"""


def write_pages(folder: Path, count: int, *, seed: int) -> list[Path]:
    """Return `count` page images of 2000 x 4000 pixels that look like printed text, each another one."""
    from PIL import Image, ImageDraw, ImageFont

    chance = random.Random(seed)
    font = ImageFont.load_default(size=30)
    words = [chr(97 + position % 26) * (2 + position % 9) for position in range(400)]
    base = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(base)
    for top in range(100, HEIGHT - 100, 44):
        draw.text((120, top), " ".join(chance.choices(words, k=17))[:110], fill=(25, 25, 25), font=font)
    paths = []
    for number in range(count):
        page = base.copy()
        pen = ImageDraw.Draw(page)
        pen.rectangle((100, 100, 700, 260), fill="white")
        pen.text((120, 120), f"page {number}", fill="black", font=ImageFont.load_default(size=90))
        path = folder / f"page-{number:04d}.jpg"
        page.save(path, quality=80)
        paths.append(path)
    return paths


def write_bundle(folder: Path, entries: int, *, seed: int) -> Path:
    """Write a bundle with two pages of its own for each query, a box on each; return its folder."""
    images = folder / "images"
    images.mkdir(parents=True)
    write_pages(images, 2 * entries, seed=seed)
    info = {
        "format": "assay-bundle",
        "format_version": 1,
        "name": "label-loop",
        "revision": "1",
        "license": "CC0-1.0",
        "page_numbering": "0-based",
        "box_units": "pixel",
    }
    document = {"source": "bench", "domain": "bench", "title": "Pages to judge", "page_count": 2}
    rows: dict[str, list[dict[str, Any]]] = {"documents": [], "pages": [], "queries": []}
    for entry in range(entries):
        rows["documents"].append({**document, "document_id": f"d{entry}"})
        evidence = []
        for index in range(2):
            page = {"page_id": f"d{entry}-{index}", "document_id": f"d{entry}", "page_index": index}
            image = f"images/page-{2 * entry + index:04d}.jpg"
            rows["pages"].append({**page, "image": image, "width": WIDTH, "height": HEIGHT})
            evidence.append({"page_id": page["page_id"], "box": [120, 400, 1800, 900], "kind": "Text"})
        rows["queries"].append(
            {
                "query_id": f"q{entry}",
                "text": f"What stands on the pages of entry {entry}?",
                "answer": "words",
                "source": "bench",
                "domain": "bench",
                "evidence_structure": "Doc-Adjacent",
                "evidence": evidence,
            }
        )
    (folder / "dataset.json").write_text(json.dumps(info))
    for table, content in rows.items():
        (folder / f"{table}.jsonl").write_text("\n".join(map(json.dumps, content)) + "\n")
    return folder


def open_surface(browser: Browser, app: App, *, throttled: bool = False) -> Page:
    """Return a signed-in window on the campaign's first entry."""
    page = browser.new_context(viewport={"width": 1600, "height": 1000}).new_page()
    page.add_init_script(_WATCH)
    page.goto(app.address)
    page.locator("input[name=name]").fill("bench-throttled" if throttled else "bench")
    page.keyboard.press("Enter")
    page.get_by_test_id("who").wait_for()
    if throttled:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        line = {"offline": False, "latency": 40, "downloadThroughput": 2_500_000, "uploadThroughput": 2_500_000}
        session.send("Network.emulateNetworkConditions", line)
    page.goto(f"{app.address}/judge?campaign={app.campaign}")
    page.locator(f"{HOST}[data-ready='1']").wait_for(state="attached")
    return page


def judge(page: Page, first: int, last: int, *, thinking_ms: int) -> list[float]:
    """Judge entries `first` to `last` - 1 and return the waits in milliseconds; all saves are acknowledged at the end."""
    page.evaluate("() => { window.waits = []; }")
    for number in range(first, last):
        page.wait_for_timeout(thinking_ms)
        page.keyboard.press("c")
        page.keyboard.press("Enter")
        page.locator(f"{HOST}[data-ready='{number + 1}']").wait_for(state="attached")
    page.locator(f"{HOST}[data-saving='0']").wait_for(state="attached")
    return [float(wait) for wait in page.evaluate("() => window.waits")]


def browse_plain(browser: Browser, plain: PlainPage, entries: int, *, thinking_ms: int) -> list[float]:
    """Return the waits of the plain `st.image` page, from the click to both images decoded."""
    page = browser.new_context(viewport={"width": 1600, "height": 1000}).new_page()
    page.goto(plain.address)
    page.get_by_text("entry 0 shown").wait_for()
    waits = []
    for number in range(1, entries):
        page.wait_for_timeout(thinking_ms)
        waits.append(float(page.evaluate(PlainPage.CLICK_AND_WAIT, number)))
    page.context.close()
    return waits


def browse_floor(browser: Browser, app: App, page: Page, count: int) -> list[float]:
    """Return how long the browser alone needs for two cached images of an entry, decoded in an empty page."""
    state = page.evaluate(f"() => fetch('/api/campaigns/{app.campaign}/entries/1').then(answer => answer.json())")
    sources = [each["src"] for each in state["entry"]["pages"]]
    empty = page.context.new_page()
    empty.goto(f"{app.address}/api/viewer/none/none")
    waits = [float(empty.evaluate(_FLOOR, sources)) for _ in range(count)]
    empty.close()
    return waits


def row(name: str, waits: list[float]) -> dict[str, Any]:
    """Return the figures of one way: n, median, 95th percentile and largest wait, in milliseconds."""
    ordered = sorted(waits)
    return {
        "way": name,
        "n": len(ordered),
        "median_ms": round(statistics.median(ordered), 1),
        "p95_ms": round(ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))], 1),
        "max_ms": round(ordered[-1], 1),
    }


def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """Run the benchmark and return its figures."""
    entries = max(arguments.entries, 305 if arguments.memory else 0)
    thinking = round(1000 * arguments.thinking)
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        bundle = write_bundle(root / "bundle", entries, seed=arguments.seed)
        with App(root / "home", bundle) as app, PlainPage(root, bundle, min(entries, 15)) as plain:
            with sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
                page = open_surface(browser, app)
                measured = min(arguments.entries, entries) - 2
                surface = row("surface", judge(page, 1, 1 + measured, thinking_ms=thinking))
                floor = row("floor", browse_floor(browser, app, page, 20))
                baseline = row("st.image", browse_plain(browser, plain, min(entries, 15), thinking_ms=thinking))
                result: dict[str, Any] = {"ways": [surface, baseline, floor]}
                if arguments.throttle:
                    slow = open_surface(browser, app, throttled=True)
                    waits = judge(slow, 1, 1 + min(measured, 15), thinking_ms=thinking)
                    result["ways"].append(row("surface, 20 Mbit/s and 40 ms", waits))
                if arguments.memory:
                    result["memory"] = measure_memory(browser, app)
                browser.close()
            if arguments.pdf:
                result |= measure_pdf(arguments, root)
            if arguments.clients:
                result["saving"] = saving_clients(app, clients=arguments.clients, seconds=arguments.client_seconds)
    result["times_faster_than_st_image"] = round(baseline["median_ms"] / surface["median_ms"], 2)
    result["times_the_floor"] = round(surface["median_ms"] / floor["median_ms"], 2)
    return result


def measure_pdf(arguments: argparse.Namespace, root: Path) -> dict[str, Any]:
    """Return the waits in a PDF of 468 pages: between entries, to page 400, to pages far apart, and from page to page."""
    entries, thinking = min(arguments.entries, PAGES // 2), round(1000 * arguments.thinking)
    bundle = write_pdf_bundle(root / "pdf-bundle", entries, seed=arguments.seed, pdf=arguments.pdf_file)
    with App(root / "pdf-home", bundle) as app, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        page = open_surface(browser, app)
        between = judge(page, 1, entries - 1, thinking_ms=thinking)
        page.wait_for_timeout(thinking)
        to_400 = jump(page, 400, total=PAGES)
        far = jumps(page, 20, total=PAGES, seed=arguments.seed, looking_ms=thinking)
        near = steps(page, 20, first=100, total=PAGES, looking_ms=thinking)
        browser.close()
    ways = [row("surface, PDF", between), row("go to a page", far), row("step to the next page", near)]
    return {"pdf": {"pages": PAGES, "go_to_400_ms": round(to_400, 1), "ways": ways}}


def measure_memory(browser: Browser, app: App) -> dict[str, float]:
    """Return the server's resident memory after 50 and after 300 entries, and its growth."""
    page = browser.new_context(viewport={"width": 1600, "height": 1000}).new_page()
    page.add_init_script(_WATCH)
    page.goto(app.address)
    page.locator("input[name=name]").fill("bench-memory")
    page.keyboard.press("Enter")
    page.get_by_test_id("who").wait_for()
    page.goto(f"{app.address}/judge?campaign={app.campaign}")
    page.locator(f"{HOST}[data-ready='1']").wait_for(state="attached")
    judge(page, 1, 51, thinking_ms=100)
    at_50 = resident_mb(app.process.pid)
    judge(page, 51, 301, thinking_ms=100)
    at_300 = resident_mb(app.process.pid)
    page.context.close()
    growth = round(100 * (at_300 - at_50) / at_50, 1)
    return {"at_50_mb": at_50, "at_300_mb": at_300, "growth_percent": growth}


def main() -> None:
    """Read the options, run, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=30, help="entries to judge (default 30)")
    parser.add_argument("--thinking", type=float, default=1.0, help="seconds of thinking an entry (default 1)")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--throttle", action="store_true", help="measure at 20 Mbit/s and 40 ms as well")
    parser.add_argument("--memory", action="store_true", help="read the server's memory after entries 50 and 300")
    parser.add_argument("--pdf", action="store_true", help="measure with evidence in a PDF of 468 pages as well")
    parser.add_argument("--pdf-file", type=Path, help="a PDF of 468 pages to take instead of one made here")
    parser.add_argument("--clients", type=int, default=0, help="clients that save as fast as they can (default none)")
    parser.add_argument("--client-seconds", type=float, default=10.0)
    print(json.dumps(run(parser.parse_args()), indent=2))


if __name__ == "__main__":
    main()
