"""A link that looks like a button and opens in the same tab (Streamlit's own link button opens another one)."""

from __future__ import annotations

import streamlit as st

_CSS = """
a { display: inline-flex; align-items: center; box-sizing: border-box; min-height: 2.5rem; padding: 0 .85rem;
  font: 400 .875rem/1 var(--st-font), sans-serif; border-radius: .5rem;
  background: var(--st-primary-color); color: #fff; text-decoration: none; white-space: nowrap; }
a:hover { filter: brightness(.92); }
a:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 2px; }
"""

_JS = """
export default function(component) {
  const link = component.parentElement.querySelector("a");
  link.textContent = component.data.label;
  link.href = component.data.address;
}
"""

_link = st.components.v2.component("assay_same_tab_link", html="<a></a>", css=_CSS, js=_JS)


def same_tab_link(label: str, address: str, *, key: str) -> None:
    """Draw the link; `address` is one of the app's own, beginning with a slash."""
    _link(key=key, data={"label": label, "address": address}, width="content")
