// The boxes of one page: an SVG over its image, in image pixels. Strokes and tags keep their size on the screen.

import { inkOn } from "./colours.js";
import { s } from "./dom.js";
import { boxInPane } from "./geometry.js";

const TAG_HEIGHT = 17;
const TAG_GAP = 3;
const ASIDE = 3;               // pixels by which each annotator's mark on one box lies outside the last one
const LEAST = 0.01;            // an SVG rectangle without width or height is not drawn at all

const asideOf = (box) => (box.state === "meant" ? ASIDE * (box.by.at + 1) : 0);
/** Where a box is drawn, in pixels of the page, `out` of them larger on each side. */
function outline(box, page, out = 0) {
  const x = box.x0 * page.width - out, y = box.y0 * page.height - out;
  return { x, y, width: Math.max(LEAST, box.x1 * page.width + out - x), height: Math.max(LEAST, box.y1 * page.height + out - y) };
}
function rectangle(box, page, colour, kind) {
  return s("rect", { class: kind, ...outline(box, page), stroke: colour, fill: "none", "vector-effect": "non-scaling-stroke",
    style: kind === "frame" && box.by ? `stroke-dasharray:${box.by.dash}` : null });
}

const STATES = { moved: " moved", dropped: " out", added: " new" };

/** The tag of a box: its number and kind, or the letter of the annotator who marked it (`by`, see everyone.js). */
function tag(number, box, colour, letter, codes) {
  const words = box.by ? `${box.by.label} ${box.words}` : `${box.state === "added" ? "+" : number} ${box.kind ?? "box"}${letter ? ` · alt. ${letter}` : ""}${STATES[box.state] ?? ""}${codes ? ` · ${codes}` : ""}`;
  const width = 11 + 6.4 * words.length;
  return { width, node: s("g", { class: "tag" },
    s("rect", { width, height: TAG_HEIGHT, rx: 3, fill: colour }),
    s("text", { x: width / 2, y: 12.5, "text-anchor": "middle", fill: inkOn(colour) }, words)) };
}

