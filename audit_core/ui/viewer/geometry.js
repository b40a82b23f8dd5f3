// Where a page stands in its pane. A view {x, y, k}: page pixel p is drawn at x + p * k, in CSS pixels of the pane.

const MARGIN = 10;
const SMALLEST = 0.02;
const LARGEST = 8;

const within = (value, low, high) => Math.min(high, Math.max(low, value));

/** A scale that is neither too small nor too large. */
export const bounded = (k) => within(k, SMALLEST, LARGEST);

/** The page at scale `k`: in the middle where it fits, else from its top left. */
function place(page, pane, k) {
  const free = (space, size) => (size <= space - 2 * MARGIN ? (space - size) / 2 : MARGIN);
  return { k, x: free(pane.width, page.width * k), y: free(pane.height, page.height * k) };
}

export function fitWidth(page, pane) {
  return place(page, pane, within((pane.width - 2 * MARGIN) / page.width, SMALLEST, LARGEST));
}

export function fitPage(page, pane) {
  const k = Math.min((pane.width - 2 * MARGIN) / page.width, (pane.height - 2 * MARGIN) / page.height);
  return place(page, pane, within(k, SMALLEST, LARGEST));
}

/** Scaled by `factor`; the page's point under (x, y) of the pane stays under it. */
export function zoomAt(view, factor, x, y) {
  const k = within(view.k * factor, SMALLEST, LARGEST);
  return { k, x: x - ((x - view.x) * k) / view.k, y: y - ((y - view.y) * k) / view.k };
}

/** The nearest view in which the page still reaches the middle of the pane. */
export function inSight(view, page, pane) {
  const limit = (at, size, space) => within(at, space / 2 - size, space / 2);
  return { k: view.k, x: limit(view.x, page.width * view.k, pane.width), y: limit(view.y, page.height * view.k, pane.height) };
}

/** Whether the page is no wider than its pane. */
export const fitsAcross = (view, page, pane) => page.width * view.k <= pane.width;

/** Moved down by `dy` as far as the page goes; where it fits, it stays. */
export function scrolled(view, dy, page, pane) {
  const lowest = Math.min(view.y, pane.height - MARGIN - page.height * view.k), highest = Math.max(view.y, MARGIN);
  const fits = page.height * view.k <= pane.height;
  return { ...view, y: fits ? view.y : within(view.y + dy, lowest, highest) };
}

/** A box of the page (parts of its width and height) as left, top, right, bottom in the pane. */
export function boxInPane(view, page, box) {
  const x = (part) => view.x + part * page.width * view.k;
  const y = (part) => view.y + part * page.height * view.k;
  return { left: x(box.x0), top: y(box.y0), right: x(box.x1), bottom: y(box.y1) };
}

function visibleShare(view, page, pane, box) {
  const b = boxInPane(view, page, box);
  const cut = (low, high, space) => Math.max(0, Math.min(high, space) - Math.max(low, 0)) / Math.max(1e-9, high - low);
  return cut(b.left, b.right, pane.width) * cut(b.top, b.bottom, pane.height);
}

/** The same view, moved up so far that the first box is seen, if none is seen by half; a box taller than the pane starts at its top. */
export function withFirstBox(view, page, pane, boxes) {
  if (!boxes.length || boxes.some((box) => visibleShare(view, page, pane, box) >= 0.5)) return view;
  const b = boxInPane(view, page, boxes[0]);
  const tall = b.bottom - b.top > pane.height - 80;
  const shift = tall ? 40 - b.top : (pane.height - b.bottom - b.top) / 2;
  const lowest = Math.min(MARGIN, pane.height - MARGIN - page.height * view.k);
  return { ...view, y: within(view.y + shift, lowest, MARGIN) };
}

/** The box in the middle of the pane, as large as is good to read: it fills most of the pane, at most `largest`. */
export function zoomToBox(page, pane, box, largest) {
  const width = Math.max(1, (box.x1 - box.x0) * page.width);
  const height = Math.max(1, (box.y1 - box.y0) * page.height);
  const whole = Math.min((pane.width * 0.9) / width, (pane.height * 0.8) / height);
  const k = within(whole, Math.min(fitPage(page, pane).k, largest), largest);
  return {
    k,
    x: pane.width / 2 - ((box.x0 + box.x1) / 2) * page.width * k,
    y: pane.height / 2 - ((box.y0 + box.y1) / 2) * page.height * k,
  };
}
