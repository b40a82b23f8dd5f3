"""Where a request comes from: noted at the door by the web server's side, believed inside because nobody else can sign it.

Pages and routes see headers alone. The door takes this header off everything that comes in and puts its own on; a start
without the door leaves everybody unknown.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer

HEADER = "x-assay-arrival"
#: Made anew in each process: door and inside are in one.
_signer = URLSafeSerializer(secrets.token_urlsafe(32), salt="arrival")


@dataclass(frozen=True, slots=True)
class Arrival:
    """The address that asks, and whom a trusted proxy names; None where none does."""

    address: str
    user: str | None = None


def marked(arrival: Arrival) -> str:
    """Return the header's text for an arrival."""
    return str(_signer.dumps([arrival.address, arrival.user]))


def arrival_of(mark: object) -> Arrival | None:
    """Return the arrival that a header's text stands for; None where the door did not write it."""
    if not isinstance(mark, str):
        return None
    try:
        address, user = _signer.loads(mark)
    except (BadData, ValueError, TypeError):
        return None
    return Arrival(address, user)
