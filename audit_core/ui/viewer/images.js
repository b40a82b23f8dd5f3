// Decoded page images: fetched ahead, kept for the entries at hand, dropped when their entries are far.

import { measureInk } from "./ink.js";

/** The store. `load(src)` gives {img, state: "loading"|"ready"|"failed", done: promise that never rejects}. */
export function createImages() {
  const held = new Map();
  let listed = new Set();         // pages of the entries at hand
  let near = new Set();           // leafed pages worth keeping

  function start(src) {
    const img = new Image();
    img.decoding = "sync";          // painted in the same frame in which it is put into the page
    img.draggable = false;
    const item = { img, state: "loading", done: null, ink: null };
    img.src = src;
    item.done = img.decode().then(() => {
      item.state = "ready";
      measureInk(img).then((ink) => { item.ink = ink; item.onInk?.(ink); });
    }, () => { item.state = "failed"; }).then(() => item);
    held.set(src, item);
    return item;
  }
  const sources = (entry) => entry.pages.map((page) => page.src).filter(Boolean);

  return {
    load: (src) => held.get(src) ?? start(src),
    /** Tries a failed image again. */
    again(src) { held.delete(src); return start(src); },
    /** Resolves when every image of the entry is decoded or has failed. */
    whole: (entry) => Promise.all(sources(entry).map((src) => (held.get(src) ?? start(src)).done)),
    /** Fetches the images of `entries` ahead, one entry after the other. */
    async ahead(entries) {
      for (const entry of entries) await Promise.all(sources(entry).map((src) => (held.get(src) ?? start(src)).done));
    },
    /** The addresses of leafed pages near the one in view; others that were leafed through are forgotten. */
    keep(sources_) {
      const next = new Set(sources_);
      for (const src of near) if (!next.has(src) && !listed.has(src)) held.delete(src);
      near = next;
    },
    /** Forgets every image that none of `entries` shows, and failed ones, so that a later visit tries them again. */
    keepOnly(entries) {
      listed = new Set(entries.flatMap(sources));
      near = new Set();
      for (const [src, item] of held) if (!listed.has(src) || item.state === "failed") held.delete(src);
    },
    clear() { held.clear(); },
  };
}
