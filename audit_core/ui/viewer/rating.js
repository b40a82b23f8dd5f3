// What keys and buttons do on the fields of an answer: choose, mark a row, answer it and go on to the next.

import * as answers from "./answer.js";
import { choicesOf, firstMissing, rowsOf, valueIn, valueOfDigit } from "./fields.js";

/** `change(make)` changes the answer of `desk` as one step; `refresh()` draws it; `pages` are looked at. */
export function createRating({ desk, session, panel, pages, change, refresh }) {
  const { protocol } = session;
  const rows = (fields = desk.answer.fields) => rowsOf(protocol, fields, desk.entry);
  const find = (id) => rows().find((row) => row.id === id) ?? null;
  const after = (id) => { const all = rows(); return all[all.findIndex((row) => row.id === id) + 1]?.id ?? null; };
  const firstOpen = () => rows().find((row) => valueIn(row, desk.answer.fields) === undefined)?.id ?? null;

  /** Marks a row; its page comes to the front, and its text is written in. */
  function put(id) {
    desk.rating = id;
    refresh();
    const row = find(id);
    if (row?.page) pages.showPage(row.page);
    if (row?.field.kind === "text") { desk.endWriting(); panel.writeField(id); } else panel.leaveFields();
  }
  function mark(id) {
    if (!desk.entry || session.busy) return;
    if (session.closed) { panel.ask("The campaign is closed."); return; }
    put(id);
  }
  function rate({ row, value }) {
    change((answer) => answers.toggleValue(answer, protocol, { ...row, value }));
    const now = valueIn(row, desk.answer.fields);
    if (desk.rating === row.id && now === value) put(after(row.id));         // of several options together the row stays marked
    else { if (desk.rating !== null && !find(desk.rating)) desk.rating = null; refresh(); }
    if (row.field.proposed_from && now !== value && now !== undefined) panel.ask(`After what is said above it is ${now} at least: change that first.`);
  }

  return {
    /** An option of a choice with a key of its own; once one is chosen the digits answer the first row that is open. */
    choose({ field, value }) {
      change((answer) => answers.toggleValue(answer, protocol, { field: choicesOf(protocol).find((one) => one.name === field), value }));
      const chosen = desk.answer.fields[field] === value;
      desk.rating = chosen && !session.closed ? desk.rating ?? firstOpen() : null;
      refresh();
    },
    /** Marks the row that is named, or takes its mark back; without a name the next one, after the last none. */
    criterion: (id = null) => mark(id === null ? (desk.rating === null ? firstOpen() ?? rows()[0]?.id ?? null : after(desk.rating)) : id === desk.rating ? null : id),
    rate,
    rateMarked(_, key) {
      const row = find(desk.rating);
      const value = row ? valueOfDigit(row.field, key.at(-1)) : undefined;
      if (value !== undefined) rate({ row, value });
    },
    /** Whether a digit answers the marked row. */
    takes(digit) { const row = desk.rating === null ? null : find(desk.rating); return Boolean(row) && valueOfDigit(row.field, digit) !== undefined; },
    stopRating() { desk.rating = null; refresh(); },
    write({ name, text }) { change((answer) => answers.withText(answer, protocol, name, text), `field ${name}`); },
    /** Marks the first row that speaks of a page. */
    markPage(page) { put(rows().find((row) => row.page === page)?.id ?? null); },
    /** Marks what is still asked for and says so; false where nothing is. */
    asksForMore() {
      const row = firstMissing(protocol, desk.answer.fields, desk.entry);
      if (!row) return false;
      put(row.id);
      const at = row.page === null ? -1 : desk.entry.pages.findIndex((page) => page.page_id === row.page);
      const where = row.page === null ? "" : at < 0 ? " of the page you added" : ` of page ${at + 1}`;
      panel.ask(`Still asked: ${row.field.title.toLowerCase()}${where}.`);
      return true;
    },
    /** A step was taken back: the row that it answered is marked again, so that it can be answered right. */
    tookBack(before) {
      const changed = rows().filter((row) => row.field.kind !== "text"
        && JSON.stringify(valueIn(row, before.fields)) !== JSON.stringify(valueIn(row, desk.answer.fields)));
      if (changed.length === 1) [desk.rating] = changed.map((row) => row.id);
      else if (before.outcome !== desk.answer.outcome || (desk.rating !== null && !find(desk.rating))) desk.rating = null;
    },
  };
}
