"""Styles of the tables and rows of comparisons: numbers right-aligned in tabular figures, nothing that decorates."""

from __future__ import annotations

import streamlit as st

_STYLE = """
<style>
.fig { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .86rem; line-height: 1.3; }
.fig.wide { width: 100%; }
.fig caption { text-align: left; font-weight: 600; padding: .35rem 0; }
.fig th, .fig td { padding: .25rem .5rem; border-bottom: 1px solid color-mix(in srgb, currentColor 14%, transparent); }
.fig th { text-align: right; font-weight: 600; vertical-align: bottom; border-bottom: 2px solid color-mix(in srgb, currentColor 40%, transparent); }
.fig td { text-align: right; white-space: nowrap; }
.fig th.text, .fig td.text { text-align: left; }
.fig td.long small { white-space: normal; }
.fig td.long { white-space: normal; min-width: 9rem; max-width: 26rem; }
.fig tr.first td { border-top: 2px solid color-mix(in srgb, currentColor 40%, transparent); }
.fig tr.chosen td { background: color-mix(in srgb, currentColor 8%, transparent); }
.fig .none { opacity: .62; }
.fig small, .figures small { white-space: nowrap; opacity: .78; font-size: .78rem; display: block; }
.fig .axis { display: block; position: relative; width: 110px; height: 14px; margin: 0 4px; }
.fig .bar { position: absolute; top: 6px; height: 2px; background: currentColor; opacity: .75; }
.fig .dot { position: absolute; top: 3px; width: 8px; height: 8px; margin-left: -4px; border-radius: 50%; }
.fig .base { position: absolute; top: 0; width: 1px; height: 14px; background: currentColor; opacity: .55; }
.fig .key { display: inline-block; width: 9px; height: 9px; margin-right: .45rem; border-radius: 2px; }
.scroll { overflow-x: auto; max-width: 100%; }
.figures { width: 100%; font-variant-numeric: tabular-nums; font-size: .88rem; line-height: 1.35; }
.figures td { padding: .16rem .5rem .16rem 0; vertical-align: top; }
.figures td + td { text-align: right; }
.cells { border-collapse: separate; border-spacing: 4px; width: 100%; font-variant-numeric: tabular-nums; font-size: .8rem; }
.cells td { border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-radius: 4px; padding: .3rem .5rem; width: 50%; }
.cells b { font-size: 1.1rem; display: block; }
.cells .wrong { border-style: dashed; border-color: color-mix(in srgb, currentColor 60%, transparent); }
h3 { font-size: 1.2rem !important; padding: 1.1rem 0 .2rem !important; }
mark { background: #E69F0066; color: inherit; padding: 0 1px; border-bottom: 2px solid #E69F00; }
.said { font-size: .9rem; line-height: 1.35; }
.said small { opacity: .8; display: block; }
.look-pages { display: flex; flex-wrap: wrap; gap: 14px; align-items: flex-start; }
.look-page { flex: 1 1 320px; max-width: 640px; margin: 0; }
.look-page figcaption { font-size: .82rem; padding-bottom: .25rem; }
.look-sheet { position: relative; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); background: white; }
.look-sheet img { display: block; width: 100%; height: auto; }
.look-box { position: absolute; border: 2px solid #D55E00; border-radius: 2px; background: rgba(213, 94, 0, .07); }
.look-problem { padding: .6rem; color: #222; }
</style>
"""


def dress_comparisons() -> None:
    """Add the styles to the page; once is enough for everything on it, dialogs too."""
    st.html(_STYLE)
