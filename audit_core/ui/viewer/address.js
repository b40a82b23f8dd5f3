// The address of the window, so that a reload comes back to the same entry.

/** Puts campaign and entry into the address; `entry` null takes the entry out (finished). */
export function keepInAddress({ campaign, entry }) {
  const url = new URL(window.location.href);
  url.searchParams.set("campaign", campaign);
  if (entry === null) url.searchParams.delete("entry");
  else url.searchParams.set("entry", String(entry));
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
