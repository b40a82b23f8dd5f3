// The entries that come next: a few not yet judged ones, held ready with their images.

/** How many entries are held, so that the fastest typist does not outrun the server; below LOW more are fetched. */
export const HELD = 6;
const LOW = 4;
const PATIENCE_MS = 1000;

/** `isTaken(number)` says that an entry is judged here already, though the server may not know yet. `takenNumbers()` lists them. */
export function createQueue({ api, isTaken, takenNumbers, onEntries, onProgress }) {
  let entries = [];
  let turn = 0;              // answers to questions asked before a jump are too old
  let asking = null;
  let restarting = null;
  let exhausted = false;

  const add = (more) => {
    for (const entry of more) {
      if (!isTaken(entry.number) && !entries.some((held) => held.number === entry.number)) entries.push(entry);
    }
  };

  function hold(promise) {
    const mine = promise.finally(() => { if (asking === mine) asking = null; });
    asking = mine;
    return mine;
  }

  async function ask(after, current, { replace }) {
    const mine = turn;
    const held = replace ? [] : entries.map((entry) => entry.number);
    const skip = [...new Set([...held, ...takenNumbers(), ...(current === null ? [] : [current])])];
    const answer = await api.upcoming({ after, count: HELD - held.length, skip });
    if (mine !== turn) return;
    if (replace) entries = [];
    add(answer.next.filter((entry) => entry.number !== current));
    exhausted = answer.next.length === 0;
    onProgress(answer.progress);
    onEntries(entries);
  }

  return {
    get entries() { return entries; },
    /** True where the server said that nothing else is left to judge. */
    get exhausted() { return exhausted && entries.length === 0; },
    start(next) { entries = []; add(next); exhausted = false; onEntries(entries); },
    /** Takes the next entry out, or null. */
    take() {
      while (entries.length) { const entry = entries.shift(); if (!isTaken(entry.number)) return entry; }
      return null;
    },
    /** An entry that was left without judging it comes first again. */
    putBack(entry) {
      if (isTaken(entry.number)) return;
      entries = [entry, ...entries.filter((held) => held.number !== entry.number)];
    },
    without(number) { entries = entries.filter((entry) => entry.number !== number); },
    /** Fetches more where few are held. Rejects with an ApiError where the server cannot be asked. */
    fill(current) {
      if (entries.length >= LOW || exhausted) return Promise.resolve();
      return asking ?? hold(ask(entries.at(-1)?.number ?? current ?? 0, current, { replace: false }));
    },
    /** After a jump to another place: what comes after it. */
    restart(current) {
      turn += 1;
      exhausted = false;
      const mine = hold(ask(current, current, { replace: true }));
      restarting = mine;
      const over = () => { if (restarting === mine) restarting = null; };
      mine.then(over, over);
      return mine;
    },
    /** After a jump: resolves when it is known what comes next there, or when that takes too long; null where nothing is asked. */
    get settling() {
      return restarting && Promise.race([restarting.catch(() => {}), new Promise((resolve) => { setTimeout(resolve, PATIENCE_MS); })]);
    },
  };
}
