// The rows of a protocol's fields in the left column: options, steps of a scale, texts, each once or once a page; one row may be marked for the digits.

import { inkOn, pageColour } from "./colours.js";
import { h } from "./dom.js";
import { boxesFieldOf, digitsOf, pagesFieldOf, rowFieldsOf, rowsOf, valueIn } from "./fields.js";
import { count } from "./format.js";

/** What keys, or a finger, do while a row is marked. */
function rowWords({ field }) {
  const what = field.title.toLowerCase();
  if (field.kind === "text") return "Enter: save and next · Esc: leave the text";
  if (window.matchMedia("(pointer: coarse)").matches) return `tap a value of ${what}`;
  const digits = digitsOf(field);
  return `${digits[0]}-${digits.at(-1)}: ${what} · Q: next · Esc: pages`;
}

/** The page that a row speaks of, as a mark: the number of a listed one in its colour, "+" and its own number of another. */
function pageMark(entry, page, pageOf) {
  const index = entry.pages.findIndex((one) => one.page_id === page);
  if (index < 0) return h("span", { class: "number leafed-number", title: "added by you" }, `+${pageOf(page)?.page_number ?? ""}`);
  return h("span", { class: "number", style: `background:${pageColour(index)};color:${inkOn(pageColour(index))}` }, String(index + 1));
}

/**
 * `act("rate", {row, value})` gives or takes back a value, `act("criterion", row id)` marks a row or no longer, `act("unaddPage", id)` takes an added
 * page back; `on.text({name, text})` takes what is typed. `pageOf(id)` is what is known of a page.
 */
