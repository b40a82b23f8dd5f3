"""What a decision must be before it is stored: its basis must hold, and what must be explained is explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit_core.domain import Answer, JsonObject, Outcome
from audit_core.errors import CampaignClosed, JudgmentInvalid
from audit_core.protocols import audit
from audit_core.protocols.audit import codes_to_text
from audit_core.protocols.disputes import Said
from audit_core.storage.campaigns import CampaignRow, EntryRow
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.decision_tables import Basis, Confidence
from audit_core.storage.judgments import JudgmentRow
from audit_core.workflow.adjudication_states import Standing, said_of
from audit_core.workflow.answer_check import checked_answer, protocol_of
from audit_core.workflow.campaigns import is_archived
from audit_core.workflow.decision_parts import parts_of, words_of
from audit_core.workflow.wanted_content import is_whole, whole_correction
from audit_core.workflow.workspace import Workspace

#: Bases that a person gives; `file` is that of `campaign adjudicate` alone.
GIVEN = tuple(each for each in Basis if each is not Basis.FILE)
#: Bases that repeat what an annotator said: it was checked when it was saved.
_REPEATING = (Basis.TAKEN, Basis.UNANIMOUS)
#: Bases that nothing else explains.
_EXPLAINED = (Basis.OWN, Basis.ALL_WRONG)


def require_not_archived(campaign: CampaignRow, dataset: DatasetRow) -> None:
    """Go on where a campaign can be adjudicated.

    Raises:
        CampaignClosed: it is archived, by itself or with its dataset.
    """
    if is_archived(campaign, dataset):
        raise CampaignClosed(f"{campaign.name} is archived: bring it back from the archive to adjudicate it.")


def basis_of(body: Mapping[str, Any]) -> Basis:
    """Return the basis of a decision that a person makes.

    Raises:
        JudgmentInvalid: it is missing or none of them.
    """
    value = body.get("basis")
    if not isinstance(value, str) or value not in GIVEN:
        raise JudgmentInvalid(f"basis is {str(value)[:40]!r}: use one of {', '.join(GIVEN)}.")
    return Basis(value)


def confidence_of(value: object) -> str | None:
    """Return how sure a decision is; None where that is not said.

    Raises:
        JudgmentInvalid: it is none of the words for it.
    """
    if value is None or value == "":
        return None
    if not isinstance(value, str) or value not in tuple(Confidence):
        raise JudgmentInvalid(
            f"confidence is {str(value)[:40]!r}: use one of {', '.join(Confidence)}, or leave it out."
        )
    return value


def taken_from_of(body: Mapping[str, Any]) -> list[int]:
    """Return the ids of the judgments that a decision was taken from.

    Raises:
        JudgmentInvalid: it is no list of ids, or names one twice.
    """
    value = body.get("taken_from")
    if value is None:
        return []
    if not isinstance(value, list) or not all(type(each) is int for each in value) or len(set(value)) != len(value):
        raise JudgmentInvalid("taken_from must be a list of ids of judgments, each once.")
    return list(value)


def checked_content(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, basis: Basis, body: Mapping[str, Any]
) -> tuple[Answer, JsonObject | None]:
    """Return the answer and the correction of a decision, checked as a judgment is.

    What repeats a judgment is not checked against the dataset again: it must equal one, and that one was. One that reopens an
    entry says nothing of it.

    Raises:
        JudgmentInvalid: the body breaks the protocol, or what must be explained is not.
    """
    protocol = protocol_of(campaign)
    if basis is Basis.REOPENED:
        said = protocol.parse({"outcome": Outcome.CANNOT_JUDGE, "note": body.get("note"), "reason": body.get("reason")})
        return said, None
    if basis in _REPEATING:
        return protocol.parse(body), protocol.parse_correction(body.get("correction"))
    answer, correction = checked_body(workspace, campaign, row, body)
    if basis in _EXPLAINED and not answer.reason.strip():
        what = "that no judgment is right" if basis is Basis.ALL_WRONG else "on an answer of your own"
        raise JudgmentInvalid(f"reason is missing: say why you decided {what}.")
    return answer, correction


def checked_body(
    workspace: Workspace, campaign: CampaignRow, row: EntryRow, body: Mapping[str, Any]
) -> tuple[Answer, JsonObject | None]:
    """Return what a body says; its correction may be whole, as a file of decisions gives it, where corrections are proposed."""
    raw = body.get("correction")
    if campaign.protocol != audit.name or not is_whole(raw):
        return checked_answer(workspace, campaign, row, body)
    answer, _ = checked_answer(workspace, campaign, row, {**body, "correction": None})
    return answer, whole_correction(workspace, campaign, row, raw)


def is_said_by(row: JudgmentRow, answer: Answer, correction: JsonObject | None) -> bool:
    """Return whether a judgment says just that: outcome, codes, targets, fields and correction; notes may differ."""
    same_targets = {code: sorted(ids) for code, ids in row.targets.items() if ids} == answer.targets
    return (
        (row.outcome, row.codes, row.answer or {}) == (answer.outcome, codes_to_text(answer.codes), answer.fields)
        and same_targets
        and (row.correction or None) == (correction or None)
    )


def sources_of(
    basis: Basis,
    answer: Answer,
    correction: JsonObject | None,
    rows: Sequence[JudgmentRow],
    *,
    named: Sequence[int],
    agreed: Standing,
) -> list[int]:
    """Return the ids of the judgments that a decision takes from, where its basis holds.

    `rows` are the newest judgments on the entry, `named` those that the request says, `agreed` what they come to.

    Raises:
        JudgmentInvalid: the basis does not hold; says why.
    """
    _refuse_strangers(named, rows)
    equal = [row.id for row in rows if is_said_by(row, answer, correction)]
    judged = [row.id for row in rows if row.outcome == Outcome.JUDGED]
    if basis is Basis.TAKEN:
        return _taken(named, equal)
    if basis is Basis.MERGED:
        _require_merged(Said(answer, correction), [row for row in rows if row.id in set(named)])
    if basis is Basis.ALL_WRONG and equal:
        raise JudgmentInvalid("This is what one of the judgments says: take that one, or say what none of them says.")
    if basis is Basis.UNANIMOUS:
        if agreed is not Standing.UNANIMOUS:
            raise JudgmentInvalid("The judgments on this entry are not unanimous: decide it on another basis.")
        if not set(equal) & set(judged):
            raise JudgmentInvalid("A unanimous decision must say what the judgments say: take one of them as it is.")
        return judged
    if basis is Basis.SECOND_READING:
        return _read_again(answer, equal, judged, agreed=agreed)
    return list(named)


def _require_merged(decision: Said, sources: Sequence[JudgmentRow]) -> None:
    """Go on where all that a decision says stands in the judgments that it names, and each of those gives a part of it."""
    if len(sources) < 2:
        raise JudgmentInvalid("taken_from must name at least two judgments of which parts were merged.")
    wanted = parts_of(decision)
    given = [parts_of(said_of(row)) for row in sources]
    if strange := sorted(wanted.difference(*given)):
        raise JudgmentInvalid(
            f"None of the judgments that taken_from names says {words_of(strange[0])}: name the one that does, or decide on "
            "another basis (own)."
        )
    if not all(wanted & each for each in given):
        raise JudgmentInvalid(
            "taken_from names a judgment of which nothing stands in the decision: name only those of which parts were merged."
        )


def _read_again(answer: Answer, equal: Sequence[int], judged: Sequence[int], *, agreed: Standing) -> list[int]:
    """Return the judgment that a second reading confirms, none where it overturns it."""
    if len(judged) != 1:
        raise JudgmentInvalid(
            f"A second reading is of the only judgment on an entry, and this one has {len(judged)}: decide it on "
            "another basis."
        )
    if agreed is not Standing.SINGLE:
        raise JudgmentInvalid(
            "This entry is still to get further judgments, so that its only one is not read a second time: wait for them, or "
            "decide on another basis (taken or own)."
        )
    if set(equal) & set(judged):
        return list(judged)
    if not answer.reason.strip():
        raise JudgmentInvalid("reason is missing: say why you overturned the only judgment.")
    return []


def _refuse_strangers(named: Sequence[int], rows: Sequence[JudgmentRow]) -> None:
    if strange := sorted(set(named) - {row.id for row in rows}):
        raise JudgmentInvalid(
            f"taken_from names judgment {strange[0]}, which does not stand on this entry (any more): reload the entry."
        )


def _taken(named: Sequence[int], equal: Sequence[int]) -> list[int]:
    """Return the one judgment that was taken; where none is named, the first that says the same."""
    if len(named) > 1:
        raise JudgmentInvalid("taken_from must name the one judgment that was taken; to use several, merge them.")
    found = [each for each in equal if not named or each in named][:1]
    if not found:
        raise JudgmentInvalid(
            "What was taken is not what the judgment says: take it as it is, or decide on another basis (merged or own)."
        )
    return found
