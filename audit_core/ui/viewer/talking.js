// What is said about entries, on the surface: comments in the left column and in a dialog, precedents beside the pages.

import { openComments } from "./comments.js";
import { createPrecedents } from "./precedents.js";

const WAIT_MS = 400;                 // whoever judges fast asks for no comments

/** The address at which an entry is looked at without changing it. */
export function lookAddress(campaign, number) {
  return `/judge?${new URLSearchParams({ campaign, entry: number, look: 1 })}`;
}

/** `block` shows comments; `session` knows the desk. `look()` is called whenever something is drawn. */
export function createTalking({ surface, api, session, block, act }) {
  const precedents = createPrecedents({ act, addressOf: lookAddress, load: (entry, words) => api.precedents(entry.id, words) });
  let shown = null, timer = null;

  const stateOf = (entry) => (entry ? `${entry.id} ${entry.saved?.revision ?? 0} ${session.named ? "named" : ""}` : null);
  async function fetchComments(entry, state) {
    try {
      const { comments } = await api.comments(entry.id);
      if (shown === state) block.show(comments);
    } catch { /* the dialog says why; judging goes on without */ }
  }
  return {
    node: precedents.node,
    look() {
      const { entry } = session.desk;
      const state = stateOf(entry);
      if (state === shown) return;
      if (shown?.split(" ")[0] !== String(entry?.id)) block.show([]);
      shown = state;
      clearTimeout(timer);
      precedents.look(entry);
      if (entry) timer = setTimeout(() => fetchComments(entry, state), WAIT_MS);
    },
    actions: {
      comments() {
        const { entry } = session.desk;
        if (!entry) return;
        openComments(surface, { entry, load: () => api.comments(entry.id),
          send: async (text) => (await api.comment(entry.id, text)).comment, remove: (id) => api.deleteComment(id),
          onchange: (comments) => { if (session.desk.entry === entry) block.show(comments); } });
      },
      precedents: () => precedents.toggle(),
    },
    /** What Escape does first; true where it was enough. */
    leave: () => precedents.leave(),
    close() { precedents.close(); },
    stop() { clearTimeout(timer); precedents.stop(); },
  };
}
