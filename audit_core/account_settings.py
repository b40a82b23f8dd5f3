"""The settings of accounts, read when asked: the mode, the OpenID Connect provider, the trusted proxies."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import StrEnum

from audit_core import config
from audit_core.domain import Role
from audit_core.errors import SettingError


class Mode(StrEnum):
    """Who may sign in, and how."""

    LOCAL = "local"
    SINGLE = "single"
    OIDC = "oidc"
    PROXY = "proxy"


#: Names of this machine for itself.
OWN_NAMES = ("localhost", "127.0.0.1", "::1", "[::1]")


def mode() -> Mode:
    """Return the mode in force.

    Raises:
        SettingError: it is none of the four.
    """
    raw = config.value("ASSAY_ACCOUNTS")
    try:
        return Mode(raw)
    except ValueError:
        raise SettingError(f"ASSAY_ACCOUNTS is {raw!r}: set it to local, single, oidc or proxy.") from None


@dataclass(frozen=True, slots=True)
class Provider:
    """An OpenID Connect provider and what it knows us by."""

    issuer: str
    client_id: str
    client_secret: str


def oidc_issuer() -> str | None:
    """Return the provider's address, None where none is set.

    Raises:
        SettingError: it is no address of a provider; plain HTTP is taken for this machine alone.
    """
    raw = config.value("ASSAY_OIDC_ISSUER").strip()
    if raw == "none":
        return None
    fault = config.url_fault(raw)
    if (
        fault is None
        and not raw.startswith("https://")
        and not re.match(r"http://(localhost|127\.0\.0\.1)[:/]", raw + "/")
    ):
        fault = "does not begin with https://"
    if fault:
        raise SettingError(f"ASSAY_OIDC_ISSUER {fault}: set it to an address such as https://login.example.org.")
    return raw


def oidc_client_id() -> str | None:
    """Return our name at the provider, None where none is set."""
    raw = config.value("ASSAY_OIDC_CLIENT_ID").strip()
    return None if raw == "none" else raw


def oidc_client_secret() -> str | None:
    """Return our secret at the provider, None where none is set. It is sent to the provider, and never shown, logged or stored."""
    return config.secret("ASSAY_OIDC_CLIENT_SECRET")


def provider() -> Provider:
    """Return the OpenID Connect provider of the settings.

    Raises:
        SettingError: one of the three settings is missing or wrong.
    """
    found = {
        "ASSAY_OIDC_ISSUER": oidc_issuer(),
        "ASSAY_OIDC_CLIENT_ID": oidc_client_id(),
        "ASSAY_OIDC_CLIENT_SECRET": oidc_client_secret(),
    }
    for name, given in found.items():
        if given is None:
            raise SettingError(f"ASSAY_ACCOUNTS is oidc, and {name} is not set: set it to what the provider gave you.")
    issuer, client_id, secret = (str(each) for each in found.values())
    return Provider(issuer, client_id, secret)


def new_role() -> Role | None:
    """Return what somebody unknown becomes whom the provider or the proxy vouches for; None: they are refused."""
    raw = config.value("ASSAY_NEW_ROLE")
    if raw not in ("annotator", "none"):
        raise SettingError(f"ASSAY_NEW_ROLE is {raw!r}: set it to annotator or none.")
    return Role.ANNOTATOR if raw == "annotator" else None


def proxy_header() -> str:
    """Return the name of the header in which a trusted proxy names who asks.

    Raises:
        SettingError: it is no name of a header, or one that means something else.
    """
    raw = config.value("ASSAY_PROXY_HEADER")
    if not re.fullmatch(r"[A-Za-z0-9-]{1,80}", raw) or raw.lower() in ("host", "origin", "cookie", "x-assay"):
        raise SettingError(
            f"ASSAY_PROXY_HEADER is {raw[:80]!r}: set it to the name of a header such as X-Forwarded-User."
        )
    return raw


def trusted_proxies() -> frozenset[str]:
    """Return the addresses of trusted proxies, in their shortest form; 127.0.0.1 and ::1 stand for one another.

    Raises:
        SettingError: one of them is no IP address.
    """
    found: set[str] = set()
    for each in config.value("ASSAY_TRUSTED_PROXIES").split():
        try:
            address = ipaddress.ip_address(each)
        except ValueError:
            raise SettingError(
                f"ASSAY_TRUSTED_PROXIES names {each[:60]!r}: list IP addresses such as 10.0.0.5, separated by blanks."
            ) from None
        found |= {"127.0.0.1", "::1"} if address.is_loopback else {str(address)}
    return frozenset(found)


def check() -> None:
    """Read every setting of accounts once.

    Raises:
        SettingError: one cannot be used, or does not go with the mode.
    """
    for read in (mode, oidc_issuer, oidc_client_id, oidc_client_secret, new_role, proxy_header, trusted_proxies):
        read()
    if mode() is Mode.OIDC:
        provider()
    if mode() is Mode.SINGLE and (foreign := [each for each in config.allowed_hosts() if each not in OWN_NAMES]):
        raise SettingError(
            f"ASSAY_ACCOUNTS is single, and ASSAY_ALLOWED_HOSTS names {foreign[0]!r}: whoever reached Assay there would be "
            "a lead. Take that name out, or set ASSAY_ACCOUNTS to local."
        )
