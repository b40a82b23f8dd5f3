"""The list of a campaign's entries as an adjudicator sees it: a page at a time, with what each annotator said in short."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit_core.domain import JsonObject, Outcome, Role
from audit_core.protocols import audit
from audit_core.protocols.field_kinds import written
from audit_core.storage import decisions, judgments, people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decisions import DecisionRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.storage.people import Person
from audit_core.workflow.accepting import acceptance_json
from audit_core.workflow.adjudication_states import Agreed, Standing, standing_counts
from audit_core.workflow.adjudication_view import judgments_json, note_seen, sealed_queries, wanted_entries
from audit_core.workflow.answer_check import protocol_of
from audit_core.workflow.roles import require_role
from audit_core.workflow.workspace import Workspace

#: Entries of a page.
PER_PAGE = 300
#: What the list says of each judgment.
_IN_SHORT = ("label", "mine", "outcome", "codes", "fields")


@dataclass(frozen=True, slots=True)
class AdjudicationPage:
    """A page of entries in order, with whether there are earlier and later ones of the same filter, and all counts."""

    rows: tuple[JsonObject, ...]
    has_earlier: bool
    has_later: bool
    counts: dict[str, int]

    def as_json(self) -> JsonObject:
        """Return the page as one JSON document."""
        return {
            "rows": list(self.rows),
            "earlier": self.has_earlier,
            "later": self.has_later,
            "counts": self.counts,
        }


def adjudication_page(
    workspace: Workspace,
    person: Person,
    campaign_id: int,
    *,
    only: str = "all",
    first: int = 1,
    before: int | None = None,
    count: int = PER_PAGE,
    names: bool = False,
) -> AdjudicationPage:
    """Return a page of the entries with a judgment or a decision, from entry number `first` on, or the last before `before`.

    With `names` each judgment has its annotator's `name`, and the decision who made it (`by`).

    A row has number, query_id, query, state, disputes, codes (of each judgment), judgments, basis and own_judgment (of the
    decision, None without one) and decision (its codes, fields and outcome); one whose judgments all say the same has `accepted`, what accepting it would
    decide. A sealed row says nothing that others said;
    of all others it is noted that the person knows what was said, where they judge.

    Raises:
        NotAllowed: the person does not adjudicate.
        NotFound: no such campaign or filter.
    """
    require_role(person, Role.ADJUDICATOR)
    campaign, dataset = workspace.campaign(campaign_id)
    wanted = wanted_entries(workspace, campaign, only)
    if only != "all":
        # That an entry is in the list would tell how others judged it.
        sealed = sealed_queries(workspace, person, dataset, {each.query_id for each in wanted})
        wanted = [each for each in wanted if each.query_id not in sealed]
    count = max(1, min(count, PER_PAGE))
    start = sum(each.number < first for each in wanted)
    if before is not None:
        start = max(0, sum(each.number < before for each in wanted) - count)
    shown = wanted[start : start + count]
    return AdjudicationPage(
        rows=tuple(_rows(workspace, person, campaign, dataset, shown, names=names)),
        has_earlier=start > 0,
        has_later=start + count < len(wanted),
        counts=standing_counts(workspace, campaign, person),
    )


def _rows(
    workspace: Workspace,
    person: Person,
    campaign: CampaignRow,
    dataset: DatasetRow,
    shown: Sequence[Agreed],
    *,
    names: bool,
) -> list[JsonObject]:
    ids = [each.entry_id for each in shown]
    sealed = sealed_queries(workspace, person, dataset, [each.query_id for each in shown])
    with workspace.database.read() as connection:
        said = judgments.newest_on(connection, ids)
        newest = {each: row for each in ids if (row := decisions.newest(connection, each)) and row.counts}
        called = people.names(connection) if names else {}
    note_seen(workspace, person, campaign, [each.entry_id for each in shown if each.query_id not in sealed])
    revision = workspace.revision(dataset)
    rows = []
    for each in shown:
        is_sealed = each.query_id in sealed
        in_short = (
            [] if is_sealed else judgments_json(campaign, person, said[each.entry_id], revealed={}, called=called)
        )
        decision = newest.get(each.entry_id)
        told = _row(each, in_short, decision, is_sealed=is_sealed, called=called)
        if each.state is Standing.UNANIMOUS and decision is None and not is_sealed:
            accepted = acceptance_json(said[each.entry_id])
            by = next(one for one in in_short if one["id"] == accepted["judgment"])
            told["accepted"] = accepted | {"label": by["label"], "name": by["name"]}
        rows.append({**told, "query": revision.query(each.query_id).text})
    return rows


def _row(
    each: Agreed,
    in_short: Sequence[JsonObject],
    decision: DecisionRow | None,
    *,
    is_sealed: bool,
    called: Mapping[int, str],
) -> JsonObject:
    found: JsonObject = {"number": each.number, "query_id": each.query_id, "sealed": is_sealed}
    if is_sealed:
        # Whether others agree, and that it is decided, is told neither.
        return found | _said(Standing.OPEN, (), [], None, called)
    return found | _said(Standing.DECIDED if decision else each.state, each.disputes, in_short, decision, called)


def _said(
    state: Standing,
    disputes: Sequence[str],
    in_short: Sequence[JsonObject],
    decision: DecisionRow | None,
    called: Mapping[int, str],
) -> JsonObject:
    told = (*_IN_SHORT, "name") if called else _IN_SHORT
    by = {"by": called.get(decision.person_id)} if called and decision else {}
    return {
        "state": state,
        "disputes": list(disputes),
        "codes": [each["codes"] for each in in_short],
        "judgments": [{name: each[name] for name in told} for each in in_short],
        "basis": decision.basis if decision else None,
        "own_judgment": decision.is_own_judgment if decision else None,
        "decision": None
        if decision is None
        else {"outcome": decision.outcome, "codes": decision.codes, "fields": decision.answer or {}} | by,
    }


def listed_entries(workspace: Workspace, campaign: CampaignRow, *, only: str) -> list[JsonObject]:
    """Return the entries that a filter leaves in short, for a command: what each judgment and the decision say in a word.

    Raises:
        NotFound: there is no such filter.
    """
    wanted = wanted_entries(workspace, campaign, only)
    headline = getattr(protocol_of(campaign), "HEADLINE", None)
    field = headline.field if headline else "remove"

    def word(row: JudgmentRow | DecisionRow) -> str:
        if row.outcome != Outcome.JUDGED:
            return "cannot judge"
        if campaign.protocol == audit.name:
            return row.codes or "correct"
        return written((row.answer or {}).get(field))

    with workspace.database.read() as connection:
        said = judgments.newest_on(connection, [each.entry_id for each in wanted])
        decided = decisions.newest_of_campaign(connection, campaign.id)
    return [
        {
            "entry": each.number,
            "query_id": each.query_id,
            "state": (Standing.DECIDED if each.entry_id in decided else each.state).value,
            "judgments": [word(row) for row in said[each.entry_id]],
            "disputes": list(each.disputes),
            "decision": word(decided[each.entry_id]) if each.entry_id in decided else None,
            "basis": decided[each.entry_id].basis if each.entry_id in decided else None,
        }
        for each in wanted
    ]
