// The keys of the surface: one table for the handler, the overlay of keys and the tests.

import { choicesOf, digitsOf, reasonKey, rowFieldsOf } from "./fields.js";
import { hasMarks } from "./marking.js";

/**
 * The table for a protocol: rows of {group, keys, shown, words, action, argument}.
 * `keys` are `event.key` in lower case ("shift+tab" and "ctrl+z" are written out); `shown` is what the overlay prints. A key with a
 * mode before it ("ask+1") means this only in that mode.
 */
export function keyTable(protocol) {
  const { codes, correction } = protocol;
  const options = choicesOf(protocol).flatMap((field) => field.options.map((option) => ({ ...option, field: field.name })));
  const rows = rowFieldsOf(protocol);
  const marks = hasMarks(protocol);
  const reason = reasonKey(protocol);
  const answering = [...new Set(rows.flatMap(digitsOf))].sort((one, other) => (Number(one) || 10) - (Number(other) || 10));
  const row = (group, keys, shown, words, action, argument) => ({ group, keys, shown, words, action, argument });
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8"];
  const placing = (group) => [
    row(group, ["box+arrowleft"], "←", "move the chosen box left", "placeBox", [-1, 0]),
    row(group, ["box+arrowright"], "→", "move it right", "placeBox", [1, 0]),
    row(group, ["box+arrowup"], "↑", "move it up", "placeBox", [0, -1]),
    row(group, ["box+arrowdown"], "↓", "move it down", "placeBox", [0, 1]),
    row(group, ["box+shift+arrowleft"], "Shift ←", "make it narrower", "sizeBox", [-1, 0]),
    row(group, ["box+shift+arrowright"], "Shift →", "make it wider", "sizeBox", [1, 0]),
    row(group, ["box+shift+arrowup"], "Shift ↑", "make it lower", "sizeBox", [0, -1]),
    row(group, ["box+shift+arrowdown"], "Shift ↓", "make it taller", "sizeBox", [0, 1]),
  ];
  return [
    ...codes.map((code) => row("Answer", [code.key.toLowerCase()], code.key.toUpperCase(), code.meaning, "code", code.code)),
    ...(codes.length ? [row("Answer", ["c"], "C", "correct: no issue", "correct")] : []),
    ...options.map(({ key, letter, meaning, field, value }) => row("Answer", [key], letter, meaning, "choose", { field, value })),
    row("Answer", ["x"], "X", "cannot judge", "cannotJudge"),
    ...(codes.length ? [row("Answer", ["q"], "Q", "ask again which pages or boxes E or U means", "which")] : []),
    ...(rows.length ? [row("Answer", ["q"], "Q", "mark a line for the digits: the first that is open, the next, after the last none", "criterion")] : []),
    ...(marks ? [
      row("Answer", ["i"], "I", "the page in front, which is not listed, is graded as well, or not", "pageInOut"),
      row("Answer", ["a"], "A", "draw a box with the mouse (Alt: without snapping to an element)", "drawBox"),
      row("While a drawn box is chosen", ["draw+escape"], "Esc", "stop drawing", "stopDrawing"),
      ...placing("While a drawn box is chosen"),
      row("While a drawn box is chosen", ["box+delete"], "Delete", "the box goes", "removeBox"),
    ] : []),
    row("Answer", ["/", "m"], "M  /", "write in the note", "note"),
    row("Answer", [reason], reason.toUpperCase(), "write why it cannot be judged", "reason"),
    row("Answer", ["enter"], "Enter", "save and go to the next entry", "save"),
    row("Answer", ["z", "ctrl+z"], "Z  Ctrl Z", "undo; with nothing to undo, back to the entry saved last", "undo"),
    ...(codes.length ? [
      row("While E or U asks", digits.map((digit) => `ask+${digit}`), "1-8", "this page is meant, or not", "meanPage"),
      row("While E or U asks", ["ask+space"], "Space", "the box chosen with Tab is meant, else the page in front", "meanChosen"),
      row("While E or U asks", ["ask+escape"], "Esc", "stop asking; Enter saves without naming any", "stopAsking"),
    ] : []),
    ...(rows.length ? [
      row("While a line is marked", answering.map((digit) => `rate+${digit}`), `${answering[0]}-${answering.at(-1)}`, "answer it, in the order of the buttons, and mark the next one; the value that it has is taken back", "rateMarked"),
      row("While a line is marked", ["rate+escape"], "Esc", "mark none: digits mean pages again", "stopRating"),
    ] : []),
    row("Entries", ["arrowleft", "p"], "←  P", "previous entry, without saving", "step", -1),
    row("Entries", ["arrowright", "j"], "→  J", "next entry, without saving", "step", 1),
    row("Entries", ["g"], "G", "next entry that is not judged", "nextOpen"),
    row("Entries", ["l"], "L", "list of entries", "overview"),
    row("Pages", digits, "1-8", "evidence page", "page"),
    row("Pages", ["tab", "]"], "Tab  ]", "next box, large", "stepBox", 1),
    row("Pages", ["shift+tab", "["], "Shift Tab  [", "previous box", "stepBox", -1),
    row("Pages", [","], ",", "leaf back: the page before it in the document", "leaf", -1),
    row("Pages", ["."], ".", "leaf on: the page after it in the document", "leaf", 1),
    row("Pages", ["#", "d"], "#  D", "go to a page of the document by number or printed label", "goToPage"),
    row("Pages", ["backspace"], "Backspace", "back to the listed page", "backToListed"),
    row("Pages", ["b"], "B", "boxes on or off", "boxes"),
    row("Pages", ["v"], "V", "one page or two side by side", "spread"),
    row("Pages", ["+", "="], "+  =", "larger", "zoom", 1),
    row("Pages", ["-"], "-", "smaller", "zoom", -1),
    row("Pages", ["0"], "0", "fit page", "fit", "page"),
    row("Pages", ["w"], "W", "fit width", "fit", "width"),
    row("Pages", ["o"], "O", "1:1 (original size)", "oneToOne"),
    row("Pages", ["t"], "T", "turn the page by a quarter, for looking at it only", "rotate"),
    row("Pages", ["y"], "Y", "copy a link to this entry, page, box and zoom", "copyLink"),
    row("Pages", ["arrowup"], "↑", "scroll up", "scroll", -0.15),
    row("Pages", ["arrowdown"], "↓", "scroll down", "scroll", 0.15),
    row("Pages", ["pageup"], "Page up", "one screen up", "scroll", -0.85),
    row("Pages", ["pagedown"], "Page down", "one screen down", "scroll", 0.85),
    ...(correction ? [
      row("Correction", ["k"], "K", "propose a correction; again: close its form, what is proposed stays", "correction"),
      row("While the form is open", ["fix+s"], "S", "reword the query (Tab goes on to the answer)", "rewordQuery"),
      row("While the form is open", ["fix+i"], "I", "page in front: out, or in as required, as alternative, not", "pageInOut"),
      row("While the form is open", ["fix+a"], "A", "draw a box with the mouse (Alt: without snapping to an element)", "drawBox"),
      ...placing("While the form is open"),
      row("While the form is open", ["box+delete"], "Delete", "the chosen box goes, or comes back", "removeBox"),
      row("While the form is open", ["fix+escape"], "Esc", "stop drawing; close the form", "stopCorrecting"),
    ] : []),
    row("Window", ["h"], "H", "guidelines: what each answer means, with examples", "guidelines"),
    row("Window", ["!"], "!", "ask the lead about this entry", "flag"),
    row("Window", [";"], ";", "comments on this entry", "comments"),
    row("Window", [":"], ":", "precedents: decided cases like this one; Enter in the search leads back to judging", "precedents"),
    row("Window", ["?"], "?", "these keys", "help"),
    row("Window", ["escape"], "Esc", "close; leave the note", "escape"),
    row("In the note", ["ctrl+enter"], "Ctrl Enter", "save and go to the next entry (Enter is a new line)", "save"),
  ];
}

