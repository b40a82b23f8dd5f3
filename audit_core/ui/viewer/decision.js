// What an adjudicator says of an entry: an answer (answer.js) with how sure, why, and whether no judgment is right; and which of its parts
// stand in which judgment, from which its basis follows. A part is {key, kind, ...}: two answers with the same keys say the same.

import { answerOf, EMPTY, sameAnswer, toggleTarget, toggleValue, withFields, withValue } from "./answer.js";
import { tidy } from "./correction.js";

/** How sure one can be, from the surest: [value, words]. */
export const CONFIDENCES = [["sure", "sure"], ["fairly_sure", "fairly sure"], ["unsure", "unsure"]];
export const BASES = { taken: "taken", merged: "merged", own: "own", all_wrong: "all wrong", unanimous: "unanimous", second_reading: "second reading", file: "from a file" };
export const UNDECIDED = Object.freeze({ ...EMPTY, confidence: null, wrong: false });

/** Whether a correction says what the whole shall be, as one read from a file may: its single steps are not known, so it is told and not drawn. */
export const isWhole = (correction) => Boolean(correction && ("text" in correction || "evidence" in correction));

/** What is decided in a decision as the server has it, in a draft or in an outbox record. */
export function decisionOf(record) {
  const answer = answerOf(record);
  return { ...answer, correction: isWhole(answer.correction) ? null : answer.correction, confidence: record.confidence ?? null, wrong: record.wrong ?? record.basis === "all_wrong" };
}

/** The parts in which two decisions differ, beside those of their answers (answer.js). */
export const ruledApart = (one, two) => ["reason", "confidence", "wrong"].filter((name) => one[name] !== two[name]);
export const sameDecision = (one, two) => sameAnswer(one, two) && ruledApart(one, two).length === 0;

const fieldsOf = (protocol) => protocol.fields ?? [];

/** The single changes that a correction makes, each with its key. */
export function changeParts(correction) {
  const { query, answer, drop_pages: out = [], add_pages: added = [], boxes = [] } = tidy(correction) ?? {};
  const part = (name, value) => ({ key: `change ${name} ${JSON.stringify(value)}`, kind: "change", name, value });
  return [...(query === undefined ? [] : [part("query", query)]), ...(answer === undefined ? [] : [part("answer", answer)]),
    ...out.map((id) => part("drop", id)), ...added.map((page) => part("add", page)), ...boxes.map((box) => part("box", box))];
}

/** The single values that the fields of an answer hold. */
function fieldParts(fields, protocol) {
  const part = (field, page, value) => ({ key: `field ${field.name} ${page ?? ""} ${JSON.stringify(value)}`, kind: "field", field, page, value });
  return fieldsOf(protocol).filter((field) => fields[field.name] !== undefined).flatMap((field) => {
    const value = fields[field.name];
    if (field.kind === "pages" || field.kind === "boxes") return value.map((one) => part(field, null, one));
    if (field.per_page) return Object.entries(value).map(([page, one]) => part(field, page, one));
    return [part(field, null, value)];
  });
}

/** All parts of an answer, in the order in which they are told. */
export function partsOf(answer, protocol) {
  if (answer.outcome === "cannot_judge") return [{ key: "cannot judge", kind: "cannot" }, ...changeParts(answer.correction)];
  if (answer.outcome !== "judged") return changeParts(answer.correction);
  const codes = [...answer.codes].map((code) => ({ key: `code ${code}`, kind: "code", code }));
  const correct = protocol.codes.length && !codes.length ? [{ key: "correct", kind: "correct" }] : [];
  const targets = [...answer.codes].flatMap((code) => (answer.targets[code] ?? []).map((id) => ({ key: `target ${code} ${id}`, kind: "target", code, id })));
  return [...codes, ...correct, ...targets, ...fieldParts(answer.fields, protocol), ...changeParts(answer.correction)];
}
export const keysOf = (answer, protocol) => new Set(partsOf(answer, protocol).map((part) => part.key));

const sameKeys = (one, two) => one.size === two.size && [...one].every((key) => two.has(key));

/** A judgment as one's decision: what was written beside it stays. */
export const taken = (decision, judgment) => ({ ...answerOf(judgment), note: decision.note, reason: decision.reason, confidence: decision.confidence, wrong: false });

