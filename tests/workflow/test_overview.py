"""The list of entries as one annotator sees it: pages, filters, counts, on either database."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from audit_core.domain import CampaignState
from audit_core.errors import NotFound
from audit_core.storage import campaigns, datasets
from audit_core.storage.people import Person
from audit_core.workflow import judging
from audit_core.workflow.campaigns import list_campaigns
from audit_core.workflow.flags import answer_flag, raise_flag
from audit_core.workflow.overview import PER_PAGE, OverviewPage, overview_page
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace

#: Entries of the campaign; their numbers have gaps, as those of imported ones may.
ENTRIES = 25
NUMBERS = [3 * place + 1 for place in range(ENTRIES)]


class Office:
    """A campaign of entries numbered 1, 4, 7 ... in which Ada and Bob judge."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        with workspace.database.write() as connection:
            dataset = datasets.add(
                connection, name="set", revision="1", content_hash="a" * 64, origin="", is_lenient=False
            )
            self.campaign = campaigns.add(
                connection, dataset_id=dataset, name="audit", protocol="audit", state=CampaignState.OPEN,
                judgments_per_entry=1, design=None,
            )  # fmt: skip
            rows = [(number, f"q{number}", "wiki", "Page-Single", ["d"]) for number in NUMBERS]
            campaigns.add_entries(connection, self.campaign, rows)
            self.ids = campaigns.entry_ids_by_number(connection, self.campaign)
        self.ada, self.bob = sign_in(workspace, "Ada"), sign_in(workspace, "Bob")

    def save(self, number: int, *, person: Person | None = None, base: int = 0, **said: object) -> None:
        who = person or self.ada
        body = {"nonce": f"nonce-{who.id}-{number}-{base}", "base_revision": base, "outcome": "judged", **said}
        judging.save_judgment(self.workspace, who, entry_id=self.ids[number], body=body)

    def draft(self, number: int, *, base: int = 0) -> None:
        body = {"base_revision": base, "codes": "E"}
        judging.save_draft(self.workspace, self.ada, entry_id=self.ids[number], body=body)

    def page(self, *, count: int = 10, **asked: object) -> OverviewPage:
        return overview_page(self.workspace, self.ada, self.campaign, count=count, **asked)  # type: ignore[arg-type]


@pytest.fixture
def office(either_workspace: Workspace) -> Office:
    return Office(either_workspace)


def numbers(page: OverviewPage) -> list[int]:
    return [each.number for each in page.entries]


def test_all_entries_come_a_page_at_a_time_forward_and_back(office: Office) -> None:
    first = office.page()
    assert (numbers(first), first.has_earlier, first.has_later) == (NUMBERS[:10], False, True)
    second = office.page(first=NUMBERS[9] + 1)
    assert (numbers(second), second.has_earlier, second.has_later) == (NUMBERS[10:20], True, True)
    last = office.page(first=NUMBERS[19] + 1)
    assert (numbers(last), last.has_earlier, last.has_later) == (NUMBERS[20:], True, False)
    assert numbers(office.page(before=NUMBERS[20])) == NUMBERS[10:20]
    assert numbers(office.page(before=NUMBERS[10])) == NUMBERS[:10]
    few_before = office.page(before=NUMBERS[4])
    assert (numbers(few_before), few_before.has_earlier) == (NUMBERS[:10], False), "a page is filled where it can be"
    beyond = office.page(first=NUMBERS[-1] + 1)
    assert (numbers(beyond), beyond.has_later) == ([], False)


def test_a_page_is_never_longer_than_the_surface_shows(office: Office) -> None:
    assert len(office.page(count=10**6).entries) == ENTRIES < PER_PAGE
    assert len(office.page(count=-1).entries) == 1


def test_each_filter_leaves_what_it_counts_and_all_states_add_up(office: Office) -> None:
    office.save(1, codes="F")
    office.save(4)
    office.save(4, base=1, codes="EN")
    office.save(7, outcome="cannot_judge")
    office.save(10)
    office.draft(10, base=1)
    office.draft(13)
    office.save(16, person=office.bob, codes="U")
    asked = raise_flag(office.workspace, office.ada, entry_id=office.ids[19], question="Which page?")
    raise_flag(office.workspace, office.ada, entry_id=office.ids[1], question="Which board?")
    answer_flag(office.workspace, office.bob, flag_id=asked.id, answer="That one.")
    page = office.page()
    assert page.counts == {
        "all": 25, "judged": 2, "cannot_judge": 1, "draft": 2, "open": 20, "flagged": 2,
    }  # fmt: skip
    assert [(each.number, each.state, each.codes, each.flag) for each in page.entries[:7]] == [
        (1, "judged", "F", "open"), (4, "judged", "EN", None), (7, "cannot_judge", "", None), (10, "draft", "", None),
        (13, "draft", "", None), (16, "open", "", None), (19, "open", "", "answered"),
    ]  # fmt: skip
    for only, found in {
        "judged": [1, 4], "cannot_judge": [7], "draft": [10, 13], "flagged": [1, 19], "open": NUMBERS[5:],
    }.items():  # fmt: skip
        filtered = office.page(only=only, count=50)
        assert numbers(filtered) == found
        assert page.counts[only] == len(found)
        assert {each.state for each in filtered.entries} == ({only} if only != "flagged" else {"judged", "open"})
    second = office.page(only="open", first=NUMBERS[15], count=5)
    assert (numbers(second), second.has_earlier, second.has_later) == (NUMBERS[15:20], True, True)


def test_entries_asked_for_by_number_come_beside_the_page_whatever_the_filter(office: Office) -> None:
    office.save(4, codes="F")
    page = office.page(only="draft", asked=[70, 4, 5, 4])
    assert (numbers(page), [(each.number, each.state) for each in page.asked]) == ([], [(4, "judged"), (70, "open")])
    assert office.page().asked == ()


def test_a_filter_that_is_none_is_refused_with_those_there_are(office: Office) -> None:
    with pytest.raises(NotFound, match="Choose one of: judged, cannot_judge, draft, open, flagged"):
        office.page(only="closed")


def test_neither_the_list_nor_progress_counts_the_entries_again(office: Office) -> None:
    """The number of entries is that which was stored with them."""
    office.save(1)
    with office.workspace.database.write() as connection:
        connection.execute(sa.text("UPDATE entry_stratum SET entries = 999"))
    (summary,) = list_campaigns(office.workspace, person=office.ada)
    assert (summary.entries, summary.answered, summary.annotators) == (999, 1, 1)
    assert summary.mine is not None
    assert (summary.mine["entries"], summary.mine["left"]) == (999, 998)
    assert office.page().counts["all"] == 999
