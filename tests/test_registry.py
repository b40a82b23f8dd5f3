"""The registry: a folder of modules by their names."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from audit_core import registry
from audit_core.errors import NotFound

MakePackage = Callable[..., str]


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakePackage:
    """A function that writes modules (file name -> source) into a package that can be imported; returns its name."""

    def make(**modules: str) -> str:
        name = f"members_of_{tmp_path.name}"
        folder = tmp_path / name
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        for file, source in modules.items():
            (folder / f"{file}.py").write_text(source)
        monkeypatch.syspath_prepend(tmp_path)
        for each in [each for each in sys.modules if each.startswith(name)]:
            monkeypatch.delitem(sys.modules, each)
        return name

    return make


def test_members_come_in_file_order_by_their_own_names(make_package: MakePackage) -> None:
    package = make_package(b_second="name = 'one'", a_first="name = 'two'", c_none="value = 1")
    assert list(registry.load_folder(package)) == ["two", "one"]


def test_only_files_with_the_prefix_are_even_imported(make_package: MakePackage) -> None:
    package = make_package(report_x="name = 'x'", other="raise RuntimeError('imported')")
    assert list(registry.load_folder(package, "report_")) == ["x"]


def test_two_members_of_one_name_are_a_fault_that_names_both(make_package: MakePackage) -> None:
    package = make_package(one="name = 'same'", two="name = 'same'")
    with pytest.raises(ValueError, match=rf"{package}\.two and {package}\.one are both named 'same'"):
        registry.load_folder(package)


def test_an_unknown_name_lists_the_known_ones(make_package: MakePackage) -> None:
    package = make_package(one="name = 'a'", two="name = 'b'")
    assert registry.look_up(package, "b").name == "b"
    with pytest.raises(NotFound, match=r"'c' is not known here. Choose one of: a, b\."):
        registry.look_up(package, "c")


def test_a_member_that_cannot_be_imported_is_not_passed_over(make_package: MakePackage) -> None:
    package = make_package(broken="import nothing_of_that_name")
    with pytest.raises(ModuleNotFoundError):
        registry.load_folder(package)


@pytest.mark.parametrize(
    ("package", "prefix", "needs"),
    [
        ("audit_core.protocols", "", ("description", "parse")),
        ("audit_core.exporters", "report_", ("write", "suffix", "media_type")),
    ],
)
def test_every_real_member_has_what_its_callers_use(package: str, prefix: str, needs: tuple[str, ...]) -> None:
    members = registry.load_folder(package, prefix)
    assert members
    for member in members.values():
        assert all(hasattr(member, each) for each in needs)
        assert (member.__doc__ or "").strip()
