"""How long leafing takes: from asking for a page of a long document until it is painted, with its picture decoded."""

from __future__ import annotations

import random

from playwright.sync_api import Page

#: Asks for a page by its number in the field under the page in front, or by a step, and returns the milliseconds until it stands
#: there: its header says so, its picture has all pixels, and a frame with both was handed on.
_ASK_AND_WAIT = """
async ({ number, total, step }) => {
  const start = performance.now();
  if (step) document.querySelector("[data-testid=leaf-on]").click();
  else {
    const field = document.querySelector("[data-testid=leaf-field]");
    field.value = String(number);
    field.form.requestSubmit();
  }
  const wanted = `p. ${number} of ${total}`;
  for (;;) {
    const pane = [...document.querySelectorAll("[data-testid=pane]")].find((each) => !each.hidden);
    const image = pane.querySelector(".sheet img");
    if (pane.querySelector("[data-testid=pane-head]").textContent.includes(wanted) && image?.complete && image.naturalWidth) {
      await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
      return performance.now() - start;
    }
    if (performance.now() - start > 60000) throw new Error(`page ${number} did not come`);
    await new Promise((frame) => requestAnimationFrame(frame));
  }
}
"""


def jump(page: Page, number: int, *, total: int) -> float:
    """Go to the page of that number and return the wait in milliseconds."""
    return float(page.evaluate(_ASK_AND_WAIT, {"number": number, "total": total, "step": False}))


def jumps(page: Page, count: int, *, total: int, seed: int, looking_ms: int) -> list[float]:
    """Return the waits for `count` pages far apart, each seen for the first time, so that the server must draw it."""
    waits = []
    for number in random.Random(seed).sample(range(1, total + 1), count):
        page.wait_for_timeout(looking_ms)
        waits.append(jump(page, number, total=total))
    return waits


def steps(page: Page, count: int, *, first: int, total: int, looking_ms: int) -> list[float]:
    """Go to page `first`, then on page by page, each looked at for a while; return the waits of the steps."""
    jump(page, first, total=total)
    waits = []
    for number in range(first + 1, first + 1 + count):
        page.wait_for_timeout(looking_ms)
        waits.append(float(page.evaluate(_ASK_AND_WAIT, {"number": number, "total": total, "step": True})))
    return waits
