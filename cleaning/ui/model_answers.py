"""What came of the questions to a language model: how many were answered as asked, and what became of the others."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from audit_core.audit_report.wording import counted
from audit_core.statistics.intervals import wilson
from audit_core.statistics.percent import interval_text, percent, percent_text
from audit_core.ui.plain_text import plain
from cleaning.llm.asked import reason_words

_PROBES = {
    "enforced": "the server enforced the schema",
    "ignored": "the server ignored the schema",
    "refused": "the server takes no schema",
}


def draw_model_answers(asked: Mapping[str, Any] | None) -> None:
    """Draw the counts of what was asked, of one step or of several; nothing where no model was asked."""
    if asked is None:
        return
    total = int(asked.get("asked", 0))
    rows = "".join(
        f'<tr><td class="text">{escape(status)}</td><td>{count:,}</td><td>{percent(count / total) if total else ""}</td></tr>'
        for status, count in asked.get("statuses", {}).items()
    )
    st.html(
        f'<div class="scroll"><table class="fig" data-testid="model-answers"><caption>What became of '
        f'{counted(total, "question", "questions")}</caption><thead><tr><th class="text">Answer</th><th>Questions</th><th>%</th>'
        f"</tr></thead>{rows}</table></div>"
    )
    lines = [
        "Only accepted answers count. With any other status a query has no score from that question; it is never read out of prose."
    ]
    if flips := asked.get("flips"):
        lines.append(_flips(asked, flips))
    lines += [stage_words(each) for each in asked.get("stages", (asked,))]
    for line in lines:
        st.caption(line)


def _flips(asked: Mapping[str, Any], flips: Mapping[str, Any]) -> str:
    rate = wilson(flips["count"], flips["n"])
    share = "" if rate.estimate is None else f"{percent_text(rate.estimate)}, "
    return (
        f"Each query was asked {asked['repeats']:,} times. Of those with two accepted answers or more, the decision was not "
        f"always the same of {flips['count']:,} of {flips['n']:,} ({share}{interval_text(rate)})."
    )


def stage_words(stage: Mapping[str, Any]) -> str:
    """Return in Markdown who was asked with which prompt, what that took, whether the server keeps to a schema, and why not all counted."""
    spend = stage.get("spend")
    money = "price unknown" if spend is None else f"{spend:.2f} US dollars"
    why = reason_words(stage)
    schema = _PROBES.get((stage.get("probe") or {}).get("mode", ""), "whether it keeps to a schema is not known")
    return (
        f"Prompt {plain(stage['prompt'])} ({stage['prompt_hash'][:12]}) to {_code(stage['model'])} at {_code(stage['base_url'])}: "
        f"{counted(stage['asked'], 'question', 'questions')}, {stage['kept']:,} of them answered before; "
        f"{counted(stage['calls'], 'call', 'calls')}, {stage['tokens_input']:,} tokens in, {stage['tokens_output']:,} out, "
        f"{money}; {schema}.{f' Not accepted, most often: {plain(why)}.' if why else ''}"
    )


def _code(text: str) -> str:
    """Return a name or an address as code: it is shown as it is, and no link."""
    return f"`{text.replace('`', '')}`"
