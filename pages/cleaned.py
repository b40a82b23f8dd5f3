"""Cleaned revision: how far one is, then what changed; `?cleaned=ID` in the address."""

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.workflow.cleanings import find_run, get_run
from cleaning.ui.cleaned_view import draw_cleaned
from cleaning.ui.made import of_run
from cleaning.ui.made_page import chosen_id, draw_made

person = require_person(Role.LEAD)
view = find_run(
    workspace(),
    chosen_id("cleaned", "Cleaned revision", "Choose one first: the cleaning page lists them."),
    "apply",
)
draw_made(
    workspace(),
    person,
    of_run(workspace(), person, view),
    look=lambda: of_run(workspace(), person, get_run(workspace(), view.row.id)),
    draw=lambda: draw_cleaned(workspace(), person, view),
)
