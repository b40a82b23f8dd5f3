// The server, one function a route. Every failure is an ApiError with a sentence for the user.

const TIMEOUT_MS = 20_000;

/** status 0 = the server was not reached; code is the contract's word ("signed_out", "conflict", ...). */
export class ApiError extends Error {
  constructor(status, code, message, body = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.body = body;
  }

  /** True where the same request may succeed later by itself. */
  get passing() {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500;
  }
}

async function request(path, { method = "GET", body, keepalive = false, person } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-Assay"] = "1";
  if (person !== undefined) headers["X-Assay-Person"] = String(person);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response, answer;
  try {
    response = await fetch(path, {
      method, headers, keepalive, credentials: "same-origin", cache: "no-store",
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: keepalive ? undefined : AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = await response.json().catch(() => null);
  } catch {
    throw new ApiError(0, "unreachable", "The server does not answer.");
  }
  if (response.ok && answer !== null) return answer;
  if (response.ok) throw new ApiError(0, "unreadable", "The server gave an answer that cannot be read.");
  throw new ApiError(response.status, answer?.code ?? "failed",
    answer?.error ?? `The server answered with status ${response.status}.`, answer ?? {});
}

const query = (values) => new URLSearchParams(
  Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "")).toString();

/** The routes of one campaign. `person` is set once the first state is known, so that a changed sign-in is noticed. */
export function createApi(campaign) {
  const root = `/api/campaigns/${encodeURIComponent(campaign)}`;
  let person;
  const send = (path, options) => request(path, { ...options, person });
  const entry = (id) => `/api/entries/${encodeURIComponent(id)}`;
  return {
    setPerson(id) { person = id; },
    state: ({ entry: number = null, count }) => request(`${root}/state?${query({ entry: number, count })}`),
    upcoming: ({ after, count, skip }) => send(`${root}/upcoming?${query({ after, count, skip: skip.join(",") })}`),
    claims: (numbers) => send(`${root}/claims`, { method: "POST", body: { numbers } }),
    entry: (number) => send(`${root}/entries/${number}`),
    documentPages: (number, document, asked) => send(`${root}/entries/${number}/documents/${document}/pages?${query(asked)}`),
    flag: (id, question) => send(`${entry(id)}/flags`, { method: "POST", body: { question } }),
    comments: (id, asked = {}) => send([`${entry(id)}/comments`, query(asked)].filter(Boolean).join("?")),
    comment: (id, text) => send(`${entry(id)}/comments`, { method: "POST", body: { text } }),
    deleteComment: (id) => send(`/api/comments/${encodeURIComponent(id)}`, { method: "DELETE" }),
    precedents: (id, words) => send(`${entry(id)}/precedents?${query({ words, count: 30 })}`),
    overview: ({ state, from, before, numbers }) => send(`${root}/overview?${query({ state, from, before, numbers: numbers.join(",") })}`),
    putDraft: (id, draft, keepalive) => send(`${entry(id)}/draft`, { method: "PUT", body: draft, keepalive }),
    deleteDraft: (id) => send(`${entry(id)}/draft`, { method: "DELETE" }),
    adjudication: (asked) => send(`${root}/adjudication?${query(asked)}`),
    adjudicationList: (asked) => send(`${root}/adjudication/overview?${query(asked)}`),
    postDecision: (id, decision) => send(`${entry(id)}/decisions`, { method: "POST", body: decision }),
    postJudgment: (id, judgment) => send(`${entry(id)}/judgments`, { method: "POST", body: judgment }),
  };
}
