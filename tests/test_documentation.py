"""README and docs name every command and every setting, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from audit_core import config
from audit_core.__main__ import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMANDS = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def _tree(group: click.Group, before: str = "") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    for name, command in group.commands.items():
        found[f"{before}{name}"] = command
        if isinstance(command, click.Group):
            found |= _tree(command, f"{before}{name} ")
    return found


TREE = _tree(main)


def _named_command(words: str) -> str | None:
    """Return the command that the words after `python -m audit_core` call, None where there is none."""
    found = None
    parts = words.split()
    for end in range(1, len(parts) + 1):
        if " ".join(parts[:end]) in TREE:
            found = " ".join(parts[:end])
    return found


def test_the_table_of_commands_is_the_tree_of_commands() -> None:
    table = re.findall(r"^\| \[`python -m audit_core ([a-z -]+)`\]", COMMANDS, flags=re.MULTILINE)
    assert sorted(table) == sorted(TREE)


def test_every_option_of_every_command_is_described() -> None:
    missing = [
        f"{words} {option}"
        for words, command in TREE.items()
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option not in COMMANDS
    ]
    assert missing == []


def test_the_table_of_settings_is_the_table_in_the_code() -> None:
    rows = re.findall(r"^\| `(ASSAY_[A-Z_]+)` \| `?([^|`]+?)`? \|", SETTINGS, flags=re.MULTILINE)
    assert rows == [(each.name, each.default) for each in config.SETTINGS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_page_names_a_command_option_or_setting_that_is_not_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    settings = set(re.findall(r"\bASSAY_[A-Z_]+[A-Z]\b", text))
    known = {each.name for each in config.SETTINGS} | {"ASSAY_TEST_REAL_DATA"}
    assert settings <= known
    for words in re.findall(r"(?:python|BIN\)/python) -m audit_core ([^`\n|]*)", text):
        if words.split()[:1] in ([], ["-h"], ["--help"], ["--version"], ["COMMAND"]):
            continue
        named = _named_command(words)
        assert named is not None, f"{page.name} calls {words!r}"
        options = {option for each in TREE[named].params for option in (*each.opts, *each.secondary_opts)}
        used = re.findall(r"(?<![\w-])--[a-z][a-z-]*", words)
        assert set(used) <= options | {"--help"}, f"{page.name} calls {words!r}"


def test_the_readme_leads_to_the_commands_and_the_settings() -> None:
    readme = PAGES[0].read_text(encoding="utf-8")
    assert "docs/commands.md" in readme
    assert "docs/settings.md" in readme


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_to_a_file_or_heading_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target or target.startswith("mailto:"):
            continue
        file, _, heading = target.partition("#")
        place = page if not file else (page.parent / file)
        assert place.exists(), f"{page.name} links to {target}"
        if heading and place.suffix == ".md":
            titles = re.findall(r"^#+ (.+)$", place.read_text(encoding="utf-8"), flags=re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.replace("`", "").lower()).replace(" ", "-") for title in titles}
            assert heading in slugs, f"{page.name} links to {target}"
