// Drawing on a page: a new box, or the chosen one moved or resized by its edges. Near an element of the page a box snaps to it.

const REACH = 9;               // pixels around an edge that count as the edge
const FINGER = 22;             // the same for a finger
const SMALLEST = 5;            // pixels; less is a click
const SNAP = 0.6;              // intersection over union from which a box is taken for an element

const within = (value) => Math.min(1, Math.max(0, value));

/** Intersection over union of two boxes {x0, y0, x1, y1}. */
export function overlap(one, two) {
  const width = Math.min(one.x1, two.x1) - Math.max(one.x0, two.x0), height = Math.min(one.y1, two.y1) - Math.max(one.y0, two.y0);
  if (width <= 0 || height <= 0) return 0;
  const area = (box) => (box.x1 - box.x0) * (box.y1 - box.y0);
  return (width * height) / (area(one) + area(two) - width * height);
}

/** The element that a drawn box means, or null; `not` is an element that it may not be. */
export function snapped(box, elements, not = null) {
  let best = null, most = SNAP;
  for (const element of elements ?? []) {
    const share = element.element_id === not ? 0 : overlap(box, element);
    if (share > most) { most = share; best = element; }
  }
  return best;
}

/** Whether a box at a place still means the element that lies at `was` ([x0, y0, x1, y1]). */
export const isStillOn = (box, was) => Boolean(was) && overlap(box, { x0: was[0], y0: was[1], x1: was[2], y1: was[3] }) > SNAP;

/** Which edges of `frame` (pixels) lie at a point: {left, top, right, bottom}, all true inside (to move it), null away from it. */
function grip(frame, x, y, reach) {
  if (x < frame.left - reach || x > frame.right + reach || y < frame.top - reach || y > frame.bottom + reach) return null;
  // Inside, the middle half of even the smallest box is left to move it.
  const near = (side, at, inwards, span) => Math.abs(at - side) <= (inwards > 0 ? Math.min(reach, span / 4) : reach);
  const width = frame.right - frame.left, height = frame.bottom - frame.top;
  const edges = { left: near(frame.left, x, x - frame.left, width), right: near(frame.right, x, frame.right - x, width),
    top: near(frame.top, y, y - frame.top, height), bottom: near(frame.bottom, y, frame.bottom - y, height) };
  if (edges.left && edges.right) edges.left = false;
  if (edges.top && edges.bottom) edges.top = false;
  if (Object.values(edges).some(Boolean)) return edges;
  return { left: true, top: true, right: true, bottom: true };
}

/** A box with the given edges moved; what is moved whole stays on its page as it is. */
export function movedBox(box, edges, dx, dy) {
  if (edges.left && edges.right) {
    const x = Math.max(-box.x0, Math.min(1 - box.x1, dx)), y = Math.max(-box.y0, Math.min(1 - box.y1, dy));
    return { ...box, x0: box.x0 + x, x1: box.x1 + x, y0: box.y0 + y, y1: box.y1 + y };
  }
  const x0 = within(box.x0 + (edges.left ? dx : 0)), x1 = within(box.x1 + (edges.right ? dx : 0));
  const y0 = within(box.y0 + (edges.top ? dy : 0)), y1 = within(box.y1 + (edges.bottom ? dy : 0));
  return { ...box, x0: Math.min(x0, x1), x1: Math.max(x0, x1), y0: Math.min(y0, y1), y1: Math.max(y0, y1) };
}

/**
 * The hand on one page. `pane` gives part(x, y) -> parts of the page as it is turned, `frameOf(box)` in pixels, and preview(box or
 * null); `on.drawn(box, free)` and `on.placed(box, free)` take a finished box in parts of the page as it is turned.
 */
export function createDrawing({ pane, on }) {
  const drag = (make, done) => {
    let box = null;
    let far = 0;
    return {
      move(x, y, dx, dy) { far = Math.max(far, Math.abs(dx), Math.abs(dy)); box = make(x, y); pane.preview(box); },
      end(event) {
        pane.preview(null);
        if (box && event && far >= SMALLEST && box.x1 > box.x0 && box.y1 > box.y0) done(box, event.altKey);
      },
    };
  };
  return {
    /** What a finger or mouse that comes down at a point takes hold of, or null: then it pans. */
    grab(x, y, { draws, chosen, byTouch }) {
      const [x0, y0] = pane.part(x, y);
      if (draws) {
        return drag((nowX, nowY) => {
          const [x1, y1] = pane.part(nowX, nowY);
          return { x0: within(Math.min(x0, x1)), y0: within(Math.min(y0, y1)), x1: within(Math.max(x0, x1)), y1: within(Math.max(y0, y1)) };
        }, on.drawn);
      }
      const edges = chosen && chosen.state !== "dropped" ? grip(pane.frameOf(chosen), x, y, byTouch ? FINGER : REACH) : null;
      if (!edges) return null;
      return drag((nowX, nowY) => {
        const [x1, y1] = pane.part(nowX, nowY);
        return movedBox(chosen, edges, x1 - x0, y1 - y0);
      }, on.placed);
    },
  };
}
