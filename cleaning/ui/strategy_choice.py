"""Which strategies take part, each with what it looks at, its threshold and its options."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import streamlit as st

from audit_core.errors import AssayError, CleaningError
from audit_core.ui.plain_text import plain
from cleaning.catalogue import build_strategy, strategies
from cleaning.comparison_asking import asks_model
from cleaning.contract import Kind
from cleaning.request import Choice
from cleaning.ui.model_choice import draw_judge_options
from cleaning.ui.plain_words import with_code

_TITLES = {
    Kind.LEARNED: "Learned from the labels",
    Kind.RULE: "Rules",
    Kind.MODEL: "Language models",
    Kind.COMBINATION: "Combinations of others",
    Kind.BASELINE: "Baselines",
    Kind.DIFFICULTY: "Difficulty filters: shown apart, never ranked",
}
#: Kinds that take part unless somebody says otherwise.
_DEFAULT = (Kind.LEARNED, Kind.RULE, Kind.BASELINE)
#: Members that a combination begins with, where they take part.
_MEMBERS = ("rules", "logistic_regression")
OWN, FIXED, SHARE, RECALL = "its own", "fixed", "tuned for a share kept", "tuned for a recall"


def choose_strategies(*, defaults: Sequence[str] | None = None, tunes: bool = True) -> list[Choice]:
    """Draw the strategies by kind and return those chosen, in the order of the kinds.

    `defaults` are those that take part unless somebody says otherwise (None: all of certain kinds); without `tunes` a
    threshold is fixed, since there is nothing to tune it on.

    Raises:
        CleaningError: an option is not as its strategy wants it.
    """
    known = strategies()
    chosen: list[Choice] = []
    for kind, title in _TITLES.items():
        members = [module for module in known.values() if module.kind == kind]
        if not members:
            continue
        st.markdown(f"**{title}**")
        single = [each.name for each in chosen]
        found = [_choose(module, single, _is_default(module, defaults), tunes=tunes) for module in members]
        chosen += [each for each in found if each is not None]
    return chosen


def _is_default(module: ModuleType, defaults: Sequence[str] | None) -> bool:
    return module.kind in _DEFAULT if defaults is None else module.name in defaults


def _choose(module: ModuleType, others: Sequence[str], is_default: bool, *, tunes: bool) -> Choice | None:
    name: str = module.name
    box, words, more = st.columns([4, 8, 1], vertical_alignment="center")
    takes_part = box.checkbox(module.title, value=is_default, key=f"strategy-{name}")
    words.caption(with_code(module.describe))
    if not takes_part:
        return None
    fixed: dict[str, Any] = {}
    if module.kind == Kind.COMBINATION:
        with words:
            fixed = _members(name, others)
    elif asks_model(name):
        with words:
            fixed = draw_judge_options(module)
    with more.popover("", icon=":material/tune:", help="Threshold and options", key=f"tune-{name}"):
        return _settings(module, fixed, tunes=tunes)


def _members(name: str, others: Sequence[str]) -> dict[str, Any]:
    known = strategies()
    default = [each for each in _MEMBERS if each in others] or list(others[:2])
    members = st.multiselect(
        "Members", others, default=default, format_func=lambda each: known[each].title, key=f"members-{name}",
        label_visibility="collapsed", placeholder="Members",
    )  # fmt: skip
    return {"members": members}


def _settings(module: ModuleType, fixed: dict[str, Any], *, tunes: bool) -> Choice:
    """Draw threshold and options of a strategy; `fixed` are options that are chosen elsewhere."""
    name: str = module.name
    st.markdown(f"**{plain(module.title)}**")
    ways = [OWN, FIXED, SHARE, RECALL] if tunes and module.kind != Kind.COMBINATION else [OWN, FIXED]
    way = st.radio(
        "Threshold", ways, key=f"threshold-way-{name}",
        format_func=lambda each: f"its own, {module.default_threshold:g}" if each == OWN else each,
        help="A query is removed when its score is at or above it. A tuned one is found on the training queries of each fold.",
    )  # fmt: skip
    threshold: float | None = None
    tune: dict[str, float] | None = None
    if way == FIXED:
        own = float(module.default_threshold)
        threshold = st.number_input("At", 0.0, 1.0, own, 0.05, key=f"threshold-{name}", format="%.3f")
    elif way in (SHARE, RECALL):
        wanted = st.number_input("Wanted, %", 1, 99, 70 if way == SHARE else 80, key=f"wanted-{name}-{way}")
        tune = {"share_kept" if way == SHARE else "recall": wanted / 100}
    raw = st.text_area("Options (JSON)", placeholder="{}", key=f"options-{name}", height=80)
    options = {**fixed, **_typed(name, raw)}
    if options:
        try:
            build_strategy(name, options)
        except AssayError as error:
            raise CleaningError(f"{module.title}: {error}") from error
    return Choice(name, options=options, threshold=threshold, tune=tune)


def _typed(name: str, raw: str) -> dict[str, Any]:
    """Return the options that somebody typed as JSON."""
    if not raw.strip():
        return {}
    try:
        options = json.loads(raw)
    except ValueError as error:
        raise CleaningError(f"The options of {name} are no JSON: {error}.") from error
    if not isinstance(options, dict):
        raise CleaningError(f"The options of {name} are a JSON object with names and values.")
    return options


def needing_embeddings(choices: Sequence[Choice]) -> list[str]:
    """Return the names of the chosen strategies that cannot do without embeddings."""
    known = strategies()
    return [each.strategy for each in choices if known[each.strategy].needs_embeddings]
