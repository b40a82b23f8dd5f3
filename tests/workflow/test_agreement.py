"""Agreement of campaigns: blind answers only, gold and pilot apart, every protocol, pages and boxes, second readings."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from audit_core import registry
from audit_core.agreement.records import Figure
from audit_core.agreement.report import AgreementReport, Item
from audit_core.agreement.wording import second_reading_sentence, skew_sentence
from audit_core.domain import CampaignState, HandOut
from audit_core.errors import AssayError, StatisticsError
from audit_core.storage import campaigns, decisions
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.adjudicating import decide, entry_states
from audit_core.workflow.agreement import agreement_state, annotator_names, campaign_agreement, second_reading_of
from audit_core.workflow.campaign_states import set_campaign_state
from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle, without_judgments
from tests.homes import with_campaign
from tests.importers.small_bundle import Rows
from tests.judged_campaigns import save
from tests.team_desk import TeamDesk, right, with_queries

_nonces = count(1)


def _item(report: AgreementReport, name: str) -> Item:
    found = report.item(name)
    assert found is not None
    return found


def _figure(report: AgreementReport, item: str, name: str) -> Figure:
    found = _item(report, item).agreed.figure(name)
    assert found is not None
    return found


def _audit(workspace: Workspace, folder: Path, queries: int = 8, **options: Any) -> CampaignRow:
    """Return an audit over so many queries that anybody may judge."""
    return with_campaign(workspace, folder, with_queries(queries), judgments_per_entry=2, **options)


def test_two_annotators_are_compared_on_the_decision_the_set_of_codes_and_each_code(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = _audit(workspace, tmp_path)
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    for number, (one, other) in enumerate([("", ""), ("F", "F"), ("F", "FE"), ("", "E"), ("N", ""), ("", "")], start=1):
        save(workspace, campaign, ada, number, codes=one)
        save(workspace, campaign, bob, number, codes=other)
    save(workspace, campaign, ada, 7, codes="")
    save(workspace, campaign, bob, 7, outcome="cannot_judge", reason="blurred")
    report = campaign_agreement(workspace, campaign.id, bootstrap=200, seed=3)
    assert [each.name for each in report.items] == ["decision", "codes", "codes.F", "codes.E", "codes.U", "codes.N"]
    assert (report.judged, report.shared, report.cannot_judge) == (7, 6, 1)
    assert _figure(report, "decision", "percent").value == pytest.approx(4 / 6)
    assert _figure(report, "codes", "percent").value == pytest.approx(3 / 6)
    assert _figure(report, "codes.F", "percent").value == 1.0
    assert _figure(report, "codes.E", "percent").value == pytest.approx(4 / 6)
    amounts = _item(report, "decision").agreed.amounts
    assert (amounts.items, amounts.lone, amounts.raters, amounts.ratings) == (6, 1, 2, 13)
    assert _figure(report, "codes.U", "alpha").undefined == "everyone said no: expected agreement is 1"
    assert _figure(report, "codes.U", "ac1").value == 1.0
    assert "agreement of 2 annotators on 6 entries" in report.headline
    assert "seed 3" in report.headline
    assert any('1 answer is "cannot judge"' in each for each in report.notes)


def test_the_set_of_codes_gives_part_credit_by_masi(workspace: Workspace, tmp_path: Path) -> None:
    """F|FE are 2/3 apart: as in the example of sets, alpha is 2/3, where nominal sets would have 0.5."""
    campaign = _audit(workspace, tmp_path)
    for name, codes in (("Ada", ("F", "F", "")), ("Bob", ("F", "FE", ""))):
        person = sign_in(workspace, name)
        for number, each in enumerate(codes, start=1):
            save(workspace, campaign, person, number, codes=each)
    assert _figure(campaign_agreement(workspace, campaign.id), "codes", "alpha").value == pytest.approx(2 / 3)


def test_where_everyone_says_correct_the_report_says_why_alpha_is_undefined_and_why_ac1_is_not(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = _audit(workspace, tmp_path)
    for name in ("Ada", "Bob", "Cy"):
        for number in range(1, 9):
            save(workspace, campaign, sign_in(workspace, name), number, codes="")
    report = campaign_agreement(workspace, campaign.id)
    assert "everyone said correct: expected agreement is 1" in report.headline
    assert "Gwet's AC1 1.000" in report.headline
    assert "Correct or not: 100.0 % correct" in (skew_sentence(report.items) or "")


def test_one_annotator_has_nobody_to_agree_with(workspace: Workspace, tmp_path: Path) -> None:
    campaign = _audit(workspace, tmp_path)
    save(workspace, campaign, sign_in(workspace, "Ada"), 1, codes="F")
    report = campaign_agreement(workspace, campaign.id)
    assert report.headline == "Correct or not: agreement is undefined (one rater only: there is nobody to agree with)."
    assert {each.reason for each in report.of_code("F")} == {"one rater only: there is nobody to agree with"}
    assert all(each.value is None for each in report.of_code("F"))


def test_a_campaign_without_a_judgment_is_undefined_throughout(workspace: Workspace, tmp_path: Path) -> None:
    report = campaign_agreement(workspace, _audit(workspace, tmp_path).id)
    assert report.headline == "Correct or not: agreement is undefined (nobody rated anything)."
    assert (report.judged, report.annotators, report.pages, report.boxes) == (0, (), (), ())


def test_what_was_said_after_a_reveal_is_left_out_and_the_answer_before_it_counts(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    workspace = either_workspace
    campaign = _audit(workspace, tmp_path)
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")
    for number in (1, 2):
        save(workspace, campaign, ada, number, codes="F")
        save(workspace, campaign, bob, number, codes="")
    save(workspace, campaign, bob, 2, codes="E")
    before = campaign_agreement(workspace, campaign.id)
    state = agreement_state(workspace, campaign.id)
    with workspace.database.write() as connection:
        ids = campaigns.entry_ids_by_number(connection, campaign.id)
        decisions.reveal_to(connection, person_id=bob.id, entry_ids=[ids[1], ids[3]])
    assert agreement_state(workspace, campaign.id) != state
    save(workspace, campaign, bob, 1, codes="F")
    save(workspace, campaign, bob, 1, codes="F", note="again")
    save(workspace, campaign, bob, 3, codes="F")
    save(workspace, campaign, ada, 3, codes="F")
    report = campaign_agreement(workspace, campaign.id)
    assert _figure(before, "codes.F", "percent").value == 0.0
    assert _figure(report, "codes.F", "percent").value == 0.0, "Bob only repeated what he saw"
    assert _figure(report, "decision", "percent").value == 0.5
    assert (report.revealed, report.only_revealed, report.shared, report.revised) == (3, 1, 2, 1)
    assert any("3 answers were saved after their annotator saw what others said" in each for each in report.notes)


def test_gold_entries_are_left_out_and_pilot_entries_stand_apart(workspace: Workspace, tmp_path: Path) -> None:
    desk = TeamDesk(
        workspace, tmp_path, queries=9, names=("Ada", "Bob"), gold=(right("q001", "F"), right("q002")), gold_share=0.25,
        pilot_entries=2, pilot_judgments=2, judgments_per_entry=2,
    )  # fmt: skip
    from audit_core.workflow.campaign_states import end_pilot

    rows = desk.entries()
    gold = [each for each in rows if each.gold is not None]
    pilot = [each for each in rows if each.is_pilot and each.gold is None]
    plain = [each for each in rows if not each.is_pilot and each.gold is None]
    assert gold
    assert len(pilot) == 2
    for person, codes in zip(desk.people, ("", "F"), strict=True):
        for each in pilot:
            desk.save_row(person, each.id, codes=codes, base_revision=0)
    end_pilot(workspace, desk.campaign, anyway=True)
    desk.again()
    for person in desk.people:
        for each in [*plain, *(one for one in gold if not one.is_pilot)]:
            desk.save_row(person, each.id, codes="F" if each.gold is not None else "", base_revision=0)
    sample = campaign_agreement(workspace, desk.campaign.id)
    piloted = campaign_agreement(workspace, desk.campaign.id, pilot=True)
    assert (sample.shared, sample.other_part) == (len(plain), 2)
    assert _figure(sample, "decision", "percent").value == 1.0
    assert sample.gold_left_out > 0
    assert _item(sample, "codes.F").agreed.prevalence[1].ratings == 0, "the answers on gold entries were F"
    assert (piloted.shared, piloted.part) == (2, "pilot")
    assert _figure(piloted, "decision", "percent").value == 0.0


def test_agreement_on_a_pilot_is_refused_where_there_is_none(workspace: Workspace, tmp_path: Path) -> None:
    campaign = _audit(workspace, tmp_path)
    with pytest.raises(AssayError, match="has no pilot"):
        campaign_agreement(workspace, campaign.id, pilot=True)
    with pytest.raises(StatisticsError, match="At least 100 draws"):
        campaign_agreement(workspace, campaign.id, bootstrap=10)


def test_annotators_stand_by_pseudonyms_and_their_names_are_told_apart_from_the_report(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = _audit(workspace, tmp_path)
    for name in ("Zoë Unmistakable", "Bob Unmistakable"):
        save(workspace, campaign, sign_in(workspace, name), 1, codes="")
    report = campaign_agreement(workspace, campaign.id)
    for module in registry.load_folder("audit_core.exporters", "agreement_").values():
        assert "Unmistakable" not in module.write(report)
    names = annotator_names(workspace, campaign.id)
    assert {names[each.pseudonym] for each in report.annotators} == {"Zoë Unmistakable", "Bob Unmistakable"}


def test_entries_are_grouped_by_source_structure_and_domain_with_counts(workspace: Workspace, tmp_path: Path) -> None:
    campaign = _audit(workspace, tmp_path, queries=9)
    for name, codes in (("Ada", ""), ("Bob", "F")):
        person = sign_in(workspace, name)
        for number in range(1, 10):
            save(workspace, campaign, person, number, codes=codes if number % 3 == 0 else "")
    report = campaign_agreement(workspace, campaign.id)
    groups = {(each.kind, each.value): each.agreed for each in _item(report, "decision").groups}
    assert {kind for kind, _ in groups} == {"source", "evidence structure", "domain"}
    law, wiki = groups["source", "law"], groups["source", "wiki"]
    assert law.amounts.items + wiki.amounts.items == 9
    assert {each.raters for each in (law.amounts, wiki.amounts)} == {2}
    assert sorted(each.figure("percent").value for each in (law, wiki)) == [0.0, 1.0]  # type: ignore[union-attr]


def test_pairs_are_compared_on_what_both_judged(workspace: Workspace, tmp_path: Path) -> None:
    campaign = _audit(workspace, tmp_path)
    said = {"Ada": {1: "", 2: "F", 3: ""}, "Bob": {1: "", 2: ""}, "Cy": {3: "N"}}
    for name, answers in said.items():
        for number, codes in answers.items():
            save(workspace, campaign, sign_in(workspace, name), number, codes=codes)
    report = campaign_agreement(workspace, campaign.id)
    names = annotator_names(workspace, campaign.id)
    called = [names[each.pseudonym] for each in report.annotators]
    found = {
        tuple(sorted((called[each.first], called[each.second]))): (each.items, each.percent.value)
        for each in _item(report, "decision").pairs
    }
    assert found == {("Ada", "Bob"): (2, 0.5), ("Ada", "Cy"): (1, 0.0), ("Bob", "Cy"): (0, None)}


def test_rows_of_a_code_hold_what_a_ledger_says_of_it(workspace: Workspace, tmp_path: Path) -> None:
    campaign = _audit(workspace, tmp_path)
    for name, marked in (("Ada", (1, 2, 3)), ("Bob", (2, 3, 4))):
        for number in range(1, 9):
            save(workspace, campaign, sign_in(workspace, name), number, codes="E" if number in marked else "")
    report = campaign_agreement(workspace, campaign.id, bootstrap=None)
    rows = {each.coefficient: each for each in report.of_code("E")}
    assert set(rows) == {"percent", "kappa", "alpha", "ac1"}
    assert rows["ac1"].percent == pytest.approx(6 / 8)
    assert (rows["ac1"].items, rows["ac1"].raters) == (8, 2)
    assert rows["alpha"].reason == "no bootstrap was asked for"
    assert rows["alpha"].lower is None
    assert set(rows["alpha"].as_json()) == {
        "code", "coefficient", "title", "value", "lower", "upper", "items", "raters", "percent", "reason",
    }  # fmt: skip
    assert [each.code for each in report.of_code(None)] == [None] * 4
    assert report.of_code("X") == ()


def test_targets_are_compared_as_pages_whether_a_page_or_its_element_was_named(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path, without_judgments, judgments_per_entry=2)
    ada, bob, cy = (sign_in(workspace, name) for name in ("Ada", "Bob", "Cy"))
    # Entry 2 lists p3 and p4; e2 lies on p4.
    save(workspace, campaign, ada, 2, codes="E", targets={"E": ["e2"]})
    save(workspace, campaign, bob, 2, codes="E", targets={"E": ["p4"]})
    save(workspace, campaign, cy, 2, codes="E", targets={"E": ["p3", "p4"]})
    # Entry 3: one names a page, one none; entry 1: neither does.
    save(workspace, campaign, ada, 3, codes="E", targets={"E": ["p1"]})
    save(workspace, campaign, bob, 3, codes="E")
    save(workspace, campaign, ada, 1, codes="E")
    save(workspace, campaign, bob, 1, codes="E")
    (item,) = campaign_agreement(workspace, campaign.id).pages
    assert item.name == "targets.E"
    assert (item.both, item.one, item.neither, item.entries, item.raters) == (3, 1, 1, 1, 3)
    figures = {each.name: each.value for each in item.figures}
    assert figures == {"exact": pytest.approx(1 / 3), "jaccard": pytest.approx((1 + 0.5 + 0.5) / 3)}


def test_proposed_pages_and_boxes_are_compared_and_empty_ones_counted_apart(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path, without_judgments, judgments_per_entry=2)
    ada, bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")

    def box(page: str, *to: float) -> dict[str, Any]:
        return {"page_id": page, "element_id": None, "action": "add", "from": None, "to": list(to)}

    added = {"page_id": "p4", "set": "required"}
    save(
        workspace, campaign, ada, 3, codes="E",
        correction={"add_pages": [added], "drop_pages": ["p1"], "boxes": [box("p3", 0, 0, 0.5, 1), box("p4", 0, 0, 1, 1)]},
    )  # fmt: skip
    save(workspace, campaign, bob, 3, codes="E", correction={"add_pages": [added], "boxes": [box("p3", 0, 0, 1, 1)]})
    save(workspace, campaign, ada, 1, codes="")
    save(workspace, campaign, bob, 1, codes="")
    report = campaign_agreement(workspace, campaign.id)
    (evidence,) = report.pages
    # Ada would have p3, p4 and Bob p1, p3, p4; on entry 1 neither changes anything.
    assert {each.name: each.value for each in evidence.figures} == {"exact": 0.0, "jaccard": pytest.approx(2 / 3)}
    assert (evidence.both, evidence.one, evidence.neither) == (1, 0, 1)
    (boxes,) = report.boxes
    # p3: both; p4: Ada alone; p1 of entry 3 and p1 of entry 1: neither.
    assert (boxes.both, boxes.one, boxes.neither, boxes.pages) == (1, 1, 2, 1)
    assert {each.name: each.value for each in boxes.figures} == {
        "zone_iou": pytest.approx(0.5), "zone_f1": pytest.approx(2 / 3), "matched_f1": pytest.approx(1.0),
    }  # fmt: skip
    assert (boxes.matched, boxes.boxes) == (2, 2)


def test_relevance_is_compared_by_page_with_its_boxes(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path, without_judgments, protocol="relevance", judgments_per_entry=2)

    def graded(p3: int, p4: int, *boxes: list[float]) -> dict[str, Any]:
        grades = {"p3": p3, "p4": p4}
        types = {page: ["table"] for page, grade in grades.items() if grade}
        drawn = {"boxes": [{"page_id": "p3", "box": each} for each in boxes]} if boxes else {}
        return {"query": "good", "grades": grades, "types": types, "answered": "answer", "answer_text": "two", **drawn}

    save(workspace, campaign, sign_in(workspace, "Ada"), 2, fields=graded(2, 1, [0, 0, 0.5, 0.5]))
    save(workspace, campaign, sign_in(workspace, "Bob"), 2, fields=graded(2, 0, [0, 0, 0.5, 0.25], [0, 0.25, 0.5, 0.5]))
    save(workspace, campaign, sign_in(workspace, "Cy"), 2, fields={"query": "poor", "reasons": ["unclear"]})
    report = campaign_agreement(workspace, campaign.id)
    grades = _item(report, "grades")
    assert (grades.unit, grades.agreed.amounts.items, grades.agreed.amounts.raters) == ("page", 2, 2)
    assert _figure(report, "grades", "percent").value == 0.5
    assert _figure(report, "grades", "alpha_interval").value is not None
    assert _figure(report, "query", "percent").value == pytest.approx(1 / 3)
    assert report.headline.startswith("Query: 33.3 % agreement of 3 annotators on 1 entry that")
    (pages,) = report.pages
    assert {each.name: each.value for each in pages.figures} == {"exact": 0.0, "jaccard": 0.5}
    (boxes,) = report.boxes
    # p3: both drew the same zone, in one box and in two; p4: Ada was asked, neither drew.
    assert (boxes.both, boxes.one, boxes.neither) == (1, 0, 1)
    assert {each.name: each.value for each in boxes.figures} == {
        "zone_iou": pytest.approx(1.0), "zone_f1": pytest.approx(1.0), "matched_f1": pytest.approx(2 / 3),
    }  # fmt: skip


#: What two annotators say under each protocol: the same on entry 1, something else on entry 3.
SAID: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "audit": ({"codes": ""}, {"codes": "F"}),
    "removal": ({"fields": {"remove": False, "clarity": 1.0}}, {"fields": {"remove": True, "clarity": 0.25}}),
    "relevance": (
        {"fields": {"query": "poor", "reasons": ["unclear"]}},
        {"fields": {"query": "good", "grades": {"p1": 0, "p3": 0}, "answered": "unanswerable"}},
    ),
    "query-review": (
        {"fields": {**dict.fromkeys(("naturalness", "ambiguity", "answerability"), "ok"), "evidence": "yes", "outcome": "keep", "quality": 9}},
        {"fields": {"naturalness": "remove", "naturalness_reasons": ["stiff"], "ambiguity": "ok", "answerability": "ok", "evidence": "no",
                    "outcome": "discard", "quality": 2}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("protocol", sorted(registry.load_folder("audit_core.protocols")))
def test_every_protocol_has_all_that_it_declares_compared(workspace: Workspace, tmp_path: Path, protocol: str) -> None:
    """A new protocol must get a line in `SAID`."""
    campaign = with_campaign(workspace, tmp_path, without_judgments, protocol=protocol, judgments_per_entry=2)
    same, other = SAID[protocol]
    for name, last in (("Ada", same), ("Bob", other)):
        person = sign_in(workspace, name)
        if protocol != "relevance":
            save(workspace, campaign, person, 1, **same)
        else:
            save(workspace, campaign, person, 1, fields={"query": "poor", "reasons": ["unclear"]})
        save(workspace, campaign, person, 3, **last)
    report = campaign_agreement(workspace, campaign.id)
    declared = registry.look_up("audit_core.protocols", protocol).AGREEMENT
    assert {each.name for each in declared} <= {each.name for each in report.items}
    lead = _item(report, report.headline_item)
    assert lead.agreed.figure("percent").value == 0.5  # type: ignore[union-attr]
    for item in report.items:
        scale = next((each.words or each.values for each in declared if each.name == item.name), None)
        if scale is not None:
            assert tuple(each.value for each in item.agreed.prevalence) == tuple(scale)
        for figure in item.agreed.figures:
            assert (figure.value is None) == (figure.undefined is not None)
            assert figure.value is None or (figure.low is None) == (figure.no_interval is not None)
    for module in registry.load_folder("audit_core.exporters", "agreement_").values():
        assert module.write(report)


def test_values_are_called_by_their_words_in_every_form(workspace: Workspace, tmp_path: Path) -> None:
    campaign = with_campaign(workspace, tmp_path, without_judgments, protocol="removal", judgments_per_entry=2)
    for name in ("Ada", "Bob"):
        for number in (1, 2, 3):
            save(workspace, campaign, sign_in(workspace, name), number, fields={"remove": False})
    report = campaign_agreement(workspace, campaign.id, bootstrap=None)
    assert "everyone said keep: expected agreement is 1" in report.headline
    assert "Keep or remove: 100.0 % keep" in (skew_sentence(report.items) or "")
    for name, module in registry.load_folder("audit_core.exporters", "agreement_").items():
        text = module.write(report)
        assert "everyone said keep" in text, name
        assert "everyone said no" not in text, name


def _read_again(workspace: Workspace, campaign: CampaignRow, changed: int, confirmed: int, refined: int) -> None:
    ada, lena = sign_in(workspace, "Ada"), sign_in(workspace, "Lena")
    total = changed + confirmed + refined
    for number in range(1, total + 1):
        save(workspace, campaign, ada, number, codes="E", targets={})
    set_campaign_state(workspace, campaign, CampaignState.CLOSED)
    for each in entry_states(workspace, campaign.id):
        if each.number > total:
            continue
        codes = "" if each.number <= changed else "E"
        refines = changed < each.number <= changed + refined
        targets = {"E": [_page_of(workspace, campaign, each.query_id)]} if refines else {}
        body = {
            "nonce": f"second-{next(_nonces):06}", "base_revision": 0, "basis": "second_reading", "outcome": "judged",
            "codes": codes, "targets": targets, "note": "", "reason": "" if each.number > changed + refined else "so it is",
            "confidence": "sure", "taken_from": [],
        }  # fmt: skip
        decide(workspace, lena, entry_id=each.entry_id, body=body)


def _page_of(workspace: Workspace, campaign: CampaignRow, query_id: str) -> str:
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    return revision.query(query_id).evidence[0].page_id


def test_a_second_reading_has_an_overturn_rate_and_is_never_called_agreement(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = with_campaign(workspace, tmp_path, with_queries(6))
    _read_again(workspace, campaign, changed=1, confirmed=2, refined=1)
    report = campaign_agreement(workspace, campaign.id)
    found = report.second_reading
    assert found is not None
    assert (found.read, found.changed, found.refined) == (4, 1, 1)
    assert report.headline == "Correct or not: agreement is undefined (one rater only: there is nobody to agree with)."
    sentence = second_reading_sentence(report)
    assert sentence is not None
    assert "1 of 4 verdicts were overturned, 25.0 %" in sentence
    assert "no agreement" in sentence


def test_entries_that_wait_for_the_readers_own_judgment_are_left_out_and_counted(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    """Lena adjudicates and judges: she learns nothing of entries 2 and 3 from a report, whatever its form, before she judges them."""
    workspace = either_workspace
    campaign = with_campaign(workspace, tmp_path, with_queries(6), judgments_per_entry=3)
    ada, bob, lena = (sign_in(workspace, name) for name in ("Ada", "Bob", "Lena"))
    for number in (1, 2, 3):
        save(workspace, campaign, ada, number, codes="" if number == 1 else "F")
        save(workspace, campaign, bob, number, codes="" if number == 1 else "E")
    everything = campaign_agreement(workspace, campaign.id)
    assert (everything.shared, everything.sealed) == (3, 0), "a command has no reader"
    bystander = campaign_agreement(workspace, campaign.id, viewer=lena)
    assert (bystander.shared, bystander.sealed) == (3, 0), "who judges nowhere need not stay blind"
    save(workspace, campaign, lena, 1, codes="")
    seen = agreement_state(workspace, campaign.id, viewer=lena)
    assert seen != agreement_state(workspace, campaign.id, viewer=ada)
    report = campaign_agreement(workspace, campaign.id, viewer=lena)
    assert (report.judged, report.shared, report.sealed) == (1, 1, 2)
    assert "2 entries wait for your own judgment and are left out." in report.notes
    assert all(
        not each.ratings for name in ("codes.F", "codes.E") for each in _item(report, name).agreed.prevalence[1:]
    )
    assert {each.judged for each in report.annotators} == {1}
    save(workspace, campaign, lena, 2, codes="F")
    assert agreement_state(workspace, campaign.id, viewer=lena) != seen
    report = campaign_agreement(workspace, campaign.id, viewer=lena)
    assert (report.shared, report.sealed) == (2, 1)
    assert "1 entry waits for your own judgment and is left out." in report.notes


def test_a_second_reading_of_an_entry_that_waits_for_the_reader_is_not_told(
    workspace: Workspace, tmp_path: Path
) -> None:
    """The same query waits for Eve in another campaign, in which she judges."""
    campaign = with_campaign(workspace, tmp_path, with_queries(6))
    _read_again(workspace, campaign, changed=1, confirmed=0, refined=0)
    eve = sign_in(workspace, "Eve")
    assert campaign_agreement(workspace, campaign.id, viewer=eve).second_reading is not None
    dataset = workspace.dataset(campaign.dataset_id)
    request = TeamRequest(hand_out=HandOut.ALL, annotators=(eve.id,))
    start_team_campaign(workspace, dataset=dataset, name="again", team=request, protocol="audit", person=eve)
    report = campaign_agreement(workspace, campaign.id, viewer=eve)
    assert (report.judged, report.sealed, report.second_reading) == (0, 1, None)
    assert second_reading_of(workspace, campaign.id, viewer=eve) is None
    assert second_reading_of(workspace, campaign.id) is not None


def test_none_of_fifty_overturned_leaves_up_to_7_1_percent(workspace: Workspace, tmp_path: Path) -> None:
    """Wilson: 0 of 50 = 0 to 7.1 %."""
    campaign = with_campaign(workspace, tmp_path, with_queries(50))
    _read_again(workspace, campaign, changed=0, confirmed=50, refined=0)
    report = campaign_agreement(workspace, campaign.id)
    assert "0 of 50 verdicts were overturned, 0.0 % (95 % Wilson 0.0-7.1 %)" in (second_reading_sentence(report) or "")


def test_two_imported_annotators_of_a_bundle_are_compared(workspace: Workspace, tmp_path: Path) -> None:
    def two(rows: Rows) -> None:
        rows["judgments/audit"] = [
            {"query_id": query, "annotator": who, "codes": codes}
            for query, one, other in (("q1", [], []), ("q2", ["F"], ["E"]), ("q3", ["N"], ["N"]))
            for who, codes in (("ann", one), ("bob", other))
        ]

    import_bundle(workspace, small_bundle(tmp_path / "bundle", two))
    report = campaign_agreement(workspace, find_campaign(workspace, "audit").id)
    assert _figure(report, "decision", "percent").value == 1.0
    assert _figure(report, "codes", "percent").value == pytest.approx(2 / 3)


def test_the_two_annotators_of_the_real_audit_agree_on_52_of_72_entries(workspace: Workspace, real_data: Path) -> None:
    """Source: README of the collected audit: each agrees with gold on 61 of 72 queries, with each other on 52."""
    if not (real_data / "pdf_audit").is_dir():
        pytest.skip("the collected real data holds no pdf_audit")
    import_bundle(workspace, real_data / "pdf_audit")
    report = campaign_agreement(workspace, find_campaign(workspace, "two_annotators").id)
    percent = _figure(report, "codes", "percent")
    assert percent.value == pytest.approx(52 / 72)
    assert _item(report, "codes").agreed.amounts.items == 72
    assert percent.low is not None
    assert percent.low < 52 / 72 < (percent.high or 0.0)
    assert {each.raters for each in report.of_code("F")} == {2}
