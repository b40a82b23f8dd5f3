"""The commands of accounts, and the first account that `prepare` makes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from audit_core.cli.main import main
from audit_core.workflow.accounts import set_password
from audit_core.workflow.password_sign_in import sign_in_with_password
from audit_core.workflow.workspace import open_workspace
from tests.accounts import PASSWORD, cheap_hashes
from tests.command_line import Run

ONE_TIME = re.compile(r"[a-z2-9]{4}(?:-[a-z2-9]{4}){3}")


@pytest.fixture(autouse=True)
def _local(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    with cheap_hashes():
        yield


def enter(name: str, password: str) -> bool:
    """Sign in; return whether a password has to be chosen."""
    return sign_in_with_password(open_workspace(), name, password, address="here").must_change


def test_prepare_tells_the_first_password_once_at_its_end_and_reset_gives_another(run: Run) -> None:
    first = run("prepare", "--no-sample")
    (once,) = ONE_TIME.findall(first.stderr)
    assert re.search(rf"name +lead\n +password +{once}\n", first.stderr)
    assert "python -m audit_core account reset lead" in first.stderr
    assert first.stdout == ""
    again = run("prepare", "--no-sample").stderr
    assert ONE_TIME.findall(again) == []
    assert "The account lead still waits for its first password" in again
    assert "python -m audit_core account reset lead" in again
    (other,) = ONE_TIME.findall(run("account", "reset", "lead").stdout)
    assert other != once
    assert enter("lead", other)


def test_prepare_says_nothing_of_a_lead_who_chose_a_password(run: Run) -> None:
    run("prepare", "--no-sample")
    set_password(open_workspace(), "lead", PASSWORD)
    for _ in range(2):
        assert "lead" not in run("prepare", "--no-sample").stderr
        run("account", "reset", "lead")  # one-time again, but no first one


def test_an_account_is_added_changed_disabled_and_listed(run: Run) -> None:
    added = run("account", "add", "Ada")
    assert added.stdout.startswith("Ada has an account as annotator.\nOne-time password: ")
    grace = json.loads(run("account", "add", "Grace", "--role", "lead", "--json").stdout)
    assert {**grace, "one_time_password": "?"} == {"name": "Grace", "role": "lead", "one_time_password": "?"}
    assert run("account", "role", "ada", "adjudicator").stdout == "Ada is adjudicator now.\n"
    assert run("account", "disable", "Ada").stdout == "Ada is disabled and signed out everywhere.\n"
    rows = json.loads(run("account", "list", "--json").stdout)
    assert [(row["name"], row["role"], row["state"], row["sign_ins"]) for row in rows] == [
        ("Ada", "adjudicator", "disabled", 0),
        ("Grace", "lead", "one-time password", 0),
    ]
    assert run("account", "enable", "Ada").stdout == "Ada can sign in again.\n"
    table = run("account", "list").stdout
    assert re.search(r"^Grace +lead +one-time password +\d{4}-\d\d-\d\d +0$", table, flags=re.MULTILINE)
    assert json.loads(run("account", "disable", "Ada", "--json").stdout) == {"name": "Ada"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("account", "add", "ada"), "has an account already"),
        (("account", "add", " "), "Type your name"),
        (("account", "add", "Bob", "--subject", "7"), "A subject is the provider's"),
        (("account", "role", "Nobody", "lead"), "Nobody called 'Nobody' has an account"),
        (("account", "disable", "Ada"), "the last lead who can sign in"),
        (("account", "role", "Ada", "annotator"), "the last lead who can sign in"),
        (("account", "reset", "Nobody"), "Nobody called 'Nobody'"),
        (("account", "log", "--name", "Nobody"), "Nobody is called 'Nobody' here"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(run: Run, words: tuple[str, ...], why: str) -> None:
    run("account", "add", "Ada", "--role", "lead")
    result = run(*words)
    assert result.exit_code == 1
    assert why in result.stderr
    as_json = run(*words, "--json")
    assert as_json.exit_code == 1
    assert why in json.loads(as_json.stdout)["error"]


def test_an_unknown_role_is_bad_use(run: Run) -> None:
    assert run("account", "add", "Ada", "--role", "owner").exit_code == 2
    assert run("account", "role", "Ada", "owner").exit_code == 2


def test_a_password_is_typed_twice_and_never_shown(run: Run) -> None:
    run("account", "add", "Ada")

    def typed(*lines: str) -> object:
        return CliRunner().invoke(main, ["account", "password", "Ada"], input="".join(f"{each}\n" for each in lines))

    done = typed(PASSWORD, PASSWORD)
    assert (done.exit_code, done.stdout) == (0, "Ada has a new password.\n")
    assert PASSWORD not in done.output
    assert not enter("Ada", PASSWORD)
    wrong = typed("short", "short")
    assert wrong.exit_code == 1
    assert "at least 12 characters" in wrong.stderr


def test_the_log_tells_who_did_what(run: Run) -> None:
    assert run("account", "log").stderr == "Nothing in the log.\n"
    run("account", "add", "Ada")
    run("account", "role", "Ada", "lead")
    lines = json.loads(run("account", "log", "--json").stdout)
    assert [(line["action"], line["name"], line["subject"]) for line in lines] == [
        ("account-role", None, {"account": "Ada", "role": "lead", "before": "annotator"}),
        ("account-add", None, {"account": "Ada", "role": "annotator"}),
    ]
    assert len(json.loads(run("account", "log", "--count", "1", "--json").stdout)) == 1
    older = json.loads(run("account", "log", "--before", lines[0]["id"], "--json").stdout)
    assert [line["id"] for line in older] == [lines[1]["id"]]
    assert "account: Ada, role: lead, before: annotator" in run("account", "log", "--action", "account-role").stdout


def test_the_secret_of_the_provider_is_never_listed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_OIDC_CLIENT_SECRET", "very-secret")
    for words in (("settings",), ("settings", "--json")):
        assert "very-secret" not in run(*words).stdout
