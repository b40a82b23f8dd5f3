// Judgments that the server has not acknowledged, kept in IndexedDB so that a closed browser loses none. IndexedDB takes its time, and what it
// has not finished when the window goes away is undone: until then a judgment stands in localStorage too.
// A record: {nonce, person, personName, campaign, campaignName, entry, number, query, order, made_at, base, after,
//            status: "waiting"|"conflict"|"taken"|"closed"|"paused"|"refused", message, newest, body: {outcome, codes, note, ...},
//            fields: what the protocol asks beside codes, so that the record can be told in words in another campaign's window}

import { storage } from "./storage.js";

const STORE = "outbox";

function settled(requested) {
  return new Promise((resolve, reject) => {
    requested.onsuccess = () => resolve(requested.result);
    requested.onerror = () => reject(requested.error);
  });
}

function openDatabase(name) {
  const opening = indexedDB.open(name, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: "nonce" });
  return settled(opening);
}

/** The store of that name; `lasting` is false where the browser refuses to keep anything (then records live in this window only). */
export async function openOutbox(name = "assay") {
  const HASTY = `${name}.outbox.`;      // and the nonce: the key of a record in localStorage
  let database = null;
  const memory = new Map();
  const writing = new Map();            // nonce -> the newest write of that record under way
  try {
    database = await openDatabase(name);
    database.onversionchange = () => database.close();
  } catch {
    database = null;
  }

  function write(work) {
    const transaction = database.transaction(STORE, "readwrite", { durability: "strict" });
    work(transaction.objectStore(STORE));
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve();
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }

  return {
    get lasting() { return database !== null; },
    /** All records of all people in this browser, oldest first. */
    async all() {
      const rows = database ? await settled(database.transaction(STORE).objectStore(STORE).getAll()) : [...memory.values()];
      const found = new Map([...rows, ...storage.all(HASTY)].map((record) => [record.nonce, record]));
      return [...found.values()].sort((one, two) => one.order - two.order);
    },
    async has(nonce) {
      if (storage.read(HASTY + nonce)) return true;
      if (!database) return memory.has(nonce);
      return (await settled(database.transaction(STORE).objectStore(STORE).count(nonce))) > 0;
    },
    /** The record outlives the window from this call on; it resolves once the database has it. */
    async put(record) {
      const mine = {};
      writing.set(record.nonce, mine);
      memory.set(record.nonce, record);
      storage.write(HASTY + record.nonce, record);
      if (!database) return;
      await write((store) => store.put(record));
      if (writing.get(record.nonce) !== mine) return;
      writing.delete(record.nonce);
      storage.remove(HASTY + record.nonce);
    },
    async remove(nonce) {
      writing.delete(nonce);
      memory.delete(nonce);
      storage.remove(HASTY + nonce);
      if (database) await write((store) => store.delete(nonce));
    },
    close() { database?.close(); },
  };
}

/** A fresh nonce (UUID version 4); also where crypto.randomUUID is missing, as on plain http in a local network. */
export function freshNonce() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
