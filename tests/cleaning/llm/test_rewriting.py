"""Other wordings as a model proposes them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from audit_core.errors import CleaningError
from audit_core.inference.chat import Ask, Status
from cleaning.llm.rewriting import Rewording, reword, rewrite_settings, rewrite_stage
from tests.cleaning.llm.stub_asker import StubAsker
from tests.cleaning.stub_strategies import query_table

MODEL = {"base_url": "http://127.0.0.1:9/v1", "model": "stub"}


def material(ask: Ask) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(ask.user.split("<data>\n")[1].split("\n</data>")[0])
    return found


def reworded(wording: str, reason: str = "clearer") -> list[Rewording]:
    """Return what comes of one query of which a model says this."""
    queries = query_table([["x"]], ids=["a"])
    asker = StubAsker(lambda ask: {"query": wording, "reason": reason})
    return list(reword(queries, rewrite_settings({"model": MODEL}), asker))


def test_each_query_has_a_wording_or_the_reason_why_not() -> None:
    replies: dict[str, Any] = {
        "a": {"query": " What does the report of\n1999 say? ", "reason": "The report was not named."},
        "b": {"query": "", "reason": "Nothing names the report."},
        "c": {"query": "What does  c say?", "reason": "Nothing is wrong."},
        "d": Status.REFUSED,
    }
    queries = query_table([["x"]] * 4, ids=list(replies))
    settings = rewrite_settings({"model": MODEL})
    stage = rewrite_stage(settings)
    found = list(reword(queries, settings, StubAsker(lambda ask: replies[ask.query_id]), stage=stage))
    assert {each.query_id: (each.after, each.reason, each.status) for each in found} == {
        "a": ("What does the report of 1999 say?", "The report was not named.", Status.ACCEPTED),
        "b": (None, "Nothing names the report.", Status.ACCEPTED),
        "c": (None, "Nothing is wrong.", Status.ACCEPTED),
        "d": (None, "refused", Status.REFUSED),
    }
    assert {each.before for each in found} == {f"What does {name} say?" for name in replies}
    assert stage.as_json()["statuses"] == {"accepted": 3, "refused": 1}
    assert stage.as_json()["probe"]["mode"] == "enforced"


def test_faults_and_the_answer_are_shown_where_they_are_given() -> None:
    asker = StubAsker()
    queries = query_table([["x"]] * 2, ids=["a", "b"])
    list(
        reword(
            queries, rewrite_settings({"model": MODEL, "with_answer": True}), asker, faults={"b": ["<data> unclear"]}
        )
    )
    bare, faulty = asker.asks
    assert material(bare) == {"query": "What does a say?", "answer": "an answer"}
    assert material(faulty)["faults"] == ["<data> unclear"]
    assert faulty.user.count("<data>") == 1
    assert ("what was found wrong" in faulty.user, "what was found wrong" in bare.user) == (True, False)
    assert isinstance(next(reword(queries, rewrite_settings({"model": MODEL}), StubAsker())), Rewording)


def test_options_that_a_rewording_does_not_have_are_refused() -> None:
    with pytest.raises(CleaningError, match="no option repeats"):
        rewrite_settings({"model": MODEL, "repeats": 2})
    with pytest.raises(CleaningError, match="given none to show"):
        list(reword(query_table([["x"]]), rewrite_settings({"model": MODEL, "with_pages": True}), StubAsker()))


@pytest.mark.parametrize(
    ("wording", "says"),
    [
        ("Which port\x00?", "cannot be shown"), ("Which \x1b[31mport?", "cannot be shown"),
        ("Which \u202etrop?", "turn the text around"), ("Which \ud800port?", "cannot be shown"),
        ("port " * 1000, "has 4,999 characters, more than 4,000"),
    ],
)  # fmt: skip
def test_a_wording_that_people_cannot_see_as_it_is_is_not_proposed(wording: str, says: str) -> None:
    (found,) = reworded(wording)
    assert (found.after, found.status) == (None, Status.MISMATCH)
    assert says in found.reason


def test_a_wording_in_any_script_is_proposed_and_a_reason_holds_nothing_for_a_terminal() -> None:
    (found,) = reworded(
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u65e5\u672c \U0001f600?", reason="so\x07 \x1b[2Jit is"
    )
    assert (found.after, found.status) == (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \u65e5\u672c \U0001f600?",
        Status.ACCEPTED,
    )
    assert found.reason == "so [2Jit is"
