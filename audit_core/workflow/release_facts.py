"""What a release says of the campaigns that its corrections come from: audit, agreement, sample, guidelines, doubts."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from audit_core import registry
from audit_core.corrections.records import Correction
from audit_core.domain import CODE_MEANINGS, JsonObject
from audit_core.errors import AssayError
from audit_core.exporters.report_json import plain
from audit_core.protocols import audit
from audit_core.release.certificate import CampaignFacts
from audit_core.release.corrected import CorrectedQuery
from audit_core.release.ledger import Agreements
from audit_core.release.summary import DecidedFaults, expected_left, mended_queries
from audit_core.storage import campaigns, decisions, guidelines, judgment_lists, people
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.decision_tables import Confidence
from audit_core.workflow.adjudication_states import Standing, entry_states
from audit_core.workflow.agreement import campaign_agreement
from audit_core.workflow.exporting import design_document
from audit_core.workflow.release_held import Held
from audit_core.workflow.reporting import audit_report
from audit_core.workflow.workspace import Workspace

#: The coefficients that stand in each row of a ledger; the certificate has all.
IN_LEDGER = ("percent", "alpha", "ac1")
#: The codes of which the agreement is told; None is correct or not.
_CODES = (None, *(each.value for each in CODE_MEANINGS))
DISPUTED = "annotators differ and nobody decided"
UNSURE = "decided, but unsure"
OWN_JUDGMENT = "decided by somebody who had judged it too"

Cleaner = Callable[[str], str]


def names_here(workspace: Workspace) -> list[str]:
    """Return the names of all people of a workspace, imported annotators as well."""
    with workspace.database.read() as connection:
        return list(people.names(connection).values())


def campaigns_of(workspace: Workspace, dataset_id: int, corrections: Sequence[Correction]) -> list[CampaignRow]:
    """Return the campaigns of a dataset that corrections come from, in the order in which they were made."""
    named = {each.campaign for each in corrections if each.campaign is not None}
    with workspace.database.read() as connection:
        rows = campaigns.all_rows(connection, dataset_id=dataset_id)
    return sorted((each for each in rows if each.name in named), key=lambda each: each.id)


def campaign_facts(workspace: Workspace, campaign: CampaignRow, cleaned: Cleaner) -> CampaignFacts:
    """Return what a certificate says of a campaign but for what the release mends; no name and no time is in it.

    Raises:
        NotFound: the campaign or the folder of its dataset is gone.
    """
    with workspace.database.read() as connection:
        versions = sorted(guidelines.of_campaign(connection, campaign.id), key=lambda each: each.version)
        design = design_document(campaigns.design_of(connection, campaign))
    report = _audit(workspace, campaign, cleaned)
    agreement, undefined = _agreement(workspace, campaign, cleaned)
    return CampaignFacts(
        name=cleaned(campaign.name), protocol=campaign.protocol, protocol_hash=_protocol_hash(campaign.protocol),
        guidelines=[{"version": each.version, "sha256": _sha256(each.text)} for each in versions], design=design, audit=report,
        agreement=agreement, agreement_undefined=undefined, ambiguous=_ambiguous(workspace, campaign),
    )  # fmt: skip


def with_mended(
    workspace: Workspace,
    campaign: CampaignRow,
    facts: CampaignFacts,
    held: Held,
    corrections: Sequence[Correction],
    queries: Mapping[str, CorrectedQuery],
) -> CampaignFacts:
    """Return the facts of a campaign with what a release mends of its faults, and what is expected to be left of them.

    `corrections` are those that are `held`, in the same order, and `queries` what they make of theirs.
    """
    with workspace.database.read() as connection:
        newest = decisions.newest_of_campaign(connection, campaign.id)
        query_of = {row[1]: row[2] for row in judgment_lists.entry_index(connection, campaign.id)}
    codes: dict[int, set[str]] = {}
    for each, (_, _, decision_id) in zip(corrections, held.corrections, strict=True):
        if decision_id is not None and each.code is not None:
            codes.setdefault(decision_id, set()).add(each.code)
    decided = [
        DecidedFaults(
            query_of[entry_id], frozenset(each.codes), frozenset(codes.get(each.id, ())), held.left_out.get(each.id, 0)
        )
        for entry_id, each in newest.items()
    ]
    others = {each.change.query_id for each in corrections if each.campaign != campaign.name}
    mended = mended_queries(decided, queries, others=others)
    left = expected_left(facts.audit, mended)
    return replace(facts, mended=mended.whole, expected_left={**left.as_json(), "sentence": left.sentence()})


def agreements_of(facts: Sequence[tuple[str, CampaignFacts]]) -> Agreements:
    """Return the coefficients of each code that stand in ledger rows, by campaign (its own name) and code."""
    found: dict[tuple[str, str], tuple[JsonObject, ...]] = {}
    for name, each in facts:
        for code in _CODES[1:]:
            rows = [row for row in each.agreement if row["code"] == code and row["coefficient"] in IN_LEDGER]
            if rows:
                found[name, str(code)] = tuple(
                    {key: row[key] for key in row if key not in ("code", "title")} for row in rows
                )
            elif each.agreement_undefined is not None:
                found[name, str(code)] = ({"coefficient": None, "value": None, "reason": each.agreement_undefined},)
    return found


def _audit(workspace: Workspace, campaign: CampaignRow, cleaned: Cleaner) -> JsonObject | None:
    if campaign.protocol != audit.name:
        return None
    report: JsonObject = plain(audit_report(workspace, campaign.id))
    # The moment at which a report was made would make each certificate another one.
    del report["context"]["when"]
    report["context"]["campaign"] = cleaned(report["context"]["campaign"])
    if report["context"]["carried_over"] is not None:
        report["context"]["carried_over"]["campaign"] = cleaned(report["context"]["carried_over"]["campaign"])
        report["carried_sentence"] = cleaned(report["carried_sentence"])
    return report


def _agreement(workspace: Workspace, campaign: CampaignRow, cleaned: Cleaner) -> tuple[list[JsonObject], str | None]:
    try:
        report = campaign_agreement(workspace, campaign.id)
    except AssayError as error:
        return [], cleaned(str(error))
    rows = [row.as_json() for code in _CODES for row in report.of_code(code)]
    return rows, None if rows else "its protocol gives no issue codes to compare"


def _protocol_hash(name: str) -> str | None:
    """Return the SHA-256 of what a protocol itself tells annotators."""
    protocol: Any = registry.load_folder("audit_core.protocols").get(name)
    if protocol is None or not hasattr(protocol, "description"):
        return None
    text = json.dumps(protocol.description().get("guidelines"), ensure_ascii=False, sort_keys=True)
    return _sha256(text)


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def _ambiguous(workspace: Workspace, campaign: CampaignRow) -> list[JsonObject]:
    found: list[JsonObject] = []
    for each in entry_states(workspace, campaign.id):
        decision = each.decision
        if each.state is Standing.DISPUTED:
            found.append({"query_id": each.query_id, "why": DISPUTED})
        if decision is not None and decision.confidence == Confidence.UNSURE:
            found.append({"query_id": each.query_id, "why": UNSURE})
        if decision is not None and decision.is_own_judgment:
            found.append({"query_id": each.query_id, "why": OWN_JUDGMENT})
    return found
