// The judging surface. `mount(host, options)` fills `host` and returns a function that takes everything away again.

import { createApi } from "./api.js";
import { createBanner, bannerFor } from "./banner.js";
import { createClock } from "./clock.js";
import { h } from "./dom.js";
import { createDrafts } from "./draft.js";
import { openFlag } from "./flags.js";
import { createGuidelines } from "./guidelines.js";
import { createImages } from "./images.js";
import { createJudging } from "./judging.js";
import { hasMarks } from "./marking.js";
import { attachKeys, keyTable } from "./keys.js";
import { isLooking, lookBar, LOOKING, withoutQueue } from "./looking.js";
import { mountSurface } from "./mounting.js";
import { openOutbox } from "./outbox.js";
import { openOverview, pageWithOutbox } from "./overview.js";
import { pageActions, pageHooks } from "./pageactions.js";
import { createPages } from "./pages.js";
import { createPlaces } from "./places.js";
import { createPanel } from "./panel.js";
import { HELD } from "./queue.js";
import { createProposing } from "./proposing.js";
import { createScreen } from "./screens.js";
import { createSender } from "./sender.js";
import { createSession } from "./session.js";
import { createSettling } from "./settling.js";
import { createTalking } from "./talking.js";
import { createToolbar } from "./toolbar.js";
import { createTopbar } from "./topbar.js";

/**
 * Builds the surface inside `host` for a campaign. `entry` is the number to begin with (null: the first one not judged);
 * `home` is the address of the campaigns page; `view` what a link says of the page in view (`viewOf`); with `look` nothing can be changed. Mounting again on the same host takes the earlier surface away first.
 */
export const mount = (host, { campaign, entry = null, home, view = null, look = false }) =>
  mountSurface(host, "assay", (mounted) => boot({ ...mounted, campaign, entry, home, view, look }));

/** Loads the campaign, however often that takes, then builds the parts. */
async function boot({ host, surface, styled, life, campaign, entry, home, view, look }) {
  const api = createApi(campaign);
  const act = (action) => { if (action === "reload") load(); };
  const screen = createScreen({ home, act });
  surface.replaceChildren(screen.node);

  async function load() {
    screen.loading("Loading the campaign");
    try {
      const [outbox, state] = await Promise.all([openOutbox(), firstState(api, entry, look ? 0 : HELD), styled]);       // what is not shown cannot be typed into
      if (life.over) outbox.close();
      else build({ host, surface, life, api: look ? withoutQueue(api, state.progress) : api, outbox, state: { ...state, look }, home, view });
    } catch (error) {
      await styled;                                                                                                      // nor read
      if (life.over) return;
      screen.failed(error.status === 401 ? "You are signed out. Go back to the campaigns and sign in." : error.message, { waiting: 0 });
      host.dataset.ready = "failed";
    }
  }
  load();
}

/** The state with the entry asked for, and `count` next ones; where there is no such entry, with the first one not judged. Who only looks (0) is given no other. */
async function firstState(api, entry, count) {
  if (entry !== null && entry !== undefined) {
    try { return { ...(await api.state({ entry, count })), asked: true }; } catch (error) {
      if (!count || (error.status !== 404 && error.status !== 422)) throw error;
      return { ...(await api.state({ count })), missing: entry };
    }
  }
  return api.state({ count });
}

