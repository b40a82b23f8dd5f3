"""Name -> module, read from a folder: adding a protocol or a report format is adding one file."""

from __future__ import annotations

import importlib
import pkgutil
from types import ModuleType

from audit_core.errors import NotFound


def load_folder(package: str, prefix: str = "") -> dict[str, ModuleType]:
    """Return the modules of `package` whose file name starts with `prefix`, by their `name`, in file order.

    A module registers itself by a constant `name` (text). Modules without one are not members.

    Raises:
        ValueError: two modules carry the same name (a programming error, so not an AssayError).
    """
    folder = importlib.import_module(package)
    found: dict[str, ModuleType] = {}
    for info in sorted(pkgutil.iter_modules(folder.__path__), key=lambda each: each.name):
        if not info.name.startswith(prefix):
            continue
        module = importlib.import_module(f"{package}.{info.name}")
        name = getattr(module, "name", None)
        if name is None:
            continue
        if name in found:
            raise ValueError(f"{module.__name__} and {found[name].__name__} are both named {name!r}")
        found[name] = module
    return found


def file_names(package: str, prefix: str) -> list[str]:
    """Return the names of the files of `package` that start with `prefix`, without it, sorted; none is imported.

    For members whose `name` is the name of their file, such as the formats that a command offers.
    """
    folder = importlib.import_module(package)
    found = (info.name for info in pkgutil.iter_modules(folder.__path__))
    return sorted(name.removeprefix(prefix) for name in found if name.startswith(prefix))


def look_up(package: str, name: str, prefix: str = "") -> ModuleType:
    """Return the member of `package` called `name`.

    Raises:
        NotFound: no such member; the message lists the known ones.
    """
    known = load_folder(package, prefix)
    if name not in known:
        raise NotFound(f"{name!r} is not known here. Choose one of: {', '.join(known)}.")
    return known[name]
