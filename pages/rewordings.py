"""Rewordings: how far one run is, then each proposal with accept and reject; `?rewordings=ID` in the address."""

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.workflow.cleanings import find_run, get_run
from cleaning.ui.made import of_run
from cleaning.ui.made_page import chosen_id, draw_made
from cleaning.ui.rewordings_view import draw_rewordings

person = require_person(Role.LEAD)
view = find_run(
    workspace(),
    chosen_id("rewordings", "Rewordings", "Choose a run first: the cleaning page lists them."),
    "rewrite",
)
draw_made(
    workspace(),
    person,
    of_run(workspace(), person, view),
    look=lambda: of_run(workspace(), person, get_run(workspace(), view.row.id)),
    draw=lambda: draw_rewordings(workspace(), person, view),
)
