// Precedents beside the pages: decided cases like the one at hand, found by words. Keys and pages go on working while they are open.

import { h } from "./dom.js";
import { clockTime, shownLines } from "./format.js";

const WAIT_MS = 250;
const AGAIN_MAX = 200;              // requests in a row while the server still reads earlier decisions

/** One case. `addressOf(campaign, number)` is where a case of one's own is looked at. */
function card(found, addressOf) {
  const place = `${found.campaign_name}, entry ${found.number}${found.saved_at ? ` · ${clockTime(found.saved_at)}` : ""}`;
  const answered = ({ question, answer }) => h("div", { class: "precedent-asked" }, h("p", { dir: "auto" }, shownLines(question)), h("p", { class: "flag-answer", dir: "auto" }, shownLines(answer)));
  return h("li", { testid: "precedent", "data-kind": found.kind },
    found.rule ? h("p", { class: "precedent-rule", testid: "precedent-rule", dir: "auto" }, h("span", { class: "badge" }, "rule"), " ", shownLines(found.rule.text)) : null,
    h("p", { class: "precedent-query clamp", dir: "auto", lang: found.language, title: found.query }, found.query ? shownLines(found.query) : "its query cannot be shown"),
    found.decision === null ? null : h("p", { class: "precedent-said" }, h("strong", { testid: "precedent-decision", dir: "auto" }, found.decision),
      found.note || found.reason ? h("span", { dir: "auto" }, shownLines([found.reason, found.note].filter(Boolean).join("\n"))) : null),
    ...found.questions.map(answered),
    h("div", { class: "said-by quiet" }, h("span", { dir: "auto" }, `${found.source} · ${found.structure} · ${place}`),
      found.can_open ? h("a", { href: addressOf(found.campaign, found.number), target: "_blank", rel: "noopener", testid: "precedent-link" }, "look at it") : null));
}

/** `load(entry, words)` resolves to {found, complete, searched}, or rejects with a sentence; `act(action)` does what the key does. */
export function createPrecedents({ act, load, addressOf }) {
  const field = h("input", { type: "search", testid: "precedent-words", maxlength: 500, dir: "auto", autocomplete: "off", "aria-label": "search precedents",
    placeholder: "words, codes (F E), source, structure", oninput: () => later() });
  const form = h("form", { class: "precedent-search", onsubmit: (event) => { event.preventDefault(); field.blur(); fetchNow(); } }, field);
  const said = h("p", { class: "quiet", testid: "precedents-said", role: "status" });
  const list = h("ul", { class: "precedents" });
  const body = h("div", { class: "guide-body", tabindex: "-1" }, said, list);
  const node = h("aside", { class: "guide", testid: "precedents", "aria-label": "precedents", "data-tabs": true, hidden: true },
    h("header", null, h("h2", null, "Precedents"), h("kbd", null, ":"),
      h("button", { type: "button", class: "close", "aria-label": "close the precedents", testid: "precedents-close", onclick: () => act("precedents") }, "×")), form, body);
  let entry = null, asked = 0, timer = null;

  function later() { clearTimeout(timer); timer = setTimeout(fetchNow, WAIT_MS); }
  async function fetchNow(again = 0) {
    clearTimeout(timer);
    if (node.hidden || !entry) return;
    const mine = (asked += 1);
    const words = field.value.trim();
    list.setAttribute("aria-busy", "true");
    try {
      const answer = await load(entry, words);
      if (mine !== asked) return;
      draw(answer);
      if (!answer.complete && again < AGAIN_MAX) await fetchNow(again + 1);
    } catch (error) { if (mine === asked) { list.replaceChildren(); said.textContent = error.message; } }
    finally { if (mine === asked) list.removeAttribute("aria-busy"); }
  }
  function draw({ found, complete, searched }) {
    const what = searched ? "with these words" : "most like this query";
    const reading = complete ? "" : " Earlier decisions are still being read.";
    said.textContent = found.length ? `Your decisions and the lead's rules ${what}; none on queries that wait for you.${reading}`
      : `${searched ? "Nothing has all these words" : "You have decided nothing here yet, and there are no rules"}.${reading}`;
    list.replaceChildren(...found.map((each) => card(each, addressOf)));
  }

  return {
    node,
    get open() { return !node.hidden; },
    toggle() {
      node.hidden = !node.hidden;
      if (node.hidden) { asked += 1; return; }
      fetchNow();
      field.focus();
      field.select();
    },
    close() { node.hidden = true; asked += 1; },
    /** Leaves the field; true where one was in it. */
    leave() {
      if (node.getRootNode().activeElement !== field) return false;
      field.blur();
      return true;
    },
    /** The entry on the desk, whenever it is another one. */
    look(next) {
      const isNew = next?.id !== entry?.id;
      entry = next;
      if (isNew && !node.hidden) { asked += 1; list.replaceChildren(); said.textContent = ""; later(); }      // answers on the last entry are too old
    },
    stop() { clearTimeout(timer); asked += 1; },
  };
}
