"""Atomic changes from what an annotator or adjudicator proposes of one query."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.checking import differs_in_blanks_alone
from audit_core.corrections.deriving_boxes import with_boxes
from audit_core.corrections.diffing import changes_between
from audit_core.corrections.ground import Ground
from audit_core.corrections.pieces import canonical_list, place_of
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject
from audit_core.errors import CorrectionError

#: Keys of a proposal that gives the wanted content whole, in the bundle's own form.
WHOLE_KEYS = frozenset({"text", "answer", "evidence"})
#: Keys of one that says what to change, as `protocols.audit_corrections` has it.
STEP_KEYS = frozenset({"query", "answer", "drop_pages", "add_pages", "boxes"})
#: How a set is called that a page makes as an alternative; a number follows from the second on.
NEW_SET = "alternative"


def changes_of(
    proposal: JsonObject | None, content: QueryContent, ground: Ground, *, taken_sets: Collection[str | None] = ()
) -> list[Change]:
    """Return the atomic changes that a proposal asks for, in the order in which they apply; empty where it asks for none.

    A proposal has one of two forms. Steps: `{"query", "answer", "drop_pages", "add_pages", "boxes"}` with boxes in parts
    of the page (`protocols.audit_corrections`). Whole: `{"text", "answer", "evidence"}`, what the query shall be, in the
    bundle's own form; what is absent stays. `"withdraw": true` in either takes the query out. The same proposal of the
    same content gives the same changes, always.

    A page that stands in several sets gives one change for each. A required page goes into the set that the step names
    (`"set_id"`, null for the default one), else into every set; an alternative into a set of its own, whose name is none
    of the query's and none of `taken_sets`.

    Raises:
        CorrectionError: it has no such form, or names what the query does not have.
    """
    if not proposal:
        return []
    keys = set(proposal) - {"withdraw"}
    if proposal.get("withdraw") is True:
        if keys:
            raise CorrectionError(
                f"A proposal withdraws query {content.query_id!r} and changes it too: do one of them."
            )
        return [Change(content.query_id, Action.WITHDRAW, {}, None, None)]
    if not (keys <= WHOLE_KEYS or keys <= STEP_KEYS):
        raise CorrectionError(
            f"A proposal for query {content.query_id!r} has the keys {', '.join(sorted(map(str, keys)))}: give either "
            f"{', '.join(sorted(STEP_KEYS))}, or {', '.join(sorted(WHOLE_KEYS))}."
        )
    changes = _texts(proposal, content)
    wanted = _wanted(proposal, content, ground, taken_sets)
    return [*changes, *changes_between(content.evidence, wanted, query_id=content.query_id)]


def _texts(proposal: Mapping[str, Any], content: QueryContent) -> list[Change]:
    changes: list[Change] = []
    text = proposal.get("text", proposal.get("query"))
    if text is not None and text != content.text:
        if not isinstance(text, str) or not text.strip():
            raise CorrectionError(f"The words proposed for query {content.query_id!r} must be text and not empty.")
        _refuse_blanks_alone("words", content, content.text, text)
        changes.append(Change(content.query_id, Action.REWORD, {}, content.text, text))
    if "answer" in proposal and proposal["answer"] != content.answer:
        answer = proposal["answer"]
        if answer is not None and not isinstance(answer, str):
            raise CorrectionError(f"The answer proposed for query {content.query_id!r} must be text, or null for none.")
        _refuse_blanks_alone("answer", content, content.answer, answer)
        changes.append(Change(content.query_id, Action.RE_ANSWER, {}, content.answer, answer))
    return changes


def _refuse_blanks_alone(what: str, content: QueryContent, before: str | None, after: str | None) -> None:
    if differs_in_blanks_alone(before, after):
        raise CorrectionError(
            f"The {what} proposed for query {content.query_id!r}: what differs from its own is blanks alone, and none is mended. "
            "Leave it as it is."
        )


def _wanted(
    proposal: Mapping[str, Any], content: QueryContent, ground: Ground, taken_sets: Collection[str | None]
) -> Sequence[JsonObject]:
    if "evidence" in proposal:
        return canonical_list(proposal["evidence"])
    evidence = _without_pages(proposal.get("drop_pages") or [], content)
    added = proposal.get("add_pages") or []
    evidence = _with_pages(added, replace(content, evidence=tuple(evidence)), content, ground, taken_sets)
    return with_boxes(proposal.get("boxes") or [], content.query_id, evidence, ground)


def _without_pages(dropped: Sequence[str], content: QueryContent) -> list[JsonObject]:
    there = {piece["page_id"] for piece in content.evidence}
    for page_id in dropped:
        if page_id not in there:
            raise CorrectionError(
                f"Page {page_id!r} is no evidence of query {content.query_id!r}: it cannot be dropped."
            )
    return [piece for piece in content.evidence if piece["page_id"] not in dropped]


def _with_pages(
    added: Sequence[Mapping[str, Any]],
    content: QueryContent,
    before: QueryContent,
    ground: Ground,
    taken_sets: Collection[str | None],
) -> list[JsonObject]:
    """Return the evidence with whole pages added; `before` has what was dropped too, whose sets still count."""
    evidence = list(content.evidence)
    sets = list(dict.fromkeys(piece.get("set_id") for piece in before.evidence)) or [None]
    taken = {*sets, *taken_sets}
    names_documents = not before.evidence or any("document_id" in piece for piece in before.evidence)
    for step in added:
        page_id = step["page_id"]
        page = ground.pages.get(page_id)
        if page is None:
            raise CorrectionError(
                f"The dataset has no page {page_id!r}, which a proposal adds to {content.query_id!r}."
            )
        for set_id in _sets_for(step, sets, taken):
            piece: JsonObject = {"page_id": page_id}
            if names_documents:
                piece["document_id"] = page.document_id
            if set_id is not None:
                piece["set_id"] = set_id
            if place_of(piece) in {place_of(each) for each in evidence}:
                raise CorrectionError(f"Page {page_id!r} is evidence of query {content.query_id!r} already.")
            evidence.append(piece)
    return evidence


def _sets_for(step: Mapping[str, Any], sets: Sequence[str | None], taken: set[str | None]) -> list[str | None]:
    """Return the sets that an added page goes into; an alternative takes the name of a new one."""
    if step.get("set") == "alternative":
        name = step.get("set_id") or free_set(taken)
        taken.add(name)
        return [name]
    if "set_id" in step:
        return [step["set_id"]]
    return list(sets)


def free_set(taken: Collection[str | None]) -> str:
    """Return the first name of an alternative that is not taken."""
    if NEW_SET not in taken:
        return NEW_SET
    number = 2
    while f"{NEW_SET}-{number}" in taken:
        number += 1
    return f"{NEW_SET}-{number}"
