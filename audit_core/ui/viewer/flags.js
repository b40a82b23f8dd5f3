// Questions to the lead about the entry on the desk: what was asked, what was answered, and a way to ask.

import { button, h, openDialog } from "./dom.js";
import { clockTime } from "./format.js";

const LONGEST = 4000;

function told(flag) {
  return h("li", { testid: "flag", "data-state": flag.answered_at ? "answered" : "open" },
    h("p", { dir: "auto" }, flag.question, h("span", { class: "quiet" }, ` · asked ${clockTime(flag.raised_at)}`)),
    flag.answered_at ? h("p", { class: "flag-answer", dir: "auto" }, flag.answer, h("span", { class: "quiet" }, ` · answered ${clockTime(flag.answered_at)}`))
      : h("p", { class: "quiet" }, "not answered yet"));
}

/** The questions of an entry in the left column; nothing where none was asked. */
export function createFlagList() {
  const list = h("ul", { class: "flags" });
  const node = h("section", { class: "flag-block", testid: "flags", hidden: true }, h("h2", null, "Your questions"), list);
  return {
    node,
    show(flags) {
      node.hidden = !flags.length;
      list.replaceChildren(...flags.map(told));
    },
  };
}

const unsent = new Map();            // entry id -> what was typed and not sent, so that closing the dialog loses nothing

/** `send(question)` resolves to the flag, or rejects with a sentence; `onasked(flag)` is told of it. */
export function openFlag(surface, { entry, closed, send, onasked, onclose }) {
  const words = h("textarea", { testid: "flag-question", rows: 4, maxlength: LONGEST, dir: "auto", "aria-label": "your question",
    placeholder: "What should the lead decide or explain?" });
  words.value = unsent.get(entry.id) ?? "";
  const problem = h("p", { class: "wrong-words", role: "alert", testid: "flag-problem", hidden: true });
  const ask = button("Ask the lead", { key: "Ctrl Enter", kind: "strong", testid: "flag-send", onclick: submit });
  const dialog = openDialog(surface, { title: `Ask about entry ${entry.number}`, testid: "flag-dialog", onclose },
    h("p", { class: "quiet" }, "Only you and whoever leads the campaign see this. The entry can be judged meanwhile; the answer appears with it."),
    entry.flags.length ? h("ul", { class: "flags" }, entry.flags.map(told)) : null,
    closed ? h("p", { class: "wrong-words" }, "The campaign is closed: it takes no questions any more.") : words, problem,
    h("div", { class: "dialog-buttons" }, closed ? null : ask));

  function fail(message) { problem.textContent = message; problem.hidden = !message; }
  async function submit() {
    if (ask.disabled) return;
    const question = words.value.trim();
    if (!question) { fail("Write a question first."); words.focus(); return; }
    ask.disabled = true;
    fail("");
    try {
      const flag = await send(question);
      unsent.delete(entry.id);
      onasked(flag);
      dialog.close();
    } catch (error) {
      fail(`${error.message} Nothing is lost: your question stays here.`);
      ask.disabled = false;
    }
  }
  words.addEventListener("input", () => unsent.set(entry.id, words.value));
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  });
  if (!closed) words.focus();
  return dialog;
}
