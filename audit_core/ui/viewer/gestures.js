// Mouse, touch pad and touch on one page: drag to pan, wheel and pinch to zoom at the pointer, click and double click.

const CLICK_MOVE = 4;          // pixels that a hand may tremble in a click

/**
 * `on`: pan(dx, dy), zoom(factor, x, y), click(x, y), double(x, y), start(), settle(), and grab(x, y), which may give a drag {move(x, y,
 * dx, dy), end(event or null)} that then gets the moves of this finger. Positions are in pixels of `node`.
 */
export function attachGestures(node, on) {
  const fingers = new Map();
  let moved = 0;
  let drag = null;               // {hold, x, y}
  let calm = null;

  const place = (event) => {
    const frame = node.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  function settleSoon() { clearTimeout(calm); calm = setTimeout(on.settle, 160); }

  function wheel(event) {
    event.preventDefault();
    on.start();
    const unit = event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? node.clientHeight : 1;
    if (event.shiftKey) on.pan(-event.deltaX * unit, -event.deltaY * unit);
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
    fingers.set(event.pointerId, place(event));
    if (fingers.size === 1) moved = 0;
    on.start();
    const { x, y } = place(event);
    if (drag) { drag.hold.end(null); drag = null; }              // a second finger: it is a pinch
    else if (fingers.size === 1) { const hold = on.grab(x, y); drag = hold && { hold, x, y }; }
  }
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (drag) drag.hold.move(now.x, now.y, now.x - drag.x, now.y - drag.y);
    else if (fingers.size === 1) on.pan(now.x - before.x, now.y - before.y);
    else if (fingers.size === 2) {               // the page's point between the fingers stays between them
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = (one) => Math.max(12, Math.hypot(one.x - other.x, one.y - other.y));
      on.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      on.zoom(apart(now) / apart(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
    }
    fingers.set(event.pointerId, now);
  }
  function up(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size) return;
    settleSoon();
    if (drag) {
      const { hold } = drag;
      drag = null;
      hold.end(event.type === "pointerup" ? event : null);
    }
    if (moved <= CLICK_MOVE && event.type === "pointerup") on.click(place(event).x, place(event).y);
  }
  function double(event) { const { x, y } = place(event); on.double(x, y); }

  node.addEventListener("wheel", wheel, { passive: false });
  node.addEventListener("pointerdown", down);
  node.addEventListener("pointermove", move);
  node.addEventListener("pointerup", up);
  node.addEventListener("pointercancel", up);
  node.addEventListener("dblclick", double);
  return () => clearTimeout(calm);       // the listeners go with the node
}
