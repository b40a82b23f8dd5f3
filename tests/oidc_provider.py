"""A real OpenID Connect provider on 127.0.0.1 with one user, who always agrees; it misbehaves as told."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import OctKey, RSAKey

CLIENT_ID, CLIENT_SECRET = "assay", "s3cret/with+signs%"


@lru_cache(maxsize=2)
def key(number: int) -> RSAKey:
    """A signing key; made once, because that takes long."""
    return RSAKey.generate_key(2048, {"kid": f"key-{number}", "use": "sig", "alg": "RS256"})


class Provider(ThreadingHTTPServer):
    """The provider, what it was asked, and what it says."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.issuer = f"http://127.0.0.1:{self.server_port}"
        self.user: dict[str, Any] = {"sub": "user-7", "preferred_username": "Ada"}
        #: Changes the claims of an ID token before it is signed.
        self.change: Callable[[dict[str, Any]], object] = lambda claims: None
        #: Signs claims into an ID token.
        self.sign: Callable[[dict[str, Any]], str] = self.sign_rightly
        #: Changes the description of the provider before it is sent.
        self.describe: Callable[[dict[str, Any]], object] = lambda found: None
        #: Codes that were given out and not used yet: what the authorization request said.
        self.codes: dict[str, dict[str, str]] = {}
        self.authorizations: list[dict[str, str]] = []
        self.token_requests: list[dict[str, str]] = []
        self.token_auth: list[str | None] = []

    def sign_rightly(self, claims: dict[str, Any]) -> str:
        return jwt.encode({"alg": "RS256", "kid": "key-0"}, claims, key(0))

    def id_token(self, asked: dict[str, str]) -> str:
        now = int(time.time())
        claims = {
            "iss": self.issuer, "aud": CLIENT_ID, "iat": now, "exp": now + 300, "nonce": asked["nonce"], **self.user,
        }  # fmt: skip
        self.change(claims)
        return self.sign(claims)


def unsigned(claims: dict[str, Any]) -> str:
    """An ID token that nobody signed (`alg` none)."""
    parts = [{"alg": "none", "typ": "JWT"}, claims]
    encoded = [base64.urlsafe_b64encode(json.dumps(each).encode()).rstrip(b"=").decode() for each in parts]
    return ".".join(encoded) + "."


def signed_with_our_secret(claims: dict[str, Any]) -> str:
    """An ID token signed with a secret that not only the provider knows."""
    secret = OctKey.import_key("a secret that is long enough for HS256 to be taken by the library")
    return jwt.encode({"alg": "HS256", "kid": "key-0"}, claims, secret)


def signed_with_another_key(claims: dict[str, Any]) -> str:
    """An ID token signed with a key that is not the provider's, under the name of one that is."""
    return jwt.encode({"alg": "RS256", "kid": "key-0"}, claims, key(1))


class _Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/.well-known/openid-configuration":
            issuer = self.server.issuer
            found: dict[str, Any] = {
                "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
                "jwks_uri": f"{issuer}/keys", "token_endpoint_auth_methods_supported": ["client_secret_basic"],
            }  # fmt: skip
            self.server.describe(found)
            self._send(200, found)
        elif parts.path == "/keys":
            self._send(200, {"keys": [key(0).as_dict(private=False)]})
        elif parts.path == "/authorize":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            self.server.authorizations.append(asked)
            code = secrets.token_urlsafe(16)
            self.server.codes[code] = asked
            back = urlencode({"code": code, "state": asked["state"], "iss": self.server.issuer})
            self.send_response(303)
            self.send_header("Location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()
        else:
            self._send(404, {})

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
        form = {name: values[0] for name, values in parse_qs(raw).items()}
        self.server.token_requests.append(form)
        self.server.token_auth.append(self.headers["Authorization"])
        asked = self.server.codes.pop(form.get("code", ""), None)
        challenge = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if (
            asked is None
            or not self._is_our_client(form)
            or form.get("grant_type") != "authorization_code"
            or form.get("redirect_uri") != asked["redirect_uri"]
            or base64.urlsafe_b64encode(challenge).rstrip(b"=").decode() != asked.get("code_challenge")
            or asked.get("code_challenge_method") != "S256"
        ):
            self._send(400, {"error": "invalid_grant"})
            return
        self._send(200, {"access_token": "x", "token_type": "Bearer", "id_token": self.server.id_token(asked)})

    def _is_our_client(self, form: dict[str, str]) -> bool:
        header = self.headers["Authorization"]
        if header is None:
            return (form.get("client_id"), form.get("client_secret")) == (CLIENT_ID, CLIENT_SECRET)
        name, _, secret = base64.b64decode(header.removeprefix("Basic ")).decode().partition(":")
        return (unquote_plus(name), unquote_plus(secret)) == (CLIENT_ID, CLIENT_SECRET)

    def _send(self, status: int, body: object) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Write nothing to the terminal."""


@contextmanager
def running_provider() -> Iterator[Provider]:
    """A provider that answers until the end of the block."""
    provider = Provider()
    thread = threading.Thread(target=provider.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        provider.shutdown()
        provider.server_close()
        thread.join()
