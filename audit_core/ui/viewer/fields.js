// What a protocol asks beside codes, as its description says: choices such as keep or remove, and criteria on a scale.
// A choice: {name, kind: "choice", options: [{value, key, letter, short, meaning, colour}]}; a scale: {name, kind: "scale", title, low, high, steps}.
// `asked` is anything with `fields` as the protocol has them: the protocol itself, or a record of the outbox.

export const choicesOf = (asked) => (asked.fields ?? []).filter((field) => field.kind === "choice");
export const scalesOf = (asked) => (asked.fields ?? []).filter((field) => field.kind === "scale");

/** The options that an answer chooses, in the protocol's order. */
export const optionsChosen = (answer, asked) => choicesOf(asked)
  .flatMap((field) => field.options.filter((option) => answer.fields?.[field.name] === option.value));

/** The letters of what an answer chooses: "FE", "K"; empty where nothing is chosen, and for "correct". */
export const lettersOf = (answer, asked) => answer.codes || optionsChosen(answer, asked).map((option) => option.letter).join("");

/** The rated criteria of an answer, as [title, value as text]. */
export const ratingsOf = (answer, asked) => scalesOf(asked).filter((scale) => answer.fields?.[scale.name] !== undefined)
  .map((scale) => [scale.title, String(answer.fields[scale.name])]);

/** What can be chosen, for whoever pressed Enter too early. */
export function choiceWords(protocol) {
  const letters = choicesOf(protocol).flatMap((field) => field.options.map((option) => option.letter));
  return letters.length ? `${letters.join(", ")} or X` : `${protocol.codes.map((code) => code.code).join(" ")}, C or X`;
}

/** The key that writes why an entry cannot be judged: R, or A where R is a choice. */
export const reasonKey = (protocol) => (choicesOf(protocol).some((field) => field.options.some((option) => option.key === "r")) ? "a" : "r");
