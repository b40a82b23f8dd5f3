"""GET /api/pages/{dataset}/image: a page image, for the person whom its address was made for."""

from __future__ import annotations

import re

from starlette.responses import FileResponse, Response

from audit_core.errors import NotFound
from audit_core.rendering.page_images import RESOLUTIONS
from audit_core.storage import datasets
from audit_core.web.access import Signed
from audit_core.workflow.image_addresses import require_image_address

#: The address carries the content's key, so a browser may keep the image for a year without asking again.
_CACHE = {"Cache-Control": "private, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}

_HASH = re.compile(r"[0-9a-f]{64}")


def page_image(asked: Signed) -> Response:
    """Return the file of a page image.

    The query string names the `page` (an opaque id, which may hold anything), `v`, the content key that the entry named,
    `for`, the signature that makes the address this person's, and for a PDF page that is wanted sharper `dpi`, one of the
    entry's `resolutions`.
    """
    content_hash = asked.request.path_params["dataset"]
    if not _HASH.fullmatch(content_hash):
        raise NotFound("There is no such dataset.")
    query = asked.request.query_params
    page_id, key = query.get("page", ""), query.get("v", "")
    require_image_address(
        asked.workspace,
        asked.person,
        content_hash=content_hash,
        page_id=page_id,
        image_key=key,
        signature=query.get("for", ""),
    )
    with asked.workspace.database.read() as connection:
        dataset = datasets.by_hash(connection, content_hash)
    if dataset is None:
        raise NotFound("There is no such dataset.")
    revision = asked.workspace.revision(dataset)
    page = revision.page(page_id)
    dpi = asked.query_int("dpi", RESOLUTIONS[0]) or 0
    file, media_type = asked.workspace.page_images.content(revision.media_root, page.image, key=key, dpi=dpi)
    return FileResponse(file, media_type=media_type, headers=_CACHE)
