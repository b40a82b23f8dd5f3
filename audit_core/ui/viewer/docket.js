// One adjudication in one window: which entry is on the desk, which comes next by the filter, and what is known to be decided.

import { keepInAddress } from "./address.js";
import { bannerFor } from "./banner.js";
import { decisionOf, sameDecision, UNDECIDED } from "./decision.js";
import { button, h } from "./dom.js";
import { createDesk } from "./state.js";

const RETRY_MS = 4000;
const AHEAD = 2;               // entries that are held ready with their images

/** `parts`: topbar, banner, screen, panel, pages, ruling, cards. `start(state)` begins; `stop()` ends all timers. */
export function createDocket({ host, api, parts, images, clock, drafts, state, here, home, act }) {
  const desk = createDesk({ empty: UNDECIDED, same: sameDecision });
  const entries = new Map();            // number -> entry, one object each
  let { counts } = state, filter = state.filter, named = false;
  let ahead = [];
  let shown = 0, turn = 0, busy = false, over = false, timer = null, lastNumber = 0;
  let acknowledgedAt = null, notice = null, strangersHidden = false;

  const inOutbox = (number) => docket.sender.records.some((record) => record.campaign === state.campaign.id && record.number === number);
  const isDone = (number) => inOutbox(number) || Boolean(entries.get(number)?.decision);
  /** Whether an entry belongs to what comes next: one is not led to what is decided, unless one looks through all or the decided ones. */
  const comes = (entry) => entry.number !== desk.entry?.number && (filter === "all" || filter === "decided" || !isDone(entry.number));
  /** Whether there is something left to do at the entry on the desk, by the filter. */
  const isStillTo = (entry) => filter === "all" || filter === "decided" || (!isDone(entry.number) && entry.agreed === { disputed: "disputed", second: "single" }[filter]);
  const ask = (asked) => api.adjudication({ count: AHEAD, state: filter, names: named ? 1 : null, ...asked });

  function absorb(entry) {
    entry.saved = entry.decision ? { ...entry.decision, saved_at: entry.decision.decided_at } : null;
    entry.revision ??= entry.decision_revision ?? entry.decision?.revision ?? 0;      // one that was taken back counts as well
    entry.flags ??= [];
    entries.set(entry.number, entry);
    return entry;
  }
  function learn(answer) {
    if (answer.counts) counts = { ...answer.counts, disputed_decided: answer.disputed_decided };
    parts.topbar.progress(counts, filter);
  }

  function refresh() {
    if (!desk.entry) return;
    const { entry } = desk, record = docket.sender.newestFor(entry.id);
    parts.panel.update(desk.answer, { closed: false, asking: desk.asking, rating: desk.rating });
    parts.topbar.state(record?.status === "waiting" || entry.decision ? "decided" : entry.agreed);
    docket.draw();
    parts.panel.stand({ saved: entry.saved, pending: record?.status === "waiting", restored: desk.restored, changed: desk.changed });
    host.dataset.revision = String(entry.revision);
  }
  function refreshSaving() {
    if (over) return;
    const { records, problem, strangers, unkept } = docket.sender;
    host.dataset.saving = String(records.length);
    parts.topbar.saving({ waiting: records.length, trouble: Boolean(problem) || records.some((record) => record.status !== "waiting"), at: acknowledgedAt });
    parts.banner.show(notice ?? bannerFor({ problem, records, strangers: strangersHidden ? [] : strangers, unkept, closed: false, here, what: "decision" }));
    refresh();
  }

  /** Puts an entry on the desk: text, cards and pages change in the same frame. */
  function show(entry) {
    docket.leave();
    const record = docket.sender.newestFor(entry.id);
    const saved = entry.decision ? decisionOf(entry.decision) : UNDECIDED;
    const baseline = record?.status === "waiting" ? decisionOf(record.body) : saved;
    const draft = drafts.restore(entry, baseline);
    const answer = draft?.answer ?? (record && record.status !== "waiting" ? decisionOf(record.body) : baseline);
    desk.open(entry, { answer, baseline, restored: draft?.saved_at ?? null });
    clock.restart(0);
    busy = false;
    notice = draft && draft.base !== entry.revision ? { kind: "news", testid: "notice", words: "This entry was decided anew after your draft. Your draft is on the desk; deciding makes it a revision after theirs.", buttons: [["Close", "hideNotice"]] } : null;
    lastNumber = entry.number;
    clearTimeout(timer);
    const mine = (shown += 1);
    delete host.dataset.ready;
    parts.screen.hide();
    parts.topbar.place(entry.number, filter);
    parts.panel.show(entry);
    parts.cards.show(entry);
    parts.ruling.show(entry);
    parts.pages.show(entry);
    docket.opened(entry);
    refreshSaving();
    keepInAddress({ campaign: state.campaign.id, entry: entry.number });
    images.whole(entry).then(() => {
      if (shown !== mine) return;
      host.dataset.ready = String(entry.number);
      fill(mine);
    });
  }
  function clearDesk() {
    docket.leave();
    desk.close();
    shown += 1;
    delete host.dataset.ready;
    delete host.dataset.revision;
    parts.pages.clear();
  }
  function finish() {
    clearDesk();
    keepInAddress({ campaign: state.campaign.id, entry: null });
    parts.topbar.place(null, filter);
    const waiting = docket.sender.records.length;
    const head = { disputed: "No disputed entry is left to decide.", second: "No lone judgment is left to read a second time.", decided: "No entry is decided yet.", all: "There are no entries." }[filter];
    parts.screen.plain("finished", head, h("p", null, waiting ? `${waiting} of your decisions still being saved: leave this window open.` : "Everything is saved."),
      h("div", { class: "dialog-buttons" }, h("a", { class: "button strong", href: home }, "Back to the adjudication page"),
        filter !== "second" && counts.single ? button(`Second reading: ${counts.single}`, { testid: "to-second", onclick: () => act("filter", "second") }) : null,
        button("List of entries", { key: "L", testid: "review", onclick: () => act("overview") })));
    host.dataset.ready = "finished";
  }
  function failed(error, again) {
    clearDesk();
    busy = true;
    parts.screen.failed(error.message, { waiting: docket.sender.records.length, what: "decision" });
    host.dataset.ready = "failed";
    docket.again = again;
    clearTimeout(timer);
    if (error.status === 401) docket.sender.signedOut();
    else if (error.passing) timer = setTimeout(again, RETRY_MS);
  }

  /** Fetches what comes after the entry on the desk where nothing is held ready, and its images. */
  async function fill(mine) {
    if (!desk.entry) return;
    if (!ahead.some(comes)) await fetchAhead(mine);
    if (shown !== mine || over) return;
    const near = ahead.filter(comes).slice(0, AHEAD);
    images.keepOnly([desk.entry, ...near]);
    images.ahead(near);
  }
  async function fetchAhead(mine) {
    try {
      const answer = await ask({ entry: desk.entry.number });
      if (shown !== mine || over) return;
      learn(answer);
      ahead = answer.next.map((entry) => (isDone(entry.number) ? entry : absorb(entry)));
    } catch (error) { if (error.status === 401) docket.sender.signedOut(); }
  }
  /** The entry that comes next by the filter, or null; asked of the server where none is held ready. */
  async function next() {
    const held = ahead.find(comes);
    if (held) { ahead = ahead.filter((entry) => entry !== held); return held; }
    const after = lastNumber ? await ask({ entry: lastNumber }) : { next: [] };
    learn(after);
    const found = after.next.find(comes);
    if (found) return found;
    const first = await ask({});
    learn(first);
    return [first.entry, ...first.next].find((entry) => entry && comes(entry)) ?? null;
  }
  async function advance() {
    const mine = (turn += 1);
    const from = desk.entry;
    busy = true;
    if (!ahead.some(comes)) parts.screen.loading("Fetching the next entry");
    let found;
    try { found = await next(); } catch (error) { if (turn === mine) failed(error, advance); return; }
    if (turn !== mine) return;
    if (found) show(absorb(found));
    else if (from && isStillTo(from)) { show(from); parts.panel.ask(filter === "all" || filter === "decided" ? "This is the last entry of the list." : "This is the last one that is not decided."); }
    else finish();
  }
  async function goTo(number, { anew = false } = {}) {
    if (number === desk.entry?.number && !anew) return;
    const mine = (turn += 1);
    const held = anew || inOutbox(number) ? null : ahead.find((entry) => entry.number === number);
    ahead = [];
    if (held) { show(absorb(held)); return; }
    busy = true;
    parts.screen.loading(`Fetching entry ${number}`);
    try {
      const answer = await ask({ entry: number });
      if (turn !== mine) return;
      learn(answer);
      ahead = answer.next;
      show(absorb(answer.entry));
    } catch (error) { if (turn === mine) failed(error, () => goTo(number, { anew: true })); }
  }
  /** The entry before or after the one on the desk, of those that the filter leaves. */
  async function step(by) {
    const mine = (turn += 1), from = desk.entry?.number ?? lastNumber;
    try {
      const list = await api.adjudicationList({ state: filter, ...(by > 0 ? { from: from + 1 } : { before: Math.max(1, from) }) });
      if (turn !== mine) return;
      const found = (by > 0 ? list.rows.find((row) => !row.sealed && row.number > from) : list.rows.findLast((row) => !row.sealed && row.number < from)) ?? null;
      if (found) goTo(found.number);
      else parts.panel.ask(by > 0 ? "This is the last entry of the list." : "This is the first entry of the list.");
    } catch (error) { if (turn === mine) parts.panel.ask(error.message); }
  }

  const docket = {
    desk, refresh, refreshSaving, advance, goTo, step, sender: null, draw: () => {}, leave: () => {}, opened: () => {}, again: null,
    me: state.me, campaign: state.campaign, protocol: state.protocol, closed: false, halted: null,
    get busy() { return busy; },
    get filter() { return filter; },
    get named() { return named; },
    get counts() { return counts; },
    cached: (number, campaign) => (campaign === state.campaign.id ? entries.get(number) : undefined),
    start() {
      parts.topbar.campaign(state.campaign);
      learn(state);
      ahead = state.next;
      if (state.entry && (state.asked || !inOutbox(state.entry.number))) show(absorb(state.entry)); else advance();
    },
    /** A decision is on its way: the entry counts as decided from now on. */
    decided(entry) { entry.state = "decided"; },
    /** Goes through other entries: from the first of them, or `onwards` from the one on the desk. */
    filterBy(next_, { onwards = false } = {}) {
      filter = next_;
      ahead = [];
      parts.topbar.progress(counts, filter);
      if (!onwards) lastNumber = 0;
      advance();
    },
    /** Shows the names of annotators, or no longer: the server tells them only where they are asked for. */
    async nameAll() {
      const { entry } = desk;
      if (!entry || busy) return;
      named = !named;
      ahead = [];
      try {
        const answer = await ask({ entry: entry.number });
        if (desk.entry !== entry) return;
        const names = new Map(answer.entry.judgments.map((judgment) => [judgment.id, judgment.name]));
        for (const judgment of entry.judgments) judgment.name = names.get(judgment.id) ?? null;
        parts.cards.show(entry);
        refresh();
      } catch (error) { named = !named; parts.panel.ask(error.message); }
    },
    /** The server took a decision. */
    acknowledged(record, answer) {
      acknowledgedAt = answer.decided_at;
      const entry = docket.cached(record.number, record.campaign);
      const decision = { ...record.body, revision: answer.revision, decided_at: answer.decided_at, by: state.me.name, own_judgment: Boolean(entry?.judgments.some((judgment) => judgment.mine)) };
      drafts.acknowledged(record.entry, decisionOf(decision));
      if (entry && (entry.revision ?? 0) < answer.revision) absorb(Object.assign(entry, { decision, state: "decided", revision: answer.revision }));
      if (record.campaign === state.campaign.id) learn(answer);
      if (desk.entry?.id === record.entry && !docket.sender.newestFor(record.entry)) { desk.baseline = decisionOf(decision); parts.ruling.show(desk.entry); }
      if (host.dataset.ready === "failed") docket.again?.();
    },
    /** Shows the entry anew, as the server has it, if it is the one on the desk. */
    look(number) { if (desk.entry?.number === number) goTo(number, { anew: true }); else refreshSaving(); },
    unjudged() { ahead = []; },
    backToLastSaved() { parts.panel.ask("Nothing to undo."); },
    halt() { refreshSaving(); },
    lost() { refreshSaving(); },
    say(words) { notice = words === null ? null : { kind: "news", testid: "notice", words, buttons: [["Close", "hideNotice"]] }; refreshSaving(); },
    hideStrangers() { strangersHidden = true; refreshSaving(); },
    stop() { over = true; turn += 1; shown += 1; clearTimeout(timer); },
  };
  return docket;
}
