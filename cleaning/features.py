"""What learned strategies know of a query: blocks of numbers, put side by side, fitted on training queries alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit_core.domain import ELEMENT_KINDS, EvidenceStructure
from audit_core.errors import CleaningError
from audit_core.registry import load_folder
from cleaning.strategies.scoring import ROWS_AT_ONCE, finite_rows, parts, read_part
from cleaning.surface import Surface, fit_surface

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from cleaning.contract import Inputs

#: The blocks by name, in the order in which they stand side by side, and what each holds.
BLOCKS = {
    "query": "the embedding of the query",
    "answer": "the embedding of the answer",
    "structure": "evidence structure, numbers of pages, documents and configured pages, kinds of evidence",
    "lengths": "lengths of query and answer, of words, and the part of digits, capitals and marks",
    "rules": "which rules fire that look at one query alone (no duplicates)",
    "surface": "how the wording reads: log odds of removal from its words, word forms and their order",
}
_EMBEDDED = ("query", "answer")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """Fitted blocks. `widths` are their numbers of columns; a row is the blocks side by side, float32."""

    blocks: tuple[str, ...]
    widths: tuple[int, ...]
    surface: Surface | None

    def usable(self, inputs: Inputs) -> NDArray[np.bool_]:
        """Return whether each query has all the vectors that the blocks need, with finite numbers."""
        return usable_rows(inputs, self.blocks)

    def parts(self, inputs: Inputs, *, at_once: int = ROWS_AT_ONCE) -> Iterator[tuple[slice, NDArray[np.float32]]]:
        """Yield (rows, their features) in order, some thousand rows at a time.

        Raises:
            CleaningError: the inputs have no vectors of a chosen block, or vectors of another width than in training.
        """
        check_vectors(inputs, self.blocks)
        for part in parts(len(inputs), at_once):
            columns = [self._block(block, inputs, part) for block in self.blocks]
            for block, width, column in zip(self.blocks, self.widths, columns, strict=True):
                if column.shape[1] != width:
                    raise CleaningError(
                        f"The block {block} has {column.shape[1]} numbers a query, but had {width} in training: use vectors "
                        "of one model."
                    )
            yield part, columns[0] if len(columns) == 1 else np.hstack(columns)

    def _block(self, block: str, inputs: Inputs, part: slice) -> NDArray[np.float32]:
        if block == "surface" and self.surface is not None:
            return self.surface.log_odds(inputs.queries["text"][part].to_list())[:, None].astype(np.float32)
        return _plain_block(block, inputs, part)


def check_blocks(blocks: Sequence[str]) -> tuple[str, ...]:
    """Return blocks in their own order; CleaningError where one is unknown, twice, or there is none."""
    wrong = [block for block in blocks if block not in BLOCKS]
    if wrong or not blocks or len(set(blocks)) != len(blocks):
        found = f"{wrong[0]!r} is not known" if wrong else "one is named twice" if blocks else "none is named"
        raise CleaningError(f"Of the feature blocks {found}. Choose from: {', '.join(BLOCKS)}, each once.")
    return tuple(block for block in BLOCKS if block in blocks)


def check_vectors(inputs: Inputs, blocks: Sequence[str]) -> None:
    """Return nothing where the inputs have the vectors that the blocks need; CleaningError where they have not."""
    if "query" in blocks and inputs.vectors is None:
        raise CleaningError("The block query needs an embedding of each query, and there is none. Choose an embedder.")
    if "answer" in blocks and inputs.answer_vectors is None:
        raise CleaningError(
            "The block answer needs an embedding of each answer, and there is none. Embed the answers, or leave it out."
        )


def usable_rows(inputs: Inputs, blocks: Sequence[str]) -> NDArray[np.bool_]:
    """Return whether each query has finite vectors for these blocks; CleaningError where the inputs have none at all."""
    check_vectors(inputs, blocks)
    usable = np.ones(len(inputs), dtype=bool)
    for block, vectors in (("query", inputs.vectors), ("answer", inputs.answer_vectors)):
        if block in blocks and vectors is not None:
            for part in parts(len(inputs)):
                usable[part] &= finite_rows(read_part(vectors, part))
    return usable


def fit_features(
    inputs: Inputs, remove: NDArray[np.bool_], folds: NDArray[np.intp] | None, blocks: Sequence[str]
) -> tuple[Features, NDArray[np.float32]]:
    """Return the blocks fitted on these training queries, and their features of shape (n, sum of widths).

    `folds` are folds inside the training queries: the surface block of a training query comes from a fit without its
    fold, so that what is learned from it holds for unseen queries too. With None it is the fit's own and says too much.
    """
    check_vectors(inputs, blocks)
    surface, columns = None, []
    everything = slice(0, len(inputs))
    for block in blocks:
        if block == "surface":
            surface, held_out = fit_surface(inputs.queries["text"].to_list(), remove, folds)
            columns.append(held_out[:, None].astype(np.float32))
        else:
            columns.append(_plain_block(block, inputs, everything))
    features = Features(tuple(blocks), tuple(column.shape[1] for column in columns), surface)
    return features, np.hstack(columns)


def _plain_block(block: str, inputs: Inputs, part: slice) -> NDArray[np.float32]:
    if block in _EMBEDDED:
        vectors = inputs.vectors if block == "query" else inputs.answer_vectors
        if vectors is None:
            raise CleaningError(f"The block {block} has no vectors.")
        return read_part(vectors, part)
    return _READ[block](inputs.queries[part])


def _structure(queries: pl.DataFrame) -> NDArray[np.float32]:
    structures = [each.value for each in EvidenceStructure]
    out = np.zeros((queries.height, len(structures) + 3 + len(ELEMENT_KINDS)), dtype=np.float32)
    for row, structure in enumerate(queries["evidence_structure"].to_list()):
        if structure in structures:
            out[row, structures.index(structure)] = 1.0
    for place, column in enumerate(("evidence_pages", "documents", "configured_pages"), start=len(structures)):
        out[:, place] = [np.log1p(len(each or ())) for each in queries[column].to_list()]
    for row, kinds in enumerate(queries["evidence_kinds"].to_list()):
        for kind in kinds or ():
            if kind in ELEMENT_KINDS:
                out[row, len(structures) + 3 + ELEMENT_KINDS.index(kind)] = 1.0
    return out


def _lengths(queries: pl.DataFrame) -> NDArray[np.float32]:
    rows = [
        (*_measures(text or ""), *_measures(answer or "")[:2])
        for text, answer in zip(queries["text"].to_list(), queries["answer"].to_list(), strict=True)
    ]
    return np.array(rows, dtype=np.float32).reshape(len(rows), 8)


def _measures(text: str) -> tuple[float, ...]:
    words, letters = text.split(), max(len(text), 1)
    return (
        float(np.log1p(len(text))),
        float(np.log1p(len(words))),
        sum(map(len, words)) / max(len(words), 1),
        sum(map(str.isdigit, text)) / letters,
        sum(map(str.isupper, text)) / letters,
        sum(not (each.isalnum() or each.isspace()) for each in text) / letters,
    )


def _rules(queries: pl.DataFrame) -> NDArray[np.float32]:
    alone = [rule for rule in load_folder("cleaning.rules").values() if not rule.compares_queries]
    return np.column_stack([rule.find(queries).fired for rule in alone]).astype(np.float32)


_READ: dict[str, Callable[[pl.DataFrame], NDArray[np.float32]]] = {
    "structure": _structure,
    "lengths": _lengths,
    "rules": _rules,
}
