"""The chances with which the labelled queries of a campaign were drawn and judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.database import Connection
from audit_core.workflow.random_share import random_share


def chances_of(
    connection: Connection, campaign: CampaignRow, judged: Iterable[EntryRow], *, is_share: bool
) -> dict[tuple[str, str], tuple[float, float]]:
    """Return n_h / N_h of each stratum of a random sample, and the share of its n_h queries that somebody judged.

    Empty where chances are not known.
    """
    design = random_share(connection, campaign).design if is_share else campaigns.design_of(connection, campaign)
    if design is None or not design.is_probability:
        return {}
    done = Counter(
        stratum for _, stratum in {(each.query_id, (each.source, each.evidence_structure)) for each in judged}
    )
    return {
        key: (each.drawn / each.population, min(1.0, done[key] / each.drawn) if each.drawn else 1.0)
        for each in design.strata
        if each.population and (key := (each.source, each.evidence_structure))
    }


def chance_of(entry: EntryRow, chances: dict[tuple[str, str], tuple[float, float]]) -> float | None:
    """Return the chance with which a query was drawn and then judged, so that 1 / chance adds up to N_h.

    As in the report of a campaign, the judged queries of a stratum stand for those that were drawn and not judged:
    with the chance of the draw alone, a stratum that is half judged would count half.
    """
    if not chances:
        return None
    of_stratum, judged = chances.get((entry.source, entry.evidence_structure), (None, 1.0))
    stored = entry.probability if entry.probability is not None else of_stratum
    return stored * judged or None if stored else None
