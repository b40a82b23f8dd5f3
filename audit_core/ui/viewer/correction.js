// A proposed correction of an entry, as plain values: {query?, answer?, drop_pages?, add_pages?, boxes?}; null where nothing is proposed.
// A box is [x0, y0, x1, y1] in parts of its page. `answer` null proposes that there is no answer.

import { count } from "./format.js";

const SAME = 1e-6;

const sides = (box) => [box.x0, box.y0, box.x1, box.y1];
/** Whether one of two boxes covers at least half of the smaller one. */
export function coversMost(one, two) {
  const width = Math.min(one[2], two[2]) - Math.max(one[0], two[0]), height = Math.min(one[3], two[3]) - Math.max(one[1], two[1]);
  const area = ([x0, y0, x1, y1]) => (x1 - x0) * (y1 - y0);
  return width > 0 && height > 0 && width * height >= Math.min(area(one), area(two)) / 2;
}
const asBox = ([x0, y0, x1, y1]) => ({ x0, y0, x1, y1 });
const same = (one, two) => one.every((side, at) => Math.abs(side - two[at]) <= SAME);

/** The correction in its one form, null where it changes nothing; so two that say the same are the same JSON. */
export function tidy(correction) {
  const { query, answer, drop_pages: drop = [], add_pages: add = [], boxes = [] } = correction ?? {};
  const made = {};
  if (query !== undefined && query.trim()) made.query = query;
  if (answer !== undefined) made.answer = answer;
  if (drop.length) made.drop_pages = [...drop].sort();
  if (add.length) made.add_pages = add.map(({ page_id, set }) => ({ page_id, set }));
  if (boxes.length) made.boxes = boxes.map(({ page_id, element_id, action, from, to }) => ({ page_id, element_id, action, from, to }));
  return Object.keys(made).length ? made : null;
}

export const sameCorrection = (one, two) => JSON.stringify(tidy(one)) === JSON.stringify(tidy(two));

/** How many changes it makes. */
export const changes = (correction) => Object.entries(tidy(correction) ?? {})
  .reduce((sum, [, value]) => sum + (Array.isArray(value) ? value.length : 1), 0);

export function withQuery(correction, entry, text) {
  const { query, ...rest } = correction ?? {};
  return tidy(text === entry.query ? rest : { ...rest, query: text });
}

/** An empty text proposes that there is no answer. */
export function withAnswer(correction, entry, text) {
  const { answer, ...rest } = correction ?? {};
  return tidy(text === (entry.answer ?? "") ? rest : { ...rest, answer: text || null });
}

export const isDropped = (correction, pageId) => Boolean(correction?.drop_pages?.includes(pageId));
export const addedAs = (correction, pageId) => correction?.add_pages?.find((page) => page.page_id === pageId)?.set ?? null;

/** Proposes that a listed page goes, or takes that back. */
export function toggleDropped(correction, pageId) {
  const now = correction?.drop_pages ?? [];
  return tidy({ ...correction, drop_pages: now.includes(pageId) ? now.filter((one) => one !== pageId) : [...now, pageId] });
}

/** Proposes a page as "required" or "alternative"; null takes it back, with the boxes proposed on it. */
export function withAdded(correction, pageId, set) {
  const others = (correction?.add_pages ?? []).filter((page) => page.page_id !== pageId);
  if (set) return tidy({ ...correction, add_pages: [...others, { page_id: pageId, set }] });
  return tidy({ ...correction, add_pages: others, boxes: (correction?.boxes ?? []).filter((box) => box.page_id !== pageId) });
}

/** None, required, alternative, none. */
export const nextSet = (set) => ({ required: "alternative", alternative: null })[set] ?? (set === null ? "required" : null);

const changeOf = (correction, pageId, box) => correction?.boxes?.find((change) => change.page_id === pageId && change.from && same(change.from, sides(box)));

/**
 * The boxes of a page as they would be: the evidence's in their order, each with `state` "kept", "moved" or "dropped" and `was`, then
 * those proposed, "added". A moved box has the element that it was moved to; `own` is that of the evidence.
 */
export function proposedBoxes(page, correction) {
  const kept = page.boxes.map((box) => {
    const change = changeOf(correction, page.page_id, box);
    const state = { move: "moved", drop: "dropped" }[change?.action] ?? "kept";
    const moved = state === "moved" ? { ...asBox(change.to), element_id: change.element_id, kind: kindAfter(page, box, change.element_id) } : {};
    return { ...box, ...moved, own: box.element_id, state, was: sides(box) };
  });
  const added = (correction?.boxes ?? []).filter((change) => change.page_id === page.page_id && change.action === "add")
    .map((change) => ({ element_id: change.element_id, kind: change.kind ?? kindOf(page, change.element_id), set: null, ...asBox(change.to), own: null, state: "added", was: null }));
  return [...kept, ...added];
}

const kindAfter = (page, box, elementId) => (elementId === box.element_id ? box.kind : elementId === null ? null : kindOf(page, elementId) ?? box.kind);
const kindOf = (page, elementId) => page.elements?.find((element) => element.element_id === elementId)?.kind ?? null;

const withoutBox = (correction, pageId, box) => (correction?.boxes ?? []).filter((change) => !(change.page_id === pageId
  && (box.state === "added" ? change.action === "add" && same(change.to, sides(box)) : change.from && same(change.from, box.was))));

/** Proposes a new box; on a page that is not listed it proposes the page as well. */
export function withNewBox(correction, page, { element_id: elementId, to, listed }) {
  const base = listed || addedAs(correction, page.page_id) ? correction : withAdded(correction, page.page_id, "required");
  return tidy({ ...base, boxes: [...(base?.boxes ?? []), { page_id: page.page_id, element_id: elementId, action: "add", from: null, to }] });
}

/** Proposes another place for a box of `proposedBoxes`; `elementId` is the element that it then means, null for none. */
export function withPlace(correction, pageId, box, to, elementId) {
  const others = withoutBox(correction, pageId, box);
  if (box.state === "added") return tidy({ ...correction, boxes: [...others, { page_id: pageId, element_id: elementId, action: "add", from: null, to }] });
  if (same(to, box.was)) return tidy({ ...correction, boxes: others });
  return tidy({ ...correction, boxes: [...others, { page_id: pageId, element_id: elementId, action: "move", from: box.was, to }] });
}

/** Proposes that a box of the evidence goes; a box that was moved or dropped is put back, a proposed one forgotten. */
export function withoutIt(correction, pageId, box) {
  const others = withoutBox(correction, pageId, box);
  if (box.state !== "kept") return tidy({ ...correction, boxes: others });
  return tidy({ ...correction, boxes: [...others, { page_id: pageId, element_id: box.own, action: "drop", from: box.was, to: null }] });
}

/** "query reworded · 1 page out · 2 boxes changed", or "" where nothing is proposed. */
export function inWords(correction) {
  const { drop_pages: drop = [], add_pages: add = [], boxes = [] } = correction ?? {};
  return [correction?.query !== undefined && "query reworded", correction?.answer !== undefined && (correction.answer === null ? "no answer" : "another answer"),
    drop.length && `${count(drop.length, "page")} out`, add.length && `${count(add.length, "page")} in`,
    boxes.length && `${count(boxes.length, "box", "boxes")} changed`].filter(Boolean).join(" · ");
}
