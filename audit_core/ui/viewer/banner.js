// The bar under the top bar: what happened, that nothing is lost, and what to do. Red for trouble, quiet for news.

import { button, h } from "./dom.js";
import { count } from "./format.js";

/** The bar that a state of affairs calls for, or null: {kind, testid, words, buttons: [[label, action]], link: [label, href]}. `what` is saved here: judgments or decisions. */
export function bannerFor({ problem, records, strangers, unkept, closed, halted = null, place = null, draftsFailing = null, here, what = "judgment" }) {
  const kept = (number) => (number === 0 ? "" : `${count(number, `unsaved ${what}`)} ${number === 1 ? "is" : "are"} kept in this browser`);
  const waiting = records.filter((record) => record.status === "waiting").length;
  const all = records.length;
  if (problem?.kind === "other_person") {
    return { kind: "wrong", testid: "other-person", words: `This browser is now signed in as ${problem.name}. `
      + `${all ? `${kept(all)} and will be sent when you sign in again; n` : "N"}othing of yours was saved under another name.`,
    link: ["Go on as the person signed in", here] };
  }
  if (problem?.kind === "signed_out") {
    const judgments = all ? `your ${count(all, `unsaved ${what}`)} ${all === 1 ? "is" : "are"} kept in this browser` : "nothing is lost";
    return { kind: "wrong", testid: "signed-out", words: `You are signed out: ${judgments}.`, link: ["Sign in again", here] };
  }
  const conflicts = records.filter((record) => record.status === "conflict");
  if (conflicts.length) {
    return { kind: "wrong", testid: "conflict-bar", words: `Entry ${conflicts[0].number} was ${what === "decision" ? "decided elsewhere meanwhile" : "saved in another window too"}. `
      + "Both versions are kept; choose one.", buttons: [["Compare", "compare"]] };
  }
  const refused = records.filter((record) => record.status === "refused");
  if (refused.length) {
    return { kind: "wrong", testid: "refused", words: `Entry ${refused[0].number} was not saved: ${refused[0].message} `
      + "Your answer is kept in this browser.", buttons: [["Go to the entry", "toRefused"], ["Show", "kept"]] };
  }
  if (problem?.kind === "failing") {
    return { kind: "wrong", testid: "failing", words: `Not saved yet: ${problem.message} Nothing is lost: ${kept(waiting)} `
      + `and will be sent again by ${waiting === 1 ? "itself" : "themselves"}. You can go on.`, buttons: [["Try now", "retry"]] };
  }
  const taken = records.filter((record) => record.status === "taken");
  if (taken.length) {
    const many = taken.length > 1;
    return { kind: "wrong", testid: "taken", words: `${many ? `${taken.length} entries were completed by others meanwhile.` : `Entry ${taken[0].number}: ${taken[0].message}`} `
      + `${many ? "Your answers are" : "It is"} kept in this browser: show ${many ? "them" : "it"} to copy, download or discard ${many ? "them" : "it"}.`, buttons: [["Show", "kept"]] };
  }
  const pausing = records.filter((record) => record.status === "paused").length;
  if (halted === "paused") {
    return { kind: "news", testid: "paused", words: `This campaign is paused: nothing can be saved until it goes on. ${pausing ? `${kept(pausing)} and sent then.` : "Your drafts are kept."}`,
      buttons: [["Look again", "lookAgain"], ...(pausing ? [["Show", "kept"]] : [])] };
  }
  const late = records.filter((record) => record.status === "closed");
  if (late.length) {
    return { kind: "wrong", testid: "closed-late", words: `The campaign is closed and took no more judgments. ${kept(late.length)}.`,
      buttons: [["Show", "kept"]] };
  }
  if (unkept && all) {
    return { kind: "wrong", testid: "unkept", words: "This browser keeps no data: leave this window open until everything is saved." };
  }
  if (closed) return { kind: "news", testid: "closed", words: "This campaign is closed: you can look at the entries, but nothing can be saved any more." };
  if (place === "taken") {
    return { kind: "news", testid: "no-place", words: "Others completed this entry, or the last of them are at work on it: an answer will hardly be taken. What you wrote is kept.",
      buttons: [["Next entry", "goOn"]] };
  }
  if (place === "not now") {
    return { kind: "news", testid: "not-now", words: "This entry is not handed out at this stage of the campaign: look at it, but it takes no answer now.", buttons: [["Next entry", "goOn"]] };
  }
  if (draftsFailing) {
    return { kind: "news", testid: "draft-failing", words: `The draft is kept in this browser only: ${draftsFailing} It is sent with your next change.` };
  }
  if (strangers.length) {
    const names = [...new Set(strangers.map((record) => record.personName))].join(", ");
    return { kind: "news", testid: "strangers", words: `${count(strangers.length, `unsaved ${what}`)} of ${names} ${strangers.length === 1 ? "is" : "are"} `
      + `kept in this browser, to be sent when that person signs in here.`, buttons: [["Hide", "hideStrangers"]] };
  }
  return null;
}

export function createBanner({ act }) {
  const node = h("div", { class: "banner", role: "alert", testid: "banner", hidden: true });
  let drawn = "";
  return {
    node,
    show(banner) {
      const next = JSON.stringify(banner);
      if (next === drawn) return;              // read out once, not at every change
      drawn = next;
      node.hidden = !banner;
      if (!banner) { node.replaceChildren(); return; }
      node.dataset.kind = banner.kind;
      node.dataset.about = banner.testid;
      node.replaceChildren(h("span", { class: "banner-words", dir: "auto" }, banner.words),
        ...(banner.buttons ?? []).map(([label, action]) => button(label, { testid: `banner-${action}`, onclick: () => act(action) })),
        ...(banner.link ? [h("a", { class: "button", href: banner.link[1], testid: "banner-link" }, banner.link[0])] : []));
    },
  };
}
