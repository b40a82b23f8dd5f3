"""Page images and the program files of the judging surface."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest

from audit_core.storage.campaigns import CampaignRow
from audit_core.web import viewer_files
from audit_core.workflow.workspace import Workspace
from tests.homes import with_campaign
from tests.importers.small_bundle import Rows
from tests.web.conftest import Browser

ODD_PAGES = ("a/b", "..", "../../etc/passwd", "%2F", "?x=1&v=2", "é ü", "صفحة", "#page=1", "a\u2028b", "p 1", "+", "%")


def _image(browser: Browser, campaign: CampaignRow, number: int = 1) -> str:
    entry = browser.get(f"/api/campaigns/{campaign.id}/entries/{number}").json()["entry"]
    return str(entry["pages"][0]["src"])


def test_a_page_image_is_served_byte_for_byte_to_be_kept_for_a_year(
    ada: Browser, campaign: CampaignRow, tmp_path: Path
) -> None:
    answer = ada.get(_image(ada, campaign))
    assert answer.status_code == 200
    assert answer.content == (tmp_path / "bundle" / "images" / "p1.png").read_bytes()
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_image_is_for_people_who_are_signed_in(
    ada: Browser, campaign: CampaignRow, open_browser: Callable[..., Browser]
) -> None:
    src = _image(ada, campaign)
    answer = open_browser().get(src)
    assert answer.status_code == 401
    assert answer.headers["cache-control"] == "no-store"


def test_pages_with_odd_ids_are_served(ada: Browser, workspace: Workspace, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        for name in ("judgments/audit", "labels/removal", "elements"):
            del rows[name]
        page = rows["pages"][0]
        rows["documents"] = [{**rows["documents"][0], "page_count": len(ODD_PAGES)}]
        rows["pages"] = [
            {**page, "page_id": each, "page_index": index, "image": f"images/p{index % 4 + 1}.png"}
            for index, each in enumerate(ODD_PAGES)
        ]
        evidence = [[{"page_id": each}] for each in ODD_PAGES]
        rows["queries"] = [
            {**rows["queries"][0], "query_id": each[0]["page_id"], "evidence": each} for each in evidence
        ]

    campaign = with_campaign(workspace, tmp_path / "odd", change)
    for index in range(len(ODD_PAGES)):
        answer = ada.get(_image(ada, campaign, index + 1))
        assert answer.content == (tmp_path / "odd" / "images" / f"p{index % 4 + 1}.png").read_bytes()


def test_a_guessed_address_gives_nothing(ada: Browser, campaign: CampaignRow, workspace: Workspace) -> None:
    src = _image(ada, campaign)
    path, _, key = src.partition("&v=")
    content_hash = workspace.dataset(campaign.dataset_id).content_hash
    guesses = [
        path,
        f"{path}&v=",
        f"{path}&v={'0' * 32}",
        f"{path}&v={key[:-1]}",
        src.replace("page=p1", "page=p2"),
        src.replace("page=p1", "page=nowhere"),
        src.replace("page=p1", "page="),
        src.replace("page=p1", "page=" + quote("../../etc/passwd", safe="")),
        src.replace("page=p1", "page=%00"),
        src.replace("page=p1", "page=%ff"),
        src.replace(content_hash, "f" * 64),
        src.replace(content_hash, content_hash[:-1]),
        src.replace(content_hash, content_hash.upper()),
        src.replace(content_hash, "%00"),
        src.replace(content_hash, ".."),
        src.replace(content_hash, "%2e%2e%2f%2e%2e"),
    ]
    for guess in guesses:
        answer = ada.get(guess)
        assert answer.status_code == 404, guess
        assert "immutable" not in answer.headers.get("cache-control", "")


def test_a_file_that_changed_is_not_served_under_its_old_address(
    ada: Browser, campaign: CampaignRow, tmp_path: Path
) -> None:
    src = _image(ada, campaign)
    file = tmp_path / "bundle" / "images" / "p1.png"
    file.write_bytes((tmp_path / "bundle" / "images" / "p2.png").read_bytes())
    answer = ada.get(src)
    assert answer.status_code == 404
    assert "changed since it was first shown" in answer.json()["error"]
    entry = ada.get(f"/api/campaigns/{campaign.id}/entries/1").json()["entry"]
    assert "changed since it was first shown" in entry["pages"][0]["warning"]
    assert ada.get(entry["pages"][0]["src"]).status_code == 200


def test_program_files_are_served_under_the_hash_of_their_content(open_browser: Callable[..., Browser]) -> None:
    browser = open_browser()
    answer = browser.get(viewer_files.file_address("main.js"))
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    folder = f"/api/viewer/{viewer_files.content_hash()}"
    assert browser.get(f"{folder}/viewer.css").headers["content-type"] == "text/css; charset=utf-8"


@pytest.mark.parametrize(
    "path",
    ["{hash}/nothing.js", "{hash}/__init__.py", "{hash}/../access.py", "{hash}/..%2faccess.py", "{hash}/", "old/main.js",
     "{hash}/main.js/", "{hash}/MAIN.JS", "/main.js"],
)  # fmt: skip
def test_any_other_program_file_is_not_found(open_browser: Callable[..., Browser], path: str) -> None:
    answer = open_browser().get("/api/viewer/" + path.format(hash=viewer_files.content_hash()), follow_redirects=False)
    assert answer.status_code in (307, 404)
    assert "immutable" not in answer.headers.get("cache-control", "")


def test_the_hash_changes_with_any_byte_and_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    hashes = set()
    for files in (
        {"a.js": b"1"},
        {"a.js": b"2"},
        {"b.js": b"1"},
        {"a.js": b"", "b.js": b"1"},
        {"a.js": b"1", "b.js": b""},
    ):
        monkeypatch.setattr(viewer_files, "_files", lambda files=files: files)
        viewer_files.content_hash.cache_clear()
        hashes.add(viewer_files.content_hash())
    viewer_files.content_hash.cache_clear()
    assert len(hashes) == 5


def test_every_module_that_a_module_names_is_served(open_browser: Callable[..., Browser]) -> None:
    browser = open_browser()
    names = {name for name in viewer_files._files() if name.endswith(".js")}
    for name in sorted(names):
        text = browser.get(f"/api/viewer/{viewer_files.content_hash()}/{name}").text
        for imported in re.findall(r'from "\./([\w.-]+)"', text):
            assert imported in names, f"{name} imports {imported}"
