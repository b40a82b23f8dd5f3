"""Settings: environment variables with the prefix `ASSAY_`, listed in one table and read when asked.

`python -m audit_core settings` prints the table with the values in force.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from audit_core.errors import SettingError


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: its variable, what holds when it is unset, what it does, and whether its value is never to be shown."""

    name: str
    default: str
    help: str
    is_secret: bool = False


SETTINGS: tuple[Setting, ...] = (
    Setting("ASSAY_HOME", "data/local in the checkout", "Folder for the database, imported datasets, uploads, cached pages and the cookie secret."),
    Setting("ASSAY_DATABASE_URL", "sqlite file ASSAY_HOME/assay.db", "SQLAlchemy URL of the main database (SQLite or PostgreSQL)."),
    Setting("ASSAY_IMPORT_FOLDERS", "none", "Folders whose bundles may be imported from the browser, separated by ':' (';' on Windows)."),
    Setting("ASSAY_MAX_UPLOAD_MB", "500", "Largest bundle that may be uploaded, unpacked, in megabytes."),
    Setting("ASSAY_MAX_IMAGE_PIXELS", "120000000", "Page images with more pixels than this are refused as decompression bombs."),
    Setting("ASSAY_PAGE_CACHE_MB", "2048", "Bound of the cache of rendered pages, in megabytes."),
    Setting("ASSAY_PDF_TIMEOUT_SECONDS", "20", "A PDF page that takes longer than this to draw is given up."),
    Setting("ASSAY_ALLOWED_HOSTS", "localhost 127.0.0.1", "Host names under which the app answers, separated by blanks (a proxy's name)."),
    Setting("ASSAY_ACCOUNTS", "local", "Who may sign in: local (passwords), single (a name alone, on this machine only), oidc or proxy."),
    Setting("ASSAY_SESSION_DAYS", "30", "Days until a sign-in ends."),
    Setting("ASSAY_SESSION_IDLE_DAYS", "14", "Days without use after which a sign-in ends."),
    Setting("ASSAY_OIDC_ISSUER", "none", "Address of the OpenID Connect provider, exactly as it names itself, such as https://login.example.org."),
    Setting("ASSAY_OIDC_CLIENT_ID", "none", "Name under which Assay is registered with the provider."),
    Setting("ASSAY_OIDC_CLIENT_SECRET", "none", "Secret that the provider gave for that name; never shown, logged or stored.", is_secret=True),
    Setting("ASSAY_NEW_ROLE", "annotator", "What somebody new becomes whom the provider or the proxy names: annotator, or none (refused)."),
    Setting("ASSAY_PROXY_HEADER", "X-Forwarded-User", "Header in which a trusted proxy names who asks."),
    Setting("ASSAY_TRUSTED_PROXIES", "127.0.0.1", "Addresses of trusted proxies, separated by blanks; that header is believed from nowhere else."),
    Setting("ASSAY_SECURE_COOKIE", "0", "1 sends the sign-in cookie over HTTPS only (set it behind a TLS proxy)."),
    Setting("ASSAY_EMBEDDINGS_URL", "none", "Base URL of an embeddings endpoint that speaks the OpenAI protocol, such as http://127.0.0.1:8000/v1."),
    Setting("ASSAY_EMBEDDINGS_MODEL", "none", "Name of the model that the embeddings endpoint is asked for."),
    Setting("ASSAY_EMBEDDINGS_KEY", "none", "Key that is sent to the embeddings endpoint; never shown, logged or stored.", is_secret=True),
    Setting("ASSAY_LLM_URL", "none", "Base URL of a server of language models that speaks the OpenAI protocol, such as http://127.0.0.1:8000/v1."),
    Setting("ASSAY_LLM_MODEL", "none", "Name of the language model that is asked."),
    Setting("ASSAY_LLM_KEY", "none", "Key that is sent to the server of language models; never shown, logged or stored.", is_secret=True),
    Setting("ASSAY_LLM_PRICE_INPUT", "unknown", "Price of a million tokens of input of that model, in US dollars."),
    Setting("ASSAY_LLM_PRICE_OUTPUT", "unknown", "Price of a million tokens of output of that model, in US dollars."),
    Setting("ASSAY_LLM_IN_FLIGHT", "8", "Requests to the language model that are under way at once, 1 to 256."),
)  # fmt: skip

