"""A second click on a button that starts something, a moment after the first: it opens what the first one started."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import Any

import streamlit as st

#: So many seconds after a start the same choices mean the same start; whoever wants it twice has to wait as long.
_SECONDS = 5.0
_STATE = "started-a-moment-ago"


def started_before(what: str, asked: Mapping[str, Any]) -> int | None:
    """Return the number of what this session started a moment ago with the same choices, None where it did not.

    `asked` are the choices without proposed names, which move on as soon as one is taken.
    """
    known, number, at = st.session_state.get(_STATE, ("", 0, float("-inf")))
    is_same = known == _said(what, asked) and time.monotonic() - at < _SECONDS
    return int(number) if is_same else None


def note_started(what: str, asked: Mapping[str, Any], number: int) -> None:
    """Keep what was started. To be called at once: a click that came meanwhile ends this run of the page at its next output."""
    st.session_state[_STATE] = (_said(what, asked), number, time.monotonic())


def _said(what: str, asked: Mapping[str, Any]) -> str:
    return json.dumps([what, asked], sort_keys=True, default=str)
