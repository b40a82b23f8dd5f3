// The thin bar on top of an adjudication: where one is, how many disputes are decided, and whether everything is saved.

import { h } from "./dom.js";
import { clockTime } from "./format.js";

export const FILTERS = { disputed: "disputed", second: "second reading", decided: "decided", all: "all entries" };
/** How an entry stands, in words. */
export const STATES = { disputed: "disputed", single: "one judgment", unanimous: "unanimous", decided: "decided", open: "waits for judgments" };

/** How far it is, in words: "12 of 40 disputed decided". `counts` are of entries by state; those decided are in none of the others. */
export function progressWords(counts, filter) {
  if (filter === "second") return `${counts.single.toLocaleString("en")} for a second reading`;
  if (filter === "decided") return `${counts.decided.toLocaleString("en")} decided`;
  const decided = counts.disputed_decided ?? null;
  if (decided === null) return `${counts.disputed.toLocaleString("en")} disputed left`;
  return `${decided.toLocaleString("en")} of ${(decided + counts.disputed).toLocaleString("en")} disputed decided`;
}

/** `home` is the address of the list of this campaign's disputes; `me` is who is signed in. */
export function createDocketBar({ home, me, act }) {
  const name = h("span", { class: "campaign", testid: "campaign", dir: "auto" });
  const place = h("button", { type: "button", class: "place", testid: "place", title: "list of entries (L)", onclick: () => act("overview") });
  const standing = h("span", { class: "badge entry-state", testid: "entry-state", title: "how this entry stands", hidden: true });
  const list = h("button", { type: "button", class: "keys through", testid: "through", title: "which entries are gone through (L)", onclick: () => act("overview") });
  const done = h("span", { class: "done" });
  const bar = h("span", { class: "bar", role: "progressbar", "aria-valuemin": "0", testid: "progress" }, done);
  const numbers = h("span", { class: "numbers", testid: "progress-numbers" });
  const words = h("span", { class: "save-words" });
  const mark = h("span", { class: "mark", testid: "save-mark", role: "status" }, words, h("span", { class: "dot" }));
  const step = (label, title, testid, by) => h("button", { type: "button", class: "keys step", title, testid, "aria-label": title, onclick: () => act("step", by) }, label);
  const node = h("header", { class: "topbar", testid: "topbar" },
    h("a", { class: "home", href: home, testid: "home" }, h("span", { "aria-hidden": "true" }, "‹ "), "Adjudication"), name,
    h("span", { class: "place-row" }, step("‹", "previous entry, without deciding (←)", "entry-back", -1), place, step("›", "next entry, without deciding (→)", "entry-on", 1)), standing,
    list, bar, numbers, h("span", { class: "gap" }), mark, h("span", { class: "me", testid: "me", dir: "auto", title: `signed in as ${me.name}` }, me.name),
    h("button", { type: "button", class: "keys", testid: "guidelines-toggle", title: "what each answer means, with examples", onclick: () => act("guidelines") }, h("kbd", null, "H"), " guidelines"),
    h("button", { type: "button", class: "keys", testid: "keys", onclick: () => act("help") }, h("kbd", null, "?"), " keys"));

  return {
    node,
    campaign(campaign) { name.textContent = campaign.name; name.title = `${campaign.name} · ${campaign.dataset} ${campaign.revision}`; },
    place(number, filter) {
      place.textContent = `${number === null ? "entries" : `entry ${number}`} ▾`;
      list.textContent = `list: ${FILTERS[filter]}`;
      standing.hidden = number === null;
    },
    /** How the entry on the desk stands. */
    state(state) {
      standing.textContent = STATES[state] ?? state;
      standing.dataset.state = state;
    },
    progress(counts, filter) {
      const decided = counts.disputed_decided ?? counts.decided, whole = decided + counts.disputed;
      done.style.width = `${(100 * decided) / Math.max(1, whole)}%`;
      bar.setAttribute("aria-valuemax", String(whole));
      bar.setAttribute("aria-valuenow", String(decided));
      numbers.textContent = progressWords(counts, filter);
      numbers.title = `${counts.disputed} disputed, ${counts.single} with one judgment, ${counts.unanimous} unanimous, ${counts.open} without enough judgments, ${counts.decided} decided`;
    },
    /** `waiting` decisions are on their way; `at` is when the last one was acknowledged (null: none yet). */
    saving({ waiting, trouble, at }) {
      const state = trouble ? "trouble" : waiting ? "flight" : at ? "saved" : "idle";
      mark.dataset.state = state;
      mark.title = state === "saved" ? `saved ${clockTime(at, { seconds: true })}` : "";
      words.textContent = { trouble: `${waiting} unsaved`, flight: waiting > 1 ? `saving ${waiting}` : "saving", saved: at ? `saved ${clockTime(at, { seconds: true })}` : "", idle: "" }[state];
    },
  };
}