#: The folder of the checkout, whatever folder a command is run in.
_CHECKOUT = Path(__file__).absolute().parents[1]
_BY_NAME = {each.name: each for each in SETTINGS}


def value(name: str) -> str:
    """Return the raw text of a setting: the environment's, else its default.

    Raises:
        KeyError: the setting is not in the table (a programming error).
    """
    setting = _BY_NAME[name]
    return os.environ.get(name) or setting.default


#: Larger numbers overflow the clocks and timeouts that they are given to.
LARGEST = 1_000_000_000
#: Requests to a language model that one run may have under way at once.
MOST_IN_FLIGHT = 256
_HIGHEST_PRICE = 1_000_000.0


def _number(name: str, *, low: int) -> int:
    raw = value(name)
    try:
        number = int(raw)
    except ValueError:
        raise SettingError(f"{name} is {raw!r}: set it to a whole number of at least {low}.") from None
    if number < low:
        raise SettingError(f"{name} is {number}: set it to a whole number of at least {low}.")
    if number > LARGEST:
        raise SettingError(f"{name} is {number}: set it to at most {LARGEST}.")
    return number


def home() -> Path:
    """Return the absolute ASSAY_HOME folder (not created here)."""
    raw = os.environ.get("ASSAY_HOME")
    return Path(raw).expanduser().absolute() if raw else _CHECKOUT / "data" / "local"


def database_url() -> str:
    """Return the SQLAlchemy URL of the main database."""
    raw = os.environ.get("ASSAY_DATABASE_URL")
    if raw:
        return raw
    # In a URL these two stand for something else than themselves.
    path = str(home() / "assay.db").replace("%", "%25").replace("?", "%3F")
    return f"sqlite:///{path}"


def import_folders() -> tuple[Path, ...]:
    """Return the folders whose bundles may be imported from the browser, resolved; empty when none is set.

    Raises:
        SettingError: a named folder does not exist.
    """
    raw = os.environ.get("ASSAY_IMPORT_FOLDERS", "")
    folders = tuple(Path(part).expanduser().resolve() for part in raw.split(os.pathsep) if part)
    for folder in folders:
        if not folder.is_dir():
            raise SettingError(f"ASSAY_IMPORT_FOLDERS names {folder}, which is not a folder: create it or take it out.")
    return folders


def max_upload_bytes() -> int:
    """Return the largest size of an unpacked upload, in bytes."""
    return _number("ASSAY_MAX_UPLOAD_MB", low=1) * 1_000_000


def max_image_pixels() -> int:
    """Return the number of pixels above which a page image is refused."""
    return _number("ASSAY_MAX_IMAGE_PIXELS", low=1)


def page_cache_bytes() -> int:
    """Return the bound of the rendered-page cache, in bytes."""
    return _number("ASSAY_PAGE_CACHE_MB", low=1) * 1_000_000


def pdf_timeout_seconds() -> int:
    """Return after how many seconds the drawing of one PDF page is given up."""
    return _number("ASSAY_PDF_TIMEOUT_SECONDS", low=1)


def session_seconds() -> int:
    """Return how long a sign-in lasts, in seconds."""
    return _number("ASSAY_SESSION_DAYS", low=1) * 86_400


def session_idle_seconds() -> int:
    """Return after how many seconds without use a sign-in ends."""
    return _number("ASSAY_SESSION_IDLE_DAYS", low=1) * 86_400


def allowed_hosts() -> list[str]:
    """Return the host names under which the app answers; a page of any other name cannot reach it through a browser.

    Raises:
        SettingError: one of them is not a host name.
    """
    hosts = value("ASSAY_ALLOWED_HOSTS").split()
    for host in hosts:
        if not host.isascii() or any(sign in host for sign in "/:*,@"):
            raise SettingError(
                f"ASSAY_ALLOWED_HOSTS names {host!r}: list host names such as assay.example.org, without port, separated by blanks."
            )
    return hosts


def forwarding_is_changed() -> bool:
    """Return whether the web server (uvicorn) was told to believe forwarded addresses from elsewhere than this machine."""
    return bool(os.environ.get("FORWARDED_ALLOW_IPS"))


def secure_cookie() -> bool:
    """Return whether the sign-in cookie is sent over HTTPS only."""
    raw = value("ASSAY_SECURE_COOKIE")
    if raw not in ("0", "1"):
        raise SettingError(f"ASSAY_SECURE_COOKIE is {raw!r}: set it to 0 or 1.")
    return raw == "1"


