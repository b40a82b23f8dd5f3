// Going over the parts of the cards with the keyboard: one part has the focus, arrows move it, Space takes the part or takes it out.

const ARROWS = { up: -1, down: 1 };

/** Walks over the parts in `grid`, whose children are the cards. */
export function createWalking({ grid }) {
  const stops = () => [...grid.children].map((card) => [...card.querySelectorAll(".part:not(:disabled)")]);
  const focused = () => { const active = grid.getRootNode().activeElement; return active && grid.contains(active) ? active : null; };
  /** Where the focus is, as [card, place in it]; null where no part has it. */
  function place() {
    const now = focused(), cards = stops();
    const card = now ? cards.findIndex((parts) => parts.includes(now)) : -1;
    return card < 0 ? null : [card, cards[card].indexOf(now)];
  }
  function go(part) {
    if (!part) return;
    part.focus();
    part.scrollIntoView({ block: "nearest" });
  }
  /** The part of another card that says the same, else the one at the same place. */
  const counterpart = (parts, now, at) => parts.find((part) => part.dataset.part && part.dataset.part === now.dataset.part) ?? parts[Math.min(at, parts.length - 1)];

  return {
    get on() { return place() !== null; },
    /** Begins with the first part that not all say, else with the first; false where there is none. */
    start() {
      const all = stops().flat(), first = all.find((part) => part.matches(".differs")) ?? all[0];
      go(first);
      return Boolean(first);
    },
    /** "up" and "down": the part before and after, over all cards; "left" and "right": the card beside it. */
    step(way) {
      const now = place(), cards = stops();
      if (!now) return;
      const [card, at] = now;
      if (way in ARROWS) {
        const all = cards.flat();
        go(all[all.indexOf(cards[card][at]) + ARROWS[way]]);
        return;
      }
      const filled = cards.map((parts, index) => (parts.length ? index : -1)).filter((index) => index >= 0);
      const next = filled[filled.indexOf(card) + (way === "left" ? -1 : 1)];
      if (next !== undefined) go(counterpart(cards[next], cards[card][at], at));
    },
    press() { focused()?.click(); },
    leave() { focused()?.blur(); },
    /** Keeps the focus at its place while `build()` makes the cards anew. */
    through(build) {
      const was = place();
      build();
      if (was) go(stops()[was[0]]?.[was[1]]);
    },
  };
}
