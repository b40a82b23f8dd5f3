// What keys and buttons do on the fields of an answer: choose, mark a criterion, rate it and go on to the next.

import * as answers from "./answer.js";
import { scalesOf } from "./fields.js";

/** `change(make)` changes the answer of `desk` as one step; `refresh()` draws it. */
export function createRating({ desk, session, panel, change, refresh }) {
  const names = scalesOf(session.protocol).map((scale) => scale.name);
  const steps = new Map(scalesOf(session.protocol).map((scale) => [scale.name, scale.steps]));
  const after = (name) => names[names.indexOf(name) + 1] ?? null;
  const firstOpen = () => names.find((name) => desk.answer.fields[name] === undefined) ?? null;

  function mark(name) {
    if (!desk.entry || session.busy) return;
    if (session.closed) { panel.ask("The campaign is closed."); return; }
    desk.rating = name;
    refresh();
  }
  function rate({ field, value }) {
    change((answer) => answers.toggleRating(answer, field, value));
    if (desk.rating === field && desk.answer.fields[field] === value) desk.rating = after(field);
    refresh();
  }

  return {
    /** An option of a choice; once one is chosen the digits rate the first criterion that is open. */
    choose({ field, value }) {
      change((answer) => answers.toggleChoice(answer, field, value));
      const chosen = desk.answer.fields[field] === value;
      desk.rating = chosen && !session.closed ? desk.rating ?? firstOpen() : null;
      refresh();
    },
    /** Marks the criterion that is named, or takes its mark back; without a name the next one, after the last none. */
    criterion: (name = null) => mark(name === null ? (desk.rating === null ? firstOpen() ?? names[0] : after(desk.rating)) : name === desk.rating ? null : name),
    rate,
    rateMarked: (_, key) => { const value = steps.get(desk.rating)?.[Number(key.at(-1)) - 1]; if (value !== undefined) rate({ field: desk.rating, value }); },
    stopRating() { desk.rating = null; refresh(); },
    /** A step was taken back: the criterion that it rated is marked again, so that it can be rated right. */
    tookBack(before) {
      const changed = names.filter((name) => before.fields[name] !== desk.answer.fields[name]);
      if (changed.length === 1) [desk.rating] = changed;
      else if (before.outcome !== desk.answer.outcome) desk.rating = null;
    },
  };
}
