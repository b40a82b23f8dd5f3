// The overlay that lists every key, made from the table that the handler reads.

import { h, openDialog } from "./dom.js";

export function openHelp(surface, table) {
  const groups = [...new Set(table.map((line) => line.group))];
  return openDialog(surface, { title: "Keys", testid: "help", wide: true }, h("div", { class: "help" },
    groups.map((group) => h("section", null, h("h3", null, group), h("dl", null,
      table.filter((line) => line.group === group).map((line) => h("div", { "data-keys": line.keys.join(" ") },
        h("dt", null, line.shown.split("  ").map((key) => h("kbd", null, key))), h("dd", null, line.words))))))),
  h("p", { class: "quiet" }, "Letters do nothing while you write. Drag moves a page, the wheel or two fingers zoom where they are, "
    + "Shift and wheel scrolls, a double click shows 1:1."));
}
