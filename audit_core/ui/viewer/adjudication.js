// The adjudication surface: the judging surface's pages, panel and keys over the judgments of others. `mount(host, options)` fills `host`.

import { createApi } from "./api.js";
import { createBanner } from "./banner.js";
import { createCards } from "./cards.js";
import { createClock } from "./clock.js";
import { createDeciding } from "./deciding.js";
import { CONFIDENCES, decisionOf, sameDecision } from "./decision.js";
import { createDecisionDrafts } from "./decisiondrafts.js";
import { createDocket } from "./docket.js";
import { createDocketBar, FILTERS } from "./docketbar.js";
import { openDocketList } from "./docketlist.js";
import { button, h, openDialog } from "./dom.js";
import { marksOn } from "./everyone.js";
import { createGuidelines } from "./guidelines.js";
import { createImages } from "./images.js";
import { adjudicationTable, attachKeys } from "./keys.js";
import { hasMarks } from "./marking.js";
import { mountSurface } from "./mounting.js";
import { freshNonce, openOutbox } from "./outbox.js";
import { pageActions, pageHooks } from "./pageactions.js";
import { createPages } from "./pages.js";
import { createPanel } from "./panel.js";
import { createProposing } from "./proposing.js";
import { createRuling } from "./ruling.js";
import { createScreen } from "./screens.js";
import { createSender } from "./sender.js";
import { createSettling } from "./settling.js";
import { createTalking } from "./talking.js";
import { createToolbar } from "./toolbar.js";

const FIRST = { count: 2 };
const sureWords = (value) => CONFIDENCES.find(([one]) => one === value)?.[1] ?? "";

/** How two versions of a decision are told apart where they collide (settling.js). */
const asDecided = {
  read: decisionOf,
  same: (record) => sameDecision(decisionOf(record.body), decisionOf(record.newest)),
  what: "Decisions",
  words: { words: { title: "was decided elsewhere meanwhile", theirs: "Decided first", at: (newest) => newest.decided_at },
    more: [["reason", "Reason", (version) => version.reason], ["confidence", "How sure", (version) => sureWords(version.confidence)], ["by", "Decided by", (version) => version.by ?? ""],
      ["wrong", "All judgments wrong", (version) => (version.basis === "all_wrong" ? "yes" : "")]] },
};

/** Builds the surface inside `host` for a campaign. `entry` is the number to begin with (null: the first by the filter); `home` is the address of the list of disputes. */
export const mount = (host, { campaign, entry = null, filter = null, home, view = null }) =>
  mountSurface(host, "assay adjudicating", (mounted) => boot({ ...mounted, campaign, entry, filter: filter in FILTERS ? filter : "disputed", home, view }));

/** The routes of one campaign's adjudication, with the names that the sender knows. */
function adjudicationApi(campaign) {
  const api = createApi(campaign);
  // Who is signed in is told with any answer; that is asked without saying whom this window takes them for.
  // Leafing goes by the right to adjudicate, since an adjudicator need not have a place in the campaign.
  const documentPages = (number, document, asked) => api.documentPages(number, document, { ...asked, adjudication: 1 });
  return { ...api, documentPages, state: () => createApi(campaign).adjudication({ count: 0 }), postJudgment: api.postDecision };
}

async function boot({ host, surface, styled, life, campaign, entry, filter, home, view }) {
  const api = adjudicationApi(campaign);
  const screen = createScreen({ home, act: (action) => { if (action === "reload") load(); } });
  surface.replaceChildren(screen.node);
  async function load() {
    screen.loading("Loading the campaign");
    try {
      const asked = { ...FIRST, state: filter, entry };
      const [outbox, state] = await Promise.all([openOutbox("assay-decisions"), api.adjudication(asked), styled]);
      if (life.over) outbox.close();
      else build({ host, surface, life, api, outbox, state: { ...state, filter, asked: entry !== null }, home, view });
    } catch (error) {
      await styled;
      if (life.over) return;
      screen.failed(error.status === 401 ? "You are signed out. Go back and sign in." : error.message, { waiting: 0 });
      host.dataset.ready = "failed";
    }
  }
  load();
}

