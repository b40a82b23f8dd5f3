"""Signing in at an OpenID Connect provider: the code flow with PKCE, state and nonce, begun and finished by one browser."""

from __future__ import annotations

import base64
import hashlib
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import quote, urlencode

from audit_core import account_settings
from audit_core.errors import SignInError
from audit_core.storage import activity, oidc_requests
from audit_core.storage.clock import stamp
from audit_core.storage.people import Person
from audit_core.workflow import oidc_provider
from audit_core.workflow.sessions import open_session, token_hash
from audit_core.workflow.vouched import person_of_subject
from audit_core.workflow.workspace import Workspace

#: The cookie of the browser that began, and how long it may take to finish.
COOKIE = "assay_oidc"
PATIENCE = timedelta(minutes=10)

_STRANGE = "This answer does not belong to a sign-in that began in this browser. Sign in again."


@dataclass(frozen=True, slots=True, repr=False)
class Begun:
    """Where to send the browser, and what it has to keep until it comes back."""

    address: str
    browser_token: str


@dataclass(frozen=True, slots=True, repr=False)
class Finished:
    """Who signed in, the token of their cookie, and where they wanted to go."""

    person: Person
    token: str
    next_address: str | None


def begin(workspace: Workspace, *, callback: str, next_address: str | None) -> Begun:
    """Return how a sign-in at the provider begins.

    Raises:
        SignInError: the provider cannot be used.
        SettingError: its settings are incomplete.
    """
    provider = account_settings.provider()
    found = oidc_provider.describe(provider)
    state, browser_token, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(4))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    with workspace.database.write() as connection:
        oidc_requests.sweep(connection, before=stamp(datetime.now(UTC) - PATIENCE))
        oidc_requests.add(
            connection, state_hash=token_hash(state), browser_hash=token_hash(browser_token), nonce=nonce,
            verifier=verifier, next_address=next_address,
        )  # fmt: skip
    asked = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": callback,
        "scope": "openid profile",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    endpoint = str(found["authorization_endpoint"])
    joint = "&" if "?" in endpoint else "?"
    return Begun(f"{endpoint}{joint}{urlencode(asked, quote_via=quote)}", browser_token)


def finish(
    workspace: Workspace,
    answer: dict[str, str],
    *,
    browser_token: str | None,
    callback: str,
    replaces: str | None = None,
) -> Finished:
    """Return the sign-in that the provider's answer (the callback's query) leads to; an answer is taken once.

    `browser_token` is what the browser kept, `replaces` the token of a sign-in that it held until now.

    Raises:
        SignInError: the answer is not to this browser, is old or was used, or the provider's word cannot be believed, or
            the person is not admitted.
    """
    provider = account_settings.provider()
    with workspace.database.write() as connection:
        begun = oidc_requests.take(connection, token_hash(answer.get("state", "")))
    if begun is None or not browser_token:
        raise SignInError(_STRANGE)
    if not secrets.compare_digest(begun.browser_hash, token_hash(browser_token)):
        raise SignInError(_STRANGE)
    if begun.created_at < stamp(datetime.now(UTC) - PATIENCE):
        raise SignInError("The sign-in took too long. Sign in again.")
    if answer.get("iss", provider.issuer) != provider.issuer:
        raise SignInError("Another provider answered than was asked. Sign in again.")
    if "error" in answer or not answer.get("code"):
        raise SignInError("The provider did not sign you in. Sign in again.")
    token = oidc_provider.exchange(provider, code=answer["code"], verifier=begun.verifier, callback=callback)
    claims = oidc_provider.checked_claims(provider, token, nonce=begun.nonce)
    person = person_of_subject(workspace, issuer=provider.issuer, subject=claims["sub"], name=_name(claims))
    with workspace.database.write() as connection:
        opened = open_session(connection, person, replaces=replaces)
        activity.record(connection, "sign-in", {"name": person.name}, person_id=person.id)
    return Finished(person, opened, begun.next_address)


def _name(claims: dict[str, object]) -> str:
    for each in ("preferred_username", "name"):
        given = claims.get(each)
        if isinstance(given, str) and given.strip():
            return given
    return str(claims["sub"])
