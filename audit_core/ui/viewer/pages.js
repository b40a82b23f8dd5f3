// The evidence pages of one entry: one or two large panes, and a strip of thumbnails where there are more than two.

import { inkOn, pageColour } from "./colours.js";
import { h } from "./dom.js";
import { alternative } from "./format.js";
import { createPane } from "./pane.js";

const NARROW = 900;            // below this width of the stage two pages side by side are too small to read

/** `onChange()` is called when the focus, the zoom or the shown pages change. */
export function createPages({ images, onChange }) {
  const strip = h("nav", { class: "strip", testid: "thumbnails", "aria-label": "evidence pages", hidden: true });
  const spread = h("div", { class: "spread", testid: "spread" });
  const node = h("main", { class: "pages", testid: "pages" }, strip, spread);
  const panes = [0, 1].map((at) => createPane({ images, on: {
    focus: () => focusPane(at),
    box: (box) => { if (box >= 0) choose(panes[at].sheet.index, box); },
    view: () => onChange(),
  } }));
  spread.append(...panes.map((pane) => pane.node));
  let sheets = [];
  let entry = null;
  let focused = 0;             // which pane
  let wanted = 2;              // how many large pages the annotator likes to see
  let chosen = null;           // {index, box}
  let withBoxes = true;

  const isNarrow = () => spread.clientWidth > 0 && spread.clientWidth < NARROW;
  const shownCount = () => Math.min(wanted, sheets.length, isNarrow() ? 1 : 2);

  function focusPane(at) {
    if (focused === at && panes[at].node.classList.contains("focused")) return;
    focused = at;
    update();
  }
  function update() {
    panes.forEach((pane, at) => pane.node.classList.toggle("focused", at === focused && shownCount() > 1));
    for (const [at, thumb] of [...strip.children].entries()) {
      const shown = panes.some((pane, p) => p < shownCount() && pane.sheet?.index === at);
      thumb.classList.toggle("shown", shown);
      thumb.setAttribute("aria-current", String(panes[focused].sheet?.index === at));
    }
    onChange();
  }
  function layout() {
    const visible = shownCount();
    spread.classList.toggle("two", visible === 2);
    panes.forEach((pane, at) => { pane.node.hidden = at >= visible; });
    if (focused >= visible) focused = 0;
  }

  function thumb(sheet) {
    const { page, index, colour } = sheet;
    const picture = page.src && !page.problem
      ? h("img", { src: page.src, alt: "", decoding: "async", draggable: "false", style: `aspect-ratio:${page.width}/${page.height}` })
      : h("span", { class: "no-thumb" }, "cannot be shown");
    if (page.src) picture.addEventListener("error", () => picture.replaceWith(h("span", { class: "no-thumb" }, "not loaded")));
    return h("button", { type: "button", class: "thumb", testid: "thumbnail", title: page.title, onclick: () => choose(index) },
      picture, h("span", { class: "thumb-line" },
        h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1)),
        h("span", null, `p. ${page.page_number}`),
        page.sets.map((set) => alternative(entry, set)).filter(Boolean).map(({ letter }) => h("span", { class: "badge" }, letter))));
  }

  /** Puts page `index` (and its box) in front: into the pane that shows it, else into the one that was not used last. */
  function choose(index, box = null, { go = false } = {}) {
    if (!sheets[index]) return false;
    const visible = shownCount();
    let at = panes.findIndex((pane, p) => p < visible && pane.sheet === sheets[index]);
    if (at < 0) {
      at = visible === 2 ? 1 - focused : 0;
      panes[at].show(sheets[index]);
    }
    focused = at;
    chosen = box === null ? null : { index, box };
    strip.children[index]?.scrollIntoView({ block: "nearest" });
    panes.forEach((pane) => pane.select(chosen && pane.sheet?.index === index ? box : -1, { go: go && pane === panes[at] }));
    update();
    return true;
  }

  function fill() {
    layout();
    const visible = shownCount();
    panes.forEach((pane, at) => { if (at < visible && sheets[at]) pane.show(sheets[at]); else pane.clear(); });
    update();
  }

  const watcher = new ResizeObserver(() => {
    const before = panes.filter((pane) => !pane.node.hidden).length;
    if (!entry || before === shownCount()) return;
    const front = panes[focused].sheet;
    fill();
    if (front) choose(front.index);
  });
  watcher.observe(spread);

  return {
    node,
    /** Shows the pages of another entry from their start. */
    show(next) {
      entry = next;
      chosen = null;
      focused = 0;
      let first = 1;
      sheets = entry.pages.map((page, index) => {
        const sheet = { page, index, first, total: entry.pages.length, colour: pageColour(index), view: null, mode: "width",
          badges: page.sets.map((set) => alternative(entry, set)?.words).filter(Boolean) };
        first += page.boxes.length;
        return sheet;
      });
      strip.hidden = sheets.length < 3;
      strip.replaceChildren(...(sheets.length < 3 ? [] : sheets.map(thumb)));
      node.classList.toggle("empty", sheets.length === 0);
      fill();
    },
    /** Tries the images in view again that could not be loaded. */
    retryFailed() { for (const pane of panes) pane.retryFailed(); },
    clear() { entry = null; sheets = []; strip.hidden = true; strip.replaceChildren(); fill(); },
    choose,
    /** The box after (or before) the chosen one, over all pages, centred and large. */
    stepBox(step) {
      const all = sheets.flatMap((sheet) => sheet.page.boxes.map((_, box) => ({ index: sheet.index, box })));
      if (!all.length) return;
      const now = chosen ? all.findIndex((one) => one.index === chosen.index && one.box === chosen.box) : step > 0 ? -1 : 0;
      const next = all[(now + step + all.length) % all.length];
      choose(next.index, next.box, { go: true });
    },
    toggleBoxes() { withBoxes = !withBoxes; node.classList.toggle("without-boxes", !withBoxes); onChange(); },
    toggleSpread() {
      const front = panes[focused].sheet;
      wanted = wanted === 2 ? 1 : 2;
      fill();
      if (front) choose(front.index);
    },
    fit(mode) { panes.slice(0, shownCount()).forEach((pane) => pane.fit(mode)); },
    zoom: (factor) => panes[focused].zoom(factor),
    toggleOneToOne: () => panes[focused].toggleOneToOne(),
    scroll: (share) => panes[focused].scroll(share),
    /** What the toolbar shows. */
    get status() {
      return { percent: panes[focused].percent(), boxes: withBoxes, wanted, canSpread: sheets.length > 1 && !isNarrow(),
        mode: panes[focused].sheet?.mode ?? null, front: panes[focused].sheet?.index ?? null };
    },
    stop() { watcher.disconnect(); panes.forEach((pane) => pane.stop()); },
  };
}
