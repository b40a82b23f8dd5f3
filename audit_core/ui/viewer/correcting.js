// The form of a proposed correction, in the place of query, answer and evidence: texts, pages out and in, boxes.

import { addedAs, changes, inWords, isDropped } from "./correction.js";
import { inkOn, pageColour } from "./colours.js";
import { button, h } from "./dom.js";
import { pagePlace } from "./format.js";

/** `act` does what the keys do; `on.text({query}|{answer})`, `on.drop(pageId)`, `on.set(pageId, set)`, `on.undoBox(at)`, `on.discard()`. */
export function createCorrecting({ protocol, act, on }) {
  const longest = protocol.correction?.text_max ?? 20_000;
  const field = (name, rows) => {
    const area = h("textarea", { rows, maxlength: longest, dir: "auto", testid: `propose-${name}`, "aria-label": `proposed ${name}`, oninput: () => on.text({ [name]: area.value }) });
    return area;
  };
  const query = field("query", 4);
  const answer = field("answer", 2);
  const pages = h("ul", { class: "propose-list", testid: "propose-pages" });
  const boxes = h("ul", { class: "propose-list", testid: "propose-boxes" });
  const discard = button("discard all", { kind: "tool", testid: "propose-discard", onclick: () => on.discard() });
  const draw = button("draw a box", { key: "A", testid: "propose-draw", onclick: () => act("drawBox") });
  const drop = button("box out", { key: "Del", testid: "propose-drop-box", title: "the chosen box goes, or comes back (Delete)", onclick: () => act("removeBox") });
  const said = h("p", { class: "quiet", testid: "propose-said", role: "status" });
  const node = h("section", { class: "propose", testid: "propose", "aria-label": "proposed correction", hidden: true },
    h("header", null, h("h2", null, "Correction"), h("span", { class: "gap" }), discard, button("close", { key: "K", kind: "tool", testid: "propose-close", onclick: () => act("correction") })),
    h("label", null, h("span", null, "Query ", h("kbd", null, "S")), query), h("label", null, h("span", null, "Answer"), answer),
    h("div", null, h("span", { class: "propose-name" }, "Pages"), pages), h("div", null, h("span", { class: "propose-name" }, "Boxes"), boxes), said,
    h("div", { class: "dialog-buttons" }, draw, drop));

  function listed(page, index, correction) {
    const colour = pageColour(index), out = isDropped(correction, page.page_id);
    const toggle = h("button", { type: "button", class: "target", testid: "propose-drop", "aria-pressed": String(out), onclick: () => on.drop(page.page_id) }, "out");
    return h("li", { class: out ? "out" : "" }, h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1)),
      h("span", { class: "propose-page", dir: "auto", title: page.title }, pagePlace(page)), toggle);
  }
  function added(page, correction) {
    const set = addedAs(correction, page.page_id);
    const choice = (name, words) => h("button", { type: "button", class: "target", testid: `propose-${name}`, "aria-pressed": String(set === name),
      onclick: () => on.set(page.page_id, set === name ? null : name) }, words);
    return h("li", null, h("span", { class: "number leafed-number" }, "+"), h("span", { class: "propose-page", dir: "auto", title: page.title }, page.page_number ? pagePlace(page) : page.page_id),
      choice("required", "in"), choice("alternative", "alternative"));
  }
  function changed(change, at, numberOf) {
    const words = { add: "new", move: "moved", drop: "out" }[change.action];
    return h("li", null, h("span", { class: "propose-page" }, `${numberOf(change)} ${words}`),
      h("button", { type: "button", class: "target", title: "take this change back", testid: "propose-undo-box", onclick: () => on.undoBox(at) }, "undo"));
  }

  return {
    node,
    field: query,
    get isOpen() { return !node.hidden; },
    open(shown) { node.hidden = !shown; },
    say(words) { said.textContent = words ?? ""; },
    /** `chosen`: the chosen box of the page in front, or null; `front`: the page in front where it is not listed, else null; `pageOf(id)` what is known of a page; `numberOf(change)` names a box. */
    update(entry, correction, { front, chosen, pageOf, numberOf, closed, drawing }) {
      if (node.hidden) return;
      const texts = { query: correction?.query ?? entry.query, answer: correction?.answer === undefined ? entry.answer ?? "" : correction.answer ?? "" };
      for (const [area, value] of [[query, texts.query], [answer, texts.answer]]) {
        if (area.value !== value && !(area === query && !area.value.trim() && area.matches(":focus"))) area.value = value;
        area.disabled = closed;
      }
      answer.placeholder = "no answer";
      const proposed = (correction?.add_pages ?? []).map((page) => page.page_id);
      const others = front && !proposed.includes(front.page_id) ? [...proposed, front.page_id] : proposed;
      pages.replaceChildren(...entry.pages.map((page, index) => listed(page, index, correction)), ...others.map((id) => added(pageOf(id), correction)),
        ...(others.length ? [] : [h("li", { class: "quiet" }, "leaf to a missing page, then I adds it")]));
      boxes.replaceChildren(...(correction?.boxes ?? []).map((change, at) => changed(change, at, numberOf)),
        ...(correction?.boxes?.length ? [] : [h("li", { class: "quiet" }, "choose a box to move it, or draw one")]));
      discard.disabled = closed || !correction;
      draw.disabled = closed;
      drop.disabled = closed || !chosen;
      drop.lastChild.textContent = chosen?.state === "dropped" || chosen?.state === "moved" ? "box back" : "box out";
      draw.setAttribute("aria-pressed", String(drawing));
    },
  };
}

/** The line under the answer that opens the form and tells what is proposed. */
export function createProposalLine({ act }) {
  const words = h("span");
  const node = h("button", { type: "button", class: "proposal", testid: "proposal", onclick: () => act("correction") }, h("kbd", null, "K"), words);
  return {
    node,
    show(correction) {
      const said = inWords(correction);
      words.textContent = said ? `proposed: ${said}` : "propose a correction";
      node.classList.toggle("some", changes(correction) > 0);
    },
  };
}
