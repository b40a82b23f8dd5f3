// Two versions of one judgment side by side: what this window has, and what another one saved first.

import { answerOf, differences } from "./answer.js";
import { button, h, openDialog } from "./dom.js";
import { letteredOf, valueWords } from "./fields.js";
import { answerWords, clockTime } from "./format.js";

const FIELDS = [["answer", "Answer"], ["reason", "Reason"], ["note", "Note"], ["targets", "Places meant"], ["correction", "Proposed correction"]];

const titledOf = (record) => (record.fields ?? []).filter((one) => one.title);

/** A proposed correction line by line, so that two can be compared. */
function proposal(correction, pages) {
  if (!correction) return "";
  const name = (id) => { const at = pages.indexOf(id); return at < 0 ? id : `page ${at + 1}`; };
  const box = (sides) => sides.map((side) => `${(100 * side).toFixed(1)} %`).join(", ");
  return [correction.query !== undefined && `query: ${correction.query}`, correction.answer !== undefined && `answer: ${correction.answer ?? "none"}`,
    ...(correction.drop_pages ?? []).map((id) => `${name(id)} out`), ...(correction.add_pages ?? []).map((page) => `${name(page.page_id)} in (${page.set})`),
    ...(correction.boxes ?? []).map((change) => `box on ${name(change.page_id)}: ${{ add: "new at", move: "moved to", drop: "out" }[change.action]} ${change.to ? box(change.to) : ""}`.trim()),
  ].filter(Boolean).join("\n");
}

function field(answer, name, pages, record) {
  if (name === "answer") return answerWords(answer, record);
  const asked = titledOf(record).find((one) => one.name === name);
  if (asked) return valueWords(asked, answer.fields[name], (id) => { const at = pages.indexOf(id); return at < 0 ? id : `page ${at + 1}`; });
  if (name === "reason") return answer.outcome === "cannot_judge" ? answer.reason : "";
  if (name === "note") return answer.note;
  if (name === "correction") return proposal(answer.correction, pages);
  const number = (id) => { const at = pages.indexOf(id); return at < 0 ? id : String(at + 1); };
  return Object.entries(answer.targets).map(([code, ids]) => `${code}: ${ids.map(number).join(", ")}`).join("; ");
}

/** What the two versions are called. */
const JUDGED = { title: "was saved in two windows", theirs: "Saved by you elsewhere", at: (newest) => newest.saved_at };

/**
 * `on`: keepMine(), takeTheirs(), edit(). Closing the dialog decides nothing: both versions stay. `words` as `JUDGED`; `more` are further rows
 * [name, title, words of a version], by their own.
 */
export function openConflict(surface, { record, pages, on, words = JUDGED, more = [], onclose }) {
  const mine = answerOf(record.body);
  const theirs = answerOf(record.newest);
  const own = more.map(([name, , wordsOf]) => [name, wordsOf(record.body), wordsOf(record.newest)]);
  const names = new Set(own.map(([name]) => name));
  const apart = [...differences(mine, theirs).filter((name) => !names.has(name)), ...own.filter(([, one, two]) => one !== two).map(([name]) => name)];
  if (letteredOf(record).some((option) => apart.includes(option.field))) apart.push("answer");
  const told = (answer, name) => (names.has(name) ? own.find(([one]) => one === name)[answer === mine ? 1 : 2] : field(answer, name, pages, record));
  const cell = (answer, name) => h("td", { class: apart.includes(name) ? "differs" : "", dir: "auto", "data-field": name },
    told(answer, name) || h("span", { class: "quiet" }, "empty"));
  const decide = (work) => () => { dialog.close(); work(); };
  const parts = [FIELDS[0], ...titledOf(record).map((one) => [one.name, one.title]), ...FIELDS.slice(1).filter(([name]) => !names.has(name)), ...more];
  const rows = parts.filter(([name]) => told(mine, name) || told(theirs, name));
  const dialog = openDialog(surface, { title: `Entry ${record.number} ${words.title}`, testid: "conflict", wide: true, onclose },
    h("p", null, "Nothing is overwritten until you choose. Every version stays in the history."),
    h("p", { class: "conflict-query", dir: "auto" }, record.query),
    h("table", { class: "versions" },
      h("thead", null, h("tr", null, h("th"), h("th", null, "Yours, here", h("small", null, clockTime(record.made_at, { seconds: true }))),
        h("th", null, words.theirs, h("small", null, `${clockTime(words.at(record.newest), { seconds: true })} · revision ${record.newest.revision}`)))),
      h("tbody", null, rows.map(([name, title]) => h("tr", null,
        h("th", { scope: "row" }, title, apart.includes(name) ? h("small", { class: "differs-word" }, "differs") : null),
        cell(mine, name), cell(theirs, name))))),
    h("div", { class: "dialog-buttons" },
      button("Keep mine", { testid: "keep-mine", kind: "strong", onclick: decide(on.keepMine) }),
      button("Take theirs", { testid: "take-theirs", onclick: decide(on.takeTheirs) }),
      button("Edit mine", { testid: "edit-mine", onclick: decide(on.edit) })));
  return dialog;
}
