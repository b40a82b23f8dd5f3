"""What jobs make and lists show, in one shape: comparisons, scorings, cleaned revisions and rewordings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audit_core.domain import JsonObject
from audit_core.storage.cleaning_tables import RunKind
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow import cleanings, comparisons
from audit_core.workflow.jobs import JobView
from audit_core.workflow.workspace import Workspace
from cleaning.ui.run_words import what_came

#: By kind of run: the page that shows it, and what a deletion leaves as it is.
_RUN_PAGES = {RunKind.SCORE: "scoring", RunKind.APPLY: "cleaned", RunKind.REWRITE: "rewordings"}
_RUN_STAYS = {
    RunKind.SCORE: "labels, embeddings, the answers of language models and the dataset stay",
    RunKind.APPLY: "the cleaned revision stays, and the dataset that it was made of; only this account of it goes",
    RunKind.REWRITE: "the answers of the language model and the dataset stay; the decisions on the rewordings go",
}

_SAME_FIGURES = "the same choices and seed give the same figures again, as long as labels and packages are the same"
_RUN_REMADE = {
    RunKind.SCORE: f"{_SAME_FIGURES}; answers that are kept are not paid for again",
    RunKind.APPLY: "the same choices make the same revision again, as long as its scoring is there",
    RunKind.REWRITE: "the same questions get the same proposals again, and are not paid for again",
}


@dataclass(frozen=True, slots=True)
class Made:
    """One thing that a job makes: how it is called, how far it is, where it is looked at, and what can be done with it.

    `kind` names widgets and the parameter of its page's address, `word` is what it is called in sentences, `page` the file
    of its page, `again` that of the page on which another is started. `folder` holds its files, `stays` says what a
    deletion leaves, `remade` what it takes to have it again.
    """

    kind: str
    word: str
    id: int
    name: str
    about: str
    created_at: str
    dataset: DatasetRow
    job: JobView | None
    is_finished: bool
    is_archived: bool
    page: str
    again: str
    folder: Path
    stays: str
    remade: str
    rename: Callable[[str], object]
    archive: Callable[[bool], object]
    delete: Callable[[], object]

    @property
    def key(self) -> str:
        """What tells its widgets from those of others."""
        return f"{self.kind}-{self.id}"

    @property
    def is_active(self) -> bool:
        """Whether a job waits or works for it."""
        return not self.is_finished and self.job is not None and self.job.is_active


def of_comparison(workspace: Workspace, person: Person, view: comparisons.ComparisonView) -> Made:
    """Return a comparison as a made thing."""
    row = view.row
    parts = [_dataset(view.dataset), f"labels {_labels(row.spec)}", _strategies(row.spec)]
    return Made(
        kind="comparison",
        word="comparison",
        id=row.id,
        name=row.name,
        about=" · ".join(parts),
        created_at=row.created_at,
        dataset=view.dataset,
        job=view.job,
        is_finished=view.is_finished,
        is_archived=row.archived_at is not None,
        page="comparison",
        again="new_comparison",
        folder=comparisons.comparison_folder(workspace, row.id),
        stays=f"labels, judgments, embeddings and the dataset {view.dataset.shown} stay",
        remade=_SAME_FIGURES,
        rename=lambda name: comparisons.rename_comparison(workspace, row.id, name, person=person),
        archive=lambda archived: comparisons.archive_comparison(workspace, row.id, archived=archived, person=person),
        delete=lambda: comparisons.delete_comparison(workspace, row.id, person=person),
    )


def of_run(workspace: Workspace, person: Person, view: cleanings.RunView) -> Made:
    """Return a cleaning run as a made thing."""
    row, kind = view.row, view.row.kind
    parts = [_original(view), _strategies(row.spec) if kind == RunKind.SCORE else "", what_came(view)]
    if view.made is not None:
        parts.append(f"made revision {view.made.revision}")
    return Made(
        kind=str(kind),
        word=cleanings.WORDS[kind],
        id=row.id,
        name=row.name,
        about=" · ".join(each for each in parts if each),
        created_at=row.created_at,
        dataset=view.dataset,
        job=view.job,
        is_finished=view.is_finished,
        is_archived=row.archived_at is not None,
        page=_RUN_PAGES[kind],
        again="new_scoring" if kind == RunKind.SCORE else "cleaning",
        folder=cleanings.cleaning_folder(workspace, row.id),
        stays=_RUN_STAYS[kind],
        remade=_RUN_REMADE[kind],
        rename=lambda name: cleanings.rename_run(workspace, row.id, name, person=person),
        archive=lambda archived: cleanings.archive_run(workspace, row.id, archived=archived, person=person),
        delete=lambda: cleanings.delete_run(workspace, row.id, person=person),
    )


def all_comparisons(workspace: Workspace, person: Person, *, archived: bool) -> list[Made]:
    """Return the comparisons, the newest first: those that are archived, or the others."""
    return [
        of_comparison(workspace, person, each) for each in comparisons.list_comparisons(workspace, archived=archived)
    ]


def all_runs(workspace: Workspace, person: Person, kind: RunKind, *, archived: bool) -> list[Made]:
    """Return the runs of a kind, the newest first: those that are archived, or the others."""
    return [of_run(workspace, person, each) for each in cleanings.list_runs(workspace, kind=kind, archived=archived)]


def _dataset(dataset: DatasetRow) -> str:
    return f"{dataset.shown} revision {dataset.revision}"


def _original(view: cleanings.RunView) -> str:
    """Return the dataset that a run is of, and whether it was deleted since."""
    if not view.outlives_original:
        return _dataset(view.dataset)
    return "{} revision {}, which was deleted since".format(*view.original)


def _labels(spec: JsonObject) -> str:
    return str(spec.get("labels", "")).partition(":")[2]


def _strategies(spec: JsonObject) -> str:
    strategies = spec.get("strategies")
    count = len(strategies) if isinstance(strategies, list) else 0
    return f"{count} strateg{'y' if count == 1 else 'ies'}"
