"""Reading what agreement is computed from: entries, each annotator's last blind answer, and what is left out and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.agreement.report import Annotator
from audit_core.domain import Answer, Outcome
from audit_core.protocols.audit import codes_from_text
from audit_core.storage import blind_judgments, judgment_lists, yet_to_judge
from audit_core.storage.blind_judgments import JudgedEntry
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.judgments_export import pseudonyms
from audit_core.workflow.sealing import sealed_among


@dataclass(frozen=True, slots=True)
class Blind:
    """Somebody's last blind answer on an entry, by the places of both in the lists; only those that judged, nothing else."""

    entry: int
    rater: int
    answer: Answer
    row: JudgmentRow


@dataclass(frozen=True, slots=True, kw_only=True)
class BlindAnswers:
    """All of one part of a campaign: sample or pilot. Counts are explained at `AgreementReport`.

    `sealed` entries are left out of everything: they wait for a judgment of whoever reads the report.
    """

    campaign: CampaignRow
    entries: list[JudgedEntry]
    blind: list[Blind]
    annotators: list[Annotator]
    cannot_judge: int
    revealed: int
    only_revealed: int
    gold_left_out: int
    other_part: int
    sealed: int

    def by_entry(self) -> list[list[Blind]]:
        """Return the answers of each entry, in the order of the annotators."""
        found: list[list[Blind]] = [[] for _ in self.entries]
        for each in sorted(self.blind, key=lambda one: (one.entry, one.rater)):
            found[each.entry].append(each)
        return found


def sealed_entries(
    connection: Connection, campaign: CampaignRow, dataset: DatasetRow, viewer: Person | None
) -> set[int]:
    """Return the ids of the entries with a judgment that the viewer must not be told of, since their own is still to come."""
    if viewer is None or not yet_to_judge.active_campaigns(connection, viewer.id):
        return set()
    said = blind_judgments.judged_by(connection, campaign.id)
    sealed = sealed_among(connection, viewer, dataset, {query_id for _, query_id, _ in said})
    return {entry_id for entry_id, query_id, person_id in said if query_id in sealed and person_id != viewer.id}


def read_blind(
    connection: Connection, campaign: CampaignRow, dataset: DatasetRow, *, pilot: bool, viewer: Person | None = None
) -> BlindAnswers:
    """Return the blind answers on the sample of a campaign, or on its pilot; gold entries are left out of both.

    So are entries that wait for a judgment of the `viewer`'s own.
    """
    every = blind_judgments.judged_entries(connection, campaign.id)
    of_part = [each for each in every if each.is_pilot == pilot]
    hidden = sealed_entries(connection, campaign, dataset, viewer)
    entries = [each for each in of_part if each.id not in hidden]
    place_of = {each.id: place for place, each in enumerate(entries)}
    rows = [each for each in blind_judgments.newest_blind(connection, campaign.id) if each.entry_id in place_of]
    late = [each for each in blind_judgments.revealed_pairs(connection, campaign.id) if each[0] in place_of]
    blind_pairs = {(each.entry_id, each.person_id) for each in rows}
    annotators, rater_of = _annotators(connection, campaign, rows)
    judged = [
        Blind(place_of[each.entry_id], rater_of[each.person_id], answer_of(each), each)
        for each in rows
        if each.outcome == Outcome.JUDGED
    ]
    return BlindAnswers(
        campaign=campaign,
        entries=entries,
        blind=judged,
        annotators=annotators,
        cannot_judge=len(rows) - len(judged),
        revealed=sum(each[2] for each in late),
        only_revealed=sum((entry, person) not in blind_pairs for entry, person, _ in late),
        gold_left_out=blind_judgments.gold_judged(connection, campaign.id),
        other_part=len(every) - len(of_part),
        sealed=len(of_part) - len(entries),
    )


def answer_of(row: JudgmentRow) -> Answer:
    """Return what a judgment says, as it is compared."""
    return Answer(
        outcome=Outcome(row.outcome), codes=codes_from_text(row.codes), targets=row.targets, fields=row.answer or {}
    )


def _annotators(
    connection: Connection, campaign: CampaignRow, rows: Sequence[JudgmentRow]
) -> tuple[list[Annotator], dict[int, int]]:
    """Return those who answered, in the order of their pseudonyms, which tells nothing; and their places by person id."""
    people = judgment_lists.annotators_of(connection, campaign.id)
    answered = {each.person_id for each in rows}
    people = [each for each in people if each.id in answered]
    called = pseudonyms(campaign, people)
    counts = Counter((each.person_id, each.outcome) for each in rows)
    order = sorted(answered & called.keys(), key=called.__getitem__)
    found = [
        Annotator(called[each], counts[each, Outcome.JUDGED.value], counts[each, Outcome.CANNOT_JUDGE.value])
        for each in order
    ]
    return found, {each: place for place, each in enumerate(order)}
