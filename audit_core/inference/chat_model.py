"""The model that is asked, made from options and settings."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from audit_core import config
from audit_core.errors import InferenceError
from audit_core.inference.chat import ChatModel

OPTIONS = (
    "base_url", "model", "temperature", "max_tokens", "seed", "extra", "timeout_seconds", "price_input", "price_output",
)  # fmt: skip
#: Members of a request that are made here and nowhere else, or that would make another kind of request of it.
_OWN_MEMBERS = (
    "model", "messages", "max_tokens", "max_completion_tokens", "temperature", "seed", "response_format", "stream", "n",
)  # fmt: skip


def model_from(options: Mapping[str, object]) -> ChatModel:
    """Return the model that options name; what they leave out comes from the settings, else from `ChatModel`.

    Options: `base_url`, `model`, `price_input` and `price_output` (settings ASSAY_LLM_URL, ASSAY_LLM_MODEL,
    ASSAY_LLM_PRICE_INPUT, ASSAY_LLM_PRICE_OUTPUT), `temperature` (0 to 2, or None, which sends none), `max_tokens`, `seed`,
    `extra` (further members of the request), `timeout_seconds`. The key is the setting ASSAY_LLM_KEY and no option, for
    options are recorded. The settings' key and prices are those of the settings' server and model: with another
    `base_url` the key is not sent, and with another `base_url` or `model` the prices do not count.

    Raises:
        InferenceError: an option is unknown or wrong, or server or model are not named at all.
        SettingError: a setting has a value that cannot be used.
    """
    unknown = sorted(set(options) - set(OPTIONS))
    if unknown:
        raise InferenceError(f"The model has no option {unknown[0]}: give some of {', '.join(OPTIONS)}.")
    base_url, model = options.get("base_url") or config.llm_url(), options.get("model") or config.llm_model()
    if not base_url or not model:
        raise InferenceError(
            "No language model is named: set ASSAY_LLM_URL and ASSAY_LLM_MODEL, or give base_url and model."
        )
    if not isinstance(base_url, str) or not isinstance(model, str):
        raise InferenceError("The base URL and the name of the language model must be texts.")
    if fault := config.url_fault(base_url):
        raise InferenceError(f"The base URL of the language model {fault}.")
    # Without a server in the settings nothing says whose the key and the prices are.
    is_own_server = base_url.rstrip("/") == (config.llm_url() or "").rstrip("/")
    is_own_model = is_own_server and (config.llm_model() is None or model == config.llm_model())
    price_input, price_output = (config.llm_price_input(), config.llm_price_output()) if is_own_model else (None, None)
    default = ChatModel(base_url=base_url, model=model)
    return ChatModel(
        base_url=base_url.rstrip("/"),
        model=model,
        api_key=config.llm_key() if is_own_server else None,
        temperature=_number(options, "temperature", default.temperature, high=2.0),
        max_tokens=_whole(options, "max_tokens", default.max_tokens, low=1, high=1_000_000) or default.max_tokens,
        seed=_whole(options, "seed", None, low=0, high=2**63 - 1),
        extra=_extra(options.get("extra")),
        timeout_seconds=_number(options, "timeout_seconds", default.timeout_seconds, low=0.001, high=86_400.0)
        or default.timeout_seconds,
        price_input=_number(options, "price_input", price_input, high=1e6),
        price_output=_number(options, "price_output", price_output, high=1e6),
    )


def _number(
    options: Mapping[str, object], name: str, default: float | None, *, low: float = 0.0, high: float
) -> float | None:
    value = options.get(name, default)
    if value is None:
        return None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not math.isfinite(value)
        or not low <= value <= high
    ):
        raise InferenceError(f"The model's option {name} is {value!r}: give a number from {low:g} to {high:g}.")
    return float(value)


def _whole(options: Mapping[str, object], name: str, default: int | None, *, low: int, high: int) -> int | None:
    value = options.get(name, default)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise InferenceError(f"The model's option {name} is {value!r}: give a whole number from {low:,} to {high:,}.")
    return value


def _extra(value: object) -> dict[str, object]:
    if value is None:
        return {}
    if not isinstance(value, Mapping) or any(not isinstance(name, str) for name in value):
        raise InferenceError("The model's option extra is no object of JSON: give names with values.")
    own = [name for name in _OWN_MEMBERS if name in value]
    if own:
        raise InferenceError(f"The model's option extra names {own[0]}, which is set elsewhere: leave it out there.")
    try:
        return dict(json.loads(json.dumps(dict(value), allow_nan=False)))
    except (TypeError, ValueError) as error:
        raise InferenceError(f"The model's option extra cannot be written as JSON ({error}).") from None