function build({ host, surface, life, api, outbox, state, home, view }) {
  const { protocol } = state;
  api.setPerson(state.me.id);
  const marks = hasMarks(protocol);
  const table = adjudicationTable(protocol);
  const dialogOpen = () => Boolean(surface.querySelector("dialog[open]"));
  const images = createImages();
  const clock = createClock();
  let shown = new Set(), lone = -1;             // the labels whose boxes are shown; which of them alone, in turn
  const pageOf = (id) => parts.pages.pageOf(id);
  const cards = createCards({ protocol, act, pageOf, look: (id) => parts.pages.showPage(id) });
  const ruling = createRuling({ protocol, act, wordsOf: cards.words, on: { write: (text) => deciding.write(text) } });
  const late = () => ({ parts, toolbar, desk: docket.desk, answering: deciding, proposing, marks });        // made below, used once pages are shown
  const parts = {
    cards, ruling,
    topbar: createDocketBar({ home, me: state.me, act }),
    banner: createBanner({ act }),
    screen: createScreen({ home, act }),
    pages: createPages({ api, images, ...pageHooks(late) }),
    panel: createPanel({ protocol, act, deciding: { cards: cards.node, ruling: ruling.node, reason: ruling.reason, basis: ruling.basis }, on: { write: (text) => deciding.write(text), field: (written) => deciding.writeField(written), pageOf, choose: (index) => parts.pages.choose(index), form: {
      text: (text) => proposing.form.text(text), drop: (id) => proposing.form.drop(id), set: (...set) => proposing.form.set(...set),
      undoBox: (at) => proposing.form.undoBox(at), discard: () => proposing.form.discard() } } }),
  };
  const toolbar = createToolbar({ act });
  const guidelines = createGuidelines({ protocol, own: state.campaign.guidelines ?? null, act });
  const drafts = createDecisionDrafts({ person: state.me.id });
  const docket = createDocket({ host, api, parts, images, clock, drafts, state, here: window.location.href, home, act });
  const settling = createSettling({ surface, session: docket, drafts, dialogOpen, kind: asDecided });
  const sender = createSender({ outbox, api, me: state.me, drafts, on: {
    acknowledged(...saved) { docket.acknowledged(...saved); parts.pages.retryFailed(); },
    changed: () => docket.refreshSaving(),
    // One that was taken back meanwhile stands in nobody's way.
    conflict: (record) => { if (record.newest?.revision) settling.conflict(record); else sender.again(record, 0); }, taken: settling.refused, closed: settling.refused, paused: settling.refused, refused: settling.refused,
  } });
  docket.sender = sender;
  const deciding = createDeciding({ desk: docket.desk, session: docket, panel: parts.panel, ruling, pages: parts.pages, drafts, sender, clock, refresh: docket.refresh });
  docket.leave = deciding.leave;
  const proposing = createProposing({ desk: docket.desk, session: docket, pages: parts.pages, panel: parts.panel, propose: deciding.propose, setFields: deciding.setFields,
    markRow: (page) => deciding.markPage(page), refresh: docket.refresh });
  const talking = createTalking({ surface, api: { ...api, comments: (id) => api.comments(id, { adjudication: 1, names: docket.named ? 1 : null }) }, session: docket, block: parts.panel.comments, act });

  docket.draw = () => {
    const { entry, answer } = docket.desk, how = deciding.how();
    cards.update({ decision: answer, basis: how, shown, named: docket.named, closed: false });
    ruling.update({ decision: answer, how, left: deciding.left(), judgments: entry.judgments, closed: false });
    parts.pages.mark(deciding.marks());
    proposing.draw();
    talking.look();
  };
  const labels = () => docket.desk.entry?.judgments.map((judgment) => judgment.label) ?? [];
  /** Shows the boxes of those labels on the pages, and no others. */
  function showBoxes(next) {
    shown = new Set(next);
    const { entry } = docket.desk;
    if (!entry) return;
    parts.pages.everyone((page) => marksOn(page, entry.judgments, shown, protocol));
    docket.refresh();
  }
  docket.opened = () => { lone = -1; showBoxes(labels()); };

  const actions = {
    ...talking.actions, ...deciding, ...settling, ...proposing,
    ...pageActions({ surface, parts, toolbar, guidelines, talking, table, desk: docket.desk, protocol, campaign: state.campaign, stopRating: () => deciding.stopRating() }),
    step: (by) => docket.step(by),
    nextOpen: () => docket.filterBy("disputed", { onwards: true }),
    filter: (filter) => docket.filterBy(filter),
    overview: () => openDocketList(surface, { protocol, current: docket.desk.entry?.number ?? null, filter: docket.filter, load: (asked) => api.adjudicationList(asked),
      on: { go: (number) => docket.goTo(number), filter: (filter) => docket.filterBy(filter) } }),
    names: () => docket.nameAll(),
    eye: (label) => showBoxes(labels().filter((one) => shown.has(one) !== (one === label))),
    /** All, none, then those of one annotator after the other. */
    everyone() {
      const all = labels();
      if (lone < 0 && shown.size === all.length) { showBoxes([]); return; }
      lone += 1;
      if (lone < all.length && all.length > 1) showBoxes([all[lone]]); else { lone = -1; showBoxes(all); }
    },
    walk() { if (!cards.walking.start()) parts.panel.ask("Nobody has judged this entry yet."); },
    walkOn: (way) => cards.walking.step(way),
    pressPart: () => cards.walking.press(),
    stopWalking: () => cards.walking.leave(),
    reopen: () => reopen({ surface, api, docket }),
    nextPage: (by) => parts.pages.nextPage(by),
    retry: () => sender.now({ returned: true }),
    reload: () => docket.again?.(),
    hideStrangers: () => docket.hideStrangers(),
    hideNotice: () => docket.say(null),
  };
  function act(action, argument, name) { actions[action]?.(argument, name); }

  surface.replaceChildren(parts.topbar.node, parts.banner.node, h("div", { class: "work" }, parts.panel.node,
    h("div", { class: "stage" }, parts.pages.node, toolbar.node, guidelines.node, talking.node), parts.screen.node));
  listen({ surface, life, sender, docket });
  const modes = () => {
    const { asking, correcting, drawing, rating } = docket.desk;
    const front = parts.pages.front, box = front && front.box !== null ? front.boxes[front.box] : null;
    const held = box && (correcting || (marks && box.state === "added"));
    return [cards.walking.on && "part", marks && drawing && "draw", asking && "ask", held && marks && "box", rating && "rate", held && !marks && "box", correcting && "fix"].filter(Boolean);
  };
  life.later(attachKeys({ surface, table, act, dialogOpen, modes, takes: (mode, digit) => mode !== "rate" || deciding.takes(digit) }));
  life.later(() => { deciding.leave(); sender.stop(); docket.stop(); clock.stop(); talking.stop(); parts.pages.stop(); images.clear(); });
  sender.start().then(() => {
    if (life.over) return;
    docket.start();
    if (view?.page && state.asked && docket.desk.entry) {
      parts.pages.open(view).then((found) => { if (!found) docket.say("The link names a page that is not in the documents of this entry."); });
    }
  });
}

