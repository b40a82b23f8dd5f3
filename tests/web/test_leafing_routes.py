"""The routes beside judging: pages to leaf through, sharper page images, questions to the lead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from audit_core.storage.campaigns import CampaignRow
from audit_core.workflow.flags import answer_flag
from audit_core.workflow.sign_in import sign_in
from audit_core.workflow.workspace import Workspace
from tests.homes import with_campaign
from tests.importers.small_bundle import Rows
from tests.web.conftest import Browser


def _entry(browser: Browser, campaign: CampaignRow, number: int = 1) -> dict[str, object]:
    entry: dict[str, object] = browser.get(f"/api/campaigns/{campaign.id}/entries/{number}").json()["entry"]
    return entry


def test_a_leafed_page_comes_with_an_image_that_is_served(ada: Browser, campaign: CampaignRow, tmp_path: Path) -> None:
    answer = ada.get(f"/api/campaigns/{campaign.id}/entries/1/documents/0/pages", params={"around": "p1", "count": 3})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    listed, other = answer.json()["pages"]
    assert (listed["listed"], other["listed"], other["page_id"]) == (True, False, "p2")
    assert ada.get(other["src"]).content == (tmp_path / "bundle" / "images" / "p2.png").read_bytes()
    found = ada.get(f"/api/campaigns/{campaign.id}/entries/1/documents/0/pages", params={"find": "2"}).json()
    assert (found["matches"], [page["position"] for page in found["pages"]]) == ([2], [1, 2])


@pytest.mark.parametrize(
    "path",
    ["1/documents/1/pages", "1/documents/x/pages", "9/documents/0/pages", "1/documents/0/pages?around=p3",
     "1/documents/0/pages?find=99", "1/documents/0/pages?from=-1", "1/documents/0/pages?count=many",
     "1/documents/0/pages?around=%00", "1/documents/-1/pages"],
)  # fmt: skip
def test_a_page_of_another_document_or_none_is_not_found(ada: Browser, campaign: CampaignRow, path: str) -> None:
    answer = ada.get(f"/api/campaigns/{campaign.id}/entries/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_leafing_is_for_people_who_are_signed_in(open_browser: Callable[..., Browser], campaign: CampaignRow) -> None:
    answer = open_browser().get(f"/api/campaigns/{campaign.id}/entries/1/documents/0/pages")
    assert answer.status_code == 401


def test_pages_with_odd_ids_are_leafed(ada: Browser, workspace: Workspace, tmp_path: Path) -> None:
    odd = ["a/b", "..", "?x=1&v=2", "é ü", "صفحة", "#page=1", "a\u2028b", "%2F"]

    def change(rows: Rows) -> None:
        for name in ("judgments/audit", "labels/removal", "elements"):
            del rows[name]
        page = rows["pages"][0]
        rows["documents"] = [{**rows["documents"][0], "document_id": "d/../1?", "page_count": len(odd)}]
        rows["pages"] = [
            {**page, "document_id": "d/../1?", "page_id": each, "page_index": at} for at, each in enumerate(odd)
        ]
        rows["queries"] = [{**rows["queries"][0], "evidence": [{"page_id": odd[0]}]}]

    campaign = with_campaign(workspace, tmp_path / "odd", change)
    for at, each in enumerate(odd, start=1):
        address = f"/api/campaigns/{campaign.id}/entries/1/documents/0/pages?count=1&around={quote(each, safe='')}"
        (page,) = ada.get(address).json()["pages"]
        assert (page["page_id"], page["position"]) == (each, at)
        assert ada.get(page["src"]).status_code == 200


def test_a_pdf_page_is_served_sharper_on_request(
    ada: Browser, workspace: Workspace, tmp_path: Path, campaign: CampaignRow
) -> None:
    from audit_core.workflow.campaigns import start_campaign
    from audit_core.workflow.importing import import_bundle

    sample = Path(__file__).parents[2] / "data" / "sample"
    dataset = import_bundle(workspace, sample).dataset
    drawn = start_campaign(workspace, dataset=dataset, name="drawn")
    pages = [
        page
        for number in range(1, 37)
        for page in _entry(ada, drawn, number)["pages"]  # type: ignore[attr-defined]
    ]
    pdf = next(page for page in pages if page["resolutions"])
    image = next(page for page in pages if not page["resolutions"])
    assert pdf["resolutions"] == [200, 300, 400]
    sizes = [_width(ada.get(f"{pdf['src']}{dpi}")) for dpi in ("", "&dpi=200", "&dpi=300", "&dpi=400")]
    assert sizes[0] == sizes[1] == pdf["width"]
    assert sizes[2] == pytest.approx(1.5 * sizes[0], abs=2)
    assert sizes[3] == pytest.approx(2 * sizes[0], abs=2)
    for dpi in ("72", "1", "0", "4000", "x", "-300", "300.0"):
        assert ada.get(f"{pdf['src']}&dpi={dpi}").status_code == 404, dpi
    assert _width(ada.get(f"{image['src']}&dpi=400")) == image["width"]


def _width(answer: object) -> int:
    import io

    from PIL import Image

    with Image.open(io.BytesIO(answer.content)) as image:  # type: ignore[attr-defined]
        return image.width


def test_a_question_is_kept_and_comes_with_the_entry_and_its_answer(
    ada: Browser, open_browser: Callable[..., Browser], campaign: CampaignRow, workspace: Workspace
) -> None:
    entry = _entry(ada, campaign)
    assert entry["flags"] == []
    answer = ada.send("POST", f"/api/entries/{entry['id']}/flags", {"question": "Which board?"})
    assert answer.status_code == 200
    flag = answer.json()["flag"]
    assert (flag["question"], flag["answer"]) == ("Which board?", None)
    assert _entry(ada, campaign)["flags"] == [flag]
    overview = ada.get(f"/api/campaigns/{campaign.id}/overview").json()["entries"]
    assert [each["flag"] for each in overview] == ["open", None, None]
    answer_flag(workspace, sign_in(workspace, "Grace"), flag_id=flag["id"], answer="That of Estby.")
    assert _entry(ada, campaign)["flags"][0]["answer"] == "That of Estby."  # type: ignore[index]
    bob = open_browser("Bob")
    for path in ("state", "overview", "entries/1"):
        text = bob.get(f"/api/campaigns/{campaign.id}/{path}").text
        assert "Which board?" not in text
        assert "Estby." not in text.partition('"guidelines"')[0]


@pytest.mark.parametrize("body", [{}, {"question": ""}, {"question": " "}, {"question": 5}, {"question": "x" * 4001}])
def test_a_question_without_words_is_refused(ada: Browser, campaign: CampaignRow, body: dict[str, object]) -> None:
    entry = _entry(ada, campaign)
    answer = ada.send("POST", f"/api/entries/{entry['id']}/flags", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert _entry(ada, campaign)["flags"] == []


def test_a_question_from_another_site_or_on_no_entry_is_refused(ada: Browser, campaign: CampaignRow) -> None:
    entry = _entry(ada, campaign)
    path = f"/api/entries/{entry['id']}/flags"
    assert ada.send("POST", path, {"question": "x"}, headers={}).status_code == 403
    assert ada.send("POST", "/api/entries/999/flags", {"question": "x"}).status_code == 404


def test_the_protocol_comes_with_guidelines_for_every_answer(ada: Browser, campaign: CampaignRow) -> None:
    guidelines = ada.get(f"/api/campaigns/{campaign.id}/state").json()["protocol"]["guidelines"]
    assert [each["code"] for each in guidelines["sections"]] == ["F", "E", "U", "N", "C", "X"]
    for section in guidelines["sections"]:
        assert all(len(section[part]) > 40 for part in ("means", "clear", "borderline"))
