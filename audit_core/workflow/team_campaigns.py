"""Starting a campaign for several annotators: whom it is handed to, how many judge an entry, gold entries and a pilot.

The sample is drawn as for every campaign and alone stands for the dataset. Gold and pilot entries come on top of it: gold ones
among the others, those of the pilot before them.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from audit_core.domain import HandOut, JsonObject
from audit_core.errors import AssayError
from audit_core.protocols import audit
from audit_core.sampling.permanent_order import SEED_MAX, check_seed
from audit_core.sampling.records import DrawnEntry
from audit_core.storage import annotators
from audit_core.storage.campaigns import CampaignRow, EntryRow, Team
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.people import Person
from audit_core.workflow.annotators import require_people
from audit_core.workflow.campaigns import JUDGMENTS_MAX, check_new_campaign, make_campaign
from audit_core.workflow.gold import GoldAnswer
from audit_core.workflow.sample_frame import frame_rows
from audit_core.workflow.sample_request import SampleRequest, fresh_seed
from audit_core.workflow.sampling import drawn_sample
from audit_core.workflow.workspace import Workspace

#: Largest share of gold entries among what an annotator gets.
GOLD_SHARE_MAX = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRequest:
    """How a campaign is handed out.

    `annotators` are person ids; None: everybody may judge. With `own_order` each gets the entries in an order of their own, from
    `order_seed` or one that is made up. `gold_share` is the share of gold entries among what one annotator gets, in
    (0, 0.5]; None takes all of `gold`. A pilot has `pilot_entries` queries, each for `pilot_judgments` annotators.
    """

    hand_out: HandOut = HandOut.ALL
    judgments_per_entry: int = 1
    annotators: tuple[int, ...] | None = None
    own_order: bool = False
    order_seed: int | None = None
    gold: tuple[GoldAnswer, ...] = ()
    gold_share: float | None = None
    pilot_entries: int = 0
    pilot_judgments: int | None = None
    copied_from: int | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        people = None if self.annotators is None else len(set(self.annotators))
        if people == 0:
            raise AssayError("Name at least one annotator, or let everybody judge.")
        needed = [("judgments an entry", self.judgments_per_entry)] if self.hand_out is HandOut.EXACT else []
        if self.pilot_judgments is not None:
            needed.append(("judgments a pilot entry", self.pilot_judgments))
        for what, number in needed:
            if not 1 <= number <= JUDGMENTS_MAX:
                raise AssayError(f"{number} {what}: choose 1 to {JUDGMENTS_MAX}.")
            if people is not None and number > people:
                raise AssayError(f"{number} {what} need as many annotators, and there are {people}: name more of them.")
        if self.gold_share is not None and not 0 < self.gold_share <= GOLD_SHARE_MAX:
            raise AssayError(
                f"The share of gold entries is {self.gold_share}: choose more than 0 and at most {GOLD_SHARE_MAX}."
            )
        if self.gold_share is not None and not self.gold:
            raise AssayError("A share of gold entries needs right answers: give some, or no share.")
        if (self.pilot_entries > 0) != (self.pilot_judgments is not None) or self.pilot_entries < 0:
            raise AssayError("A pilot needs a number of entries and how many annotators judge each of them.")
        if self.order_seed is not None:
            check_seed(self.order_seed)

    @property
    def seed(self) -> int | None:
        """The seed of the annotators' own orders, None where all have the same."""
        if self.order_seed is not None:
            return self.order_seed
        return fresh_seed() if self.own_order else None


def start_team_campaign(
    workspace: Workspace,
    *,
    dataset: DatasetRow,
    name: str,
    team: TeamRequest,
    sample: SampleRequest | None = None,
    protocol: str = audit.name,
    person: Person | None = None,
    on_shown: Callable[[Connection, int], None] | None = None,
) -> CampaignRow:
    """Start a campaign on the queries that `sample` draws (all without one), handed out as `team` says, and return it.

    `on_shown` does what else belongs to it in the transaction that shows it; it gets the campaign's id.

    Raises:
        NameTaken, NotFound, AssayError: as `campaigns.start_campaign`; an annotator is not known, a gold query is not in the
            dataset, or the dataset has too few queries for the pilot.
    """
    cleaned = check_new_campaign(
        workspace, dataset, name=name, protocol=protocol, judgments_per_entry=team.judgments_per_entry
    )
    with workspace.database.read() as connection:
        require_people(connection, team.annotators or ())
    drawn = drawn_sample(workspace, dataset, sample or SampleRequest())
    seed = drawn.planned.request.seed if drawn.planned.request.seed is not None else fresh_seed()
    special = _Special(workspace, dataset, drawn.draw.entries, team, drawn.planned.request, seed)
    entries = special.entries()
    row = team_row(team, gold=sum(each.gold is not None and not each.is_pilot for each in entries if isinstance(each, EntryRow)),
                   others=_share_of_one(team, len(drawn.draw.entries)))  # fmt: skip

    def hand_over(connection: Connection, campaign_id: int) -> None:
        annotators.add(connection, campaign_id, team.annotators or ())
        if on_shown is not None:
            on_shown(connection, campaign_id)

    return make_campaign(
        workspace, dataset, entries, name=cleaned, protocol=protocol, judgments_per_entry=team.judgments_per_entry,
        design=drawn.design, record=drawn.record, person=person, team=row, on_shown=hand_over,
    )  # fmt: skip


