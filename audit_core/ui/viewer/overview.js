// All entries of the campaign with their states, a page of cells at a time, however many there are.

import { h, openDialog, button } from "./dom.js";
import { count } from "./format.js";

const PER_PAGE = 300;
const STATES = { judged: "judged", cannot_judge: "cannot judge", draft: "draft", open: "not judged" };
const FLAGS = { open: "you asked the lead", answered: "the lead answered you" };
const belongs = (filter) => (entry) => !filter || (filter === "flagged" ? Boolean(entry.flag) : entry.state === filter);

/** `load()` fetches the entries, numbered from 1 to `last`; `on.go(number)` opens one. `filter` is a state to begin with, or null for all. */
export function openOverview(surface, { load, last, current, filter = null, on, onclose }) {
  const cells = h("div", { class: "cells", testid: "overview-cells" });
  const filters = h("div", { class: "filters" });
  const turn = h("div", { class: "turn" });
  const go = h("input", { type: "number", min: 1, testid: "go-to", "aria-label": "entry number", placeholder: "number" });
  const form = h("form", { class: "go", onsubmit: (event) => { event.preventDefault(); open(Number(go.value)); } }, "Go to entry ", go, h("button", { class: "button" }, "Go"));
  const body = h("div", { class: "overview" }, form, filters, cells, turn);
  const dialog = openDialog(surface, { title: "Entries", testid: "overview", wide: true, onclose }, body);
  let entries = [];
  let page = 0;

  function open(number) {
    if (!Number.isInteger(number) || number < 1 || number > last) { go.setCustomValidity(`There is no entry ${number}.`); go.reportValidity(); return; }
    dialog.close();
    on.go(number);
  }
  go.addEventListener("input", () => go.setCustomValidity(""));

  function cell(entry) {
    return h("button", { type: "button", class: "cell", "data-state": entry.state, "aria-current": String(entry.number === current),
      title: [`entry ${entry.number}: ${STATES[entry.state]}`, entry.codes && [...entry.codes].join(" "), FLAGS[entry.flag], entry.source, entry.structure].filter(Boolean).join(" · "),
      onclick: () => open(entry.number) }, h("span", { class: "state-dot" }), h("span", null, String(entry.number)),
    entry.flag ? h("span", { class: "flag-mark", "data-flag": entry.flag }, "⚑") : null, h("small", null, entry.codes));
  }
  function draw() {
    const shown = entries.filter(belongs(filter));
    const pages = Math.max(1, Math.ceil(shown.length / PER_PAGE));
    page = Math.min(page, pages - 1);
    const part = shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE);
    const asked = entries.some(belongs("flagged")) ? ["flagged"] : [];
    filters.replaceChildren(...[null, ...Object.keys(STATES), ...asked].map((state) => {
      const number = entries.filter(belongs(state)).length;
      return h("button", { type: "button", class: "chip", "data-state": state, "aria-pressed": String(filter === state),
        onclick: () => { filter = state; page = 0; draw(); } }, state === "flagged" ? h("span", { class: "flag-mark" }, "⚑") : state ? h("span", { class: "state-dot" }) : null,
      `${state ? STATES[state] ?? "asked the lead" : "all"} ${number}`);
    }));
    cells.replaceChildren(...(part.length ? part.map(cell) : [h("p", { class: "quiet" }, "none")]));
    turn.hidden = pages === 1;
    turn.replaceChildren(button("‹ earlier", { onclick: () => { page = Math.max(0, page - 1); draw(); } }),
      h("span", null, part.length ? `${part[0].number} to ${part.at(-1).number} of ${count(shown.length, "entry", "entries")}` : ""),
      button("later ›", { onclick: () => { page = Math.min(pages - 1, page + 1); draw(); } }));
  }

  cells.replaceChildren(h("p", { class: "quiet" }, "loading"));
  load().then((loaded) => {
    entries = loaded;
    const at = filter ? -1 : entries.findIndex((entry) => entry.number === current);
    page = at < 0 ? 0 : Math.floor(at / PER_PAGE);
    draw();
    cells.querySelector("[aria-current=true]")?.scrollIntoView({ block: "center" });
  }, (error) => cells.replaceChildren(h("p", { class: "wrong-words" }, `${error.message} Close this and try again.`)));
  return dialog;
}
