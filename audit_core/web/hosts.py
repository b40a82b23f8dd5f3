"""Under which host names the app answers at all, and from where."""

from __future__ import annotations

from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from audit_core import config
from audit_core.web.arrivals import ArrivalDoor
from audit_core.web.file_door import FileDoor


def host_check() -> list[Middleware]:
    """Return the middleware that answers 400 to a request under any name but those of the settings, notes where it is from,
    and gives and takes files only where the role allows it.

    A page elsewhere that points its own name at this machine must not be taken for one of ours.

    Raises:
        SettingError: a name in the settings is not a host name.
    """
    return [
        Middleware(TrustedHostMiddleware, allowed_hosts=config.allowed_hosts(), www_redirect=False),
        Middleware(ArrivalDoor),
        Middleware(FileDoor),
    ]