def team_row(team: TeamRequest, *, gold: int, others: float) -> Team:
    """Return the columns of a campaign; an annotator gets `gold` gold entries and about `others` other ones."""
    share = team.gold_share
    if share is None and team.gold:
        share = min(GOLD_SHARE_MAX, gold / (gold + others)) if gold else 0.0
    return Team(
        hand_out=team.hand_out,
        is_open=team.annotators is None,
        order_seed=team.seed,
        gold_share=share,
        pilot_judgments=team.pilot_judgments,
        copied_from=team.copied_from,
    )


def _share_of_one(team: TeamRequest, entries: int) -> float:
    """Return about how many entries of the sample one annotator gets."""
    if team.hand_out is HandOut.ALL or team.annotators is None:
        return float(entries)
    return entries * min(1.0, team.judgments_per_entry / len(set(team.annotators)))


class _Special:
    """The gold and pilot entries of a campaign in the making, chosen by its seed."""

    def __init__(
        self,
        workspace: Workspace,
        dataset: DatasetRow,
        drawn: Sequence[DrawnEntry],
        team: TeamRequest,
        request: SampleRequest,
        seed: int,
    ) -> None:
        self.drawn = drawn
        self.team = team
        self.chance = random.Random(f"assay-special-1/{seed % SEED_MAX}")
        self.is_drawn = {each.query_id for each in drawn}
        revision = workspace.revision(dataset)
        self.frame: dict[str, tuple[str, str]] = {}
        self.places: dict[str, tuple[str, str]] = {}
        if team.gold or team.pilot_entries:
            rows, _ = frame_rows(revision, request.where)
            self.frame = {query_id: (source, structure) for query_id, source, structure in rows.iter_rows()}
            self.places = {each: (source, structure) for each, source, structure in revision.queries_index()}
        for each in team.gold:
            if each.query_id not in self.places:
                raise AssayError(
                    f"Gold query {each.query_id!r} is not in {dataset.shown}: take it out, or import the right revision."
                )

    def entries(self) -> list[DrawnEntry | EntryRow]:
        """Return all entries, numbered: those of the pilot, then the sample with gold entries at random places in it."""
        pilot, golden = self._pilot(), self._gold()
        of_pilot = golden[: self._gold_in_pilot(len(golden))]
        first: list[DrawnEntry | EntryRow] = [
            *(self._entry(each, is_pilot=True) for each in pilot),
            *(self._entry(each.query_id, gold=each.answer, is_pilot=True) for each in of_pilot),
        ]
        self.chance.shuffle(first)
        rest = [self._entry(each.query_id, gold=each.answer) for each in golden[len(of_pilot) :]]
        placed: list[tuple[float, int, DrawnEntry | EntryRow]] = [
            ((place + 0.5) / len(self.drawn), place, each) for place, each in enumerate(self.drawn)
        ]
        placed += [(self.chance.random(), len(self.drawn) + place, each) for place, each in enumerate(rest)]
        placed.sort(key=lambda each: each[:2])
        together = [*first, *(each for _, _, each in placed)]
        return [replace(each, number=number) for number, each in enumerate(together, start=1)]

    def _pilot(self) -> list[str]:
        """Return the queries of the pilot: at random from the frame, those of the sample only where no others are left."""
        gold = {each.query_id for each in self.team.gold}
        free = sorted(each for each in self.frame if each not in self.is_drawn and each not in gold)
        again = sorted(each for each in self.frame if each in self.is_drawn and each not in gold)
        wanted = self.team.pilot_entries
        if wanted > len(free) + len(again):
            raise AssayError(
                f"The pilot is to have {wanted:,} entries, and there are {len(free) + len(again):,} queries: ask for fewer."
            )
        chosen = self.chance.sample(free, min(wanted, len(free)))
        return chosen + self.chance.sample(again, wanted - len(chosen))

    def _gold(self) -> list[GoldAnswer]:
        """Return the gold answers that are used: so many that the share is met, queries outside the sample first."""
        ordered = sorted(self.team.gold, key=lambda each: each.query_id)
        self.chance.shuffle(ordered)
        ordered.sort(key=lambda each: each.query_id in self.is_drawn)
        share = self.team.gold_share
        if share is None:
            return ordered
        others = _share_of_one(self.team, len(self.drawn)) + self.team.pilot_entries
        return ordered[: math.ceil(others * share / (1 - share))]

    def _gold_in_pilot(self, golden: int) -> int:
        """Return how many gold entries belong to the pilot: its part of all that one annotator gets, and one at least."""
        if not self.team.pilot_entries or not golden:
            return 0
        others = _share_of_one(self.team, len(self.drawn))
        part = self.team.pilot_entries / (self.team.pilot_entries + others)
        return max(1, min(golden, round(golden * part)))

    def _entry(self, query_id: str, *, gold: JsonObject | None = None, is_pilot: bool = False) -> EntryRow:
        source, structure = self.places[query_id]
        return EntryRow(
            id=0, campaign_id=0, number=1, query_id=query_id, source=source, evidence_structure=structure, document_ids=[],
            place=None, probability=None, probability_combined=None, is_pilot=is_pilot, gold=gold,
        )  # fmt: skip
