"""Queries, pieces and grounds for tests of corrections, in few words."""

from __future__ import annotations

from typing import Any

from audit_core.corrections.applying import QueryContent
from audit_core.corrections.ground import Ground, GroundElement, GroundPage
from audit_core.corrections.pieces import canonical
from audit_core.corrections.records import Action, Change
from audit_core.domain import JsonObject


def piece(page: str, *box: float, **more: Any) -> JsonObject:
    """A piece of evidence on a page, with a box where four sides are given."""
    return canonical({"page_id": page, "box": list(box) or None, **more})


def query(*evidence: JsonObject, text: str = "what?", answer: str | None = "that") -> QueryContent:
    """A query with that evidence."""
    return QueryContent("q", text, answer, evidence)


def ground(units: str = "pixel") -> Ground:
    """Pages a, b, c (of document d) and x (of document e), 200 wide and 400 high; element t on page a."""
    pages = {name: GroundPage("d", at, str(at + 1), 200.0, 400.0) for at, name in enumerate("abc")}
    sides = (20.0, 40.0, 100.0, 80.0) if units == "pixel" else (0.1, 0.1, 0.5, 0.2)
    return Ground(
        units, pages | {"x": GroundPage("e", 0, None, 200.0, 400.0)}, {("a", "t"): GroundElement("Table", sides)}
    )


def change(
    action: str, page: str | None = None, set_id: str | None = None, *, before: Any = None, after: Any = None
) -> Change:
    """A change of query q."""
    return Change("q", Action(action), {} if page is None else {"page_id": page, "set_id": set_id}, before, after)
