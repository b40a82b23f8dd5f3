"""How entries are drawn from a benchmark, how many to draw, and what may be concluded from a draw.

`frame_of` groups queries to strata; `plan_for_width`, `plan_for_total` and `plan_by_hand` find sizes;
`stratified_draw`, `simple_draw` and `census_draw` draw by chance; `chosen_ids` and `filtered_draw` take what was asked
for; `sample_design` gives the design that the report rests on.
"""

from audit_core.sampling.allocation import Allocation
from audit_core.sampling.choice import chosen_ids, filtered_draw
from audit_core.sampling.coverage import Coverage, simulate_coverage
from audit_core.sampling.draw import census_draw, simple_draw, stratified_draw
from audit_core.sampling.expectation import StratumGuess
from audit_core.sampling.frame import Strata, StratumKey, filtered_frame, frame_of
from audit_core.sampling.guesses import DEFAULT_ACCURACY, guessed_strata, guesses_from_audit
from audit_core.sampling.methods import is_probability_method
from audit_core.sampling.mixed_draw import (
    MIXED_SCHEME,
    ActivePart,
    MixedDraw,
    PartDraw,
    Selection,
    mixed_design,
    mixed_draw,
)
from audit_core.sampling.permanent_order import SEED_MAX
from audit_core.sampling.plan import (
    MINIMUM,
    Expected,
    SamplePlan,
    Wanted,
    plan_by_hand,
    plan_for_total,
    plan_for_width,
)
from audit_core.sampling.plan_wording import plan_sentences, plan_warnings
from audit_core.sampling.pps import inclusion_chances, pps_draw
from audit_core.sampling.records import Draw, DrawnEntry, StratumDraw, draw_sentences, sample_design

__all__ = [
    "DEFAULT_ACCURACY",
    "MINIMUM",
    "MIXED_SCHEME",
    "SEED_MAX",
    "ActivePart",
    "Allocation",
    "Coverage",
    "Draw",
    "DrawnEntry",
    "Expected",
    "MixedDraw",
    "PartDraw",
    "SamplePlan",
    "Selection",
    "Strata",
    "StratumDraw",
    "StratumGuess",
    "StratumKey",
    "Wanted",
    "census_draw",
    "chosen_ids",
    "draw_sentences",
    "filtered_draw",
    "filtered_frame",
    "frame_of",
    "guessed_strata",
    "guesses_from_audit",
    "inclusion_chances",
    "is_probability_method",
    "mixed_design",
    "mixed_draw",
    "plan_by_hand",
    "plan_for_total",
    "plan_for_width",
    "plan_sentences",
    "plan_warnings",
    "pps_draw",
    "sample_design",
    "simple_draw",
    "simulate_coverage",
    "stratified_draw",
]
