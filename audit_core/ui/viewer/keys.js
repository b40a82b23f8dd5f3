// The keys of the surface: one table for the handler, the overlay of keys and the tests.

/**
 * The table for a protocol: rows of {group, keys, shown, words, action, argument}.
 * `keys` are `event.key` in lower case ("shift+tab", "ctrl+z" and "shift+1" are written out); `shown` is what the overlay prints.
 */
export function keyTable(codes) {
  const row = (group, keys, shown, words, action, argument) => ({ group, keys, shown, words, action, argument });
  const digits = ["1", "2", "3", "4", "5", "6", "7", "8"];
  return [
    ...codes.map((code) => row("Answer", [code.key.toLowerCase()], code.key.toUpperCase(), code.meaning, "code", code.code)),
    row("Answer", ["c"], "C", "correct: no issue", "correct"),
    row("Answer", ["x"], "X", "cannot judge", "cannotJudge"),
    row("Answer", digits.map((digit) => `shift+${digit}`), "Shift 1-8", "say which page the code means (E before U)", "target"),
    row("Answer", ["/", "m"], "M  /", "write in the note", "note"),
    row("Answer", ["r"], "R", "write why it cannot be judged", "reason"),
    row("Answer", ["enter"], "Enter", "save and go to the next entry", "save"),
    row("Answer", ["z", "ctrl+z"], "Z  Ctrl Z", "undo; with nothing to undo, back to the entry saved last", "undo"),
    row("Entries", ["arrowleft", "p"], "←  P", "previous entry, without saving", "step", -1),
    row("Entries", ["arrowright", "j"], "→  J", "next entry, without saving", "step", 1),
    row("Entries", ["g"], "G", "next entry that is not judged", "nextOpen"),
    row("Entries", ["l"], "L", "list of entries", "overview"),
    row("Pages", digits, "1-8", "evidence page", "page"),
    row("Pages", ["tab", "]"], "Tab  ]", "next box, large", "stepBox", 1),
    row("Pages", ["shift+tab", "["], "Shift Tab  [", "previous box", "stepBox", -1),
    row("Pages", ["b"], "B", "boxes on or off", "boxes"),
    row("Pages", ["v"], "V", "one page or two side by side", "spread"),
    row("Pages", ["+", "="], "+  =", "larger", "zoom", 1),
    row("Pages", ["-"], "-", "smaller", "zoom", -1),
    row("Pages", ["0"], "0", "fit page", "fit", "page"),
    row("Pages", ["w"], "W", "fit width", "fit", "width"),
    row("Pages", ["o"], "O", "1:1 (original size)", "oneToOne"),
    row("Pages", ["arrowup"], "↑", "scroll up", "scroll", -0.15),
    row("Pages", ["arrowdown"], "↓", "scroll down", "scroll", 0.15),
    row("Pages", ["pageup"], "Page up", "one screen up", "scroll", -0.85),
    row("Pages", ["pagedown"], "Page down", "one screen down", "scroll", 0.85),
    row("Window", ["?"], "?", "these keys", "help"),
    row("Window", ["escape"], "Esc", "close; leave the note", "escape"),
    row("In the note", ["ctrl+enter"], "Ctrl Enter", "save and go to the next entry (Enter is a new line)", "save"),
  ];
}

/** The name of a pressed key as the table writes it. Keyboards without Latin letters are read by the key's place. */
export function keyName(event) {
  let key = event.key.toLowerCase();
  const digit = /^Digit([0-9])$/.exec(event.code)?.[1];
  const place = /^Key([A-Z])$/.exec(event.code)?.[1]?.toLowerCase() ?? { BracketLeft: "[", BracketRight: "]", Slash: "/" }[event.code];
  if (key.length === 1 && key > "\u024f") key = place ?? digit ?? key;
  if (digit && (event.shiftKey || !/^[0-9]$/.test(key)) && !"+-=?/[]".includes(key)) key = digit;
  const shift = event.shiftKey && (key === "tab" || (digit === key && digit !== "0"));
  const ctrl = event.ctrlKey || event.metaKey;
  return `${ctrl ? "ctrl+" : ""}${shift ? "shift+" : ""}${key}`;
}

function isTyping(target) {
  return target instanceof Element && Boolean(target.closest("input, textarea, select, [contenteditable]:not([contenteditable=false])"));
}

/**
 * Listens in the capture phase of the window, before Streamlit and the browser's own shortcuts, and calls `act(action, argument, name)`.
 * Plain keys never leave the surface. While somebody types only Escape and Ctrl+Enter mean something (and Enter in a field of one line).
 */
export function attachKeys({ surface, table, act, dialogOpen }) {
  const known = new Map(table.flatMap((line) => line.keys.map((key) => [key, line])));

  function onKey(event) {
    const target = event.composedPath()[0];
    const inside = event.composedPath().includes(surface);
    if (isTyping(target) && !inside) return;
    const chord = event.ctrlKey || event.metaKey || event.altKey;
    if (!chord) event.stopPropagation();
    if (event.type !== "keydown" || event.isComposing || event.keyCode === 229 || dialogOpen()) return;
    const name = keyName(event);
    if (isTyping(target)) {
      const oneLine = target.matches("input[data-save]") && name === "enter";
      const line = name === "escape" || name === "ctrl+enter" ? known.get(name) : oneLine ? known.get("enter") : null;
      if (!line || event.altKey || event.repeat) return;
      event.preventDefault();
      act(line.action, line.argument, name);
      return;
    }
    if (chord && !(name === "ctrl+z" && !event.altKey && !event.shiftKey)) return;
    const line = known.get(name);
    if (!line || name === "ctrl+enter") return;
    const onButton = inside && target.matches("a, button") && target.matches(":focus-visible");
    if (onButton && name === "enter") return;              // a button reached with the keyboard is pressed with it
    event.preventDefault();
    if (event.repeat && !["scroll", "zoom"].includes(line.action)) return;
    act(line.action, line.argument, name);
  }
  const names = ["keydown", "keyup", "keypress"];
  for (const name of names) window.addEventListener(name, onKey, true);
  return () => { for (const name of names) window.removeEventListener(name, onKey, true); };
}
