// What happens to judgments that the server did not simply take: conflict, refusal, a place that others took, a closed or paused campaign.

import { answerOf, sameAnswer } from "./answer.js";
import { openConflict } from "./conflict.js";
import { openKept } from "./kept.js";

const asJudged = { read: answerOf, same: (record) => sameAnswer(answerOf(record.body), answerOf(record.newest)), words: {}, what: "Judgments" };

/**
 * `session` gives the entries and the navigation; `sender` holds the records that were set aside. `kind` says what they are: how one is `read`, whether both
 * versions say the `same`, and the `words` of a conflict (conflict.js).
 */
export function createSettling({ surface, session, drafts, dialogOpen, kind = asJudged }) {
  const cached = (record) => session.cached(record.number, record.campaign);
  const pagesOf = (record) => (cached(record)?.pages ?? []).map((page) => page.page_id);

  function learn(record, saved) {
    const entry = cached(record);
    if (entry && (entry.saved?.revision ?? 0) < saved.revision) entry.saved = saved;
  }
  function open(record) {
    openConflict(surface, { record, pages: pagesOf(record), ...kind.words, on: {
      keepMine() { learn(record, record.newest); session.sender.again(record, record.newest.revision); session.look(record.number); },
      takeTheirs() { takeTheirs(record); },
      edit() {
        const mine = kind.read(record.body);
        const base = record.newest.revision;
        learn(record, record.newest);
        session.sender.discard(record);
        drafts.change(cached(record) ?? { id: record.entry }, { answer: mine, base, active_ms: record.body.active_ms });
        go(record);
      },
    } });
  }
  async function takeTheirs(record) {
    learn(record, record.newest);
    await session.sender.discard(record);
    session.look(record.number);
  }
  function go(record) {
    if (record.campaign !== session.campaign.id) session.say(`That entry belongs to the campaign ${record.campaignName}.`);
    else session.goTo(record.number, { anew: true });
  }
  /** Whoever writes is not interrupted: the letters would go astray, or into another entry's note. The banner tells, and leads there. */
  const interrupts = () => dialogOpen() || Boolean(surface.getRootNode().activeElement?.matches("input, textarea"));
  const aside = (status) => session.sender.records.find((record) => record.status === status);

  return {
    /** A conflict in which both versions say the same is none. */
    conflict(record) {
      if (kind.same(record)) { takeTheirs(record); return; }
      session.look(record.number);
      if (!interrupts()) open(record);
    },
    refused(record) { if (!interrupts() && record.campaign === session.campaign.id) go(record); },
    closed() { session.halt("closed"); },
    paused() { session.halt("paused"); },
    /** Others were faster: the next entry is on the desk already, or comes now; what was said is kept. */
    taken(record) { session.lost([record.number], record.campaign); },
    /** The campaign goes on: what came while it was paused is sent. */
    resumed() {
      for (const record of session.sender.records.filter((one) => one.status === "paused" && one.campaign === session.campaign.id)) session.sender.again(record);
    },
    compare() { const record = aside("conflict"); if (record) open(record); },
    toRefused() { const record = aside("refused"); if (record) go(record); },
    kept() {
      openKept(surface, { what: kind.what, records: session.sender.records.filter((record) => record.status !== "waiting"), on: {
        discard(record) { session.sender.discard(record); session.unjudged(record.number); session.look(record.number); },
        again(record) { session.sender.again(record); },
        go,
      } });
    },
  };
}
