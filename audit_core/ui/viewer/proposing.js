// What the keys, the hand and the form of a proposed correction do on the entry on the desk; the same for pages and boxes that fields ask for.

import * as corrections from "./correction.js";
import { isStillOn, movedBox, snapped } from "./drawing.js";
import { asCorrection, asFields, asksForBoxes, asksForPages, hasMarks } from "./marking.js";

const STEP = 4;                // pixels of the screen that one key press moves an edge

const sidesOf = (box) => [box.x0, box.y0, box.x1, box.y1].map((side) => Math.round(side * 1e6) / 1e6);

/**
 * `propose(make, field)` changes the correction as one step, `setFields(make, field)` the fields; `refresh()` draws the answer, which calls
 * `draw()` here. `markRow(page id)` asks for what is said of a page first.
 */
export function createProposing({ desk, session, pages, panel, refresh, markRow, ...changing }) {
  const form = panel.correcting;
  const { protocol } = session;
  const marks = hasMarks(protocol);
  let prepared = null;
  const propose = !marks ? changing.propose
    : (make, field) => changing.setFields((fields, entry) => asFields(fields, make(asCorrection(fields, protocol), entry), protocol), field);
  const isHeld = (it) => !marks || it.state === "added";            // boxes of the evidence are no answer: they stay where they are
  const closed = () => session.closed;

  function numberOf(change) {
    const at = desk.entry.pages.findIndex((page) => page.page_id === change.page_id);
    if (change.action === "add") return at < 0 ? `+ box on p. ${pages.pageOf(change.page_id).page_number ?? "?"}` : `+ box on page ${at + 1}`;
    const before = desk.entry.pages.slice(0, at).reduce((sum, page) => sum + page.boxes.length, 0);
    const index = (desk.entry.pages[at]?.boxes ?? []).findIndex((box) => [box.x0, box.y0, box.x1, box.y1].every((side, s) => Math.abs(side - change.from[s]) < 1e-6));
    return `box ${before + index + 1}`;
  }
  function draw() {
    const { entry, answer } = desk;
    if (!entry) return;
    if (marks) { drawMarks(); return; }
    panel.form(desk.correcting);
    pages.propose(answer.correction, { correcting: desk.correcting, draws: desk.drawing, asking: Boolean(desk.asking) });
    const front = pages.front;
    form.update(entry, answer.correction, { chosen: chosenBox()?.it ?? null, front: front && !front.listed ? front.page : null, pageOf: pages.pageOf, numberOf, closed: closed(), drawing: desk.drawing });
  }
  function drawMarks() {
    const { entry, answer } = desk;
    const asked = asksForPages(protocol, answer.fields);
    pages.propose(asCorrection(answer.fields, protocol), { correcting: asked, draws: desk.drawing, asking: false, onlyAdded: true });
    const front = pages.front;
    panel.tools(answer, { closed: closed(), drawing: desk.drawing, chosen: chosenBox()?.it.state === "added", asked, leafed: front && !front.listed ? front.page.page_id : null });
    if (prepared === entry) return;
    prepared = entry;
    const added = asCorrection(answer.fields, protocol).add_pages.map((page) => page.page_id);
    if (added.length) pages.prepare(added).then(() => { if (desk.entry === entry) refresh(); });
  }
  /** Whether a box may be drawn on the page in front; says what is wanted first. */
  function mayDraw() {
    const page = pages.front?.page.page_id;
    if (!marks || asksForBoxes(protocol, desk.answer.fields, page)) return true;
    if (!asksForPages(protocol, desk.answer.fields)) panel.ask("Boxes are drawn for a good query.");
    else { markRow(page); panel.ask("Grade this page 1 or 2 first: boxes show what answers."); }
    return false;
  }

  /** Fetches the elements to which boxes snap, and what is not known of the pages that are proposed. */
  function prepare() {
    const mine = desk.entry;
    pages.prepare((desk.answer.correction?.add_pages ?? []).map((page) => page.page_id)).then(() => { if (desk.entry === mine && desk.correcting) draw(); });
  }
  function toggle() {
    if (!desk.entry || session.busy) return;
    desk.correcting = !desk.correcting;
    desk.drawing = false;
    desk.asking = null;
    panel.leave();
    form.say(null);
    refresh();
    if (desk.correcting) prepare();
  }
  /** The box that is chosen on the page in front, as it is proposed; null where none is. */
  function chosenBox() {
    const front = pages.front;
    return front && front.box !== null && front.boxes[front.box] ? { ...front, it: front.boxes[front.box] } : null;
  }
  /** The element that the box `it` means once it lies at `box`: that of the evidence or the one it was moved to while it mostly covers it, else none. */
  function elementAt(box, { page, it }) {
    const lies = (id) => id !== null && (isStillOn(box, id === it.own ? it.was : null)
      || pages.knownElements(page).some((element) => element.element_id === id && isStillOn(box, [element.x0, element.y0, element.x1, element.y1])));
    return [it.own, it.element_id].find(lies) ?? null;
  }
  /** Keys move and resize what is on the screen, so on a turned page too "left" is left. */
  function nudge([right, down], edges) {
    const chosen = chosenBox();
    if (!chosen || chosen.it.state === "dropped" || !isHeld(chosen.it)) return;
    const seen = pages.turned(chosen.it);
    const [across, along] = pages.pixel;
    const box = pages.turnedBack(movedBox(seen, edges, right * STEP * across, down * STEP * along));
    if (box.x1 - box.x0 < 1e-4 || box.y1 - box.y0 < 1e-4) return;
    const to = sidesOf(box);
    propose((correction) => corrections.withPlace(correction, chosen.page.page_id, chosen.it, to, elementAt(box, chosen)), `box ${chosen.page.page_id} ${chosen.box}`);
    pages.keepChosen(chosen, to);
  }
  function elementFor(box, elements, free, not) {
    const element = free ? null : snapped(box, elements, not);
    form.say(element ? `snapped to ${element.kind ?? "an element"}; Alt while drawing leaves it free` : null);
    return element;
  }
  /** Puts the chosen box at `box`. It does not snap to the element that it has, or it could not be set right. */
  function place(box, free) {
    const chosen = chosenBox();
    if (!chosen || !isHeld(chosen.it)) return;
    const known = pages.knownElements(chosen.page);
    const element = elementFor(box, known, free, chosen.it.element_id);
    const to = sidesOf(element ?? box);
    const elementId = element ? element.element_id : free ? null : elementAt(box, chosen);
    propose((correction) => corrections.withPlace(correction, chosen.page.page_id, chosen.it, to, elementId));
    pages.keepChosen(chosen, to);
    snapLater(chosen.page, known, to, free);
  }
  /** A box is there at once, so that whoever saves right away saves it; where elements come later, it snaps then if it is still as it was put. */
  async function snapLater(page, known, to, free) {
    if (free || known.length) return;
    const mine = desk.entry;
    if (!(await pages.elements(page)).length || desk.entry !== mine) return;
    const chosen = chosenBox();
    if (chosen?.page.page_id !== page.page_id || sidesOf(chosen.it).some((side, at) => side !== to[at])) return;
    if (snapped(chosen.it, pages.knownElements(page), chosen.it.element_id)) place(chosen.it, false);
  }

  return {
    draw,
    correction: toggle,
    rewordQuery() { form.field.focus(); },
    pageInOut() {
      const front = pages.front;
      if (!front) return;
      const { page_id: id } = front.page;
      if (marks) {
        if (closed()) panel.ask("The campaign is closed.");
        else if (!asksForPages(protocol, desk.answer.fields)) panel.ask("Pages are added for a good query.");
        else if (front.listed) { markRow(id); panel.ask("This page is listed: grade it."); }
        else {
          propose((correction) => corrections.withAdded(correction, id, corrections.addedAs(correction, id) ? null : "required"));
          markRow(id);
        }
        return;
      }
      if (front.listed) propose((correction) => corrections.toggleDropped(correction, id));
      else propose((correction) => corrections.withAdded(correction, id, corrections.nextSet(corrections.addedAs(correction, id))));
    },
    unaddPage: (id) => propose((correction) => corrections.withAdded(correction, id, null)),
    drawBox() {
      desk.drawing = !desk.drawing && !closed() && mayDraw();
      if (desk.drawing) pages.prepare([]);                      // the elements, while the box is being drawn
      if (desk.drawing || !marks) refresh(); else draw();
    },
    stopDrawing() { desk.drawing = false; refresh(); },
    placeBox: (by) => nudge(by, { left: true, top: true, right: true, bottom: true }),
    sizeBox: (by) => nudge(by, { right: by[0] !== 0, bottom: by[1] !== 0 }),
    removeBox() {
      const chosen = chosenBox();
      if (chosen && isHeld(chosen.it)) propose((correction) => corrections.withoutIt(correction, chosen.page.page_id, chosen.it));
    },
    stopCorrecting() {
      if (desk.drawing) { desk.drawing = false; refresh(); } else toggle();
    },
    /** A box was drawn on the page in front; `free` keeps it from snapping. */
    drawn(box, free) {
      const front = pages.front;
      desk.drawing = false;
      refresh();
      if (!mayDraw()) return;
      const known = pages.knownElements(front.page);
      const element = elementFor(box, known, free, null);
      const to = sidesOf(element ?? box);
      if (!propose((correction) => corrections.withNewBox(correction, front.page, { element_id: element?.element_id ?? null, to, listed: front.listed }))) return;
      pages.keepChosen({ page: front.page }, to);
      snapLater(front.page, known, to, free);
    },
    /** The chosen box was moved or resized by hand. */
    placed: place,
    /** What the form changes. */
    form: {
      text: (text) => ("query" in text ? propose((correction, entry) => corrections.withQuery(correction, entry, text.query), "proposed query")
        : propose((correction, entry) => corrections.withAnswer(correction, entry, text.answer), "proposed answer")),
      drop: (id) => propose((correction) => corrections.toggleDropped(correction, id)),
      set: (id, set) => propose((correction) => corrections.withAdded(correction, id, set)),
      undoBox: (at) => propose((correction) => corrections.tidy({ ...correction, boxes: correction.boxes.filter((_, index) => index !== at) })),
      discard: () => propose(() => null),
    },
  };
}
