// A surface in its host: its element above all others of the document, its styles, and how it is taken away again.

import { h } from "./dom.js";

const mounted = new WeakMap();

/**
 * Puts an element of those classes inside `host` and calls `boot({ host, surface, styled, life })`: `styled` resolves once it can be seen,
 * `life.over` says that it was taken away, and `life.later(work)` does something then. Returns the function that takes it away; mounting
 * again on the same host does that first.
 */
export function mountSurface(host, classes, boot) {
  mounted.get(host)?.();
  const link = h("link", { rel: "stylesheet", href: new URL("viewer.css", import.meta.url).href });
  const surface = h("div", { class: classes, testid: "surface", popover: "manual", hidden: true });
  const cleanups = [];
  const styled = new Promise((resolve) => {
    const show = () => { surface.hidden = false; if (surface.isConnected) surface.showPopover?.(); resolve(); };
    link.addEventListener("load", show);
    link.addEventListener("error", show);
  });
  host.before(link);
  host.append(surface);
  const life = { over: false, later: (work) => (life.over ? work() : cleanups.push(work)) };
  boot({ host, surface, styled, life });

  function unmount() {
    if (life.over) return;
    life.over = true;
    for (const work of cleanups.reverse()) work();
    surface.remove();
    link.remove();
    for (const name of ["ready", "saving", "revision"]) delete host.dataset[name];
    if (mounted.get(host) === unmount) mounted.delete(host);
  }
  mounted.set(host, unmount);
  return unmount;
}
