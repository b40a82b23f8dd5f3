// Sends the outbox in order, one judgment at a time, until each is acknowledged or needs the annotator.

const WAITS_MS = [1000, 2000, 5000, 10_000];
/** What a judgment that was not taken becomes, by the word of the refusal; any other is "refused". */
const ASIDE = ["conflict", "taken", "closed", "paused"];

/**
 * `on` receives what happened: acknowledged(record, answer), conflict(record), taken(record), closed(record), paused(record),
 * refused(record), and changed() after each change of `problem` or of the number of records.
 * `problem`: null, {kind: "failing", message, tries} (tried again by itself), {kind: "signed_out"}, {kind: "other_person", name}.
 */
export function createSender({ outbox, api, me, drafts, on }) {
  let records = [];
  let strangers = [];             // left alone: another person's, in the same browser
  let problem = null;
  let running = false, stopped = false, checkPerson = false, unkept = false;
  let timer = null, tries = 0;

  const blocked = (record) => records.some((other) =>
    other.entry === record.entry && other.order < record.order && other.status !== "waiting");
  const nextRecord = () => records.find((record) => record.status === "waiting" && !blocked(record));

  async function keep(record) {
    try { await outbox.put(record); return outbox.lasting; } catch { unkept = true; return false; }
  }
  async function drop(record) {
    records = records.filter((other) => other.nonce !== record.nonce);
    await outbox.remove(record.nonce).catch(() => {});
  }
  function setProblem(next) { problem = next; on.changed(); }

  async function samePerson() {
    if (!checkPerson && problem?.kind !== "signed_out") return true;
    const state = await api.state({ count: 0 });
    if (state.me.id !== me.id) { setProblem({ kind: "other_person", name: state.me.name }); return false; }
    checkPerson = false;
    return true;
  }

  /** Nobody is signed in, or somebody else: the server's answer is the same, so it is asked who it takes us for. */
  function signedOut() {
    if (problem?.kind === "other_person" || problem?.kind === "signed_out") return;
    setProblem({ kind: "signed_out" });
    samePerson().then((same) => {
      if (!same || stopped) return;
      setProblem(null);
      clearTimeout(timer);
      timer = setTimeout(run, WAITS_MS[0]);
    }, () => {});
  }

  /** What is known changes at once, so that a judgment made in this moment rests on it; the store follows, the acknowledged one last. */
  async function acknowledge(record, answer) {
    const followers = records.filter((other) => other.after === record.nonce);
    for (const follower of followers) Object.assign(follower, { base: answer.revision, after: null });
    records = records.filter((other) => other !== record);
    tries = 0;
    problem = null;
    if (!stopped) on.acknowledged(record, answer);
    for (const follower of followers) await keep(follower);
    await outbox.remove(record.nonce).catch(() => {});
    if (!stopped) on.changed();
  }

  async function setAside(record, error) {
    const status = ASIDE.includes(error.code) ? error.code : "refused";
    Object.assign(record, { status, message: error.message, newest: error.body.newest ?? null });
    await keep(record);
    tries = 0;
    problem = null;
    if (stopped) return;
    on.changed();
    on[status](record);
  }

  /** True where the next record may be tried at once. */
  async function sendOne(record) {
    try {
      if (!(await samePerson())) return false;
      if (record.restored && !(await outbox.has(record.nonce))) {       // another window sent or settled it meanwhile
        records = records.filter((other) => other !== record);
        return true;
      }
      await drafts.settled(record.entry);
      const answer = await api.postJudgment(record.entry, { ...record.body, nonce: record.nonce, base_revision: record.base });
      await acknowledge(record, answer);
      return true;
    } catch (error) {
      if (stopped) return false;
      if (error.status === 401) { signedOut(); return false; }
      if (error.status !== undefined && !error.passing) { await setAside(record, error); return true; }
      const wait = WAITS_MS[Math.min(tries, WAITS_MS.length - 1)];
      tries += 1;
      setProblem({ kind: "failing", message: error.message, tries });
      clearTimeout(timer);
      timer = setTimeout(run, wait);
      return false;
    }
  }

  async function run() {
    if (running || stopped) return;
    running = true;
    clearTimeout(timer);
    try {
      for (let record = nextRecord(); record && !stopped; record = nextRecord()) {
        if (!(await sendOne(record))) break;
      }
    } finally { running = false; }
  }

  return {
    get records() { return records; },
    get strangers() { return strangers; },
    get problem() { return problem; },
    get unkept() { return unkept || !outbox.lasting; },
    /** Loads what an earlier window left behind and starts sending it. */
    async start() {
      const all = await outbox.all().catch(() => []);
      strangers = all.filter((record) => record.person !== me.id);
      const mine = all.filter((record) => record.person === me.id).map((record) => ({ ...record, restored: true }));
      records = [...mine, ...records.filter((record) => !mine.some((other) => other.nonce === record.nonce))];
      on.changed();
      for (const record of mine.filter((one) => one.status === "conflict")) on.conflict(record);
      run();
    },
    /** Takes a new judgment; resolves, once that is known, to whether the browser keeps it. Sending goes on in the background. */
    add(record) {
      const replaced = records.filter((other) => other.entry === record.entry && other.status !== "waiting");
      for (const other of replaced) drop(other);           // said anew after it was set aside
      records = [...records, record];
      on.changed();
      const kept = keep(record);
      run();                                               // a slow disk holds nothing up
      return kept;
    },
    /** The newest unacknowledged judgment on an entry, or null. */
    newestFor: (entry) => records.findLast((record) => record.entry === entry) ?? null,
    /** Sends a record again that was set aside; `base` is the revision it now rests on. */
    async again(record, base = record.base) {
      Object.assign(record, { status: "waiting", message: null, newest: null, base });
      await keep(record);
      on.changed();
      run();
    },
    async discard(record) { await drop(record); on.changed(); run(); },
    /** Tries now: the browser is online again, the window has the focus, or the annotator asks. */
    now({ returned = false } = {}) {
      if (problem?.kind === "other_person") return;
      checkPerson ||= returned;
      if (problem?.kind === "signed_out" && !nextRecord()) samePerson().then((same) => same && setProblem(null), () => {});
      else run();
    },
    /** Another request found that nobody is signed in. */
    signedOut,
    stop() { stopped = true; clearTimeout(timer); },
  };
}
