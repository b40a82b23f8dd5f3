// What the keys and buttons of the answer do: choose, write, undo, save.

import * as answers from "./answer.js";
import * as corrections from "./correction.js";
import { choiceWords, choicesOf } from "./fields.js";
import { freshNonce } from "./outbox.js";
import { createRating } from "./rating.js";
import { chosenCodes, hasChoice, OF_PLACES, placeId } from "./targets.js";

let last = 0;                // two judgments of one millisecond keep their order

function orderNow() {
  last = Math.max(Date.now(), last + 0.001);
  return last;
}

/** The actions on the entry of `desk`. `session` gives navigation and the campaign; `refresh()` draws the answer; `pages` are looked at. */
export function createJudging({ desk, session, panel, pages, drafts, sender, clock, refresh }) {
  const order = session.protocol.codes.map((code) => code.code);
  const colours = new Map(session.protocol.codes.map((code) => [code.code, code.colour]));

  function keepDraft() {
    const { entry, answer } = desk;
    if (desk.changed) drafts.change(entry, { answer, base: entry.saved?.revision ?? 0, active_ms: clock.read() });
    else drafts.forget(entry);
  }
  function change(make, field = null) {
    if (!desk.entry || session.busy) return;
    if (session.closed) { panel.ask(session.halted === "paused" ? "The campaign is paused." : "The campaign is closed."); return; }
    const next = make(desk.answer);
    if (next === desk.answer) return;
    desk.change(next, field);
    desk.restored = null;
    keepDraft();
    refresh();
  }
  /** Changes what is proposed: `make(correction, entry)`. `field` as of `desk.change`: changes of one field in a row are one step back. */
  function propose(make, field = null) {
    const { entry, answer } = desk;
    if (!entry) return false;
    const correction = make(answer.correction, entry);
    if (corrections.sameCorrection(correction, answer.correction)) { refresh(); return false; }
    const most = session.protocol.correction?.changes_max ?? 50;
    if (corrections.changes(correction) > most) { panel.ask(`A correction makes at most ${most} changes.`); return false; }
    change((was) => ({ ...was, correction }), field);
    return true;
  }

  function choose(code) {
    change((answer) => answers.toggleCode(answer, code, order));
    desk.asking = OF_PLACES.includes(code) && desk.entry && hasChoice(desk.entry) ? code : null;
    refresh();
  }
  /** Asks which places the next chosen code means that can ask; after the last one nothing is asked. */
  function which(code = null) {
    if (!desk.entry || !hasChoice(desk.entry)) return;
    const codes = chosenCodes(desk.answer);
    const next = code ?? codes[codes.indexOf(desk.asking) + 1] ?? null;
    if (!codes.length) panel.ask("Choose E or U first.");
    desk.asking = next === desk.asking ? null : next;
    refresh();
  }
  function mean(id, code = desk.asking) {
    if (code && id !== undefined) change((answer) => answers.toggleTarget(answer, code, id));
  }
  function meanPage(index) {
    const page = desk.entry?.pages[index];
    if (!page) return;
    pages.choose(index);
    mean(page.page_id);
  }
  function meanChosen() {
    const { index, box } = pages.chosen;
    if (index !== null) mean(placeId(desk.entry.pages[index], box));
  }

  const rating = createRating({ desk, session, panel, pages, change, refresh });

  function undo() {
    const before = desk.answer;
    if (!desk.entry || !desk.back()) { session.backToLastSaved(); return; }
    rating.tookBack(before);
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
      after: before?.status === "waiting" ? before.nonce : null, status: "waiting", message: null, newest: null, fields: session.protocol.fields ?? [],
      body: { outcome: answer.outcome, codes: answer.codes, note: answer.note, reason: cannot ? answer.reason : "",
        targets: answer.targets, fields: answer.fields, correction: answer.correction, active_ms: clock.read(),
        guideline_version: session.campaign.guidelines?.version ?? null },
    };
  }

  function save() {
    const { entry, answer } = desk;
    if (!entry || session.busy) return;
    if (session.closed) { panel.ask(session.halted === "paused" ? "The campaign is paused." : "The campaign is closed."); return; }
    const isChoosing = session.protocol.codes.length > 0 || choicesOf(session.protocol).length > 0;
    if (!answers.isDecided(answer) && (isChoosing || session.protocol.fields.every((field) => !(field.name in answer.fields)))) {
      panel.ask(`Choose first: ${choiceWords(session.protocol)}.`);
      return;
    }
    if (answer.outcome !== "cannot_judge" && rating.asksForMore()) return;
    panel.leave();
    if (desk.changed) {
      session.judgedHere(entry.number);
      drafts.judged(entry, sender.add(record()));
      desk.baseline = answer;
    }
    session.advance();
  }

  return {
    /** Changes the answer as one step: `make(answer)`. `field` as of `desk.change`. */
    change,
    /** Marks what is still asked for and says so; false where nothing is. */
    asksForMore: rating.asksForMore,
    code: choose,
    correct: () => change(answers.toggleCorrect),
    cannotJudge() { change(answers.toggleCannotJudge); desk.rating = null; refresh(); },
    choose: rating.choose,
    criterion: rating.criterion,
    rate: rating.rate,
    rateMarked: rating.rateMarked,
    stopRating: rating.stopRating,
    takes: rating.takes,
    markPage: rating.markPage,
    writeField: rating.write,
    which,
    meanPage: (_, name) => meanPage(Number(name.at(-1)) - 1),
    meanChosen,
    /** A page or box that was clicked while a code asks: `index` of the page, `box` on it or null. */
    meanAt: ({ index, box }) => mean(placeId(desk.entry.pages[index], box)),
    /** A tag of one code, in the row under the codes or on a page. */
    meanOf: ({ code, id }) => mean(id, code),
    propose,
    /** Changes the fields of the answer: `make(fields, entry)` gives other ones, or the same. `name` as of `propose`. */
    setFields(make, name = null) {
      const next = make(desk.answer.fields, desk.entry);
      if (next === desk.answer.fields) return false;
      change((answer) => answers.withFields(answer, next, session.protocol), name);
      return true;
    },
    /** Which codes mean which places, for the marks on pages and boxes. */
    marks() {
      const { answer, entry } = desk;
      if (!entry || !hasChoice(entry)) return { codes: [], meant: () => "" };
      const codes = chosenCodes(answer);
      return { codes: codes.map((code) => ({ code, colour: colours.get(code), asks: desk.asking === code })),
        meant: (id) => codes.filter((code) => (answer.targets[code] ?? []).includes(id)).join("") };
    },
    stopAsking() { desk.asking = null; refresh(); },
    write: (text) => change((answer) => ({ ...answer, ...text }), Object.keys(text)[0]),
    note: () => { desk.endWriting(); panel.write(); },
    reason: () => { desk.endWriting(); panel.writeReason(); },
    undo,
    save,
    /** Before another entry comes: the draft carries the time spent. */
    leave() { if (desk.entry && desk.changed && !session.closed) keepDraft(); drafts.flush(); },
  };
}
