"""What a comparison rests on: one line above the figures, and everything behind it."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from audit_core.domain import Role
from audit_core.statistics.percent import percent
from audit_core.ui.access import made_when_asked
from audit_core.ui.plain_text import plain
from audit_core.workflow.comparisons import ComparisonView
from cleaning.executing import card_document
from cleaning.finished import Result
from cleaning.report import score_table
from cleaning.splits import SINGLE, Split
from cleaning.tables_content import fold_table
from cleaning.ui.cells import table_html
from cleaning.ui.downloads import download_scores, download_table, file_stem


def draw_run_card(view: ComparisonView, result: Result) -> None:
    """Draw the line and, behind an expander, the whole card with its download."""
    card = result.record.card
    share = percent(result.positives / result.n) if result.n else "undefined"
    parts = [
        f"{view.dataset.shown} revision {view.dataset.revision}",
        f"labels {card.labels_name} ({card.labels_origin})",
        split_words(result.record.split),
        f"{result.n:,} queries, {result.positives:,} to remove ({share} %)",
        f"seed {card.seed}",
    ]
    st.caption(plain(" · ".join(parts)))
    with st.expander("Run card", icon=":material/receipt_long:"):
        _draw_card(view, result)


def split_words(split: Split) -> str:
    """Return how the queries were split, in a few words with the start of the hash."""
    if split.method == SINGLE:
        (fold,) = split.of_repeat(0)
        return f"one split: {len(fold.training):,} train, {len(fold.evaluation):,} are scored (split {split.hash[:12]})"
    return f"{split.repeats} x {split.k} folds over documents (split {split.hash[:12]})"


def full_card(view: ComparisonView, result: Result) -> dict[str, Any]:
    """Return the run card as JSON holds it: what was asked for, what it rested on, split, thresholds, times, failures."""
    record = result.record
    return {
        "comparison": view.row.name,
        **card_document(record, result.request),
        "evaluated": result.n,
        "positives": result.positives,
        "strategies": [
            {
                "name": each.name,
                "title": each.title,
                "kind": each.kind.value,
                "options": dict(each.options),
                "threshold": _threshold(each.thresholds.ravel().tolist(), each.tuned_for),
                "seconds": round(each.seconds, 3),
                "failed": each.failed,
            }
            for each in record.compared.strategies
        ],
        "notices": [{"about": list(each.about), "says": each.says} for each in record.compared.notices],
    }


def _draw_card(view: ComparisonView, result: Result) -> None:
    document = full_card(view, result)
    card = result.record.card
    embedder = ", ".join(f"{key} {value}" for key, value in (card.embedder or {}).items()) or "none"
    facts = {
        "Made": card.created,
        "Dataset content": card.dataset_hash,
        "Labels": f"{card.labels_name}: {card.labels_origin}; hash {card.labels_hash}",
        "Split": f"{result.record.split.method}; hash {result.record.split.hash}",
        "Embeddings": embedder,
        "Packages": ", ".join(f"{name} {version}" for name, version in card.packages.items()),
    }
    st.markdown("\n".join(f"- {name}: {plain(value)}" for name, value in facts.items() if value))
    rows = [
        {
            "strategy": each["title"],
            "options": ", ".join(f"{key} = {value}" for key, value in each["options"].items() if key != "strategy"),
            "threshold": each["threshold"],
            "seconds": each["seconds"],
            "failed": each["failed"] or "",
        }
        for each in document["strategies"]
    ]
    st.dataframe(pd.DataFrame(rows), hide_index=True, key="card-strategies")
    folds = fold_table(result.record.split)
    leave_out = tuple(each.key for each in folds.columns if each.key.startswith("dropped_"))
    with st.container(height=260, border=False):
        st.html(table_html(folds, leave_out=leave_out, testid="folds"))
    with st.container(horizontal=True):
        st.download_button(
            "Run card (JSON)",
            made_when_asked(lambda: json.dumps(document, ensure_ascii=False, indent=2, default=str) + "\n", Role.LEAD),
            file_name=file_stem(view.row.name, "run-card") + ".json",
            mime="application/json",
            on_click="ignore",
            key="download-run-card",
        )
        download_scores(partial(score_table, result), file_stem(view.row.name, "scores"), key="download-scores")
        download_table(folds, file_stem(view.row.name, "folds"), key="folds")


def _threshold(thresholds: list[float], tuned_for: str | None) -> str:
    known = sorted({each for each in thresholds if each == each})
    if not known:
        return ""
    shown = f"{known[0]:.3g}" if len(known) == 1 else f"{known[0]:.3g} to {known[-1]:.3g} over folds"
    return f"tuned for {tuned_for}: {shown}" if tuned_for else shown
