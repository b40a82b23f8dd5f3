"""Options that strategies which ask a language model share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from audit_core.errors import CleaningError
from cleaning.llm.evidence_images import IMAGE_SIDE, SIDE_MAX, SIDE_MIN
from cleaning.strategies.options import whole_number

if TYPE_CHECKING:
    from audit_core.inference.chat import ChatModel

#: What every judge can be told; those that show the answer or pages know the others as well.
JUDGE_OPTIONS = ("model", "repeats", "seed")
SHOWING_OPTIONS = ("with_answer", "with_pages", "max_pages", "image_side")
REPEATS_MAX, PAGES_MAX, SEED_MAX = 20, 20, 2**31 - 1


@dataclass(frozen=True, slots=True)
class JudgeSettings:
    """How a judge is asked: by whom, what it is shown of each query, how often, and the seed of the orders in the prompt."""

    model: ChatModel
    repeats: int = 1
    seed: int = 1
    with_answer: bool = False
    with_pages: bool = False
    max_pages: int = 4
    image_side: int = IMAGE_SIDE


def judge_settings(strategy: str, options: Mapping[str, object]) -> JudgeSettings:
    """Return the settings that the options of a strategy say; `model` as `model_option` reads it.

    Raises:
        CleaningError: an option cannot be used.
        InferenceError: the model is not one that can be asked.
    """
    return JudgeSettings(
        model=model_option(strategy, options, "model"),
        repeats=whole_number(strategy, options, "repeats", 1, low=1, high=REPEATS_MAX),
        seed=seed_option(strategy, options),
        with_answer=flag(strategy, options, "with_answer", default=False),
        with_pages=flag(strategy, options, "with_pages", default=False),
        max_pages=whole_number(strategy, options, "max_pages", 4, low=1, high=PAGES_MAX),
        image_side=whole_number(strategy, options, "image_side", IMAGE_SIDE, low=SIDE_MIN, high=SIDE_MAX),
    )


def seed_option(strategy: str, options: Mapping[str, object]) -> int:
    """Return the option `seed`, 1 where it is not given; CleaningError where it is no whole number of 31 bits."""
    return whole_number(strategy, options, "seed", 1, low=0, high=SEED_MAX)


def flag(strategy: str, options: Mapping[str, object], option: str, *, default: bool) -> bool:
    """Return an option that is true or false; CleaningError where it is not."""
    given = options.get(option, default)
    if not isinstance(given, bool):
        raise CleaningError(f"The option {option} of the strategy {strategy} is {given!r}: give true or false.")
    return given


def model_option(strategy: str, options: Mapping[str, object], option: str) -> ChatModel:
    """Return the model that an option names: its name, or an object of what `model_from` knows; else that of the settings.

    Raises:
        CleaningError: the option is neither.
        InferenceError: no model or address is set, or a member of the object is unknown or wrong.
    """
    return _model(strategy, option, options.get(option, {}))


def panel_option(strategy: str, options: Mapping[str, object], option: str) -> tuple[ChatModel, ...]:
    """Return the models that an option lists, each as in `model_option`; the one of the settings where it is not given.

    Raises:
        CleaningError: it is no list, empty, or names the same model twice.
        InferenceError: as `model_option`.
    """
    given = options.get(option, [{}])
    if isinstance(given, str) or not isinstance(given, Sequence) or not given:
        raise CleaningError(
            f"The option {option} of the strategy {strategy} is {given!r}: give a list of models, one at least."
        )
    models = tuple(_model(strategy, option, each) for each in given)
    known = [(each.base_url, each.model, repr(each.parameters)) for each in models]
    if len(set(known)) < len(known):
        raise CleaningError(f"In the option {option} of the strategy {strategy} a model is listed twice. Take it out.")
    return models


def _model(strategy: str, option: str, given: object) -> ChatModel:
    from audit_core.inference.chat_model import model_from

    if isinstance(given, str):
        given = {"model": given}
    if not isinstance(given, Mapping):
        raise CleaningError(
            f"The option {option} of the strategy {strategy} is {given!r}: give the model's name, or an object with model, "
            "base_url, temperature and so on."
        )
    return model_from(given)
