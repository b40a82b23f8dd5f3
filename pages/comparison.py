"""Comparison: how far one is, then its figures; `?comparison=ID` in the address."""

from audit_core.domain import Role
from audit_core.ui.access import require_person, workspace
from audit_core.workflow.comparisons import get_comparison
from cleaning.ui.loading import load_result
from cleaning.ui.made import of_comparison
from cleaning.ui.made_page import chosen_id, draw_made
from cleaning.ui.result_view import draw_result

person = require_person(Role.LEAD)
view = get_comparison(
    workspace(),
    chosen_id("comparison", "Comparison", "Choose a comparison first: the cleaning page lists them."),
)
draw_made(
    workspace(),
    person,
    of_comparison(workspace(), person, view),
    look=lambda: of_comparison(workspace(), person, get_comparison(workspace(), view.row.id)),
    draw=lambda: draw_result(workspace(), person, view, load_result(workspace(), view)),
)
