// What the keys and buttons of a decision do: take a judgment or parts of several, write one's own, say how sure and why, decide.

import { answerOf, isDecided } from "./answer.js";
import { choiceWords } from "./fields.js";
import { changes } from "./correction.js";
import { basisOf, CONFIDENCES, leftOut, merged, pressed, taken } from "./decision.js";
import { createJudging } from "./judging.js";
import { freshNonce } from "./outbox.js";
import { wantsReason } from "./ruling.js";

/** The actions on the entry of `desk`: those of judging, over the judgments of others. `session` is the docket; the rest is as of `createJudging`. */
export function createDeciding({ desk, session, panel, ruling, pages, drafts, sender, clock, refresh }) {
  const judging = createJudging({ desk, session, panel, pages, drafts, sender, clock, refresh });
  const { protocol } = session;
  const order = protocol.codes.map((code) => code.code);
  const judgments = () => desk.entry?.judgments ?? [];
  const how = () => basisOf(desk.answer, judgments(), protocol, { due: desk.entry?.agreed === "open" });

  /** Puts into the decision what stands in judgments; what a code asks or a row waits for is over with it. */
  function change(make) {
    const next = make(desk.answer), most = protocol.correction?.changes_max ?? 50;
    if (changes(next.correction) > most) { panel.ask(`A correction makes at most ${most} changes: take out some before you add more.`); return; }
    desk.asking = null;
    desk.rating = null;
    judging.change(() => next);
    refresh();
  }
  function nth(at) {
    const judgment = judgments()[at];
    if (!judgment && desk.entry) panel.ask(judgments().length ? `There is no judgment ${at + 1}.` : "Nobody has judged this entry yet.");
    return judgment ?? null;
  }
  function takeOne(at) { const judgment = nth(at); if (judgment) change((decision) => taken(decision, judgment)); }
  function mergeOne(at) { const judgment = nth(at); if (judgment) change((decision) => merged(decision, judgment, protocol, order)); }

  function record() {
    const { entry, answer } = desk;
    const before = sender.newestFor(entry.id);
    const { basis, from, same } = how();
    // What was taken is sent just as it stands there: the order of its parts is no difference.
    const said = same.length ? answerOf(same[0]) : answer;
    return {
      nonce: freshNonce(), person: session.me.id, personName: session.me.name, campaign: session.campaign.id, campaignName: session.campaign.name,
      entry: entry.id, number: entry.number, query: entry.query.slice(0, 300), order: Date.now(), made_at: new Date().toISOString(), base: entry.revision,
      after: before?.status === "waiting" ? before.nonce : null, status: "waiting", message: null, newest: null, fields: protocol.fields ?? [],
      body: { basis, outcome: said.outcome, codes: said.codes, targets: said.targets, fields: said.fields, correction: said.correction,
        confidence: answer.confidence, note: answer.note, reason: answer.reason, taken_from: from },
    };
  }
  /** What is missing for a decision, in words, after marking it; null where nothing is. */
  function missing() {
    const now = how();
    if (!isDecided(desk.answer)) return judgments().length ? `Take a judgment (1-${Math.min(9, judgments().length)}), or choose ${choiceWords(protocol)}.` : `Choose first: ${choiceWords(protocol)}.`;
    if (desk.answer.wrong && now.same.length) return `You say that all are wrong, but decide just what ${now.same.map((one) => one.label).join(" and ")} said.`;
    if (wantsReason(desk.answer, now)) { ruling.write(); return "No judgment says this: write a reason."; }
    if (desk.answer.confidence === null) return "How sure are you? S: sure, again: fairly sure, unsure.";
    return null;
  }
  function save() {
    const { entry, answer } = desk;
    if (!entry || session.busy) return;
    if (!desk.changed && entry.decision) { session.advance(); return; }
    if (isDecided(answer) && answer.outcome !== "cannot_judge" && judging.asksForMore()) return;
    const words = missing();
    if (words) { panel.ask(words); return; }
    panel.leave();
    ruling.leave();
    drafts.judged(entry, sender.add(record()));
    desk.baseline = answer;
    session.decided(entry);
    session.advance();
  }

  return {
    ...judging,
    how,
    /** What the decision leaves out of the judgments that it rests on, as of `decision.leftOut`. */
    left: () => leftOut(desk.answer, judgments(), protocol),
    takeOne,
    takeNumber: (_, key) => takeOne(Number(key.at(-1)) - 1),
    mergeNumber: (_, key) => mergeOne(Number(key.at(-1)) - 1),
    part: (one) => change((decision) => pressed(decision, one, judgments(), protocol, order)),
    /** How sure; without a value the next one. */
    confidence(value = null) {
      const at = CONFIDENCES.findIndex(([one]) => one === desk.answer.confidence);
      const next = value ?? CONFIDENCES[(at + 1) % CONFIDENCES.length][0];
      judging.change((decision) => ({ ...decision, confidence: value !== null && decision.confidence === value ? null : next }));
      panel.ask(null);
    },
    allWrong() {
      if (how().lone || judgments().length < 2) { panel.ask(judgments().length ? "There is one judgment only: decide otherwise, and it is overturned." : "Nobody has judged this entry yet."); return; }
      judging.change((decision) => ({ ...decision, wrong: !decision.wrong }));
      panel.ask(null);
    },
    reason() { desk.endWriting(); ruling.write(); },
    save,
  };
}
