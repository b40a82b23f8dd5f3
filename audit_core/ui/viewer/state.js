// The entry on the desk: what is being said of it, what is saved, and the steps back.

import { EMPTY, sameAnswer } from "./answer.js";

const STEPS = 200;

/** One entry at a time. `answer` is what the surface shows; `baseline` is what was saved last (`empty` where nothing was); `same` compares two. */
export function createDesk({ empty = EMPTY, same = sameAnswer } = {}) {
  let undo = [];
  let writing = null;             // the field being typed in: its keystrokes are one step back
  let asking = null;
  return {
    correcting: false,              // the form of a proposed correction is open
    drawing: false,                 // the next drag on a page draws a box
    entry: null,
    answer: empty,
    baseline: empty,
    restored: null,
    rating: null,                   // the criterion that the digits rate, by name
    open(entry, { answer, baseline, restored }) {
      Object.assign(this, { entry, answer, baseline, restored, correcting: false, drawing: false, rating: null });
      undo = [];
      writing = null;
      asking = null;
    },
    close() { this.open(null, { answer: empty, baseline: empty, restored: null }); },
    /** Replaces the answer; `field` names a text field while it is typed in. */
    change(answer, field = null) {
      if (field === null || writing !== field) undo = [...undo, this.answer].slice(-STEPS);
      writing = field;
      this.answer = answer;
    },
    endWriting() { writing = null; },
    /** One step back; false where there is none. */
    back() {
      if (!undo.length) return false;
      this.answer = undo.pop();
      writing = null;
      return true;
    },
    get changed() { return !same(this.answer, this.baseline); },
    /** The chosen code that asks which pages or boxes it means, or null. */
    get asking() { return asking && this.answer.outcome === "judged" && this.answer.codes.includes(asking) ? asking : null; },
    set asking(code) { asking = code; },
  };
}
