"""Adjudication: judgments side by side, taken, merged or overruled with the keyboard, and what is sent of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Route, expect

from audit_core import registry
from tests.browser.surface.fake_adjudication import FakeAdjudication, case, judgment
from tests.browser.surface.fake_server import box, page
from tests.browser.surface.surface_window import Surface

NewDesk = Callable[..., Surface]
PAGES = [
    page("a", number=4, boxes=[box(0.1, 0.1, 0.45, 0.2, "Text", element="e1"), box(0.51, 0.335, 0.9, 0.53, "Table", element="e2")]),
    page("b", number=9),
]  # fmt: skip
MOVED = {"page_id": "page-a", "element_id": None, "action": "move", "from": [0.51, 0.335, 0.9, 0.53], "to": [0.52, 0.35, 0.88, 0.42]}  # fmt: skip


def three() -> dict[str, Any]:
    """Entry 1: A says F and E of the table, with a rewording and a box moved; B says correct; C says E and U of page 2."""
    return case(
        1,
        judgment("FE", targets={"E": ["e2"]}, note="no year", correction={"query": "Which station, in 1987?", "boxes": [MOVED]}),
        judgment("", name="Carol"),
        judgment("EU", targets={"E": ["e2"], "U": ["page-b"]}, name="Dan", correction={"drop_pages": ["page-b"]}),
        pages=PAGES,
    )  # fmt: skip


@pytest.fixture
def new_desk(browser: Browser) -> Iterator[NewDesk]:
    """Opens the adjudication surface over given entries; `beside` is another window of the same browser profile."""
    servers: list[FakeAdjudication] = []
    contexts: list[BrowserContext] = []
    surfaces: list[Surface] = []

    def make(*cases: dict[str, Any], beside: Surface | None = None, **options: Any) -> Surface:
        if beside is None:
            disputed = [case(number, judgment("F"), judgment("")) for number in (2, 3)]
            servers.append(FakeAdjudication(list(cases) or [three(), *disputed]))
            contexts.append(browser.new_context(**({"viewport": {"width": 1440, "height": 900}} | options)))
            contexts[-1].set_default_timeout(15_000)
        surfaces.append(Surface(contexts[-1].new_page(), beside.server if beside else servers[-1]))
        return surfaces[-1]

    yield make
    faults = [fault for surface in surfaces for fault in surface.faults]
    for context in contexts:
        context.close()
    for server in servers:
        server.stop()
    assert faults == []


@pytest.fixture
def desk(new_desk: NewDesk) -> Surface:
    made = new_desk().open()
    made.ready(1)
    return made


def decided(surface: Surface, number: int = 1) -> dict[str, Any]:
    """Presses Enter and returns what the server took."""
    surface.press("Enter")
    surface.eventually(lambda: len(surface.server.campaign.posts) == number)
    posted: dict[str, Any] = surface.server.campaign.posts[-1]
    return posted


def ids(surface: Surface) -> list[int]:
    return [one["id"] for one in surface.server.campaign.entries[0]["judgments"]]


def test_judgments_stand_side_by_side_without_names_and_say_what_differs(desk: Surface) -> None:
    cards = desk.part("card")
    assert cards.count() == 3
    words = desk.part("card-block").inner_text()
    assert "they differ in codes, places meant, corrections" in words
    assert not any(name in words for name in ("Bob", "Carol", "Dan"))
    assert cards.nth(0).locator("[data-part='code F']").get_attribute("class") == "part of-code differs"
    assert "no year" in cards.nth(0).inner_text()
    assert "query: Which station, in 1987?" in cards.nth(0).inner_text()
    assert cards.nth(1).locator("[data-part='correct']").count() == 1


def test_what_all_say_is_not_marked_as_differing(new_desk: NewDesk) -> None:
    surface = new_desk(case(1, judgment("FE"), judgment("F"))).open()
    surface.ready(1)
    assert "differs" not in (surface.window.locator("[data-part='code F']").first.get_attribute("class") or "")
    assert "differs" in (surface.window.locator("[data-part='code E']").get_attribute("class") or "")


def test_a_judgment_is_taken_with_its_number_and_the_next_dispute_comes(desk: Surface) -> None:
    desk.press("3", "s")
    expect(desk.part("basis")).to_have_text("taken: just what C says")
    posted = decided(desk)
    desk.ready(2)
    assert (posted["number"], posted["basis"], posted["codes"], posted["confidence"]) == (1, "taken", "EU", "sure")
    assert posted["targets"] == {"E": ["e2"], "U": ["page-b"]}
    assert posted["correction"] == {"drop_pages": ["page-b"]}
    assert (posted["taken_from"], posted["base_revision"]) == ([ids(desk)[2]], 0)
    expect(desk.part("progress-numbers")).to_have_text("1 of 3 disputed decided")


def test_all_that_several_say_and_propose_is_merged_with_shift_and_a_number(desk: Surface) -> None:
    desk.press("Shift+Digit1", "Shift+Digit3")
    assert desk.pressed() == "FEU"
    expect(desk.part("basis")).to_have_text("merged from A and C")
    desk.press("s", "s")
    posted = decided(desk)
    assert (posted["basis"], posted["codes"], posted["confidence"]) == ("merged", "FEU", "fairly_sure")
    assert posted["targets"] == {"E": ["e2"], "U": ["page-b"]}
    assert posted["correction"] == {"query": "Which station, in 1987?", "drop_pages": ["page-b"], "boxes": [MOVED]}
    assert posted["taken_from"] == [ids(desk)[0], ids(desk)[2]]


def test_single_parts_are_put_into_the_decision_by_a_click_and_taken_out_by_another(desk: Surface) -> None:
    first, third = desk.part("card").nth(0), desk.part("card").nth(2)
    first.locator("[data-part='code F']").click()
    third.locator("[data-part='target U page-b']").click()
    third.get_by_text("page 2 out").click()
    first.get_by_text("query: Which station, in 1987?").click()
    first.get_by_text("box on page 1 moved").click()
    assert desk.pressed() == "FU"
    expect(desk.part("proposal")).to_contain_text("query reworded · 1 page out · 1 box changed")
    first.locator("[data-part='code F']").click()
    third.get_by_text("page 2 out").click()
    desk.press("s")
    posted = decided(desk)
    assert (posted["basis"], posted["codes"], posted["targets"]) == ("merged", "U", {"U": ["page-b"]})
    assert posted["correction"] == {"query": "Which station, in 1987?", "boxes": [MOVED]}


def test_an_answer_of_ones_own_needs_a_reason(desk: Surface) -> None:
    desk.press("n", "s", "Enter")
    expect(desk.part("choose-first")).to_contain_text("write a reason")
    desk.window.keyboard.type("the series ends in 1986")
    posted = decided(desk)
    assert (posted["basis"], posted["codes"], posted["reason"]) == ("own", "N", "the series ends in 1986")
    assert posted["taken_from"] == []


def test_all_wrong_is_refused_while_the_decision_is_that_of_somebody(desk: Surface) -> None:
    desk.press("2", "j", "s", "Enter")
    expect(desk.part("choose-first")).to_contain_text("decide just what B said")
    desk.press("n", "r")
    desk.window.keyboard.type("nothing answers")
    posted = decided(desk)
    assert (posted["basis"], posted["codes"], posted["taken_from"]) == ("all_wrong", "N", [])


def test_nothing_is_sent_before_something_is_chosen_and_before_it_is_said_how_sure(desk: Surface) -> None:
    desk.press("Enter")
    expect(desk.part("choose-first")).to_contain_text("Take a judgment (1-3), or choose F E U N, C or X.")
    desk.press("2", "Enter")
    expect(desk.part("choose-first")).to_contain_text("How sure are you?")
    desk.press("s", "s", "s")
    assert decided(desk)["confidence"] == "unsure"


def test_a_lone_judgment_is_confirmed_or_overturned_in_a_second_reading(new_desk: NewDesk) -> None:
    surface = new_desk(case(1, judgment("F")), case(2, judgment("U"))).open("&filter=second")
    surface.ready(1)
    assert surface.part("take").inner_text() == "1\nConfirm"
    expect(surface.part("all-wrong")).to_be_hidden()
    surface.press("1", "s")
    expect(surface.part("basis")).to_have_text("second reading: confirmed")
    posted = decided(surface)
    assert (posted["basis"], posted["codes"]) == ("second_reading", "F")
    surface.ready(2)
    surface.press("c", "s")
    expect(surface.part("basis")).to_have_text("second reading: overturned")
    surface.press("r")
    surface.window.keyboard.type("both pages are needed")
    posted = decided(surface, 2)
    assert (posted["basis"], posted["codes"], posted["taken_from"]) == ("second_reading", "", [])


def test_names_are_shown_when_asked_for_and_what_is_begun_stays(desk: Surface) -> None:
    desk.press("3", "<")
    expect(desk.part("card-name")).to_have_text(["Bob", "Carol", "Dan"])
    assert desk.pressed() == "EU"
    desk.press("<")
    expect(desk.part("card-name")).to_have_count(0)


def test_comments_name_their_authors_only_while_names_are_shown(desk: Surface) -> None:
    def comments(route: Route) -> None:
        author = "Bob" if "names=1" in route.request.url else "A" if "adjudication=1" in route.request.url else "leaked"
        comment = {"id": 1, "text": "two fit", "author": author, "mine": False, "created_at": "2026-11-30T10:00:00Z"}
        route.fulfill(json={"comments": [comment], "sealed": False, "closed": False})

    desk.window.route("**/comments?*", comments)
    desk.press("ArrowRight")
    desk.ready(2)
    expect(desk.part("comment")).to_contain_text("A · ")
    desk.press("<")
    expect(desk.part("comment")).to_contain_text("Bob · ")
    desk.press("<")
    expect(desk.part("comment")).to_contain_text("A · ")


def test_who_judged_the_entry_too_is_told_so(new_desk: NewDesk) -> None:
    surface = new_desk(case(1, judgment("F", mine=True), judgment("")), case(2, judgment("F"), judgment(""))).open()
    surface.ready(1)
    expect(surface.part("own-judgment")).to_have_text("⚑ you judged this entry")
    assert surface.part("mine").count() == 1
    surface.press("ArrowRight")
    surface.ready(2)
    expect(surface.part("own-judgment")).to_be_hidden()


def test_a_decided_entry_shows_its_decision_and_is_reopened_after_asking(desk: Surface) -> None:
    desk.press("1", "s")
    decided(desk)
    desk.ready(2)
    desk.press("l")
    desk.part("filter-decided").click()
    desk.window.locator("[data-testid=docket-row][data-number='1']").click()
    desk.ready(1)
    expect(desk.part("decided")).to_contain_text("Decided: F E · taken")
    assert desk.pressed() == "FE"
    desk.press("Delete")
    desk.part("reopen-now").click()
    expect(desk.part("decided")).to_contain_text(
        "Reopened · 1 earlier revision".replace("1 earlier revision", "2 earlier revisions")
    )
    assert desk.server.campaign.posts[-1]["basis"] == "reopened"
    assert desk.server.campaign.posts[-1]["base_revision"] == 1
    desk.press("2", "s")
    posted = decided(desk, 3)
    assert (posted["number"], posted["basis"], posted["base_revision"]) == (1, "taken", 2)


def test_a_correction_that_a_file_gave_whole_is_told_and_gives_way_to_what_is_decided_here(desk: Surface) -> None:
    assert isinstance(desk.server, FakeAdjudication)
    whole = {"text": "Which one?", "evidence": [{"page_id": "page-b"}]}
    said = {
        "basis": "file",
        "outcome": "judged",
        "codes": "F",
        "targets": {},
        "fields": {},
        "correction": whole,
        "confidence": "sure",
    }
    desk.server.decide(1, said | {"reason": "two fit"})
    desk.window.goto(f"{desk.server.url}/?campaign=1&entry=1")
    desk.ready(1)
    expect(desk.part("decided")).to_contain_text("Decided: F · from a file")
    expect(desk.part("whole")).to_contain_text("corrected as a whole: query, evidence (1 piece)")
    desk.press("Enter")
    desk.ready(2)
    assert desk.server.campaign.posts == [], "a decision that nobody changed is not made anew"
    desk.window.goto(f"{desk.server.url}/?campaign=1&entry=1")
    desk.ready(1)
    desk.press("3")
    posted = decided(desk)
    assert (posted["basis"], posted["correction"], posted["base_revision"]) == ("taken", {"drop_pages": ["page-b"]}, 1)


def test_the_list_is_filtered_by_state_and_leads_to_an_entry(new_desk: NewDesk) -> None:
    cases = [case(1, judgment("F"), judgment("")), case(2, judgment("U")), case(3, judgment("E"), judgment("E"))]
    surface = new_desk(*cases).open()
    surface.ready(1)
    surface.press("l")
    rows = surface.part("docket-row")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("F | correct")
    surface.part("filter-all").click()
    expect(rows).to_have_count(3)
    surface.part("filter-second").click()
    expect(rows).to_have_count(1)
    surface.part("docket-through").click()
    surface.ready(2)
    expect(surface.part("through")).to_have_text("list: second reading")
    expect(surface.part("entry-state")).to_have_text("one judgment")
    surface.press("l")
    surface.part("go-to").fill("3")
    surface.part("go-to").press("Enter")
    surface.ready(3)


def test_arrows_and_g_go_through_the_disputes_without_deciding(desk: Surface) -> None:
    desk.press("ArrowLeft")
    expect(desk.part("choose-first")).to_have_text("This is the first entry of the list.")
    desk.press("ArrowRight")
    desk.ready(2)
    desk.press("g")
    desk.ready(3)
    desk.press("ArrowRight")
    expect(desk.part("choose-first")).to_have_text("This is the last entry of the list.")
    desk.press("g")
    desk.ready(1)
    assert desk.server.campaign.posts == []


def test_g_stays_where_no_other_dispute_is_left(new_desk: NewDesk) -> None:
    surface = new_desk(case(1, judgment("F"), judgment("")), case(2, judgment("U"))).open()
    surface.ready(1)
    surface.press("1", "g")
    expect(surface.part("choose-first")).to_have_text("This is the last one that is not decided.")
    assert surface.pressed() == "F"


def test_an_entry_that_waits_for_ones_own_judgment_is_passed_over(new_desk: NewDesk) -> None:
    cases = [case(number, judgment("F"), judgment("")) for number in (1, 2, 3)]
    cases[1]["sealed"] = True
    surface = new_desk(*cases).open()
    surface.ready(1)
    surface.press("l")
    row = surface.window.locator("[data-testid=docket-row][data-number='2']")
    expect(row).to_be_disabled()
    expect(row).to_contain_text("waits for your judgment")
    surface.press("Escape", "ArrowRight")
    surface.ready(3)
    surface.window.goto(f"{surface.server.url}/?campaign=1&entry=2")
    expect(surface.part("screen")).to_contain_text("waits for your own judgment")


def test_after_the_last_dispute_it_says_so_and_offers_the_second_reading(new_desk: NewDesk) -> None:
    surface = new_desk(case(1, judgment("F"), judgment("")), case(2, judgment("U"))).open()
    surface.ready(1)
    surface.press("1", "s")
    decided(surface)
    surface.ready("finished")
    expect(surface.part("screen")).to_contain_text("No disputed entry is left to decide.")
    surface.part("to-second").click()
    surface.ready(2)


@pytest.mark.parametrize("name", registry.load_folder("audit_core.protocols"))
def test_no_key_means_two_things_under_any_protocol_and_the_overlay_lists_all(new_desk: NewDesk, name: str) -> None:
    surface = new_desk(case(1, judgment(""), judgment("")))
    surface.server.campaign.protocol = registry.look_up("audit_core.protocols", name).description()
    surface.open("&filter=all").ready(1)
    script = """async (protocol) => (await import("/api/viewer/test/keys.js")).adjudicationTable(protocol)"""
    table = surface.window.evaluate(script, surface.server.campaign.protocol)
    keys = [key for row in table for key in row["keys"]]
    assert len(set(keys)) == len(keys)
    surface.press("?")
    listed = surface.part("help").locator("[data-keys]").evaluate_all("rows => rows.map(each => each.dataset.keys)")
    assert sorted(listed) == sorted(" ".join(row["keys"]) for row in table)


def test_fields_of_another_protocol_are_taken_part_by_part(new_desk: NewDesk) -> None:
    protocol = registry.look_up("audit_core.protocols", "removal").description()
    choice = next(field for field in protocol["fields"] if field["kind"] == "choice" and not field.get("title"))
    first, second = (option["value"] for option in choice["options"][:2])
    surface = new_desk(case(1, judgment(fields={choice["name"]: first}), judgment(fields={choice["name"]: second})))
    surface.server.campaign.protocol = protocol
    surface.open().ready(1)
    surface.part("card").nth(1).locator("[data-part]").first.click()
    surface.press("s")
    expect(surface.part("basis")).to_have_text("taken: just what B says")
    posted = decided(surface)
    assert (posted["basis"], posted["fields"][choice["name"]]) == ("taken", second)
