"""settings: the table of settings with the values in force, and what is wrong with them."""

from __future__ import annotations

import os
from collections.abc import Callable

import click

from audit_core import account_settings, config
from audit_core.cli.output import example, json_option, print_json, refusals_exit_with_1
from audit_core.errors import AssayError


@click.command("settings", epilog=example("settings", "settings --json"))
@json_option
@refusals_exit_with_1
def settings_command(as_json: bool) -> None:
    """List all settings (environment variables) with the values in force; exits with 1 where one cannot be used."""
    rows = [(each, os.environ.get(each.name), _problem(each.name)) for each in config.SETTINGS]
    if as_json:
        print_json(
            [
                {
                    "name": each.name,
                    "default": each.default,
                    "value": _shown(each, given, problem),
                    "problem": problem,
                    "help": each.help,
                }
                for each, given, problem in rows
            ]
        )
    else:
        for each, given, problem in rows:
            click.echo(f"{each.name}\n    {each.help}\n    default: {each.default}")
            if given:
                click.echo(f"    now: {_shown(each, given, problem)}")
            if problem:
                click.echo(f"    WRONG: {problem}")
    if any(problem for *_, problem in rows):
        raise SystemExit(1)


def _problem(name: str) -> str | None:
    """Return why the value in force cannot be used, None where it can."""
    try:
        _READERS[name]()
    except AssayError as error:
        return str(error)
    return None


def _read_home() -> None:
    home = config.home()
    there = next((each for each in (home, *home.parents) if each.exists()), home)
    if not there.is_dir():
        raise AssayError(f"ASSAY_HOME is {home}, and {there} is not a folder: set it to a folder.")


def _read_database() -> None:
    from audit_core.storage.database import connect

    connect(config.database_url()).close()


#: By name, what reads a setting and refuses a value that cannot be used.
_READERS: dict[str, Callable[[], object]] = {
    "ASSAY_HOME": _read_home,
    "ASSAY_DATABASE_URL": _read_database,
    "ASSAY_IMPORT_FOLDERS": config.import_folders,
    "ASSAY_MAX_UPLOAD_MB": config.max_upload_bytes,
    "ASSAY_MAX_IMAGE_PIXELS": config.max_image_pixels,
    "ASSAY_PAGE_CACHE_MB": config.page_cache_bytes,
    "ASSAY_PDF_TIMEOUT_SECONDS": config.pdf_timeout_seconds,
    "ASSAY_ALLOWED_HOSTS": config.allowed_hosts,
    "ASSAY_SESSION_DAYS": config.session_seconds,
    "ASSAY_SESSION_IDLE_DAYS": config.session_idle_seconds,
    "ASSAY_ACCOUNTS": account_settings.mode,
    "ASSAY_OIDC_ISSUER": account_settings.oidc_issuer,
    "ASSAY_OIDC_CLIENT_ID": account_settings.oidc_client_id,
    "ASSAY_OIDC_CLIENT_SECRET": account_settings.oidc_client_secret,
    "ASSAY_NEW_ROLE": account_settings.new_role,
    "ASSAY_PROXY_HEADER": account_settings.proxy_header,
    "ASSAY_TRUSTED_PROXIES": account_settings.trusted_proxies,
    "ASSAY_SECURE_COOKIE": config.secure_cookie,
    "ASSAY_EMBEDDINGS_URL": config.embeddings_url,
    "ASSAY_EMBEDDINGS_MODEL": config.embeddings_model,
    "ASSAY_EMBEDDINGS_KEY": config.embeddings_key,
    "ASSAY_LLM_URL": config.llm_url,
    "ASSAY_LLM_MODEL": config.llm_model,
    "ASSAY_LLM_KEY": config.llm_key,
    "ASSAY_LLM_PRICE_INPUT": config.llm_price_input,
    "ASSAY_LLM_PRICE_OUTPUT": config.llm_price_output,
    "ASSAY_LLM_IN_FLIGHT": config.llm_in_flight,
}


def _shown(setting: config.Setting, given: str | None, problem: str | None) -> str | None:
    """Return a value without a password in it; what is secret, or no URL where one belongs, is not shown at all."""
    if not given:
        return None
    if setting.is_secret:
        return "(set, not shown)"
    if setting.name == "ASSAY_DATABASE_URL":
        from audit_core.storage.database import without_password

        return without_password(given)
    if setting.name.endswith("_URL") and problem:
        return "(set, not shown)"
    return given
