"""How a language model is asked: which server and model, what it sees of each query, and what may be spent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import streamlit as st

from audit_core import config
from audit_core.errors import AssayError
from audit_core.inference.answer_store import AnswerStore, answers_folder
from audit_core.inference.chat_model import model_from
from audit_core.ui.plain_text import plain
from cleaning.comparison_asking import asks_model
from cleaning.contract import Kind
from cleaning.llm.options import REPEATS_MAX
from cleaning.llm.trying import try_model
from cleaning.request import Choice

#: The option of strategies that names the model; those that ask several have others besides.
MODEL = "model"
_ENDS = {
    "enforced": "It keeps to a JSON schema.",
    "ignored": "It does not keep to a JSON schema by itself: replies that break it do not count.",
    "refused": "It refuses requests with a JSON schema, so none is sent: replies that break it do not count.",
}


@dataclass(frozen=True, slots=True)
class Spending:
    """The caps of a run (`calls`, `tokens`, `spend` in US dollars; None for none), and how many questions are out at once."""

    caps: dict[str, float] | None = None
    in_flight: int | None = None


def draw_judge_options(module: ModuleType) -> dict[str, Any]:
    """Draw what a judge sees and how often it is asked; return the options that differ from its own."""
    name: str = module.name
    options: dict[str, Any] = {}
    with st.container(horizontal=True, vertical_alignment="center"):
        if module.kind == Kind.MODEL:
            repeats = int(st.number_input("Times asked", 1, REPEATS_MAX, 1, key=f"judge-repeats-{name}", width=130))
            if repeats > 1:
                options["repeats"] = repeats
        if getattr(module, "shows_evidence", False):
            if st.toggle("shows the answer", key=f"judge-answer-{name}"):
                options["with_answer"] = True
            if st.toggle(
                "shows the evidence pages", key=f"judge-pages-{name}", help="As images; needs a model that sees."
            ):
                options["with_pages"] = True
    return options


def choose_model(choices: Sequence[Choice]) -> tuple[list[Choice], Spending]:
    """Draw server, model and caps where a chosen strategy asks one; return the choices with the model, and the caps.

    Without such a strategy nothing is drawn.
    """
    asking = [each for each in choices if asks_model(each.strategy)]
    if not asking:
        return list(choices), Spending()
    told, spending = draw_model(key="llm")
    if not told:
        return list(choices), spending
    return [_with_model(each, told) if each in asking else each for each in choices], spending


def draw_model(*, key: str) -> tuple[dict[str, str], Spending]:
    """Draw server, model and caps; return what of the model differs from the settings, and the caps."""
    with st.container(border=True, key=f"{key}-server-box"):
        st.markdown("**Language model**")
        told = _draw_server(key)
        # The settings' prices are those of the settings' server and model.
        spending = _draw_caps(key, has_price=not told and _has_price())
    return told, spending


def _with_model(choice: Choice, told: dict[str, str]) -> Choice:
    own = choice.options.get(MODEL)
    if isinstance(own, str):
        own = {"model": own}
    return replace(choice, options={**choice.options, MODEL: {**told, **(own or {})}})


def _draw_server(key: str) -> dict[str, str]:
    """Draw the server and the model; return what differs from the settings."""
    url, model, button = st.columns([5, 4, 2], vertical_alignment="bottom")
    own_url, own_model = config.llm_url() or "", config.llm_model() or ""
    typed_url = url.text_input(
        "Server (OpenAI protocol)", value=own_url, placeholder="http://127.0.0.1:8000/v1", key=f"{key}-url"
    ).strip()
    typed_model = model.text_input("Model", value=own_model, key=f"{key}-model").strip()
    has_key = config.llm_key() is not None
    is_other = typed_url.rstrip("/") != own_url.rstrip("/")
    if typed_url and is_other:
        key_says = (
            "ASSAY_LLM_KEY is for the server of the settings, and is not sent to this one."
            if has_key
            else "No key is sent."
        )
    else:
        key_says = "ASSAY_LLM_KEY is set and is sent to it." if has_key else "No key is set (ASSAY_LLM_KEY)."
    st.caption(
        f"Any server that speaks the protocol: your own or a provider's, whose price and terms apply. {key_says}"
    )
    given = {}
    if typed_url and is_other:
        given["base_url"] = typed_url
    if typed_model and typed_model != own_model:
        given["model"] = typed_model
    if button.button(
        "Try it", key=f"{key}-try", width="stretch", help="One short question: does it answer, and keep a schema?"
    ):
        st.session_state[f"{key}-tried"] = (given, _try(given))
    tried_with, (is_right, says) = st.session_state.get(f"{key}-tried", (None, (True, "")))
    if tried_with == given:
        if is_right:
            st.success(plain(says), icon=":material/check:")
        else:
            st.warning(plain(says), icon=":material/warning:")
    return given


def _try(given: dict[str, str]) -> tuple[bool, str]:
    """Ask the model one short question; return whether it can be used as it is, and what came of it in words."""
    try:
        with st.spinner("Asking ..."), AnswerStore(answers_folder()) as store:
            found = try_model(model_from(given), store)
    except AssayError as error:
        return False, str(error)
    words = f"It answered in {found.seconds:.1f} s. {_ENDS[found.probe]}"
    if found.says:
        return False, f"{words} But its reply to a plain question cannot be used: {found.says}"
    return True, words


def _has_price() -> bool:
    return config.llm_price_input() is not None and config.llm_price_output() is not None


def _draw_caps(key: str, *, has_price: bool) -> Spending:
    calls, tokens, spend, flight = st.columns(4)
    cap_calls = calls.number_input(
        "At most calls",
        1,
        None,
        None,
        key=f"{key}-cap-calls",
        placeholder="no cap",
        help="Every request counts, those that fail too.",
    )
    cap_tokens = tokens.number_input("At most tokens", 1, None, None, key=f"{key}-cap-tokens", placeholder="no cap")
    cap_spend = spend.number_input(
        "At most US dollars", 0.01, None, None, key=f"{key}-cap-spend", placeholder="no cap" if has_price else "no price", disabled=not has_price,
        help="Needs ASSAY_LLM_PRICE_INPUT and ASSAY_LLM_PRICE_OUTPUT, which are those of the settings' server and model. "
        "Without a price cap calls or tokens.",
    )  # fmt: skip
    flight_now = flight.number_input("Questions at once", 1, 256, config.llm_in_flight(), key=f"{key}-in-flight")
    given = {"calls": cap_calls, "tokens": cap_tokens, "spend": cap_spend if has_price else None}
    caps = {name: value for name, value in given.items() if value is not None}
    return Spending(caps=caps or None, in_flight=int(flight_now))
