// The thin bar on top: where one is, how far, and whether everything is saved.

import { h } from "./dom.js";
import { clockTime, count } from "./format.js";

/** `me` is who is signed in. */
export function createTopbar({ home, me, act }) {
  const name = h("span", { class: "campaign", testid: "campaign", dir: "auto" });
  const place = h("button", { type: "button", class: "place", testid: "place", title: "list of entries (L)", onclick: () => act("overview") });
  const done = h("span", { class: "done" });
  const today = h("span", { class: "today" });
  const bar = h("span", { class: "bar", role: "progressbar", "aria-valuemin": "0", testid: "progress" }, done);
  const numbers = h("span", { class: "numbers", testid: "progress-numbers" });
  const dot = h("span", { class: "dot" });
  const words = h("span", { class: "save-words" });
  const mark = h("span", { class: "mark", testid: "save-mark", role: "status" }, words, dot);
  const step = (label, title, testid, by) => h("button", { type: "button", class: "keys step", title, testid, "aria-label": title, onclick: () => act("step", by) }, label);
  const node = h("header", { class: "topbar", testid: "topbar" },
    h("a", { class: "home", href: home, testid: "home" }, h("span", { "aria-hidden": "true" }, "‹ "), "Assay"), name,
    h("span", { class: "place-row" }, step("‹", "previous entry, without saving (←)", "entry-back", -1), place, step("›", "next entry, without saving (→)", "entry-on", 1)),
    bar, numbers, today, h("span", { class: "gap" }), mark, h("span", { class: "me", testid: "me", dir: "auto", title: `signed in as ${me.name}` }, me.name),
    h("button", { type: "button", class: "keys", testid: "ask-lead", title: "ask the lead about this entry", onclick: () => act("flag") }, h("kbd", null, "!"), " ask"),
    h("button", { type: "button", class: "keys", testid: "guidelines-toggle", title: "what each answer means, with examples", onclick: () => act("guidelines") }, h("kbd", null, "H"), " guidelines"),
    h("button", { type: "button", class: "keys", testid: "keys", onclick: () => act("help") }, h("kbd", null, "?"), " keys"));

  let isExact = false;
  return {
    node,
    campaign(campaign) { isExact = campaign.hand_out === "exact"; bar.hidden = isExact; name.textContent = campaign.name; name.title = `${campaign.name} · ${campaign.dataset} ${campaign.revision}`; },
    place(number, entries) { place.textContent = number === null ? `${count(entries, "entry", "entries")} ▾` : `entry ${number} of ${entries} ▾`; },
    progress(progress) {
      const judged = progress.judged + progress.cannot_judge;
      const whole = Math.max(1, progress.entries);
      done.style.width = `${(100 * judged) / whole}%`;
      bar.setAttribute("aria-valuemax", String(progress.entries));
      bar.setAttribute("aria-valuenow", String(judged));
      bar.title = `${progress.judged} judged, ${progress.cannot_judge} cannot be judged, ${count(progress.drafts, "draft")}, ${progress.left} left`;
      const cannot = progress.cannot_judge ? ` · ${progress.cannot_judge} cannot judge` : "";
      // Where entries are handed out one by one nobody knows how many of them are still to come.
      numbers.textContent = `${progress.judged} judged${cannot}${isExact ? "" : ` · ${progress.left} left`}`;
      today.textContent = `${progress.today} today`;
    },
    /** `waiting` judgments are on their way; `at` is when the last one was acknowledged (null: none yet). */
    saving({ waiting, trouble, at }) {
      const state = trouble ? "trouble" : waiting ? "flight" : at ? "saved" : "idle";
      mark.dataset.state = state;
      words.textContent = { trouble: `${waiting} unsaved`, flight: waiting > 1 ? `saving ${waiting}` : "saving",
        saved: at ? `saved ${clockTime(at, { seconds: true })}` : "", idle: "" }[state];
    },
  };
}
