"""What a role allows: one check for pages, routes and actions."""

from __future__ import annotations

from audit_core.domain import Role
from audit_core.errors import NotAllowed
from audit_core.storage.people import Person


def require_role(person: Person, role: Role) -> None:
    """Go on where the person may do what `role` may.

    Raises:
        NotAllowed: the person may not; says who could change that.
    """
    if not person.role.allows(role):
        raise NotAllowed(
            f"This is for {with_article(role)}, and you are {with_article(person.role)}. A lead can change your role."
        )


def with_article(role: Role) -> str:
    """Return a role as it stands in a sentence: `an annotator`, `a lead`."""
    return f"{'an' if role.value[0] in 'aeiou' else 'a'} {role.value}"
