"""The model from options and settings, and the settings themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from audit_core import config
from audit_core.errors import InferenceError, SettingError
from audit_core.inference.chat import ChatModel
from audit_core.inference.chat_model import OPTIONS, model_from

URL = "http://127.0.0.1:8000/v1"


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets ASSAY_LLM_... by their last words."""
    return lambda **values: [monkeypatch.setenv(f"ASSAY_LLM_{name}", value) for name, value in values.items()] and None


def test_without_options_the_settings_name_the_model(settings: Callable[..., None]) -> None:
    with pytest.raises(InferenceError, match="set ASSAY_LLM_URL and ASSAY_LLM_MODEL, or give base_url and model"):
        model_from({})
    settings(URL=f" {URL}/ ", MODEL="small", KEY=" sk-secret\n", PRICE_INPUT="0.15", PRICE_OUTPUT="0")
    assert model_from({}) == ChatModel(URL, "small", "sk-secret", price_input=0.15, price_output=0.0)
    assert "sk-secret" not in repr(model_from({}))


def test_options_go_before_settings(settings: Callable[..., None]) -> None:
    settings(URL=URL, MODEL="small", KEY="sk-secret", PRICE_INPUT="1", PRICE_OUTPUT="2")
    given: dict[str, Any] = {
        "temperature": None, "max_tokens": 64, "seed": 7, "extra": {"top_k": 5}, "timeout_seconds": 3,
        "price_input": 0.5, "price_output": None,
    }  # fmt: skip
    assert model_from(given) == ChatModel(
        URL, "small", "sk-secret", temperature=None, max_tokens=64, seed=7, extra={"top_k": 5}, timeout_seconds=3.0,
        price_input=0.5, price_output=None,
    )  # fmt: skip
    assert set(given) | {"base_url", "model"} == set(OPTIONS)


def test_the_key_goes_to_no_other_server_and_a_price_holds_for_its_model_alone(settings: Callable[..., None]) -> None:
    settings(URL=URL, MODEL="small", KEY="sk-secret", PRICE_INPUT="1", PRICE_OUTPUT="2")
    other = model_from({"base_url": "http://127.0.0.1:9000/v1"})
    assert (other.api_key, other.price_input) == (None, None)
    large = model_from({"model": "large"})
    assert (large.api_key, large.price_input, large.price_output) == ("sk-secret", None, None)
    assert model_from({"base_url": URL + "/"}).api_key == "sk-secret"


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": "x"}, {"api_key": "x"}, {"temperature": 3}, {"temperature": "0"}, {"temperature": True}, {"max_tokens": 0},
        {"max_tokens": 1.5}, {"seed": -1}, {"seed": "a"}, {"timeout_seconds": 0}, {"timeout_seconds": float("nan")},
        {"price_input": -1}, {"base_url": "ftp://h"}, {"base_url": "http://a:b@h"}, {"base_url": 3}, {"model": 3},
        {"extra": [1]}, {"extra": {"n": 2}}, {"extra": {"max_tokens": 2}}, {"extra": {"a": {1}}}, {"extra": {1: 2}},
    ],
    ids=str,
)  # fmt: skip
def test_what_is_unknown_or_wrong_is_refused(wrong: dict[str, Any], settings: Callable[..., None]) -> None:
    settings(URL=URL, MODEL="small")
    with pytest.raises(InferenceError):
        model_from(wrong)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "h/v1"), ("URL", "http://ada:pw12@h/v1"), ("KEY", "sk-pw12 and more"), ("PRICE_INPUT", "-1"),
        ("PRICE_INPUT", "cheap"), ("PRICE_OUTPUT", "nan"), ("PRICE_OUTPUT", "inf"), ("IN_FLIGHT", "0"),
        ("IN_FLIGHT", "257"), ("IN_FLIGHT", "many"),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_used_is_told_at_the_start(
    name: str, value: str, settings: Callable[..., None]
) -> None:
    settings(**{name: value})
    with pytest.raises(SettingError, match=f"ASSAY_LLM_{name}") as caught:
        config.check()
    assert "pw12" not in str(caught.value)


def test_settings_have_their_defaults(settings: Callable[..., None]) -> None:
    assert (config.llm_url(), config.llm_model(), config.llm_key()) == (None, None, None)
    assert (config.llm_price_input(), config.llm_price_output(), config.llm_in_flight()) == (None, None, 8)
    settings(IN_FLIGHT="32", PRICE_INPUT="0")
    assert (config.llm_in_flight(), config.llm_price_input()) == (32, 0.0)
