"""What came of the questions to a language model: how many were answered as asked, and what became of the others."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import streamlit as st

from audit_core.statistics.percent import percent
from cleaning.scoring import ScoredAll


def draw_model_answers(scored: ScoredAll) -> None:
    """Draw the counts of a strategy that asked a language model; nothing of the others."""
    if scored.asked is None:
        return
    asked = scored.asked
    total = int(asked.get("asked", 0))
    rows = "".join(
        f'<tr><td class="text">{escape(status)}</td><td>{count:,}</td><td>{percent(count / total) if total else ""}</td></tr>'
        for status, count in asked.get("statuses", {}).items()
    )
    st.html(
        f'<div class="scroll"><table class="fig" data-testid="model-answers"><caption>What became of {total:,} questions</caption>'
        f'<thead><tr><th class="text">Answer</th><th>Questions</th><th>%</th></tr></thead>{rows}</table></div>'
    )
    st.caption(
        "Only accepted answers count. With any other status a query has no score from that question; it is never read out of prose."
    )
    for stage in asked.get("stages", ()):
        st.caption(_stage(stage))


def _stage(stage: Mapping[str, Any]) -> str:
    spend = stage.get("spend")
    money = "price unknown" if spend is None else f"{spend:.2f} US dollars"
    probe = {
        "enforced": "the server enforced the schema",
        "ignored": "the server ignored the schema",
        "refused": "the server takes no schema",
    }
    schema = probe.get((stage.get("probe") or {}).get("mode", ""), "whether it keeps to a schema is not known")
    return (
        f"{stage['prompt']} (prompt {stage['prompt_hash'][:12]}) to `{stage['model']}` at `{stage['base_url']}`: {stage['asked']:,} questions, "
        f"{stage['kept']:,} of them answered before; {stage['calls']:,} calls, {stage['tokens_input']:,} tokens in, "
        f"{stage['tokens_output']:,} out, {money}; {schema}."
    )
