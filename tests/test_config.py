"""Settings: defaults, values, and what is said of a value that cannot be used."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from audit_core import config
from audit_core.errors import SettingError

NUMBERS = {
    "ASSAY_MAX_UPLOAD_MB": (config.max_upload_bytes, 500_000_000),
    "ASSAY_MAX_IMAGE_PIXELS": (config.max_image_pixels, 120_000_000),
    "ASSAY_PAGE_CACHE_MB": (config.page_cache_bytes, 2_048_000_000),
    "ASSAY_PDF_TIMEOUT_SECONDS": (config.pdf_timeout_seconds, 20),
    "ASSAY_SESSION_DAYS": (config.session_seconds, 30 * 86_400),
    "ASSAY_SESSION_IDLE_DAYS": (config.session_idle_seconds, 14 * 86_400),
}


def test_every_setting_has_a_name_of_its_own_and_says_what_it_does() -> None:
    names = [each.name for each in config.SETTINGS]
    assert len(set(names)) == len(names)
    for each in config.SETTINGS:
        assert re.fullmatch(r"ASSAY_[A-Z_]+", each.name)
        assert each.help.endswith(".")
        assert each.default


def test_every_setting_that_the_code_reads_is_in_the_table_and_the_other_way_round() -> None:
    root = Path(config.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in [*root.rglob("*.py"), root.parent / "app.py"]}
    named = {name for text in texts.values() for name in re.findall(r"\bASSAY_[A-Z_]+[A-Z]\b", text)}
    assert named == {each.name for each in config.SETTINGS}
    readers = [
        path.name for path, text in texts.items() if re.search(r"environ\.get\((?!.PYTHONPATH)|environ\[|getenv", text)
    ]
    assert sorted(readers) == ["config.py", "settings.py"], "settings are read in one place, and listed by one command"


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_has_its_default_takes_a_value_and_refuses_what_is_none(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, default = NUMBERS[name]
    assert read() == default
    monkeypatch.setenv(name, "")
    assert read() == default
    monkeypatch.setenv(name, "7")
    assert 0 < read() != default
    for wrong in ("0", "-1", "many", "1.5", "1e3", " ", "9" * 5_000, "10000000001"):
        monkeypatch.setenv(name, wrong)
        with pytest.raises(SettingError, match=f"{name} is"):
            read()


def test_the_home_is_absolute_and_may_lie_below_the_user_s_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("ASSAY_HOME")
    assert config.home() == Path(__file__).parents[1] / "data" / "local", "the checkout's, wherever a command is run"
    monkeypatch.setenv("ASSAY_HOME", "work/assay")
    assert config.home() == tmp_path / "work" / "assay"
    monkeypatch.setenv("ASSAY_HOME", "~/assay")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert config.home() == tmp_path / "assay"
    assert not config.home().exists()


def test_hosts_are_names_without_ports_and_a_wrong_setting_is_told_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ASSAY_ACCOUNTS", "local")
    assert config.allowed_hosts() == ["localhost", "127.0.0.1"]
    monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", "assay.example.org")
    assert config.allowed_hosts() == ["assay.example.org"]
    config.check()
    for wrong in ("*", "http://assay.example.org", "a,b", "host:8501"):
        monkeypatch.setenv("ASSAY_ALLOWED_HOSTS", wrong)
        with pytest.raises(SettingError, match="ASSAY_ALLOWED_HOSTS"):
            config.check()


def test_the_database_is_a_file_in_the_home_unless_it_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    assert config.database_url() == f"sqlite:///{tmp_path}/assay.db"
    monkeypatch.setenv("ASSAY_DATABASE_URL", "postgresql://h/x")
    assert config.database_url() == "postgresql://h/x"


def test_import_folders_are_resolved_and_must_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert config.import_folders() == ()
    (tmp_path / "a").mkdir()
    (tmp_path / "b").symlink_to(tmp_path / "a")
    monkeypatch.setenv("ASSAY_IMPORT_FOLDERS", os.pathsep.join([str(tmp_path / "a"), "", str(tmp_path / "b")]))
    assert config.import_folders() == (tmp_path / "a", tmp_path / "a")
    monkeypatch.setenv("ASSAY_IMPORT_FOLDERS", str(tmp_path / "gone"))
    with pytest.raises(SettingError, match=r"names .*gone, which is not a folder"):
        config.import_folders()


def test_the_secure_cookie_is_on_or_off(monkeypatch: pytest.MonkeyPatch) -> None:
    assert config.secure_cookie() is False
    monkeypatch.setenv("ASSAY_SECURE_COOKIE", "1")
    assert config.secure_cookie() is True
    monkeypatch.setenv("ASSAY_SECURE_COOKIE", "yes")
    with pytest.raises(SettingError, match="set it to 0 or 1"):
        config.secure_cookie()


def test_a_setting_that_is_not_in_the_table_is_a_fault_of_the_program() -> None:
    with pytest.raises(KeyError):
        config.value("ASSAY_NONSENSE")
