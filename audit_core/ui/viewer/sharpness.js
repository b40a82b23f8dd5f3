// Sharper pictures of a page that is zoomed in further than its picture's own pixels: fetched when the hand rests, then swapped in.

const REST_MS = 180;
const SLACK = 1.03;            // so much may a picture be stretched before a sharper one is worth it

/** The resolution that a page needs at scale `k` (device pixels to one pixel of `src`), null where `src` is enough. */
export function neededResolution(page, k) {
  const [base, ...finer] = page.resolutions ?? [];
  if (!base || k <= SLACK) return null;
  return finer.find((dpi) => dpi / base * SLACK >= k) ?? finer.at(-1) ?? null;
}

/** `swap(item)` puts a decoded picture into the place of the one in view. */
export function createSharpness({ images, swap }) {
  let timer = null;
  let wanted = null;             // {page, dpi} last asked for
  let shown = null;              // {page, dpi} in view

  async function sharpen(page, k) {
    const dpi = neededResolution(page, k);
    if (!dpi || (shown?.page === page && shown.dpi >= dpi) || (wanted?.page === page && wanted.dpi >= dpi)) return;
    const mine = { page, dpi };
    wanted = mine;
    const item = await images.load(`${page.src}&dpi=${dpi}`).done;
    if (wanted !== mine) return;
    wanted = null;
    if (item.state !== "ready") return;           // the page stays as sharp as it was
    shown = mine;
    swap(item);
  }

  return {
    /** The view of `page` changed; `k` device pixels to one of its own. */
    look(page, k) {
      clearTimeout(timer);
      if (neededResolution(page, k)) timer = setTimeout(() => sharpen(page, k), REST_MS);
    },
    /** Another page, or the same one anew, with its usual picture. */
    reset() { clearTimeout(timer); wanted = null; shown = null; },
  };
}