/** Actions of judging that adjudication has no use for. */
const JUDGING_ONLY = ["flag", "nextOpen", "page", "reason", "overview"];
/** What a line is about, where its words of judging would mislead. */
const RULED = { save: "decide and go to the next entry of the filter", undo: "undo", step: { "-1": "previous entry of the filter, without deciding", 1: "next entry of the filter, without deciding" } };

/** The table of adjudication for a protocol: that of judging, with digits that take judgments. */
export function adjudicationTable(protocol) {
  const row = (group, keys, shown, words, action, argument) => ({ group, keys, shown, words, action, argument });
  const own = ["p", "j"];
  const kept = keyTable(protocol).filter((line) => !JUDGING_ONLY.includes(line.action)).map((line) => {
    const words = RULED[line.action];
    const keys = line.keys.filter((key) => !own.includes(key));
    const shown = line.action === "step" ? (line.argument < 0 ? "←" : "→") : line.shown;
    return { ...line, keys, shown, words: typeof words === "object" ? words[line.argument] : words ?? line.words };
  });
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
  return [
    row("Judgments", digits, "1-9", "take this judgment as it is (a lone one: confirm it)", "takeNumber"),
    row("Judgments", digits.map((digit) => `shift+${digit}`), "Shift 1-9", "merge: add all it says, also what it proposes to change; what differs takes the place of what was there", "mergeNumber"),
    row("Judgments", ["space"], "Space", "go over the parts of the cards, one by one", "walk"),
    ...[["up", "↑", "the part before it"], ["down", "↓", "the part after it"], ["left", "←", "the card before it"], ["right", "→", "the card after it"]]
      .map(([way, shown, words]) => row("While a part of a card is chosen", [`part+arrow${way}`], shown, words, "walkOn", way)),
    row("While a part of a card is chosen", ["part+space", "part+enter"], "Space  Enter", "put it into the decision, or take it out; ↗ shows its page", "pressPart"),
    row("While a part of a card is chosen", ["part+escape"], "Esc", "leave the parts", "stopWalking"),
    row("Judgments", ["<"], "<", "names of the annotators, or not", "names"),
    row("Judgments", [">"], ">", "everyone's boxes on the pages: all, none, then those of one after the other", "everyone"),
    row("Decision", ["j"], "J", "all judgments are wrong, or not", "allWrong"),
    row("Decision", ["s"], "S", "how sure: sure, fairly sure, unsure", "confidence"),
    row("Decision", [reasonKey(protocol)], reasonKey(protocol).toUpperCase(), "write the reason (Enter decides)", "reason"),
    row("Decision", ["delete"], "Delete", "reopen a decided entry: its decision is taken back", "reopen"),
    ...kept,
    row("Entries", ["g"], "G", "next disputed entry that is not decided", "nextOpen"),
    row("Entries", ["l"], "L", "list of entries: disputed, second reading, decided; go to one", "overview"),
    row("Pages", ["p"], "P", "next evidence page", "nextPage", 1),
  ];
}