export function createCriteria({ protocol, act, on }) {
  const fields = rowFieldsOf(protocol);
  const boxesField = boxesFieldOf(protocol), pagesField = pagesFieldOf(protocol);
  const list = h("div", { class: "criteria-rows" });
  const drawn = h("span", { testid: "boxes-drawn" });
  const draw = h("button", { type: "button", class: "button", testid: "draw-box", "aria-pressed": "false", onclick: () => act("drawBox") }, h("kbd", null, "A"), "draw a box");
  const drop = h("button", { type: "button", class: "button", testid: "drop-box", onclick: () => act("removeBox") }, h("kbd", null, "Del"), "box out");
  const add = h("button", { type: "button", class: "button", testid: "add-page", onclick: () => act("pageInOut") }, h("kbd", null, "I"), "add this page");
  const tools = h("div", { class: "field-tools", hidden: true }, boxesField ? [draw, drop, drawn] : null, pagesField ? add : null);
  const node = h("div", { class: "criteria", testid: "criteria", hidden: !fields.length }, list, tools);
  const built = new Map();               // row id -> its parts, so that a text that is typed in stays where it is
  let shown = null;

  function value(row, testid, { words, title, at }) {
    return h("button", { type: "button", class: "step-value", testid: `rate-${testid}-${at.value}`, "data-key": at.digit, "aria-pressed": "false", title: title ?? null,
      "aria-label": title ? `${row.field.title}: ${words}, ${title}` : `${row.field.title}: ${words}`, onclick: () => act("rate", { row, value: at.value }) }, words);
  }
  function valuesOf(row, testid) {
    const { field } = row, digits = digitsOf(field);
    if (field.kind === "scale") return field.steps.map((step, index) => value(row, testid, { words: String(step), at: { value: step, digit: digits[index] } }));
    return field.options.map((option, index) => value(row, testid, { words: option.short, title: option.meaning, at: { value: option.value, digit: digits[index] } }));
  }
  function build(row, entry, pageOf) {
    const { field, page } = row;
    const index = page === null ? null : entry.pages.findIndex((one) => one.page_id === page);
    const testid = page === null ? field.name : `${field.name}-${index < 0 ? page : index + 1}`;
    const mark = page === null ? null : pageMark(entry, page, pageOf);
    const name = h("button", { type: "button", class: "criterion-name", title: "mark it, so that digits answer it (Q)", "aria-pressed": "false", onclick: () => act("criterion", row.id) }, mark, h("span", null, field.title));
    if (field.kind === "text") {
      const area = h("textarea", { rows: 2, maxlength: field.longest, dir: "auto", "data-save": true, testid: `field-${field.name}`, placeholder: field.placeholder ?? "", "aria-label": field.title,
        oninput: () => on.text({ name: field.name, text: area.value }), onfocus: () => { if (shown?.rating !== row.id) act("criterion", row.id); } });
      return { row, name, area, values: [], node: h("div", { class: "criterion words", testid: `criterion-${testid}` }, name, area) };
    }
    const values = valuesOf(row, testid);
    const wide = values.length > 5 || field.kind === "choices" || (field.kind !== "scale" && field.options.some((option) => option.short.length > 8));
    const away = index !== null && index < 0 && field === fields.find((one) => one.per_page)
      ? h("button", { type: "button", class: "target", title: "take this page back", testid: "unadd-page", onclick: () => act("unaddPage", page) }, "×") : null;
    const ends = field.kind === "scale" ? h("span", { class: "ends" }, h("span", null, field.low), h("span", null, field.high)) : null;
    return { row, name, values, away, node: h("div", { class: `criterion${wide ? " wide" : ""}${field.kind === "scale" ? "" : " options"}`, testid: `criterion-${testid}` }, name,
      h("span", { class: "step-values", role: "group", "aria-label": field.kind === "scale" ? `${field.title}, from ${field.low} to ${field.high}` : field.title }, values, away), ends) };
  }
  function draw_(said, { closed, rating, entry, pageOf }) {
    const rows = rowsOf(protocol, said.fields, entry);
    if (shown?.entry !== entry) built.clear();
    for (const row of rows) {
      const known = row.page === null || entry.pages.some((one) => one.page_id === row.page) ? 0 : pageOf(row.page)?.page_number ?? 0;
      if (!built.has(row.id) || built.get(row.id).known !== known) built.set(row.id, { ...build(row, entry, pageOf), known });
    }
    const parts = rows.map((row) => built.get(row.id));
    if (parts.length !== list.children.length || parts.some((part, at) => list.children[at] !== part.node)) list.replaceChildren(...parts.map((part) => part.node));
    for (const { row, name, values, area, away, node: line } of parts) {
      const now = valueIn(row, said.fields);
      line.classList.toggle("marked", rating === row.id);
      line.classList.toggle("open", row.field.required === true && now === undefined);
      name.setAttribute("aria-pressed", String(rating === row.id));
      if (area) {
        if (area.value !== (now ?? "") && !(now === undefined && !area.value.trim() && area.matches(":focus"))) area.value = now ?? "";
        area.disabled = closed;
      }
      const all = row.field.kind === "scale" ? row.field.steps : row.field.options?.map((option) => option.value) ?? [];
      all.forEach((value_, at) => {
        values[at].setAttribute("aria-pressed", String(Array.isArray(now) ? now.includes(value_) : now === value_));
        values[at].disabled = closed;
      });
      if (away) away.disabled = closed;
    }
    if (rating && rating !== shown?.rating) built.get(rating)?.node.scrollIntoView({ block: "nearest" });
  }

  return {
    node,
    /** The answer as it now stands; `rating` is the id of the marked row, or null. */
    update(said, { closed, rating, entry = null, pageOf = () => null }) {
      if (!fields.length || !entry) return;
      draw_(said, { closed, rating, entry, pageOf });
      shown = { entry, rating };
    },
    /** What can be done on the pages: `drawing` the next drag draws, `chosen` a drawn box is chosen, `leafed` the page in front is not listed. */
    tools(said, { closed, drawing, chosen, leafed, asked }) {
      tools.hidden = !asked;
      const boxes = said.fields[boxesField?.name] ?? [];
      drawn.textContent = count(boxes.length, "box", "boxes");
      draw.setAttribute("aria-pressed", String(drawing));
      draw.disabled = closed;
      drop.disabled = closed || !chosen;
      add.hidden = !leafed;
      add.disabled = closed;
      add.lastChild.textContent = leafed && (said.fields[pagesField?.name] ?? []).includes(leafed) ? "take this page back" : "add this page";
    },
    /** Puts the keyboard into a row's text. */
    write(id) { const area = built.get(id)?.area; if (area) { area.focus(); area.setSelectionRange(area.value.length, area.value.length); } },
    /** What the keys do to the marked row. */
    words: (rating) => (built.has(rating) ? rowWords(built.get(rating).row) : ""),
  };
}
