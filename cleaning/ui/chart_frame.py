"""How every chart of a comparison is put on the page: calm, with one button that saves it as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


def draw_chart(figure: Figure, *, file_name: str, key: str) -> None:
    """Draw a Plotly figure; `file_name` is what its download is called, without ending."""
    config = {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "displayModeBar": True,
        "toImageButtonOptions": {"format": "svg", "filename": file_name},
    }
    st.plotly_chart(figure, config=config, theme="streamlit", key=key)
