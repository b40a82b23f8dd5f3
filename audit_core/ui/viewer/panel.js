// The left column: query and answer, the codes or what else the protocol asks, the note, and the list of evidence pages.

import { CORRECT_COLOUR, inkOn } from "./colours.js";
import { button, h } from "./dom.js";
import { clockTime, count, shownLines } from "./format.js";
import { createEvidenceList } from "./evidence.js";
import { createCorrecting, createProposalLine } from "./correcting.js";
import { createCriteria } from "./criteria.js";
import { choicesOf, reasonKey } from "./fields.js";
import { createCommentBlock } from "./comments.js";
import { createFlagList } from "./flags.js";
import { askingWords, createTargets } from "./targets.js";

const LONG = 600;              // characters of an answer that are shown without asking

function choice({ label, words, title = words, colour, testid, onclick }) {
  return h("button", { type: "button", class: "choice", testid, title, "aria-pressed": "false", onclick,
    style: `--code:${colour};--code-ink:${inkOn(colour)}` },
  h("span", { class: "letter" }, label), h("span", { class: "meaning" }, words));
}

/**
 * `act(action, argument)` does what the key does; `on.write({note}|{reason})` takes what is typed. Where it is decided over judgments, `deciding` has the
 * `cards` of these, which stand under query and answer, and the `ruling`, which stands over the button that saves, with its `reason` and `basis`.
 */
