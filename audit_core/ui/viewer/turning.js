// The turning of pages in one pane: from a listed page to its neighbours, to a number or label, and back.

const GREY = "#6B7280";

/**
 * `listed(page)` gives the sheet of a page that is listed as evidence, `isElsewhere(sheet)` whether the other pane shows it; `onTurn()`
 * is called when another page is shown; `dress(sheet)` gives a sheet the boxes that are proposed.
 */
export function createTurning({ pane, leafing, images, listed, isElsewhere, dress, onTurn }) {
  let home = null;               // the listed page one came from
  let sheets = new Map();        // page id -> sheet of a page that is not listed, which keeps its view
  let wanted = null;             // the position asked for while its page is fetched
  let message = null;
  let turn = 0;

  const leafed = () => Boolean(pane.sheet) && pane.sheet.index === null;
  const place = () => (pane.sheet ? leafing.place(pane.sheet.page) : null);

  function sheetOf(page) {
    const known = listed(page) ?? sheets.get(page.page_id);
    if (known && known !== pane.sheet && isElsewhere(known)) return { ...known, view: null };      // two panes, two views
    if (known) return known;
    const made = { page, index: null, first: 1, total: 0, colour: GREY, letterOf: () => null, view: null, mode: pane.sheet?.mode === "page" ? "page" : "width", badges: [] };
    sheets.set(page.page_id, made);
    return made;
  }
  function say(words) { message = words; draw(); }

  function turnTo(page, note = null) {
    const from = pane.sheet;
    message = note;
    wanted = null;
    if (from.index !== null) home = from;
    const sheet = sheetOf(page);
    if (sheet !== from) pane.show(dress(sheet));
    onTurn();
    images.keep(leafing.near(page));
    leafing.ahead(page).catch(() => {});
  }

  /** Shows the page of {page, note} that `find()` resolves to, unless something else is asked for meanwhile. */
  async function go(find) {
    const mine = (turn += 1);
    const from = pane.sheet;
    try {
      const { page, note } = await find();
      if (turn === mine && pane.sheet === from && page) turnTo(page, note);
    } catch (error) {
      if (turn !== mine) return;
      wanted = null;
      say(error.message);
    }
  }

  function draw() {
    const where = place();
    if (!where) { pane.bar.show(null, {}); return; }
    const { page } = pane.sheet;
    const shift = where.sure ? 0 : page.page_number - where.position;
    pane.bar.show({ ...where, at(position) {
      const other = position === where.position ? page : leafing.at(page, position);
      const sheet = other && listed(other);
      const label = other?.page_number ?? position + shift;
      const printed = other?.printed_label ? ` ("${other.printed_label}")` : "";
      return { label: String(label), title: `p. ${label}${printed}${sheet ? `, evidence ${sheet.index + 1}` : ", not listed as evidence"}`, colour: sheet?.colour ?? null };
    } }, { leafed: leafed(), message });
  }

  return {
    draw,
    get leafed() { return leafed(); },
    get home() { return home; },
    /** Another listed page was put into the pane. */
    settle() { home = null; wanted = null; message = null; turn += 1; },
    /** Another entry. */
    open() { this.settle(); sheets = new Map(); },
    step(by) {
      const sheet = pane.sheet;
      if (!sheet) return;
      if (!place()) return;
      const guess = place().position;
      const target = (wanted ?? guess) + by;
      if (target < 1 || target > place().total) { say(target < 1 ? "this is the first page" : "this is the last page"); return; }
      wanted = target;
      go(async () => {
        if (!place().sure) {                     // the number of a page need not be its place
          const { position } = await leafing.details(sheet.page);
          const end = leafing.place(sheet.page).total;
          wanted = Math.max(1, Math.min(end, position + (target - guess)));
        }
        return { page: await leafing.page(sheet.page, wanted) };
      });
    },
    find(text) {
      if (!pane.sheet || !text.trim()) return;
      pane.bar.field.blur();
      go(async () => {
        const { page, others } = await leafing.find(pane.sheet.page, text);
        pane.bar.field.value = "";
        const numbers = others.map((at) => leafing.at(page, at)?.page_number ?? at).join(", ");
        return { page, note: others.length ? `printed "${text.trim()}": p. ${numbers}` : null };
      });
    },
    /** Shows the page of that id, wherever in the entry's documents it lies; false where there is none. */
    async goTo(pageId) {
      const page = pane.sheet ? await leafing.locate(pageId) : null;
      if (page) turnTo(page);
      return Boolean(page);
    },
    /** Puts the cursor into the field for a number or label. */
    ask() { if (place()) pane.bar.field.focus(); },
    /** Back to the listed page. */
    back() {
      if (!leafed() || !home) return;
      turn += 1;
      wanted = null;
      message = null;
      pane.show(home);
      onTurn();
    },
  };
}
