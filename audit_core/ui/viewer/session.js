// One campaign in one window: which entry is on the desk, which comes next, and what is known to be saved.

import { keepInAddress } from "./address.js";
import { answerOf, EMPTY } from "./answer.js";
import { firstMissing } from "./fields.js";
import { afterPaint } from "./painted.js";
import { createDesk } from "./state.js";
import { createQueue } from "./queue.js";

const RETRY_MS = 4000;
const AHEAD = 3;              // entries whose images are fetched ahead

/** `parts`: topbar, panel, pages, screen, banner. `start(state)` begins; `stop()` ends all timers. */
export function createSession({ host, api, parts, images, clock, drafts, state, here }) {
  const desk = createDesk();
  const entries = new Map();            // number -> entry, one object each, so that what is learnt of it is learnt once
  const taken = new Set();              // numbers judged in this window
  const savedOrder = [];                // for going back
  const recent = [];
  let progress = state.progress;
  let halted = state.campaign.state === "open" ? null : state.campaign.state;      // "closed" or "paused"
  let closed = halted !== null || Boolean(state.look);
  let shown = 0, turn = 0, busy = false, over = false, timer = null, lastNumber = 0;
  let acknowledgedAt = null, draftsFailing = null, notice = null, strangersHidden = false;

  const inOutbox = (number) => session.sender.records.some((record) => record.campaign === state.campaign.id && record.number === number);
  const isTaken = (number) => taken.has(number) || inOutbox(number);
  const queue = createQueue({ api, isTaken,
    takenNumbers: () => session.sender.records.filter((record) => record.campaign === state.campaign.id).map((record) => record.number),
    onEntries: (list) => { list.forEach(absorb); prefetch(); }, onProgress: setProgress });

  function absorb(entry) {
    const held = entries.get(entry.number);
    if (held && (entry.saved?.revision ?? 0) > (held.saved?.revision ?? 0)) held.saved = entry.saved;
    if (held && entry.flags) held.flags = entry.flags;
    if (held) held.place = entry.place ?? null;
    if (!held) entries.set(entry.number, entry);
    return held ?? entry;
  }
  function setProgress(next) { progress = next; parts.topbar.progress(progress); }

  function prefetch() {
    const soon = () => queue.entries.slice(0, AHEAD);
    const mine = shown;
    images.keepOnly([...recent, ...soon()]);
    // Never in the way of the entry on the desk: two large pictures that are decoded keep it from being painted.
    if (host.dataset.ready) afterPaint(() => { if (!over && shown === mine) images.ahead(soon()); });
  }

  function refresh() {
    if (!desk.entry) return;
    const record = session.sender.newestFor(desk.entry.id);
    parts.panel.update(desk.answer, { closed, asking: desk.asking, rating: desk.rating });
    session.draw();
    parts.panel.stand({ saved: desk.entry.saved, pending: record?.status === "waiting", restored: desk.restored, changed: desk.changed });
    host.dataset.revision = String(desk.entry.saved?.revision ?? 0);
  }
  function refreshSaving() {
    if (over) return;
    const { records, problem, strangers, unkept } = session.sender;
    host.dataset.saving = String(records.length);
    const trouble = Boolean(problem) || records.some((record) => record.status !== "waiting");
    parts.topbar.saving({ waiting: records.length, trouble, at: acknowledgedAt });
    parts.banner.show(notice ?? session.bannerFor({ problem, records, strangers: strangersHidden ? [] : strangers, unkept, closed, halted, draftsFailing, here,
      place: desk.entry?.saved?.outcome === "judged" ? null : desk.entry?.place ?? null }));
    if (parts.screen.node.dataset.kind === "finished" && !parts.screen.node.hidden) finish();
    refresh();
  }

  /** Puts an entry on the desk: text, answer and pages change in the same frame. */
  function show(next) {
    session.leave();
    const entry = absorb(next);
    const record = session.sender.newestFor(entry.id);
    const saved = entry.saved ? answerOf(entry.saved) : EMPTY;
    const baseline = record?.status === "waiting" ? answerOf(record.body) : saved;
    const draft = closed && halted !== "paused" ? null : drafts.restore(entry, baseline);
    const answer = draft?.answer ?? (record && record.status !== "waiting" ? answerOf(record.body) : baseline);
    desk.open(entry, { answer, baseline, restored: draft?.saved_at ?? null });
    if (state.protocol.marks_first && !closed && answer.outcome !== "cannot_judge") desk.rating = firstMissing(state.protocol, answer.fields, entry)?.id ?? null;
    clock.restart(draft?.active_ms ?? 0);
    busy = false;
    notice = null;
    lastNumber = entry.number;
    clearTimeout(timer);
    recent.unshift(entry);
    recent.splice(3);
    const mine = (shown += 1);
    delete host.dataset.ready;
    parts.screen.hide();
    parts.topbar.place(entry.number, state.campaign.entries);
    parts.panel.show(entry);
    parts.pages.show(entry);
    refreshSaving();
    keepInAddress({ campaign: state.campaign.id, entry: entry.number });
    images.whole(entry).then(() => {
      if (shown !== mine) return;
      host.dataset.ready = String(entry.number);
      prefetch();
    });
  }

  function clearDesk() {
    session.leave();
    desk.close();
    shown += 1;
    delete host.dataset.ready;
    delete host.dataset.revision;
    parts.pages.clear();
  }
  function finish() {
    const fresh = parts.screen.node.dataset.kind !== "finished" || parts.screen.node.hidden;
    if (fresh) { clearDesk(); keepInAddress({ campaign: state.campaign.id, entry: null }); }
    busy = false;
    parts.topbar.place(null, state.campaign.entries);
    parts.screen.finished(progress, { waiting: session.sender.records.length, campaign: state.campaign });
    host.dataset.ready = "finished";
  }
  function failed(error, again) {
    busy = true;
    parts.screen.failed(error.message, { waiting: session.sender.records.length });
    host.dataset.ready = "failed";
    session.again = again;
    clearTimeout(timer);
    if (error.status === 401) session.sender.signedOut();
    else if (error.passing) timer = setTimeout(again, RETRY_MS);
  }

  function fill() { queue.fill(desk.entry?.number ?? null).catch((error) => { if (error.status === 401) session.sender.signedOut(); }); }

  async function advance() {
    const from = desk.entry?.number ?? lastNumber;
    const mine = (turn += 1);
    if (queue.settling) {
      busy = true;
      await queue.settling;
      if (turn !== mine) return;
    }
    const next = queue.take();
    if (next) { show(next); fill(); return; }
    const again = host.dataset.ready === "failed";         // a screen that says why stays while it is tried again
    if (!again) clearDesk();
    busy = true;
    try {
      if (!queue.exhausted) {
        if (!again) parts.screen.loading("Fetching the next entry");
        await queue.fill(from);
      }
    } catch (error) { if (turn === mine) failed(error, advance); return; }
    if (turn !== mine) return;
    const found = queue.take();
    if (found) { show(found); fill(); } else finish();
  }

  async function lookAgain() {
    const mine = (turn += 1);
    parts.screen.loading("Looking for an entry");
    host.dataset.ready = "looking";
    try { await queue.restart(lastNumber); } catch (error) { if (turn === mine) failed(error, lookAgain); return; }
    if (turn !== mine) return;
    const found = queue.take();
    if (found) { show(found); fill(); } else finish();
  }

  async function goTo(number, { anew = false } = {}) {
    if (number < 1 || number > state.campaign.entries || (number === desk.entry?.number && !anew)) return;
    const mine = (turn += 1);
    if (desk.entry && !desk.entry.saved) queue.putBack(desk.entry);
    let entry = entries.get(number);
    if (!entry) {
      clearDesk();
      busy = true;
      parts.screen.loading(`Fetching entry ${number}`);
      try { ({ entry } = await api.entry(number)); } catch (error) { if (turn === mine) failed(error, () => goTo(number)); return; }
      if (turn !== mine) return;
    }
    queue.without(number);
    show(entry);
    queue.restart(number).catch(() => {});
  }

  const session = {
    desk, queue, refresh, refreshSaving, advance, goTo, isTaken, sender: null, resumed: () => {}, draw: () => {}, leave: () => {}, again: null,
    me: state.me, campaign: state.campaign, protocol: state.protocol,
    get closed() { return closed; },
    get halted() { return halted; },
    get busy() { return busy; },
    cached: (number, campaign) => (campaign === state.campaign.id ? entries.get(number) : undefined),
    start() {
      parts.topbar.campaign(state.campaign);
      setProgress(progress);
      queue.start(state.next.map(absorb));
      const first = state.entry && (state.asked || !isTaken(state.entry.number)) ? state.entry : queue.take();
      if (first) { queue.without(first.number); show(first); fill(); } else if (state.entry) advance(); else finish();
    },
    judgedHere(number) {
      taken.add(number);
      savedOrder.push(number);
    },
    unjudged(number) { if (!entries.get(number)?.saved) taken.delete(number); },
    backToLastSaved() {
      let number = savedOrder.pop();
      while (number !== undefined && number === desk.entry?.number) number = savedOrder.pop();
      if (number === undefined) parts.panel.ask("Nothing to undo.");
      else goTo(number);
    },
    nextOpen() {
      if (queue.entries.some((entry) => !isTaken(entry.number) && entry !== desk.entry)) {
        const left = desk.entry;
        const next = queue.take();
        if (left && !left.saved && !isTaken(left.number)) queue.putBack(left);
        turn += 1;
        show(next);
        queue.restart(next.number).catch(() => {});
      } else if (!desk.entry || desk.entry.saved || isTaken(desk.entry.number)) advance();
      else parts.panel.ask("This is the last entry that is not judged.");
    },
    /** The server took a judgment. */
    acknowledged(record, answer) {
      acknowledgedAt = answer.saved_at;
      draftsFailing = null;                                   // the server writes (again)
      if (record.campaign === state.campaign.id && !answer.repeated && !state.look) closed = Boolean(halted = null);     // it was opened again meanwhile
      const entry = session.cached(record.number, record.campaign);
      const saved = { ...answerOf(record.body), revision: answer.revision, saved_at: answer.saved_at };
      drafts.acknowledged(record.entry, saved);
      if (entry && (entry.saved?.revision ?? 0) < answer.revision) entry.saved = saved;
      if (record.campaign === state.campaign.id) setProgress(answer.progress);
      if (desk.entry?.id === record.entry && !session.sender.newestFor(record.entry)) desk.baseline = saved;
      if (host.dataset.ready === "failed") session.again?.();
    },
    /** Shows the entry anew if it is the one on the desk (what is saved of it has changed). */
    look(number) { if (desk.entry?.number === number) show(desk.entry); else refreshSaving(); },
    /** The lead was asked something about an entry. */
    flagged(entry, flag) {
      entry.flags = [...(entry.flags ?? []).filter((other) => other.id !== flag.id), flag];
      if (desk.entry === entry) parts.panel.flags(entry.flags);
    },
    halt(how) { halted = how; closed = true; refreshSaving(); },
    /** What the server says of the campaign: its state "open", "closed" or "paused", and its stage. */
    stands({ state: how, stage }) {
      state.campaign.stage = stage ?? null;
      if (how === (halted ?? "open")) return;
      if (how !== "open") { this.halt(how); return; }
      halted = null;
      closed = Boolean(state.look);
      this.resumed();
      refreshSaving();
      if (!desk.entry) lookAgain();
    },
    /** Entries at which no place is left for this annotator. */
    lost(numbers, campaign = state.campaign.id) {
      if (campaign !== state.campaign.id) return;
      for (const number of numbers) {
        queue.without(number);
        const entry = entries.get(number);
        if (entry) entry.place = "taken";
      }
      refreshSaving();
      fill();
    },
    /** Places at these entries are held (again). */
    held(numbers) {
      for (const number of numbers) { const entry = entries.get(number); if (entry?.place === "taken") entry.place = "mine"; }
      refreshSaving();
    },
    /** The entries in hand that are not judged: the one on the desk and those held ready. */
    get inHand() { return [...(desk.entry && desk.entry.saved?.outcome !== "judged" ? [desk.entry.number] : []), ...queue.entries.map((entry) => entry.number)]; },
    /** Asks the server anew, where it had nothing to hand out. */
    lookAgain,
    goOn() { desk.entry && !isTaken(desk.entry.number) ? session.nextOpen() : advance(); },
    say(words) { notice = words === null ? null : { kind: "news", testid: "notice", words, buttons: [["Close", "hideNotice"]] }; refreshSaving(); },
    hideStrangers() { strangersHidden = true; refreshSaving(); },
    draftsFailed(words) { if (draftsFailing !== words) { draftsFailing = words; refreshSaving(); } },
    stop() { over = true; turn += 1; shown += 1; clearTimeout(timer); },
  };
  return session;
}
