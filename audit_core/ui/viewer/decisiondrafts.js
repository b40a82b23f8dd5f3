// Decisions begun and not saved, in this browser: they outlive a reload and a closed window. They have the shape that drafts.js has, without a server.

import { decisionOf, sameDecision } from "./decision.js";
import { storage } from "./storage.js";

export function createDecisionDrafts({ person }) {
  const key = (id) => `assay.decision.${person}.${id}`;
  return {
    /** The draft of an entry that differs from `saved`, as {answer, base, saved_at}; else null (and it is removed). */
    restore(entry, saved) {
      const found = storage.read(key(entry.id));
      if (!found) return null;
      const answer = decisionOf(found);
      if (sameDecision(answer, saved)) { storage.remove(key(entry.id)); return null; }
      return { answer, base: found.base, saved_at: found.saved_at };
    },
    /** Keeps a change; it rests on the decision as it stood. */
    change(entry, { answer, base }) { storage.write(key(entry.id), { ...answer, base: Math.max(base, entry.revision ?? 0), saved_at: new Date().toISOString() }); },
    forget(entry) { storage.remove(key(entry.id)); },
    /** It is on its way: the copy here goes when `kept` says that the outbox has it. */
    judged(entry, kept) {
      const stamp = storage.read(key(entry.id))?.saved_at;
      kept.then((lasting) => { if (lasting && storage.read(key(entry.id))?.saved_at === stamp) storage.remove(key(entry.id)); });
    },
    acknowledged(id, decision) {
      const found = storage.read(key(id));
      if (found && sameDecision(decisionOf(found), decision)) storage.remove(key(id));
    },
    flush() {},
    settled: () => Promise.resolve(),
  };
}
