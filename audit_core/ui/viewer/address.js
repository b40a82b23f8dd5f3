// The address of the window, so that a reload comes back to the same entry.

const OF_ONE_ENTRY = ["page", "box", "zoom", "at"];

/** Puts campaign and entry into the address; `entry` null takes the entry out (finished). What a link said of another entry goes. */
export function keepInAddress({ campaign, entry }) {
  const url = new URL(window.location.href);
  if (url.searchParams.get("entry") !== String(entry)) for (const name of OF_ONE_ENTRY) url.searchParams.delete(name);
  url.searchParams.set("campaign", campaign);
  if (entry === null) url.searchParams.delete("entry");
  else url.searchParams.set("entry", String(entry));
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
