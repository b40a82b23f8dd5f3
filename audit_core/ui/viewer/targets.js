// Which pages a code means: numbered tags for "wrong evidence" and "unneeded page", asked where there is a choice.

import { inkOn } from "./colours.js";
import { h } from "./dom.js";

/** The codes that speak of single pages. */
const OF_PAGES = ["E", "U"];

export function createTargets({ order, colours, act }) {
  const rows = order.filter((code) => OF_PAGES.includes(code)).map((code) => {
    const tags = h("span", { class: "tags" });
    return { code, tags, node: h("div", { class: "targets", testid: `targets-${code}`, hidden: true },
      h("span", { class: "letter", style: `background:${colours.get(code)};color:${inkOn(colours.get(code))}` }, code),
      h("span", null, "which?"), tags) };
  });
  const node = h("div", { class: "target-rows" }, rows.map((row) => row.node));
  let pages = [];

  return {
    node,
    show(entry) {
      pages = entry.pages;
      for (const row of rows) {
        row.tags.replaceChildren(...pages.map((page, index) => h("button", { type: "button", class: "target", title: page.title,
          "aria-pressed": "false", onclick: () => act("targetOf", { code: row.code, index }) }, String(index + 1))));
      }
    },
    update(answer, { closed }) {
      for (const row of rows) {
        row.node.hidden = pages.length < 2 || answer.outcome !== "judged" || !answer.codes.includes(row.code);
        [...row.tags.children].forEach((tag, index) => {
          tag.setAttribute("aria-pressed", String((answer.targets[row.code] ?? []).includes(pages[index].page_id)));
          tag.disabled = closed;
        });
      }
    },
  };
}

/** The code that Shift+digit speaks of: E before U; null where neither is chosen. */
export function targetCode(answer) {
  return OF_PAGES.find((code) => answer.outcome === "judged" && answer.codes.includes(code)) ?? null;
}
