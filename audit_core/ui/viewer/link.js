// Links that open exactly what is in view: entry, page, box, zoom, and the middle of the view.

import { button, h, openDialog } from "./dom.js";

const NAMES = ["page", "box", "zoom", "at"];

/** What a link says of the view: {page, box, zoom, at: [x, y]}, each null where it is absent or no number. */
export function viewOf({ page, box, zoom, at }) {
  const number = (text) => (text && Number.isFinite(Number(text)) ? Number(text) : null);
  const middle = (at ?? "").split(",").map(number);
  return { page: page || null, box: number(box), zoom: number(zoom), at: middle.length === 2 && !middle.includes(null) ? middle : null };
}

/** The address of a view. */
export function linkTo({ campaign, entry, view }) {
  const url = new URL(window.location.href);
  url.hash = "";
  url.searchParams.set("campaign", campaign);
  url.searchParams.set("entry", String(entry));
  const values = { page: view.page, box: view.box, zoom: view.zoom?.toFixed(2), at: view.at?.map((part) => part.toFixed(3)).join(",") };
  for (const name of NAMES) {
    if (values[name] === null || values[name] === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, values[name]);
  }
  return url.href;
}

/** Copies a link; where the browser offers no clipboard (plain http) a dialog shows it, ready to be copied. True where it was copied. */
export async function copyLink(surface, href) {
  try { await navigator.clipboard.writeText(href); return true; } catch { /* see above */ }
  const field = h("input", { type: "text", class: "link-field", testid: "link-field", readonly: true, value: href, "aria-label": "link" });
  const dialog = openDialog(surface, { title: "Link to what is in view", testid: "link-dialog" }, field,
    h("div", { class: "dialog-buttons" }, h("span", { class: "quiet" }, "Ctrl C copies it."), button("Close", { onclick: () => dialog.close() })));
  field.focus();
  field.select();
  return false;
}
