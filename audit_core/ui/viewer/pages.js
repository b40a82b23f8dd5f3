// The evidence pages of one entry: one or two large panes, and a strip of thumbnails where there are more than two.

import { pageColour } from "./colours.js";
import { addedAs, isDropped, proposedBoxes, sameCorrection } from "./correction.js";
import { h } from "./dom.js";
import { alternative } from "./format.js";
import { createLeafing } from "./leafing.js";
import { createPane } from "./pane.js";
import { createStrip } from "./strip.js";
import { turnedBack, turnedBox } from "./turned.js";
import { createTurning } from "./turning.js";

const NARROW = 900;            // below this width of the stage two pages side by side are too small to read

/**
 * `onChange()` is called when the focus, the zoom or the shown pages change; `on.click({index, box})` when a listed page or a box of
 * it is clicked, which may say true: it is dealt with; `on.mean({code, index})` when a code's mark on a page is pressed;
 * `on.drawn(box, free)` and `on.placed(box, free)` when a box was drawn or moved by hand on the page in front.
 */
export function createPages({ api, images, onChange, on }) {
  const strip = createStrip({ onChoose: (index) => choose(index) });
  const spread = h("div", { class: "spread", testid: "spread" });
  const node = h("main", { class: "pages", testid: "pages" }, strip.node, spread);
  const panes = [0, 1].map((at) => createPane({ images, on: {
    focus: () => focusPane(at),
    click(box, onPage) {
      const { index } = panes[at].sheet;
      if (index !== null && onPage && on.click({ index, box })) return;
      if (box !== null) chooseIn(at, box);
    },
    hand() {
      if (!hand.correcting || hand.asking) return null;
      const box = chosenIn(at) === null ? null : boxesOf(panes[at].sheet)[chosenIn(at)];
      return { draws: hand.draws, chosen: box?.by || (hand.onlyAdded && box?.state !== "added") ? null : box };
    },
    drawn: (...drawn) => on.drawn(...drawn),
    placed: (...placed) => on.placed(...placed),
    view: () => onChange(),
    mean: (code) => on.mean({ code, index: panes[at].sheet.index }),
    leaf: { step: (by) => leafIn(at, (turning) => turning.step(by)), find: (text) => leafIn(at, (turning) => turning.find(text)),
      back: () => leafIn(at, (turning) => turning.back()) },
  } }));
  const leafing = createLeafing({ api, images });
  const turnings = panes.map((pane) => createTurning({ pane, leafing, images, isElsewhere: (sheet) => panes.some((other) => other !== pane && other.sheet === sheet), listed: (page) => sheets.find((sheet) => sheet.page.page_id === page.page_id),
    dress, onTurn: () => { chosen = null; update(); } }));
  spread.append(...panes.map((pane) => pane.node));
  let sheets = [];
  let entry = null;
  let focused = 0;             // which pane
  let wanted = 2;              // how many large pages the annotator likes to see
  let chosen = null;           // {id of its page, box}
  let proposal = null;         // the correction that is proposed
  let hand = { correcting: false, draws: false, asking: false };
  let withBoxes = true;
  let marks = { codes: [], meant: () => "" };        // which codes mean what, by target id
  let everyone = null;         // what annotators marked on a page: page -> {boxes, words}

  const isNarrow = () => spread.clientWidth > 0 && spread.clientWidth < NARROW;
  const shownCount = () => Math.min(wanted, sheets.length, isNarrow() ? 1 : 2);

  const boxesOf = (sheet) => sheet.boxes ?? sheet.page.boxes;
  /** The box that is chosen on the page of a pane, or null. */
  const chosenIn = (at) => (chosen && chosen.id === panes[at].sheet?.page.page_id ? chosen.box : null);
  /** Gives a sheet the boxes that are proposed for its page. */
  function dress(sheet) {
    const others = everyone?.(sheet.page).boxes ?? [];
    if (proposal || sheet.boxes || others.length) sheet.boxes = [...proposedBoxes({ ...sheet.page, elements: leafing.knownElements(sheet.page) }, proposal), ...others];
    return sheet;
  }
  function proposalOf(sheet) {
    const set = addedAs(proposal, sheet.page.page_id);
    if (hand.onlyAdded) return set && "added by you";
    return isDropped(proposal, sheet.page.page_id) ? "proposed: out" : set && (set === "required" ? "proposed: in" : "proposed: in, as alternative");
  }
  function redress() {
    for (const sheet of sheets) dress(sheet);
    for (const pane of panes) if (pane.sheet) { dress(pane.sheet); pane.reboxes(); }
    mark();
  }
  function chooseIn(at, box, { go = false } = {}) {
    const { sheet } = panes[at];
    focused = at;
    chosen = { id: sheet.page.page_id, box };
    panes.forEach((pane, p) => pane.select(p === at ? box : -1, { go: go && p === at }));
    update();
  }
  function leafIn(at, work) {
    focusPane(at);
    work(turnings[at]);
  }
  function mark() {
    panes.forEach((pane) => {
      const page = pane.sheet?.page;
      pane.propose(page ? proposalOf(pane.sheet) : null);
      pane.others((page && everyone?.(page).words) ?? []);
      const listed = pane.sheet && pane.sheet.index !== null;
      pane.mark(listed ? marks.codes.map((code) => ({ ...code, meant: marks.meant(page.page_id).includes(code.code) })) : [],
        (box) => {
          const own = box.own === undefined ? box.element_id : box.own;        // codes speak of the evidence as it is
          return listed && own !== null ? marks.meant(own) : "";
        });
    });
  }
  function focusPane(at) {
    if (focused === at && panes[at].node.classList.contains("focused")) return;
    focused = at;
    update();
  }
  function update() {
    panes.forEach((pane, at) => pane.node.classList.toggle("focused", at === focused && shownCount() > 1));
    strip.mark(panes.slice(0, shownCount()).map((pane) => pane.sheet?.index), panes[focused].sheet?.index);
    panes.forEach((pane, at) => { if (at < shownCount()) turnings[at].draw(); });
    mark();
    onChange();
  }
  function layout() {
    const visible = shownCount();
    spread.classList.toggle("two", visible === 2);
    panes.forEach((pane, at) => { pane.node.hidden = at >= visible; });
    if (focused >= visible) focused = 0;
  }

  /** Puts page `index` (and its box) in front: into the pane that shows it, else into the one that was not used last. */
  function choose(index, box = null, { go = false } = {}) {
    if (!sheets[index]) return false;
    const visible = shownCount();
    let at = panes.findIndex((pane, p) => p < visible && pane.sheet === sheets[index]);
    if (at < 0 && (at = turnings.findIndex((turning, p) => p < visible && turning.home === sheets[index])) >= 0) panes[at].show(sheets[index]);
    else if (at < 0) {
      at = visible === 2 ? 1 - focused : 0;
      turnings[at].settle();
      panes[at].show(sheets[index]);
    }
    focused = at;
    chosen = box === null ? null : { id: sheets[index].page.page_id, box };
    strip.reveal(index);
    panes.forEach((pane) => pane.select(chosen && pane === panes[at] ? box : -1, { go: go && pane === panes[at] }));
    update();
    return true;
  }

  function fill() {
    layout();
    const visible = shownCount();
    panes.forEach((pane, at) => { if (at < visible && sheets[at]) pane.show(sheets[at]); else pane.clear(); });
    update();
  }

  /** Lays the pages out anew; the one in front stays there. */
  function refill() {
    const front = panes[focused].sheet;
    fill();
    if (front?.index === null) { panes[focused].show(front); update(); }
    else if (front) choose(front.index);
  }

  const watcher = new ResizeObserver(() => {
    const before = panes.filter((pane) => !pane.node.hidden).length;
    if (!entry || before === shownCount()) return;
    refill();
  });
  watcher.observe(spread);

  return {
    node,
    /** Shows the pages of another entry from their start. */
    show(next) {
      entry = next;
      chosen = null;
      proposal = null;
      everyone = null;
      focused = 0;
      let first = 1;
      leafing.open(entry);
      turnings.forEach((turning) => turning.open());
      sheets = entry.pages.map((page, index) => {
        const sheet = { page, index, first, total: entry.pages.length, colour: pageColour(index), view: null, mode: "width",
          letterOf: (box) => (box.set === null ? null : alternative(next, box.set)?.letter ?? null),
          badges: page.sets.map((set) => alternative(entry, set)?.words).filter(Boolean) };
        first += page.boxes.length;
        return sheet;
      });
      strip.show(sheets, entry);
      node.classList.toggle("empty", sheets.length === 0);
      fill();
    },
    /** Tries the images in view again that could not be loaded. */
    retryFailed() { for (const pane of panes) pane.retryFailed(); },
    clear() { entry = null; leafing.open(null); turnings.forEach((turning) => turning.open()); sheets = []; strip.show(sheets, null); fill(); },
    choose,
    /** The box after (or before) the chosen one, over all pages, centred and large. */
    stepBox(step) {
      const leafed = panes.slice(0, shownCount()).map((pane) => pane.sheet).filter((sheet) => sheet?.index === null);
      const all = [...sheets, ...leafed].flatMap((sheet) => boxesOf(sheet).map((_, box) => ({ sheet, box })));
      if (!all.length) return;
      const now = chosen ? all.findIndex(({ sheet, box }) => sheet.page.page_id === chosen.id && box === chosen.box) : step > 0 ? -1 : 0;
      const { sheet, box } = all[(now + step + all.length) % all.length];
      if (sheet.index === null) chooseIn(panes.findIndex((pane) => pane.sheet === sheet), box, { go: true });
      else choose(sheet.index, box, { go: true });
    },
    toggleBoxes() { withBoxes = !withBoxes; node.classList.toggle("without-boxes", !withBoxes); onChange(); },
    toggleSpread() {
      wanted = wanted === 2 ? 1 : 2;
      refill();
    },
    /** Shows which codes mean which places: `codes` as [{code, colour, asks}], `meant(id)` gives the letters for a page or element. */
    mark(next) { marks = next; node.classList.toggle("asking", next.codes.some((code) => code.asks)); mark(); },
    /** The page in front (null where it is not a listed one) and the box chosen on it (null: none). */
    get chosen() {
      const { sheet } = panes[focused], box = chosenIn(focused);
      return { index: sheet?.index ?? null, box: box !== null && boxesOf(sheet)[box]?.by ? null : box };
    },
    /** Shows what annotators marked: `marksOf(page)` gives {boxes, words} (everyone.js); null for nothing. */
    everyone(marksOf) {
      everyone = marksOf;
      redress();
    },
    /** The next listed page, after the last one the first. */
    nextPage(by = 1) {
      const now = panes[focused].sheet?.index ?? (turnings[focused].home?.index ?? 0) - by;
      if (sheets.length) choose((now + by + sheets.length) % sheets.length);
    },
    /** Shows what is proposed; `nextHand` says whether a hand on a page may change it. */
    propose(correction, nextHand) {
      hand = nextHand;
      node.classList.toggle("correcting", hand.correcting);
      node.classList.toggle("drawing", hand.draws);
      if (sameCorrection(correction, proposal)) return;
      proposal = correction;
      redress();
    },
    /** The page in front: {page, listed, boxes as proposed, the chosen box or null}; null where none is. */
    get front() {
      const { sheet } = panes[focused];
      return sheet && { page: sheet.page, listed: sheet.index !== null, boxes: proposedBoxes(sheet.page, proposal), box: chosenIn(focused) };
    },
    /** Chooses the box of a page that lies at `to` now. */
    keepChosen({ page }, to) {
      const at = panes.findIndex((pane, p) => p < shownCount() && pane.sheet?.page.page_id === page.page_id);
      const box = at < 0 ? -1 : proposedBoxes(page, proposal).findIndex((one) => [one.x0, one.y0, one.x1, one.y1].every((side, s) => Math.abs(side - to[s]) < 1e-6));
      if (box >= 0) chooseIn(at, box);
    },
    turned: (box) => turnedBox(box, panes[focused].turn),
    turnedBack: (box) => turnedBack(box, panes[focused].turn),
    get pixel() { return panes[focused].pixel; },
    /** Resolves when the elements of the pages in view, and the pages named, are known as far as they can be. */
    async prepare(ids) {
      const shown = panes.slice(0, shownCount()).map((pane) => pane.sheet?.page).filter((page) => page && leafing.canLeaf(page));
      await Promise.all([...shown.map((page) => leafing.details(page).catch(() => null)), ...ids.map((id) => leafing.known(id) ?? leafing.locate(id))]);
      if (proposal) redress();
    },
    elements: (page) => (leafing.canLeaf(page) ? leafing.details(page).then((known) => known.elements, () => []) : Promise.resolve([])),
    knownElements: (page) => leafing.knownElements(page),
    pageOf: (id) => leafing.known(id) ?? entry?.pages.find((page) => page.page_id === id) ?? { page_id: id, title: "" },
    rotate() { panes[focused].rotate(); mark(); },
    /** What a link to the view says: {page, box, zoom, at}; null where no page is shown. */
    get view() {
      const { sheet, aim } = panes[focused];
      if (!sheet) return null;
      const box = sheet.index !== null && chosenIn(focused) !== null ? sheet.first + chosenIn(focused) : null;
      return { page: sheet.page.page_id, box, zoom: aim?.zoom ?? null, at: aim?.at ?? null };
    },
    /** Opens what a link names; false where the entry's documents have no such page. */
    async open({ page, box, zoom, at }) {
      const mine = entry;
      const index = sheets.findIndex((sheet) => sheet.page.page_id === page);
      const number = box === null || index < 0 ? -1 : box - sheets[index].first;
      const named = sheets[index]?.page.boxes[number] ? number : null;
      if (index >= 0) choose(index, named);
      else if (!(await turnings[focused].goTo(page)) || entry !== mine) return entry !== mine;
      panes[focused].lookAt({ box: named, zoom, at });
      return true;
    },
    /** Brings a page to the front by its id, a listed one or another of the entry's documents. */
    showPage(id) {
      if (panes[focused].sheet?.page.page_id === id) return;
      const index = sheets.findIndex((sheet) => sheet.page.page_id === id);
      if (index >= 0) choose(index);
      else turnings[focused].goTo(id);
    },
    leaf: (by) => turnings[focused].step(by),
    goToPage: () => turnings[focused].ask(),
    backToListed: () => turnings[focused].back(),
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
