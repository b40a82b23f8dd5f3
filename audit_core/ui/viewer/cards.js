// The judgments of an entry side by side: a card each, whose parts can be taken into one's own decision; parts that not all say are marked.

import { answerOf } from "./answer.js";
import { inkOn, pageColour } from "./colours.js";
import { keysOf, partsOf } from "./decision.js";
import { h, s } from "./dom.js";
import { styleOf } from "./everyone.js";
import { valueWords } from "./fields.js";
import { clockTime, shownLines } from "./format.js";
import { namedBoxes } from "./targets.js";
import { createWalking } from "./walking.js";

const DISPUTES = { codes: "codes", targets: "places meant", correction: "corrections", boxes: "boxes", reason: "reasons", note: "notes" };

/** What differs, in words: "codes, boxes". `disputes` as the server names them. */
export function disputeWords(disputes, protocol) {
  const title = (name) => (protocol.fields ?? []).find((field) => field.name === name);
  return disputes.map((one) => DISPUTES[one] ?? (title(one.replace(/^fields\./, ""))?.title ?? one.replace(/^fields\./, "")).toLowerCase()).join(", ");
}

/** A stroke in the line of an annotator. */
const line = ({ colour, dash }) => s("svg", { class: "by-line", viewBox: "0 0 30 4", width: 30, height: 4, "aria-hidden": "true" },
  s("line", { x1: 0, y1: 2, x2: 30, y2: 2, stroke: colour, "stroke-width": 2.5, style: `stroke-dasharray:${dash}` }));

