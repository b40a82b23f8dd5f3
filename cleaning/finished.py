"""A finished comparison with everything that is shown of it: the page, the command and the tests read it here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core.errors import CleaningError
from audit_core.workflow.comparisons import ComparisonView, comparison_folder
from audit_core.workflow.workspace import Workspace
from cleaning.compare import Compared, Scored
from cleaning.compare_summary import Summary, summarise
from cleaning.curves import ThresholdTable, threshold_table
from cleaning.differences import Pair, pairwise_differences
from cleaning.label_errors import LabelErrors, likely_label_errors
from cleaning.learning import LearningCurve
from cleaning.metrics import LABELLED_ONLY, WEIGHTED
from cleaning.query_frame import query_frame
from cleaning.request import ComparisonRequest, request_from
from cleaning.result import ComparisonRecord, read_result
from cleaning.tables import Table
from cleaning.tables_content import learning_table

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

#: By what the figures are told apart, where the queries differ in it.
GROUPS = ("source", "evidence_structure", "generator", "domain", "language")
#: The file of a comparison's folder with what is not among its scores.
EXTRAS_FILE = "extras.json"


@dataclass(frozen=True, eq=False)
class Result:
    """A comparison with its evaluated queries: row i of `queries` is column i of the scores.

    `curves` are its learning curves, `probabilities` the chance with which each query was drawn for labelling, None where
    that is not known.
    What takes more than a moment is computed at its first use and kept.
    """

    record: ComparisonRecord
    queries: pl.DataFrame
    request: ComparisonRequest
    curves: tuple[LearningCurve, ...] = ()
    probabilities: NDArray[np.float64] | None = None
    _errors: dict[str, LabelErrors] = field(default_factory=dict)

    @property
    def compared(self) -> Compared:
        """The scores and decisions of all strategies."""
        return self.record.compared

    @property
    def n(self) -> int:
        """The number of evaluated queries."""
        return len(self.compared.query_ids)

    @property
    def positives(self) -> int:
        """The evaluated queries that are to be removed."""
        return int(self.compared.remove.sum())

    @property
    def heading(self) -> str:
        """What its rates hold for: the labelled queries alone, or what those were drawn from."""
        return LABELLED_ONLY if self.probabilities is None else WEIGHTED

    @cached_property
    def learning(self) -> Table | None:
        """The learning curves as a table, None where there are none."""
        return learning_table(self.curves) if self.curves else None

    @cached_property
    def groups(self) -> dict[str, list[str | None]]:
        """By kind of group the group of each query, kinds in which the queries differ."""
        columns = {name: self.queries[name].to_list() for name in GROUPS}
        return {name: values for name, values in columns.items() if len(set(values)) > 1}

    @cached_property
    def summaries(self) -> tuple[Summary, ...]:
        """The figures of every strategy that did not fail."""
        return summarise(
            self.compared,
            groups=self.groups,
            probabilities=self.probabilities,
            documents=self.documents,
            resamples=self.request.resamples,
            seed=self.request.seed,
        )

    @cached_property
    def thresholds(self) -> dict[str, ThresholdTable]:
        """The figures at each threshold, by strategy, of repeat 1."""
        return {
            each.name: threshold_table(each.scores[0], self.compared.remove, probabilities=self.probabilities)
            for each in self.compared.usable
        }

    @cached_property
    def documents(self) -> list[list[str]]:
        """The evidence documents of each query."""
        documents: list[list[str]] = self.queries["documents"].to_list()
        return documents

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The differences of all pairs; none where fewer than two strategies did not fail."""
        if len(self.compared.usable) < 2:
            return ()
        return pairwise_differences(
            self.compared,
            self.documents,
            probabilities=self.probabilities,
            resamples=self.request.resamples,
            seed=self.request.seed,
        )

    @cached_property
    def rows(self) -> dict[str, int]:
        """The row of each query id."""
        return {query_id: row for row, query_id in enumerate(self.compared.query_ids)}

    def label_errors(self, name: str) -> LabelErrors:
        """Return the labels that this learned strategy holds for wrong."""
        if name not in self._errors:
            self._errors[name] = likely_label_errors(self.compared, name)
        return self._errors[name]

    def title(self, name: str) -> str:
        """Return how a strategy is shown: its title, and its name where two share the title."""
        return self.titles[name]

    @cached_property
    def titles(self) -> dict[str, str]:
        """How each strategy is shown, by its name."""
        return titles_of(self.compared.strategies)


def titles_of(strategies: Sequence[Scored]) -> dict[str, str]:
    """Return how each strategy is shown, by its name; those that share a title have the name beside it."""
    titles = [each.title for each in strategies]
    return {
        each.name: each.title if titles.count(each.title) == 1 else f"{each.title} ({each.name})" for each in strategies
    }


def write_extras(folder: Path, *, learning: Sequence[LearningCurve], probabilities: NDArray[np.float64] | None) -> None:
    """Write learning curves, and the selection probabilities of the evaluated queries, beside the scores."""
    import msgspec

    content = {"learning": list(learning), "probabilities": None if probabilities is None else probabilities.tolist()}
    (folder / EXTRAS_FILE).write_bytes(msgspec.json.encode(content))


def read_finished(workspace: Workspace, view: ComparisonView) -> Result:
    """Return a finished comparison.

    Raises:
        CleaningError: it is not finished, or its files are missing, broken or changed since.
        NotFound: its dataset's folder is gone.
    """
    import msgspec
    import numpy as np

    if not view.is_finished:
        raise CleaningError(f"{view.row.name} is not finished yet, so it has no figures.")
    folder = comparison_folder(workspace, view.row.id)
    record = read_result(folder)
    queries = query_frame(workspace.revision(view.dataset), record.compared.query_ids)
    try:
        extras = msgspec.json.decode((folder / EXTRAS_FILE).read_bytes(), type=_Extras)
    except (OSError, msgspec.MsgspecError) as error:
        raise CleaningError(
            f"{folder.name}/{EXTRAS_FILE} cannot be read ({error}). Run the comparison again."
        ) from error
    chances = None if extras.probabilities is None else np.asarray(extras.probabilities)
    return Result(record, queries, request_from(view.row.spec), tuple(extras.learning), chances)


@dataclass(frozen=True, slots=True)
class _Extras:
    learning: list[LearningCurve]
    probabilities: list[float] | None
