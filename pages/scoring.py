"""Scoring: how far one is, then its scores and what follows from them; `?scoring=ID` in the address."""

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.workflow.cleanings import find_run, get_run
from cleaning.ui.loading import load_scoring
from cleaning.ui.made import of_run
from cleaning.ui.made_page import chosen_id, draw_made
from cleaning.ui.scoring_view import draw_scoring

person = require_person(Role.LEAD)
view = find_run(
    workspace(),
    chosen_id("scoring", "Scoring", "Choose a scoring first: the cleaning page lists them."),
)
draw_made(
    workspace(),
    person,
    of_run(workspace(), person, view),
    look=lambda: of_run(workspace(), person, get_run(workspace(), view.row.id)),
    draw=lambda: draw_scoring(workspace(), person, view, load_scoring(workspace(), view)),
)