def embeddings_url() -> str | None:
    """Return the base URL of the embeddings endpoint, None where none is set.

    Raises:
        SettingError: it is no http(s) URL, or carries a password or a query, which would be stored along with it.
    """
    return _url("ASSAY_EMBEDDINGS_URL")


def _url(name: str) -> str | None:
    raw = os.environ.get(name, "").strip()
    if not raw:
        return None
    fault = url_fault(raw)
    if fault:
        raise SettingError(f"{name} {fault}: set it to a base URL such as http://127.0.0.1:8000/v1.")
    return raw


def url_fault(url: str) -> str | None:
    """Return why a text cannot be the base URL of an endpoint, None where it can; never the URL itself."""
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return "is not a URL"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "does not begin with http:// or https:// and a host"
    if parts.username or parts.password:
        return "carries a user name or password (a key goes into the setting of the key)"
    if parts.query or parts.fragment:
        return "has a part after ? or #"
    return None


def embeddings_model() -> str | None:
    """Return the name of the embeddings endpoint's model, None where none is set."""
    return os.environ.get("ASSAY_EMBEDDINGS_MODEL", "").strip() or None


def embeddings_key() -> str | None:
    """Return the key of the embeddings endpoint, None where none is set. It is sent, and never shown, logged or stored.

    Raises:
        SettingError: it holds what cannot be sent in a header.
    """
    return _key("ASSAY_EMBEDDINGS_KEY")


def _key(name: str) -> str | None:
    raw = os.environ.get(name, "").strip()
    if any(not "!" <= sign <= "~" for sign in raw):
        raise SettingError(f"{name} holds blanks or signs that no key has: copy the key again.")
    return raw or None


def llm_url() -> str | None:
    """Return the base URL of the server of language models, None where none is set.

    Raises:
        SettingError: it is no http(s) URL, or carries a password or a query, which would be stored along with it.
    """
    return _url("ASSAY_LLM_URL")


def llm_model() -> str | None:
    """Return the name of the language model, None where none is set."""
    return os.environ.get("ASSAY_LLM_MODEL", "").strip() or None


def llm_key() -> str | None:
    """Return the key of the server of language models, None where none is set. It is sent, and never shown, logged or stored.

    Raises:
        SettingError: it holds what cannot be sent in a header.
    """
    return _key("ASSAY_LLM_KEY")


def secret(name: str) -> str | None:
    """Return a key or secret of the settings, None where none is set.

    Raises:
        SettingError: it holds what no key has.
    """
    return _key(name)


def llm_price_input() -> float | None:
    """Return the price of a million tokens of input in US dollars, None where it is not known."""
    return _price("ASSAY_LLM_PRICE_INPUT")


def llm_price_output() -> float | None:
    """Return the price of a million tokens of output in US dollars, None where it is not known."""
    return _price("ASSAY_LLM_PRICE_OUTPUT")


def _price(name: str) -> float | None:
    raw = os.environ.get(name, "").strip()
    if not raw:
        return None
    try:
        price = float(raw)
    except ValueError:
        price = -1.0
    # NaN is not at least 0 either.
    if not 0 <= price <= _HIGHEST_PRICE:
        raise SettingError(
            f"{name} is {raw!r}: set it to US dollars for a million tokens, such as 0.15 (0 where it is free)."
        )
    return price


def llm_in_flight() -> int:
    """Return how many requests to the language model are under way at once."""
    number = _number("ASSAY_LLM_IN_FLIGHT", low=1)
    if number > MOST_IN_FLIGHT:
        raise SettingError(f"ASSAY_LLM_IN_FLIGHT is {number}: set it to at most {MOST_IN_FLIGHT}.")
    return number


def check() -> None:
    """Read every setting once, so that a wrong one is told at the start and not in the middle of the work.

    Raises:
        SettingError: names the variable and says what it may be.
    """
    for read in (
        home, database_url, import_folders, max_upload_bytes, max_image_pixels, page_cache_bytes, pdf_timeout_seconds,
        allowed_hosts, session_seconds, session_idle_seconds, secure_cookie, embeddings_url,
        embeddings_key, llm_url, llm_key, llm_price_input, llm_price_output, llm_in_flight,
    ):  # fmt: skip
        read()
    # These stand on the table above, and so beside this module.
    from audit_core import account_settings

    account_settings.check()
