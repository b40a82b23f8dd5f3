"""Commands on a home that cannot be written: what only reads works, what saves is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.bundles import small_bundle
from tests.command_line import Run, close_homes
from tests.nobody import as_nobody, open_folder

pytestmark = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
READING = (
    "datasets", "campaigns", "report audit", "campaign plan --dataset small", "campaign delete audit --dry-run",
    "dataset delete small --dry-run", "corrections check small", "corrections list small --json",
)  # fmt: skip


@pytest.fixture
def home(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A home with the tiny bundle that nobody may write, while this process is nobody."""
    with open_folder() as folder:
        monkeypatch.setenv("ASSAY_HOME", str(folder))
        assert run("import", small_bundle(tmp_path / "b")).exit_code == 0
        # What these commands load is loaded by the one who may read the installation.
        for words in READING:
            assert run(*words.split()).exit_code == 0, words
        close_homes()
        for root, folders, files in os.walk(folder):
            for name in (*folders, *files):
                os.chmod(Path(root) / name, 0o555 if name in folders else 0o444)
        folder.chmod(0o555)
        with as_nobody():
            yield folder
        for root, folders, _ in os.walk(folder):
            for name in folders:
                os.chmod(Path(root) / name, 0o755)


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize("words", READING)
def test_a_command_that_only_reads_works(run: Run, words: str) -> None:
    result = run(*words.split())
    assert (result.exit_code, "Error" in result.stderr) == (0, False), result.stderr
    assert result.stdout


def test_a_bundle_is_exported_from_it(run: Run, home: Path) -> None:
    with open_folder() as place:
        place.chmod(0o777)
        assert run("export-bundle", "small", place / "out").exit_code == 0
        assert (place / "out" / "queries.jsonl").is_file()
    assert not (home / "backups").exists()


@pytest.mark.usefixtures("home")
@pytest.mark.parametrize(
    "words", ["campaign close audit", "campaign start again --dataset small", "dataset archive small", "db backup"]
)
def test_a_command_that_saves_is_refused(run: Run, words: str) -> None:
    result = run(*words.split())
    assert result.exit_code == 1
    assert "Error:" in result.stderr
    assert "nothing was" in result.stderr


@pytest.mark.usefixtures("home")
def test_the_check_says_that_nothing_can_be_saved_and_looks_at_the_rest(run: Run) -> None:
    result = run("db", "check", "--json")
    assert result.exit_code == 1
    checks = json.loads(result.stdout)
    assert [each["what"] for each in checks] == ["database", "schema", "content", "dataset small@1"]
    assert [each["ok"] for each in checks] == [False, True, True, True]
    assert "can be read, but not written" in checks[0]["message"]
