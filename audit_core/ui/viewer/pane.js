// One page, large: header, image, boxes, and the view of it (zoom and position).

import { createBoxes } from "./boxes.js";
import { inkOn } from "./colours.js";
import { button, h } from "./dom.js";
import { pagePlace } from "./format.js";
import * as geometry from "./geometry.js";
import { attachGestures } from "./gestures.js";

/** `on`: focus(), box(at), view(). Shows one `sheet` ({page, index, total, colour, first, badges, view}) at a time. */
export function createPane({ images, on }) {
  const head = h("header", { class: "pane-head", testid: "pane-head" });
  const boxes = createBoxes();
  const picture = h("div", { class: "picture" });
  const layer = h("div", { class: "layer" }, picture, boxes.node);
  const stage = h("div", { class: "sheet", testid: "sheet" });
  const node = h("section", { class: "pane", testid: "pane" }, head, stage);
  let sheet = null;
  let size = { width: 0, height: 0 };

  const oneToOne = () => 1 / window.devicePixelRatio;
  function look(view, mode = "free") {
    if (!sheet) return;
    sheet.view = view;
    sheet.mode = mode;
    layer.style.transform = `translate(${view.x}px, ${view.y}px)`;
    picture.style.transform = `scale(${view.k})`;
    if (sheet.page.src) boxes.look(view, size, { settled: !layer.classList.contains("moving") });
    on.view();
  }
  const free = (view) => look(geometry.inSight(view, sheet.page, size));

  function fit(mode) {
    if (!sheet || !size.width) return;
    const view = mode === "page" ? geometry.fitPage(sheet.page, size) : geometry.fitWidth(sheet.page, size);
    look(mode === "page" ? view : geometry.withFirstBox(view, sheet.page, size, sheet.page.boxes), mode);
  }

  function header() {
    const { page, index, total, colour, badges } = sheet;
    const number = h("span", { class: "number", style: `background:${colour};color:${inkOn(colour)}` }, String(index + 1));
    head.replaceChildren(
      h("div", { class: "pane-line" }, number,
        h("span", { class: "pane-title", dir: "auto", title: page.title }, page.title || page.document_id),
        h("span", { class: "pane-place" }, pagePlace(page)),
        h("span", { class: "pane-count" }, `evidence ${index + 1} of ${total}`)),
      ...[badges.length || !page.boxes.length || page.warning ? h("div", { class: "pane-line notes" },
        badges.map((words) => h("span", { class: "badge", dir: "auto" }, words)),
        page.boxes.length ? null : h("span", { class: "badge quiet" }, "whole page: no box"),
        page.warning ? h("span", { class: "pane-warning", testid: "page-warning" }, `⚠ ${page.warning}`) : null) : null,
      ].filter(Boolean));
  }

  function cannotShow(words, retry) {
    picture.replaceChildren();
    stage.replaceChildren(h("div", { class: "no-page", testid: "page-problem" },
      h("h3", null, "This page cannot be shown"), h("p", null, words), h("p", null, "You can still judge this entry."),
      retry ? button("Retry", { testid: "page-retry", onclick: retry }) : null));
  }

  function develop(item) {
    const { page } = sheet;
    item.img.alt = `${page.title}, ${pagePlace(page)}`;
    item.img.width = page.width;
    item.img.height = page.height;
    boxes.avoid(item.ink);
    item.onInk = (ink) => {
      if (sheet?.page !== page || !sheet.view) return;
      boxes.avoid(ink);
      boxes.look(sheet.view, size);
    };
    picture.replaceChildren(item.img);
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
    if (!page.src) { cannotShow(page.problem ?? "Its image is not in the dataset."); return; }
    const failed = () => cannotShow("Its image could not be loaded from the server.", retry);
    const item = images.load(page.src);
    picture.style.width = `${page.width}px`;
    picture.style.height = `${page.height}px`;
    boxes.show(page, { colour: shown.colour, first: shown.first });
    if (item.state === "failed") { failed(); return; }
    stage.replaceChildren(layer);
    if (item.state === "ready") develop(item);
    else {
      picture.replaceChildren();
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
    if (!sheet.view || sheet.mode !== "free") fit(sheet.mode ?? "width");
    else look(sheet.view);
  });
  watcher.observe(stage);

  const free_ = attachGestures(stage, {
    start() { if (sheet?.page.src) layer.classList.add("moving"); on.focus(); },
    settle() {
      layer.classList.remove("moving");
      if (sheet?.view && sheet.page.src) boxes.look(sheet.view, size);
    },
    pan(dx, dy) { if (sheet?.view) free({ ...sheet.view, x: sheet.view.x + dx, y: sheet.view.y + dy }); },
    zoom(factor, x, y) { if (sheet?.view) free(geometry.zoomAt(sheet.view, factor, x, y)); },
    click(x, y) {
      if (!sheet?.view) return;
      const { view, page } = sheet;
      on.box(boxes.hit((x - view.x) / view.k / page.width, (y - view.y) / view.k / page.height));
    },
    double(x, y) { toggleOneToOne(x, y); },
  });

  function toggleOneToOne(x = size.width / 2, y = size.height / 2) {
    if (!sheet?.view) return;
    if (Math.abs(sheet.view.k - oneToOne()) < 1e-6) fit("width");
    else free(geometry.zoomAt(sheet.view, oneToOne() / sheet.view.k, x, y));
  }

  return {
    node,
    get sheet() { return sheet; },
    /** Shows another sheet; a sheet that was shown before keeps its view. */
    show(next) {
      sheet = next;
      size = { width: stage.clientWidth, height: stage.clientHeight };
      header();
      paint();
      if (next.view && next.mode === "free") look(next.view);
      else { next.view = null; fit(next.mode ?? "width"); }
    },
    /** Tries an image again that could not be loaded; any other page is left as it is. */
    retryFailed() { if (sheet?.page.src && stage.querySelector(".no-page")) retry(); },
    clear() { sheet = null; picture.replaceChildren(); stage.replaceChildren(); head.replaceChildren(); },
    fit,
    toggleOneToOne,
    zoom(factor) { if (sheet?.view) free(geometry.zoomAt(sheet.view, factor, size.width / 2, size.height / 2)); },
    /** Scrolls by parts of the pane's height. */
    scroll(share) { if (sheet?.view) free({ ...sheet.view, y: sheet.view.y - share * size.height }); },
    select(at, { go = false } = {}) {
      boxes.select(at);
      if (go && sheet?.page.boxes[at] && size.width) {
        look(geometry.zoomToBox(sheet.page, size, sheet.page.boxes[at], 1.5 * oneToOne()));
      }
    },
    /** Zoom in percent of the image's own pixels on this screen; null where no page is shown. */
    percent: () => (sheet?.view && sheet.page.src ? Math.round((100 * sheet.view.k) / oneToOne()) : null),
    stop() { watcher.disconnect(); free_(); },
  };
}
