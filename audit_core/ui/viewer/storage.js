// localStorage: what is written stands there at once, also when the window goes away in the next moment. A browser may refuse it or have it full.

export const storage = {
  read(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
  write(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); } catch { /* see above */ } },
  remove(key) { try { localStorage.removeItem(key); } catch { /* see above */ } },
  /** What stands under the keys that begin with `prefix`. */
  all(prefix) {
    try { return Object.keys(localStorage).filter((key) => key.startsWith(prefix)).map((key) => this.read(key)).filter(Boolean); } catch { return []; }
  },
};
