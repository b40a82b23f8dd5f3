"""Where labels of queries come from: label sets that a bundle brought, and campaigns in which people judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from audit_core import registry
from audit_core.domain import Outcome
from audit_core.errors import CleaningError, NotFound
from audit_core.protocols import audit, query_review, relevance, removal
from audit_core.storage import campaigns, datasets, decisions, judgments, samples
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.workflow.campaigns import ACTIVE_SHARE, RANDOM_SHARE
from audit_core.workflow.exporting import annotator_names
from audit_core.workflow.label_chances import chance_of, chances_of
from audit_core.workflow.random_share import ACTIVE, RANDOM, has_known_chances, is_mixed
from audit_core.workflow.workspace import Workspace

LABEL_SET = "label set"
REMOVAL = "removal campaign"
AUDIT = "audit campaign"
RELEVANCE = "relevance campaign"
QUERY_REVIEW = "query-review campaign"
_KINDS = {audit.name: AUDIT, removal.name: REMOVAL, relevance.name: RELEVANCE, query_review.name: QUERY_REVIEW}
#: What is taken for "remove" where annotators were asked something else.
_TAKEN_FOR_REMOVE = {
    RELEVANCE: "Removed is what an annotator calls a poor query; a good one is kept, whatever its pages are graded.",
    QUERY_REVIEW: "Removed is what an annotator would discard; what is to be kept or rewritten is kept.",
}


class Part(StrEnum):
    """A part of the labels of a mixed draw: the random share, or the entries that strategies' scores chose."""

    RANDOM = "random"
    ACTIVE = "active"


#: What each part adds to the name of its campaign in its key, the entries that belong to it, and how it is called.
_ENDINGS = {Part.RANDOM: RANDOM_SHARE, Part.ACTIVE: ACTIVE_SHARE}
_SELECTIONS = {Part.RANDOM: frozenset({RANDOM}), Part.ACTIVE: ACTIVE}
_CALLED = {Part.RANDOM: "random share", Part.ACTIVE: "chosen by scores"}


@dataclass(frozen=True, slots=True)
class LabelSource:
    """One place that labels can be taken from.

    `key` names it within its dataset (`labels:NAME` or `campaign:NAME`). `queries` counts the queries that somebody
    labelled or judged. `is_probability` is True where they were drawn with known chances.

    A campaign of which a part was chosen by strategies' scores gives three: `campaign:NAME`, all its labels;
    `campaign:NAME#random`, its random share; and `campaign:NAME#active`, what scores chose. The first and the last
    `trains_only`. Strategies trained on the first have seen the random share, which then may not choose their threshold;
    trained on the last they have not. `campaign` is the campaign's name, None for a label set; `part` is None for all of a
    source; `is_of_part` is True where the draw was made from a part of the dataset: it then says nothing of the rest, and may
    neither choose a threshold nor give an estimate. `says` is what a source of such a campaign may do, and what is taken for
    "remove" where annotators were asked something else, in words.
    """

    key: str
    kind: str
    name: str
    queries: int
    is_probability: bool
    trains_only: bool = False
    campaign: str | None = None
    part: Part | None = None
    says: str = ""
    is_of_part: bool = False

    @property
    def is_random_share(self) -> bool:
        """Whether these are the labels of the random share of a mixed draw."""
        return self.part is Part.RANDOM


@dataclass(frozen=True, slots=True)
class SourceLabel:
    """What one annotator said of one query, or what was decided. Of an audit `codes` (such as `FE`) are given, else `remove`.

    Both are None for "cannot judge". `probability` is the chance with which the query was drawn, in (0, 1], None where
    it is not known; in a campaign that of being drawn and judged, since not all of a sample may be judged yet.
    `criteria` are those of removal labels, in [0, 1], higher = better. `is_adjudicated` marks a decision: it counts before
    what annotators said.
    """

    query_id: str
    annotator: str | None
    remove: bool | None
    codes: str | None
    probability: float | None
    criteria: dict[str, float]
    where: str
    is_adjudicated: bool = False


