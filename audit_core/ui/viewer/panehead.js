// The line over a large page: number, document, place, what it is, and which codes mean it.

import { boxWarnings } from "./boxfaults.js";
import { inkOn } from "./colours.js";
import { button, h } from "./dom.js";
import { pagePlace } from "./format.js";

/** `on.mean(code)`: a code's mark is pressed. */
export function createPaneHead({ on }) {
  const node = h("header", { class: "pane-head", testid: "pane-head" });
  const marks = h("span", { class: "marks" });
  const proposal = h("span", { class: "badge proposed", testid: "page-proposal", hidden: true });
  const said = h("span", { class: "said-of-page" });
  let drawn = "", drawnOthers = "";

  function line({ page, index, total, colour }) {
    const number = index === null ? h("span", { class: "number leafed-number" }, "–")
      : h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1));
    return h("div", { class: "pane-line" }, number,
      h("span", { class: "pane-title", dir: "auto", title: page.title }, page.title || page.document_id), proposal, said, marks,
      h("span", { class: "pane-place" }, pagePlace(page)),
      index === null ? h("span", { class: "badge quiet", testid: "not-listed" }, "not listed as evidence")
        : h("span", { class: "pane-count" }, `evidence ${index + 1} of ${total}`));
  }
  function notes({ page, index, first, badges }) {
    const listed = index !== null;
    const faults = listed ? boxWarnings(page, first) : [];
    if (!page.warning && !badges.length && !faults.length && (!listed || page.boxes.length)) return null;
    return h("div", { class: "pane-line notes" },
      badges.map((words) => h("span", { class: "badge", dir: "auto" }, words)),
      listed && !page.boxes.length ? h("span", { class: "badge quiet" }, "whole page: no box") : null,
      faults.map((words) => h("span", { class: "pane-warning", testid: "box-warning" }, `⚠ ${words}`)),
      page.warning ? h("span", { class: "pane-warning", testid: "page-warning" }, `⚠ ${page.warning}`) : null);
  }

  return {
    node,
    show(sheet) { node.replaceChildren(...[line(sheet), notes(sheet)].filter(Boolean)); },
    clear() { node.replaceChildren(); },
    /** What is proposed for the page, in words; null for nothing. */
    propose(words) { proposal.hidden = !words; proposal.textContent = words ?? ""; },
    /** What annotators say of the page: [{by: {label, colour}, words}]. */
    others(list) {
      const next = JSON.stringify(list);
      if (next === drawnOthers) return;
      drawnOthers = next;
      said.replaceChildren(...list.map(({ by, words }) => h("span", { class: "badge", testid: "page-said", title: `annotator ${by.label}` },
        h("b", { class: "by", style: `background:${by.colour};color:${inkOn(by.colour)}` }, by.label), ` ${words}`)));
    },
    /** The codes that speak of pages: [{code, colour, meant, asks}]; those that mean this page are filled. */
    mark(codes) {
      const next = JSON.stringify(codes);
      if (next === drawn) return;
      drawn = next;
      marks.replaceChildren(...codes.map(({ code, colour, meant, asks }) => {
        const mark = button(meant ? h("span", null, code, h("span", { class: "mark-words" }, " this page")) : `${code}?`, { kind: asks ? "code-mark asks" : "code-mark", testid: `mark-${code}`,
          title: meant ? `${code} means this page; press to take it back` : `say that ${code} means this page`, onclick: () => on.mean(code) });
        mark.setAttribute("aria-pressed", String(meant));
        mark.style.cssText = `--code:${colour};--code-ink:${inkOn(colour)}`;
        return mark;
      }));
    },
  };
}
