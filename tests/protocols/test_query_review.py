"""What the query-review protocol takes and refuses, and the rule of its outcome."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from audit_core.errors import JudgmentInvalid
from audit_core.protocols import query_review
from audit_core.protocols.query_review import CRITERIA, OUTCOMES, VERDICTS
from audit_core.workflow import judging
from audit_core.workflow.workspace import Workspace, open_workspace
from tests.team_desk import TeamDesk

ALL_OK = {"naturalness": "ok", "ambiguity": "ok", "answerability": "ok", "evidence": "yes", "outcome": "keep"}


def parse(fields: dict[str, Any], *, is_draft: bool = False) -> dict[str, Any]:
    return query_review.parse({"outcome": "judged", "fields": fields}, is_draft=is_draft).fields


def review(naturalness: str, ambiguity: str, answerability: str, outcome: str, **more: Any) -> dict[str, Any]:
    fields: dict[str, Any] = {"evidence": "yes", "outcome": outcome}
    for name, verdict in zip(CRITERIA, (naturalness, ambiguity, answerability), strict=True):
        fields[name] = verdict
        if verdict != "ok":
            fields[f"{name}_reasons"] = ["other"]
    if outcome == "rewrite":
        fields["rewritten"] = "better"
    return fields | more


def test_the_outcome_is_never_milder_than_the_strictest_of_the_three() -> None:
    for *verdicts, outcome in product(VERDICTS, VERDICTS, VERDICTS, OUTCOMES):
        strictest = max(map(VERDICTS.index, verdicts))
        fields = review(*verdicts, outcome)
        if OUTCOMES.index(outcome) >= strictest:
            assert parse(fields)["outcome"] == outcome
            continue
        for is_draft in (False, True):
            with pytest.raises(JudgmentInvalid, match=f"outcome is {outcome}, but .* says .*: it must be"):
                parse(fields, is_draft=is_draft)


def test_the_message_names_the_criterion_and_what_the_outcome_may_be() -> None:
    with pytest.raises(
        JudgmentInvalid, match="outcome is keep, but ambiguity says rewrite: it must be rewrite or discard"
    ):
        parse(review("ok", "rewrite", "ok", "keep"))
    with pytest.raises(JudgmentInvalid, match="outcome is rewrite, but answerability says remove: it must be discard"):
        parse(review("ok", "ok", "remove", "rewrite"))


def test_a_rewrite_needs_the_query_in_new_words_and_no_other_outcome_has_them() -> None:
    with pytest.raises(JudgmentInvalid, match="rewritten is missing"):
        parse(review("rewrite", "ok", "ok", "rewrite", rewritten="  "))
    with pytest.raises(JudgmentInvalid, match="rewritten is asked only where outcome is rewrite"):
        parse({**ALL_OK, "rewritten": "x"})
    assert parse(review("rewrite", "ok", "remove", "discard"))["outcome"] == "discard", "nobody words what goes anew"


@pytest.mark.parametrize("name", list(CRITERIA))
def test_what_is_not_ok_has_a_reason_and_what_is_ok_has_none(name: str) -> None:
    fields = {**ALL_OK, "outcome": "discard", name: "remove"}
    with pytest.raises(JudgmentInvalid, match=f"{name}_reasons is missing"):
        parse(fields)
    with pytest.raises(JudgmentInvalid, match=f"{name}_reasons is asked only where {name} is rewrite or remove"):
        parse({**ALL_OK, f"{name}_reasons": ["other"]})
    first, *_, last = CRITERIA[name][1]
    assert parse({**fields, f"{name}_reasons": [last, first]})[f"{name}_reasons"] == [first, last]


@pytest.mark.parametrize("value", [0, 11, 1.5, "7", True, -1, float("inf")])
def test_quality_is_a_whole_number_from_1_to_10(value: object) -> None:
    with pytest.raises(JudgmentInvalid, match=r"quality must be one of 1, 2, .* 9 and 10\."):
        parse({**ALL_OK, "quality": value})


def test_quality_may_be_left_open_and_decides_nothing() -> None:
    assert "quality" not in parse(ALL_OK)
    for quality in range(1, 11):
        assert parse({**ALL_OK, "quality": quality}) == {**ALL_OK, "quality": quality}
    assert parse({**ALL_OK, "quality": 7.0})["quality"] == 7
    assert not query_review.removes({**ALL_OK, "quality": 1})


def test_evidence_that_is_not_confirmed_leaves_the_outcome_open() -> None:
    for outcome in ("keep", "discard"):
        assert parse({**ALL_OK, "evidence": "no", "outcome": outcome})["evidence"] == "no"


def test_only_what_is_discarded_is_to_be_removed() -> None:
    removed = {outcome: query_review.removes(review("ok", "ok", "ok", outcome)) for outcome in OUTCOMES}
    assert removed == {"keep": False, "rewrite": False, "discard": True}


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.mark.parametrize("same", ["what is 1?", "  what  is\n1?\t"])
def test_a_rewritten_query_that_is_the_query_itself_is_not_saved_but_kept_as_a_draft(
    workspace: Workspace, tmp_path: Path, same: str
) -> None:
    desk = TeamDesk(workspace, tmp_path / "bundle", queries=2, names=("Ada",), protocol="query-review")
    ada = desk.people[0]
    number = next(each.number for each in desk.entries() if each.query_id == "q001")
    fields = review("rewrite", "ok", "ok", "rewrite", rewritten=same)
    with pytest.raises(JudgmentInvalid, match="rewritten is the query as it stands"):
        desk.save(ada, number, fields=fields)
    mine = judging.entry_numbered(workspace, ada, campaign_id=desk.campaign.id, number=number)
    assert mine.saved is None
    body = {"outcome": "judged", "fields": fields, "base_revision": 0}
    assert judging.save_draft(workspace, ada, entry_id=mine.row.id, body=body)
    assert desk.save(ada, number, fields={**fields, "rewritten": "What is 1?"}).judgment.revision == 1
