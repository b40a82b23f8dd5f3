"""What is asked of a release, as it is kept with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from audit_core.domain import JsonObject
from audit_core.errors import LedgerError
from audit_core.exporters.bundle import FORMS

#: What happens to page files: the bundle refers to where they lie, or has copies.
MEDIA = ("refer", "copy")
REVISION_MAX = 100


@dataclass(frozen=True, slots=True)
class ReleaseRequest:
    """What is asked for. `campaigns` are names: with any, only corrections that come from these are released.

    `ids_only`: what is released holds ids and codes, no text, and so neither bundle nor `beir`. `imports`: the new
    revision is imported here. `seed` chooses the examples of the issue text.
    """

    revision: str
    campaigns: tuple[str, ...] = ()
    form: str = "jsonl"
    media: str = "refer"
    beir: bool = False
    ids_only: bool = False
    imports: bool = False
    seed: int = 1

    def as_json(self) -> JsonObject:
        """Return it as it is kept."""
        return {**asdict(self), "campaigns": list(self.campaigns)}


def checked_request(request: ReleaseRequest) -> ReleaseRequest:
    """Return a request whose parts can be used.

    Raises:
        LedgerError: the revision has no usable name, or there is no such form.
    """
    revision = request.revision.strip()
    if not 1 <= len(revision) <= REVISION_MAX or not revision.isprintable():
        raise LedgerError(f"The new revision needs a name of 1 to {REVISION_MAX} characters that can be shown.")
    if request.form not in FORMS:
        raise LedgerError(f"There is no form {request.form!r}. Choose one of: {', '.join(FORMS)}.")
    if request.media not in MEDIA:
        raise LedgerError(f"Page files cannot be treated as {request.media!r}. Choose one of: {', '.join(MEDIA)}.")
    if request.ids_only and request.beir:
        raise LedgerError("BEIR-style tables hold texts: ask for them, or for ids and codes only.")
    return ReleaseRequest(**{**asdict(request), "revision": revision, "campaigns": tuple(request.campaigns)})


def request_from(spec: Mapping[str, Any]) -> ReleaseRequest:
    """Return the request that was kept as `spec`."""
    return ReleaseRequest(**{**spec, "campaigns": tuple(spec["campaigns"])})