export function createPanel({ protocol, act, on, deciding = null }) {
  const order = protocol.codes.map((code) => code.code);
  const codes = new Map(protocol.codes.map((code) => [code.code, choice({ label: code.code, words: code.short ?? code.meaning,
    title: code.meaning, colour: code.colour, testid: `code-${code.code}`, onclick: () => act("code", code.code) })]));
  const correct = choice({ label: "C", words: "correct", colour: CORRECT_COLOUR, testid: "code-C", onclick: () => act("correct") });
  const options = choicesOf(protocol).flatMap((field) => field.options.map((option) => ({ field: field.name, value: option.value,
    node: choice({ label: option.letter, words: option.short, title: option.meaning, colour: option.colour, testid: `code-${option.letter}`,
      onclick: () => act("choose", { field: field.name, value: option.value }) }) })));
  const criteria = createCriteria({ protocol, act, on: { text: (written) => on.field(written) } });
  const cannot = choice({ label: "X", words: "cannot judge", colour: "#6B7280", testid: "code-X", onclick: () => act("cannotJudge") });
  const targets = createTargets({ order, colours: new Map(protocol.codes.map((code) => [code.code, code.colour])), act });
  const reason = h("input", { type: "text", testid: "reason", "data-save": true, maxlength: protocol.note_max, dir: "auto",
    placeholder: "why not? (optional)", "aria-label": "why it cannot be judged", oninput: () => on.write({ reason: reason.value }) });
  const reasonLine = h("label", { class: "reason", hidden: true }, h("kbd", null, reasonKey(protocol).toUpperCase()), reason);
  const note = h("textarea", { testid: "note", rows: 3, maxlength: protocol.note_max, dir: "auto", "aria-label": "note",
    placeholder: "note (optional)", oninput: () => { on.write({ note: note.value }); length(); } });
  const left = h("span", { class: "note-left" });
  const save = h("button", { type: "button", class: "save", testid: "save", onclick: () => act("save") },
    h("kbd", null, "Enter"), h("span", null, deciding ? "decide and next" : "save and next"));
  const ask = h("p", { class: "ask", role: "alert", testid: "choose-first", hidden: true });
  const standing = h("p", { class: "standing", testid: "standing" });
  const hint = h("p", { class: "standing hint", testid: "asking-hint", hidden: true });
  const undo = button("undo", { key: "Z", kind: "tool", testid: "undo", onclick: () => act("undo") });

  const facts = h("div", { class: "facts", testid: "facts" });
  const query = h("div", { class: "query", testid: "query", dir: "auto" });
  const answer = h("div", { class: "answer", testid: "answer", dir: "auto" });
  const more = h("button", { type: "button", class: "link", testid: "show-all", hidden: true, onclick: () => openAnswer(true) });
  const flags = createFlagList();
  const comments = createCommentBlock({ act });
  const correcting = createCorrecting({ protocol, act, on: on.form });
  const proposal = protocol.correction ? createProposalLine({ act }) : null;
  const evidence = createEvidenceList({ onChoose: (index) => on.choose(index) });
  const texts = h("div", null, h("h2", null, "Query"), query, h("h2", null, "Answer"), answer, more);
  const below = h("div", null, proposal?.node, flags.node, evidence.node, comments.node);
  const node = h("aside", { class: "panel", testid: "panel" },
    h("div", { class: "reading" }, facts, correcting.node, texts, deciding?.cards, below),
    h("div", { class: "judging" },
      h("div", { class: codes.size ? "choices coded" : "choices" }, [...codes.values()], h("div", { class: "pair" }, codes.size ? [correct, cannot] : options.map((option) => option.node)), codes.size ? null : cannot),
      criteria.node,
      h("div", { class: "detail" }, targets.node, reasonLine),
      h("div", { class: "written" }, deciding?.reason, h("div", { class: "note" }, note, h("span", { class: "note-key" }, h("kbd", null, "M"), left))), deciding?.ruling,
      h("div", { class: "stand-row" }, deciding?.basis, standing, hint, undo), h("div", { class: "save-row" }, save, ask)));
  let text = "";
  let shown = null;

  function length() {
    const free = protocol.note_max - note.value.length;
    left.textContent = free < 500 ? `${count(free, "character")} left` : "";
  }
  function openAnswer(whole) {
    const long = text.length > LONG;
    answer.textContent = shownLines(long && !whole ? `${text.slice(0, LONG)}…` : text);
    answer.classList.toggle("scrolls", long && whole);
    more.hidden = !long || whole;
    more.textContent = `show all (${count(text.length, "character")})`;
  }

  return {
    node,
    /** Another entry. */
    show(entry) {
      shown = entry;
      facts.replaceChildren(h("span", null, entry.source), h("span", null, entry.domain), h("span", { class: "chip" }, entry.structure));
      for (const part of [query, answer]) {
        if (entry.language) part.setAttribute("lang", entry.language);
        else part.removeAttribute("lang");
      }
      query.textContent = shownLines(entry.query);
      query.classList.toggle("long", entry.query.length > 220);
      text = entry.answer ?? "";
      answer.classList.toggle("none", !entry.answer);
      openAnswer(false);
      if (!entry.answer) answer.textContent = "no answer given";
      flags.show(entry.flags ?? []);
      evidence.show(entry);
      targets.show(entry);
      node.querySelector(".reading").scrollTop = 0;
      this.ask(null);
    },
    /** The answer as it now stands. */
    update(said, { closed, asking, rating = null }) {
      for (const [code, one] of codes) one.setAttribute("aria-pressed", String(said.outcome === "judged" && said.codes.includes(code)));
      correct.setAttribute("aria-pressed", String(said.outcome === "judged" && !said.codes));
      for (const { field, value, node: one } of options) one.setAttribute("aria-pressed", String(said.outcome === "judged" && said.fields[field] === value));
      criteria.update(said, { closed, rating, entry: shown, pageOf: on.pageOf });
      cannot.setAttribute("aria-pressed", String(said.outcome === "cannot_judge"));
      reasonLine.hidden = Boolean(deciding) || said.outcome !== "cannot_judge";
      if (note.value !== said.note) note.value = said.note;
      if (reason.value !== said.reason) reason.value = said.reason;
      for (const part of [...codes.values(), ...options.map((option) => option.node), correct, cannot, note, reason, save]) part.disabled = closed;
      proposal?.show(said.correction);
      targets.update(said, { closed, asking });
      hint.hidden = !asking && !rating;
      standing.hidden = !hint.hidden;
      if (!hint.hidden) hint.textContent = asking ? askingWords(shown) : criteria.words(rating);
      length();
      if (said.outcome !== null) this.ask(null);
    },
    /** Where the answer stands: "saved 14:02 (revision 2)", "draft of 14:02 restored", "changed, not saved", ... */
    stand({ saved, pending, restored, changed }) {
      const words = [];
      if (restored) words.push(`draft of ${clockTime(restored)} restored`);
      if (pending) words.push("being saved");
      else if (saved) words.push(`${deciding ? "decided" : "saved"} ${clockTime(saved.saved_at)} (revision ${saved.revision})`);
      if (changed && (saved || pending)) words.push("changed, not saved");
      standing.textContent = words.join(" · ");
      standing.classList.toggle("changed", changed && Boolean(saved || pending));
    },
    /** Says visibly why Enter did nothing; null takes it back. */
    ask(words) {
      ask.hidden = !words;
      ask.textContent = words ?? "";
      node.classList.toggle("asking", Boolean(words));
    },
    correcting,
    /** Shows the form of a proposed correction in the place of query, answer and evidence, or takes it away. */
    form(shown) {
      if (correcting.isOpen === shown) return;
      correcting.open(shown);
      texts.hidden = shown;
      below.hidden = shown;
      node.querySelector(".reading").scrollTop = 0;
    },
    front(index) { evidence.front(index); },
    flags(list) { flags.show(list); },
    comments,
    write() { note.focus(); note.setSelectionRange(note.value.length, note.value.length); },
    writeReason() { if (!reasonLine.hidden) reason.focus(); },
    leave() { note.blur(); reason.blur(); this.leaveFields(); },
    writeField: (id) => criteria.write(id),
    leaveFields() { const active = node.getRootNode().activeElement; if (active && criteria.node.contains(active) && active.matches("textarea")) active.blur(); },
    tools: criteria.tools,
  };
}
