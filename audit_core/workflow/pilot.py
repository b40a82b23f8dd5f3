"""What the pilot of a campaign shows: how often annotators say the same, how long they take, how they do on gold entries.

Pilot entries enter no estimate. Agreement is the share of pairs of annotators who say exactly the same; beside it stand alpha,
and AC1 or AC2, which correct for chance.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType
from typing import Any

from audit_core import registry
from audit_core.agreement.measuring import measure
from audit_core.agreement.records import Figure
from audit_core.domain import JsonObject, Outcome
from audit_core.errors import AssayError
from audit_core.protocols.agreement import Compared, values_of
from audit_core.storage import judgment_lists, people, samples, team_progress
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.agreement_items import asked_of, ratings_on
from audit_core.workflow.agreement_reading import Blind, answer_of
from audit_core.workflow.campaign_progress import TimeSpent, time_spent
from audit_core.workflow.gold import GoldAccuracy, compared_part, gold_accuracies
from audit_core.workflow.handing_out import Stage, stage_of
from audit_core.workflow.sealing import hidden_from
from audit_core.workflow.workspace import Workspace

Values = Callable[[JudgmentRow], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Agreement:
    """How often annotators say the same of one thing, on the pilot's entries that two or more judged.

    `pairs` counts pairs of annotators on an entry (or on a page of it) who both said something, `agreeing` those who said the
    same. `units` are the entries (pages) with such a pair, `unanimous` those on which all said the same.
    """

    name: str
    title: str
    pairs: int
    agreeing: int
    units: int
    unanimous: int
    #: Krippendorff's alpha, and Gwet's AC1 or AC2, without intervals; none of the answer as a whole.
    beyond_chance: tuple[Figure, ...] = ()

    @property
    def share(self) -> float | None:
        """agreeing / pairs, as a part of 1; None without a pair."""
        return self.agreeing / self.pairs if self.pairs else None

    def as_json(self) -> JsonObject:
        """Return the counts, the share as a part of 1, and what corrects for chance."""
        names = ("name", "title", "pairs", "agreeing", "share", "units", "unanimous")
        corrected = {
            each.name: {"title": each.title, "value": each.value, "undefined": each.undefined}
            for each in self.beyond_chance
        }
        return {**{each: getattr(self, each) for each in names}, "beyond_chance": corrected}


@dataclass(frozen=True, slots=True)
class PilotAnnotator:
    """One annotator in the pilot: entries judged (newest answers), "cannot judge", time and gold accuracy there."""

    person_id: int
    name: str
    judged: int
    cannot_judge: int
    time: TimeSpent | None
    gold: GoldAccuracy | None

    def as_json(self) -> JsonObject:
        """Return the annotator as one JSON document."""
        return {
            "person_id": self.person_id,
            "name": self.name,
            "judged": self.judged,
            "cannot_judge": self.cannot_judge,
            "time": self.time.as_json() if self.time else None,
            "gold": self.gold.as_json() if self.gold else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class PilotReport:
    """The pilot of a campaign: `entries`, of which `complete` have all `judgments_per_entry` judgments; gold apart."""

    campaign: str
    stage: Stage
    entries: int
    gold_entries: int
    judgments_per_entry: int
    complete: int
    judgments: int
    agreement: tuple[Agreement, ...]
    #: Entries that the reader is still to judge, which no number of agreement holds.
    sealed: int
    time: TimeSpent | None
    annotators: tuple[PilotAnnotator, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every pilot entry has all its judgments."""
        return self.complete == self.entries

    def as_json(self) -> JsonObject:
        """Return the report as one JSON document."""
        names = (
            "campaign", "stage", "entries", "gold_entries", "judgments_per_entry", "complete", "is_complete", "judgments",
        )  # fmt: skip
        return {
            **{each: getattr(self, each) for each in names},
            "agreement": [each.as_json() for each in self.agreement],
            "time": self.time.as_json() if self.time else None,
            "annotators": [each.as_json() for each in self.annotators],
        }


