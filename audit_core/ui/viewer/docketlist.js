// The entries of an adjudication by state, a page at a time: what each judgment says, what differs, and how it was decided.

import { disputeWords } from "./cards.js";
import { BASES } from "./decision.js";
import { FILTERS, STATES } from "./docketbar.js";
import { button, h, openDialog } from "./dom.js";
import { answerWords } from "./format.js";

/**
 * `load({state, from, before})` resolves to {rows: [{number, query, state, sealed, disputes, judgments, basis, own_judgment, decision}], earlier, later, counts}; `filter` is a key of `FILTERS`.
 * `on.go(number)` opens an entry, `on.filter(filter)` goes through those.
 */
export function openDocketList(surface, { protocol, load, current, filter, on }) {
  const rows = h("div", { class: "docket-rows", testid: "docket-rows" });
  const filters = h("div", { class: "filters" });
  const place = h("span", { role: "status", testid: "docket-place" });
  const earlier = button("‹ earlier", { testid: "docket-earlier", onclick: () => entries.length && show({ before: entries[0].number }) });
  const later = button("later ›", { testid: "docket-later", onclick: () => entries.length && show({ from: entries.at(-1).number + 1 }) });
  const turn = h("div", { class: "turn", hidden: true }, earlier, place, later);
  const go = h("input", { type: "number", min: 1, testid: "go-to", "aria-label": "entry number", placeholder: "number" });
  const form = h("form", { class: "go", onsubmit: (event) => { event.preventDefault(); if (Number.isInteger(Number(go.value)) && Number(go.value) > 0) open(Number(go.value)); } }, "Go to entry ", go, h("button", { class: "button" }, "Go"));
  const through = button("Go through these", { kind: "strong", testid: "docket-through", onclick: () => { dialog.close(); on.filter(filter); } });
  const dialog = openDialog(surface, { title: "Entries", testid: "docket-list", wide: true }, h("div", { class: "overview" }, h("div", { class: "dialog-buttons" }, form, h("span", { class: "gap" }), through), filters, rows, turn));
  const chips = new Map(Object.keys(FILTERS).map((name) => [name, h("button", { type: "button", class: "chip", testid: `filter-${name}`, onclick: () => { filter = name; show({ from: 1 }); } })]));
  filters.append(...chips.values());
  let entries = [], asked = 0;

  function open(number) { dialog.close(); on.go(number); }
  const said = (entry) => (entry.decision ? [h("b", null, answerWords(entry.decision, protocol)), ` · ${BASES[entry.basis] ?? entry.basis}${entry.own_judgment ? " · judged by the one who decided" : ""}`]
    : [entry.judgments.map((judgment) => answerWords(judgment, protocol)).join(" | ")]);
  function row(entry) {
    const differ = entry.state === "disputed" && entry.disputes?.length ? ` ≠ ${disputeWords(entry.disputes, protocol)}` : "";
    return h("button", { type: "button", class: "docket-row", testid: "docket-row", "data-number": entry.number, "data-state": entry.state, "aria-current": String(entry.number === current), disabled: entry.sealed, onclick: () => open(entry.number) },
      h("span", { class: "docket-number" }, String(entry.number)), h("span", { class: "badge" }, entry.sealed ? "waits for your judgment" : STATES[entry.state]),
      h("span", { class: "docket-said" }, said(entry)), h("span", { class: "quiet docket-query", dir: "auto" }, `${differ ? `${differ} · ` : ""}${entry.query}`));
  }
  function draw(page) {
    entries = page.rows;
    const { disputed, single, decided, unanimous, open: waiting } = page.counts;
    const numbers = { disputed, second: single, decided, all: disputed + single + decided + unanimous + waiting };
    for (const [name, chip] of chips) { chip.textContent = `${FILTERS[name]} ${numbers[name].toLocaleString("en")}`; chip.setAttribute("aria-pressed", String(name === filter)); }
    rows.replaceChildren(...(entries.length ? entries.map(row) : [h("p", { class: "quiet" }, "none")]));
    rows.scrollTop = 0;
    turn.hidden = !page.earlier && !page.later;
    earlier.disabled = !page.earlier;
    later.disabled = !page.later;
    place.textContent = entries.length ? `${entries[0].number} to ${entries.at(-1).number}` : "";
    through.hidden = !entries.length;
  }
  async function show(where) {
    const mine = (asked += 1);
    rows.setAttribute("aria-busy", "true");
    try {
      const page = await load({ state: filter, ...where });
      if (mine === asked && dialog.isConnected) draw(page);
    } catch (error) { if (mine === asked) rows.replaceChildren(h("p", { class: "wrong-words" }, `${error.message} Close this and try again.`)); }
    finally { if (mine === asked) rows.removeAttribute("aria-busy"); }
  }
  rows.replaceChildren(h("p", { class: "quiet" }, "loading"));
  show({ from: 1 }).then(() => rows.querySelector("[aria-current=true]")?.scrollIntoView({ block: "center" }));
  return dialog;
}
