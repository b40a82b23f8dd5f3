// Comments on the entry on the desk: one's own at any time, those of others once one has judged it oneself.

import { button, h, openDialog } from "./dom.js";
import { clockTime, shownLines } from "./format.js";

const LONGEST = 4000;

/** One comment as text; `onremove` is given for one's own. */
function told(comment, onremove = null) {
  return h("li", { testid: "comment", "data-mine": String(comment.mine) },
    h("p", { dir: "auto" }, shownLines(comment.text)),
    h("div", { class: "said-by" }, h("span", { class: "quiet" }, h("bdi", null, comment.mine ? "you" : comment.author ?? "somebody"), ` · ${clockTime(comment.created_at)}`),
      onremove ? h("button", { type: "button", class: "link", testid: "comment-delete", onclick: onremove }, "delete") : null));
}

/** The comments of an entry in the left column, and the buttons that comment and look up precedents. */
export function createCommentBlock({ act }) {
  const list = h("ul", { class: "flags" });
  const head = h("h2", { hidden: true }, "Comments");
  const node = h("section", { class: "comment-block", testid: "comments" }, head, list, h("div", { class: "talk-tools" },
    button("comment", { key: ";", kind: "tool", testid: "comment-open", onclick: () => act("comments") }),
    button("precedents", { key: ":", kind: "tool", testid: "precedents-open", onclick: () => act("precedents") })));
  return {
    node,
    show(comments) {
      head.hidden = !comments.length;
      list.hidden = !comments.length;
      list.replaceChildren(...comments.map((comment) => told(comment)));
    },
  };
}

const unsent = new Map();            // entry id -> what was typed and not sent, so that closing the dialog loses nothing

/**
 * `load()` resolves to {comments, sealed, closed}, `send(text)` to the comment, `remove(id)` when it is gone; each rejects with a sentence.
 * `onchange(comments)` is told how they stand.
 */
export function openComments(surface, { entry, load, send, remove, onchange, onclose }) {
  const list = h("ul", { class: "flags", testid: "comment-list" });
  const sealed = h("p", { class: "quiet", testid: "comments-sealed", hidden: true }, entry.saved
    ? "Comments of others, if there are any, appear once you have judged this query in your other campaigns too."
    : "Comments of others, if there are any, appear once you have judged this entry.");
  const words = h("textarea", { testid: "comment-text", rows: 3, maxlength: LONGEST, dir: "auto", "aria-label": "your comment", placeholder: "What should others know who have judged this entry?" });
  words.value = unsent.get(entry.id) ?? "";
  const problem = h("p", { class: "wrong-words", role: "alert", testid: "comment-problem", hidden: true });
  const ask = button("Comment", { key: "Ctrl Enter", kind: "strong", testid: "comment-send", onclick: submit });
  const over = h("p", { class: "wrong-words", testid: "comments-closed", hidden: true }, "The campaign is closed: it takes no comments any more.");
  let comments = null;
  const dialog = openDialog(surface, { title: `Comments on entry ${entry.number}`, testid: "comment-dialog", onclose },
    h("p", { class: "quiet" }, "Others see a comment once they have judged the entry themselves; whoever leads the campaign sees it at once."),
    list, sealed, over, words, problem, h("div", { class: "dialog-buttons" }, ask));

  function fail(message) { problem.textContent = message; problem.hidden = !message; }
  function draw() {
    list.replaceChildren(...comments.map((comment) => told(comment, comment.mine ? () => takeBack(comment) : null)));
    onchange(comments);
  }
  async function takeBack(comment) {
    fail("");
    try {
      await remove(comment.id);
      comments = comments.filter((other) => other !== comment);
      draw();
      words.focus();
    } catch (error) { fail(error.message); }
  }
  async function submit() {
    if (ask.disabled) return;
    const text = words.value.trim();
    if (!text) { fail("Write a comment first."); words.focus(); return; }
    ask.disabled = true;
    fail("");
    try {
      const added = await send(text);
      unsent.delete(entry.id);
      words.value = "";
      comments = [...(comments ?? []).filter((other) => other.id !== added.id), added];
      draw();
    } catch (error) { fail(`${error.message} Nothing is lost: your comment stays here.`); }
    ask.disabled = false;
    words.focus();
  }
  words.addEventListener("input", () => unsent.set(entry.id, words.value));
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  });
  load().then((found) => {
    // One that was sent meanwhile may be missing in what was asked for before.
    const own = (comments ?? []).filter((comment) => !found.comments.some((other) => other.id === comment.id));
    comments = [...found.comments, ...own];
    sealed.hidden = !found.sealed;
    over.hidden = !found.closed;
    words.hidden = ask.hidden = found.closed;
    draw();
  }, (error) => fail(error.message));
  words.focus();
  return dialog;
}
