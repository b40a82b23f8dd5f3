"""Times the grouping of near-duplicate texts, and counts how many planted ones it finds and how many it makes up."""

from __future__ import annotations

import argparse
import random
import string
import time
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.measuring import peak_bytes, print_table, write_json
from cleaning.duplicates import THRESHOLD, group_near_duplicates

#: Forms of a question; {} are a word of content, {n} a name, {y} a year. Texts of one form differ in little else.
_FORMS = (
    "What was the {} {} of {n} in {y}?",
    "Which {} did {n} report for its {} {} in {y}, and how did it compare with the {} of {n}?",
    "How many {} {} were recorded in {n} after the {} of {} {}?",
    "According to {n}, which {} {} explain the {} of {} {} in {} {}?",
    "In what way does the {} {} of {n} depend on {} {} and on {}?",
    "Who approved the {} {} {} before the {} {} started in {y}?",
    "Compare the {} {} and the {} {} that {n} describes for {} {}.",
    "{} {} {n} {y} {}",
)
KINDS = ("words exchanged", "word inserted", "typing error", "clauses reordered", "word replaced", "two typing errors",
         "case and marks")  # fmt: skip


def make_texts(n: int, planted: int, seed: int) -> tuple[list[str], list[tuple[int, int, str]]]:
    """Return n texts, and (row, row of its changed copy, kind of change) of the planted near-duplicates."""
    chance = random.Random(seed)
    words = _vocabulary(chance, 12_000)
    weights = 1 / np.arange(5, len(words) + 5) ** 0.8
    stream = iter(chance.choices(words, weights.tolist(), k=n * 12))
    names = [word.capitalize() for word in _vocabulary(chance, 4_000)]
    texts = [_fill(chance.choice(_FORMS), stream, names, chance) for _ in range(n - planted)]
    pairs = []
    for row in chance.sample(range(n - planted), planted):
        kind = KINDS[len(pairs) % len(KINDS)]
        pairs.append((row, len(texts), kind))
        texts.append(_changed(texts[row], kind, chance, words))
    order = list(range(n))
    chance.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    return [texts[old] for old in order], [(place[one], place[other], kind) for one, other, kind in pairs]


def _vocabulary(chance: random.Random, n: int) -> list[str]:
    parts = [c + v for c in "bcdfghjklmnprstvw" for v in "aeiou"]
    found: dict[str, None] = {}
    while len(found) < n:
        found["".join(chance.choices(parts, k=chance.choice((2, 2, 3, 3, 4)))) + chance.choice(("", "n", "r", "l"))] = (
            None
        )
    return list(found)


def _fill(form: str, stream: object, names: list[str], chance: random.Random) -> str:
    text = form
    while "{" in text:
        at = text.index("{")
        end = text.index("}") + 1
        what = text[at:end]
        new = (
            chance.choice(names)
            if what == "{n}"
            else str(chance.randint(1950, 2024))
            if what == "{y}"
            else next(stream)  # type: ignore[call-overload]
        )
        text = text[:at] + str(new) + text[end:]
    return text


def _changed(text: str, kind: str, chance: random.Random, words: list[str]) -> str:
    tokens = text.split()
    plain = [i for i, token in enumerate(tokens) if token.isalpha() and token.islower() and len(token) > 3]
    if kind == "words exchanged":
        i, j = chance.sample(range(len(tokens)), 2)
        tokens[i], tokens[j] = tokens[j], tokens[i]
    elif kind == "word inserted":
        tokens.insert(chance.randrange(1, len(tokens)), chance.choice(words))
    elif kind == "clauses reordered":
        cut = chance.randrange(1, len(tokens))
        tokens = [*tokens[cut:], *tokens[:cut]]
    elif kind == "word replaced":
        tokens[chance.choice(plain)] = chance.choice(words)
    elif kind == "case and marks":
        return text.upper().replace("?", " ?").replace(" ", "  ")
    else:
        for i in chance.sample(plain, min(len(plain), 1 if kind == "typing error" else 2)):
            at = chance.randrange(len(tokens[i]))
            tokens[i] = tokens[i][:at] + chance.choice(string.ascii_lowercase) + tokens[i][at + chance.randint(0, 1) :]
    return " ".join(tokens)


def main() -> None:
    """Print the time, the peak of memory, recall by kind of change, and precision."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=388_389)
    parser.add_argument("--planted", type=int, default=7_000)
    parser.add_argument("--threshold", type=float, default=THRESHOLD)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    texts, pairs = make_texts(given.texts, given.planted, given.seed)
    made = peak_bytes()
    started = time.perf_counter()
    groups = group_near_duplicates(texts, threshold=given.threshold)
    seconds = time.perf_counter() - started
    found = Counter(kind for one, other, kind in pairs if 0 <= groups.group[one] == groups.group[other])
    asked = Counter(kind for _, _, kind in pairs)
    sizes = Counter(len(rows) for rows in groups.members())
    claimed = sum(count * size * (size - 1) // 2 for size, count in sizes.items())
    recall, precision = sum(found.values()) / len(pairs), sum(found.values()) / max(claimed, 1)
    print_table(("change", "planted", "found", "recall"), [
        *((kind, asked[kind], found[kind], f"{found[kind] / asked[kind]:.4f}") for kind in KINDS),
        ("all", len(pairs), sum(found.values()), f"{recall:.4f}"),
    ])  # fmt: skip
    print(
        f"{given.texts:,} texts in {seconds:.1f} s, peak {peak_bytes() / 1e9:.2f} GB ({made / 1e9:.2f} GB with the texts alone); "
        f"{claimed:,} pairs in {len(groups.reasons):,} groups, the largest of {max(sizes, default=0)}; precision {precision:.4f}"
    )
    for one, other in list(_made_up(groups.members(), {frozenset(each[:2]) for each in pairs}))[:5]:
        print(f"  not planted: {texts[one]}  |  {texts[other]}")
    if given.json:
        figures = {"texts": given.texts, "seconds": seconds, "peak_bytes": peak_bytes(), "recall": recall}
        write_json(given.json, {**figures, "precision": precision, "found": dict(found), "planted": dict(asked)})


def _made_up(groups: list[list[int]], planted: set[frozenset[int]]) -> list[tuple[int, int]]:
    return [(rows[0], rows[1]) for rows in groups if len(rows) != 2 or frozenset(rows) not in planted]


if __name__ == "__main__":
    main()
