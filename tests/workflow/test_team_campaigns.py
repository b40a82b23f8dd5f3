"""Gold entries, pilots, progress, copies: what a lead sees of a campaign of several annotators, and what enters no estimate."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit_core.audit_report import AuditReport
from audit_core.domain import HandOut
from audit_core.errors import AssayError, EntryTaken, JudgmentInvalid
from audit_core.storage.schema import entry, guideline
from audit_core.workflow import judging
from audit_core.workflow.annotators import annotators_of, remove_annotator
from audit_core.workflow.campaign_copy import copy_campaign, stored_request
from audit_core.workflow.campaign_progress import campaign_progress
from audit_core.workflow.campaign_states import end_pilot, pause_campaign, resume_campaign, set_campaign_state
from audit_core.workflow.campaigns import CampaignState, list_campaigns
from audit_core.workflow.carry_over import preview_carry_over
from audit_core.workflow.entry_view import describe_entry
from audit_core.workflow.exporting import export_bundle, not_in_labels
from audit_core.workflow.gold import gold_answers, gold_from_campaign
from audit_core.workflow.guidelines import write_guidelines
from audit_core.workflow.handing_out import Place, Stage
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.label_sources import label_sources, labels_from
from audit_core.workflow.overview import overview_page
from audit_core.workflow.pilot import pilot_report
from audit_core.workflow.reporting import campaign_report
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.team_desk import TeamDesk, right, with_queries

THREE = ("Ada", "Bob", "Cem")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "bundle"


def golden(desk: TeamDesk) -> dict[int, str]:
    """The query of each gold entry, by number."""
    return {each.number: each.query_id for each in desk.entries() if each.gold is not None}


def report(desk: TeamDesk) -> AuditReport:
    found = campaign_report(desk.workspace, desk.campaign.id)
    assert isinstance(found, AuditReport)
    return found


def all_numbers(desk: TeamDesk, person: Any) -> list[int]:
    found: list[int] = []
    while more := desk.numbers(person, amount=10, skip=found):
        found += more
    return found


def test_everybody_is_handed_all_gold_entries_mixed_among_the_others(either_workspace: Workspace, folder: Path) -> None:
    gold = tuple(right(f"q{each:03}") for each in range(1, 9))
    desk = TeamDesk(
        either_workspace,
        folder,
        queries=24,
        names=THREE,
        gold=gold,
        own_order=True,
        order_seed=5,
        judgments_per_entry=1,
    )
    numbers = golden(desk)
    assert len(desk.entries()) == 32
    assert sorted(numbers.values()) == [f"q{each:03}" for each in range(1, 9)]
    # Neither at the start nor at the end, and not one after the other.
    assert sorted(numbers) not in ([*range(1, 9)], [*range(25, 33)])
    given = [all_numbers(desk, each) for each in desk.people]
    # Places of the others are kept for the first who asked. Gold entries have room for all, but alone they would be known.
    assert len(given[0]) == 32
    assert given[1] == given[2] == []
    turns = [number in numbers for number in given[0]]
    assert Counter(turns) == {True: 8, False: 24}
    assert any(turns[:16])
    assert turns != sorted(turns)


def test_gold_comes_at_about_its_share_of_what_one_annotator_gets(workspace: Workspace, folder: Path) -> None:
    gold = tuple(right(f"q{each:03}") for each in range(1, 100))
    desk = TeamDesk(
        workspace, folder, queries=120, names=THREE, hand_out=HandOut.ALL, gold=gold, gold_share=0.2, own_order=True,
        order_seed=7,
    )  # fmt: skip
    numbers = golden(desk)
    # 120 others and g gold ones: g / (120 + g) = 0.2.
    assert len(numbers) == 30
    first = [all_numbers(desk, each)[:75] for each in desk.people]
    share = sum(number in numbers for each in first for number in each) / 225
    assert 0.12 < share < 0.28


def test_nothing_that_an_annotator_gets_tells_gold_or_pilot_entries_apart(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(
        workspace, folder, queries=12, names=THREE, gold=(right("q001", "F"), right("q002", "E")), pilot_entries=2,
        pilot_judgments=2, judgments_per_entry=2,
    )  # fmt: skip
    ada = desk.people[0]
    numbers = golden(desk)
    shown = [
        describe_entry(workspace, desk.dataset, desk.open(ada, each)) for each in range(1, len(desk.entries()) + 1)
    ]
    assert len({tuple(each) for each in shown}) == 1
    text = json.dumps([shown, overview_page(workspace, ada, desk.campaign.id).as_json()])
    for word in ("gold", "pilot", '"codes": "F"', '"codes": "E"'):
        assert word not in text
    assert len(numbers) == 2


def test_gold_accuracy_counts_each_query_once_by_the_first_answer(either_workspace: Workspace, folder: Path) -> None:
    gold = (right("q001", "F"), right("q002"), right("q003", "EU"), right("q004"))
    desk = TeamDesk(either_workspace, folder, queries=6, names=THREE, gold=gold, judgments_per_entry=1)
    by_query = {query: number for number, query in golden(desk).items()}
    ada, bob, _ = desk.people
    desk.save(ada, by_query["q001"], codes="E")
    desk.save(ada, by_query["q001"], codes="F", base_revision=1)  # right the second time: too late
    desk.save(ada, by_query["q002"])
    desk.save(ada, by_query["q003"], codes="UE")
    desk.save(ada, by_query["q004"], outcome="cannot_judge")
    desk.save(bob, by_query["q002"], codes="N")
    by_name = {each.name: each for each in campaign_progress(desk.workspace, desk.campaign).annotators}
    mine = by_name["Ada"].gold
    assert mine is not None
    assert (mine.right, mine.answered, mine.cannot_judge) == (2, 3, 1)
    # Wilson (1927) for 2 of 3 at 95 %: 0.2077 to 0.9385, e.g. R's binom::binom.confint(2, 3, methods = "wilson").
    assert (round(mine.interval.low or 0, 4), round(mine.interval.high or 0, 4)) == (0.2077, 0.9385)
    bobs = by_name["Bob"].gold
    assert bobs is not None
    assert (bobs.right, bobs.answered) == (0, 1)
    assert by_name["Cem"].gold is None
    assert by_name["Ada"].judged == 0
    assert by_name["Ada"].gold_answered == 4


def test_the_same_gold_query_in_two_entries_counts_once(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=6, names=THREE, gold=(right("q001", "F"), right("q002")))
    first, second = sorted(golden(desk))
    query = golden(desk)[first]
    with workspace.database.write() as connection:
        same = {"query_id": query, "gold": right(query, "F").answer}
        mine = (entry.c.campaign_id == desk.campaign.id) & entry.c.number.in_([first, second])
        connection.execute(entry.update().where(mine).values(same))
    ada = desk.people[0]
    desk.save(ada, second, codes="F")
    desk.save(ada, first, codes="N")
    (mine_now,) = [each.gold for each in campaign_progress(workspace, desk.campaign).annotators if each.name == "Ada"]
    assert mine_now is not None
    assert (mine_now.right, mine_now.answered) == (1, 1)


def _with_specials(workspace: Workspace, folder: Path, **options: Any) -> TeamDesk:
    gold = (right("q001"), right("q002"), right("q003"))
    return TeamDesk(
        workspace, folder, queries=9, names=THREE, gold=gold, pilot_entries=2, pilot_judgments=2,
        **{"judgments_per_entry": 1, **options},
    )  # fmt: skip


def test_estimates_stand_on_the_sample_alone(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    desk = _with_specials(workspace, folder)
    ada, bob, _ = desk.people
    rows = desk.entries()
    for row in rows:
        if row.is_pilot:
            desk.save(ada, row.number, codes="N")
    end_pilot(workspace, desk.campaign, anyway=True)
    for row in rows:
        if row.gold is not None and not row.is_pilot:
            desk.save(bob, row.number, codes="FE")
    whole = report(desk).rows_of("total")[0]
    assert (whole.entries, whole.decided, whole.not_judged) == (9, 0, 9)
    assert label_sources(workspace, desk.dataset) == []
    plain = [row for row in rows if row.gold is None and not row.is_pilot]
    desk.save(ada, plain[0].number, codes="F")
    whole = report(desk).rows_of("total")[0]
    assert (whole.entries, whole.decided, whole.not_judged, whole.correct) == (9, 1, 8, 0)
    (source,) = label_sources(workspace, desk.dataset)
    assert source.queries == 1
    _, labels = labels_from(workspace, desk.dataset, source.key)
    assert [(each.query_id, each.codes) for each in labels] == [(plain[0].query_id, "F")]
    written = export_bundle(workspace, desk.dataset, tmp_path / "out", form="jsonl", media="refer")
    exported = [json.loads(line) for line in (written / "judgments" / "team.jsonl").read_text().splitlines()]
    assert [each["query_id"] for each in exported] == [plain[0].query_id]
    assert any("gold or pilot entries" in each for each in not_in_labels(workspace, desk.dataset))


def test_a_removal_campaign_gives_no_labels_of_its_gold_entries(
    workspace: Workspace, folder: Path, tmp_path: Path
) -> None:
    gold = gold_answers("removal", [{"query_id": "q001", "remove": True}], where="gold.jsonl")
    desk = TeamDesk(workspace, folder, queries=3, names=THREE, protocol="removal", gold=gold)
    (number,) = golden(desk)
    ada = desk.people[0]
    desk.save(ada, number, fields={"remove": True, "clarity": 0.25})
    plain = next(row for row in desk.entries() if row.gold is None)
    desk.save(ada, plain.number, fields={"remove": False})
    written = export_bundle(workspace, desk.dataset, tmp_path / "out", form="jsonl", media="refer")
    exported = [json.loads(line) for line in (written / "labels" / "team.jsonl").read_text().splitlines()]
    assert [(each["query_id"], each["remove"]) for each in exported] == [(plain.query_id, False)]
    (mine,) = [each.gold for each in campaign_progress(workspace, desk.campaign).annotators if each.name == "Ada"]
    assert mine is not None
    assert (mine.right, mine.answered) == (1, 1)


def test_the_pilot_gates_the_sample_and_is_handed_to_so_many_each(either_workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(
        either_workspace, folder, queries=10, names=THREE, pilot_entries=2, pilot_judgments=2, judgments_per_entry=1
    )
    ada, bob, cem = desk.people
    assert [row.is_pilot for row in desk.entries()] == [True, True] + [False] * 10
    assert [desk.numbers(each, amount=5) for each in desk.people] == [[1, 2], [1, 2], []]
    assert desk.open(cem, 3).place is Place.NOT_NOW
    with pytest.raises(EntryTaken, match="in its pilot"):
        desk.save(cem, 3)
    for person, codes in ((ada, "F"), (bob, "F")):
        desk.save(person, 1, codes=codes, active_ms=4000)
    desk.save(ada, 2, codes="E", active_ms=2000)
    desk.save(bob, 2, outcome="cannot_judge")
    with pytest.raises(AssayError, match=r"3 of 4 judgments are there.*--anyway"):
        end_pilot(desk.workspace, desk.campaign)
    assert desk.again().pilot_ended_at is None
    desk.save(bob, 2, codes="", active_ms=6000, base_revision=1)
    found = pilot_report(desk.workspace, desk.campaign)
    assert (found.stage, found.entries, found.complete, found.judgments) == (Stage.PILOT, 2, 2, 4)
    assert found.is_complete
    by_name = {each.name: each for each in found.agreement}
    assert (by_name["decision"].agreeing, by_name["decision"].pairs) == (1, 2)
    assert by_name["whole"].share == 0.5
    # Two units, incorrect three times and correct once: alpha 1 - 3 * 2 / 6, AC1 (0.5 - 0.375) / 0.625.
    beyond = {each.name: each.value for each in by_name["decision"].beyond_chance}
    assert beyond == {"alpha": pytest.approx(0.0), "ac1": pytest.approx(0.2)}
    assert by_name["codes.N"].beyond_chance[0].undefined == "everyone said no: expected agreement is 1"
    assert by_name["whole"].beyond_chance == ()
    assert (by_name["codes.F"].share, by_name["codes.E"].share) == (1.0, 0.5)
    assert found.time is not None
    assert (found.time.median, found.time.low, found.time.high) == (4.0, 3.5, 4.5)
    assert [(each.name, each.judged) for each in found.annotators] == [("Ada", 2), ("Bob", 2)]
    end_pilot(desk.workspace, desk.campaign)
    assert desk.numbers(cem, amount=3) == [3, 4, 5]
    with pytest.raises(EntryTaken, match="The pilot of this campaign is over"):
        desk.save(cem, 1)
    assert desk.save(ada, 1, codes="FE", base_revision=1).judgment.revision == 2
    with pytest.raises(AssayError, match="ended before"):
        end_pilot(desk.workspace, desk.campaign)


def test_pilot_queries_come_from_outside_the_sample_while_there_are_any(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=12, names=THREE)
    team = TeamRequest(pilot_entries=4, pilot_judgments=2)
    sample = SampleRequest(SampleKind.SIMPLE, seed=4, total=8)
    made = start_team_campaign(workspace, dataset=desk.dataset, name="drawn", team=team, sample=sample)
    desk.campaign = made
    rows = desk.entries()
    assert len({row.query_id for row in rows}) == 12
    assert [row.is_pilot for row in rows] == [True] * 4 + [False] * 8
    with pytest.raises(AssayError, match="13 entries, and there are 12 queries"):
        start_team_campaign(
            workspace, dataset=desk.dataset, name="too many", sample=sample,
            team=TeamRequest(pilot_entries=13, pilot_judgments=2),
        )  # fmt: skip


def test_a_pilot_has_gold_entries_of_its_own(workspace: Workspace, folder: Path) -> None:
    desk = _with_specials(workspace, folder)
    ada = desk.people[0]
    pilot = [row for row in desk.entries() if row.is_pilot]
    assert [row.gold is not None for row in pilot].count(True) == 1
    assert sorted(desk.numbers(ada, amount=9)) == [1, 2, 3]
    for row in pilot:
        desk.save(ada, row.number)
    found = pilot_report(workspace, desk.campaign)
    assert (found.entries, found.gold_entries) == (2, 1)
    assert [each.gold.answered for each in found.annotators if each.gold] == [1]
    assert end_pilot(workspace, desk.campaign, anyway=True).pilot_ended_at is not None
    assert set(golden(desk)) - {row.number for row in pilot} <= set(all_numbers(desk, ada))


def test_a_campaign_without_a_pilot_has_none_to_show_or_end(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=2, names=THREE)
    for work in (pilot_report, end_pilot):
        with pytest.raises(AssayError, match="has no pilot"):
            work(workspace, desk.campaign)


def test_progress_is_told_by_annotator_and_by_stratum(either_workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(either_workspace, folder, queries=9, names=THREE, judgments_per_entry=2)
    ada, bob, _ = desk.people
    rows = {row.query_id: row for row in desk.entries()}
    # q001 and q002 are wiki, Page-Single; q003 is law, Cross-Doc, and so on.
    for query, seconds in (("q001", 10), ("q002", 20), ("q003", 30), ("q004", 60)):
        desk.save(ada, rows[query].number, active_ms=1000 * seconds)
    desk.save(ada, rows["q004"].number, codes="F", base_revision=1, active_ms=4000)
    desk.save(bob, rows["q001"].number, active_ms=7000)
    desk.save(bob, rows["q003"].number, outcome="cannot_judge", active_ms=1000)
    handed = desk.next(bob, amount=2)
    found = campaign_progress(desk.workspace, desk.campaign)
    by_key = {(each.source, each.evidence_structure): each for each in found.strata}
    wiki, law = by_key["wiki", "Page-Single"], by_key["law", "Cross-Doc"]
    in_wiki = sum(each.row.source == "wiki" for each in handed)
    assert (wiki.entries, wiki.places, wiki.judged, wiki.filled, wiki.complete, wiki.left) == (6, 12, 4, 4, 1, 8)
    assert (law.entries, law.judged, law.cannot_judge, law.left) == (3, 1, 1, 5)
    assert (wiki.claimed, law.claimed) == (in_wiki, 2 - in_wiki)
    assert (found.whole.places, found.whole.filled, found.whole.left) == (18, 5, 13)
    adas, bobs, cems = found.annotators
    assert (adas.name, adas.judged, adas.cannot_judge, adas.claimed, adas.today, adas.left) == ("Ada", 4, 0, 0, 4, None)
    assert adas.time is not None
    # 10, 20, 30 and 60 + 4: quartiles linear between ranks, as numpy.quantile has them.
    assert (adas.time.low, adas.time.median, adas.time.high) == (17.5, 25.0, 38.5)
    assert (adas.time.entries, adas.time.total, adas.time.mean) == (4, 124.0, 31.0)
    assert adas.today_pace == adas.time.pace == pytest.approx(3600 * 4 / 124)
    assert (bobs.judged, bobs.cannot_judge, bobs.claimed) == (1, 1, 2)
    assert (cems.judged, cems.time, cems.last_saved) == (0, None, None)
    assert found.time is not None
    assert found.seconds_left == pytest.approx(13 * (124 + 8) / 6)
    assert json.loads(json.dumps(found.as_json()))["whole"]["left"] == 13


def test_where_everybody_gets_everything_each_annotator_has_so_much_left(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=4, names=THREE, hand_out=HandOut.ALL, judgments_per_entry=1)
    ada, bob, _ = desk.people
    for person in (ada, bob):
        desk.save(person, 1, active_ms=5000)
    found = campaign_progress(workspace, desk.campaign)
    assert [each.left for each in found.annotators] == [3, 3, 4]
    assert found.annotators[0].seconds_left == 15.0
    assert (found.whole.judged, found.whole.filled, found.whole.left) == (2, 1, 3)
    remove_annotator(workspace, desk.campaign, bob.id)
    assert [each.is_removed for each in campaign_progress(workspace, desk.campaign).annotators] == [False, True, False]


def test_quartiles_are_those_of_the_field(workspace: Workspace, folder: Path) -> None:
    import numpy as np

    desk = TeamDesk(workspace, folder, queries=11, names=THREE, hand_out=HandOut.ALL)
    seconds = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]
    for number, each in enumerate(seconds, start=1):
        desk.save(desk.people[0], number, active_ms=1000 * each)
        found = campaign_progress(workspace, desk.campaign).time
        assert found is not None
        assert (found.low, found.median, found.high) == pytest.approx(
            tuple(np.quantile(seconds[:number], (0.25, 0.5, 0.75)))
        )


def test_a_copy_on_the_same_entries_has_everything_but_the_judgments(either_workspace: Workspace, folder: Path) -> None:
    desk = _with_specials(either_workspace, folder, own_order=True)
    with either_workspace.database.write() as connection:
        for version, text in ((1, "old"), (2, "new")):
            row = {
                "campaign_id": desk.campaign.id,
                "version": version,
                "text": text,
                "created_at": "2026-01-01T00:00:00Z",
            }
            connection.execute(guideline.insert().values(row))
    desk.save(desk.people[0], 1)
    remove_annotator(either_workspace, desk.campaign, desk.people[2].id)
    before = desk.entries()
    copied = copy_campaign(either_workspace, desk.campaign, name="second", same_entries=True)
    assert copied.copied_from == desk.campaign.id
    assert (copied.hand_out, copied.is_open, copied.pilot_judgments, copied.pilot_ended_at) == ("exact", False, 2, None)
    assert copied.gold_share == desk.campaign.gold_share
    assert copied.order_seed not in (None, desk.campaign.order_seed)
    assert [each.person.name for each in annotators_of(either_workspace, copied)] == ["Ada", "Bob"]
    desk.campaign = copied
    names = ("number", "query_id", "source", "evidence_structure", "document_ids", "place", "is_pilot", "gold")
    assert [[getattr(row, each) for each in names] for row in desk.entries()] == [
        [getattr(row, each) for each in names] for row in before
    ]
    assert set(desk.judged().values()) == {0}
    with either_workspace.database.read() as connection:
        (row,) = connection.execute(guideline.select().where(guideline.c.campaign_id == copied.id))
    assert (row.version, row.text) == (1, "new")
    with pytest.raises(AssayError, match="give no seed"):
        copy_campaign(either_workspace, copied, name="third", same_entries=True, seed=3)


def test_a_copy_draws_the_same_sample_with_another_seed(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=12, names=THREE)
    sample = SampleRequest(SampleKind.STRATIFIED, seed=4, sizes={("wiki", "Page-Single"): 4, ("law", "Cross-Doc"): 1})
    team = TeamRequest(gold=(right("q001", "F"),), pilot_entries=1, pilot_judgments=1, judgments_per_entry=2)
    made = start_team_campaign(workspace, dataset=desk.dataset, name="drawn", team=team, sample=sample)
    assert stored_request(workspace, made) == sample
    copied = copy_campaign(workspace, made, name="drawn again", seed=5)
    assert (copied.sample_seed, copied.judgments_per_entry, copied.is_open) == (5, 2, True)
    desk.campaign = copied
    rows = desk.entries()
    assert Counter((row.source, row.is_pilot, row.gold is not None) for row in rows if not row.is_pilot) == {
        ("wiki", False, False): 4, ("law", False, False): 1,
    }  # fmt: skip
    assert [row.gold for row in rows if row.gold] == [right("q001", "F").answer]
    assert copied.is_probability_sample


def test_gold_stays_behind_when_a_campaign_is_carried_over(workspace: Workspace, folder: Path, tmp_path: Path) -> None:
    desk = _with_specials(workspace, folder)

    def later(rows: dict[str, Any]) -> None:
        with_queries(9)(rows)
        rows["dataset"]["revision"] = "2"

    target = import_bundle(workspace, small_bundle(tmp_path / "later", later)).dataset
    preview = preview_carry_over(workspace, desk.campaign, target)
    assert len(preview.entries) == 9
    assert preview.design.is_kept


def test_right_answers_are_read_from_rows_and_from_a_campaign(workspace: Workspace, folder: Path) -> None:
    rows = [
        {"query_id": "q001", "codes": "EF"},
        {"query_id": "q002", "codes": []},
        {"query_id": "q003", "codes": ["N"]},
    ]
    found = gold_answers("audit", rows, where="gold.jsonl")
    assert [each.answer["codes"] for each in found] == ["FE", "", "N"]
    for bad, words in (
        ({"query_id": "q9", "codes": "X"}, "gold.jsonl, row 1: codes holds 'X'"),
        ({"codes": "F"}, "row 1, field query_id: found None"),
        ({"query_id": "q9", "outcome": "cannot_judge"}, "row 1, field outcome"),
        ({"query_id": "q9", "remove": True}, "'remove' is none of the columns"),
    ):
        with pytest.raises(AssayError, match=words):
            gold_answers("audit", [bad], where="gold.jsonl")
    with pytest.raises(AssayError, match="stands twice"):
        gold_answers("audit", [rows[0], rows[0]], where="gold.jsonl")
    desk = TeamDesk(workspace, folder, queries=4, names=THREE, judgments_per_entry=2)
    ada, bob, _ = desk.people
    said = {"q001": ("F", "F"), "q002": ("F", "E"), "q003": ("", None)}
    by_query = {row.query_id: row.number for row in desk.entries()}
    for query, answers in said.items():
        for person, codes in zip((ada, bob), answers, strict=True):
            if codes is not None:
                desk.save(person, by_query[query], codes=codes)
    assert [(each.query_id, each.answer["codes"]) for each in gold_from_campaign(workspace, desk.campaign)] == [
        ("q001", "F")
    ]
    with pytest.raises(AssayError, match="'q999' is not in"):
        start_team_campaign(workspace, dataset=desk.dataset, name="other", team=TeamRequest(gold=(right("q999"),)))


@pytest.mark.parametrize(
    ("team", "words"),
    [
        ({"annotators": ()}, "at least one annotator"),
        ({"gold_share": 0.7, "gold": (right("q001"),)}, "more than 0 and at most 0.5"),
        ({"gold_share": 0.1}, "needs right answers"),
        ({"pilot_entries": 3}, "how many annotators judge each"),
        ({"pilot_judgments": 2}, "how many annotators judge each"),
        ({"pilot_entries": 3, "pilot_judgments": 2, "annotators": (1,)}, "2 judgments a pilot entry need as many"),
        ({"hand_out": HandOut.EXACT, "judgments_per_entry": 0}, "choose 1 to 50"),
    ],
)
def test_a_team_that_cannot_be_is_refused(team: dict[str, Any], words: str) -> None:
    with pytest.raises(AssayError, match=words):
        TeamRequest(**team)


def test_pausing_and_going_on_are_recorded_and_change_nothing_twice(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=2, names=THREE)
    paused = pause_campaign(workspace, desk.campaign)
    assert pause_campaign(workspace, desk.campaign) == paused
    assert paused.paused_at is not None
    assert resume_campaign(workspace, desk.campaign).paused_at is None
    set_campaign_state(workspace, desk.campaign, CampaignState.CLOSED)
    with pytest.raises(AssayError, match="is closed"):
        pause_campaign(workspace, desk.campaign)
    assert [each.campaign.state for each in list_campaigns(workspace)] == ["closed"]


def test_a_judgment_keeps_the_version_of_the_guidelines_that_was_shown(workspace: Workspace, folder: Path) -> None:
    desk = TeamDesk(workspace, folder, queries=2, names=THREE)
    for number in range(1, 4):
        write_guidelines(desk.workspace, desk.campaign, f"Rules {number}.")
    assert desk.save(desk.people[0], 1, guideline_version=3).judgment.guideline_version == 3
    assert desk.save(desk.people[0], 2).judgment.guideline_version is None
    for bad in (0, True, "1", 1.5):
        with pytest.raises(JudgmentInvalid, match="guideline_version"):
            desk.save(desk.people[1], 1, guideline_version=bad)
    assert judging.entry_numbered(workspace, desk.people[1], campaign_id=desk.campaign.id, number=1).saved is None
