"""The list of a campaign's entries as one annotator sees it: a page at a time, with how many each filter leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from audit_core.domain import JsonObject
from audit_core.errors import NotFound
from audit_core.storage import overview
from audit_core.storage.overview import FILTERS, EntryState
from audit_core.storage.people import Person
from audit_core.workflow.workspace import Workspace

#: Entries of a page.
PER_PAGE = 300
#: Most entries that are asked for by number beside a page.
ASKED_MAX = 500


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """A page of entries in order, with whether there are earlier and later ones of the same filter.

    `counts` has `all` and each filter; `asked` are entries that were asked for by number, whatever the filter.
    """

    entries: tuple[EntryState, ...]
    has_earlier: bool
    has_later: bool
    counts: dict[str, int]
    asked: tuple[EntryState, ...]

    def as_json(self) -> JsonObject:
        """Return the page as the judging surface reads it."""
        return {
            "entries": [_as_json(each) for each in self.entries],
            "earlier": self.has_earlier,
            "later": self.has_later,
            "counts": self.counts,
            "asked": [_as_json(each) for each in self.asked],
        }


def _as_json(each: EntryState) -> JsonObject:
    return {
        "number": each.number,
        "state": each.state,
        "codes": each.codes,
        "fields": each.fields,
        "flag": each.flag,
        "source": each.source,
        "structure": each.evidence_structure,
    }


def overview_page(
    workspace: Workspace,
    person: Person,
    campaign_id: int,
    *,
    only: str | None = None,
    first: int = 1,
    before: int | None = None,
    asked: Sequence[int] = (),
    count: int = PER_PAGE,
) -> OverviewPage:
    """Return a page of a campaign's entries with the person's own states, and nobody else's.

    `only` is one of FILTERS, or None for all entries. The page begins with entry number `first`, or is the last one
    before number `before`; where fewer than a page are before it, it is the first page.

    Raises:
        NotFound: there is no such filter.
    """
    if only is not None and only not in FILTERS:
        raise NotFound(f"Entries cannot be narrowed to {only[:40]!r}. Choose one of: {', '.join(FILTERS)}.")
    count = max(1, min(count, PER_PAGE))
    with workspace.database.read() as connection:
        mine = {"campaign_id": campaign_id, "person_id": person.id}
        rows: list[EntryState] = []
        if before is not None:
            rows = overview.entries_before(connection, **mine, name=only, before=before, count=count)
            first = rows[0].number if len(rows) == count else 1
        # One more than is shown tells whether there are more.
        rows = overview.entries_from(connection, **mine, name=only, first=first, count=count + 1)
        shown = rows[:count]
        start = shown[0].number if shown else first
        has_earlier = start > 1 and bool(overview.entries_before(connection, **mine, name=only, before=start, count=1))
        return OverviewPage(
            entries=tuple(shown),
            has_earlier=has_earlier,
            has_later=len(rows) > count,
            counts=overview.counts(connection, **mine),
            asked=tuple(overview.numbered(connection, **mine, numbers=list(asked)[:ASKED_MAX])) if asked else (),
        )
