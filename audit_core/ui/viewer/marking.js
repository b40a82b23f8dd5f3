// Pages added and boxes drawn as fields of an answer, in the form of a proposed correction: so the same hand and the same pages serve both.

import { boxesFieldOf, isAsked, pagesFieldOf } from "./fields.js";

/** Whether a protocol asks for boxes or pages among its fields. */
export const hasMarks = (protocol) => Boolean(boxesFieldOf(protocol) || pagesFieldOf(protocol));

/** What the fields say of pages and boxes, as a correction that only adds. */
export function asCorrection(fields, protocol) {
  const pages = fields[pagesFieldOf(protocol)?.name] ?? [], boxes = fields[boxesFieldOf(protocol)?.name] ?? [];
  return { add_pages: pages.map((page) => ({ page_id: page, set: "required" })),
    boxes: boxes.map(({ page_id, box }) => ({ page_id, element_id: null, action: "add", from: null, to: box })) };
}

/** The fields with the pages and boxes of a correction; what was said of a page that is no longer there goes with it. */
export function asFields(fields, correction, protocol) {
  const pagesName = pagesFieldOf(protocol)?.name, boxesName = boxesFieldOf(protocol)?.name;
  const pages = (correction?.add_pages ?? []).map((page) => page.page_id);
  const gone = (fields[pagesName] ?? []).filter((page) => !pages.includes(page));
  const next = { ...fields };
  for (const field of protocol.fields.filter((one) => one.per_page && one.name in next)) {
    next[field.name] = Object.fromEntries(Object.entries(next[field.name]).filter(([page]) => !gone.includes(page)));
    if (!Object.keys(next[field.name]).length) delete next[field.name];
  }
  const put = (name, list) => { if (name && list.length) next[name] = list; else delete next[name]; };
  put(pagesName, pages);
  put(boxesName, (correction?.boxes ?? []).map(({ page_id, to }) => ({ page_id, box: to })));
  return next;
}

/** Whether pages may be added, after these answers. */
export const asksForPages = (protocol, fields) => Boolean(pagesFieldOf(protocol)) && isAsked(pagesFieldOf(protocol), fields);
/** Whether boxes may be drawn on a page, after these answers. */
export const asksForBoxes = (protocol, fields, page) => Boolean(boxesFieldOf(protocol)) && isAsked(boxesFieldOf(protocol), fields, page);
