"""Signing in by a name: which spellings are one person; and the secret of a home."""

from __future__ import annotations

import stat
import threading
import unicodedata
from pathlib import Path

import pytest

from audit_core.errors import SignInError, StorageError
from audit_core.storage import people
from audit_core.workflow.home_secret import home_secret
from audit_core.workflow.importing import import_bundle
from audit_core.workflow.sign_in import person_of, sign_in, token_for
from audit_core.workflow.workspace import Workspace
from tests.bundles import small_bundle
from tests.homes import row_counts
from tests.importers.small_bundle import Rows

E_ACUTE = unicodedata.normalize("NFC", "René")


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("Ada", "ADA"),
        ("Ada", "  ada "),
        ("Ada Lovelace", "Ada\u00a0\u2003Lovelace"),
        (E_ACUTE, unicodedata.normalize("NFD", E_ACUTE)),
        ("Ada", "\uff21\uff44\uff41"),  # full-width letters, equal under NFKC
        ("Strauß", "STRAUSS"),
        ("Ada", "Ad\u200da"),  # an invisible joiner
    ],
)
def test_two_spellings_of_one_name_are_one_person(workspace: Workspace, first: str, again: str) -> None:
    assert sign_in(workspace, first) == sign_in(workspace, again)
    assert row_counts(workspace)["person"] == 1


def test_a_name_is_kept_as_it_was_first_typed_in_nfc(either_workspace: Workspace) -> None:
    person = sign_in(either_workspace, unicodedata.normalize("NFD", f" {E_ACUTE}  O'Neil "))
    assert person.name == f"{E_ACUTE} O'Neil"
    assert sign_in(either_workspace, "آدا").name == "آدا"
    assert row_counts(either_workspace)["person"] == 2


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u200d",
        " \u200c ",
        "x" * 81,
        "Ada\x00",
        "Ada\x07",
        "Ada\ud800",
        "Ada\u200b",
        "\u202eadA",
        "Ada\ufeff",
        "Ada\ue000",
    ],
)
def test_a_name_that_is_empty_too_long_or_cannot_be_seen_is_refused(workspace: Workspace, name: str) -> None:
    with pytest.raises(SignInError):
        sign_in(workspace, name)
    assert row_counts(workspace)["person"] == 0


def test_the_same_new_name_from_many_windows_at_once_is_one_person(either_workspace: Workspace) -> None:
    found: list[object] = []

    def enter() -> None:
        try:
            found.append(sign_in(either_workspace, "Ada").id)
        except Exception as error:
            found.append(error)

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(set(found)) == 1
    assert len(found) == 4


def test_a_cookie_leads_back_to_its_person(workspace: Workspace) -> None:
    ada = sign_in(workspace, "Ada")
    assert person_of(workspace, token_for(workspace, ada)) == ada


def test_the_cookie_of_an_imported_annotator_is_nobodys(workspace: Workspace, tmp_path: Path) -> None:
    import_bundle(workspace, small_bundle(tmp_path / "b"))
    with workspace.database.read() as connection:
        ann = people.by_name(connection, "ann", is_imported=True)
    assert ann is not None
    assert person_of(workspace, token_for(workspace, ann)) is None
    signed_in = sign_in(workspace, "ann")
    assert signed_in.id != ann.id


def test_imported_annotators_are_told_apart_by_their_exact_id(workspace: Workspace, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        for row, annotator in zip(rows["judgments/audit"], ("ann", "ANN", "007"), strict=True):
            row["annotator"] = annotator

    import_bundle(workspace, small_bundle(tmp_path / "b", change))
    with workspace.database.read() as connection:
        assert sorted(people.names(connection).values()) == ["007", "ANN", "ann"]


def test_the_secret_is_for_its_owner_only_and_made_once(workspace: Workspace) -> None:
    secret = home_secret(workspace.home)
    file = workspace.home / "cookie.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(secret) >= 43  # 256 bits
    home_secret.cache_clear()
    assert home_secret(workspace.home) == file.read_text() == secret
    assert [each.name for each in workspace.home.glob("*cookie*")] == ["cookie.secret"]


def test_an_empty_secret_signs_nothing(workspace: Workspace) -> None:
    workspace.home.mkdir(exist_ok=True)
    (workspace.home / "cookie.secret").write_text("")
    home_secret.cache_clear()
    with pytest.raises(StorageError, match="is damaged: delete it"):
        home_secret(workspace.home)