/** An overlay that shows the boxes of one page at a time. */
export function createBoxes() {
  const node = s("svg", { class: "boxes", "data-testid": "boxes" });
  let drawn = [];
  let page = null;
  let ink = null;
  let chosen = -1;
  let numbers = { colour: "#000000", first: 1, letterOf: () => null };

  /** Where a tag goes: outside its box, wholly in sight, on none of the tags `placed`, at the corner where it covers the least ink of the page. */
  function corner({ box, width }, view, pane, placed) {
    const lies = boxInPane(view, page, box), out = asideOf(box);
    const frame = { left: lies.left - out, top: lies.top - out, right: lies.right + out, bottom: lies.bottom + out };
    const across = (x) => (x - view.x) / view.k / page.width;
    const down = (y) => (y - view.y) / view.k / page.height;
    const above = frame.top - TAG_HEIGHT - TAG_GAP, below = frame.bottom + TAG_GAP;
    const before = frame.left - width - TAG_GAP, after = frame.right + TAG_GAP;
    const places = [[frame.left, above], [before, frame.top], [frame.right - width, above], [after, frame.top],
      [frame.left, below], [before, frame.bottom - TAG_HEIGHT], [after, frame.bottom - TAG_HEIGHT], [frame.right - width, below]];
    let best = places[0], least = Infinity;
    for (const [x, y] of places) {
      const cut = x < 0 || y < 0 || x + width > pane.width || y + TAG_HEIGHT > pane.height;
      const dark = ink ? ink(across(x), down(y), across(x + width), down(y + TAG_HEIGHT)) : 0;
      const onTag = placed.some((other) => x < other.x + other.width && other.x < x + width && y < other.y + TAG_HEIGHT && other.y < y + TAG_HEIGHT);
      const cost = dark + (cut ? 10 : 0) + (onTag ? 5 : 0);
      if (cost < least - 0.004) { least = cost; best = [x, y]; }
    }
    return [best[0] - view.x, best[1] - view.y];
  }

  return {
    node,
    /** Draws the boxes of `shown`, numbered from `first`; `letterOf(box)` names the alternative of a box, null where there is one set only. */
    show(shown, { colour, first, letterOf }) {
      page = shown;
      ink = null;
      chosen = -1;
      numbers = { colour, first, letterOf };
      delete node.dataset.k;
      node.setAttribute("viewBox", `0 0 ${page.width} ${page.height}`);
      drawn = page.boxes.map((box, at) => {
        const line = box.by?.colour ?? colour;
        const made = tag(first + at, box, line, box.by ? null : letterOf(box), "");
        const named = box.by ? { class: `box other ${box.state}`, "data-testid": "other-box", "data-by": box.by.label, "data-state": box.state }
          : { class: `box ${box.state ?? ""}`, "data-testid": "box", "data-number": first + at, "data-state": box.state };
        const group = s("g", named, rectangle(box, page, "#FFFFFF", "halo"), rectangle(box, page, line, "frame"), box.by ? null : made.node);
        return { box, group, width: made.width, tag: made.node, codes: "" };
      });
      // Lines of several annotators cross: their tags lie on top of all of them.
      node.replaceChildren(...drawn.map((item) => item.group), s("g", { "data-testid": "other-tags" }, drawn.filter((item) => item.box.by).map((item) => item.tag)));
    },
    /** Shows a box that is being drawn or moved; null takes it away. */
    preview(box) {
      node.querySelector(".preview")?.remove();
      if (box) node.append(rectangle(box, page, numbers.colour, "preview"));
    },
    /** Says on the tags which codes mean a box: `codesOf(box)` gives their letters. True where a tag changed. */
    mark(codesOf) {
      let changed = false;
      drawn.forEach((item, at) => {
        const codes = item.box.by ? "" : codesOf(item.box);
        if (codes === item.codes) return;
        const made = tag(numbers.first + at, item.box, numbers.colour, numbers.letterOf(item.box), codes);
        item.tag.replaceWith(made.node);
        item.group.classList.toggle("meant", Boolean(codes));
        Object.assign(item, { tag: made.node, width: made.width, codes, at: undefined });
        changed = true;
      });
      return changed;
    },
    /** `measure(left, top, right, bottom)` says how dark a part of the page is (0-1); tags then avoid what is printed. */
    avoid(measure) { ink = measure; },
    /** Follows a view: the overlay has the size of the page on the screen. `settled` is false while a hand is moving it. */
    look(view, pane, { settled = true } = {}) {
      const width = page.width * view.k, height = page.height * view.k;
      if (node.dataset.k !== String(view.k)) {
        for (const { box, group } of drawn) {
          if (box.state !== "meant") continue;
          const lies = outline(box, page, asideOf(box) / view.k);
          for (const line of group.querySelectorAll(":scope > rect")) for (const [name, value] of Object.entries(lies)) line.setAttribute(name, value);
        }
        node.dataset.k = String(view.k);
        node.style.width = `${width}px`;
        node.style.height = `${height}px`;
      }
      const placed = [];
      for (const item of drawn) {
        if (settled || !item.at) {
          item.at = { place: corner(item, view, pane, placed), k: view.k };
          placed.push({ x: item.at.place[0] + view.x, y: item.at.place[1] + view.y, width: item.width });
        }
        const grown = view.k / item.at.k;
        const x = item.at.place[0] * grown, y = item.at.place[1] * grown;
        item.tag.setAttribute("transform", `scale(${1 / view.k}) translate(${x} ${y})`);
      }
    },
    get chosen() { return chosen; },
    select(at) {
      chosen = at;
      drawn.forEach((item, index) => item.group.classList.toggle("selected", index === at));
      if (drawn[at]) node.append(drawn[at].group);
    },
    /** The smallest box that holds the point (parts of width and height), or -1; a tiny one is hit within [across, down] of it. */
    hit(x, y, [across, down]) {
      let best = -1, smallest = Infinity;
      drawn.forEach(({ box }, index) => {
        if (box.by) return;                    // others' boxes are looked at, not taken hold of
        const width = box.x1 - box.x0, height = box.y1 - box.y0;
        const beside = Math.max(0, across - width / 2), over = Math.max(0, down - height / 2);
        const holds = x >= box.x0 - beside && x <= box.x1 + beside && y >= box.y0 - over && y <= box.y1 + over;
        if (holds && width * height < smallest) { best = index; smallest = width * height; }
      });
      return best;
    },
  };
}
