// One page, large: header, image, boxes, and the view of it (zoom and position).

import { createBoxes } from "./boxes.js";
import { button, h } from "./dom.js";
import { pagePlace } from "./format.js";
import * as geometry from "./geometry.js";
import { createDrawing } from "./drawing.js";
import { attachGestures } from "./gestures.js";
import { createLeafBar } from "./leafbar.js";
import { createPaneHead } from "./panehead.js";
import { createSharpness } from "./sharpness.js";
import { pictureTransform, turnedBack, turnedBox, turnedInk, turnedPage } from "./turned.js";

const HANDY = 8;               // pixels around the middle of a tiny box in which it is hit

/**
 * `on`: focus(), click(box or null, is it on the page), view(), mean(code), leaf: {step(by), find(text), back()}, and
 * for corrections hand() -> {draws, chosen} or null, drawn(box, free), placed(box, free).
 * Shows one `sheet` ({page, index (null: not listed), total, colour, first, letterOf, badges, view, turn}) at a time.
 */
export function createPane({ images, on }) {
  const head = createPaneHead({ on });
  const bar = createLeafBar({ on: on.leaf });
  const boxes = createBoxes();
  const picture = h("div", { class: "picture" });
  const layer = h("div", { class: "layer" }, picture, boxes.node);
  const stage = h("div", { class: "sheet", testid: "sheet" });
  const node = h("section", { class: "pane", testid: "pane" }, head.node, stage, bar.node);
  let sheet = null;
  let shape = null;            // the page of the sheet as it is turned
  let ink = null;              // how dark its parts are, once that is measured
  let size = { width: 0, height: 0 };

  const oneToOne = () => 1 / window.devicePixelRatio;
  function look(view, mode = "free") {
    if (!sheet) return;
    sheet.view = view;
    sheet.mode = mode;
    layer.style.transform = `translate(${view.x}px, ${view.y}px)`;
    picture.style.transform = pictureTransform(sheet.page, sheet.turn ?? 0, view.k);
    if (sheet.page.src) sharpness.look(sheet.page, view.k / oneToOne());
    if (sheet.page.src) boxes.look(view, size, { settled: !layer.classList.contains("moving") });
    on.view();
  }
  const free = (view) => look(geometry.inSight(view, shape, size));

  function fit(mode) {
    if (!sheet || !size.width) return;
    const view = mode === "page" ? geometry.fitPage(shape, size) : geometry.fitWidth(shape, size);
    look(mode === "page" ? view : geometry.withFirstBox(view, shape, size, shape.boxes), mode);
  }

  function cannotShow(words, retry) {
    stage.classList.remove("loading");
    picture.replaceChildren();
    stage.replaceChildren(h("div", { class: "no-page", testid: "page-problem" },
      h("h3", null, "This page cannot be shown"), h("p", null, words), h("p", null, "You can still judge this entry."),
      retry ? button("Retry", { testid: "page-retry", onclick: retry }) : null));
  }

  /** Puts a decoded picture in. Two with the same page need two of it. */
  function put(item) {
    const { page } = sheet;
    const taken = item.img.isConnected && item.img.parentNode !== picture;       // the other pane shows the same page
    const img = taken ? item.img.cloneNode() : item.img;
    img.alt = `${page.title}, ${pagePlace(page)}`;
    img.width = page.width;
    img.height = page.height;
    picture.replaceChildren(img);
    stage.classList.remove("loading");
  }
  const sharpness = createSharpness({ images, swap: put });

  function develop(item) {
    const { page } = sheet;
    ink = item.ink;
    boxes.avoid(turnedInk(ink, sheet.turn ?? 0));
    item.onInk = (measured) => {
      if (sheet?.page !== page || !sheet.view) return;
      ink = measured;
      boxes.avoid(turnedInk(ink, sheet.turn ?? 0));
      boxes.look(sheet.view, size);
    };
    put(item);
    if (sheet.view) boxes.look(sheet.view, size);
  }

  /** The store may have forgotten the failed image meanwhile, and fetched it anew. */
  function retry() {
    const { src } = sheet.page;
    if (images.load(src).state === "failed") images.again(src);
    paint();
  }

  function paint() {
    const shown = sheet;
    const { page } = shown;
    shape = turnedPage({ ...page, boxes: shown.boxes ?? page.boxes }, shown.turn ?? 0);
    sharpness.reset();
    ink = null;
    if (!page.src) { cannotShow(page.problem ?? "Its image is not in the dataset."); return; }
    const failed = () => cannotShow("Its image could not be loaded from the server.", retry);
    const item = images.load(page.src);
    picture.style.width = `${page.width}px`;
    picture.style.height = `${page.height}px`;
    boxes.show(shape, shown);
    if (item.state === "failed") { failed(); return; }
    stage.replaceChildren(layer);
    if (item.state === "ready") develop(item);
    else {
      picture.replaceChildren();
      stage.classList.add("loading");           // a white sheet might be taken for an empty page
      item.done.then(() => {
        if (sheet !== shown) return;
        if (item.state === "ready") develop(item);
        else failed();
      });
    }
  }

  const watcher = new ResizeObserver(() => {
    size = { width: stage.clientWidth, height: stage.clientHeight };
    if (!sheet || !size.width) return;
    if (sheet.goal) lookAt(sheet.goal);
    else if (!sheet.view || sheet.mode !== "free") fit(sheet.mode ?? "width");
    else look(sheet.view);
  });
  watcher.observe(stage);

  const upright = (work) => (box, unsnapped) => work(turnedBack(box, sheet.turn ?? 0), unsnapped);
  const drawing = createDrawing({
    pane: {
      part: (x, y) => [(x - sheet.view.x) / sheet.view.k / shape.width, (y - sheet.view.y) / sheet.view.k / shape.height],
      frameOf: (box) => geometry.boxInPane(sheet.view, shape, box),
      preview: (box) => boxes.preview(box),
    },
    on: { drawn: upright((...drawn) => on.drawn(...drawn)), placed: upright((...placed) => on.placed(...placed)) },
  });

  const free_ = attachGestures(stage, {
    grab(x, y, byTouch) {
      const hand = sheet?.view && sheet.page.src ? on.hand() : null;
      return hand && drawing.grab(x, y, { ...hand, byTouch, chosen: hand.chosen && turnedBox(hand.chosen, sheet.turn ?? 0) });
    },
    start() { if (sheet?.page.src) layer.classList.add("moving"); on.focus(); },
    settle() {
      layer.classList.remove("moving");
      if (sheet?.view && sheet.page.src) boxes.look(sheet.view, size);
    },
    pan(dx, dy, byTouch) {
      if (!sheet?.view) return;
      const { view } = sheet;
      if (byTouch && geometry.fitsAcross(view, shape, size)) look(geometry.scrolled(view, dy, shape, size));
      else free({ ...view, x: view.x + dx, y: view.y + dy });
    },
    /** Sideways over a page that is no wider than its pane: to its neighbour. */
    swipe(by) { if (sheet?.view && geometry.fitsAcross(sheet.view, shape, size)) on.leaf.step(by); },
    zoom(factor, x, y) { if (sheet?.view) free(geometry.zoomAt(sheet.view, factor, x, y)); },
    click(x, y) {
      if (!sheet?.view) return;
      const { view } = sheet;
      const across = (x - view.x) / view.k / shape.width, down = (y - view.y) / view.k / shape.height;
      const box = boxes.hit(across, down, [HANDY / view.k / shape.width, HANDY / view.k / shape.height]);
      on.click(box < 0 ? null : box, across >= 0 && across <= 1 && down >= 0 && down <= 1);
    },
    double(x, y, byTouch) { if (byTouch) toggleClose(x, y); else toggleOneToOne(x, y); },
  });

  /** The middle of the view in parts of the page, as it is turned. */
  const middle = () => [(size.width / 2 - sheet.view.x) / sheet.view.k / shape.width, (size.height / 2 - sheet.view.y) / sheet.view.k / shape.height];
  /** The same in parts of the page itself. */
  function aim() {
    const [x, y] = middle();
    const back = turnedBack({ x0: x, y0: y, x1: x, y1: y }, sheet.turn ?? 0);
    return { zoom: sheet.view.k / oneToOne(), at: [back.x0, back.y0] };
  }

  /** Goes to what a link names: `zoom` (1 = the picture's own pixels), with `at` or else the box in the middle. */
  function lookAt(goal) {
    if (!size.width) { sheet.goal = goal; return; }
    delete sheet.goal;
    fit("width");
    const box = shape.boxes[goal.box];
    if (box) look(geometry.zoomToBox(shape, size, box, 1.5 * oneToOne()));
    const at = goal.at ?? (box ? middle() : null);
    const k = goal.zoom ? geometry.bounded(goal.zoom * oneToOne()) : sheet.view.k;
    if (at) free({ k, x: size.width / 2 - at[0] * shape.width * k, y: size.height / 2 - at[1] * shape.height * k });
    else if (goal.zoom) free(geometry.zoomAt(sheet.view, k / sheet.view.k, size.width / 2, 0));
  }

  function toggleOneToOne(x = size.width / 2, y = size.height / 2) {
    if (!sheet?.view) return;
    if (Math.abs(sheet.view.k - oneToOne()) < 1e-6) fit("width");
    else free(geometry.zoomAt(sheet.view, oneToOne() / sheet.view.k, x, y));
  }

  /** On a tablet 1:1 may be smaller than the page in its pane: two taps show twice that, and the whole width again. */
  function toggleClose(x, y) {
    if (!sheet?.view) return;
    const close = Math.max(oneToOne(), 2 * geometry.fitWidth(shape, size).k);
    if (sheet.view.k > 0.99 * close) fit("width");
    else free(geometry.zoomAt(sheet.view, close / sheet.view.k, x, y));
  }

  return {
    node,
    get sheet() { return sheet; },
    /** Shows another sheet; a sheet that was shown before keeps its view. */
    show(next) {
      sheet = next;
      node.classList.toggle("leafed", next.index === null);
      size = { width: stage.clientWidth, height: stage.clientHeight };
      head.show(next);
      paint();
      if (next.view && next.mode === "free") look(next.view);
      else { next.view = null; fit(next.mode ?? "width"); }
    },
    /** Tries an image again that could not be loaded; any other page is left as it is. */
    retryFailed() { if (sheet?.page.src && stage.querySelector(".no-page")) retry(); },
    clear() { sheet = null; sharpness.reset(); stage.classList.remove("loading"); picture.replaceChildren(); stage.replaceChildren(); head.clear(); bar.show(null, {}); node.classList.remove("leafed"); },
    bar,
    /** Shows the boxes of the sheet anew, as they are now proposed. */
    reboxes() {
      if (!sheet?.page.src) return;
      const chosen = boxes.chosen;
      shape = turnedPage({ ...sheet.page, boxes: sheet.boxes ?? sheet.page.boxes }, sheet.turn ?? 0);
      boxes.show(shape, sheet);
      boxes.avoid(turnedInk(ink, sheet.turn ?? 0));
      boxes.select(chosen < shape.boxes.length ? chosen : -1);
      if (sheet.view) boxes.look(sheet.view, size);
    },
    /** One pixel of the screen in parts of the page as it lies: [across, down]. */
    get pixel() { return sheet?.view ? [1 / sheet.view.k / shape.width, 1 / sheet.view.k / shape.height] : [0, 0]; },
    get turn() { return sheet?.turn ?? 0; },
    propose(words) { head.propose(words); },
    /** What annotators say of the page as a whole: [{by, words}]. */
    others(list) { head.others(list); },
    /** Says on header and boxes which codes mean them: `codes` as `createPaneHead` takes them, `codesOf(box)` the letters. */
    mark(codes, codesOf) {
      head.mark(codes);
      if (sheet?.page.src && boxes.mark(codesOf) && sheet.view) boxes.look(sheet.view, size);
    },
    get chosen() { return boxes.chosen; },
    fit,
    toggleOneToOne,
    zoom(factor) { if (sheet?.view) free(geometry.zoomAt(sheet.view, factor, size.width / 2, size.height / 2)); },
    /** Scrolls by parts of the pane's height. */
    scroll(share) { if (sheet?.view) free({ ...sheet.view, y: sheet.view.y - share * size.height }); },
    select(at, { go = false } = {}) {
      boxes.select(at);
      if (go && shape?.boxes[at] && size.width) look(geometry.zoomToBox(shape, size, shape.boxes[at], 1.5 * oneToOne()));
    },
    /** Turns the page by a quarter to the right, for looking at it only. */
    rotate() {
      if (!sheet?.page.src) return;
      const chosen = boxes.chosen;
      sheet.turn = ((sheet.turn ?? 0) + 1) % 4;
      paint();
      boxes.select(chosen);
      fit(sheet.mode === "page" ? "page" : "width");
    },
    lookAt(goal) { if (sheet) lookAt(goal); },
    /** What a link says of the view: zoom and middle; null where no page is shown. */
    get aim() { return sheet?.view && sheet.page.src ? aim() : null; },
    /** Zoom in percent of the image's own pixels on this screen; null where no page is shown. */
    percent: () => (sheet?.view && sheet.page.src ? Math.round((100 * sheet.view.k) / oneToOne()) : null),
    stop() { watcher.disconnect(); free_(); },
  };
}
