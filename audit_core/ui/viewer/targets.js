// Which pages or boxes a code means: a row of tags for "wrong evidence" and "unneeded page", asked where there is a choice.

import { inkOn } from "./colours.js";
import { h } from "./dom.js";

/** The codes that speak of single pages and boxes. */
export const OF_PLACES = ["E", "U"];

/** The boxes of an entry that can be named by themselves: {id, number, kind}, each element once. A box without one is its page. */
export function namedBoxes(entry) {
  const found = new Map();
  let number = 0;
  for (const page of entry.pages) {
    for (const box of page.boxes) {
      number += 1;
      if (box.element_id !== null && !found.has(box.element_id)) found.set(box.element_id, { id: box.element_id, number, kind: box.kind ?? "box" });
    }
  }
  return [...found.values()];
}

/** What stands for a box, or for the page where `box` is null, in `targets`. */
export const placeId = (page, box) => (box === null ? page.page_id : page.boxes[box]?.element_id ?? page.page_id);

/** Whether there is anything to choose between. */
export const hasChoice = (entry) => entry.pages.length > 1 || namedBoxes(entry).length > 1;

/** What keys, or a finger, do while a code asks. */
export function askingWords(entry) {
  if (window.matchMedia("(pointer: coarse)").matches) return "tap the pages or boxes that are meant";
  const pages = entry.pages.length > 1 ? `1-${Math.min(8, entry.pages.length)} mark pages` : "Space marks the page";
  const boxes = namedBoxes(entry).length ? " · Tab, Space: a box" : "";
  return `${pages}${boxes} · Esc: only look`;
}

export const chosenCodes = (answer) => OF_PLACES.filter((code) => answer.outcome === "judged" && answer.codes.includes(code));

export function createTargets({ order, colours, act }) {
  const rows = order.filter((code) => OF_PLACES.includes(code)).map((code) => {
    const tags = h("span", { class: "tags" });
    const letter = h("button", { type: "button", class: "letter", title: "ask which pages or boxes this code means (Q)",
      style: `--code:${colours.get(code)};--code-ink:${inkOn(colours.get(code))}`, onclick: () => act("which", code) }, code);
    return { code, tags, node: h("div", { class: "targets", testid: `targets-${code}`, hidden: true }, letter, h("span", null, "which?"), tags) };
  });
  const node = h("div", { class: "target-rows" }, rows.map((row) => row.node));
  let entry = { pages: [] };
  let boxes = [];

  function tag(code, label, title, index, box) {
    return h("button", { type: "button", class: "target", title, "aria-pressed": "true", onclick: () => act("meanOf", { code, ...index, id: box }) }, label);
  }
  function drawTags(row, meant, closed) {
    const pages = entry.pages.map((page, index) => {
      const one = tag(row.code, String(index + 1), page.title, { index }, page.page_id);
      one.setAttribute("aria-pressed", String(meant.includes(page.page_id)));
      return one;
    });
    const named = boxes.filter((box) => meant.includes(box.id))
      .map((box) => tag(row.code, `${box.number} ${box.kind}`, "this box; press to take it back", {}, box.id));
    row.tags.replaceChildren(...(entry.pages.length > 1 || !named.length ? pages : []), ...named);
    for (const one of row.tags.children) one.disabled = closed;
  }

  return {
    node,
    show(next) { entry = next; boxes = namedBoxes(entry); },
    update(answer, { closed, asking }) {
      for (const row of rows) {
        row.node.hidden = !hasChoice(entry) || !chosenCodes(answer).includes(row.code);
        row.node.classList.toggle("asks", asking === row.code);
        if (row.node.hidden) continue;
        drawTags(row, answer.targets[row.code] ?? [], closed);
      }
    },
  };
}
