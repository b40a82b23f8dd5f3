"""Texts of a small grammar: queries, answers, element texts and titles, of many lengths and in several scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import polars as pl

Ints = npt.NDArray[np.int64]
LANGUAGES = ("en", "de", "fr", "el", "ru", "zh")
_LANGUAGE_SHARES = (0.93, 0.02, 0.02, 0.01, 0.01, 0.01)
_OPENERS = (
    "What is the", "How many", "Which", "By how much did the", "Who reported the", "When was the", "Where does the",
    "Why is the", "Compare the", "List every", "According to the report, what", "Of all", "Name the", "How does the",
)  # fmt: skip
_SMALL = (
    "the of and in to for with on by from as at between during after before than or not per each under over against "
    "without within across about more less highest lowest mean total share rate value change effect result patients "
    "revenue income samples stars temperature model data year quarter region team season method group level"
)
_SYLLABLES = {
    "en": "ba con de el fer gi ho in jo ka lin mo na or pre qua ri sta ter un vo wa xe ya zi ment tion ship ous",
    "de": "schü grö weiß über käl mä straße ver ge heit ung keit bau haus",
    "fr": "é à ça fê cœur naï hô mon tre pou veau eur ville chan",
    "el": "αλ βη γω δε ευ ζω θη και λο μα νη ος πα ρι στο τη",
    "ru": "ба ве го да же за ли мо на по ре со ту фи ча ши",
    "zh": "数 据 分 析 报 告 研 究 方 法 结 果 表 图 年 月 增 长 率 公 司 地 区 平 均",
}
_WORDS_OF_LANGUAGE = 1_500
_NUMBERS = 2_000


class Words:
    """A vocabulary and its sentences; the same seed gives the same texts."""

    def __init__(self, rng: np.random.Generator) -> None:
        self._rng = rng
        parts = [self._language(name) for name in LANGUAGES]
        self._sizes = np.array([len(part) for part in parts])
        self._starts = np.r_[0, np.cumsum(self._sizes)[:-1]]
        numbers = [f"{number:,}" for number in rng.integers(1, 2_000_000, size=_NUMBERS // 2).tolist()]
        numbers += [f"{number:.1f} %" for number in (rng.random(_NUMBERS // 2) * 100).tolist()]
        self._numbers_start = int(self._sizes.sum())
        self._pool = [word for part in parts for word in part] + numbers

    def _language(self, name: str) -> list[str]:
        syllables = _SYLLABLES[name].split(" ")
        lengths = self._rng.integers(1 if name == "zh" else 2, 4, size=_WORDS_OF_LANGUAGE)
        drawn = self._rng.integers(len(syllables), size=(_WORDS_OF_LANGUAGE, 4))
        made = ["".join(syllables[each] for each in row[:n]) for row, n in zip(drawn.tolist(), lengths, strict=True)]
        return [*_SMALL.split(" "), *made] if name == "en" else made

    def languages(self, count: int) -> Ints:
        """Return a language for each of so many rows, as its number in LANGUAGES."""
        return self._rng.choice(len(LANGUAGES), p=_LANGUAGE_SHARES, size=count)

    def sentences(self, lengths: Ints, language: Ints, *, numbers: float) -> pl.Series:
        """Return a run of `lengths` words for each row, frequent words more often; `numbers` is the share of numbers."""
        import polars as pl
        import pyarrow as pa

        total = int(lengths.sum())
        own = np.repeat(language, lengths)
        # The cube makes some words frequent and most of them rare, as in any language.
        word = self._starts[own] + (self._sizes[own] * self._rng.random(total) ** 3).astype(np.int64)
        is_number = self._rng.random(total) < numbers
        word[is_number] = self._numbers_start + self._rng.integers(_NUMBERS, size=int(is_number.sum()))
        offsets = pa.array(np.r_[0, np.cumsum(lengths)].astype(np.int32))
        values = pa.array(self._pool).take(pa.array(word))
        lists = pl.Series("text", pa.ListArray.from_arrays(offsets, values))
        return lists.list.join(" ")

    def queries(self, language: Ints, titles: pl.Series) -> pl.Series:
        """Return query texts, no two alike; two in three name the document that `titles` gives."""
        import polars as pl

        count = language.size
        lengths = np.minimum(4 + self._rng.geometric(0.12, size=count), 70)
        openers = pl.Series(_OPENERS).gather(self._rng.integers(len(_OPENERS), size=count))
        with_title = pl.Series(self._rng.random(count) < 0.67)
        frame = pl.DataFrame(
            {"open": openers, "body": self.sentences(lengths, language, numbers=0.04), "title": titles}
        )
        texts = frame.select(
            pl.format(
                "{}{}{}?",
                pl.when(pl.Series(language == 0)).then(pl.format("{} ", "open")).otherwise(pl.lit("")),
                "body",
                pl.when(with_title).then(pl.format(" in {}", "title")).otherwise(pl.lit("")),
            )
        ).to_series()
        number = pl.int_range(count, eager=True).cast(pl.String)
        return (
            pl.DataFrame({"text": texts, "number": number})
            .select(
                pl.when(pl.col("text").is_duplicated()).then(pl.format("{} [{}]", "text", "number")).otherwise("text")
            )
            .to_series()
            .alias("text")
        )

    def answers(self, language: Ints) -> pl.Series:
        """Return answers from one word to some paragraphs."""
        lengths = np.clip(self._rng.lognormal(2.9, 0.8, size=language.size), 1, 250).astype(np.int64)
        return self.sentences(lengths, language, numbers=0.08)

    def element_texts(self, count: int) -> pl.Series:
        """Return texts of elements, a cell or a paragraph long."""
        lengths = np.clip(self._rng.lognormal(2.2, 0.9, size=count), 1, 120).astype(np.int64)
        return self.sentences(lengths, np.zeros(count, np.int64), numbers=0.1)

    def titles(self, domains: list[str]) -> pl.Series:
        """Return a title for each document; its number makes it the only one of its kind."""
        import polars as pl

        count = len(domains)
        lengths = self._rng.integers(2, 6, size=count)
        language: npt.NDArray[Any] = self._rng.choice(len(LANGUAGES), p=_LANGUAGE_SHARES, size=count)
        words = self.sentences(lengths, language, numbers=0.0).str.to_titlecase()
        frame = pl.DataFrame({"words": words, "domain": domains, "number": np.arange(count)})
        return frame.select(pl.format("{}, {} {}", "words", "domain", "number")).to_series().alias("title")
