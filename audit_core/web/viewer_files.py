"""GET /api/viewer/{hash}/{file}: the modules and styles of the judging surface, under the hash of their content."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib import resources

from starlette.requests import Request
from starlette.responses import Response

from audit_core.web.access import refusal

_MEDIA_TYPES = {".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}


@lru_cache(maxsize=1)
def _files() -> dict[str, bytes]:
    folder = resources.files("audit_core.ui") / "viewer"
    return {
        each.name: each.read_bytes()
        for each in folder.iterdir()
        if each.is_file() and any(each.name.endswith(suffix) for suffix in _MEDIA_TYPES)
    }


@lru_cache(maxsize=1)
def content_hash() -> str:
    """Return the hash of all the files, which stands in their address: a new version is a new address."""
    digest = hashlib.sha256()
    for name, content in sorted(_files().items()):
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()[:16]


def file_address(name: str) -> str:
    """Return the address of one of the files."""
    return f"/api/viewer/{content_hash()}/{name}"


async def viewer_file(request: Request) -> Response:
    """Return one file; it holds no data, so nobody needs to be signed in."""
    name = request.path_params["name"]
    content = _files().get(name)
    if content is None or request.path_params["hash"] != content_hash():
        return refusal(404, "not_found", "The judging surface was updated: reload the page.")
    media_type = _MEDIA_TYPES["." + name.rsplit(".", 1)[1]]
    headers = {"Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
    return Response(content, media_type=media_type, headers=headers)
