// The judgments that the server did not take, kept in this browser: to copy, to send again or to discard.

import { button, h, openDialog } from "./dom.js";
import { answerOf } from "./answer.js";
import { saidOf } from "./fields.js";
import { answerWords, clockTime } from "./format.js";

function asText(record) {
  const said = answerOf(record.body);
  return [`${record.campaignName}, entry ${record.number}: ${answerWords(said, record)}`, `query: ${record.query}`,
    ...saidOf(said, record).map(([title, value]) => `${title}: ${value}`),
    said.reason && `reason: ${said.reason}`, said.note && `note: ${said.note}`, `made: ${record.made_at}`].filter(Boolean).join("\n");
}

/** Hands a text to the browser as a file. */
function download(text, name) {
  const link = h("a", { href: URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text, box) {
  try { await navigator.clipboard.writeText(text); return true; } catch { /* not offered on plain http: the text itself is shown */ }
  box.hidden = false;
  box.value = text;
  box.focus();
  box.select();
  return false;
}

/** `on`: discard(record), again(record), go(record). `what` they are: judgments or decisions. */
export function openKept(surface, { records, on, what = "Judgments", onclose }) {
  const row = (record) => {
    const box = h("textarea", { rows: 4, readonly: true, hidden: true });
    const copied = h("span", { class: "quiet" });
    const item = h("li", { testid: "kept-item" },
      h("p", null, h("strong", null, `Entry ${record.number}: ${answerWords(answerOf(record.body), record)}`),
        h("span", { class: "quiet" }, ` · ${clockTime(record.made_at)}`)),
      h("p", { class: "quiet clamp", dir: "auto" }, record.query),
      record.body.note ? h("p", { class: "clamp", dir: "auto" }, record.body.note) : null,
      record.message ? h("p", { class: "wrong-words" }, record.message) : null, box,
      h("div", { class: "dialog-buttons" },
        button("Copy", { testid: "kept-copy", onclick: async () => { copied.textContent = (await copy(asText(record), box)) ? "copied" : "press Ctrl C"; } }),
        button("Download", { testid: "kept-download", onclick: () => download(`${asText(record)}\n`, `entry-${record.number}.txt`) }),
        button("Send again", { testid: "kept-again", onclick: () => { dialog.close(); on.again(record); } }),
        button("Go to the entry", { onclick: () => { dialog.close(); on.go(record); } }),
        button("Discard", { testid: "kept-discard", onclick: () => { on.discard(record); item.remove(); if (!list.children.length) dialog.close(); } }),
        copied));
    return item;
  };
  const list = h("ul", { class: "kept" }, records.map(row));
  const dialog = openDialog(surface, { title: `${what} that were not saved`, testid: "kept", onclose },
    h("p", null, "They are kept in this browser until you discard them."), list);
  return dialog;
}
