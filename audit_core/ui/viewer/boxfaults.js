// What is odd about the boxes of a page: said in words over it, since a box without size, or off the page, is easily not seen.

const PIXEL = 1;               // so far may a box leave its page by rounding

/** The fault of a box in words, or null. `page` gives the size in pixels. */
function faultOf(box, page) {
  const across = PIXEL / page.width, down = PIXEL / page.height;
  if (box.x1 <= box.x0 || box.y1 <= box.y0) return "has no size";
  if (box.x1 <= 0 || box.x0 >= 1 || box.y1 <= 0 || box.y0 >= 1) return "lies outside the page";
  if (box.x0 < -across || box.y0 < -down || box.x1 > 1 + across || box.y1 > 1 + down) return "leaves the page";
  if (box.x0 <= across && box.y0 <= down && box.x1 >= 1 - across && box.y1 >= 1 - down) return "covers the whole page";
  return null;
}

/** Warnings on the boxes of a page, numbered from `first`: ["box 2 has no size", ...]. */
export function boxWarnings(page, first) {
  return page.boxes.map((box, at) => [first + at, faultOf(box, page)]).filter(([, fault]) => fault).map(([number, fault]) => `box ${number} ${fault}`);
}
