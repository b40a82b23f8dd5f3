"""What a scoring is asked to do: the strategies, what trains them, and what may be spent on language models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from audit_core.domain import JsonObject
from audit_core.errors import CleaningError
from cleaning.request import DEFAULT_EMBEDDER, NAME_MAX, Choice, ComparisonRequest, request_from

#: Stands for the labels of a scoring that nothing trains; no source has this key.
_NO_LABELS = "-"


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """All queries of one dataset, scored by some strategies.

    `train_labels` is the key of the label source that trains those that learn (all of it), None where nothing learns. The
    others are as in `ComparisonRequest`; `caps` count over all attempts of the run, `in_flight` None is the setting's number.
    """

    name: str
    strategies: tuple[Choice, ...]
    train_labels: str | None = None
    remove_codes: str = "FN"
    embedder: str = DEFAULT_EMBEDDER
    seed: int = 1
    caps: Mapping[str, float] | None = None
    in_flight: int | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        self.as_comparison()
        for choice in self.strategies:
            if choice.threshold is not None and not 0.0 <= choice.threshold <= 1.0:
                raise CleaningError(
                    f"The threshold of {choice.name} is {choice.threshold:g}: scores go from 0 to 1, so choose one between these."
                )
            if choice.tune is not None:
                raise CleaningError(
                    f"{choice.name}: a scoring tunes no threshold, since it evaluates nothing. Score first, then choose "
                    "the threshold on labels of a random sample: `python -m audit_core clean choose`."
                )

    def as_comparison(self) -> ComparisonRequest:
        """Return the comparison whose labels are those that train, for what reads labels and embeds queries."""
        return ComparisonRequest(
            name=self.name, labels=self.train_labels or _NO_LABELS, strategies=self.strategies,
            remove_codes=self.remove_codes, embedder=self.embedder, seed=self.seed, caps=self.caps,
            in_flight=self.in_flight,
        )  # fmt: skip

    def as_json(self) -> JsonObject:
        """Return it as JSON holds it."""
        return {**asdict(self), "strategies": [asdict(each) for each in self.strategies]}


def score_request_from(document: object) -> ScoreRequest:
    """Return the request that a JSON document holds, checked.

    Raises:
        CleaningError: a field is missing, unknown or of the wrong kind; the message names it.
    """
    if not isinstance(document, dict):
        raise CleaningError("A scoring is described by a JSON object with name and strategies.")
    known = ScoreRequest.__dataclass_fields__
    if unknown := sorted(map(str, set(document) - set(known))):
        raise CleaningError(f"{unknown[0]!r} is no part of a scoring. Use {', '.join(known)}.")
    for needed in ("name", "strategies"):
        if needed not in document:
            raise CleaningError(f"{needed} is missing from the scoring.")
    labels = document.get("train_labels")
    if labels is not None and not isinstance(labels, str):
        raise CleaningError(f"train_labels is {labels!r}: text or null is needed.")
    if isinstance(document["name"], str):
        _check_name(document["name"])
    shared = {name: value for name, value in document.items() if name != "train_labels"}
    read = request_from({**shared, "labels": labels or _NO_LABELS})
    return ScoreRequest(
        name=read.name, strategies=read.strategies, train_labels=labels or None, remove_codes=read.remove_codes,
        embedder=read.embedder, seed=read.seed, caps=read.caps, in_flight=read.in_flight,
    )  # fmt: skip


def _check_name(name: str) -> None:
    if not 1 <= len(name.strip()) <= NAME_MAX or not name.isprintable():
        raise CleaningError(f"A scoring needs a name of 1 to {NAME_MAX} characters that can be shown.")
