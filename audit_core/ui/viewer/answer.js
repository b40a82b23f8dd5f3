// What an annotator says of one entry, as plain frozen values: {outcome, codes, note, reason, targets, fields, correction}.
// outcome null = nothing chosen yet; under a protocol with codes, outcome "judged" with codes "" = correct; correction null = nothing is proposed.
// `fields` holds what a protocol asks beside codes (fields.js), by name; what was left open is absent.

import { sameCorrection } from "./correction.js";
import { followed, isJudged, pruned } from "./fields.js";

export const EMPTY = Object.freeze({ outcome: null, codes: "", note: "", reason: "", targets: Object.freeze({}), fields: Object.freeze({}), correction: null });

/** The answer inside a saved judgment, a draft or an outbox record. */
export function answerOf(record) {
  return {
    outcome: record.outcome ?? null, codes: record.codes ?? "", note: record.note ?? "",
    reason: record.reason ?? "", targets: record.targets ?? {}, fields: record.fields ?? {}, correction: record.correction ?? null,
  };
}

/** Chooses `code`, or takes it back; codes stand in `order`. Taking back the last one leaves nothing chosen, not "correct". */
export function toggleCode(answer, code, order) {
  const chosen = new Set(answer.outcome === "judged" ? answer.codes : "");
  const targets = { ...answer.targets };
  if (chosen.delete(code)) delete targets[code];
  else chosen.add(code);
  const codes = order.filter((one) => chosen.has(one)).join("");
  return { ...answer, outcome: codes ? "judged" : null, codes, targets };
}

export function toggleCorrect(answer) {
  const was = answer.outcome === "judged" && answer.codes === "";
  return { ...answer, outcome: was ? null : "judged", codes: "", targets: {} };
}

export function toggleCannotJudge(answer) {
  const was = answer.outcome === "cannot_judge";
  return { ...answer, outcome: was ? null : "cannot_judge", codes: "", targets: {}, fields: {} };
}

/** The answer with other fields: what follows from them follows, what is no longer asked goes. Whoever answers no longer says "cannot judge". */
export function withFields(answer, fields, protocol) {
  const next = pruned(followed(answer.fields, fields, protocol), protocol);
  return { ...answer, fields: next, outcome: isJudged(protocol, next) ? "judged" : null };
}

/** Gives a field a value, or takes it back where it has it; of several options together the one. `page` is null, or the page that is spoken of. */
export function toggleValue(answer, protocol, { field, page = null, value }) {
  const was = page === null ? answer.fields[field.name] : answer.fields[field.name]?.[page];
  if (field.proposed_from && was === value) return answer;              // what was proposed is confirmed, not taken back
  let next = was === value ? undefined : value;
  if (field.kind === "choices") {
    const chosen = (was ?? []).includes(value) ? was.filter((one) => one !== value) : [...(was ?? []), value];
    next = chosen.length ? field.options.map((option) => option.value).filter((one) => chosen.includes(one)) : undefined;
  }
  return withFields(answer, withValue(answer.fields, field.name, page, next), protocol);
}

/** Fields with one value replaced; undefined takes it away. */
export function withValue(fields, name, page, value) {
  const { [name]: was, ...others } = fields;
  if (page === null) return value === undefined ? others : { ...others, [name]: value };
  const { [page]: _, ...rest } = was ?? {};
  const pages = value === undefined ? rest : { ...rest, [page]: value };
  return Object.keys(pages).length ? { ...others, [name]: pages } : others;
}

/** Writes a text field; blank says nothing. */
export const withText = (answer, protocol, name, text) => withFields(answer, withValue(answer.fields, name, null, text.trim() ? text : undefined), protocol);

/** Says, or no longer says, that `code` means the page or element `id`. */
export function toggleTarget(answer, code, id) {
  const now = answer.targets[code] ?? [];
  const next = now.includes(id) ? now.filter((one) => one !== id) : [...now, id];
  const targets = { ...answer.targets, [code]: next };
  if (!next.length) delete targets[code];
  return { ...answer, targets };
}

export function isDecided(answer) {
  return answer.outcome !== null;
}

/** A value as one text, whatever the order of its pages. */
function written(value) {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(written).join()}]`;
  return `{${Object.keys(value).sort().map((name) => `${JSON.stringify(name)}:${written(value[name])}`).join()}}`;
}

/** The parts in which two answers differ, fields by their names. A reason counts only with "cannot judge". */
export function differences(one, two) {
  const reason = (answer) => (answer.outcome === "cannot_judge" ? answer.reason : "");
  const targets = (answer) => JSON.stringify(Object.keys(answer.targets).sort()
    .map((code) => [code, [...answer.targets[code]].sort()]));
  const fields = Object.keys({ ...one.fields, ...two.fields }).filter((name) => written(one.fields[name]) !== written(two.fields[name]));
  if (one.outcome !== two.outcome || one.codes !== two.codes) fields.push("answer");
  if (reason(one) !== reason(two)) fields.push("reason");
  if (one.note !== two.note) fields.push("note");
  if (targets(one) !== targets(two)) fields.push("targets");
  if (!sameCorrection(one.correction, two.correction)) fields.push("correction");
  return fields;
}

export function sameAnswer(one, two) {
  return differences(one, two).length === 0;
}
