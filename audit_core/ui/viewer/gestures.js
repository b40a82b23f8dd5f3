// Mouse, touch pad and touch on one page: drag to pan, wheel and pinch to zoom at the pointer, swipe, click and double click.

const SLOP = { mouse: 4, pen: 8, touch: 12 };      // pixels that a hand may tremble in a click
const SWIPE_MS = 600, SWIPE_FAR = 60;              // a swipe: so quick, and so many pixels sideways
const TWICE_MS = 320, TWICE_NEAR = 36;             // two taps that are one double tap

/**
 * `on`: pan(dx, dy, by touch), zoom(factor, x, y), click(x, y), double(x, y, by touch), swipe(1 on or -1 back), start(), settle(), and
 * grab(x, y, by touch), which may give a drag {move(x, y, dx, dy), end(event or null)} that then gets the moves of this finger.
 * Positions are in pixels of `node`.
 */
export function attachGestures(node, on) {
  const fingers = new Map();
  let first = null;              // where and when the first finger came down: {x, y, at, kind}
  let strayed = false;           // the hand moved further than it trembles, or had more than one finger: no click
  let pinched = false;
  let drag = null;               // {hold, x, y}
  let tapped = null;             // the last tap
  let calm = null;

  const place = (event) => {
    const frame = node.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const apart = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);
  const byTouch = () => first?.kind === "touch";
  function settleSoon() { clearTimeout(calm); calm = setTimeout(on.settle, 160); }

  function wheel(event) {
    event.preventDefault();
    on.start();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? node.clientHeight : 1;
    if (event.shiftKey) on.pan(-event.deltaX * unit, -event.deltaY * unit, false);
    else {
      const { x, y } = place(event);
      const speed = event.ctrlKey ? 0.01 : 0.0015;          // a pinch on a touch pad arrives as small ctrl+wheel steps
      on.zoom(Math.exp(-Math.max(-300, Math.min(300, event.deltaY * unit)) * speed), x, y);
    }
    settleSoon();
  }
  function down(event) {
    if (event.button !== 0 || event.target.closest("button, a")) return;     // capturing the pointer would swallow their click
    node.setPointerCapture(event.pointerId);
    const { x, y } = place(event);
    fingers.set(event.pointerId, { x, y });
    if (fingers.size === 1) {
      first = { x, y, at: event.timeStamp, kind: event.pointerType };
      strayed = pinched = false;
    } else strayed = pinched = true;
    on.start();
    if (drag) { drag.hold.end(null); drag = null; }              // a second finger: it is a pinch
    else if (fingers.size === 1) { const hold = on.grab(x, y, byTouch()); drag = hold && { hold, x, y }; }
  }
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    if (!strayed && apart(now, first) <= (SLOP[first.kind] ?? SLOP.mouse)) {
      if (byTouch()) return;                                     // a finger that only presses moves nothing
    } else strayed = true;
    if (drag) drag.hold.move(now.x, now.y, now.x - drag.x, now.y - drag.y);
    else if (fingers.size === 1) on.pan(now.x - before.x, now.y - before.y, byTouch());
    else if (fingers.size === 2) {               // the page's point between the fingers stays between them
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      on.pan((now.x - before.x) / 2, (now.y - before.y) / 2, false);
      on.zoom(Math.max(12, apart(now, other)) / Math.max(12, apart(before, other)), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    fingers.set(event.pointerId, now);
  }
  function click(event, { x, y }) {
    on.click(x, y);
    if (!byTouch()) return;
    const again = tapped && event.timeStamp - tapped.at < TWICE_MS && apart(tapped, { x, y }) < TWICE_NEAR;
    tapped = again ? null : { x, y, at: event.timeStamp };
    if (again) on.double(x, y, true);
  }
  function up(event) {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    settleSoon();
    const lifted = event.type === "pointerup";
    const held = drag;
    drag = null;
    held?.hold.end(lifted ? event : null);
    const now = place(event);
    if (lifted && !strayed) click(event, now);
    else if (lifted && !held && !pinched && byTouch() && event.timeStamp - first.at < SWIPE_MS) {
      const across = now.x - first.x;
      if (Math.abs(across) > Math.max(SWIPE_FAR, 2 * Math.abs(now.y - first.y))) on.swipe(across < 0 ? 1 : -1);
    }
  }
  function double(event) { const { x, y } = place(event); if (!byTouch()) on.double(x, y, false); }

  node.addEventListener("wheel", wheel, { passive: false });
  // What moves is ours alone: a browser that thinks it is a fling takes the next tap, wherever it falls, as the end of it.
  node.addEventListener("touchmove", (event) => { if (event.cancelable) event.preventDefault(); }, { passive: false });
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", up);
  node.addEventListener("dblclick", double);
  node.addEventListener("contextmenu", (event) => { if (fingers.size && byTouch()) event.preventDefault(); });      // a finger that rests is no right click
  return () => clearTimeout(calm);       // the listeners go with the node
}
