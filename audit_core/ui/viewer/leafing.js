// Leafing through the documents of the entry on the desk: which page lies where, fetched a few at a time when somebody leafs.

const WINDOW = 9;              // pages that one request describes

/** `api.documentPages(number, document, query)` fetches; `images.load` fetches a picture ahead. */
export function createLeafing({ api, images }) {
  let entry = null;
  let documents = new Map();     // document index -> {total, pages: Map(position -> page), places: Map(page id -> position)}
  let asked = new Map();

  function learn(answer) {
    const known = documents.get(answer.document) ?? { total: 0, pages: new Map(), places: new Map() };
    known.total = answer.total;
    for (const page of answer.pages) {
      known.pages.set(page.position, page);
      known.places.set(page.page_id, page.position);
    }
    documents.set(answer.document, known);
    return known;
  }

  /** Asks the server once for the same pages, however often it is needed meanwhile. An answer for an earlier entry is dropped. */
  function fetchPages(document, query) {
    const key = `${document} ${JSON.stringify(query)}`;
    const mine = entry;
    if (!asked.has(key)) {
      asked.set(key, api.documentPages(mine.number, document, { count: WINDOW, ...query }).then((answer) => {
        if (mine === entry) learn(answer);
        return answer;
      }).finally(() => { if (mine === entry) asked.delete(key); }));
    }
    return asked.get(key);
  }

  const indexOf = (page) => (entry?.documents ?? []).indexOf(page.document_id);
  const known = (page) => documents.get(indexOf(page));

  return {
    open(next) { entry = next; documents = new Map(); asked = new Map(); },
    canLeaf: (page) => indexOf(page) >= 0,
    /** Where a page lies: {position, total}, guessed from its number before anything was fetched; null where it cannot be leafed. */
    place(page) {
      const document = known(page);
      if (document?.places.has(page.page_id)) return { position: document.places.get(page.page_id), total: document.total, sure: true };
      if (indexOf(page) < 0 || !page.page_count) return null;
      return { position: page.page_number, total: Math.max(page.page_count, page.page_number), sure: false };
    },
    /** The page at a position of the document in which `page` lies, or null where it is not fetched yet. */
    at: (page, position) => known(page)?.pages.get(position) ?? null,
    /** What is known of a page by its id, or null; of its elements only once it was fetched. */
    known(id) {
      for (const { pages, places } of documents.values()) if (places.has(id)) return pages.get(places.get(id));
      return null;
    },
    knownElements(page) { return this.known(page.page_id)?.elements ?? []; },
    /** Resolves to what is known of a page itself, with its elements. */
    async details(page) {
      const document = known(page);
      if (!document?.places.has(page.page_id)) await fetchPages(indexOf(page), { around: page.page_id });
      return known(page).pages.get(known(page).places.get(page.page_id));
    },
    /** Resolves to the page at `position`, fetched if need be. */
    async page(page, position) {
      const held = known(page)?.pages.get(position);
      if (held) return held;
      await fetchPages(indexOf(page), { from: Math.max(1, position - Math.floor(WINDOW / 2)) });
      return known(page)?.pages.get(position) ?? null;
    },
    /** Resolves to the page of that id in any of the entry's documents, or null. */
    async locate(pageId) {
      for (const document of (entry?.documents ?? []).keys()) {
        const answer = await fetchPages(document, { around: pageId }).catch(() => null);
        const found = answer?.pages.find((page) => page.page_id === pageId);
        if (found) return found;
      }
      return null;
    },
    /** Resolves to {page, others}: the page of that number or label, and the positions of others that it fits. */
    async find(page, text) {
      const answer = await fetchPages(indexOf(page), { find: text });
      return { page: answer.pages.find((one) => one.position === answer.matches[0]), others: answer.matches.slice(1) };
    },
    /** Fetches what is likely to be wanted next: the pictures of the two neighbours, and what lies beyond what is known. */
    async ahead(page) {
      const { position, total } = this.place(page);
      const mine = entry;
      for (const next of [position + 1, position - 1]) {
        if (next < 1 || next > total) continue;
        const neighbour = await this.page(page, next).catch(() => null);
        if (mine !== entry) return;
        if (neighbour?.src) await images.load(neighbour.src).done;
      }
    },
    /** Addresses of the pictures near a page, which are worth keeping. */
    near(page) {
      const place = this.place(page);
      if (!place) return [];
      return [-2, -1, 0, 1, 2].map((by) => this.at(page, place.position + by)?.src).filter(Boolean);
    },
  };
}
