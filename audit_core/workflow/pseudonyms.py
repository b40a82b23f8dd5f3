"""Pseudonyms of people in what is published: the same in every release of a dataset, and leading back to nobody."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json

from audit_core.workflow.home_secret import home_secret
from audit_core.workflow.workspace import Workspace

#: Letters of a pseudonym after its beginning: 50 bits, so that two people of one dataset never share one.
_LETTERS = 10


def pseudonym(workspace: Workspace, dataset_name: str, person_id: int) -> str:
    """Return what a person is called in what is published of a dataset: the same in all its revisions, another elsewhere.

    It is made of the number of the person and the secret of the home; no name goes into it, and without the secret nobody
    can try out who it is.

    Raises:
        StorageError: the secret of the home cannot be read.
    """
    known = json.dumps(["pseudonym", dataset_name, person_id]).encode()
    digest = hmac.new(home_secret(workspace.home).encode(), known, hashlib.sha256).digest()
    return f"p-{base64.b32encode(digest).decode('ascii').lower()[:_LETTERS]}"
