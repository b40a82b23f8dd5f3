// A window that only looks at one entry: nothing can be changed or saved in it. It goes to no other entry, since opening one takes a place at it.

const ALLOWED = new Set(["page", "stepBox", "leaf", "goToPage", "backToListed", "rotate", "copyLink", "boxes", "spread", "zoom", "fit", "oneToOne", "scroll",
  "guidelines", "help", "escape", "comments", "precedents", "retry", "reload", "kept", "compare", "hideStrangers", "hideNotice"]);

/** Whether a key or button does what it says in such a window. */
export const isLooking = (action) => ALLOWED.has(action);

export const LOOKING = "This window is for looking only. Judge in the other one.";

/** The bar of such a window. */
export const lookBar = { kind: "news", testid: "looking", words: "You are looking at this entry only; nothing can be changed in this window. Close it to go back to judging." };

/** Makes the routes hand out nothing. */
export function withoutQueue(api, progress) {
  return { ...api, upcoming: async () => ({ next: [], progress }) };
}
