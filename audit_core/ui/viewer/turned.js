// A page turned by quarters to the right, for looking at it only: its size, its boxes, its ink, and how its picture is drawn.

/** A box (parts of the page) as it lies on the page turned `turn` quarters. */
export function turnedBox(box, turn) {
  const { x0, y0, x1, y1 } = box;
  const sides = [[x0, y0, x1, y1], [1 - y1, x0, 1 - y0, x1], [1 - x1, 1 - y1, 1 - x0, 1 - y0], [y0, 1 - x1, y1, 1 - x0]][turn];
  return { ...box, x0: sides[0], y0: sides[1], x1: sides[2], y1: sides[3] };
}

/** The box of the page itself that lies at `box` on the turned page. */
export const turnedBack = (box, turn) => turnedBox(box, (4 - turn) % 4);

/** The page as it is seen: width and height changed over where it lies on its side, boxes turned along. */
export function turnedPage(page, turn) {
  if (!turn) return page;
  const lies = turn % 2 === 1;
  return { ...page, width: lies ? page.height : page.width, height: lies ? page.width : page.height, boxes: page.boxes.map((box) => turnedBox(box, turn)) };
}

/** A measure of ink (see ink.js) for the turned page. */
export function turnedInk(ink, turn) {
  if (!ink || !turn) return ink;
  return (x0, y0, x1, y1) => {
    const back = turnedBack({ x0, y0, x1, y1 }, turn);
    return ink(back.x0, back.y0, back.x1, back.y1);
  };
}

/** The CSS transform of the picture of `page` at scale `k`, so that its turned top left corner is at the origin. */
export function pictureTransform(page, turn, k) {
  const shift = [[0, 0], [page.height, 0], [page.width, page.height], [0, page.width]][turn];
  return `${turn ? `translate(${shift[0] * k}px, ${shift[1] * k}px) rotate(${90 * turn}deg) ` : ""}scale(${k})`;
}
