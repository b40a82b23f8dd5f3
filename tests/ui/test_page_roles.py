"""Every page x every role, and that whatever Streamlit runs without the page asks anew who looks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block

from audit_core.domain import CampaignState, Role
from audit_core.errors import NotAllowed
from audit_core.storage.cleaning_runs import Rewording
from audit_core.storage.people import Person
from audit_core.ui import access
from audit_core.workflow import sessions
from audit_core.workflow.accounts import disable_account, set_role
from audit_core.workflow.annotators import open_to_all, remove_annotator
from audit_core.workflow.campaign_states import pause_campaign, set_campaign_state
from audit_core.workflow.campaigns import find_campaign
from audit_core.workflow.cleanings import add_run, finish_run
from audit_core.workflow.importing import list_datasets
from audit_core.workflow.rewrites import list_rewrites
from audit_core.workflow.sample import add_sample
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account
from tests.ui.conftest import run, shown

ROOT = Path(__file__).parents[2]
PAGES = sorted((ROOT / "pages").glob("*.py"))
SHELL = ROOT / "audit_core" / "ui" / "shell" / "main.py"
#: Page -> the least role that may open it. A new page must get a line here.
ROLE_OF = {
    "account": Role.ANNOTATOR,
    "accounts": Role.LEAD,
    "activity": Role.LEAD,
    "agreement": Role.ADJUDICATOR,
    "adjudication": Role.ADJUDICATOR,
    "campaign": Role.LEAD,
    "campaigns": Role.ANNOTATOR,
    "cleaned": Role.LEAD,
    "cleaning": Role.LEAD,
    "comparison": Role.LEAD,
    "corrections": Role.ADJUDICATOR,
    "datasets": Role.LEAD,
    "jobs": Role.LEAD,
    "new_campaign": Role.LEAD,
    "new_comparison": Role.LEAD,
    "new_scoring": Role.LEAD,
    "questions": Role.ADJUDICATOR,
    "release": Role.LEAD,
    "report": Role.ADJUDICATOR,
    "rewordings": Role.LEAD,
    "scoring": Role.LEAD,
}
#: What stands in the navigation.
NAVIGATION = {
    Role.ANNOTATOR: ["Campaigns"],
    Role.ADJUDICATOR: ["Campaigns", "Report"],
    Role.LEAD: ["Campaigns", "Report", "Datasets", "Cleaning", "Jobs", "Accounts", "Activity"],
}
NAMES = {Role.ANNOTATOR: "Ada", Role.ADJUDICATOR: "Cora", Role.LEAD: "Lena"}
SignIn = Callable[[Person | None], None]


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


@pytest.fixture
def people(workspace: Workspace) -> dict[Role, Person]:
    """One person of each role."""
    return {role: with_account(workspace, name, role) for role, name in NAMES.items()}


@pytest.fixture
def as_person(monkeypatch: pytest.MonkeyPatch) -> SignIn:
    """A function that signs somebody in instead of whoever was before; nobody for None."""

    def change(person: Person | None) -> None:
        monkeypatch.setattr(access, "current_person", lambda: person)

    return change


# --- pages ---------------------------------------------------------------------------------------------------------


def test_every_page_of_the_folder_has_its_role_and_asks_for_it_before_anything_else() -> None:
    found = {}
    for page in PAGES:
        body = ast.parse(page.read_text(encoding="utf-8")).body
        first = next(each for each in body[1:] if not isinstance(each, ast.Import | ast.ImportFrom))
        value = first.value if isinstance(first, ast.Assign | ast.Expr) else None
        assert isinstance(value, ast.Call), page.stem
        assert ast.unparse(value.func) == "require_person", page.stem
        asked = [ast.unparse(each) for each in value.args]
        found[page.stem] = Role[asked[0].removeprefix("Role.")] if asked else Role.ANNOTATOR
    assert found == ROLE_OF


def _kinds(page: AppTest) -> set[str]:
    """The kinds of what is drawn; blocks hold it."""
    return {type(each).__name__ for each in page.main if not isinstance(each, Block)}


@pytest.mark.parametrize("page", PAGES, ids=lambda each: each.stem)
def test_a_page_opens_to_those_who_may_and_refuses_the_others(
    page: Path, workspace: Workspace, people: dict[Role, Person], as_person: SignIn
) -> None:
    campaign = add_sample(workspace)
    for query in ({}, {"campaign": str(campaign.id)}):
        as_person(None)
        assert shown(run(page.stem, **query)).strip() == ""
        for role, person in people.items():
            as_person(person)
            test = run(page.stem, **query)
            if role.allows(ROLE_OF[page.stem]):
                assert not any("This is for" in each.value for each in test.error)
                assert len(test.title) == 1
                continue
            (refusal,) = [each.value for each in test.error]
            assert refusal.startswith(
                f"This is for a{'n' * (ROLE_OF[page.stem] is Role.ADJUDICATOR)} {ROLE_OF[page.stem]},"
            )
            assert shown(test).strip() == refusal
            assert _kinds(test) == {"Error"}


@pytest.mark.parametrize("role", [None, *Role])
def test_all_pages_are_registered_and_each_role_is_shown_its_own(
    people: dict[Role, Person], as_person: SignIn, monkeypatch: pytest.MonkeyPatch, role: Role | None
) -> None:
    """All are registered for everybody, so that an address opens the refusal and not some other page."""
    asked: list[Any] = []

    def navigation(pages: list[Any], **named: str) -> SimpleNamespace:
        asked.append((pages, named["position"]))
        return SimpleNamespace(run=lambda: None)

    monkeypatch.setattr(streamlit, "navigation", navigation)
    as_person(people[role] if role else None)
    test = AppTest.from_file(str(SHELL), default_timeout=60).run()
    assert not test.exception, test.exception
    ((pages, position),) = asked
    assert sorted(each._page.stem for each in pages) == [each.stem for each in PAGES]
    # The page that opens without an address cannot be hidden, the whole navigation is.
    assert [each.title for each in pages if each.visibility == "visible"] == (
        NAVIGATION[role] if role else ["Campaigns"]
    )
    assert position == ("top" if role else "hidden")


# --- the list of campaigns -----------------------------------------------------------------------------------------


@pytest.fixture
def three(workspace: Workspace, people: dict[Role, Person]) -> dict[str, int]:
    """Campaign `hers` is handed to Ada, `withheld` to Bob, `all` is open to everybody; their ids."""
    add_sample(workspace)
    bob = with_account(workspace, "Bob")
    (dataset,) = list_datasets(workspace)
    handed = {"hers": (people[Role.ANNOTATOR].id,), "withheld": (bob.id,), "all": None}
    return {
        name: start_team_campaign(workspace, dataset=dataset, name=f"{name} one", team=TeamRequest(annotators=each)).id
        for name, each in handed.items()
    }


def _keys(page: AppTest) -> set[str]:
    return {str(each.key).rpartition("-")[0] or str(each.key) for each in page.button}


def test_an_annotator_sees_their_campaigns_with_their_own_counts_and_one_door(
    workspace: Workspace, three: dict[str, int], people: dict[Role, Person], as_person: SignIn
) -> None:
    as_person(people[Role.ANNOTATOR])
    page = run("campaigns")
    words = shown(page)
    assert "hers one" in words
    assert "all one" in words
    assert "withheld one" not in words
    for untold in ("answered by", "seed", "judgment an entry", "carried over", "No campaign yet"):
        assert untold not in words, untold
    assert "You: 0 answered" in "\n".join(str(each.proto) for each in page.get("progress"))
    assert not page.button
    assert not page.get("popover")
    assert not page.text_input


def test_a_seat_that_is_given_or_taken_changes_the_list_at_once(
    workspace: Workspace, three: dict[str, int], people: dict[Role, Person], as_person: SignIn
) -> None:
    ada = people[Role.ANNOTATOR]
    as_person(ada)
    hers, _ = workspace.campaign(three["hers"])
    withheld, _ = workspace.campaign(three["withheld"])
    remove_annotator(workspace, hers, ada.id)
    open_to_all(workspace, withheld, True)
    words = shown(run("campaigns"))
    assert "hers one" not in words
    assert "withheld one" in words


def test_a_campaign_that_is_paused_or_closed_says_so_to_its_annotators(
    workspace: Workspace, three: dict[str, int], people: dict[Role, Person], as_person: SignIn
) -> None:
    as_person(people[Role.ANNOTATOR])
    pause_campaign(workspace, workspace.campaign(three["hers"])[0])
    set_campaign_state(workspace, workspace.campaign(three["all"])[0], CampaignState.CLOSED)
    words = shown(run("campaigns"))
    assert "**hers one**  :orange-badge[paused]" in words
    assert "**all one**  :gray-badge[closed]" in words


def test_an_annotator_without_a_campaign_is_told_what_to_wait_for(
    people: dict[Role, Person], as_person: SignIn
) -> None:
    for role, words in ((Role.ANNOTATOR, "no campaign for you yet"), (Role.LEAD, "There is no dataset yet")):
        as_person(people[role])
        assert words in shown(run("campaigns"))


def test_an_adjudicator_sees_reports_and_questions_of_all_and_nothing_to_change(
    three: dict[str, int], people: dict[Role, Person], as_person: SignIn
) -> None:
    as_person(people[Role.ADJUDICATOR])
    page = run("campaigns")
    words = shown(page)
    assert "withheld one" in words
    assert "answered by 0 annotators" in words
    assert _keys(page) == {"report", "adjudicate", "agreement", "questions"}
    assert not page.text_input


def test_a_lead_sees_every_door_and_judges_where_they_have_a_seat(
    three: dict[str, int], people: dict[Role, Person], as_person: SignIn
) -> None:
    as_person(people[Role.LEAD])
    page = run("campaigns")
    assert {
        "report",
        "progress",
        "questions",
        "state",
        "archive-campaign",
        "delete-campaign",
        "export-judgments",
    } <= _keys(page)
    # They judge where the campaign is handed to them or open to all.
    judged = {str(each.proto) for each in page.get("bidi_component")}
    assert any(f"judge-{three['all']}" in each for each in judged)
    assert not any(f"judge-{three['withheld']}" in each for each in judged)
    followed = run("campaigns").button(key=f"progress-{three['withheld']}").click().run()
    assert not followed.exception
    assert followed.title[0].value == "withheld one"


# --- what runs without the page ------------------------------------------------------------------------------------

UI = sorted([*(ROOT / "audit_core" / "ui").rglob("*.py"), *(ROOT / "cleaning" / "ui").rglob("*.py"), *PAGES])
#: Callbacks that change nothing but what the page itself shows.
OF_THE_PAGE_ALONE = {
    "hand_over": "sets strategies and thresholds of another tab",
    "_choose": "ticks corrections",
    "_turn_to": "opens the form of one correction",
    "_close": "closes it",
    "renew": "sets the seed in the field",
    "_leave": "forgets which rewordings were decided on this page",
    "lambda: st.session_state.update({'activity-lines': count + LINES})": "lists more lines",
}
CALLBACKS = {"on_click", "on_change", "on_submit", "on_select"}


def _trees() -> Iterator[tuple[str, ast.Module]]:
    for file in UI:
        yield str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))


def test_every_fragment_and_dialog_asks_anew() -> None:
    """Streamlit draws them again without the page around them."""
    found = 0
    for file, tree in _trees():
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            marks = [ast.unparse(each) for each in node.decorator_list]
            if any(each.startswith(("st.fragment", "st.dialog")) for each in marks):
                found += 1
                assert marks[-1].startswith("only_for(Role."), f"{file}: {node.name}"
            assert not any("fragment" in each and not each.startswith("st.") for each in marks), f"{file}: {node.name}"
    assert found >= 20


def _acting(tree: ast.Module) -> set[str]:
    """The functions of a module that ask who acts, by themselves or through another one of the module."""
    bodies = {node.name: ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    found = {"acting_person"}
    while more := {name for name, body in bodies.items() if any(f"{each}(" in body for each in found)} - found:
        found |= more
    return found


def test_every_callback_asks_anew() -> None:
    """Streamlit calls them before the page's own check."""
    found = 0
    for file, tree in _trees():
        acting = _acting(tree)
        for node in ast.walk(tree):
            for each in node.keywords if isinstance(node, ast.Call) else ():
                if each.arg in CALLBACKS and not isinstance(each.value, ast.Constant):
                    found += 1
                    assert ast.unparse(each.value) in acting | set(OF_THE_PAGE_ALONE), f"{file}: {ast.unparse(each)}"
    assert found >= 5


