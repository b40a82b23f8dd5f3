// The strip of thumbnails beside the pages, where an entry has more than two.

import { inkOn } from "./colours.js";
import { h } from "./dom.js";
import { alternative } from "./format.js";

const FEWEST = 3;              // fewer pages stand side by side

/** `onChoose(index)` is called when a thumbnail is pressed. */
export function createStrip({ onChoose }) {
  const node = h("nav", { class: "strip", testid: "thumbnails", "aria-label": "evidence pages", hidden: true });

  function thumb({ page, index, colour }, entry) {
    const picture = page.src && !page.problem
      ? h("img", { src: page.src, alt: "", decoding: "async", draggable: "false", style: `aspect-ratio:${page.width}/${page.height}` })
      : h("span", { class: "no-thumb" }, "cannot be shown");
    if (page.src) picture.addEventListener("error", () => picture.replaceWith(h("span", { class: "no-thumb" }, "not loaded")));
    return h("button", { type: "button", class: "thumb", testid: "thumbnail", title: page.title, onclick: () => onChoose(index) },
      picture, h("span", { class: "thumb-line" },
        h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1)),
        h("span", null, `p. ${page.page_number}`),
        page.sets.map((set) => alternative(entry, set)).filter(Boolean).map(({ letter }) => h("span", { class: "badge" }, letter))));
  }
  return {
    node,
    /** The pages of another entry; none where it is null. */
    show(sheets, entry) {
      node.hidden = sheets.length < FEWEST;
      node.replaceChildren(...(node.hidden ? [] : sheets.map((sheet) => thumb(sheet, entry))));
    },
    /** Marks those that are large, and the one in front. */
    mark(large, front) {
      [...node.children].forEach((one, at) => { one.classList.toggle("shown", large.includes(at)); one.setAttribute("aria-current", String(front === at)); });
    },
    reveal(index) { node.children[index]?.scrollIntoView({ block: "nearest" }); },
  };
}
