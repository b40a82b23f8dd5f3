"""Addresses of page images. Each is signed for one person, so that nobody opens an image by guessing or by another's address."""

from __future__ import annotations

import hashlib
import hmac
import json
from urllib.parse import quote

from audit_core.domain import Role
from audit_core.errors import NotFound
from audit_core.storage.people import Person
from audit_core.workflow.home_secret import home_secret
from audit_core.workflow.workspace import Workspace

#: Length of a signature, in hex digits.
_LENGTH = 32


def image_address(workspace: Workspace, *, content_hash: str, page_id: str, image_key: str, person_id: int) -> str:
    """Return the address of a page image for one person: the same each time, so that their browser keeps the image.

    `content_hash` is the dataset's; `image_key` makes the address new when the content is. Another resolution of a PDF
    page is asked for with `&dpi=` behind it.

    Raises:
        StorageError: the secret of the home cannot be read.
    """
    signature = _signature(workspace, content_hash, page_id, image_key, person_id)
    return f"/api/pages/{content_hash}/image?page={quote(page_id, safe='')}&for={signature}&v={image_key}"


def require_image_address(
    workspace: Workspace, person: Person, *, content_hash: str, page_id: str, image_key: str, signature: str
) -> None:
    """Go on where the person may open the image: its address was made for them, or they lead or adjudicate.

    Nothing is looked up in the database: that an entry with the page was shown to the person is what the signature says.

    Raises:
        NotFound: the address was made up, or made for somebody else. Whether there is such a page, it does not say.
    """
    if person.role.allows(Role.ADJUDICATOR):
        return
    expected = _signature(workspace, content_hash, page_id, image_key, person.id)
    if not hmac.compare_digest(expected.encode(), signature.encode("utf-8", "surrogatepass")):
        raise NotFound("There is no such page image for you: open the entry that shows it.")


def _signature(workspace: Workspace, content_hash: str, page_id: str, image_key: str, person_id: int) -> str:
    signed = json.dumps(["page image", content_hash, page_id, image_key, person_id]).encode()
    return hmac.new(home_secret(workspace.home).encode(), signed, hashlib.sha256).hexdigest()[:_LENGTH]
