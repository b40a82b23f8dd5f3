"""Every route x every role x whose: nobody gets at anybody else's work by an address, and no refusal says what there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count, product
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from httpx2 import Response
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from audit_core.domain import CampaignState, Role
from audit_core.storage import campaigns
from audit_core.storage.campaigns import CampaignRow
from audit_core.storage.people import Person
from audit_core.storage.schema import comment, draft, judgment
from audit_core.web import host_check
from audit_core.workflow import comments, flags, judging, sessions, sign_in
from audit_core.workflow.accounts import set_role
from audit_core.workflow.annotators import remove_annotator
from audit_core.workflow.campaign_states import set_campaign_state
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.team_campaigns import TeamRequest, start_team_campaign
from audit_core.workflow.workspace import Workspace
from tests.accounts import cheap_hashes, with_account
from tests.bundles import small_bundle, without_judgments
from tests.campaigns_in_order import in_dataset_order
from tests.homes import row_counts
from tests.web.conftest import OURS, Browser
from tests.web.test_access import ALL, FOR_ANYBODY, GUARDED

#: Whose, from Ada's side: a campaign that she judges in, one that she does not, one of hers that is closed, and none at all.
PLACES = ("own", "foreign", "closed", "nowhere")
NOWHERE = 999_999
#: Stands in all that Bob says.
SECRET = "ZEBRA"

Answers = tuple[int, int, int, int]
NOBODYS: Answers = (404, 404, 404, 404)


def _row(annotator: Answers, adjudicator: Answers, lead: Answers | None = None) -> dict[Role, Answers]:
    return {Role.ANNOTATOR: annotator, Role.ADJUDICATOR: adjudicator, Role.LEAD: lead or adjudicator}


#: What is for whoever has a seat, of whatever role; the adjudicator and the lead of these tests have none.
_SEATS = _row((200, 404, 200, 404), NOBODYS)
_SEATS_IN_OPEN_ONES = _row((200, 404, 410, 404), NOBODYS)
#: What adjudicators and leads may do in every campaign.
_ALL_FOR_ADJUDICATORS = _row((200, 404, 200, 404), (200, 200, 200, 404))
#: What adjudicators and leads alone may do.
_NOT_FOR_ANNOTATORS = _row((403,) * 4, (200, 200, 200, 404))
#: Route -> the answers for each role, in the order of PLACES. A new route must get a line here.
EXPECTED = {
    ("GET", "/api/campaigns/{cid}/state"): _SEATS,
    ("GET", "/api/campaigns/{cid}/upcoming"): _SEATS,
    ("GET", "/api/campaigns/{cid}/overview"): _SEATS,
    ("GET", "/api/campaigns/{cid}/entries/{number}"): _SEATS,
    ("GET", "/api/campaigns/{cid}/entries/{number}/documents/{document}/pages"): _SEATS,
    ("POST", "/api/campaigns/{cid}/claims"): _SEATS,
    ("PUT", "/api/entries/{id}/draft"): _SEATS,
    ("DELETE", "/api/entries/{id}/draft"): _SEATS,
    ("POST", "/api/entries/{id}/flags"): _SEATS_IN_OPEN_ONES,
    ("POST", "/api/entries/{id}/judgments"): _SEATS_IN_OPEN_ONES,
    ("GET", "/api/entries/{id}/comments"): _ALL_FOR_ADJUDICATORS,
    ("POST", "/api/entries/{id}/comments"): _row((200, 404, 410, 404), (200, 200, 200, 404)),
    ("GET", "/api/entries/{id}/precedents"): _ALL_FOR_ADJUDICATORS,
    ("GET", "/api/campaigns/{cid}/adjudication"): _NOT_FOR_ANNOTATORS,
    ("GET", "/api/campaigns/{cid}/adjudication/overview"): _NOT_FOR_ANNOTATORS,
    ("POST", "/api/campaigns/{cid}/decisions/unanimous"): _NOT_FOR_ANNOTATORS,
    ("POST", "/api/entries/{id}/decisions"): _NOT_FOR_ANNOTATORS,
    # Ada's own comments; Bob's stand in the foreign campaign.
    ("DELETE", "/api/comments/{id}"): _row((200, 404, 200, 404), NOBODYS, (403, 403, 403, 404)),
    # Addresses made for Ada, for Bob, for Ada again, and made up.
    ("GET", "/api/pages/{dataset}/image"): _row((200, 404, 200, 404), (200, 200, 200, 200)),
    # One's own password, whatever else the request says.
    ("POST", "/api/password"): _row((422,) * 4, (422,) * 4),
}
ROUTES = [each for each in GUARDED if each[0] != "HEAD"]
#: Those that read come first: what is written later must not make them say more.
IN_ORDER = sorted(ROUTES, key=lambda each: (each[0] != "GET", each[0] == "DELETE", each[1]))


@dataclass
class World:
    """A dataset with three campaigns, in each of which Bob said all that can be said; Ada has a seat in two of them."""

    workspace: Workspace
    open_browser: Callable[..., Browser]
    people: dict[str, Person]
    campaigns: dict[str, CampaignRow]
    comments: dict[str, int] = field(default_factory=dict)
    nonces: Iterator[int] = field(default_factory=lambda: count(1))

    def browser(self, name: str) -> Browser:
        """A browser in which that person is signed in."""
        browser = self.open_browser()
        browser.client.cookies.set(sign_in.COOKIE, sessions.token_for(self.workspace, self.people[name]))
        return browser

    def entry(self, place: str, number: int = 1) -> int:
        """The id of an entry."""
        if place == "nowhere":
            return NOWHERE
        with self.workspace.database.read() as connection:
            row = campaigns.entry_by_number(connection, self.campaigns[place].id, number)
        assert row is not None
        return row.id

    def src(self, name: str, number: int = 1) -> str:
        """The address of the image of an entry's first page, as that person got it."""
        answer = self.browser(name).get(f"/api/campaigns/{self.campaigns['own'].id}/entries/{number}")
        return str(answer.json()["entry"]["pages"][0]["src"])

    def filled(self, path: str, place: str) -> str:
        """The address of a route in one of the places."""
        if path == "/api/pages/{dataset}/image":
            return self._image(place)
        campaign = NOWHERE if place == "nowhere" else self.campaigns[place].id
        identity = self.comments.get(place, NOWHERE) if path.startswith("/api/comments/") else self.entry(place)
        values = {"cid": campaign, "number": 1, "document": 0, "id": identity}
        return re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), path)

    def _image(self, place: str) -> str:
        mine, bobs = self.src("Ada"), self.src("Bob")
        return {"foreign": bobs, "nowhere": re.sub("for=[0-9a-f]+", f"for={'0' * 32}", mine)}.get(place, mine)

    def ask(self, browser: Browser, method: str, path: str, **options: Any) -> Response:
        """A request with a body that every route understands."""
        body = {
            "nonce": f"nonce-{next(self.nonces):06}",
            "base_revision": 0,
            "outcome": "judged",
            "codes": "",
            "text": "mine",
            "question": "mine?",
            "numbers": [1],
            "basis": "own",
            "reason": "mine",
        }
        return browser.send(method, path, None if method in ("GET", "HEAD") else body, **options)

    def say_all(self, name: str, place: str) -> int:
        """Judge, comment and ask on entry 1, and write a draft on entry 2, as that person; return the comment's id."""
        person, workspace, word = self.people[name], self.workspace, SECRET if name == "Bob" else "mine"
        first = self.entry(place)
        said = comments.add_comment(workspace, person, entry_id=first, text=f"{word} comment")
        if name == "Bob":
            flags.raise_flag(workspace, person, entry_id=first, question=f"{word} question")
            body = {"outcome": "judged", "codes": "FE", "note": f"{word} note", "base_revision": 0}
            nonce = f"{word}-{place}-0001"
            judging.save_judgment(workspace, person, entry_id=first, body={**body, "nonce": nonce})
            judging.save_draft(workspace, person, entry_id=self.entry(place, 2), body=body)
        return said.comment.id

    def rows_of(self, table: sa.Table, name: str) -> list[Any]:
        """All rows of a table that are a person's."""
        with self.workspace.database.read() as connection:
            query = sa.select(table).where(table.c.person_id == self.people[name].id)
            return [tuple(each) for each in connection.execute(query)]