def label_sources(workspace: Workspace, dataset: DatasetRow) -> list[LabelSource]:
    """Return the label sets of a dataset by name, then its campaigns that hold a judgment, the newest first."""
    with workspace.database.read() as connection:
        sets = datasets.label_sets(connection, dataset.id)
        weighted = datasets.weighted_sets(connection, dataset.id)
        queries = datasets.labelled_queries(connection, dataset.id)
        answered = judgments.answered_entries(connection, stand_for_dataset=True)
        rows = campaigns.all_rows(connection, dataset_id=dataset.id)
        # A share that is no random sample any more (of a campaign carried over) is no source of its own, and there is nothing
        # to be kept unseen then.
        parts = {
            row.id: samples.judged_by_selection(connection, row.id)
            for row in rows
            if row.id in answered and has_known_chances(row)
        }
    found = [
        LabelSource(f"labels:{each.name}", LABEL_SET, each.name, queries.get(each.id, 0), each.id in weighted)
        for each in sets
    ]
    for row in rows:
        if row.id in answered and row.protocol in _KINDS and row.archived_at is None:
            of_row = _of_row(row, answered[row.id][0], parts.get(row.id), taken={each.name for each in rows})
            found += [_of_part(each, row.frame_name) for each in of_row] if _is_part(row, dataset) else of_row
    return found


def _is_part(row: CampaignRow, dataset: DatasetRow) -> bool:
    """Return whether a campaign was drawn from a part of its dataset: by a condition, or without what was taken before."""
    return (row.frame_name or "").startswith((f"{dataset.name}, only ", f"{dataset.name}, without "))


def _of_part(source: LabelSource, frame: str | None) -> LabelSource:
    """Return a source that was drawn from a part, with what follows from that; what only trains says it already."""
    if source.trains_only or not source.is_probability:
        return source
    says = f"It was drawn from a part of the dataset ({frame}): it says nothing of the rest, so no threshold is chosen on it."
    return replace(source, is_of_part=True, says=f"{source.says} {says}".strip())


def _of_row(
    row: CampaignRow, judged: int, judged_by_selection: Mapping[str, int] | None, *, taken: Collection[str]
) -> list[LabelSource]:
    """Return the sources that a campaign gives: all its labels, then those of the parts that it has, if any is judged."""
    kind = _KINDS[row.protocol]
    keys = {part: _key(row.name, ending, taken) for part, ending in _ENDINGS.items()}
    words = _words(keys)
    taken_for = _TAKEN_FOR_REMOVE.get(kind, "")
    says = "Part of it was chosen by strategies' scores, so it may only train." if is_mixed(row) else ""
    if judged_by_selection is not None:
        says = f"{says} {words[None]}"
    says = f"{taken_for} {says}".strip()
    key, drawn = f"campaign:{row.name}", row.is_probability_sample
    found = [LabelSource(key, kind, row.name, judged, drawn, is_mixed(row), row.name, says=says)]
    for part, selections in _SELECTIONS.items():
        if count := sum((judged_by_selection or {}).get(each, 0) for each in selections):
            name, is_random = f"{row.name}, {_CALLED[part]}", part is Part.RANDOM
            found.append(
                LabelSource(
                    keys[part],
                    kind,
                    name,
                    count,
                    is_random,
                    not is_random,
                    row.name,
                    part,
                    f"{taken_for} {words[part]}".strip(),
                )
            )
    return found


def _words(keys: Mapping[Part, str]) -> dict[Part | None, str]:
    """Return what each part of a mixed draw may do, and under None what else is to be said of all of it."""
    return {
        None: "What is trained on it has seen the random share as well, which then may not choose a threshold: train on "
        f"{keys[Part.ACTIVE]} to keep it for that.",
        Part.RANDOM: "It evaluates, and chooses thresholds of strategies that were trained without it, such as on "
        f"{keys[Part.ACTIVE]}.",
        Part.ACTIVE: "All of it was chosen by strategies' scores, so it may only train. The random share stays unseen: "
        f"{keys[Part.RANDOM]} may evaluate, and choose the threshold.",
    }


def _key(name: str, ending: str, taken: Collection[str]) -> str:
    share = name + ending
    while share in taken:  # only an imported campaign can be called so
        share += ending
    return f"campaign:{share}"


