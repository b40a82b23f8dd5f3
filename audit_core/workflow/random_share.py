"""Campaigns whose entries are a mixed draw: which they are, and the random share that alone says something of the dataset.

What was chosen by a strategy's scores may train a strategy, and is never evaluated on, estimated from or reported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from audit_core.domain import SampleDesign, Stratum
from audit_core.sampling.mixed_draw import MIXED_SCHEME, Selection
from audit_core.sampling.records import SIMPLE
from audit_core.storage import campaigns, samples
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.database import Connection
from audit_core.storage.samples import EntryStratum

RANDOM = Selection.RANDOM.value
#: What entries that are left out of a report are called there.
LEFT_OUT_WORDS = {
    Selection.DISAGREEMENT: "chosen by disagreement of strategies",
    Selection.NEAR_THRESHOLD: "chosen near a threshold",
}
#: The parts of a mixed draw that scores chose.
ACTIVE = frozenset(each.value for each in LEFT_OUT_WORDS)


@dataclass(frozen=True, slots=True)
class RandomShare:
    """The random share of a mixed draw: its design, how many entries it has in each stratum, and the entries beside it."""

    design: SampleDesign
    strata: list[EntryStratum]
    left_out: dict[str, int]


def is_mixed(campaign: CampaignRow) -> bool:
    """Return whether a campaign's entries are a mixed draw, be it that its random share still stands for anything or not."""
    return campaign.sample_scheme == MIXED_SCHEME


def has_known_chances(campaign: CampaignRow) -> bool:
    """Return whether the random share of a mixed draw is a random sample of the campaign's own dataset revision.

    It is none where the campaign was carried over from another revision: a frame is then not stored.
    """
    return is_mixed(campaign) and campaign.frame_hash is not None


def random_share(connection: Connection, campaign: CampaignRow) -> RandomShare:
    """Return the random share of a mixed draw."""
    strata = samples.selected_strata(connection, campaign.id, RANDOM)
    drawn = {(each.source, each.evidence_structure): each.entries for each in strata}
    whole = campaigns.design_of(connection, campaign)
    assert whole is not None, "a mixed draw is stored with its design"
    is_random = has_known_chances(campaign)
    design = replace(
        whole,
        method=SIMPLE if is_random else whole.method,
        is_probability=is_random,
        strata=tuple(
            Stratum(
                each.source,
                each.evidence_structure,
                each.population,
                drawn.get((each.source, each.evidence_structure), 0),
            )
            for each in whole.strata
        ),
    )
    counts = samples.selection_counts(connection, campaign.id)
    left_out = {words: counts[each.value] for each, words in LEFT_OUT_WORDS.items() if each.value in counts}
    return RandomShare(design, strata, left_out)
