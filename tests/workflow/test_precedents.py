"""Precedents while judging: what is found, for whom, in which order; and what a lead makes a rule for all."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from audit_core.errors import JudgmentInvalid, NotAllowed, NotFound
from audit_core.storage.people import Person
from audit_core.storage.schema import entry, judgment
from audit_core.workflow import precedents as searching
from audit_core.workflow.campaigns import start_campaign
from audit_core.workflow.deleting import delete_campaign, preview_campaign_deletion
from audit_core.workflow.flags import answer_flag, raise_flag
from audit_core.workflow.precedent_marks import (
    RULE_MAX,
    decisions_on,
    list_precedents,
    mark_decision,
    mark_question,
    unmark,
)
from audit_core.workflow.precedents import found_json, search_precedents
from audit_core.workflow.workspace import Workspace
from tests.campaigns_in_order import in_dataset_order
from tests.homes import row_counts, with_campaign
from tests.importers.small_bundle import Rows
from tests.workflow.test_comments import Team

TEXTS = ["How deep is the north basin?", "Which board met in spring at Estby?", "Was there a pilot at Äsvik in 1987?"]


def _texts(rows: Rows) -> None:
    for query, text in zip(rows["queries"], TEXTS, strict=True):
        query["text"] = text
        query["answer"] = f"answer to {query['query_id']}"


class Bench(Team):
    """A team whose three queries have words to search for, and the search of one of them."""

    def __init__(self, workspace: Workspace, folder: Path) -> None:
        super().__init__(workspace, folder / "first")
        self.folder = folder
        self.main = with_campaign(workspace, folder / "harbour", self.on("harbour", "1"))
        self.campaign = self.main
        # What is judged lies in a campaign of its own; the one at hand is about a query of another dataset.
        self.desk = with_campaign(workspace, folder / "desk", self.on("desk", "1"))

    def on(self, name: str, revision: str) -> Callable[[Rows], None]:
        def change(rows: Rows) -> None:
            _texts(rows)
            rows["dataset"] |= {"name": name, "revision": revision}
            del rows["judgments/audit"], rows["labels/removal"]
            if name == "desk":
                for query in rows["queries"]:
                    query["text"] = f"On another desk: {query['query_id']} of the harbour"

        return change

    def found(self, person: Person, words: str = "", **options: Any) -> list[dict[str, Any]]:
        found = search_precedents(self.workspace, person, entry_id=self.entry_id(1, self.desk), asked=words, **options)
        return [found_json(each) for each in found.found]

    def numbers(self, person: Person, words: str = "") -> list[int]:
        return [each["number"] for each in self.found(person, words)]

    def judgment_of(self, person: Person, number: int) -> int:
        with self.workspace.database.read() as connection:
            query = sa.select(judgment.c.id).where(
                judgment.c.person_id == person.id, judgment.c.entry_id == self.entry_id(number)
            )
            return int(connection.execute(query.order_by(judgment.c.id.desc())).scalars().first())

    def asked(self, person: Person, number: int, question: str, answer: str | None) -> int:
        flag = raise_flag(self.workspace, person, entry_id=self.entry_id(number), question=question)
        if answer is not None:
            answer_flag(self.workspace, self.grace, flag_id=flag.id, answer=answer)
        return flag.id


@pytest.fixture
def bench(either_workspace: Workspace, tmp_path: Path) -> Bench:
    """A fresh bench, on either database."""
    return Bench(either_workspace, tmp_path)


@pytest.fixture
def small_bench(workspace: Workspace, tmp_path: Path) -> Bench:
    """A fresh bench on SQLite."""
    return Bench(workspace, tmp_path)


def test_own_decisions_are_found_by_every_word_that_belongs_to_them(bench: Bench) -> None:
    bench.judge(bench.ada, 1, codes="FE", note="Füße of the table are cut off")
    bench.judge(bench.ada, 2, outcome="cannot_judge", reason="unreadable scan")
    bench.judge(bench.ada, 3)
    for words, numbers in {
        "basin": [1], "BASIN deep": [1], "fusse": [1], "answer to q1": [1], "F": [1], "E": [1], "fe": [1], "FE": [1],
        "EF": [1], "U": [], "wrong evidence": [1], "unreadable": [2], "cannot judge": [2], "correct": [3],
        "ASVIK": [3], "cross-doc": [3], "doc-adjacent": [2], "wiki": [1], '"north basin"': [1], '"basin north"': [],
        "basin north": [1], "q3": [3], "nothing like it": [], "%": [], "_": [], "1_87": [], "table\x00": [1],
    }.items():  # fmt: skip
        assert bench.numbers(bench.ada, words) == numbers, words
    (hit,) = bench.found(bench.ada, "basin")
    assert hit == {
        "kind": "own", "campaign": bench.main.id, "campaign_name": "fresh", "number": 1, "can_open": True,
        "query_id": "q1", "query": TEXTS[0], "answer": "answer to q1", "language": None, "source": "wiki",
        "structure": "Page-Single", "decision": "F E", "note": "Füße of the table are cut off", "reason": "",
        "saved_at": hit["saved_at"], "rule": None, "questions": [],
    }  # fmt: skip


def test_decisions_of_others_are_no_precedents_of_mine(bench: Bench) -> None:
    bench.judge(bench.bob, 1, note="note of Bob")
    assert bench.numbers(bench.ada) == bench.numbers(bench.ada, "basin") == []
    bench.judge(bench.ada, 1, note="note of Ada")
    (hit,) = bench.found(bench.ada, "basin")
    assert hit["note"] == "note of Ada"
    assert bench.found(bench.ada, "Bob") == []


def test_the_newest_judgment_of_an_entry_counts(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.ada, 1, note="earlier")
    assert bench.numbers(bench.ada, "earlier") == [1]
    bench.judge(bench.ada, 1, note="later", base_revision=1)
    assert bench.numbers(bench.ada, "earlier") == []
    assert bench.numbers(bench.ada, "later") == [1]


@pytest.mark.parametrize("revision", ["1", "2"])
def test_a_decision_is_kept_back_while_the_same_query_waits_in_another_campaign_or_revision(
    bench: Bench, revision: str
) -> None:
    bench.judge(bench.ada, 1)
    bench.judge(bench.ada, 2)
    assert sorted(bench.numbers(bench.ada)) == [1, 2]
    if revision == "1":
        later = bench.another_campaign("later")
    else:
        later = with_campaign(bench.workspace, bench.folder / "again", bench.on("harbour", "2"))
    assert bench.numbers(bench.ada) == []
    bench.judge(bench.ada, 1, later)
    found = bench.found(bench.ada)
    assert [(each["campaign"], each["number"]) for each in found] == [(later.id, 1)], "each query once, the newest"
    bench.close(later)
    assert sorted(bench.numbers(bench.ada)) == [1, 2]


def test_own_decisions_on_a_query_with_a_known_answer_are_found_and_rules_on_it_are_not(small_bench: Bench) -> None:
    bench = small_bench
    for number in (1, 2):
        bench.judge(bench.ada, number, note=f"note {number} of Ada")
        bench.judge(bench.bob, number, note=f"note {number} of Bob")
    mark_decision(bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.bob, 2), text="A rule of two.")
    mark_decision(bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.ada, 2), text="Another of two.")
    assert [each["kind"] for each in bench.found(bench.ada, "of two")] == ["own", "rule"]
    with bench.workspace.database.write() as connection:
        connection.execute(sa.update(entry).where(entry.c.id == bench.entry_id(1)).values(gold={"codes": "F"}))
    assert sorted(bench.numbers(bench.ada, "of Ada")) == [1, 2], "absence would tell that it is gold"
    with pytest.raises(JudgmentInvalid, match="gold"):
        mark_decision(bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.ada, 1), text="rule")
    other = bench.another_campaign("other")
    bench.close(other)
    with bench.workspace.database.write() as connection:
        connection.execute(sa.update(entry).where(entry.c.id == bench.entry_id(2, other)).values(gold={"codes": ""}))
    for words in ("", "note 2"):
        (own,) = [each for each in bench.found(bench.ada, words) if each["number"] == 2]
        assert (own["kind"], own["note"], own["rule"]) == ("own", "note 2 of Ada", None)
    assert bench.numbers(bench.ada, "of two") == bench.numbers(bench.ada, "of Bob") == []
    assert sorted(bench.numbers(bench.ada)) == [1, 2]


def test_an_own_decision_is_kept_back_while_its_query_waits_as_gold_elsewhere(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.ada, 1, note="seen before")
    later = bench.another_campaign("later")
    with bench.workspace.database.write() as connection:
        connection.execute(sa.update(entry).where(entry.c.id == bench.entry_id(1, later)).values(gold={"codes": "F"}))
    assert bench.numbers(bench.ada, "seen before") == [], "it waits for Ada there, as every other one would"
    bench.judge(bench.ada, 1, later)
    assert bench.numbers(bench.ada, "seen before") == [1]


def test_the_query_at_hand_and_one_of_the_same_words_are_left_out(small_bench: Bench) -> None:
    bench = small_bench
    for number in (1, 2, 3):
        bench.judge(bench.ada, number)
    found = search_precedents(bench.workspace, bench.ada, entry_id=bench.entry_id(2))
    assert sorted(each.row.number for each in found.found) == [1, 3]


def test_an_unrelated_campaign_gives_no_precedents(small_bench: Bench) -> None:
    bench = small_bench
    dataset = bench.workspace.dataset(bench.main.dataset_id)
    removal = start_campaign(bench.workspace, dataset=dataset, name="removal", protocol="removal")
    in_dataset_order(bench.workspace, removal)
    for number in (1, 2, 3):
        bench.judge(bench.ada, number)
        bench.judge(bench.ada, number, removal, fields={"remove": number == 1, "clarity": 0.25})
    assert bench.numbers(bench.ada, "remove") == [], "another dataset and another protocol"
    here = search_precedents(bench.workspace, bench.ada, entry_id=bench.entry_id(2), asked="remove")
    (hit,) = [found_json(each) for each in here.found]
    assert (hit["campaign"], hit["number"]) == (removal.id, 1)
    assert hit["decision"] == "remove, Clarity 0.25"


def test_a_rule_on_a_decision_is_seen_by_those_for_whom_the_entry_is_closed(bench: Bench) -> None:
    bench.judge(bench.bob, 1, codes="F", note="which basin?")
    bench.judge(bench.ada, 2)
    made = mark_decision(
        bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.bob, 1), text="A basin needs its harbour."
    )
    assert bench.numbers(bench.ada) == [2], "it waits for Ada"
    (own,) = bench.found(bench.bob, "harbour needs")
    assert own["kind"] == "own"
    assert own["rule"]["text"] == "A basin needs its harbour."
    bench.close()
    (hit,) = bench.found(bench.ada, "needs its harbour")
    assert (hit["kind"], hit["decision"], hit["note"], hit["can_open"]) == ("rule", "F", "which basin?", False)
    assert hit["rule"] == {"text": "A basin needs its harbour.", "by": "Grace", "created_at": hit["rule"]["created_at"]}
    assert bench.numbers(bench.ada, "which basin") == [1]
    again = mark_decision(
        bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.bob, 1), text="It says which harbour."
    )
    assert bench.found(bench.ada, "needs") == []
    assert [each.text for each in list_precedents(bench.workspace, bench.grace, bench.main.id)] == [
        "It says which harbour."
    ]
    unmark(bench.workspace, bench.grace, again)
    unmark(bench.workspace, bench.grace, made)
    assert bench.numbers(bench.ada) == [2]


def test_an_answered_question_is_its_askers_own_and_everybodys_once_it_is_a_rule(bench: Bench) -> None:
    flag = bench.asked(bench.bob, 1, "Does a table count?", "Tables count.")
    assert bench.numbers(bench.bob, "tables count") == [], "the entry waits for Bob"
    bench.judge(bench.bob, 1)
    bench.judge(bench.ada, 1)
    (own,) = bench.found(bench.bob, "tables count")
    assert own["questions"] == [{"question": "Does a table count?", "answer": "Tables count."}]
    assert bench.found(bench.ada, "tables count") == []
    mark_question(bench.workspace, bench.grace, flag_id=flag, text="Count tables as evidence.")
    (rule,) = [each for each in bench.found(bench.ada, "tables count") if each["kind"] == "rule"]
    assert rule["questions"] == [{"question": "Does a table count?", "answer": "Tables count."}]
    assert rule["decision"] is None
    assert rule["can_open"], "Ada judged the entry herself"
    answer_flag(bench.workspace, bench.grace, flag_id=flag, answer="Charts as well.")
    assert bench.found(bench.ada, "charts")[0]["questions"][0]["answer"] == "Charts as well."
    assert [each["kind"] for each in bench.found(bench.bob, "charts")] == ["rule", "own"]


def test_what_cannot_be_a_rule_is_refused(small_bench: Bench) -> None:
    bench = small_bench
    waiting = bench.asked(bench.bob, 1, "Which?", None)
    bench.judge(bench.bob, 1)
    decision = bench.judgment_of(bench.bob, 1)
    with pytest.raises(JudgmentInvalid, match="no answer yet"):
        mark_question(bench.workspace, bench.grace, flag_id=waiting, text="rule")
    for text in ("", " ", None, "x" * (RULE_MAX + 1)):
        with pytest.raises(JudgmentInvalid, match="rule"):
            mark_decision(bench.workspace, bench.grace, judgment_id=decision, text=text)
    with pytest.raises(NotFound):
        mark_decision(bench.workspace, bench.grace, judgment_id=999, text="rule")
    with pytest.raises(NotFound):
        mark_question(bench.workspace, bench.grace, flag_id=999, text="rule")
    for attempt in (
        lambda: mark_decision(bench.workspace, bench.bob, judgment_id=decision, text="rule"),
        lambda: mark_question(bench.workspace, bench.bob, flag_id=waiting, text="rule"),
        lambda: unmark(bench.workspace, bench.bob, 1),
        lambda: list_precedents(bench.workspace, bench.bob, bench.main.id),
        lambda: decisions_on(bench.workspace, bench.bob, campaign_id=bench.main.id, number=1),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert row_counts(bench.workspace)["precedent"] == 0


def test_a_lead_who_judges_in_a_campaign_sees_decisions_on_an_entry_after_their_own(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.bob, 1, codes="F")
    seen = decisions_on(bench.workspace, bench.grace, campaign_id=bench.main.id, number=1)
    assert [(each.annotator, each.line) for each in seen] == [("Bob", "F")]
    bench.judge(bench.grace, 2)
    with pytest.raises(NotAllowed, match="yet to judge"):
        decisions_on(bench.workspace, bench.grace, campaign_id=bench.main.id, number=1)
    bench.judge(bench.grace, 1)
    seen = decisions_on(bench.workspace, bench.grace, campaign_id=bench.main.id, number=1)
    assert [(each.annotator, each.line) for each in seen] == [("Bob", "F"), ("Grace", "correct")]


def test_words_in_what_was_said_count_more_than_those_in_the_query(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.ada, 2, note="the pilot boat is another question")
    bench.judge(bench.ada, 3)
    assert bench.numbers(bench.ada, "pilot") == [2, 3]
    bench.judge(bench.ada, 1, note="pilots")
    assert bench.numbers(bench.ada, "pilot") == [2, 1, 3], "a whole word before a part of one"


def test_without_words_the_cases_most_like_the_query_at_hand_come_first(small_bench: Bench) -> None:
    bench = small_bench

    def change(rows: Rows) -> None:
        bench.on("harbour", "9")(rows)
        rows["queries"][0] |= {"query_id": "q9", "text": "How deep is the south basin?"}

    near = with_campaign(bench.workspace, bench.folder / "near", change)
    bench.judge(bench.ada, 2)
    bench.judge(bench.ada, 1)
    bench.judge(bench.ada, 3)
    for number in (2, 3):
        bench.judge(bench.ada, number, near)
    found = search_precedents(bench.workspace, bench.ada, entry_id=bench.entry_id(1, near))
    assert next(found_json(each)["query_id"] for each in found.found) == "q1"
    assert len(found.found) == 3


def test_many_earlier_judgments_are_read_in_parts(small_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = small_bench
    for number in (1, 2, 3):
        bench.judge(bench.ada, number)
    monkeypatch.setattr(searching, "WORDS_AT_ONCE", 2)
    here = bench.entry_id(1, bench.desk)
    first = search_precedents(bench.workspace, bench.ada, entry_id=here, asked="correct")
    assert (first.is_complete, len(first.found)) == (False, 2)
    second = search_precedents(bench.workspace, bench.ada, entry_id=here, asked="correct")
    assert (second.is_complete, len(second.found)) == (True, 3)
    assert row_counts(bench.workspace)["judgment_words"] == 3


def test_one_person_searching_in_many_windows_at_once_finds_all_in_each(bench: Bench) -> None:
    for number in (1, 2, 3):
        bench.judge(bench.ada, number)
    with ThreadPoolExecutor(8) as windows:
        found = list(windows.map(lambda _: bench.numbers(bench.ada, "correct"), range(16)))
    assert [sorted(each) for each in found] == [[1, 2, 3]] * 16
    assert row_counts(bench.workspace)["judgment_words"] == 3


def test_cases_that_wait_do_not_hide_those_behind_them(small_bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = small_bench
    later = bench.another_campaign("later")
    bench.judge(bench.ada, 1, later)
    for number in (1, 2, 3):
        bench.judge(bench.ada, number)
    monkeypatch.setattr(searching, "_AT_ONCE", 1)
    assert bench.numbers(bench.ada, "correct") == [1], "the others wait in the later campaign"


def test_a_deleted_campaign_takes_its_precedents_along(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.bob, 1)
    flag = bench.asked(bench.bob, 1, "Which?", "This.")
    mark_decision(bench.workspace, bench.grace, judgment_id=bench.judgment_of(bench.bob, 1), text="one")
    mark_question(bench.workspace, bench.grace, flag_id=flag, text="two")
    assert len(bench.numbers(bench.bob)) == 2
    preview = preview_campaign_deletion(bench.workspace, bench.main)
    assert preview.counts["precedents"] == 2
    delete_campaign(bench.workspace, bench.main, preview=preview, confirmation=preview.name)
    counts = row_counts(bench.workspace)
    assert (counts["precedent"], counts["judgment_words"]) == (0, 0)
    assert bench.numbers(bench.bob) == []


def test_a_dataset_whose_folder_is_gone_leaves_decisions_without_their_query(small_bench: Bench) -> None:
    bench = small_bench
    bench.judge(bench.ada, 1, note="seen before")
    dataset = bench.workspace.dataset(bench.main.dataset_id)
    (bench.workspace.datasets_folder / dataset.content_hash).rename(bench.folder / "away")
    bench.workspace.forget_revisions()
    (hit,) = bench.found(bench.ada, "seen before")
    assert (hit["query"], hit["answer"]) == ("", None)


def test_a_search_on_no_entry_is_refused(small_bench: Bench) -> None:
    with pytest.raises(NotFound, match="no such entry"):
        search_precedents(small_bench.workspace, small_bench.ada, entry_id=999)
