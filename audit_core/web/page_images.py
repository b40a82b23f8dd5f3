"""GET /api/pages/{dataset}/image: a page image, for people who are signed in."""

from __future__ import annotations

import re

from starlette.responses import FileResponse, Response

from audit_core.errors import NotFound
from audit_core.rendering.page_images import RESOLUTIONS
from audit_core.storage import datasets
from audit_core.web.access import Signed

#: The address carries the content's key, so a browser may keep the image for a year without asking again.
_CACHE = {"Cache-Control": "private, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}

_HASH = re.compile(r"[0-9a-f]{64}")


def page_image(asked: Signed) -> Response:
    """Return the file of a page image.

    The query string names the `page` (an opaque id, which may hold anything), `v`, the content key that the entry named,
    and for a PDF page that is wanted sharper `dpi`, one of the entry's `resolutions`.
    """
    content_hash = asked.request.path_params["dataset"]
    if not _HASH.fullmatch(content_hash):
        raise NotFound("There is no such dataset.")
    with asked.workspace.database.read() as connection:
        dataset = datasets.by_hash(connection, content_hash)
    if dataset is None:
        raise NotFound("There is no such dataset.")
    revision = asked.workspace.revision(dataset)
    page = revision.page(asked.request.query_params.get("page", ""))
    dpi = asked.query_int("dpi", RESOLUTIONS[0]) or 0
    file, media_type = asked.workspace.page_images.content(
        revision.media_root, page.image, key=asked.request.query_params.get("v", ""), dpi=dpi
    )
    return FileResponse(file, media_type=media_type, headers=_CACHE)
