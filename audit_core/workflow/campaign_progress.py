"""How a campaign gets on, for whoever leads it: by annotator and by stratum, with time, pace and what is left."""

from __future__ import annotations

from dataclasses import dataclass, field

from audit_core.domain import HandOut, JsonObject
from audit_core.storage import annotators, campaigns, people, samples, team_progress
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.team_progress import ActiveTime, Counts, StratumCounts, Today
from audit_core.workflow.gold import GoldAccuracy, gold_accuracies
from audit_core.workflow.handing_out import Stage, stage_of
from audit_core.workflow.workspace import Workspace

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """Active time on entries in seconds, all revisions of an answer together; quartiles are linear between ranks."""

    entries: int
    total: float
    low: float
    median: float
    high: float

    @property
    def mean(self) -> float:
        """Seconds an entry."""
        return self.total / self.entries

    @property
    def pace(self) -> float | None:
        """Entries answered in an active hour; None where no time was measured."""
        return HOUR * self.entries / self.total if self.total > 0 else None

    def as_json(self) -> JsonObject:
        """Return seconds, and entries an active hour."""
        return {
            "entries": self.entries, "total": self.total, "median": self.median, "low_quartile": self.low,
            "high_quartile": self.high, "mean": self.mean, "entries_an_hour": self.pace,
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorProgress:
    """One annotator: answers on the sample (newest revisions), places held, time, gold accuracy.

    `left` is how many of the sample's entries they have not answered, None where it depends on the others (`exact`).
    `today` counts entries answered since midnight on the server, in `today_seconds` active seconds. `seconds_left` is `left` at
    their own mean time. `is_removed`: taken out of the campaign.
    """

    person_id: int
    name: str
    is_removed: bool
    judged: int
    cannot_judge: int
    pilot_judged: int
    gold_answered: int
    claimed: int
    left: int | None
    today: int
    today_seconds: float
    last_saved: str | None
    time: TimeSpent | None
    gold: GoldAccuracy | None

    @property
    def today_pace(self) -> float | None:
        """Entries answered in an active hour of today."""
        return HOUR * self.today / self.today_seconds if self.today_seconds > 0 else None

    @property
    def seconds_left(self) -> float | None:
        """Active seconds that their entries will take at their mean time."""
        return None if self.left is None or self.time is None else self.left * self.time.mean

    def as_json(self) -> JsonObject:
        """Return the annotator as one JSON document; seconds, entries an hour."""
        names = (
            "person_id", "name", "is_removed", "judged", "cannot_judge", "pilot_judged", "gold_answered", "claimed", "left",
            "today", "today_seconds", "today_pace", "last_saved", "seconds_left",
        )  # fmt: skip
        return {
            **{each: getattr(self, each) for each in names},
            "time": self.time.as_json() if self.time else None,
            "gold": self.gold.as_json() if self.gold else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumProgress:
    """A stratum of the sample, or the whole: `places` judgments are wanted, `filled` are there, `claimed` are under way.

    `complete` entries have all their judgments. Judgments beyond those wanted (everybody gets every entry) are in `judged`
    and not in `filled`.
    """

    source: str
    evidence_structure: str
    entries: int
    places: int
    judged: int
    cannot_judge: int
    claimed: int
    filled: int
    complete: int

    @property
    def left(self) -> int:
        """Judgments that are wanted and not there yet, those under way included."""
        return self.places - self.filled

    def as_json(self) -> JsonObject:
        """Return the stratum as one JSON document."""
        names = (
            "source", "evidence_structure", "entries", "places", "judged", "cannot_judge", "claimed", "filled", "complete",
            "left",
        )  # fmt: skip
        return {each: getattr(self, each) for each in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignProgress:
    """A campaign as it stands: the sample by stratum and as a whole, the pilot, the annotators, the time of all together.

    `pilot` counts the pilot's entries, None where there are none. `seconds_left` is the active time of `whole.left` judgments at
    the mean time of all.
    """

    campaign: str
    state: str
    is_paused: bool
    stage: Stage | None
    hand_out: HandOut
    judgments_per_entry: int
    whole: StratumProgress
    strata: tuple[StratumProgress, ...]
    pilot: StratumProgress | None
    annotators: tuple[AnnotatorProgress, ...]
    time: TimeSpent | None
    gold_entries: int = field(default=0)

    @property
    def seconds_left(self) -> float | None:
        """Active seconds of work that are left, of one person."""
        return self.whole.left * self.time.mean if self.time else None

    def as_json(self) -> JsonObject:
        """Return everything as one JSON document; times in seconds."""
        return {
            "campaign": self.campaign, "state": self.state, "is_paused": self.is_paused, "stage": self.stage,
            "hand_out": self.hand_out, "judgments_per_entry": self.judgments_per_entry, "gold_entries": self.gold_entries,
            "whole": self.whole.as_json(), "strata": [each.as_json() for each in self.strata],
            "pilot": self.pilot.as_json() if self.pilot else None,
            "annotators": [each.as_json() for each in self.annotators],
            "time": self.time.as_json() if self.time else None, "seconds_left": self.seconds_left,
        }  # fmt: skip


def campaign_progress(workspace: Workspace, campaign: CampaignRow) -> CampaignProgress:
    """Return how a campaign gets on. Takes as long as there are judgments, however many entries there are."""
    with workspace.database.read() as connection:
        every = samples.entry_strata(connection, campaign.id)
        special = campaigns.has_special_entries(campaign)
        plain = samples.without_special(connection, campaign.id, every) if special else every
        sizes = {(each.source, each.evidence_structure): each.entries for each in plain}
        places = campaign.judgments_per_entry
        counts = team_progress.by_stratum(connection, campaign.id, places=places)
        claimed = team_progress.claimed_by_stratum(connection, campaign.id)
        strata = [_stratum(key, sizes[key], places, counts.get(key), claimed.get(key, 0)) for key in sizes]
        times = team_progress.active_times(connection, campaign.id)
        pilot, gold = _special_counts(connection, campaign) if special else (None, 0)
        shown = _annotators(connection, campaign, times, entries=sum(sizes.values()))
    return CampaignProgress(
        campaign=campaign.name,
        state=campaign.state,
        is_paused=campaign.paused_at is not None,
        stage=stage_of(campaign),
        hand_out=HandOut(campaign.hand_out),
        judgments_per_entry=places,
        whole=_sum(strata),
        strata=tuple(strata),
        pilot=pilot,
        annotators=tuple(shown),
        time=time_spent(times.get(None)),
        gold_entries=gold,
    )


def _stratum(
    key: tuple[str, str], entries: int, places: int, counts: StratumCounts | None, claimed: int
) -> StratumProgress:
    found = counts or StratumCounts()
    return StratumProgress(
        source=key[0],
        evidence_structure=key[1],
        entries=entries,
        places=entries * places,
        judged=found.judged,
        cannot_judge=found.cannot_judge,
        claimed=claimed,
        filled=found.filled,
        complete=found.complete,
    )


def _sum(strata: list[StratumProgress]) -> StratumProgress:
    numbers = ("entries", "places", "judged", "cannot_judge", "claimed", "filled", "complete")
    totals = {name: sum(getattr(each, name) for each in strata) for name in numbers}
    return StratumProgress(source="", evidence_structure="", **totals)


def _special_counts(connection: Connection, campaign: CampaignRow) -> tuple[StratumProgress | None, int]:
    """Return how the pilot stands, and how many gold entries there are."""
    found = samples.special_counts(connection, campaign.id)
    if campaign.pilot_judgments is None:
        return None, found.gold
    counts = team_progress.by_stratum(connection, campaign.id, places=campaign.pilot_judgments, of_pilot=True)
    rows = [_stratum(key, 0, 0, each, 0) for key, each in counts.items()]
    total = _sum(rows)
    pilot = StratumProgress(
        source="",
        evidence_structure="",
        entries=found.pilot,
        places=found.pilot * campaign.pilot_judgments,
        judged=total.judged,
        cannot_judge=total.cannot_judge,
        claimed=team_progress.claimed_in_pilot(connection, campaign.id),
        filled=total.filled,
        complete=total.complete,
    )
    return pilot, found.gold


def _annotators(
    connection: Connection, campaign: CampaignRow, times: dict[int | None, ActiveTime], *, entries: int
) -> list[AnnotatorProgress]:
    rows = {each.person_id: each for each in annotators.of_campaign(connection, campaign.id)}
    counts = team_progress.by_person(connection, campaign.id)
    claimed = team_progress.claimed_by_person(connection, campaign.id)
    today = team_progress.today(connection, campaign.id)
    last = team_progress.last_saved(connection, campaign.id)
    gold = gold_accuracies(connection, campaign) if campaigns.has_special_entries(campaign) else {}
    names = people.names(connection)
    found = []
    for person_id in sorted({*rows, *counts, *claimed}, key=lambda each: (names[each].casefold(), each)):
        row, mine, now = rows.get(person_id), counts.get(person_id, Counts()), today.get(person_id, Today(0, 0.0))
        left = entries - mine.judged - mine.cannot_judge if campaign.hand_out == HandOut.ALL else None
        found.append(
            AnnotatorProgress(
                person_id=person_id,
                name=names[person_id],
                is_removed=row is not None and row.removed_at is not None,
                judged=mine.judged,
                cannot_judge=mine.cannot_judge,
                pilot_judged=mine.pilot_judged,
                gold_answered=mine.gold_answered,
                claimed=claimed.get(person_id, 0),
                left=left,
                today=now.entries,
                today_seconds=now.seconds,
                last_saved=last.get(person_id),
                time=time_spent(times.get(person_id)),
                gold=gold.get(person_id),
            )
        )
    return found


def time_spent(found: ActiveTime | None) -> TimeSpent | None:
    """Return the time as it is shown, None where none was measured."""
    return None if found is None else TimeSpent(found.entries, found.seconds, found.low, found.median, found.high)
