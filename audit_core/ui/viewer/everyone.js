// What each annotator marked on a page: boxes that they propose or drew, and boxes and pages that their codes mean, each with the letter
// of its annotator and a line of its own, so that they are told apart without colours too.

import { answerOf } from "./answer.js";
import { addedAs, isDropped } from "./correction.js";
import { boxesFieldOf, pagesFieldOf } from "./fields.js";

/** A colour and a dash pattern an annotator, by the order of the cards (Okabe-Ito, and the lines differ in themselves). */
const STYLES = [["#CC79A7", "10 4"], ["#009E73", "2.5 3"], ["#E69F00", "12 3 2.5 3"], ["#56B4E9", "5 3"], ["#D55E00", "16 3 2.5 3 2.5 3"], ["#0072B2", "1.5 6"]];

/** The line of the judgment at a place: {label, colour, dash, at}. */
export function styleOf(judgment, at) {
  const [colour, dash] = STYLES[at % STYLES.length];
  return { label: judgment.label, colour, dash, at };
}

const asBox = ([x0, y0, x1, y1]) => ({ x0, y0, x1, y1 });

/** The boxes of one judgment on a page, in the form of `correction.proposedBoxes` with `by` and what the tag says. */
function boxesOf(said, page, by, protocol) {
  const box = (sides, state, words, kind = null) => ({ ...asBox(sides), kind, set: null, element_id: null, own: null, was: null, state, by, words });
  const proposed = (said.correction?.boxes ?? []).filter((change) => change.page_id === page.page_id)
    .map((change) => (change.action === "drop" ? box(change.from, "out", "out") : box(change.to, "new", change.action === "move" ? "moved" : "new")));
  const drawn = (said.fields[boxesFieldOf(protocol)?.name] ?? []).filter((one) => one.page_id === page.page_id).map((one) => box(one.box, "new", "box"));
  const meant = page.boxes.flatMap((one) => {
    const codes = [...said.codes].filter((code) => one.element_id !== null && (said.targets[code] ?? []).includes(one.element_id)).join("");
    return codes ? [box([one.x0, one.y0, one.x1, one.y1], "meant", codes)] : [];
  });
  return [...proposed, ...drawn, ...meant];
}

/** What one judgment says of the page as a whole, in words, or null. */
function wordsOf(said, page, protocol) {
  const codes = [...said.codes].filter((code) => (said.targets[code] ?? []).includes(page.page_id)).join(" ");
  const set = addedAs(said.correction, page.page_id);
  const added = (said.fields[pagesFieldOf(protocol)?.name] ?? []).includes(page.page_id);
  return [codes, isDropped(said.correction, page.page_id) && "out", set && (set === "required" ? "in" : "in, as alternative"), added && "added"].filter(Boolean).join(", ") || null;
}

/** What is marked on a page by the judgments whose labels are in `shown`: {boxes, words: [{by, words}]}. */
export function marksOn(page, judgments, shown, protocol) {
  const found = { boxes: [], words: [] };
  judgments.forEach((judgment, at) => {
    if (!shown.has(judgment.label)) return;
    const said = answerOf(judgment), by = styleOf(judgment, at), words = wordsOf(said, page, protocol);
    found.boxes.push(...boxesOf(said, page, by, protocol));
    if (words) found.words.push({ by, words });
  });
  return found;
}