def test_every_download_that_is_made_later_asks_anew() -> None:
    """Streamlit makes it outside of the page; a download that is made with the page was checked with it."""
    made_now = {("audit_core/ui/report_view.py", "module.write(report)")}
    for file, tree in _trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".download_button"):
                content = ast.unparse(node.args[1])
                assert content.startswith("made_when_asked(") or (file, content) in made_now, f"{file}: {content}"


def _fragment() -> None:
    import streamlit as st

    from audit_core.domain import Role
    from audit_core.ui.access import only_for

    @st.fragment
    @only_for(Role.LEAD)
    def told() -> None:
        st.markdown("secret")

    told()


def test_a_fragment_is_drawn_for_those_who_may_alone(people: dict[Role, Person], as_person: SignIn) -> None:
    for role, words in ((Role.LEAD, "secret"), (Role.ADJUDICATOR, "This is for a lead"), (None, "")):
        as_person(people[role] if role else None)
        page = AppTest.from_function(_fragment, default_timeout=60).run()
        assert not page.exception
        assert shown(page).strip().startswith(words)
        assert ("secret" in shown(page)) == (role is Role.LEAD)


def test_a_download_is_refused_once_its_maker_may_no_longer(
    workspace: Workspace, people: dict[Role, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    with_account(workspace, "Grace", Role.LEAD)
    token = sessions.token_for(workspace, people[Role.LEAD])
    context = SimpleNamespace(cookies={"assay_session": token}, headers={})
    monkeypatch.setattr(access.st, "context", context)
    made = access.made_when_asked(lambda: "content", Role.LEAD)
    # It is made outside of any page, where nothing is known of the browser.
    monkeypatch.setattr(access.st, "context", SimpleNamespace(cookies={}, headers={}))
    assert made() == "content"
    set_role(workspace, "Lena", Role.ADJUDICATOR)
    with pytest.raises(NotAllowed, match="This is for a lead, and you are an adjudicator"):
        made()
    set_role(workspace, "Lena", Role.LEAD)
    assert made() == "content"
    disable_account(workspace, "Lena", disabled=True)
    with pytest.raises(NotAllowed, match="signed out"):
        made()


def test_a_rewording_is_not_decided_by_somebody_who_was_signed_out_or_leads_no_more(
    workspace: Workspace, people: dict[Role, Person], as_person: SignIn
) -> None:
    add_sample(workspace)
    (dataset,) = list_datasets(workspace)
    query_id, text = next(iter(_queries(workspace)))
    row = add_run(workspace, dataset, kind="rewrite", name="better", spec={})
    result = {"queries": 1, "proposed": 1, "unchanged": 0, "unanswered": 0, "spent": {}}
    finish_run(workspace, row.id, result=result, rewordings=[Rewording(query_id, text, "Other?", "It points.")])
    for after in (None, people[Role.ADJUDICATOR]):
        as_person(people[Role.LEAD])
        page = run("rewordings", rewordings=str(row.id))
        as_person(after)
        page.button(key=f"accept-{query_id}").click().run()
        assert [each.state.value for each in list_rewrites(workspace, row.id)] == ["proposed"]
        assert query_id not in shown(page)


def _queries(workspace: Workspace) -> Iterator[tuple[str, str]]:
    campaign = find_campaign(workspace, "try-it")
    revision = workspace.revision(workspace.dataset(campaign.dataset_id))
    for each in revision.query_ids():
        yield each, revision.query(each).text
