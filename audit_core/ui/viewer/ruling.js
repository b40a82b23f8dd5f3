// What stands over the button that saves a decision: how sure, why, whether all judgments are wrong, how the decision comes about, and what was decided before.

import { BASES, CONFIDENCES, isWhole } from "./decision.js";
import { button, h } from "./dom.js";
import { answerWords, clockTime, count } from "./format.js";

/** What a correction that was read whole makes of an entry, in words. */
function wholeWords({ text, answer, evidence }) {
  const parts = [text !== undefined && "query", answer !== undefined && "answer", evidence !== undefined && (evidence.length ? `evidence (${count(evidence.length, "piece")})` : "no evidence")];
  return `corrected as a whole: ${parts.filter(Boolean).join(", ")}; what you decide here takes its place`;
}

const listed = (words, last = "and") => (words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words[0]);

/** How a decision comes about, in words: "merged from A and C". */
export function basisWords({ basis, from, same }, judgments) {
  const named = basis === "taken" ? same : judgments.filter((judgment) => from.includes(judgment.id));
  const labels = named.map((judgment) => judgment.label);
  const list = labels.length ? listed(labels) : "";
  if (basis === "taken") return `taken: just what ${list} ${labels.length > 1 ? "say" : "says"}`;
  if (basis === "merged") return `merged from ${list}`;
  if (basis === "all_wrong") return "all judgments are wrong";
  return list ? `your own, in part as ${list}` : "your own";
}

/** What a decision leaves out, a line a judgment: "without B's correction: Shift 2 adds it". `left` as of `decision.leftOut`; `wordsOf(part)` names one. */
export function leftWords(left, wordsOf) {
  if (left.length > 1 && !left.some((one) => one.isSource)) {
    const keys = left.filter(({ at }) => at < 9).map(({ at }) => String(at + 1));
    return [`without what ${listed(left.map(({ judgment }) => judgment.label))} propose to change: Shift ${listed(keys, "or")} adds it`];
  }
  return left.map(({ judgment, at, parts }) => {
    const changed = parts.filter(({ part }) => part.kind === "change"), open = parts.filter(({ instead }) => instead === null);
    const words = ({ part, instead }) => `${wordsOf(part)}${instead === null ? "" : ` (${instead ? `${instead}'s` : "yours"} in its place)`}`;
    const told = changed.length > 2 && changed.every(({ instead }) => instead === null) ? [...parts.filter((one) => !changed.includes(one)).map(words), `correction (${count(changed.length, "change")})`] : parts.map(words);
    const it = (open.length || parts.length) > 1 ? "them" : "it";
    // "correct" and "cannot judge" are no parts of another answer: no key adds them.
    const addable = (open.length ? open : parts).some(({ part }) => part.kind !== "correct" && part.kind !== "cannot");
    return `without ${judgment.label}'s ${listed(told)}${addable && at < 9 ? `: Shift ${at + 1} ${open.length ? `adds ${it}` : `brings ${it} back`}` : ""}`;
  });
}

/** `act(action, argument)` does what the key does; `on.write({reason})` takes what is typed. `wordsOf(part)` names a part of a judgment. */
export function createRuling({ protocol, act, on, wordsOf }) {
  const steps = CONFIDENCES.map(([value, words]) => h("button", { type: "button", class: "step-value", testid: `confidence-${value}`, "aria-pressed": "false", onclick: () => act("confidence", value) }, words));
  const wrong = h("button", { type: "button", class: "button", testid: "all-wrong", "aria-pressed": "false", onclick: () => act("allWrong") }, h("kbd", null, "J"), "all wrong");
  const reason = h("textarea", { testid: "decision-reason", rows: 1, maxlength: protocol.note_max, dir: "auto", "data-save": true, "aria-label": "reason of the decision", placeholder: "reason", oninput: () => on.write({ reason: reason.value }) });
  const key = h("kbd", null, "R");
  const basis = h("p", { class: "standing", testid: "basis", role: "status" });
  const decided = h("div", { class: "decided", testid: "decided", hidden: true });
  const own = h("p", { class: "own-mark", testid: "own-judgment", hidden: true }, "⚑ you judged this entry");
  const left = h("ul", { class: "left-out", testid: "left-out", role: "status" });
  const node = h("div", { class: "ruling", testid: "ruling" },
    h("div", { class: "sure-row" }, h("span", { class: "sure-name" }, h("kbd", null, "S"), h("span", null, " how sure")), h("span", { class: "step-values", role: "group", "aria-label": "how sure" }, steps), wrong), decided, left);

  return {
    node,
    /** The line of the reason, and what stands beside the button that takes a step back. */
    reason: h("label", { class: "reason" }, key, reason),
    basis: [basis, own],
    /** Another entry: what is decided of it already, and whether the adjudicator judged it too. */
    show(entry) {
      own.hidden = !entry.judgments.some((judgment) => judgment.mine);
      const { decision } = entry;
      decided.hidden = !decision && !entry.revision;
      if (decided.hidden) return;
      const earlier = (decision?.revision ?? entry.revision) - (decision ? 1 : 0);
      const history = earlier ? ` · ${earlier} earlier revision${earlier > 1 ? "s" : ""}` : "";
      decided.replaceChildren(...(decision ? [
        h("span", null, h("b", null, `Decided: ${answerWords(decision, protocol)}`), ` · ${BASES[decision.basis] ?? decision.basis}${decision.by ? ` · ${decision.by}` : ""} · ${clockTime(decision.decided_at)}${history}`,
          decision.own_judgment ? h("span", { class: "badge", testid: "decided-own" }, "decided by one who judged it") : null,
          isWhole(decision.correction) ? h("span", { class: "badge", testid: "whole", title: JSON.stringify(decision.correction) }, wholeWords(decision.correction)) : null,
          decision.outdated ? h("span", { class: "badge", testid: "outdated", title: "a judgment was added or changed after this decision" }, "judgments changed since") : null),
        button("reopen", { key: "Del", kind: "tool", testid: "reopen", onclick: () => act("reopen") })]
        : [h("span", null, h("b", null, "Reopened"), history)]));
    },
    /** The decision as it stands; `how` as of `basisOf`, `left` as of `leftOut`. */
    update({ decision, how, left: out, judgments, closed }) {
      steps.forEach((step, at) => { step.setAttribute("aria-pressed", String(decision.confidence === CONFIDENCES[at][0])); step.disabled = closed; });
      wrong.hidden = how.lone || judgments.length < 2;
      wrong.setAttribute("aria-pressed", String(decision.wrong));
      wrong.disabled = closed;
      if (reason.value !== decision.reason) reason.value = decision.reason;
      reason.disabled = closed;
      left.replaceChildren(...leftWords(out, wordsOf).map((words) => h("li", { dir: "auto" }, words)));
      reason.placeholder = decision.outcome !== null && wantsReason(decision, how) ? "reason (needed: no judgment says this)" : "reason (optional)";
      if (how.lone) basis.textContent = decision.outcome === null ? "" : how.same.length ? "second reading: confirmed" : "second reading: overturned";
      else basis.textContent = decision.outcome === null ? "" : basisWords(how, judgments);
    },
    write() { reason.focus(); reason.setSelectionRange(reason.value.length, reason.value.length); },
    leave() { reason.blur(); },
  };
}

/** Whether a decision has to say why: what no judgment says rests on the adjudicator's word alone. */
export const wantsReason = (decision, how) => !decision.reason.trim() && (how.basis === "own" || how.basis === "all_wrong" || (how.basis === "second_reading" && !how.same.length));
