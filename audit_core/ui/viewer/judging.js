// What the keys and buttons of the answer do: choose, write, undo, save.

import * as answers from "./answer.js";
import { freshNonce } from "./outbox.js";
import { targetCode } from "./targets.js";

let last = 0;                // two judgments of one millisecond keep their order

function orderNow() {
  last = Math.max(Date.now(), last + 0.001);
  return last;
}

/** The actions on the entry of `desk`. `session` gives navigation and the campaign; `refresh()` draws the answer. */
export function createJudging({ desk, session, panel, drafts, sender, clock, refresh }) {
  const order = session.protocol.codes.map((code) => code.code);

  function keepDraft() {
    const { entry, answer } = desk;
    if (desk.changed) drafts.change(entry, { answer, base: entry.saved?.revision ?? 0, active_ms: clock.read() });
    else drafts.forget(entry);
  }
  function change(make, field = null) {
    if (!desk.entry || session.busy) return;
    if (session.closed) { panel.ask("The campaign is closed."); return; }
    const next = make(desk.answer);
    if (next === desk.answer) return;
    desk.change(next, field);
    desk.restored = null;
    keepDraft();
    refresh();
  }
  function target(code, index) {
    const page = desk.entry?.pages[index];
    if (code && page && desk.entry.pages.length > 1) change((answer) => answers.toggleTarget(answer, code, page.page_id));
  }

  function undo() {
    if (!desk.entry || !desk.back()) { session.backToLastSaved(); return; }
    keepDraft();
    refresh();
  }

  function record() {
    const { entry, answer } = desk;
    const before = sender.newestFor(entry.id);
    const cannot = answer.outcome === "cannot_judge";
    return {
      nonce: freshNonce(), person: session.me.id, personName: session.me.name, campaign: session.campaign.id,
      campaignName: session.campaign.name, entry: entry.id, number: entry.number, query: entry.query.slice(0, 300),
      order: orderNow(), made_at: new Date().toISOString(), base: entry.saved?.revision ?? 0,
      after: before?.status === "waiting" ? before.nonce : null, status: "waiting", message: null, newest: null,
      body: { outcome: answer.outcome, codes: answer.codes, note: answer.note, reason: cannot ? answer.reason : "",
        targets: answer.targets, active_ms: clock.read() },
    };
  }

  function save() {
    const { entry, answer } = desk;
    if (!entry || session.busy) return;
    if (session.closed) { panel.ask("The campaign is closed."); return; }
    if (!answers.isDecided(answer)) {
      panel.ask(`Choose first: ${order.join(" ")}, C or X.`);
      return;
    }
    panel.leave();
    if (desk.changed) {
      session.judgedHere(entry.number);
      drafts.judged(entry, sender.add(record()));
      desk.baseline = answer;
    }
    session.advance();
  }

  return {
    code: (code) => change((answer) => answers.toggleCode(answer, code, order)),
    correct: () => change(answers.toggleCorrect),
    cannotJudge: () => change(answers.toggleCannotJudge),
    target: (_, name) => target(targetCode(desk.answer), Number(name.at(-1)) - 1),
    targetOf: ({ code, index }) => target(code, index),
    write: (text) => change((answer) => ({ ...answer, ...text }), Object.keys(text)[0]),
    note: () => { desk.endWriting(); panel.write(); },
    reason: () => { desk.endWriting(); panel.writeReason(); },
    undo,
    save,
    /** Before another entry comes: the draft carries the time spent. */
    leave() { if (desk.entry && desk.changed && !session.closed) keepDraft(); drafts.flush(); },
  };
}
