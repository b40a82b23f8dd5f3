// Active time: counts while the page is visible and something was pressed, moved or turned in the last minute.

const IDLE_MS = 60_000;
const LONGEST_MS = 86_400_000;      // the server takes no more than a day for one answer
const INPUTS = ["pointerdown", "pointermove", "wheel", "keydown"];

/** A clock that starts at 0 and needs no timer: it settles at each input and when it is read. */
export function createClock({ now = () => performance.now() } = {}) {
  let total = 0;
  let mark = document.visibilityState === "visible" ? now() : null;   // counted up to here; null while hidden
  let lastInput = now();

  function settle() {
    if (mark === null) return;
    const time = now();
    total += Math.max(0, Math.min(time, lastInput + IDLE_MS) - mark);
    mark = time;
  }
  function onInput() { settle(); lastInput = now(); }
  function onVisibility() {
    settle();
    mark = document.visibilityState === "visible" ? now() : null;
  }
  for (const name of INPUTS) window.addEventListener(name, onInput, { capture: true, passive: true });
  document.addEventListener("visibilitychange", onVisibility);

  return {
    /** Starts the time of another entry at `ms` (what its draft carried). */
    restart(ms = 0) { settle(); total = ms; lastInput = now(); },
    /** Milliseconds since the last input. */
    get idle() { return now() - lastInput; },
    /** Active milliseconds so far, a whole number. */
    read() { settle(); return Math.min(LONGEST_MS, Math.round(total)); },
    stop() {
      for (const name of INPUTS) window.removeEventListener(name, onInput, { capture: true });
      document.removeEventListener("visibilitychange", onVisibility);
    },
  };
}