const REPEATED = ["walkOn", "scroll", "zoom", "leaf", "placeBox", "sizeBox"];
const PLACES = { BracketLeft: "[", BracketRight: "]", Semicolon: ";", Slash: "/", Comma: ",", Period: "." };

/** The name of a pressed key as the table writes it. Keyboards without Latin letters are read by the key's place. */
export function keyName(event) {
  let key = event.key.toLowerCase();
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  const place = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase() ?? PLACES[event.code];
  if (key.length === 1 && key > "\u024f") key = place ?? (event.shiftKey ? key : digit) ?? key;
  if (digit && !event.shiftKey && !"+-=?/[]!#,.".includes(key)) key = digit;      // French keyboards: digits stand under the signs
  if (key === " ") key = "space";
  const shift = event.shiftKey && (key === "tab" || key.startsWith("arrow"));
  const ctrl = event.ctrlKey || event.metaKey;
  return `${ctrl ? "ctrl+" : ""}${shift ? "shift+" : ""}${key}`;
}

function isTyping(target) {
  return target instanceof Element && Boolean(target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])"));
}

/**
 * Listens in the capture phase of the window, before Streamlit and the browser's own shortcuts, and calls `act(action, argument, name)`.
 * Plain keys never leave the surface. `modes()` names the modes that are on, the strongest first, and `takes(mode, digit)` says whether a digit means
 * something in one. While somebody types only Escape and Ctrl+Enter mean something (and Enter in a field that saves with it; Shift+Enter is a new line).
 */
export function attachKeys({ surface, table, act, dialogOpen, modes, takes = () => true }) {
  const known = new Map(table.flatMap((line) => line.keys.map((key) => [key, line])));

  /** What a key means now, and the key that is meant. A digit is read by its place: on French keyboards that of 6 is "-", and zooms where no digit is asked for. */
  function lineOf(name, event) {
    const digit = event.shiftKey ? null : /^Digit([0-9])$/.exec(event.code)?.[1] ?? null;
    // With Shift a digit is read by its place where it means something: what sign stands there differs from keyboard to keyboard.
    const shifted = event.shiftKey ? /^(?:Digit|Numpad)([1-9])$/.exec(event.code)?.[1] : null;
    if (shifted && known.has(`shift+${shifted}`)) return [known.get(`shift+${shifted}`), shifted];
    for (const mode of modes()) {
      const placed = digit !== null && takes(mode, digit) ? known.get(`${mode}+${digit}`) : null;
      if (placed) return [placed, digit, mode];
      if (!/^[0-9]$/.test(name) || takes(mode, name)) { const line = known.get(`${mode}+${name}`); if (line) return [line, name, mode]; }
    }
    return [known.get(name), name];
  }

  function onKey(event) {
    const target = event.composedPath()[0];
    const inside = event.composedPath().includes(surface);
    if (isTyping(target) && !inside) return;
    const chord = event.ctrlKey || event.metaKey || event.altKey;
    if (!chord) event.stopPropagation();
    if (event.type !== "keydown" || event.isComposing || event.keyCode === 229 || dialogOpen()) return;
    const name = keyName(event);
    if (isTyping(target)) {
      const oneLine = target.matches("[data-save]") && name === "enter" && !event.shiftKey;
      const line = name === "escape" || name === "ctrl+enter" ? known.get(name) : oneLine ? known.get("enter") : null;
      if (!line || event.altKey || event.repeat) return;
      event.preventDefault();
      act(line.action, line.argument, name);
      return;
    }
    if (chord && !(name === "ctrl+z" && !event.altKey && !event.shiftKey)) return;
    const [line, meant, mode] = lineOf(name, event);
    if (!line || name === "ctrl+enter") return;
    const onButton = inside && target.matches("a, button") && target.matches(":focus-visible");
    if (onButton && mode !== "part" && (name === "enter" || name === "space")) return;       // a button reached with the keyboard is pressed with it
    if (inside && /^(shift\+)?tab$/.test(name) && target.closest("[data-tabs]")) return;      // from case to case
    event.preventDefault();
    if (event.repeat && !REPEATED.includes(line.action)) return;
    act(line.action, line.argument, meant);
  }
  const names = ["keydown", "keyup", "keypress"];
  for (const name of names) window.addEventListener(name, onKey, true);
  return () => { for (const name of names) window.removeEventListener(name, onKey, true); };
}
