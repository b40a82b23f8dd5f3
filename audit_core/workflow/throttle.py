"""Slowing down guesses: after some failures a name, or an address, has to wait. The count outlives a restart."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
from datetime import UTC, datetime, timedelta

from audit_core.errors import TooManyAttempts
from audit_core.storage import sign_in_failures
from audit_core.storage.clock import stamp
from audit_core.storage.database import Connection
from audit_core.storage.people import name_key
from audit_core.workflow.home_secret import home_secret
from audit_core.workflow.workspace import Workspace

#: How many attempts may fail in the window, on one name and from one address.
PER_NAME = 10
PER_ADDRESS = 50
WINDOW = timedelta(minutes=15)


def take_attempt(workspace: Workspace, name: str, address: str) -> None:
    """Count an attempt to sign in before it is made, so that many at once get no more tries than one after another.

    `clear` takes it back where it succeeds. Nothing is said, or kept in plain, of whether the name is anybody's.

    Raises:
        TooManyAttempts: too many have failed; says how long to wait.
    """
    moment = datetime.now(UTC)
    since, key, place = stamp(moment - WINDOW), _key(workspace, name), _place(address)
    with workspace.database.read() as connection:
        # Whoever has to wait takes no write lock, however often they try: judgments are saved meanwhile.
        _refuse_too_many(connection, moment, key=key, place=place)
    with workspace.database.write() as connection:
        sign_in_failures.alone(connection)
        _refuse_too_many(connection, moment, key=key, place=place)
        sign_in_failures.sweep(connection, before=since)
        sign_in_failures.add(connection, name_key=key, address=place)


def _refuse_too_many(connection: Connection, moment: datetime, *, key: str, place: str) -> None:
    since = stamp(moment - WINDOW)
    for times, limit in (
        (sign_in_failures.times(connection, since=since, name_key=key), PER_NAME),
        (sign_in_failures.times(connection, since=since, address=place), PER_ADDRESS),
    ):
        if len(times) >= limit:
            raise TooManyAttempts(_wait(times[-limit], moment))


def _wait(oldest: str, moment: datetime) -> str:
    until = datetime.fromisoformat(oldest) + WINDOW
    minutes = max(1, math.ceil((until - moment).total_seconds() / 60))
    return f"Too many sign-ins failed. Try again in {minutes} {'minute' if minutes == 1 else 'minutes'}."


def clear(connection: Connection, workspace: Workspace, name: str) -> None:
    """Forget the failures on a name: somebody signed in, or the password was reset."""
    sign_in_failures.clear(connection, name_key=_key(workspace, name))


def _key(workspace: Workspace, name: str) -> str:
    """Return a name as it is counted: people type passwords into the wrong field, and those must not be kept."""
    secret = home_secret(workspace.home).encode()
    return hmac.new(secret, name_key(name).encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()


def _place(address: str) -> str:
    """Return an address as it is counted: of IPv6 the network, in which one machine has addresses without number."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:60]
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network(f"{found}/64", strict=False))
    return str(found)
