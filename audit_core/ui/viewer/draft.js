// Drafts: every change is in localStorage at once and on the server 400 ms later.

import { answerOf, sameAnswer } from "./answer.js";
import { storage } from "./storage.js";           // where it is refused, the server's draft is the only one

const WAIT_MS = 400;

/** The drafts of `person`. `onFailed(error)` is told of a draft that did not reach the server (the local one stays). */
export function createDrafts({ person, api, onFailed, onSaved }) {
  const key = (id) => `assay.draft.${person}.${id}`;
  const waiting = new Map();      // entry id -> {draft, timer}
  const inFlight = new Map();     // entry id -> promise of the last request, so that requests on one entry keep their order

  function queue(id, work) {
    const promise = (inFlight.get(id) ?? Promise.resolve()).then(work).catch(onFailed)
      .finally(() => { if (inFlight.get(id) === promise) inFlight.delete(id); });
    inFlight.set(id, promise);
    return promise;
  }

  function put(id, { keepalive = false } = {}) {
    const held = waiting.get(id);
    if (!held) return;
    clearTimeout(held.timer);
    waiting.delete(id);
    const send = async () => {
      const answer = await api.putDraft(id, held.draft, keepalive);
      const local = storage.read(key(id));
      if (local && local.saved_at === held.local.saved_at) storage.write(key(id), { ...local, synced: answer.saved_at });
      onSaved?.(id, answer.saved_at);
    };
    if (keepalive) send().catch(() => {});           // the page is going away: no waiting for earlier requests
    else queue(id, send);
  }

  return {
    /** The newest draft of an entry that differs from `saved`, as {answer, active_ms, saved_at}; else null (and it is removed). */
    restore(entry, saved) {
      const local = storage.read(key(entry.id));
      const server = entry.draft;
      let newest = local ?? server;
      if (local && server && local.synced !== server.saved_at && server.saved_at > local.saved_at) newest = server;
      if (!newest) return null;
      if (sameAnswer(answerOf(newest), saved)) { this.forget(entry); return null; }
      if (newest === local && !local.synced && !waiting.has(entry.id)) {       // the server has not seen it: another try
        const { saved_at: at, synced, ...draft } = local;
        waiting.set(entry.id, { draft, local, timer: setTimeout(() => put(entry.id), WAIT_MS) });
      }
      return { answer: answerOf(newest), active_ms: newest.active_ms ?? 0, saved_at: newest.saved_at };
    },
    /** Keeps a change. */
    change(entry, { answer, base, active_ms }) {
      const draft = { ...answer, base_revision: base, active_ms };
      const local = { ...draft, saved_at: new Date().toISOString(), synced: null };
      storage.write(key(entry.id), local);
      entry.draft = local;
      clearTimeout(waiting.get(entry.id)?.timer);
      waiting.set(entry.id, { draft, local, timer: setTimeout(() => put(entry.id), WAIT_MS) });
    },
    /** Removes a draft that says nothing new, here and on the server. */
    forget(entry) {
      const known = entry.draft || storage.read(key(entry.id)) || inFlight.has(entry.id);
      clearTimeout(waiting.get(entry.id)?.timer);
      waiting.delete(entry.id);
      storage.remove(key(entry.id));
      entry.draft = null;
      if (known) queue(entry.id, () => api.deleteDraft(entry.id));
    },
    /** The draft has become a judgment: it is sent no more. The local copy goes when `kept` says that the outbox has the judgment. */
    judged(entry, kept) {
      clearTimeout(waiting.get(entry.id)?.timer);
      waiting.delete(entry.id);
      entry.draft = null;
      const stamp = storage.read(key(entry.id))?.saved_at;
      kept.then((lasting) => { if (lasting && storage.read(key(entry.id))?.saved_at === stamp) storage.remove(key(entry.id)); });
    },
    /** The judgment is on the server: a local copy that says the same is of no use any more. */
    acknowledged(id, answer) {
      const local = storage.read(key(id));
      if (local && sameAnswer(answerOf(local), answer)) storage.remove(key(id));
    },
    /** Sends what waits now; `keepalive` lets the request outlive the page. */
    flush(options) { for (const id of [...waiting.keys()]) put(id, options); },
    /** Resolves when no draft request on the entry is under way (a judgment must not be overtaken by its own draft). */
    settled: (id) => inFlight.get(id) ?? Promise.resolve(),
  };
}
