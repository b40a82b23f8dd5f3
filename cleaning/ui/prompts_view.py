"""The prompts as they stand in their files: what a language model is told, word for word, with the hash that runs record."""

from __future__ import annotations

import streamlit as st

from audit_core.ui.plain_text import plain
from cleaning.catalogue import strategies
from cleaning.llm.prompt import load_prompt, prompt_names

#: Prompts that are not called as their strategy is.
_TITLES = {
    "closed_book_answer": "Easy by memory: who answers",
    "closed_book_judge": "Easy by memory: who judges the answers",
    "rewrite": "Rewordings",
}


def draw_prompts() -> None:
    """Draw every prompt with its hash; `{{...}}` are the places that each query fills."""
    st.caption(
        "What language models are told, word for word. Places in double braces are filled for each query; the order of criteria, "
        "choices and scale values changes from query to query by the seed. Each run records the hash of its prompt; a changed "
        "prompt asks anew and keeps the old answers."
    )
    for name in prompt_names():
        prompt = load_prompt(name)
        with st.expander(
            f"{_title(name)} · {plain(name)}.md · {prompt.hash[:12]}",
            icon=":material/description:",
            key=f"prompt-{name}",
        ):
            st.caption(f"SHA-256 {prompt.hash}")
            st.code(prompt.text, language=None, wrap_lines=True)


def _title(name: str) -> str:
    known = strategies()
    return _TITLES.get(name) or (str(known[name].title) if name in known else name)
