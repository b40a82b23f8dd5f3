"""What commands print, where, and with which exit code."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest

from audit_core import config
from audit_core.__main__ import main
from tests.bundles import small_bundle, without_judgments
from tests.command_line import Run
from tests.homes import content
from tests.importers.small_bundle import Rows


def commands(group: click.Group = main, before: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], click.Command]]:
    """Return every command and group below the root, with the words that call it."""
    found: list[tuple[tuple[str, ...], click.Command]] = []
    for name, command in sorted(group.commands.items()):
        found.append(((*before, name), command))
        if isinstance(command, click.Group):
            found += commands(command, (*before, name))
    return found


COMMANDS = commands()
LEAVES = [(words, command) for words, command in COMMANDS if not isinstance(command, click.Group)]


def _words(each: tuple[tuple[str, ...], click.Command]) -> str:
    return " ".join(each[0])


def _one_document(text: str) -> Any:
    """Return the one JSON document that a text is; fails where there is anything else."""
    document, end = json.JSONDecoder().raw_decode(text)
    assert text[end:] == "\n"
    return document


@pytest.mark.parametrize("each", COMMANDS, ids=_words)
def test_every_command_has_help_with_an_example_that_its_own_options_take(
    run: Run, each: tuple[tuple[str, ...], click.Command]
) -> None:
    words, _ = each
    for option in ("--help", "-h"):
        result = run(*words, option)
        assert (result.exit_code, result.stderr) == (0, "")
        assert "Examples:" in result.stdout
    examples = [
        line.split()[3:] for line in result.stdout.splitlines() if line.strip().startswith("python -m audit_core ")
    ]
    assert examples
    for example in examples:
        assert example[: len(words)] == list(words)
        leaf: click.Command = main
        while isinstance(leaf, click.Group):
            name = example.pop(0)
            leaf = leaf.commands[name]
        # Paths of examples need not exist here; options and the number of arguments must be right.
        paths = [each.type for each in leaf.params if isinstance(each.type, click.Path)]
        asked = [each.exists for each in paths]
        try:
            for path in paths:
                path.exists = False
            leaf.make_context("example", example, parent=click.Context(main, **main.context_settings))
        finally:
            for path, exists in zip(paths, asked, strict=True):
                path.exists = exists


def test_every_command_but_prepare_can_speak_json() -> None:
    silent = {"prepare"}
    for words, command in LEAVES:
        has_json = any(parameter.name == "as_json" for parameter in command.params)
        assert has_json != (" ".join(words) in silent), words


def test_a_whole_round_of_commands_puts_one_json_document_each_on_stdout(run: Run, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    said: dict[str, Any] = {}
    for words in (
        "settings", f"import {bundle}", f"import {bundle}", "datasets", "campaigns",
        "campaign start fresh --dataset small", "campaign close fresh", "campaign open fresh --dataset small@1",
        "report audit", "report fresh --dataset small", f"export-bundle small {tmp_path / 'out'}", "db check", "db backup",
        "db upgrade",
    ):  # fmt: skip
        result = run(*words.split(), "--json")
        assert (result.exit_code, result.stderr) == (0, ""), words
        said[words] = _one_document(result.stdout)
    assert said[f"import {bundle}"]["is_new"] is False
    assert [each["name"] for each in said["datasets"]] == ["small"]
    assert said["campaigns"][0]["answered"] == 3
    assert said["campaign close fresh"]["state"] == "closed"
    assert said["report audit"]["total"]["entries"] == 3
    assert Path(said["db backup"]["copy"]).is_file()
    assert {each["ok"] for each in said["db check"]} == {True}
    assert (tmp_path / "out" / "judgments" / "audit.jsonl").is_file()


def test_the_same_round_in_words(run: Run, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / "b")
    assert "no dataset yet" in run("datasets").stderr
    assert "no campaign yet" in run("campaigns").stderr
    assert "Dataset small revision 1" in run("import", bundle).stdout
    assert "small  1" in run("datasets").stdout
    assert "/judge?campaign=2" in run("campaign", "start", "fresh", "--dataset", "small").stdout
    assert "fresh  small" in run("campaigns").stdout
    assert run("campaign", "close", "fresh").stdout == "Campaign fresh is closed.\n"
    assert "of 2 audited entries" in run("report", "audit").stdout
    assert "written to" in run("export-bundle", "small", tmp_path / "out").stdout
    assert "ok     database" in run("db", "check").stdout
    assert "Copied to" in run("db", "backup").stdout
    assert "The schema is" in run("db", "upgrade").stdout


def test_a_zip_is_imported_like_its_folder(run: Run, tmp_path: Path) -> None:
    archive = shutil.make_archive(str(tmp_path / "b"), "zip", small_bundle(tmp_path / "b"))
    assert _one_document(run("import", archive, "--json").stdout)["counts"]["queries"] == 3


def test_a_refused_bundle_lists_file_line_and_field_once_and_exits_with_1(run: Run, tmp_path: Path) -> None:
    def change(rows: Rows) -> None:
        rows["queries"][1]["evidence"][0]["page_id"] = "p99"
        rows["pages"][0]["width"] = -1

    bundle = small_bundle(tmp_path / "b", change)
    result = run("import", bundle)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.count("queries.jsonl, line 2, field evidence[0].page_id") == 1
    assert result.stderr.count("pages.jsonl, line 1, field width") == 1
    result = run("import", bundle, "--json")
    assert result.exit_code == 1
    said = _one_document(result.stdout)
    assert said["problems_total"] == 2
    places = {(each["file"], each["line"], each["field"]) for each in said["problems"]}
    assert places == {("queries.jsonl", 2, "evidence[0].page_id"), ("pages.jsonl", 1, "width")}
    assert "\n" not in said["error"]
    assert run("import", bundle, "--lenient").exit_code == 0


@pytest.mark.parametrize(
    "words",
    [
        "campaign open nothing", "campaign close nothing", "campaign start x --dataset nothing", "report nothing",
        "export-bundle nothing out",
    ],
)  # fmt: skip
def test_what_is_not_there_exits_with_1_and_says_so(run: Run, words: str) -> None:
    result = run(*words.split())
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: There is no ")
    result = run(*words.split(), "--json")
    assert result.exit_code == 1
    assert set(_one_document(result.stdout)) == {"error"}


@pytest.mark.parametrize(
    "words",
    [
        "nonsense", "import", "import /nowhere/at/all", "import . --bogus", "report", "report x --format docx",
        "campaign", "campaign start x", "campaign start x --dataset y --judgments 0", "export-bundle x y --form csv", "db",
    ],
)  # fmt: skip
def test_bad_use_exits_with_2_and_prints_nothing_on_stdout(run: Run, words: str) -> None:
    result = run(*words.split())
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage:" in result.stderr


def test_a_changed_bundle_is_refused_and_so_is_a_filled_folder(run: Run, tmp_path: Path) -> None:
    run("import", small_bundle(tmp_path / "b"))

    def change(rows: Rows) -> None:
        without_judgments(rows)
        rows["queries"][0]["text"] = "else?"

    result = run("import", small_bundle(tmp_path / "other", change))
    assert result.exit_code == 1
    assert "A revision is never changed" in result.stderr
    before = content(tmp_path / "b")
    result = run("export-bundle", "small", tmp_path / "b")
    assert result.exit_code == 1
    assert "not an empty folder" in result.stderr
    assert content(tmp_path / "b") == before


@pytest.mark.parametrize("form", ["csv", "json", "latex", "markdown"])
def test_a_report_is_the_same_in_a_file_as_on_stdout(run: Run, tmp_path: Path, form: str) -> None:
    run("import", small_bundle(tmp_path / "b"))
    printed = run("report", "audit", "--format", form).stdout_bytes.decode()
    result = run("report", "audit", "--format", form, "--output", tmp_path / "report")
    assert (result.exit_code, result.stdout) == (0, "")
    written = (tmp_path / "report").read_bytes().decode()
    if form == "json":
        one, other = json.loads(printed), json.loads(written)
        one["context"]["when"] = other["context"]["when"]
        assert one == other
    else:
        moment = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.+Z]*")
        assert moment.sub("then", written) == moment.sub("then", printed)
    result = run("report", "audit", "--output", tmp_path / "nowhere" / "report")
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr


def test_the_report_formats_are_those_of_the_registry() -> None:
    from audit_core.workflow.reporting import report_formats

    (option,) = [each for each in main.commands["report"].params if each.name == "form"]
    assert isinstance(option.type, click.Choice)
    assert sorted(option.type.choices) == sorted(report_formats())


def test_settings_show_the_values_in_force_and_no_password(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASSAY_DATABASE_URL", "postgresql://ada:hunter2@h/x")
    monkeypatch.setenv("ASSAY_SESSION_DAYS", "7")
    rows = {each["name"]: each for each in _one_document(run("settings", "--json").stdout)}
    assert list(rows) == [each.name for each in config.SETTINGS]
    assert (rows["ASSAY_SESSION_DAYS"]["value"], rows["ASSAY_SESSION_DAYS"]["default"]) == ("7", "30")
    assert rows["ASSAY_DATABASE_URL"]["value"] == "postgresql://ada:***@h/x"
    assert "hunter2" not in run("settings").stdout
    for url in ("ada:hunter2@h", "mysql://ada:hunter2@h/x", "postgresql://ada:hunter2@h:port/x"):
        monkeypatch.setenv("ASSAY_DATABASE_URL", url)
        result = run("settings")
        assert result.exit_code == 1
        assert "WRONG: ASSAY_DATABASE_URL" in result.stdout
        assert "hunter2" not in result.stdout


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ASSAY_SECURE_COOKIE", "yes", "set it to 0 or 1"),
        ("ASSAY_MAX_UPLOAD_MB", "0", "at least 1"),
        ("ASSAY_IMPORT_FOLDERS", "/nowhere/at/all", "is not a folder"),
        ("ASSAY_ALLOWED_HOSTS", "http://here", "list host names"),
        ("ASSAY_HOME", f"{__file__}/home", "is not a folder"),
    ],
)
def test_settings_mark_a_wrong_value_and_show_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)
    result = run("settings", "--json")
    assert result.exit_code == 1
    problems = {each["name"]: each["problem"] for each in _one_document(result.stdout)}
    assert [each for each, problem in problems.items() if problem] == [name]
    assert words in problems[name]
    assert f"WRONG: {name}" in run("settings").stdout


def test_a_secret_setting_is_said_to_be_set_and_not_shown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = [each.name for each in config.SETTINGS if each.is_secret]
    assert secrets
    for name in secrets:
        monkeypatch.setenv(name, "hunter2")
    for words in (("settings",), ("settings", "--json")):
        result = run(*words)
        assert result.exit_code == 0
        assert "hunter2" not in result.stdout
        assert result.stdout.count("(set, not shown)") == len(secrets)


def test_db_check_exits_with_1_where_something_is_wrong(run: Run, tmp_path: Path) -> None:
    run("import", small_bundle(tmp_path / "b"))
    shutil.rmtree(config.home() / "datasets")
    result = run("db", "check")
    assert result.exit_code == 1
    assert "WRONG  dataset small@1" in result.stdout
    result = run("db", "check", "--json")
    assert result.exit_code == 1
    assert [each["ok"] for each in _one_document(result.stdout)].count(False) == 1


def test_a_home_that_cannot_be_used_is_refused_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from click.testing import CliRunner

    (tmp_path / "occupied").write_text("")
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "occupied"))
    for words in (["datasets"], ["prepare"], ["campaigns", "--json"], ["db", "upgrade"]):
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 1
        assert "occupied" in result.stderr


def test_the_program_itself_speaks_utf8_and_leaves_stdout_to_the_result(tmp_path: Path) -> None:
    """As a process of its own, with a file name that is not UTF-8, as Linux allows."""
    bundle = small_bundle(tmp_path / "b")
    environment = {**os.environ, "LC_ALL": "C.UTF-8"}
    command = [sys.executable, "-m", "audit_core"]
    done = subprocess.run(
        [*command, "import", bundle, "--json"], capture_output=True, env=environment, timeout=120, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    _one_document(done.stdout.decode())
    out = os.fsencode(tmp_path) + b"/out\xff"
    done = subprocess.run(
        [*command, "export-bundle", "small", out, "--json"],
        capture_output=True,
        env=environment,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert os.fsencode(_one_document(done.stdout.decode())["folder"]) == out


def test_help_loads_no_table_library_and_no_database() -> None:
    program = (
        "import sys\nfrom audit_core.__main__ import main\nmain(['--help'], standalone_mode=False)\n"
        "print(sorted(each for each in ('polars', 'pandas', 'sqlalchemy', 'PIL', 'streamlit') if each in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60, check=True)
    assert done.stdout.decode().splitlines()[-1] == "[]"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has file names that are not UTF-8")
def test_a_bundle_in_a_folder_whose_name_is_not_utf8_is_refused_in_words(run: Run, tmp_path: Path) -> None:
    bundle = small_bundle(tmp_path / os.fsdecode(b"b\xff"))
    result = run("import", bundle, "--json")
    assert result.exit_code == 1
    assert "rename the folder" in _one_document(result.stdout)["error"]
    assert run("datasets", "--json").stdout == "[]\n"
