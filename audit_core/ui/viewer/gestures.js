// Mouse, touch pad and touch on one page: drag to pan, wheel and pinch to zoom at the pointer, click and double click.

const CLICK_MOVE = 4;          // pixels that a hand may tremble in a click

/** `on`: pan(dx, dy), zoom(factor, x, y), click(x, y), double(x, y), start(), settle(). Positions are in pixels of `node`. */
export function attachGestures(node, on) {
  const fingers = new Map();
  let moved = 0;
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
  }
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    moved += Math.hypot(now.x - before.x, now.y - before.y);
    if (fingers.size === 1) on.pan(now.x - before.x, now.y - before.y);
    else {
      const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
      const apart = (one) => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
      on.zoom(apart(now) / apart(before), other.x, other.y);
    }
    fingers.set(event.pointerId, now);
  }
  function up(event) {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size) return;
    settleSoon();
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
