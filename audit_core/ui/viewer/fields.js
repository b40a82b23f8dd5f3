// What a protocol asks beside codes, as its description says: {name, kind, title, required, per_page, asked_if}, and by its kind
// "choice" and "choices" (one or several of `options`: {value, key, letter, digit, short, meaning, colour}), "scale" (low, high, steps), "text" (longest,
// placeholder), "pages" (ids of pages that are added to the listed ones) and "boxes" ({page_id, box} drawn on pages).
// A field without a title is a choice with large buttons; one with a title has a row. `asked` is anything with `fields` as the protocol has
// them: the protocol itself, or a record of the outbox.

const all = (asked) => asked.fields ?? [];
const isChoice = (field) => field.kind === "choice" || field.kind === "choices";
const named = (field, name) => all(field).find((one) => one.name === name);

/** The choices with large buttons. */
export const choicesOf = (asked) => all(asked).filter((field) => field.kind === "choice" && !field.title);
/** The fields that have a row of their own, once or once a page. */
export const rowFieldsOf = (asked) => all(asked).filter((field) => field.title && !["pages", "boxes"].includes(field.kind));
export const pagesFieldOf = (asked) => all(asked).find((field) => field.kind === "pages") ?? null;
export const boxesFieldOf = (asked) => all(asked).find((field) => field.kind === "boxes") ?? null;
/** The options that stand for an answer in lists, by their letters. */
export const letteredOf = (asked) => all(asked).filter(isChoice).filter((field) => !field.per_page)
  .flatMap((field) => field.options.filter((option) => option.letter).map((option) => ({ ...option, field: field.name })));

/** The options that an answer chooses and that have a letter, in the protocol's order. */
export const optionsChosen = (answer, asked) => letteredOf(asked).filter((option) => answer.fields?.[option.field] === option.value);

/** The letters of what an answer chooses: "FE", "K"; empty where nothing is chosen, and for "correct". */
export const lettersOf = (answer, asked) => answer.codes || optionsChosen(answer, asked).map((option) => option.letter).join("");

const holds = (condition, fields, page) => {
  const value = fields[condition.field];
  return condition.values.includes(page !== null && value !== null && typeof value === "object" && !Array.isArray(value) ? value[page] : value);
};
/** Whether a field is asked after these answers, of a page where it is asked of pages. */
export const isAsked = (field, fields, page = null) => !field.asked_if || field.asked_if.some((condition) => holds(condition, fields, page));

/** What was said to what is no longer asked is taken away. */
export function pruned(fields, asked) {
  const kept = {};
  for (const field of all(asked)) {
    let value = fields[field.name];
    if (value === undefined) continue;
    if (field.per_page) value = Object.fromEntries(Object.entries(value).filter(([page]) => isAsked(field, kept, page)));
    else if (field.kind === "boxes") value = value.filter((one) => isAsked(field, kept, one.page_id));
    else if (!isAsked(field, kept)) continue;
    if (typeof value !== "object" || Object.keys(value).length) kept[field.name] = value;
  }
  return kept;
}

/** What the fields named in `proposed_from` come to: the option that stands last; null while one of them is open that could change it. */
export function proposed(field, fields) {
  const values = field.options.map((option) => option.value);
  const places = field.proposed_from.fields.map((name) => (name in fields ? values.indexOf(field.proposed_from.values[fields[name]]) : -1));
  const most = Math.max(...places);
  return most >= 0 && (most === values.length - 1 || !places.includes(-1)) ? values[most] : null;
}

/** The fields after a change: what follows from others follows, unless it was set to something as strict by hand; it is never milder. */
export function followed(before, after, asked) {
  let fields = after;
  for (const field of all(asked).filter((one) => one.proposed_from)) {
    const values = field.options.map((option) => option.value);
    const was = proposed(field, before), next = proposed(field, fields), now = fields[field.name];
    const isMilder = next !== null && now !== undefined && values.indexOf(now) < values.indexOf(next);
    if (isMilder || (was !== next && (now === undefined || now === was))) {
      const { [field.name]: _, ...others } = fields;
      fields = next === null ? others : { ...others, [field.name]: next };
    }
  }
  return fields;
}

