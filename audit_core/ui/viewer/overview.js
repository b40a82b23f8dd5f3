// The entries of the campaign with their states: the server gives a page of cells at a time, however many entries there are.

import { h, openDialog, button } from "./dom.js";
import { lettersOf } from "./fields.js";
import { count } from "./format.js";

const PER_PAGE = 300;
const STATES = { judged: "judged", cannot_judge: "cannot judge", draft: "draft", open: "not judged" };
const FLAGS = { open: "you asked the lead", answered: "the lead answered you" };
const belongs = (filter) => (entry) => !filter || (filter === "flagged" ? Boolean(entry.flag) : entry.state === filter);

/** A page as it will be once everything in the outbox is saved; `records` are those of the campaign, the newest of an entry last. */
export async function pageWithOutbox(api, asked, records) {
  const bodies = new Map(records.map((record) => [record.number, record.body]));
  const page = await api.overview({ ...asked, numbers: [...bodies.keys()] });
  const entries = new Map(page.entries.map((entry) => [entry.number, entry]));
  const counts = { ...page.counts };
  const first = page.entries[0]?.number, last = page.entries.at(-1)?.number;
  for (const entry of page.asked) {
    const { outcome, codes, fields } = bodies.get(entry.number);
    counts[entry.state] -= 1;
    counts[outcome] += 1;
    const next = { ...entry, state: outcome, codes, fields };
    const within = (!page.earlier || entry.number >= first) && (!page.later || entry.number <= last);
    if (belongs(asked.state)(next) && within) entries.set(entry.number, next);
    else entries.delete(entry.number);
  }
  return { ...page, counts, entries: [...entries.values()].sort((one, other) => one.number - other.number) };
}

/**
 * `load({state, from, before})` resolves to a page: entries, counts, and whether there are earlier and later ones. Entries are numbered
 * from 1 to `last`; `on.go(number)` opens one. `protocol` knows the letters of what was said. `filter` is a state to begin with, or null for all.
 */
export function openOverview(surface, { protocol, load, last, current, filter = null, on, onclose }) {
  const cells = h("div", { class: "cells", testid: "overview-cells" });
  const filters = h("div", { class: "filters" });
  const place = h("span", { testid: "overview-place", role: "status" });
  const earlier = button("‹ earlier", { testid: "overview-earlier", onclick: () => turnBy({ before: entries[0]?.number }, hasEarlier) });
  const later = button("later ›", { testid: "overview-later", onclick: () => turnBy({ from: entries.at(-1)?.number + 1 }, hasLater) });
  const turn = h("div", { class: "turn", hidden: true }, earlier, place, later);
  const go = h("input", { type: "number", min: 1, testid: "go-to", "aria-label": "entry number", placeholder: "number" });
  const form = h("form", { class: "go", onsubmit: (event) => { event.preventDefault(); open(Number(go.value)); } }, "Go to entry ", go, h("button", { class: "button" }, "Go"));
  const body = h("div", { class: "overview" }, form, filters, cells, turn);
  const dialog = openDialog(surface, { title: "Entries", testid: "overview", wide: true, onclose }, body);
  const chips = new Map();                // filter -> its button: one for all time, so that the focus stays on it
  let entries = [];
  let hasEarlier = false, hasLater = false, asked = 0;

  function open(number) {
    if (!Number.isInteger(number) || number < 1 || number > last) { go.setCustomValidity(`There is no entry ${number}.`); go.reportValidity(); return; }
    dialog.close();
    on.go(number);
  }
  go.addEventListener("input", () => go.setCustomValidity(""));

  function cell(entry) {
    const letters = lettersOf(entry, protocol);
    return h("button", { type: "button", class: "cell", "data-state": entry.state, "aria-current": String(entry.number === current),
      title: [`entry ${entry.number}: ${STATES[entry.state]}`, letters && [...letters].join(" "), FLAGS[entry.flag], entry.source, entry.structure].filter(Boolean).join(" · "),
      onclick: () => open(entry.number) }, h("span", { class: "state-dot" }), h("span", null, String(entry.number)),
    entry.flag ? h("span", { class: "flag-mark", "data-flag": entry.flag }, "⚑") : null, h("small", null, letters));
  }
  function drawFilters(counts) {
    for (const state of [null, ...Object.keys(STATES), "flagged"]) {
      if (!chips.has(state)) {
        chips.set(state, h("button", { type: "button", class: "chip", "data-state": state, onclick: () => { filter = state; show({ from: startOf(filter) }); } }));
        filters.append(chips.get(state));
      }
      const chip = chips.get(state);
      const mark = state === "flagged" ? [h("span", { class: "flag-mark" }, "⚑")] : state ? [h("span", { class: "state-dot" })] : [];
      chip.hidden = state === "flagged" && !counts.flagged;
      chip.setAttribute("aria-pressed", String(filter === state));
      chip.replaceChildren(...mark, `${state ? STATES[state] ?? "asked the lead" : "all"} ${counts[state ?? "all"]}`);
    }
  }
  function draw(page) {
    ({ entries } = page);
    hasEarlier = page.earlier;
    hasLater = page.later;
    drawFilters(page.counts);
    cells.replaceChildren(...(entries.length ? entries.map(cell) : [h("p", { class: "quiet" }, "none")]));
    cells.scrollTop = 0;
    turn.hidden = !hasEarlier && !hasLater;
    earlier.setAttribute("aria-disabled", String(!hasEarlier));
    later.setAttribute("aria-disabled", String(!hasLater));
    place.textContent = entries.length ? `${entries[0].number} to ${entries.at(-1).number} of ${count(page.counts[filter ?? "all"], "entry", "entries")}` : "";
  }

  /** Where a list begins: all entries with the page of the current one, what a filter leaves with its first. */
  const startOf = (state) => (state || !current ? 1 : Math.floor((current - 1) / PER_PAGE) * PER_PAGE + 1);
  const turnBy = (where, there) => { if (there) show(where); };

  /** Fetches a page and shows it; of two asked for at once, the one asked for last. */
  async function show(where) {
    const mine = (asked += 1);
    cells.setAttribute("aria-busy", "true");
    let page;
    try { page = await load({ state: filter, ...where }); } catch (error) {
      if (mine === asked) cells.replaceChildren(h("p", { class: "wrong-words" }, `${error.message} Close this and try again.`));
      return;
    } finally { if (mine === asked) cells.removeAttribute("aria-busy"); }
    if (mine === asked && dialog.isConnected) draw(page);
  }

  cells.replaceChildren(h("p", { class: "quiet" }, "loading"));
  show({ from: startOf(filter) }).then(() => cells.querySelector("[aria-current=true]")?.scrollIntoView({ block: "center" }));
  return dialog;
}
