// The criteria of a protocol in the left column: a row of values each, with what its two ends mean; one row may be marked for the digits.

import { h } from "./dom.js";
import { scalesOf } from "./fields.js";

/** What keys, or a finger, do while a criterion is marked. */
export function ratingWords(scale) {
  if (window.matchMedia("(pointer: coarse)").matches) return `tap a value of ${scale.title.toLowerCase()}`;
  return `1-${scale.steps.length}: ${scale.title.toLowerCase()} · Q: next · Esc: pages`;
}

/** `act("rate", {field, value})` gives or takes back a value, `act("criterion", field)` marks a criterion or no longer. */
export function createCriteria({ protocol, act }) {
  const rows = scalesOf(protocol).map((scale) => {
    const steps = scale.steps.map((value, index) => h("button", { type: "button", class: "step-value", testid: `rate-${scale.name}-${value}`, "data-key": String(index + 1),
      "aria-pressed": "false", "aria-label": `${scale.title}: ${value}`, onclick: () => act("rate", { field: scale.name, value }) }, String(value)));
    const name = h("button", { type: "button", class: "criterion-name", title: "mark it, so that digits rate it (Q)", "aria-pressed": "false", onclick: () => act("criterion", scale.name) }, scale.title);
    const node = h("div", { class: "criterion", testid: `criterion-${scale.name}` }, name,
      h("span", { class: "step-values", role: "group", "aria-label": `${scale.title}, from ${scale.low} to ${scale.high}` }, steps),
      h("span", { class: "ends" }, h("span", null, scale.low), h("span", null, scale.high)));
    return { scale, node, name, steps };
  });
  const node = h("div", { class: "criteria", testid: "criteria", hidden: !rows.length }, rows.map((row) => row.node));

  return {
    node,
    /** The answer as it now stands; `rating` is the name of the marked criterion, or null. */
    update(said, { closed, rating }) {
      for (const { scale, node: row, name, steps } of rows) {
        row.classList.toggle("marked", rating === scale.name);
        name.setAttribute("aria-pressed", String(rating === scale.name));
        scale.steps.forEach((value, index) => {
          steps[index].setAttribute("aria-pressed", String(said.fields[scale.name] === value));
          steps[index].disabled = closed;
        });
      }
    },
    /** What the keys do to the marked criterion. */
    words: (rating) => ratingWords(rows.find((row) => row.scale.name === rating).scale),
  };
}