/** The rows that are asked of an entry: {id, field, page (null: of the entry)}; listed pages first, then those added. */
export function rowsOf(asked, fields, entry) {
  const added = fields[pagesFieldOf(asked)?.name] ?? [];
  const pages = [...(entry?.pages ?? []).map((page) => page.page_id), ...added];
  const rows = [];
  const perPage = rowFieldsOf(asked).filter((field) => field.per_page);
  for (const field of rowFieldsOf(asked)) {
    if (!field.per_page) { if (isAsked(field, fields)) rows.push({ id: field.name, field, page: null }); continue; }
    if (field !== perPage[0]) continue;               // what is asked of a page stands together
    for (const page of pages) for (const one of perPage) if (isAsked(one, fields, page)) rows.push({ id: `${one.name}@${page}`, field: one, page });
  }
  return rows;
}

/** What an answer says in a row; undefined where it is open. */
export const valueIn = (row, fields) => (row.page === null ? fields[row.field.name] : fields[row.field.name]?.[row.page]);

/** The first row that is asked and required and open; null where none is. */
export const firstMissing = (asked, fields, entry) => rowsOf(asked, fields, entry).find((row) => row.field.required && valueIn(row, fields) === undefined) ?? null;
/** Whether all is said that is asked of every entry: then the entry is judged. */
export const isJudged = (asked, fields) => all(asked).filter((field) => field.required && !field.asked_if && !field.per_page).every((field) => field.name in fields);

const words = (field, value) => (isChoice(field) ? field.options.find((option) => option.value === value)?.short : null) ?? String(value);
/** A value in words; `nameOf(page id)` names a page. */
export function valueWords(field, value, nameOf = (id) => id) {
  if (value === undefined) return "";
  if (field.kind === "pages") return value.map(nameOf).join(", ");
  if (field.kind === "boxes") return value.map(({ page_id: id, box }) => `${nameOf(id)}: ${box.map((side) => `${(100 * side).toFixed(1)} %`).join(", ")}`).join("\n");
  if (field.per_page) return Object.entries(value).map(([id, one]) => `${nameOf(id)}: ${[one].flat().map((each) => words(field, each)).join(", ")}`).join("\n");
  return [value].flat().map((each) => words(field, each)).join(", ");
}
/** What an answer says beside its letters, as [title, value in words]. */
export const saidOf = (answer, asked, nameOf) => all(asked).filter((field) => field.title && answer.fields?.[field.name] !== undefined)
  .map((field) => [field.title, valueWords(field, answer.fields[field.name], nameOf)]);

/** What can be chosen, for whoever pressed Enter too early. */
export function choiceWords(protocol) {
  const letters = choicesOf(protocol).flatMap((field) => field.options.map((option) => option.letter));
  if (letters.length) return `${letters.join(", ")} or X`;
  return protocol.codes.length ? `${protocol.codes.map((code) => code.code).join(" ")}, C or X` : `${named(protocol, rowFieldsOf(protocol)[0]?.name)?.title.toLowerCase()}, or X`;
}

/** The key that writes why an entry cannot be judged: R, or A where R is a choice. */
export const reasonKey = (protocol) => (choicesOf(protocol).some((field) => field.options.some((option) => option.key === "r")) ? "a" : "r");

/** The digits that answer a row, in its order: of each option or step. */
export function digitsOf(field) {
  if (field.kind === "scale") return field.steps.map((_, index) => String((index + 1) % 10));
  return isChoice(field) ? field.options.map((option, index) => option.digit ?? String((index + 1) % 10)) : [];
}
/** The value that a digit gives in a row; undefined where it gives none. */
export function valueOfDigit(field, digit) {
  const at = digitsOf(field).indexOf(digit);
  return at < 0 ? undefined : field.kind === "scale" ? field.steps[at] : field.options[at].value;
}