function withCode(answer, code, order) {
  const codes = new Set(answer.outcome === "judged" ? answer.codes : "");
  codes.add(code);
  return { ...answer, outcome: "judged", codes: order.filter((one) => codes.has(one)).join("") };
}
function withoutCode(answer, code) {
  const { [code]: _, ...targets } = answer.targets;
  const codes = answer.codes.replace(code, "");
  return { ...answer, outcome: codes ? "judged" : null, codes, targets };
}
function withChange(correction, { name, value }) {
  const was = correction ?? {};
  if (name === "query" || name === "answer") return tidy({ ...was, [name]: value });
  if (name === "drop") return tidy({ ...was, drop_pages: [...(was.drop_pages ?? []), value] });
  if (name === "add") return tidy({ ...was, add_pages: [...(was.add_pages ?? []).filter((page) => page.page_id !== value.page_id), value] });
  const sides = (box) => JSON.stringify(box.from);
  // A box of the evidence goes to one place only.
  const others = (was.boxes ?? []).filter((box) => !value.from || box.page_id !== value.page_id || sides(box) !== sides(value));
  return tidy({ ...was, boxes: [...others, value] });
}
function withoutChange(correction, part) {
  const kept = changeParts(correction).filter((one) => one.key !== part.key);
  return kept.reduce(withChange, null);
}
function withField(answer, { field, page, value }, protocol, has) {
  if (field.kind === "pages" || field.kind === "boxes") {
    const now = answer.fields[field.name] ?? [];
    const same = (one) => JSON.stringify(one) === JSON.stringify(value);
    const next = has ? now.filter((one) => !same(one)) : [...now, value];
    return withFields(answer, withValue(answer.fields, field.name, null, next.length ? next : undefined), protocol);
  }
  if (field.kind === "choice" || field.kind === "scale") return toggleValue(answer, protocol, { field, page, value });
  return withFields(answer, withValue(answer.fields, field.name, page, has ? undefined : value), protocol);
}

/** The decision with one part of a judgment, or without it where it has it. `order` is that of the codes. */
export function togglePart(decision, part, protocol, order) {
  const has = keysOf(decision, protocol).has(part.key);
  if (part.kind === "code") return has ? withoutCode(decision, part.code) : withCode(decision, part.code, order);
  if (part.kind === "correct") return { ...decision, outcome: has ? null : "judged", codes: "", targets: {} };
  if (part.kind === "cannot") return { ...decision, outcome: has ? null : "cannot_judge", codes: "", targets: {}, fields: {} };
  if (part.kind === "target") return toggleTarget(has ? decision : withCode(decision, part.code, order), part.code, part.id);
  if (part.kind === "change") return { ...decision, correction: has ? withoutChange(decision.correction, part) : withChange(decision.correction, part) };
  return withField(decision, part, protocol, has);
}

/** The decision with the codes and targets of a judgment added, and what it says in fields that are open. */
export function merged(decision, judgment, protocol, order) {
  const keys = keysOf(decision, protocol);
  const isOpen = ({ field, page }) => (field.kind === "pages" || field.kind === "boxes" || (page === null ? decision.fields[field.name] : decision.fields[field.name]?.[page]) === undefined);
  return partsOf(answerOf(judgment), protocol)
    .filter((part) => !keys.has(part.key) && (part.kind === "code" || part.kind === "target" || (part.kind === "field" && isOpen(part))))
    .reduce((next, part) => (keysOf(next, protocol).has(part.key) ? next : togglePart(next, part, protocol, order)), decision);
}

/**
 * How a decision comes about: {basis, from: ids of the judgments that it takes from, same: those that say just the same, lone}. A lone judgment is read a
 * second time ("cannot judge" is none); a decision is taken where it says what a judgment says, merged where all its parts stand in several, else one's own.
 */
export function basisOf(decision, judgments, protocol) {
  const mine = keysOf(decision, protocol);
  const theirs = judgments.map((judgment) => ({ judgment, keys: keysOf(answerOf(judgment), protocol) }));
  const same = theirs.filter(({ keys }) => sameKeys(mine, keys)).map(({ judgment }) => judgment);
  const sharing = theirs.filter(({ keys }) => [...mine].some((key) => keys.has(key))).map(({ judgment }) => judgment);
  const ids = (list) => list.map((judgment) => judgment.id);
  const lone = judgments.filter((judgment) => judgment.outcome === "judged").length === 1;
  if (lone) return { basis: "second_reading", from: ids(sharing), same, lone };
  if (decision.wrong) return { basis: "all_wrong", from: [], same, lone };
  if (same.length) return { basis: "taken", from: ids(same).slice(0, 1), same, lone };
  const covered = [...mine].every((key) => theirs.some(({ keys }) => keys.has(key)));
  if (mine.size && covered && sharing.length > 1) return { basis: "merged", from: ids(sharing), same, lone };
  return { basis: "own", from: ids(sharing), same, lone };
}
