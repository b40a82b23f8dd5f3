"""All strategies and all rules by name, and a strategy built with its options."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType

from audit_core.errors import CleaningError
from audit_core.registry import load_folder
from cleaning.contract import Kind, Strategy

_STRATEGIES, _RULES = "cleaning.strategies", "cleaning.rules"


def strategies() -> dict[str, ModuleType]:
    """Return the modules of all strategies by name (see `cleaning.contract` for what each has)."""
    return load_folder(_STRATEGIES)


def rules() -> dict[str, ModuleType]:
    """Return the modules of all rules by name (see `cleaning.rules.finding` for what each has)."""
    return load_folder(_RULES)


def strategy_module(name: str) -> ModuleType:
    """Return the module of the strategy called `name`.

    Raises:
        CleaningError: there is none; the message lists the known ones.
    """
    return _member(strategies(), name, "strategy")


def rule_module(name: str) -> ModuleType:
    """Return the module of the rule called `name`.

    Raises:
        CleaningError: there is none; the message lists the known ones.
    """
    return _member(rules(), name, "rule")


def build_strategy(name: str, options: Mapping[str, object] | None = None) -> Strategy:
    """Return the strategy called `name` with its options, before training.

    Raises:
        CleaningError: there is no such strategy, or an option is unknown or cannot be used.
    """
    built: Strategy = strategy_module(name).build(dict(options or {}))
    return built


def ranked() -> list[str]:
    """Return the names of the strategies that are compared by false omission rate: all but difficulty filters."""
    return [name for name, module in strategies().items() if module.kind != Kind.DIFFICULTY]


def _member(known: Mapping[str, ModuleType], name: str, what: str) -> ModuleType:
    if name not in known:
        raise CleaningError(f"There is no {what} {name!r}. Choose one of: {', '.join(known)}.")
    return known[name]
