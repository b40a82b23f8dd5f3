"""Campaigns of a mixed draw: what is stored, what evaluates, what the report rests on, and what an export may claim."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from audit_core.audit_report import AuditReport
from audit_core.audit_report.removal import RemovalReport
from audit_core.errors import AssayError, CleaningError, NameTaken, NotFound, StatisticsError
from audit_core.sampling import sample_design
from audit_core.storage import campaigns, samples
from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.campaigns import find_campaign, start_campaign
from audit_core.workflow.carry_over import carry_over, preview_carry_over
from audit_core.workflow.exporting import export_bundle, not_in_labels
from audit_core.workflow.housekeeping import archive_campaign
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.label_sources import LabelSource, label_sources, labels_from, refuse_training_only
from audit_core.workflow.mixed_campaigns import draw_mixed, start_mixed_campaign
from audit_core.workflow.reporting import audit_report, campaign_report, removal_report
from audit_core.workflow.sample_request import SampleKind, SampleRequest
from audit_core.workflow.sampling import draw_again, plan_sample
from audit_core.workflow.workspace import Workspace
from tests.homes import another_home, row_counts
from tests.mixed_bundle import entries_of, judge, judged_in_full, mixed_campaign, mixed_request
from tests.strata_bundle import strata_bundle


def sources(workspace: Workspace, campaign: CampaignRow) -> list[LabelSource]:
    return label_sources(workspace, workspace.dataset(campaign.dataset_id))


def test_every_entry_is_stored_with_its_part_and_chance(either_workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    dataset = either_workspace.dataset(campaign.dataset_id)
    drawn = draw_mixed(either_workspace, dataset, mixed_request(either_workspace, dataset))
    stored = entries_of(either_workspace, campaign)
    assert [
        (each.number, each.query_id, each.source, each.evidence_structure, each.place, each.probability, each.selection)
        for each in stored
    ] == [
        (each.number, each.query_id, each.source, each.evidence_structure, each.place, each.probability, each.selection)
        for each in drawn.mixed.entries
    ]
    assert Counter(each.selection for each in stored) == {"random": 10, "disagreement": 5, "near_threshold": 5}
    assert {each.probability for each in stored if each.selection == "random"} == {10 / 30}
    assert all(each.probability and 0 < each.probability <= 1 for each in stored)


def test_the_campaign_says_that_it_is_no_random_sample_and_what_the_weights_came_from(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    assert not campaign.is_probability_sample
    assert campaign.sample_method == "mixed: 10 simple random without replacement, 5 by disagreement, 5 near-threshold"
    assert (campaign.sample_scheme, campaign.sample_seed, campaign.protocol) == ("assay-mixed-1", 4, "removal")
    assert campaign.plan is not None
    assert campaign.plan["basis"]["scoring"] == {"name": "first-scores"}
    assert [(each["selection"], each["drawn"]) for each in campaign.plan["parts"]] == [
        ("random", 10), ("disagreement", 5), ("near_threshold", 5),
    ]  # fmt: skip
    assert "unconditional" in campaign.plan["parts"][0]["probability"]
    assert "given the parts drawn before" in campaign.plan["parts"][1]["probability"]
    with pytest.raises(AssayError, match="cannot be drawn again"):
        draw_again(workspace, campaign)


def test_a_campaign_gives_all_its_labels_and_the_chosen_ones_to_train_and_its_random_share_to_evaluate(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    judged_in_full(either_workspace, campaign)
    assert [
        (each.key, each.queries, each.is_probability, each.trains_only, each.is_random_share)
        for each in sources(either_workspace, campaign)
    ] == [
        ("campaign:next", 20, False, True, False),
        ("campaign:next#random", 10, True, False, True),
        ("campaign:next#active", 10, False, True, False),
    ]
    dataset = either_workspace.dataset(campaign.dataset_id)
    _, every = labels_from(either_workspace, dataset, "campaign:next")
    source, share = labels_from(either_workspace, dataset, "campaign:next#random")
    assert (len(every), len(share), source.name) == (20, 10, "next, random share")
    assert {each.probability for each in every} == {None}
    assert {each.query_id for each in share} == {
        each.query_id for each in entries_of(either_workspace, campaign, "random")
    }
    assert sum(bool(each.remove) for each in share) == 2
    assert {each.probability for each in share} == {10 / 30}


def test_what_scores_chose_is_a_source_of_its_own_that_leaves_the_random_share_unseen(
    either_workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    judged_in_full(either_workspace, campaign)
    dataset = either_workspace.dataset(campaign.dataset_id)
    source, chosen = labels_from(either_workspace, dataset, "campaign:next#active")
    active = entries_of(either_workspace, campaign, "disagreement", "near_threshold")
    assert (source.name, source.part, source.campaign) == ("next, chosen by scores", "active", "next")
    assert {each.query_id for each in chosen} == {each.query_id for each in active}
    assert not {each.query_id for each in chosen} & {
        each.query_id for each in entries_of(either_workspace, campaign, "random")
    }
    assert {each.probability for each in chosen} == {None}
    assert {each.remove for each in chosen} == {True}
    with pytest.raises(CleaningError, match=r"campaign:next#active was chosen by .* on campaign:next#random"):
        refuse_training_only(source)


def test_each_source_of_a_queue_says_what_it_may_do_and_which_other_to_take(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judged_in_full(workspace, campaign)
    every, share, active = sources(workspace, campaign)
    assert "may only train" in every.says
    assert "has seen the random share as well, which then may not choose a threshold" in every.says
    assert "train on campaign:next#active" in every.says
    assert "trained without it, such as on campaign:next#active" in share.says
    assert "campaign:next#random may evaluate, and choose the threshold" in active.says


def test_a_random_share_that_is_judged_in_part_stands_for_all_queries_of_its_strata(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judge(workspace, entries_of(workspace, campaign, "disagreement", "near_threshold"), fields={"remove": True})
    assert [each.key for each in sources(workspace, campaign)] == ["campaign:next", "campaign:next#active"]
    random = entries_of(workspace, campaign, "random")
    strata = Counter((each.source, each.evidence_structure) for each in random)
    done = [next(each for each in random if (each.source, each.evidence_structure) == key) for key in strata]
    judge(workspace, done, fields={"remove": False})
    _, share = labels_from(workspace, workspace.dataset(campaign.dataset_id), "campaign:next#random")
    wanted = {each.query_id: (10 / 30) * (1 / strata[(each.source, each.evidence_structure)]) for each in done}
    assert {each.query_id: each.probability for each in share} == pytest.approx(wanted)


def test_labels_that_scores_chose_are_refused_where_they_would_evaluate(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judged_in_full(workspace, campaign)
    every, share, _ = sources(workspace, campaign)
    with pytest.raises(CleaningError, match=r"may train, and evaluate or choose nothing.* on campaign:next#random"):
        refuse_training_only(every)
    refuse_training_only(share)


def test_an_archived_campaign_is_no_source_of_either_kind(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judged_in_full(workspace, campaign)
    archive_campaign(workspace, campaign, archived=True)
    assert sources(workspace, campaign) == []
    with pytest.raises(NotFound, match="no labels 'campaign:next#random'"):
        labels_from(workspace, workspace.dataset(campaign.dataset_id), "campaign:next#random")


def test_no_campaign_may_take_the_name_of_a_part(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    dataset = workspace.dataset(campaign.dataset_id)
    for ending in ("#random", "#active"):
        with pytest.raises(AssayError, match=f"may not end with {ending}"):
            start_campaign(workspace, dataset=dataset, name=f"next{ending}")
    with pytest.raises(NameTaken):
        start_mixed_campaign(workspace, dataset, mixed_request(workspace, dataset), name="next")
    with pytest.raises(StatisticsError, match="31 queries were asked for"):
        start_mixed_campaign(workspace, dataset, mixed_request(workspace, dataset, random=21), name="more")
    assert len(sources(workspace, campaign)) == 0
    assert row_counts(workspace)["campaign"] == 1


def test_an_imported_campaign_of_such_a_name_keeps_its_key_and_the_share_gets_another(
    workspace: Workspace, tmp_path: Path
) -> None:
    def with_audit(rows: dict[str, list[dict[str, object]]]) -> None:
        query = rows["queries"][0]["query_id"]
        rows["judgments/next#random"] = [{"query_id": query, "annotator": "ann", "codes": [], "outcome": "judged"}]

    dataset = import_bundle(workspace, strata_bundle(tmp_path / "bundle", change=with_audit)).dataset
    campaign, _ = start_mixed_campaign(workspace, dataset, mixed_request(workspace, dataset), name="next")
    judged_in_full(workspace, campaign)
    keys = {each.key: each for each in label_sources(workspace, dataset)}
    assert keys.keys() == {
        "campaign:next", "campaign:next#random#random", "campaign:next#active", "campaign:next#random",
    }  # fmt: skip
    assert "campaign:next#random#random may evaluate" in keys["campaign:next#active"].says
    assert not keys["campaign:next#random"].is_random_share
    assert labels_from(workspace, dataset, "campaign:next#random")[1][0].annotator == "ann"


def test_the_removal_report_rests_on_the_random_share_alone(either_workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(either_workspace, tmp_path / "bundle")
    judged_in_full(either_workspace, campaign)
    report = campaign_report(either_workspace, campaign.id)
    assert isinstance(report, RemovalReport)
    assert (report.total.entries, report.total.remove, report.total.keep, report.total.not_judged) == (10, 2, 8, 0)
    assert report.whole.estimate is not None
    assert report.whole.estimate.population == 30
    assert report.whole.estimate.decided == 10
    # The strata are post-strata of a simple draw; whichever way it is taken, ten entries at random lie behind it.
    assert report.whole.estimate.interval.estimate == pytest.approx(_by_hand(either_workspace, campaign))
    assert "simple random without replacement (seed 4)" in report.design_sentence
    assert "10 of 30 queries" in report.design_sentence
    assert (
        "Entries that never enter estimates are left out: 5 chosen by disagreement of strategies, 5 chosen near a threshold."
    ) in report.notes


def _by_hand(workspace: Workspace, campaign: CampaignRow) -> float:
    """Return the share to remove, post-stratified where every stratum has two random entries or all it holds, else plain."""
    random = entries_of(workspace, campaign, "random")
    removed = {each.id for each in random[:2]}
    with workspace.database.read() as connection:
        sizes = {
            (each.source, each.evidence_structure): each.population
            for each in samples.strata_of(connection, campaign.id)
        }
    inside = {key: [each for each in random if (each.source, each.evidence_structure) == key] for key in sizes}
    if any(len(inside[key]) < min(2, size) for key, size in sizes.items()):
        return 2 / 10
    shares = {key: sum(each.id in removed for each in rows) / len(rows) for key, rows in inside.items()}
    return sum(sizes[key] * shares[key] for key in sizes) / 30


def test_judging_active_entries_changes_nothing_in_the_report(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judge(workspace, entries_of(workspace, campaign, "random"), fields={"remove": False})
    before = removal_report(workspace, campaign.id)
    judge(workspace, entries_of(workspace, campaign, "disagreement", "near_threshold"), fields={"remove": True})
    after = removal_report(workspace, campaign.id)
    for name in ("headline", "rows", "whole", "criteria", "design_notes", "notes"):
        assert getattr(before, name) == getattr(after, name), name


def test_the_audit_report_rests_on_the_random_share_alone(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle", protocol="audit")
    judge(workspace, entries_of(workspace, campaign, "random"), codes="")
    judge(workspace, entries_of(workspace, campaign, "disagreement"), codes="F")
    report = audit_report(workspace, campaign.id)
    assert isinstance(report, AuditReport)
    assert (report.total.entries, report.total.correct, report.total.not_judged) == (10, 10, 0)
    assert report.design is not None
    assert report.design.is_probability
    assert any("5 chosen near a threshold" in each for each in report.notes)


def test_guesses_for_a_plan_come_from_the_random_share(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle", protocol="audit")
    judge(workspace, entries_of(workspace, campaign, "random"), codes="")
    dataset = workspace.dataset(campaign.dataset_id)
    request = SampleRequest(SampleKind.STRATIFIED, 1, total=12, guess_from=campaign.id)
    before = plan_sample(workspace, dataset, request).as_json()
    judge(workspace, entries_of(workspace, campaign, "disagreement", "near_threshold"), codes="F")
    assert plan_sample(workspace, dataset, request).as_json() == before


def test_a_later_draw_that_leaves_it_out_stands_for_the_others_only(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    dataset = workspace.dataset(campaign.dataset_id)
    later, drawn = start_mixed_campaign(
        workspace, dataset, mixed_request(workspace, dataset, random=3, seed=9, leave_out=(campaign.id,), parts=_near(workspace, campaign)),
        name="later",
    )  # fmt: skip
    mine = {each.query_id for each in entries_of(workspace, later)}
    assert not mine & {each.query_id for each in entries_of(workspace, campaign)}
    assert {each.probability for each in entries_of(workspace, later, "random")} == {3 / 10}
    assert later.frame_name == "strata, without 20 queries taken before"
    assert sum(each.population for each in drawn.design.strata) == 10
    assert any("does not stand for them" in each for each in drawn.as_json()["sentences"])


def test_a_random_share_beside_an_earlier_simple_sample_stands_for_the_whole(
    workspace: Workspace, tmp_path: Path
) -> None:
    dataset = import_bundle(workspace, strata_bundle(tmp_path / "bundle")).dataset
    simple = SampleRequest(SampleKind.SIMPLE, 2, total=6)
    first = start_campaign(workspace, dataset=dataset, name="first", sample=simple, protocol="removal")
    request = mixed_request(workspace, dataset, random=8, leave_out=(first.id,))
    sample = draw_mixed(workspace, dataset, request)
    share = sample_design(sample.mixed.share, frame_name="strata", frame_revision="1")
    assert sum(each.population for each in share.strata) == 30
    assert {each.probability_combined for each in sample.mixed.entries if each.selection == "random"} == {14 / 30}


def _near(workspace: Workspace, campaign: CampaignRow) -> tuple[object, ...]:
    request = mixed_request(workspace, workspace.dataset(campaign.dataset_id))
    return (request.parts[1],)


def test_an_exported_audit_comes_back_as_no_probability_sample(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle", protocol="audit")
    judge(workspace, entries_of(workspace, campaign), codes="")
    dataset = workspace.dataset(campaign.dataset_id)
    (sentence,) = not_in_labels(workspace, dataset)
    assert "no place for which entry is which" in sentence
    folder = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="copy")
    design = json.loads((folder / "judgments" / "next.design.json").read_text())
    assert "by disagreement" in design["method"]
    before = row_counts(workspace)
    import_bundle(workspace, folder)
    after = row_counts(workspace)
    assert {name for name in after if after[name] != before[name]} <= {"activity"}
    with another_home(tmp_path / "other") as other:
        import_bundle(other, folder)
        imported = find_campaign(other, "next")
        assert not imported.is_probability_sample
        assert {each.selection for each in entries_of(other, imported)} == {None}
        report = audit_report(other, imported.id)
        assert report.benchmark.estimate is None
        assert "no probability sample" in report.benchmark.sentence
        assert [each.is_probability for each in label_sources(other, other.dataset(imported.dataset_id))] == [False]


def test_exported_labels_come_back_without_chances(workspace: Workspace, tmp_path: Path) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judged_in_full(workspace, campaign)
    dataset = workspace.dataset(campaign.dataset_id)
    assert any("strategies' scores" in each for each in not_in_labels(workspace, dataset))
    folder = export_bundle(workspace, dataset, tmp_path / "out", form="jsonl", media="copy")
    with another_home(tmp_path / "other") as other:
        imported = import_bundle(other, folder).dataset
        (source,) = label_sources(other, imported)
        assert (source.key, source.queries, source.is_probability) == ("labels:next", 20, False)
        assert {each.probability for each in labels_from(other, imported, "labels:next")[1]} == {None}


def test_carried_over_to_a_later_revision_it_still_only_trains_and_has_no_random_share(
    workspace: Workspace, tmp_path: Path
) -> None:
    campaign = mixed_campaign(workspace, tmp_path / "bundle")
    judged_in_full(workspace, campaign)
    later = import_bundle(workspace, strata_bundle(tmp_path / "later", revision="2")).dataset
    assert not preview_carry_over(workspace, campaign, later).design.is_kept
    carried = carry_over(workspace, campaign, later)
    assert Counter(each.selection for each in entries_of(workspace, carried)) == {
        "random": 10, "disagreement": 5, "near_threshold": 5,
    }  # fmt: skip
    assert {each.probability for each in entries_of(workspace, carried)} == {None}
    assert [(each.key, each.is_probability, each.trains_only) for each in label_sources(workspace, later)] == [
        ("campaign:next", False, True)
    ]
    (source,) = label_sources(workspace, later)
    assert source.says == "Part of it was chosen by strategies' scores, so it may only train."
    report = removal_report(workspace, carried.id)
    assert report.total.entries == 10
    assert report.whole.estimate is None
    with workspace.database.read() as connection:
        design = campaigns.design_of(connection, carried)
    assert design is not None
    assert not design.is_probability