@pytest.fixture
def world(
    workspace: Workspace, tmp_path: Path, open_browser: Callable[..., Browser], monkeypatch: pytest.MonkeyPatch
) -> World:
    """Ada and Bob annotate, Cora adjudicates, Lena leads."""
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    roles = {"Ada": Role.ANNOTATOR, "Bob": Role.ANNOTATOR, "Cora": Role.ADJUDICATOR, "Lena": Role.LEAD}
    with cheap_hashes():
        people = {name: with_account(workspace, name, role) for name, role in roles.items()}
    dataset = import_bundle(workspace, small_bundle(tmp_path / "bundle", without_judgments)).dataset
    handed = {"own": ("Ada", "Bob"), "foreign": ("Bob",), "closed": ("Ada", "Bob")}
    made = {}
    for place, names in handed.items():
        team = TeamRequest(annotators=tuple(people[each].id for each in names))
        row = start_team_campaign(workspace, dataset=dataset, name=f"campaign {place}", team=team)
        made[place] = in_dataset_order(workspace, row)
    world = World(workspace, open_browser, people, made)
    for place in handed:
        said = world.say_all("Bob", place)
        world.comments[place] = said if place == "foreign" else world.say_all("Ada", place)
    set_campaign_state(workspace, made["closed"], CampaignState.CLOSED)
    return world