/** `act(action, argument)` does what keys do; `pageOf(id)` is what is known of a page; `look(id)` brings a page to the front. */
export function createCards({ protocol, act, pageOf, look }) {
  const head = h("h2");
  const differ = h("span", { class: "quiet differ", testid: "disputes" });
  const names = h("button", { type: "button", class: "link", testid: "names", onclick: () => act("names") }, h("kbd", null, "<"), h("span"));
  const eyes = h("button", { type: "button", class: "link", testid: "eyes", onclick: () => act("everyone") }, h("kbd", null, ">"), h("span"));
  const walk = h("button", { type: "button", class: "link", testid: "walk", title: "go over the parts with the arrow keys; Space takes one", onclick: () => act("walk") }, h("kbd", null, "Space"), h("span", null, " parts"));
  const grid = h("div", { class: "cards", testid: "cards" });
  const node = h("section", { class: "card-block", testid: "card-block", "aria-label": "judgments", hidden: true },
    h("div", { class: "card-head" }, head, h("span", { class: "gap" }), walk, names, eyes), differ, grid);
  const colours = new Map(protocol.codes.map((code) => [code.code, code.colour]));
  const walking = createWalking({ grid });
  let entry = null, built = [];

  function place(id) {
    const index = entry.pages.findIndex((page) => page.page_id === id);
    if (index >= 0) return { words: `page ${index + 1}`, colour: pageColour(index) };
    const box = namedBoxes(entry).find((one) => one.id === id);
    return box ? { words: `${box.number} ${box.kind}` } : { words: pageOf(id)?.page_number ? `p. ${pageOf(id).page_number}` : id };
  }
  const boxPage = (box) => place(box.page_id).words;
  function changeWords({ name, value }) {
    if (name === "query") return `query: ${shownLines(value)}`;
    if (name === "answer") return value === null ? "no answer" : `answer: ${shownLines(value)}`;
    if (name === "drop") return `${place(value).words} out`;
    if (name === "add") return `${place(value.page_id).words} in${value.set === "alternative" ? ", as alternative" : ""}`;
    return `box on ${boxPage(value)} ${{ add: "new", move: "moved", drop: "out" }[value.action]}`;
  }
  function fieldWords({ field, page, value }) {
    if (field.kind === "pages") return `${place(value).words} added`;
    if (field.kind === "boxes") return `box on ${place(value.page_id).words}`;
    const words = valueWords({ ...field, per_page: false }, value);
    return page === null ? words : `${place(page).words}: ${words}`;
  }
  /** The page that a part speaks of, where it is one to be looked at. */
  function pageIn(part) {
    if (part.kind === "target") return entry.pages.some((page) => page.page_id === part.id) || pageOf(part.id)?.page_number ? part.id : null;
    if (part.kind === "change") return part.name === "drop" ? part.value : part.name === "add" || part.name === "box" ? part.value.page_id : null;
    if (part.kind === "field") return part.page ?? (part.field.kind === "pages" ? part.value : part.field.kind === "boxes" ? part.value.page_id : null);
    return null;
  }

  const wordsOf = (part) => ({ code: () => part.code, correct: () => "correct", cannot: () => "cannot judge", target: () => place(part.id).words, change: () => changeWords(part), field: () => fieldWords(part) })[part.kind]();

  function chip(part, judgment, differs) {
    const colour = part.kind === "code" ? colours.get(part.code) : part.kind === "correct" ? "#009E73" : null;
    const words = wordsOf(part);
    const taking = h("button", { type: "button", class: `part of-${part.kind}${differs ? " differs" : ""}`, testid: "part", "data-part": part.key, dir: "auto", "aria-pressed": "false",
      title: `${words}${differs ? "; not all say so" : ""}: press to put it into your decision, or to take it out`, style: colour ? `--code:${colour};--code-ink:${inkOn(colour)}` : null,
      onclick: () => act("part", { judgment, part }) }, part.kind === "change" || part.kind === "field" ? h("span", { class: "part-words" }, words) : words);
    const page = pageIn(part);
    if (!page || (part.kind === "target" && entry.pages.length < 2)) return [taking];
    return [h("span", { class: "part-pair" }, taking, h("button", { type: "button", class: "part look", title: "look at the page", "aria-label": `look at ${words}`, onclick: () => look(page) }, "↗"))];
  }
  function row(name, chips, title = null) { return chips.length ? h("div", { class: "card-row" }, h("span", { class: "card-name", title, role: title && "img", "aria-label": title }, name), h("span", { class: "parts" }, chips)) : null; }

  function rows(judgment, parts, common) {
    const chips = (list) => list.flatMap((part) => chip(part, judgment, !common.has(part.key)));
    const of = (kind) => parts.filter((part) => part.kind === kind);
    const codes = [...judgment.codes].map((code) => row(`${code}:`, chips(of("target").filter((part) => part.code === code))));
    const fields = [...new Set(of("field").map((part) => part.field))].map((field) => row(field.title ? `${field.title}:` : "", chips(of("field").filter((part) => part.field === field))));
    return [row("", chips([...of("code"), ...of("correct"), ...of("cannot")])), ...codes, ...fields, row("✎", chips(of("change")), "proposes to change")];
  }
  function card(judgment, at, all, common) {
    const by = styleOf(judgment, at), parts = partsOf(answerOf(judgment), protocol);
    const lone = entry?.agreed !== "open" && all.filter((one) => one.outcome === "judged").length === 1 && judgment.outcome === "judged";
    const eye = h("button", { type: "button", class: "eye", testid: "eye", "aria-pressed": "true", title: "their boxes on the pages, or not", "aria-label": `boxes of ${judgment.label} on the pages`, onclick: () => act("eye", judgment.label) });
    const take = h("button", { type: "button", class: "take", testid: "take", "aria-pressed": "false", onclick: () => act("takeOne", at) },
      at < 9 ? h("kbd", null, String(at + 1)) : null, h("span", null, lone ? "Confirm" : "Take"));
    const said = [judgment.outcome === "cannot_judge" && judgment.reason, judgment.note].filter(Boolean).join("\n");
    const marks = [judgment.mine && h("span", { class: "badge", testid: "mine" }, "yours"), judgment.blind === false && h("span", { class: "badge quiet", title: "saved after seeing what others say" }, "not blind"),
      judgment.revision > 1 && h("span", { class: "quiet", title: `saved ${clockTime(judgment.saved_at)}` }, `rev. ${judgment.revision}`)].filter(Boolean);
    const node_ = h("article", { class: "card", testid: "card", "data-label": judgment.label, "aria-label": `judgment ${judgment.label}` },
      h("header", null, h("b", { class: "by", style: `background:${by.colour};color:${inkOn(by.colour)}` }, judgment.label), line(by),
        judgment.name ? h("span", { class: "card-by", testid: "card-name", dir: "auto", title: judgment.name }, judgment.name) : h("span", { class: "gap" }), eye, take),
      marks.length ? h("div", { class: "card-marks" }, marks) : null, ...rows(judgment, parts, common),
      said ? h("p", { class: "card-said", dir: "auto", title: said }, shownLines(said)) : null);
    return { judgment, node: node_, eye, take };
  }

  return {
    node,
    walking,
    /** A part in words that stand outside of its card: "F", "difficulty: 3". */
    words: (part) => (part.name === "box" ? `${{ add: "new box", move: "moved box", drop: "box out" }[part.value.action]} on ${boxPage(part.value)}` : part.kind === "target" ? `${part.code} of ${wordsOf(part)}` : part.kind === "field" && part.field.title ? `${part.field.title.toLowerCase()}: ${wordsOf(part)}` : wordsOf(part)),
    show(next) { walking.through(() => this.build(next)); },
    build(next) {
      entry = next;
      const { judgments } = entry;
      const keys = judgments.map((judgment) => keysOf(answerOf(judgment), protocol));
      const common = new Set([...(keys[0] ?? [])].filter((key) => keys.every((one) => one.has(key))));
      built = judgments.map((judgment, at) => card(judgment, at, judgments, common));
      node.hidden = false;
      head.textContent = judgments.length === 1 ? "Judgment: read it a second time" : `Judgments · ${judgments.length}`;
      differ.hidden = judgments.length < 2;
      const disputes = entry.disputes ?? [];
      differ.textContent = disputes.length ? `≠ they differ in ${disputeWords(disputes, protocol)}` : "= nothing in dispute";
      grid.replaceChildren(...(built.length ? built.map((one) => one.node) : [h("p", { class: "quiet", testid: "no-judgments" }, "Nobody has judged this entry yet.")]));
      grid.dataset.count = String(Math.min(3, built.length));
      walk.hidden = names.hidden = eyes.hidden = !built.length;
    },
    /** `decision` as it stands, `basis` as of `basisOf`; `shown` labels have their boxes on the pages; `named` says that names are shown. */
    update({ decision, basis, shown, named, closed }) {
      if (!entry) return;
      const mine = keysOf(decision, protocol);
      for (const part of grid.querySelectorAll("[data-part]")) { part.setAttribute("aria-pressed", String(mine.has(part.dataset.part))); part.disabled = closed; }
      for (const { judgment, node: one, eye, take } of built) {
        const on = shown.has(judgment.label), same = !decision.wrong && basis.same.includes(judgment);
        eye.setAttribute("aria-pressed", String(on));
        eye.textContent = on ? "◉" : "○";
        one.classList.toggle("taken", same);
        take.setAttribute("aria-pressed", String(same));
        take.disabled = closed;
      }
      names.lastChild.textContent = named ? " hide names" : " names";
      names.setAttribute("aria-pressed", String(Boolean(named)));
      eyes.lastChild.textContent = shown.size === built.length ? " boxes: all" : shown.size ? ` boxes: ${[...shown].sort().join(" ")}` : " boxes: none";
    },
  };
}