/** Takes a decision back after asking, so that the judgments count again. */
function reopen({ surface, api, docket }) {
  const { entry } = docket.desk;
  if (!entry?.decision) return;
  const problem = h("p", { class: "wrong-words", role: "alert", testid: "reopen-problem", hidden: true });
  const take = button("Reopen", { kind: "strong", testid: "reopen-now", onclick: async () => {
    take.disabled = true;
    const { outcome, codes, targets, fields, correction, confidence, note, reason } = entry.decision;
    try {
      await api.postDecision(entry.id, { nonce: freshNonce(), base_revision: entry.revision, basis: "reopened", outcome, codes, targets, fields, correction, confidence, note, reason, taken_from: [] });
      dialog.close();
      docket.goTo(entry.number, { anew: true });
    } catch (error) {
      take.disabled = false;
      problem.hidden = false;
      problem.textContent = `${error.message} The decision stands.`;
    }
  } });
  const dialog = openDialog(surface, { title: `Reopen entry ${entry.number}?`, testid: "reopen-dialog" },
    h("p", null, "Its decision no longer counts, and the judgments speak for themselves again. It stays in the history."), problem,
    h("div", { class: "dialog-buttons" }, take, button("Leave it decided", { onclick: () => dialog.close() })));
  take.focus();
}

function listen({ surface, life, sender, docket }) {
  const on = (target, name, work, options) => {
    target.addEventListener(name, work, options);
    life.later(() => target.removeEventListener(name, work, options));
  };
  on(document, "visibilitychange", () => { if (document.visibilityState !== "hidden") sender.now({ returned: true }); });
  on(window, "online", () => sender.now());
  on(window, "focus", () => sender.now({ returned: true }));
  on(window, "beforeunload", (event) => { if (sender.unkept && sender.records.length) event.preventDefault(); });
  // A pinch on a touch pad arrives as a wheel with ctrl that nobody holds; beside the pages it would zoom the document.
  let control = false;
  for (const name of ["keydown", "keyup"]) on(window, name, (event) => { if (event.key === "Control") control = name === "keydown"; }, true);
  on(window, "blur", () => { control = false; });
  on(surface, "wheel", (event) => { if (event.ctrlKey && !control) event.preventDefault(); }, { passive: false });
  // A button pressed with the mouse gives the keyboard back, so that Enter decides and does not press it again.
  on(surface, "click", (event) => {
    const pressed = event.target.closest("button");
    if (event.detail > 0 && pressed && !pressed.closest("dialog")) pressed.blur();
  });
  on(surface, "focusout", () => docket.desk.endWriting());
}
