// What keys and buttons do with the pages, the guidelines and the precedents, the same in judging and in adjudicating.

import { lettersOf } from "./fields.js";
import { openHelp } from "./help.js";
import { copyLink, linkTo } from "./link.js";

const ZOOM_STEP = 1.25;

/**
 * What the pages tell: clicks, targets and boxes that are drawn or moved, and that what is in view changed. `late()` gives
 * {parts, toolbar, desk, answering, proposing, marks}, which are made after the pages: `answering` takes what is meant.
 */
export function pageHooks(late) {
  return {
    on: {
      click: (at) => Boolean(late().desk.asking) && (late().answering.meanAt(at), true),
      mean: ({ code, index }) => late().answering.meanOf({ code, id: late().desk.entry.pages[index].page_id }),
      drawn: (...drawn) => late().proposing.drawn(...drawn),
      placed: (...placed) => late().proposing.placed(...placed),
    },
    onChange() {
      const status = late().parts.pages?.status;
      if (!status) return;
      const { parts, toolbar, desk, proposing, marks } = late();
      toolbar.update(status);
      parts.panel.front(status.front);
      if (desk.correcting || marks) proposing.draw();
    },
  };
}

/** `stopRating()` leaves the field that is being filled; `table` are the keys that the help shows. */
export function pageActions({ surface, parts: { pages, panel }, toolbar, guidelines, talking, table, desk, protocol, campaign, stopRating }) {
  return {
    stepBox: (by) => pages.stepBox(by),
    leaf: (by) => pages.leaf(by),
    goToPage: () => pages.goToPage(),
    backToListed: () => pages.backToListed(),
    rotate: () => pages.rotate(),
    async copyLink() {
      if (desk.entry && await copyLink(surface, linkTo({ campaign: campaign.id, entry: desk.entry.number, view: pages.view ?? {} }))) toolbar.copied();
    },
    boxes: () => pages.toggleBoxes(),
    spread: () => pages.toggleSpread(),
    zoom: (by) => pages.zoom(by > 0 ? ZOOM_STEP : 1 / ZOOM_STEP),
    fit: (mode) => pages.fit(mode),
    oneToOne: () => pages.toggleOneToOne(),
    scroll: (share) => pages.scroll(share),
    guidelines: () => { talking.close(); guidelines.toggle({ letters: lettersOf(desk.answer, protocol), field: desk.rating?.split("@")[0] ?? null }); },
    precedents: () => { guidelines.close(); talking.actions.precedents(); },
    help: () => openHelp(surface, table),
    escape() {
      if (talking.leave()) return;
      desk.endWriting();
      surface.getRootNode().activeElement?.blur();
      if (desk.rating !== null) stopRating();
      panel.ask(null);
      guidelines.close();
      talking.close();
    },
  };
}
