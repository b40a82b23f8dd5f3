// The line under the pages: how they are shown, with the key of each.

import { button, h } from "./dom.js";

/** `act(action, argument)` does what the same key does. */
export function createToolbar({ act }) {
  const tool = (label, key, testid, action, argument) =>
    button(label, { key, testid, kind: "tool", onclick: () => act(action, argument) });
  const page = tool("fit page", "0", "fit-page", "fit", "page");
  const width = tool("fit width", "W", "fit-width", "fit", "width");
  const original = tool("1:1", "O", "one-to-one", "oneToOne");
  const percent = h("output", { class: "percent", testid: "zoom" });
  const turn = tool("turn", "T", "rotate", "rotate");
  const link = tool("copy link", "Y", "copy-link", "copyLink");
  const boxes = tool("boxes", "B", "boxes-toggle", "boxes");
  const step = tool("next box", "Tab", "next-box", "stepBox", 1);
  const spread = tool("side by side", "V", "spread-toggle", "spread");
  const node = h("div", { class: "toolbar", testid: "toolbar", role: "toolbar", "aria-label": "page view" },
    page, width, original, turn,
    h("span", { class: "zoom" }, button("−", { kind: "tool", title: "smaller (-)", onclick: () => act("zoom", -1) }), percent,
      button("+", { kind: "tool", title: "larger (+)", onclick: () => act("zoom", 1) })),
    h("span", { class: "gap" }), link, spread, boxes, step);
  let calm = null;
  return {
    node,
    /** Says for a moment that the link was copied. */
    copied() {
      clearTimeout(calm);
      link.lastChild.textContent = "link copied";
      calm = setTimeout(() => { link.lastChild.textContent = "copy link"; }, 2000);
    },
    update(status) {
      percent.textContent = status.percent === null ? "" : `${status.percent} %`;
      boxes.setAttribute("aria-pressed", String(status.boxes));
      page.setAttribute("aria-pressed", String(status.mode === "page"));
      width.setAttribute("aria-pressed", String(status.mode === "width"));
      spread.hidden = !status.canSpread;
      spread.setAttribute("aria-pressed", String(status.wanted === 2));
    },
  };
}
