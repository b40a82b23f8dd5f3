// Words for times, pages and answers, the same everywhere on the surface.

import { optionsChosen } from "./fields.js";

/** "14:02" or "14:02:11" in local time; with the date in front when it is not today. */
export function clockTime(iso, { seconds = false } = {}) {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  const two = (number) => String(number).padStart(2, "0");
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}${seconds ? `:${two(time.getSeconds())}` : ""}`;
  const today = new Date().toDateString() === time.toDateString();
  return today ? clock : `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${clock}`;
}

/** `p. 4 of 15 ("103")`: the place of a page in its document, with the label printed on it where there is one. */
export function pagePlace(page) {
  const of = page.page_count ? ` of ${page.page_count}` : "";
  const label = page.printed_label ? ` ("${page.printed_label}")` : "";
  return `p. ${page.page_number}${of}${label}`;
}

/** "1 judgment", "2 judgments". */
export function count(number, word, plural = `${word}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? word : plural}`;
}

/** An answer in a few words: "F E", "correct", "remove", "cannot judge", "nothing chosen". `asked` has the fields of its protocol. */
export function answerWords(answer, asked = {}) {
  if (answer.outcome === "cannot_judge") return "cannot judge";
  if (answer.outcome !== "judged") return "nothing chosen";
  const chosen = optionsChosen(answer, asked);
  if (chosen.length) return chosen.map((option) => option.short).join(" ");
  if (asked.fields?.length) return "answered";
  return answer.codes ? [...answer.codes].join(" ") : "correct";
}

/** "alternative A: spoken" for a set of the entry, null where it has one set only. */
export function alternative(entry, set) {
  const at = entry.sets.indexOf(set);
  if (at < 0) return null;
  const letter = at < 26 ? String.fromCharCode(65 + at) : String(at + 1);
  return { letter, words: `alternative ${letter}: ${set}` };
}

/** Text as it can be read: line breaks that a browser draws as nothing, or as a box, become plain ones. */
export function shownLines(text) {
  return text.replace(/[\u2028\u2029\u0085\v\f]/g, "\n");
}
