// What an adjudicator says of an entry: an answer (answer.js) with how sure, why, and whether no judgment is right; and which of its parts
// stand in which judgment, from which its basis follows. A part is {key, kind, ...}: two answers with the same keys say the same. `from` are the
// ids of the judgments that were pressed for it: nobody else's count as its sources.

import { answerOf, EMPTY, sameAnswer, toggleTarget, toggleValue, withFields, withValue } from "./answer.js";
import { coversMost, tidy } from "./correction.js";

/** How sure one can be, from the surest: [value, words]. */
export const CONFIDENCES = [["sure", "sure"], ["fairly_sure", "fairly sure"], ["unsure", "unsure"]];
export const BASES = { taken: "taken", merged: "merged", own: "own", all_wrong: "all wrong", unanimous: "unanimous", second_reading: "second reading", file: "from a file" };
export const UNDECIDED = Object.freeze({ ...EMPTY, confidence: null, wrong: false, from: Object.freeze([]) });

/** Whether a correction says what the whole shall be, as one read from a file may: its single steps are not known, so it is told and not drawn. */
export const isWhole = (correction) => Boolean(correction && ("text" in correction || "evidence" in correction));

/** What is decided in a decision as the server has it, in a draft or in an outbox record. */
export function decisionOf(record) {
  const answer = answerOf(record);
  return { ...answer, correction: isWhole(answer.correction) ? null : answer.correction, confidence: record.confidence ?? null, wrong: record.wrong ?? record.basis === "all_wrong",
    from: record.from ?? record.taken_from ?? [] };
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
export const taken = (decision, judgment) => ({ ...answerOf(judgment), note: decision.note, reason: decision.reason, confidence: decision.confidence, wrong: false, from: [judgment.id] });

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

const isBox = (part) => (part.kind === "change" ? part.name === "box" : part.kind === "field" && part.field.kind === "boxes");
const lies = (part) => (part.kind === "change" ? { page: part.value.page_id, box: part.value.to, from: part.value.from } : { page: part.value.page_id, box: part.value.box, from: null });

/** Whether two boxes are rivals: one box of the evidence goes to one place only, and of two new ones that mostly cover one another one is meant. */
function sameBox(one, two) {
  const here = lies(one), there = lies(two);
  if (here.page !== there.page) return false;
  if (here.from || there.from) return JSON.stringify(here.from) === JSON.stringify(there.from);
  return coversMost(here.box, there.box);
}
/** Whether two parts change, or answer, the same thing otherwise: only one of them can stand in a decision. */
export function clash(one, two) {
  if (one.key === two.key || one.kind !== two.kind) return false;
  if (one.kind === "field") return one.field.name === two.field.name && (isBox(one) ? sameBox(one, two) : one.field.kind !== "pages" && one.page === two.page);
  if (one.kind !== "change") return false;
  if (isBox(one) && isBox(two)) return sameBox(one, two);
  if (one.name === "drop" && isBox(two)) return one.value === two.value.page_id;
  if (two.name === "drop" && isBox(one)) return two.value === one.value.page_id;
  return one.name === two.name && (one.name !== "drop" && (one.name !== "add" || one.value.page_id === two.value.page_id));
}

/**
 * The decision with all parts of a judgment that can be added: codes, places, fields and proposed changes. What it changes or answers otherwise than the
 * decision takes that one's place. "correct" and "cannot judge" are no parts of another answer: they are added where nothing is chosen.
 */
export function merged(decision, judgment, protocol, order) {
  const theirs = partsOf(answerOf(judgment), protocol), keys = new Set(theirs.map((part) => part.key));
  const rivals = partsOf(decision, protocol).filter((part) => (part.kind === "change" || isBox(part)) && !keys.has(part.key) && theirs.some((one) => clash(part, one)));
  const add = (next, part) => {
    const isWhole = part.kind === "correct" || part.kind === "cannot";
    return keysOf(next, protocol).has(part.key) || (isWhole && next.outcome !== null) ? next : togglePart(next, part, protocol, order);
  };
  const cleared = rivals.reduce((next, part) => togglePart(next, part, protocol, order), decision);
  return { ...theirs.reduce(add, cleared), wrong: false, from: [...new Set([...decision.from, judgment.id])] };
}

/** The decision after a press on one part of a judgment's card; whose parts are all gone is its source no more. */
export function pressed(decision, { judgment, part }, judgments, protocol, order) {
  const next = togglePart(decision, part, protocol, order), mine = keysOf(next, protocol);
  const from = mine.has(part.key) ? [...new Set([...decision.from, judgment.id])] : decision.from;
  const sharing = judgments.filter((one) => [...keysOf(answerOf(one), protocol)].some((key) => mine.has(key)));
  return { ...next, from: from.filter((id) => sharing.some((one) => one.id === id)) };
}

/**
 * How a decision comes about: {basis, from: ids of the judgments that it takes from, same: those that say just the same, lone}. A lone judgment is read a
 * second time ("cannot judge" is none); a decision is taken where it says what a judgment says, merged where all its parts stand in several that were
 * pressed, else one's own. `due`: further judgments are still to come, and an only one is not the lone one yet.
 */
export function basisOf(decision, judgments, protocol, { due = false } = {}) {
  const mine = keysOf(decision, protocol);
  const theirs = judgments.map((judgment) => ({ judgment, keys: keysOf(answerOf(judgment), protocol) }));
  const same = theirs.filter(({ keys }) => sameKeys(mine, keys)).map(({ judgment }) => judgment);
  const sharing = theirs.filter(({ keys }) => [...mine].some((key) => keys.has(key)));
  const used = sharing.filter(({ judgment }) => decision.from.includes(judgment.id));
  const ids = (list) => list.map(({ judgment }) => judgment.id);
  const lone = !due && judgments.filter((judgment) => judgment.outcome === "judged").length === 1;
  if (lone) return { basis: "second_reading", from: ids(sharing), same, lone };
  if (decision.wrong) return { basis: "all_wrong", from: [], same, lone };
  if (same.length) return { basis: "taken", from: [(same.find((one) => decision.from.includes(one.id)) ?? same[0]).id], same, lone };
  const covered = [...mine].every((key) => used.some(({ keys }) => keys.has(key)));
  if (mine.size && covered && used.length > 1) return { basis: "merged", from: ids(used), same, lone };
  return { basis: "own", from: ids(used), same, lone };
}

/**
 * What a decision leaves out of the judgments that were pressed for it, as [{judgment, at, isSource, parts: [{part, instead: label, "" for one's own, null}]}]. Where none was
 * pressed, of those that say the same in part only what they propose to change: who writes an answer may not know that it was given with more.
 */
export function leftOut(decision, judgments, protocol) {
  if (decision.outcome === null || decision.wrong) return [];
  const mine = partsOf(decision, protocol), keys = new Set(mine.map((part) => part.key));
  const sources = judgments.filter((judgment) => decision.from.includes(judgment.id));
  const holder = (part) => sources.find((judgment) => keysOf(answerOf(judgment), protocol).has(part.key))?.label ?? "";
  const instead = (part) => { const rival = mine.find((one) => clash(one, part)); return rival ? holder(rival) : null; };
  return judgments.map((judgment, at) => {
    const parts = partsOf(answerOf(judgment), protocol);
    const isSource = sources.includes(judgment), shares = parts.some((part) => part.kind !== "change" && keys.has(part.key));
    if (!isSource && (sources.length || !shares)) return null;
    const missing = parts.filter((part) => !keys.has(part.key) && (isSource || part.kind === "change"));
    return { judgment, at, isSource, parts: missing.map((part) => ({ part, instead: instead(part) })) };
  }).filter((one) => one?.parts.length);
}
