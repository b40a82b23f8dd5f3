// The guidelines, beside the pages: what the lead of the campaign wrote, then those of the protocol, one section an answer. Keys and pages go on working while they are open.

import { CORRECT_COLOUR, inkOn } from "./colours.js";
import { h } from "./dom.js";
import { letteredOf } from "./fields.js";

/** `own`: {version, text} that the lead wrote, or null. `protocol.guidelines`: {introduction, sections: [{code, title, means, clear, borderline}]}; a section on a criterion has its name as `field` and no code. */
export function createGuidelines({ protocol, own = null, act }) {
  const options = letteredOf(protocol).map((option) => [option.letter, option.colour]);
  const colours = new Map([...protocol.codes.map((code) => [code.code, code.colour]), ...options, ["C", CORRECT_COLOUR], ["X", "#6B7280"]]);
  const guidelines = protocol.guidelines ?? { introduction: "", sections: [] };
  const body = h("div", { class: "guide-body", tabindex: "-1" });
  const node = h("aside", { class: "guide", testid: "guidelines", "aria-label": "guidelines", hidden: true },
    h("header", null, h("h2", null, "Guidelines"), h("kbd", null, "H"),
      h("button", { type: "button", class: "close", "aria-label": "close the guidelines", testid: "guidelines-close", onclick: () => act("guidelines") }, "×")), body);

  function section({ code, field, title, means, clear, borderline }) {
    const colour = colours.get(code) ?? "#6B7280";
    const part = (name, words) => [h("dt", null, name), h("dd", { dir: "auto" }, words)];
    return h("section", { "data-code": code || null, "data-field": field }, h("h3", null,
      code ? h("span", { class: "letter", style: `--code:${colour};--code-ink:${inkOn(colour)}` }, code) : null, h("span", null, title)),
    h("p", { dir: "auto" }, means), h("dl", null, part("Clear", clear), part("Borderline", borderline)));
  }
  function draw() {
    if (body.childElementCount) return;
    if (own) body.append(h("section", { class: "guide-own", testid: "guidelines-own" }, h("h3", null, `This campaign (version ${own.version})`),
      ...own.text.split(/\n{2,}/).map((part) => h("p", { dir: "auto" }, part))));
    body.append(h("p", { class: "guide-first", dir: "auto" }, guidelines.introduction), ...guidelines.sections.map(section));
  }

  return {
    node,
    get open() { return !node.hidden; },
    /** Opens or closes; it begins with the section of the first of `letters`, or of the criterion of that name. */
    toggle({ letters = "", field = null } = {}) {
      node.hidden = !node.hidden;
      if (node.hidden) return;
      draw();
      const first = field ? body.querySelector(`[data-field="${CSS.escape(field)}"]`) : letters ? body.querySelector(`[data-code="${CSS.escape(letters[0])}"]`) : null;
      body.scrollTop = first ? first.offsetTop - body.offsetTop : 0;
    },
    close() { node.hidden = true; },
  };
}
