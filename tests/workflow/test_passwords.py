"""Passwords: what one must be, how it is kept, and that one of nobody costs as much."""

from __future__ import annotations

import unicodedata

import pytest

from audit_core.errors import AccountError
from audit_core.workflow import passwords
from audit_core.workflow.passwords import check_password, fits, hash_password, is_outdated, one_time_password
from tests.accounts import cheap_hashes

TOO_LONG = "é" * 513  # 1,026 bytes


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("", "too short"),
        ("eleven char", "too short"),
        ("e\u0301" * 11, "too short"),  # eleven letters, written with 22 characters
        ("Ada Lovelace", "your name"),
        ("ADA LOVELACE", "your name"),
        (" ada lovelace ", "your name"),
        ("aaaaaaaaaaaaaaa", "over and over"),
        ("x" * 1_025, "longer than 1,024"),
        (TOO_LONG, "longer than 1,024"),
        ("lone surrogate \ud800", "no text"),
    ],
)
def test_a_password_that_is_easy_to_guess_or_cannot_be_kept_is_refused_and_not_repeated(
    password: str, why: str
) -> None:
    with pytest.raises(AccountError, match=why) as caught:
        check_password(password, name="Ada Lovelace")
    assert not password or password not in str(caught.value)


@pytest.mark.parametrize(
    "password", ["twelve chars", "x" * 1_023 + "y", "é" * 511 + "aa", "    spaces kept    ", "密" * 11 + "码"]
)
def test_a_password_of_twelve_characters_to_1024_bytes_is_taken(password: str) -> None:
    check_password(password, name="Ada")


def test_a_one_time_password_is_long_readable_and_never_chosen_as_ones_own() -> None:
    made = {one_time_password() for _ in range(50)}
    assert len(made) == 50
    for each in made:
        assert len(each.replace("-", "")) == 16
        assert not set(each) & set("ilo01")
        with pytest.raises(AccountError, match="one-time password"):
            check_password(each, name="Ada")


def test_a_hash_is_argon2id_with_the_parameters_of_the_rfc_and_a_salt_of_its_own() -> None:
    # RFC 9106, section 4: the second recommended option is t=3, p=4, m=2^16 (64 MiB).
    first, second = hash_password("four words in a row"), hash_password("four words in a row")
    assert first.startswith("$argon2id$v=19$m=65536,t=3,p=4$")
    assert first != second
    assert fits("four words in a row", first)
    assert fits("four words in a row", second)
    assert not fits("four words in a Row", first)
    assert not fits("four words in a row ", first)


def test_weaker_hashes_are_known_as_outdated() -> None:
    with cheap_hashes():
        old = hash_password("four words in a row")
    assert is_outdated(old)
    assert fits("four words in a row", old)
    assert not is_outdated(hash_password("four words in a row"))


def test_one_password_typed_on_two_keyboards_is_one() -> None:
    with cheap_hashes():
        stored = hash_password(unicodedata.normalize("NFC", "Füße auf dem Tisch"))
        assert fits(unicodedata.normalize("NFD", "Füße auf dem Tisch"), stored)


def test_nothing_fits_where_there_is_no_hash_or_a_damaged_one() -> None:
    with cheap_hashes():
        for stored in (None, "", "x", "$argon2id$v=19$m=8,t=1,p=1$"):
            assert not fits("four words in a row", stored)
        stored = hash_password("four words in a row")
        for wrong in ("", TOO_LONG, "\ud800", "x" * 10_000_000):
            assert not fits(wrong, stored)


def test_a_password_of_nobody_is_checked_with_as_much_work(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    class Counting:
        def verify(self, stored: str, password: bytes) -> None:
            checked.append(stored)

    passwords._nobodys_hash()
    monkeypatch.setattr(passwords, "_hasher", Counting)
    stored = "$argon2id$v=19$m=65536,t=3,p=4$" + "a" * 22 + "$" + "b" * 43
    assert not fits("four words in a row", None)
    fits("four words in a row", stored)
    assert checked[1] == stored
    # The same parameters, so the same work: version, memory, passes, lanes.
    assert checked[0].split("$")[:4] == stored.split("$")[:4]
