// Work that can wait until what was just put on the page is on the screen.

const AT_LATEST_MS = 300;      // a window that is out of sight paints nothing

/** Calls `work()` once, after the next frame was handed on. */
export function afterPaint(work) {
  let done = false;
  const once = () => { if (!done) { done = true; work(); } };
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(once, 0)));
  setTimeout(once, AT_LATEST_MS);
}