def refuse_training_only(source: LabelSource) -> None:
    """Refuse labels that may train but neither choose a threshold nor evaluate, since scores decided which there are.

    Raises:
        CleaningError: says which labels may.
    """
    if source.trains_only:
        what = f"Part of {source.name}" if source.part is None else f"What is in {source.key}"
        raise CleaningError(
            f"{what} was chosen by strategies' scores: its labels may train, and evaluate or choose nothing, for a strategy "
            f"looks worse, or better, on what was picked by its own scores. Train on campaign:{source.campaign}{ACTIVE_SHARE}, "
            f"and evaluate on campaign:{source.campaign}{RANDOM_SHARE}, its random share (judged in part at least, and not "
            "carried over from another revision), or on other labels."
        )


def labels_from(workspace: Workspace, dataset: DatasetRow, key: str) -> tuple[LabelSource, list[SourceLabel]]:
    """Return a source with all its labels: of campaigns the newest judgment of each annotator on each entry, and decisions.

    Raises:
        NotFound: the dataset has no such source; the message lists those that it has.
    """
    sources = {each.key: each for each in label_sources(workspace, dataset)}
    if key not in sources:
        known = ", ".join(sources) or "none: label queries in a campaign, or import a bundle with labels"
        raise NotFound(f"There are no labels {key!r} on {dataset.shown} {dataset.revision}. It has {known}.")
    source = sources[key]
    with workspace.database.read() as connection:
        if source.kind == LABEL_SET:
            return source, list(_of_label_set(connection, dataset, source.name))
        assert source.campaign is not None
        campaign = campaigns.by_name(connection, source.campaign, dataset_id=dataset.id)[0]
        return source, list(_of_campaign(connection, campaign, source.part))


def _of_label_set(connection: Connection, dataset: DatasetRow, name: str) -> Iterator[SourceLabel]:
    set_id = next(each.id for each in datasets.label_sets(connection, dataset.id) if each.name == name)
    chances = datasets.label_probabilities(connection, set_id)
    for number, row in enumerate(datasets.labels_of(connection, set_id), start=1):
        yield SourceLabel(
            query_id=row["query_id"],
            annotator=row["annotator"],
            remove=row["remove"],
            codes=None,
            probability=chances[number - 1],
            criteria={each: row[each] for each in removal.CRITERIA if row[each] is not None},
            where=f"label {number} of {name}",
        )


def _of_campaign(connection: Connection, campaign: CampaignRow, part: Part | None) -> Iterator[SourceLabel]:
    entries = {
        row.id: row
        for row in campaigns.judged_entries(connection, campaign.id)
        if part is None or row.selection in _SELECTIONS[part]
    }
    rows = [row for row in judgments.of_campaign(connection, campaign.id) if row.entry_id in entries]
    newest = decisions.newest_of_campaign(connection, campaign.id)
    decided = [row for row in newest.values() if row.entry_id in entries]
    said: list[JudgmentRow | DecisionRow] = [*rows, *decided]
    judged = {row.entry_id for row in said if row.outcome == Outcome.JUDGED}
    chances = chances_of(connection, campaign, [entries[each] for each in judged], is_share=part is Part.RANDOM)
    names = annotator_names(connection, rows)
    mentions = Counter(each.query_id for each in entries.values())
    for row in said:
        entry = entries[row.entry_id]
        is_judged = row.outcome == Outcome.JUDGED
        fields = row.answer or {}
        # One annotator may judge a query that is entered twice, and differently: two voices then.
        beside = f" #{entry.number}" if mentions[entry.query_id] > 1 else ""
        is_decision = isinstance(row, DecisionRow)
        yield SourceLabel(
            query_id=entry.query_id,
            annotator=None if isinstance(row, DecisionRow) else names[row.person_id] + beside,
            remove=_removed(row, campaign) if is_judged else None,
            codes=row.codes if is_judged and campaign.protocol == audit.name else None,
            probability=chance_of(entry, chances),
            criteria={each: fields[each] for each in removal.CRITERIA if each in fields},
            where=f"{'the decision on ' if is_decision else ''}entry {entry.number} of {campaign.name}",
            is_adjudicated=is_decision,
        )


def _removed(row: JudgmentRow | DecisionRow, campaign: CampaignRow) -> bool | None:
    if campaign.protocol == audit.name:
        return None
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    return bool(protocol.removes(row.answer or {}))
