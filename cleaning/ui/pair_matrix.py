"""The matrix of pairs as real buttons: a press tells which two strategies to look at more closely."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

_CSS = """
table { border-collapse: collapse; font: 400 .82rem/1.3 var(--st-font), sans-serif; color: var(--st-text-color);
  font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .35rem 0; }
th { font-weight: 600; text-align: left; padding: .25rem .5rem; vertical-align: bottom; max-width: 9rem; }
td { padding: 1px; }
td.same { text-align: center; opacity: .5; }
button { font: inherit; color: inherit; background: none; border: 1px solid color-mix(in srgb, currentColor 22%, transparent);
  border-radius: 4px; padding: .25rem .45rem; width: 100%; text-align: right; cursor: pointer; white-space: nowrap; }
button:hover { border-color: var(--st-primary-color); }
button:focus-visible { outline: 2px solid var(--st-primary-color); }
button[aria-pressed=true] { border: 2px solid var(--st-primary-color); }
button small { display: block; opacity: .8; font-size: .76rem; }
button.clear { font-weight: 700; }
div { overflow-x: auto; }
"""

_JS = """
const make = (name, text, parent, kind) => {
  const element = document.createElement(name);
  element.textContent = text;
  if (kind) element.className = kind;
  parent.append(element);
  return element;
};

export default function(component) {
  const { data, parentElement, setTriggerValue } = component;
  const root = parentElement.querySelector("[data-testid=pair-matrix]");
  root.replaceChildren();
  const table = make("table", "", root);
  make("caption", data.caption, table);
  const head = make("tr", "", make("thead", "", table));
  make("th", "", head);
  for (const name of data.names) make("th", name, head);
  const body = make("tbody", "", table);
  data.cells.forEach((cells, row) => {
    const line = make("tr", "", body);
    make("th", data.names[row], line);
    cells.forEach((cell, column) => {
      const place = make("td", "", line, cell === null ? "same" : "");
      if (cell === null) { place.textContent = "-"; return; }
      const button = make("button", cell.figure, place, cell.clear ? "clear" : "");
      make("small", cell.beside, button);
      button.type = "button";
      button.title = cell.title;
      button.setAttribute("aria-pressed", String(data.chosen[0] === row && data.chosen[1] === column));
      button.addEventListener("click", () => setTriggerValue("pair", [row, column]));
    });
  });
}
"""

_matrix = st.components.v2.component(
    "assay_pair_matrix", html="<div data-testid='pair-matrix'></div>", css=_CSS, js=_JS
)


def draw_pair_matrix(
    names: Sequence[str],
    cells: Sequence[Sequence[dict[str, object] | None]],
    *,
    caption: str,
    chosen: tuple[int, int],
    on_pair: Callable[[], None],
    key: str,
) -> None:
    """Draw the matrix; `cells[i][j]` is `figure`, `beside`, `title` and `clear` of row i minus column j, None for itself.

    A press stores the two places as `st.session_state[key].pair` and calls `on_pair`.
    """
    data = {"names": list(names), "cells": [list(row) for row in cells], "caption": caption, "chosen": list(chosen)}
    _matrix(key=key, data=data, on_pair_change=on_pair)
