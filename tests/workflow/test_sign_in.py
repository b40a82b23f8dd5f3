"""Signing in: which spellings are one person, and which cookies are nobody's."""

from __future__ import annotations

import stat
import threading
import unicodedata
from pathlib import Path

import pytest
from itsdangerous import URLSafeTimedSerializer

from audit_core.errors import SignInError, StorageError
from audit_core.storage import people
from audit_core.workflow import sign_in as module
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


def test_no_forged_or_altered_cookie_is_anybodys(workspace: Workspace) -> None:
    token = token_for(workspace, sign_in(workspace, "Ada"))
    payload, time, signature = token.split(".")
    swapped = "A" if payload[3] != "A" else "B"
    forged = URLSafeTimedSerializer("another secret", salt="assay-session").dumps({"person": 1})
    own = URLSafeTimedSerializer((workspace.home / "cookie.secret").read_text(), salt="assay-session")
    other_salt = URLSafeTimedSerializer((workspace.home / "cookie.secret").read_text(), salt="other").dumps(
        {"person": 1}
    )
    for each in (
        None, "", "x", ".", "..", "é", "\x00", token[:-1], token + "x", token[::-1], forged, other_salt,
        f"{payload[:3]}{swapped}{payload[4:]}.{time}.{signature}", f"{payload}.{signature}",
        own.dumps({"person": 999}), own.dumps({"person": "1"}), own.dumps({}), own.dumps([1]), own.dumps(None),
    ):  # fmt: skip
        assert person_of(workspace, each) is None, each


def test_an_expired_cookie_is_nobodys(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    from itsdangerous import TimestampSigner

    token = token_for(workspace, sign_in(workspace, "Ada"))
    now = TimestampSigner.get_timestamp
    later = 2 * 86_400
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda self: now(self) + later)
    assert person_of(workspace, token) is not None
    monkeypatch.setenv("ASSAY_SESSION_DAYS", "1")
    assert person_of(workspace, token) is None


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
    token_for(workspace, sign_in(workspace, "Ada"))
    file = workspace.home / "cookie.secret"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    secret = file.read_text()
    assert len(secret) >= 43  # 256 bits
    module._secret.cache_clear()
    token_for(workspace, sign_in(workspace, "Ada"))
    assert file.read_text() == secret
    assert [each.name for each in workspace.home.glob("*cookie*")] == ["cookie.secret"]


def test_an_empty_secret_signs_nothing(workspace: Workspace) -> None:
    workspace.home.mkdir(exist_ok=True)
    (workspace.home / "cookie.secret").write_text("")
    module._secret.cache_clear()
    with pytest.raises(StorageError, match="is damaged: delete it"):
        token_for(workspace, sign_in(workspace, "Ada"))
