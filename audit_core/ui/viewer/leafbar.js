// The line under a large page with which one leafs through its document: ‹ 4 5 [6] 7 8 ›, a field for a number or label.

import { button, h } from "./dom.js";

const AROUND = 2;

/** `on`: step(by), to(number of steps away), find(text), back(). */
export function createLeafBar({ on }) {
  const numbers = h("span", { class: "leaf-numbers" });
  const previous = button("‹", { kind: "tool", testid: "leaf-back", title: "the page before (,)", onclick: () => on.step(-1) });
  const next = button("›", { kind: "tool", testid: "leaf-on", title: "the page after (.)", onclick: () => on.step(1) });
  const field = h("input", { type: "text", class: "leaf-field", testid: "leaf-field", maxlength: 100, autocomplete: "off", dir: "auto",
    placeholder: "page  #", "aria-label": "page number or printed label" });
  const form = h("form", { onsubmit: (event) => { event.preventDefault(); on.find(field.value); } }, field);
  const words = h("span", { class: "leaf-words", testid: "leaf-words", role: "status" });
  const back = button("back to listed", { key: "Backspace", kind: "tool", testid: "leaf-home", onclick: () => on.back() });
  const node = h("nav", { class: "leaf-bar none", testid: "leaf-bar", "aria-label": "pages of the document" }, previous, numbers, next, form, words, back);

  function cell({ away, label, title, colour }) {
    return h("button", { type: "button", class: away === 0 ? "leaf here" : "leaf", title, "aria-current": away === 0 ? "page" : null, "data-listed": Boolean(colour),
      style: colour ? `--page:${colour}` : null, onclick: () => away && on.step(away) }, label);
  }

  return {
    node,
    field,
    /** `place`: {position, total, at(position) -> {label, title, colour|null}}, null where the document cannot be leafed; `leafed`: not a listed page. */
    show(place, { leafed, message }) {
      const none = !place || place.total < 2;
      node.classList.toggle("none", none);           // its room stays, so that pages do not jump from entry to entry
      if (none) return;
      const { position, total } = place;
      const first = Math.max(1, Math.min(position - AROUND, total - 2 * AROUND));
      const last = Math.min(total, Math.max(position + AROUND, 1 + 2 * AROUND));
      const cells = [];
      for (let at = first; at <= last; at += 1) cells.push(cell({ away: at - position, ...place.at(at) }));
      numbers.replaceChildren(...cells);
      previous.disabled = position <= 1;
      next.disabled = position >= total;
      words.textContent = message ?? `of ${total}`;
      words.classList.toggle("said", Boolean(message));
      back.hidden = !leafed;
    },
  };
}