function build({ host, surface, life, api, outbox, state, home, view }) {
  api.setPerson(state.me.id);
  const marks = hasMarks(state.protocol);
  const table = keyTable(state.protocol);
  const dialogOpen = () => Boolean(surface.querySelector("dialog[open]"));
  const images = createImages();
  const clock = createClock();
  const late = () => ({ parts, toolbar, desk: session.desk, answering: judging, proposing, marks });        // made below, used once pages are shown
  const parts = {
    topbar: createTopbar({ home, me: state.me, act }),
    banner: createBanner({ act }),
    screen: createScreen({ home, act }),
    pages: createPages({ api, images, ...pageHooks(late) }),
    panel: createPanel({ protocol: state.protocol, act, on: { write: (text) => judging.write(text), field: (written) => judging.writeField(written), pageOf: (id) => parts.pages.pageOf(id), choose: (index) => parts.pages.choose(index), form: {
      text: (text) => proposing.form.text(text), drop: (id) => proposing.form.drop(id), set: (...set) => proposing.form.set(...set),
      undoBox: (at) => proposing.form.undoBox(at), discard: () => proposing.form.discard() } } }),
  };
  const toolbar = createToolbar({ act });
  const guidelines = createGuidelines({ protocol: state.protocol, own: state.campaign.guidelines ?? null, act });
  const drafts = createDrafts({ person: state.me.id, api, onSaved: () => session.draftsFailed(null), onFailed: (error) => {
    if (error.status === 401) sender.signedOut();
    else if (error.status !== 410) session.draftsFailed(error.message);
  } });
  const session = createSession({ host, api, parts, images, clock, drafts, state, here: window.location.href });
  session.bannerFor = (said) => (state.look && said.closed ? bannerFor({ ...said, closed: false }) ?? lookBar : bannerFor(said));
  const settling = createSettling({ surface, session, drafts, dialogOpen });
  const sender = createSender({ outbox, api, me: state.me, drafts, on: {
    acknowledged(...saved) {
      session.acknowledged(...saved);
      parts.pages.retryFailed();                              // the server answers (again): so may its images
    },
    changed: () => session.refreshSaving(),
    conflict: settling.conflict, taken: settling.taken, closed: settling.closed, paused: settling.paused, refused: settling.refused,
  } });
  session.sender = sender;
  session.resumed = settling.resumed;
  const judging = createJudging({ desk: session.desk, session, panel: parts.panel, pages: parts.pages, drafts, sender, clock, refresh: session.refresh });
  session.leave = judging.leave;
  const proposing = createProposing({ desk: session.desk, session, pages: parts.pages, panel: parts.panel, propose: judging.propose, setFields: judging.setFields,
    markRow: (page) => judging.markPage(page), refresh: session.refresh });
  session.draw = () => { parts.pages.mark(judging.marks()); proposing.draw(); talking.look(); };
  const talking = createTalking({ surface, api, session, block: parts.panel.comments, act });

  const actions = {
    ...talking.actions,
    ...judging,
    ...settling,
    ...proposing,
    ...pageActions({ surface, parts, toolbar, guidelines, talking, table, desk: session.desk, protocol: state.protocol, campaign: state.campaign, stopRating: () => judging.stopRating() }),
    step: (by) => session.goTo((session.desk.entry?.number ?? (by < 0 ? state.campaign.entries + 1 : 0)) + by),
    nextOpen: () => session.nextOpen(),
    overview: (filter) => openOverview(surface, { protocol: state.protocol, last: state.campaign.entries, current: session.desk.entry?.number ?? null, filter,
      load: (asked) => pageWithOutbox(api, asked, sender.records.filter((record) => record.campaign === state.campaign.id)), on: { go: (number) => session.goTo(number) } }),
    page: (_, name) => parts.pages.choose(Number(name.at(-1)) - 1),
    flag: () => {
      const { entry } = session.desk;
      if (!entry) return;
      openFlag(surface, { entry: { ...entry, flags: entry.flags ?? [] }, closed: session.closed,
        send: async (question) => (await api.flag(entry.id, question)).flag, onasked: (flag) => session.flagged(entry, flag) });
    },
    retry: () => sender.now({ returned: true }),
    reload: () => session.again?.(),
    async lookAgain() {
      const was = session.halted;
      await places.renew({ asked: true });
      if (was === null && session.halted === null) session.lookAgain();
    },
    goOn: () => session.goOn(),
    hideStrangers: () => session.hideStrangers(),
    hideNotice: () => session.say(null),
  };
  function act(action, argument, name) {
    if (state.look && !isLooking(action)) parts.panel.ask(LOOKING);
    else actions[action]?.(argument, name);
  }

  surface.replaceChildren(parts.topbar.node, parts.banner.node, h("div", { class: "work" }, parts.panel.node,
    h("div", { class: "stage" }, parts.pages.node, toolbar.node, guidelines.node, talking.node), parts.screen.node));
  const places = createPlaces({ api, session, clock });
  listen({ surface, life, drafts, sender, session, places });
  const modes = () => {
    const { asking, correcting, drawing, rating } = session.desk;
    const front = parts.pages.front;
    const held = front && front.box !== null && (correcting || (marks && front.boxes[front.box]?.state === "added"));
    return [marks && drawing && "draw", asking && "ask", held && marks && "box", rating && "rate", held && !marks && "box", correcting && "fix"].filter(Boolean);
  };
  // While a row is marked a digit answers it where it has such an answer, and means a page where it has none.
  const takes = (mode, digit) => mode !== "rate" || judging.takes(digit);
  life.later(attachKeys({ surface, table, act, dialogOpen, modes, takes }));
  life.later(() => { judging.leave(); sender.stop(); session.stop(); places.stop(); clock.stop(); talking.stop(); parts.pages.stop(); images.clear(); });
  sender.start().then(() => {
    if (life.over) return;
    session.start();
    if (view?.page && state.asked && session.desk.entry === state.entry) {
      parts.pages.open(view).then((found) => { if (!found) session.say("The link names a page that is not in the documents of this entry."); });
    }
    if (state.missing !== undefined) session.say(`There is no entry ${state.missing} in this campaign; this is the next one that is not judged.`);
  });
}

function listen({ surface, life, drafts, sender, session, places }) {
  const on = (target, name, work, options) => {
    target.addEventListener(name, work, options);
    life.later(() => target.removeEventListener(name, work, options));
  };
  on(document, "visibilitychange", () => {
    if (document.visibilityState === "hidden") drafts.flush({ keepalive: true });
    else { sender.now({ returned: true }); places.returned(); }
  });
  on(window, "pagehide", () => drafts.flush({ keepalive: true }));
  on(window, "online", () => sender.now());
  on(window, "focus", () => sender.now({ returned: true }));
  on(window, "beforeunload", (event) => { if (sender.unkept && sender.records.length) event.preventDefault(); });
  // A pinch on a touch pad arrives as a wheel with ctrl that nobody holds; beside the pages it would zoom the document.
  let control = false;
  for (const name of ["keydown", "keyup"]) on(window, name, (event) => { if (event.key === "Control") control = name === "keydown"; }, true);
  on(window, "blur", () => { control = false; });
  on(surface, "wheel", (event) => { if (event.ctrlKey && !control) event.preventDefault(); }, { passive: false });
  // A button pressed with the mouse gives the keyboard back, so that Enter saves and does not press it again.
  on(surface, "click", (event) => {
    const pressed = event.target.closest("button");
    if (event.detail > 0 && pressed && !pressed.closest("dialog")) pressed.blur();
  });
  on(surface, "focusout", () => session.desk.endWriting());
}