def pilot_report(workspace: Workspace, campaign: CampaignRow, viewer: Person | None = None) -> PilotReport:
    """Return what the pilot of a campaign shows, during it and afterwards.

    `viewer` is whoever is going to read it: how far others agree on entries that wait for a judgment of their own is left out.

    Raises:
        AssayError: the campaign has no pilot.
    """
    stage = stage_of(campaign)
    if stage is None or campaign.pilot_judgments is None:
        raise AssayError(f"Campaign {campaign.name} has no pilot.")
    protocol = registry.look_up("audit_core.protocols", campaign.protocol)
    with workspace.database.read() as connection:
        counts = samples.special_counts(connection, campaign.id)
        rows = team_progress.pilot_judgments(connection, campaign.id)
        times = team_progress.active_times(connection, campaign.id, pilot_only=True)
        gold = gold_accuracies(connection, campaign, pilot_only=True)
        names = people.names(connection)
        hidden = _hidden(connection, campaign, workspace.dataset(campaign.dataset_id), viewer, rows)
    judged: defaultdict[int, list[JudgmentRow]] = defaultdict(list)
    for row in rows:
        if row.outcome == Outcome.JUDGED:
            judged[row.entry_id].append(row)
    told = {entry: said for entry, said in judged.items() if entry not in hidden}
    beyond = _beyond_chance(protocol, told)
    shown = sorted({*gold, *(row.person_id for row in rows)}, key=lambda each: (names[each].casefold(), each))
    return PilotReport(
        campaign=campaign.name,
        stage=stage,
        entries=counts.pilot,
        gold_entries=counts.pilot_gold,
        judgments_per_entry=campaign.pilot_judgments,
        complete=sum(len(each) >= campaign.pilot_judgments for each in judged.values()),
        judgments=sum(map(len, judged.values())),
        agreement=tuple(
            _agreement(name, title, values, told, beyond.get(name, ())) for name, title, values in _compared(protocol)
        ),
        sealed=len(hidden),
        time=time_spent(times.get(None)),
        annotators=tuple(
            PilotAnnotator(
                each,
                names[each],
                sum(row.person_id == each and row.outcome == Outcome.JUDGED for row in rows),
                sum(row.person_id == each and row.outcome == Outcome.CANNOT_JUDGE for row in rows),
                time_spent(times.get(each)),
                gold.get(each),
            )
            for each in shown
        ),
    )


def _hidden(
    connection: Connection,
    campaign: CampaignRow,
    dataset: DatasetRow,
    viewer: Person | None,
    rows: Sequence[JudgmentRow],
) -> set[int]:
    """Return the ids of pilot entries that others judged and the viewer is still to judge."""
    if viewer is None:
        return set()
    said = {row.entry_id for row in rows}
    entries = {each[1]: each[2] for each in judgment_lists.entry_index(connection, campaign.id) if each[1] in said}
    return hidden_from(connection, viewer, dataset, entries, rows, ())


def _compared(protocol: ModuleType) -> list[tuple[str, str, Values]]:
    """Return what is compared: the decision of an audit, then the answer as a whole, then each part by itself."""
    found: list[tuple[str, str, Values]] = []
    if protocol.name == "audit":
        found.append(("decision", "Correct or not", lambda row: {"": row.codes == ""}))
    found.append(("whole", "The whole answer", lambda row: {"": compared_part(protocol, row.codes, row.answer or {})}))
    found += [(each.name, each.title, _part(each)) for each in protocol.AGREEMENT]
    return found


def _part(each: Compared) -> Values:
    return lambda row: values_of(each, answer_of(row))


def _beyond_chance(protocol: ModuleType, judged: Mapping[int, list[JudgmentRow]]) -> dict[str, tuple[Figure, ...]]:
    """Return alpha, and AC1 or AC2, of each thing that is compared, by its name."""
    rater_of: dict[int, int] = {}
    answers = [
        Blind(entry, rater_of.setdefault(row.person_id, len(rater_of)), answer_of(row), row)
        for entry, rows in enumerate(judged.values())
        for row in rows
    ]
    found = {}
    for each in asked_of(protocol):
        ratings, _ = ratings_on(each, answers, raters=len(rater_of))
        figures = measure(ratings, each.compare, only=("alpha", "ac1", "ac2_quadratic")).agreed.figures
        found[each.name] = figures
    return found


def _agreement(
    name: str,
    title: str,
    values: Values,
    judged: Mapping[int, list[JudgmentRow]],
    beyond_chance: tuple[Figure, ...],
) -> Agreement:
    pairs = agreeing = units = unanimous = 0
    for rows in judged.values():
        said: defaultdict[str, list[Any]] = defaultdict(list)
        for row in rows:
            for unit, value in values(row).items():
                said[unit].append(value)
        for answers in said.values():
            same = [one == other for one, other in combinations(answers, 2)]
            pairs += len(same)
            agreeing += sum(same)
            units += bool(same)
            unanimous += bool(same) and all(same)
    return Agreement(name, title, pairs, agreeing, units, unanimous, beyond_chance)
