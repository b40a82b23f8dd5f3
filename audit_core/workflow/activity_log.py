"""Reading the log of who did what."""

from __future__ import annotations

import json
from dataclasses import dataclass

from audit_core.domain import JsonObject
from audit_core.errors import NotFound
from audit_core.storage import activity, people
from audit_core.workflow.person_names import clean_name
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. `name` is whose action it was, None for a command or somebody signed out."""

    id: int
    at: str
    name: str | None
    action: str
    subject: JsonObject

    @property
    def about(self) -> str:
        """The subject in one line."""
        return ", ".join(f"{name}: {_shown(value)}" for name, value in self.subject.items())

    def as_json(self) -> JsonObject:
        """Return the line as one JSON object."""
        return {"id": self.id, "at": self.at, "name": self.name, "action": self.action, "subject": self.subject}


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def list_activity(
    workspace: Workspace, *, count: int, before: int | None = None, name: str | None = None, action: str | None = None
) -> list[LogLine]:
    """Return up to `count` lines (older than line `before`; of one person; of one action), the newest first.

    Raises:
        NotFound: nobody is called so.
    """
    with workspace.database.read() as connection:
        person_id = None
        if name is not None:
            person = people.by_name(connection, clean_name(name))
            if person is None:
                raise NotFound(f"Nobody is called {name.strip()[:80]!r} here.")
            person_id = person.id
        rows = activity.newest(connection, count=count, before=before, person_id=person_id, action=action)
    return [LogLine(each.id, each.at, each.name, each.action, each.subject) for each in rows]


def list_actions(workspace: Workspace) -> list[str]:
    """Return every action that stands in the log, by name."""
    with workspace.database.read() as connection:
        return activity.actions(connection)
