"""What an OpenID Connect provider says of itself, and what may be believed of an ID token (OpenID Connect Core 1.0, 3.1.3.7)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from audit_core import config
from audit_core.account_settings import Provider
from audit_core.errors import SignInError

#: Signatures that only the provider can make; the shared secret signs nothing here, and "none" is no signature.
_ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
#: By how much the provider's clock may differ from ours, and how long it may take to answer, in seconds.
_LEEWAY = 60
_TIMEOUT = 10.0
#: Largest answer that is read, in bytes, and how long a description of the provider is used, in seconds.
_MOST_BYTES = 1_000_000
_KEPT_SECONDS = 600.0

_Json = dict[str, Any]
_described: dict[str, tuple[float, _Json]] = {}


def describe(provider: Provider) -> _Json:
    """Return the provider's own description, asked for anew every ten minutes.

    Raises:
        SignInError: it cannot be reached, describes somebody else, or names an address that is not protected.
    """
    kept = _described.get(provider.issuer)
    if kept and kept[0] > time.monotonic():
        return kept[1]
    found = _ask("GET", f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration")
    if found.get("issuer") != provider.issuer:
        raise SignInError(
            "The provider calls itself otherwise than ASSAY_OIDC_ISSUER: set that to exactly its own name."
        )
    for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
        if not _is_protected(str(found.get(name, "")), like=provider.issuer):
            raise SignInError(f"The provider's {name} is no protected address: nothing is sent there.")
    _described[provider.issuer] = (time.monotonic() + _KEPT_SECONDS, found)
    return found


def forget() -> None:
    """Ask every provider for its description again."""
    _described.clear()


def _is_protected(url: str, *, like: str) -> bool:
    """Return whether an address is HTTPS, or HTTP as that of a provider on this machine is."""
    if config.url_fault(url.partition("?")[0]):
        return False
    return urlsplit(url).scheme == "https" or (
        urlsplit(like).scheme == "http" and urlsplit(url).netloc == urlsplit(like).netloc
    )


def exchange(provider: Provider, *, code: str, verifier: str, callback: str) -> str:
    """Return the ID token that the provider gives for a code, not yet checked.

    Raises:
        SignInError: it gives none.
    """
    found = describe(provider)
    form = {"grant_type": "authorization_code", "code": code, "redirect_uri": callback, "code_verifier": verifier}
    auth: tuple[str, str] | None = (provider.client_id, provider.client_secret)
    if "client_secret_basic" not in found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"]):
        form |= {"client_id": provider.client_id, "client_secret": provider.client_secret}
        auth = None
    answer = _ask("POST", str(found["token_endpoint"]), form=form, auth=auth)
    token = answer.get("id_token")
    if not isinstance(token, str):
        raise SignInError("The provider gave no ID token. Sign in again.")
    return token


def _ask(method: str, url: str, *, form: Mapping[str, str] | None = None, auth: tuple[str, str] | None = None) -> _Json:
    """Return the JSON object that an address answers with; redirects are not followed, what is sent is for it alone."""
    import httpx2

    try:
        with httpx2.Client(timeout=_TIMEOUT, follow_redirects=False, trust_env=False) as client:
            quoted = (_quoted(auth[0]), _quoted(auth[1])) if auth else None
            with client.stream(method, url, data=form, auth=quoted, headers={"Accept": "application/json"}) as answer:
                body = b""
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES:
                        raise SignInError("The provider's answer is too large.")
                status = answer.status_code
        found = _json(body)
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        # The reason may quote what was sent; its kind says enough.
        raise SignInError(
            f"The provider cannot be reached ({type(error).__name__}). Try again, or ask a lead."
        ) from None
    if status != 200 or not isinstance(found, dict):
        raise SignInError(f"The provider refused (HTTP {status}). Sign in again.")
    return found


def _quoted(text: str) -> str:
    """Return a client's name or secret as HTTP Basic takes them (RFC 6749, 2.3.1)."""
    from urllib.parse import quote_plus

    return quote_plus(text)


def _json(body: bytes) -> object:
    import json

    return json.loads(body or b"null")


def checked_claims(provider: Provider, token: str, *, nonce: str) -> _Json:
    """Return what an ID token says, once it is sure that the provider said it: to us, now, and about this very sign-in.

    Raises:
        SignInError: signature, issuer, audience, time, nonce or subject is not as it must be.
    """
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    try:
        keys = KeySet.import_key_set(_ask("GET", str(describe(provider)["jwks_uri"])))  # type: ignore[arg-type]
        claims = dict(jwt.decode(token, keys, algorithms=list(_ALGORITHMS)).claims)
        jwt.JWTClaimsRegistry(
            leeway=_LEEWAY,
            iss={"essential": True, "value": provider.issuer},
            aud={"essential": True, "value": provider.client_id},
            nonce={"essential": True, "value": nonce},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
        ).validate(claims)
    except (JoseError, ValueError, TypeError, KeyError) as error:
        raise SignInError(
            f"The provider's answer is not to be believed ({type(error).__name__}). Sign in again."
        ) from None
    audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if claims.get("azp", provider.client_id) != provider.client_id or (len(audience) > 1 and "azp" not in claims):
        raise SignInError("The provider's answer is meant for somebody else. Sign in again.")
    if not 1 <= len(claims["sub"]) <= 255 or not claims["sub"].isprintable():
        raise SignInError("The provider's answer names nobody. Sign in again.")
    return claims
