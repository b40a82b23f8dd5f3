"""What is done once before the app serves anybody: settings are checked, and the first account is made and told."""

from __future__ import annotations

import ipaddress
import sys

from audit_core import account_settings, config
from audit_core.account_settings import Mode
from audit_core.errors import SettingError, StorageError
from audit_core.workflow.accounts import ensure_first_account
from audit_core.workflow.first_account import first_account_words
from audit_core.workflow.workspace import open_workspace


def check_start(address: str | None) -> None:
    """Go on where the settings go together and with `address`, on which the server listens (None: on every one).

    Raises:
        SettingError: they do not; says which to change.
    """
    config.check()
    if account_settings.mode() is Mode.SINGLE and not _is_loopback(address):
        raise SettingError(
            f"ASSAY_ACCOUNTS is single, and the app would listen on {address or 'every address'}: whoever reached it would be "
            "a lead. Set server.address to 127.0.0.1, or ASSAY_ACCOUNTS to local."
        )
    if config.forwarding_is_changed():
        raise SettingError(
            "FORWARDED_ALLOW_IPS is set: whom to believe about forwarded requests is said by ASSAY_TRUSTED_PROXIES. Unset it."
        )


def _is_loopback(address: str | None) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False


def prepare_access(address: str | None) -> None:
    """Check the settings, then make the first account where there is none and tell its one-time password on the terminal.

    A wrong setting ends the program; a database that cannot be used does not: every page then says what to do.
    """
    try:
        check_start(address)
        password = ensure_first_account(open_workspace())
    except SettingError as error:
        raise SystemExit(f"Error: {error}") from None
    except StorageError as error:
        sys.stderr.write(f"Error: {error}\n")
        return
    if password:
        sys.stderr.write(first_account_words(password) + "\n")
        sys.stderr.flush()