WHO = {Role.ANNOTATOR: "Ada", Role.ADJUDICATOR: "Cora", Role.LEAD: "Lena"}


def test_every_route_has_its_line_in_the_table() -> None:
    assert set(ROUTES) == set(EXPECTED)
    assert {path for _, path in ALL} == {path for _, path in [*EXPECTED, *FOR_ANYBODY]}


@pytest.mark.parametrize("role", list(Role))
def test_every_route_answers_each_role_what_is_theirs_and_refuses_the_rest(world: World, role: Role) -> None:
    browser = world.browser(WHO[role])
    found: dict[tuple[str, str], Answers] = {}
    for method, path in IN_ORDER:
        answers = []
        for place in PLACES:
            address, before = world.filled(path, place), row_counts(world.workspace)
            answer = world.ask(browser, method, address)
            answers.append(answer.status_code)
            if answer.status_code >= 400:
                assert row_counts(world.workspace) == before, (method, path, place)
            if role is Role.ANNOTATOR:
                assert SECRET not in answer.text, (method, path, place)
                assert "Bob" not in answer.text, (method, path, place)
            if method == "GET":
                assert world.ask(browser, "HEAD", address).status_code == answer.status_code
        found[method, path] = (answers[0], answers[1], answers[2], answers[3])
    assert found == {each: EXPECTED[each][role] for each in IN_ORDER}


def test_what_is_not_an_annotators_is_refused_as_what_does_not_exist(world: World) -> None:
    ada = world.browser("Ada")
    for method, path in IN_ORDER:
        theirs, nowhere = (world.ask(ada, method, world.filled(path, place)) for place in ("foreign", "nowhere"))
        assert (theirs.status_code, theirs.text) == (nowhere.status_code, nowhere.text), (method, path)


def test_what_somebody_else_wrote_is_never_changed_by_another(world: World) -> None:
    tables = (judgment, draft, comment)
    before = [world.rows_of(each, "Bob") for each in tables]
    assert all(before)
    for name, (method, path), place in product(("Ada", "Cora", "Lena"), IN_ORDER, PLACES):
        if method not in ("GET", "HEAD"):
            world.ask(world.browser(name), method, world.filled(path, place))
    assert [world.rows_of(each, "Bob") for each in tables] == before


# --- cookies and origins -------------------------------------------------------------------------------------------


def test_a_forged_cookie_opens_nothing(world: World) -> None:
    token = sessions.token_for(world.workspace, world.people["Lena"])
    last = "A" if token[-1] != "A" else "B"
    forged = (
        token[:-1] + last,
        token[:-1],
        token + "=",
        token.swapcase(),
        sessions.token_hash(token),
        str(world.people["Lena"].id),
        "Lena",
        "0",
        "",
    )
    before = row_counts(world.workspace)
    for cookie, (method, path) in product(forged, IN_ORDER):
        browser = world.open_browser()
        browser.client.cookies.set(sign_in.COOKIE, cookie)
        answer = world.ask(browser, method, world.filled(path, "own"))
        assert (answer.status_code, answer.json()["code"]) == (401, "signed_out"), (cookie, path)
        # Two browsers ask for addresses of images meanwhile: their sign-ins are the only rows that come.
        assert SECRET not in answer.text
    after = row_counts(world.workspace)
    assert {name for name in after if after[name] != before[name]} <= {"session"}


