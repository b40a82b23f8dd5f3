// The places that the server keeps for this annotator: renewed while the entries are in hand and somebody is there.

const EVERY_MS = 300_000;             // a claim lasts half an hour
const AWAY_MS = 1_800_000;            // whoever has pressed nothing for so long gives the places up

/** `session` has the entries in hand and takes what is lost; `clock` knows when something was pressed last. */
export function createPlaces({ api, session, clock, now = () => performance.now() }) {
  let last = now(), over = false, asking = false;

  /** `asked`: somebody wants to know how the campaign stands. */
  async function renew({ asked = false } = {}) {
    const numbers = session.inHand;
    const isOfUse = asked || (clock.idle <= AWAY_MS && (numbers.length || session.halted !== null));
    if (over || asking || !isOfUse) return;
    asking = true;
    last = now();
    try {
      const answer = await api.claims(numbers);
      if (over) return;
      session.stands(answer);
      if (answer.lost.length) session.lost(answer.lost);
      session.held(answer.held);
    } catch (error) {
      if (!over && error.status === 401) session.sender.signedOut();
    } finally { asking = false; }
  }
  const timer = setInterval(() => renew(), EVERY_MS);

  return {
    renew,
    /** The window has come back: claims may have run out meanwhile. */
    returned() { if (now() - last > EVERY_MS) renew(); },
    stop() { over = true; clearInterval(timer); },
  };
}
