// What an annotator says of one entry, as plain frozen values: {outcome, codes, note, reason, targets, fields, correction}.
// outcome null = nothing chosen yet; under a protocol with codes, outcome "judged" with codes "" = correct; correction null = nothing is proposed.
// `fields` holds what a protocol asks beside codes (fields.js), by name; what was left open is absent.

import { sameCorrection } from "./correction.js";

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

/** Chooses `value` of a choice field, or takes it back: nothing is chosen then. Criteria stay as they are. */
export function toggleChoice(answer, field, value) {
  const { [field]: was, ...fields } = answer.fields;
  const back = was === value;
  return { ...answer, outcome: back ? null : "judged", fields: back ? fields : { ...fields, [field]: value } };
}

/** Gives a criterion a value, or takes it back. Whoever rates no longer says that the entry cannot be judged. */
export function toggleRating(answer, field, value) {
  const { [field]: was, ...fields } = answer.fields;
  const outcome = answer.outcome === "cannot_judge" ? null : answer.outcome;
  return { ...answer, outcome, fields: was === value ? fields : { ...fields, [field]: value } };
}

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

/** The parts in which two answers differ, fields by their names. A reason counts only with "cannot judge". */
export function differences(one, two) {
  const reason = (answer) => (answer.outcome === "cannot_judge" ? answer.reason : "");
  const targets = (answer) => JSON.stringify(Object.keys(answer.targets).sort()
    .map((code) => [code, [...answer.targets[code]].sort()]));
  const fields = Object.keys({ ...one.fields, ...two.fields }).filter((name) => one.fields[name] !== two.fields[name]);
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
