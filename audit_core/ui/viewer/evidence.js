// The small list of evidence pages in the left column.

import { inkOn, pageColour } from "./colours.js";
import { h } from "./dom.js";
import { alternative, count, pagePlace } from "./format.js";

export function createEvidenceList({ onChoose }) {
  const title = h("h2");
  const sets = h("p", { class: "quiet" });
  const list = h("ol", { class: "evidence", testid: "evidence" });
  const node = h("div", { class: "evidence-block" }, title, sets, list);

  function row(entry, page, index) {
    const colour = pageColour(index);
    const badges = page.sets.map((set) => alternative(entry, set)?.words).filter(Boolean);
    const boxes = page.boxes.length ? count(page.boxes.length, "box", "boxes") : "no box";
    return h("li", null, h("button", { type: "button", class: "evidence-page", testid: "evidence-page", title: page.title,
      onclick: () => onChoose(index) },
    h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1)),
    h("span", { class: "evidence-words" }, h("span", { class: "evidence-title", dir: "auto" }, page.title || page.document_id),
      h("span", { class: "quiet" }, `${pagePlace(page)} · ${boxes}`),
      badges.map((words) => h("span", { class: "badge", dir: "auto" }, words)),
      page.src && !page.problem ? null : h("span", { class: "badge wrong" }, "cannot be shown"))));
  }

  return {
    node,
    show(entry) {
      title.textContent = entry.pages.length ? `Evidence · ${count(entry.pages.length, "page")}` : "Evidence";
      sets.textContent = entry.pages.length === 0 ? "no evidence page is given for this query"
        : entry.sets.length > 1 ? `${entry.sets.length} alternatives: one complete alternative answers the query` : "";
      sets.hidden = !sets.textContent;
      list.replaceChildren(...entry.pages.map((page, index) => row(entry, page, index)));
    },
    /** Marks the page that has the focus. */
    front(index) {
      [...list.children].forEach((item, at) => item.firstChild.setAttribute("aria-current", String(at === index)));
    },
  };
}
