// Calm full-stage pages for the times without an entry: loading, finished, the next entry cannot be fetched.

import { button, h } from "./dom.js";
import { count } from "./format.js";

export function createScreen({ home, act }) {
  const node = h("div", { class: "screen", testid: "screen", hidden: true });
  let drawn = "";
  /** Draws a screen; the same one is not drawn twice, so that nobody's click misses its button. */
  function show(kind, ...children) {
    const words = kind + children.map((child) => child?.textContent ?? "").join("\n");
    if (!node.hidden && words === drawn) return;
    drawn = words;
    node.hidden = false;
    node.dataset.kind = kind;
    node.replaceChildren(h("div", { class: "screen-body" }, ...children));
  }
  return {
    node,
    hide() { node.hidden = true; node.replaceChildren(); },
    /** A screen of one's own: a heading and what stands under it. */
    plain(kind, head, ...children) { show(kind, h("h1", null, head), ...children); },
    loading(words) { show("loading", h("p", { class: "quiet" }, words)); },
    failed(words, { waiting, what = "judgment" }) {
      show("failed", h("h1", null, "The next entry cannot be shown"), h("p", null, words),
        h("p", null, waiting ? `Nothing is lost: ${count(waiting, `unsaved ${what}`)} kept in this browser.` : "Nothing is lost."),
        button("Try again", { kind: "strong", testid: "screen-retry", onclick: () => act("reload") }),
        h("p", null, h("a", { href: home }, "Back to the campaigns")));
    },
    finished(progress, { waiting, campaign }) {
      const all = progress.entries;
      const isExact = campaign?.hand_out === "exact", isPilot = campaign?.stage === "pilot";
      const head = isExact ? (isPilot ? "There is nothing more for you in the pilot." : "There is nothing more for you at present.")
        : all === 1 ? "The entry is judged." : `All ${all.toLocaleString("en")} entries are judged.`;
      show("finished", h("h1", null, head),
        isExact ? h("p", { testid: "nothing-more" }, isPilot ? "The other entries come when whoever leads the campaign ends the pilot."
          : "The other entries are done, or somebody is at work on them. One that is given back may still come to you.") : null,
        progress.cannot_judge ? h("p", null, `${progress.cannot_judge.toLocaleString("en")} could not be judged: `,
          h("button", { type: "button", class: "link", testid: "to-cannot-judge", onclick: () => act("overview", "cannot_judge") }, progress.cannot_judge === 1 ? "go back to it" : "go back to them")) : null,
        waiting ? h("p", { testid: "still-saving" }, `${count(waiting, "judgment")} still being saved: leave this window open.`) : h("p", null, "Everything is saved."),
        h("div", { class: "dialog-buttons" }, h("a", { class: "button strong", href: home }, "Overview and report"),
          isExact ? button("Look again", { testid: "look-again", onclick: () => act("lookAgain") }) : null,
          button("Look at my judgments again", { key: "L", testid: "review", onclick: () => act("overview") })));
    },
  };
}
