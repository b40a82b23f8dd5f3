"""A campaign of several annotators over as many queries as a test wants, and what they do there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from audit_core.domain import HandOut
from audit_core.storage import judgments
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.storage.schema import claim, entry
from audit_core.workflow import judging
from audit_core.workflow.gold import GoldAnswer
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.judging import MyEntry, Saved
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.importers.small_bundle import Rows

_nonces = count(1)
PAST = "2020-01-01T00:00:00.000000Z"


def with_queries(number: int) -> Callable[[Rows], None]:
    """Return what makes the small bundle one of so many queries, q001, q002, ..., a third of them of another stratum."""

    def change(rows: Rows) -> None:
        without_judgments(rows)
        kinds = rows["queries"][2], rows["queries"][0], rows["queries"][0]
        rows["queries"] = [
            {**kinds[each % 3], "query_id": f"q{each:03}", "text": f"what is {each}?"} for each in range(1, number + 1)
        ]

    return change


class TeamDesk:
    """A campaign over `queries` queries that is handed to people named `names` (or to everybody)."""

    def __init__(
        self,
        workspace: Workspace,
        folder: Path,
        *,
        queries: int,
        names: Sequence[str],
        is_open: bool = False,
        protocol: str = "audit",
        **team: Any,
    ) -> None:
        self.workspace = workspace
        self.dataset = import_bundle(workspace, small_bundle(folder, with_queries(queries))).dataset
        self.people = [sign_in(workspace, name) for name in names]
        people = None if is_open else tuple(each.id for each in self.people)
        request = TeamRequest(**{"hand_out": HandOut.EXACT, "annotators": people, **team})
        self.campaign = start_team_campaign(
            workspace, dataset=self.dataset, name="team", team=request, protocol=protocol, person=self.people[0]
        )

    def again(self) -> CampaignRow:
        """The campaign as it is stored now."""
        self.campaign, _ = self.workspace.campaign(self.campaign.id)
        return self.campaign

    def next(self, person: Person, *, after: int = 0, amount: int = 1, skip: Sequence[int] = ()) -> list[MyEntry]:
        """What the person is handed."""
        return judging.upcoming(
            self.workspace, person, campaign_id=self.campaign.id, after=after, count=amount, skip=skip
        )

    def numbers(self, person: Person, **options: Any) -> list[int]:
        """The numbers of what the person is handed."""
        return [each.row.number for each in self.next(person, **options)]

    def open(self, person: Person, number: int) -> MyEntry:
        """An entry that the person opens themselves."""
        return judging.open_entry(self.workspace, person, campaign_id=self.campaign.id, number=number)

    def save(self, person: Person, number: int, **body: Any) -> Saved:
        """Save an answer, without a look at the claims."""
        mine = judging.entry_numbered(self.workspace, person, campaign_id=self.campaign.id, number=number)
        return self.save_row(person, mine.row.id, **body)

    def save_row(self, person: Person, entry_id: int, **body: Any) -> Saved:
        """Save an answer on an entry by its id."""
        filled = {"nonce": f"nonce-{next(_nonces):07}", "outcome": "judged", "codes": "", **body}
        return judging.save_judgment(self.workspace, person, entry_id=entry_id, body=filled)

    def judged(self) -> dict[str, int]:
        """How many newest answers that are judgments each query has."""
        with self.workspace.database.read() as connection:
            rows = judgments.of_campaign(connection, self.campaign.id)
            query = sa.select(entry.c.id, entry.c.query_id).where(entry.c.campaign_id == self.campaign.id)
            names = {row.id: row.query_id for row in connection.execute(query)}
        found = dict.fromkeys(sorted(names.values()), 0)
        for row in rows:
            found[names[row.entry_id]] += row.outcome == "judged"
        return found

    def entries(self) -> list[Any]:
        """The rows of all entries, by number."""
        with self.workspace.database.read() as connection:
            query = sa.select(entry).where(entry.c.campaign_id == self.campaign.id).order_by(entry.c.number)
            return list(connection.execute(query))

    def claims(self) -> set[tuple[int, int]]:
        """All claims, run out or not, as (entry number, person id)."""
        with self.workspace.database.read() as connection:
            query = sa.select(entry.c.number, claim.c.person_id).join(claim, claim.c.entry_id == entry.c.id)
            return {(row[0], row[1]) for row in connection.execute(query)}

    def let_claims_run_out(self) -> None:
        """As after half an hour in which nothing was heard of anybody."""
        with self.workspace.database.write() as connection:
            connection.execute(claim.update().values(expires_at=PAST))


def right(query_id: str, codes: str = "") -> GoldAnswer:
    """A right answer of an audit."""
    return GoldAnswer(query_id, {"outcome": "judged", "codes": codes, "fields": {}})