@pytest.mark.parametrize("name", ["Ada", "Lena"])
@pytest.mark.parametrize("origin", ["http://evil.example", "http://testserver.evil.example", "null", None])
def test_a_wrong_origin_changes_nothing_whoever_is_signed_in(world: World, name: str, origin: str | None) -> None:
    browser = world.browser(name)
    headers = {each: value for each, value in {**OURS, "Origin": origin}.items() if value is not None}
    before = row_counts(world.workspace)
    for method, path in IN_ORDER:
        if method != "GET":
            answer = world.ask(browser, method, world.filled(path, "own"), headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (403, "forbidden"), (method, path)
    assert row_counts(world.workspace) == before


# --- entries, drafts, nonces ---------------------------------------------------------------------------------------


def test_an_entry_number_of_a_campaign_without_a_seat_opens_nothing(world: World) -> None:
    ada, own, foreign = world.browser("Ada"), world.campaigns["own"].id, world.campaigns["foreign"].id
    before = row_counts(world.workspace)
    for address in (
        f"/api/campaigns/{foreign}/entries/1",
        f"/api/campaigns/{foreign}/state?entry=1",
        f"/api/campaigns/{foreign}/state?entry=1&count=0",
        f"/api/campaigns/{foreign}/overview?numbers=1,2,3",
        f"/api/campaigns/{foreign}/upcoming?skip=1",
        f"/api/campaigns/{foreign}/entries/1/documents/0/pages?around=p1",
        f"/api/campaigns/{own}/entries/4",
        f"/api/campaigns/{own}/entries/{world.entry('foreign')}0",
    ):
        answer = ada.get(address)
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found"), address
    assert row_counts(world.workspace) == before


def test_anothers_draft_is_neither_read_nor_replaced_nor_discarded(world: World) -> None:
    ada, bobs = world.browser("Ada"), world.rows_of(draft, "Bob")
    for place, status in (("own", 200), ("foreign", 404)):
        path = f"/api/entries/{world.entry(place, 2)}/draft"
        assert world.ask(ada, "PUT", path).status_code == status
        assert world.ask(ada, "DELETE", path).status_code == status
    assert world.rows_of(draft, "Bob") == bobs
    assert ada.get(f"/api/campaigns/{world.campaigns['own'].id}/entries/2").json()["entry"]["draft"] is None


def test_anothers_nonce_says_nothing_of_their_judgment(world: World) -> None:
    ada, entry = world.browser("Ada"), world.entry("own")
    answer = ada.judge(entry, nonce=f"{SECRET}-own-0001")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert set(answer.json()) == {"error", "code"}
    assert world.rows_of(judgment, "Ada") == []


def test_whoever_was_taken_out_gets_no_further_by_any_address_of_an_open_tab(world: World) -> None:
    ada = world.browser("Ada")
    addresses = [
        (method, path, world.filled(path, "own")) for method, path in IN_ORDER if "pages/{dataset}" not in path
    ]
    remove_annotator(world.workspace, world.campaigns["own"], world.people["Ada"].id)
    for method, path, address in addresses:
        if EXPECTED[method, path] not in (_SEATS, _SEATS_IN_OPEN_ONES, _ALL_FOR_ADJUDICATORS):
            continue
        answer = world.ask(ada, method, address)
        assert answer.status_code == 404, (method, path)
        assert SECRET not in answer.text


# --- page images ---------------------------------------------------------------------------------------------------


def test_an_image_opens_at_the_address_that_its_person_got_and_at_no_guess(world: World) -> None:
    ada, src = world.browser("Ada"), world.src("Ada")
    signature, key = re.findall("for=([0-9a-f]{32})&v=([0-9a-f]{32})", src)[0]
    assert ada.get(src).status_code == 200
    other = world.src("Ada", 2)
    of_other = re.findall("for=([0-9a-f]{32})", other)[0]
    guesses = (
        src.replace(f"&for={signature}", ""),
        src.replace(signature, ""),
        src.replace(signature, signature[:-1]),
        src.replace(signature, signature.upper()) if signature.upper() != signature else src.replace(signature, "x"),
        src.replace(signature, "0" * 32),
        src.replace(signature, of_other),
        src.replace(signature, "%C3%A9" * 32),
        src.replace(signature, "%00"),
        src.replace("page=p1", "page=p2"),
        src.replace("page=p1", "page=nowhere"),
        src.replace(key, "0" * 32),
        f"{src}&for={of_other}",
        f"{src}&page=p2",
        re.sub("/pages/[0-9a-f]{64}/", f"/pages/{'f' * 64}/", src),
        world.src("Bob"),
    )
    refusals = {(answer.status_code, answer.text) for answer in map(ada.get, guesses)}
    assert len(refusals) == 1, "a refusal does not tell whether there is such a page"
    assert refusals.pop()[0] == 404
    assert all("immutable" not in ada.get(each).headers.get("cache-control", "") for each in guesses)


def test_an_address_stays_the_same_for_its_person_so_that_the_browser_keeps_the_image(world: World) -> None:
    assert world.src("Ada") == world.src("Ada")
    assert world.src("Ada") != world.src("Bob")
    leafed = world.browser("Ada").get(f"/api/campaigns/{world.campaigns['own'].id}/entries/1/documents/0/pages").json()
    assert world.src("Ada") in [each["src"] for each in leafed["pages"]]
    assert all(world.browser("Ada").get(each["src"]).status_code == 200 for each in leafed["pages"])


def test_the_resolution_is_asked_for_behind_the_signed_address(world: World) -> None:
    assert world.browser("Ada").get(f"{world.src('Ada')}&dpi=300").status_code == 200


def test_leads_and_adjudicators_open_every_image_until_their_role_is_taken(world: World) -> None:
    unsigned = re.sub("&for=[0-9a-f]+", "", world.src("Ada"))
    for name in ("Cora", "Lena"):
        assert world.browser(name).get(unsigned).status_code == 200
    cora = world.browser("Cora")
    set_role(world.workspace, "Cora", Role.ANNOTATOR)
    assert cora.get(unsigned).status_code == 404


def test_the_signature_costs_no_query_to_the_database(world: World) -> None:
    def statements(name: str) -> int:
        browser, src, seen = world.browser(name), world.src("Ada"), []
        browser.get(src)
        engine = world.workspace.database.engine

        def note(*_arguments: object) -> None:
            seen.append(1)

        sa.event.listen(engine, "before_cursor_execute", note)
        try:
            assert browser.get(src).status_code == 200
        finally:
            sa.event.remove(engine, "before_cursor_execute", note)
        return len(seen)

    assert statements("Ada") == statements("Lena") > 0


# --- files ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/_stcore/upload_file/a/b", "/below/_stcore/upload_file/a/b", "/_stcore/%75pload_file/a/b"]
)
def test_streamlit_is_given_files_by_leads_alone(world: World, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Streamlit itself asks for a number that every open page has, signed in or not."""
    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "testserver")
    taken: list[bytes] = []

    async def take(request: Request) -> PlainTextResponse:
        taken.append(await request.body())
        return PlainTextResponse("taken")

    app = Starlette(
        routes=[Route("/{rest:path}", take, methods=["PUT", "DELETE", "OPTIONS", "GET"])], middleware=host_check()
    )
    said = {}
    for name, method in product((None, "Ada", "Cora", "Lena"), ("PUT", "DELETE")):
        with TestClient(app) as client:
            if name is not None:
                client.cookies.set(sign_in.COOKIE, sessions.token_for(world.workspace, world.people[name]))
            said[name, method] = client.request(method, path, content=b"file").status_code
            assert client.options(path).status_code == 200
            assert client.get("/_stcore/health").status_code == 200
    assert {name: status for (name, _), status in said.items()} == {None: 401, "Ada": 403, "Cora": 403, "Lena": 200}
    assert [each for each in taken if each] == [b"file", b"file"]
