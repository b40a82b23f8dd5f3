"""Which part may import which, read from the source itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
#: Layer of each package or module directly in audit_core, and of what lies beside it: imports go down or stay in a layer.
LAYERS = {
    **dict.fromkeys(("app", "pages", "audit_core.web", "audit_core.cli", "cleaning.cli", "audit_core.__main__"), 5),
    # Above what it shows: no computing part of cleaning may reach into the browser side.
    "cleaning.ui": 4,
    **dict.fromkeys(("audit_core.ui", "cleaning"), 3),
    "audit_core.workflow": 2,
    **dict.fromkeys(
        ("audit_core.storage", "audit_core.datasets", "audit_core.importers", "audit_core.exporters",
         "audit_core.rendering", "audit_core.inference", "audit_core.jobs", "audit_core.release"), 1,
    ),
    **dict.fromkeys(
        ("audit_core", "audit_core.domain", "audit_core.errors", "audit_core.config", "audit_core.account_settings", "audit_core.registry",
         "audit_core.geometry", "audit_core.strict_json", "audit_core.statistics", "audit_core.agreement", "audit_core.sampling",
         "audit_core.census", "audit_core.evaluation", "audit_core.corrections", "audit_core.protocols",
         "audit_core.audit_report"), 0,
    ),
}  # fmt: skip
#: Longest module, in lines.
LONGEST = 320


def _sources() -> list[Path]:
    folders = [ROOT / "audit_core", ROOT / "pages", ROOT / "cleaning"]
    return [ROOT / "app.py", *(each for folder in folders for each in sorted(folder.rglob("*.py")))]


SOURCES = _sources()


def _module(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, module) of each import of a file, those inside functions as well."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for each in node.names:
                yield node.lineno, each.name
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: imports are absolute"
            module = node.module or ""
            for each in node.names:
                # `from audit_core import config` means audit_core.config.
                yield node.lineno, f"{module}.{each.name}" if module == "audit_core" else module


def _part(module: str) -> str:
    """Return the part of the layer table that a module belongs to."""
    top, *rest = module.split(".")
    if top == "cleaning" and rest[:1] in (["ui"], ["cli"]):
        return f"cleaning.{rest[0]}"
    return f"audit_core.{rest[0]}" if top == "audit_core" and rest else top


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_package_and_module_is_in_the_layer_table() -> None:
    parts = {_part(_module(path)) for path in SOURCES}
    assert parts - set(LAYERS) == set(), "say in LAYERS where it belongs"
    assert len(SOURCES) > 60


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_imports_go_down_or_stay_in_their_layer(path: Path) -> None:
    own = _part(_module(path))
    against = [
        f"{_name(path)}:{line} imports {module}"
        for line, module in _imported(path)
        if (part := _part(module)) in LAYERS and LAYERS[part] > LAYERS[own]
    ]
    assert against == []


def test_the_pure_core_imports_nothing_that_reads_or_writes() -> None:
    outside = {"sqlalchemy", "alembic", "sqlite3", "streamlit", "starlette", "requests", "httpx", "subprocess", "PIL"}
    found = [
        f"{_name(path)}:{line} imports {module}"
        for path in SOURCES
        if LAYERS[_part(_module(path))] == 0
        for line, module in _imported(path)
        if module.split(".")[0] in outside
    ]
    assert found == []


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("streamlit", ("app", "pages", "audit_core.ui", "cleaning.ui")),
        ("sqlalchemy", ("audit_core.storage",)),
        ("alembic", ("audit_core.storage",)),
        ("click", ("audit_core.cli", "cleaning.cli")),
        ("starlette", ("audit_core.web",)),
        ("pypdfium2", ("audit_core.rendering", "audit_core.importers")),
    ],
)
def test_a_library_is_imported_only_where_it_belongs(library: str, allowed: tuple[str, ...]) -> None:
    places = {
        _part(_module(path)) for path in SOURCES for _, module in _imported(path) if module.split(".")[0] == library
    }
    assert places, f"nothing imports {library} any more: take it out of this test"
    assert places <= set(allowed)


def test_the_core_does_not_know_cleaning() -> None:
    found = [
        _name(path)
        for path in SOURCES
        if _module(path).startswith("audit_core") and path.name != "__main__.py"
        for _, module in _imported(path)
        if module.split(".")[0] == "cleaning"
    ]
    assert found == []


def test_no_module_is_longer_than_a_reader_can_hold() -> None:
    long = {_name(path): count for path in SOURCES if (count := len(path.read_text().splitlines())) > LONGEST}
    assert long == {}


def test_every_module_says_what_it_is() -> None:
    silent = [
        _name(path)
        for path in SOURCES
        if path.read_text().strip() and ast.get_docstring(ast.parse(path.read_text())) is None
    ]
    assert silent == []
