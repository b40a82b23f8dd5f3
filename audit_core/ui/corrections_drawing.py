"""Corrections as HTML: texts and evidence before and after, and pages with the old boxes dashed and the new ones solid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

import streamlit as st

from audit_core.corrections.records import Action, CorrectionState
from audit_core.corrections.wording import ACTION_WORDS, in_words
from audit_core.domain import CODE_MEANINGS, Box, IssueCode
from audit_core.ui.text_difference import compared
from audit_core.workflow.correction_standing import Standing
from audit_core.workflow.correction_view import Figure, Mark, MarkKind, QueryCorrections

_STYLE = """
<style>
.mend { font-size: .9rem; line-height: 1.4; font-variant-numeric: tabular-nums; }
.mend .what { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: baseline; padding-bottom: .25rem; }
.mend .what small, .mend .why { opacity: .82; font-size: .82rem; }
.mend .sides { display: grid; grid-template-columns: 1fr 1fr; gap: .2rem 1rem; }
.mend .sides > div { border-left: 3px solid color-mix(in srgb, currentColor 30%, transparent); padding-left: .55rem; overflow-wrap: anywhere; }
.mend .sides small { display: block; opacity: .82; font-size: .76rem; }
.mend .sides .after { border-left-color: #009E73; }
.mend .sides .before { border-left-style: dashed; border-left-color: #D55E00; }
.mend .none { opacity: .7; font-style: italic; }
.mend mark { background: #009E7340; color: inherit; padding: 0 1px; border-bottom: 2px solid #009E73; }
.mend s { background: #D55E0033; text-decoration-thickness: 2px; }
.mend .code { border: 2px solid; border-radius: 4px; padding: 0 .32rem; font-weight: 600; font-size: .8rem; }
.mend .flag { border: 1px solid; border-radius: 4px; padding: 0 .35rem; font-size: .78rem; font-weight: 600; }
.mend .problem { border-left: 3px solid #D55E00; padding: .1rem .55rem; margin-top: .3rem; font-size: .84rem; }
.mend-pages { display: flex; flex-wrap: wrap; gap: 12px; align-items: flex-start; }
.mend-page { flex: 1 1 240px; max-width: 560px; margin: 0; }
.mend-page figcaption { font-size: .8rem; padding-bottom: .2rem; overflow-wrap: anywhere; }
.mend-sheet { position: relative; border: 1px solid color-mix(in srgb, currentColor 25%, transparent); background: white; overflow: hidden; }
.mend-sheet img { display: block; width: 100%; height: auto; }
.mend-sheet .box { position: absolute; border-radius: 2px; box-sizing: border-box; }
.mend-sheet .old { border: 3px dashed #D55E00; }
.mend-sheet .new { border: 3px solid #009E73; background: rgba(0, 158, 115, .09); }
.mend-sheet .stays { border: 2px dotted #555; }
.mend-sheet .stays .tag { left: -2px; bottom: 100%; background: #555; }
.mend-sheet .tag { position: absolute; font-size: .68rem; line-height: 1.25; padding: 0 3px; color: white; white-space: nowrap; }
.mend-sheet .whole { background: none; }
.mend-sheet .old .tag { right: -3px; top: 100%; background: #A84300; }
.mend-sheet .new .tag { left: -3px; bottom: 100%; background: #00694C; }
.mend-sheet .draft { border: 3px solid #0072B2; background: rgba(0, 114, 178, .12); }
.mend-sheet .draft .tag { left: -3px; top: 100%; background: #005A8C; }
.mend-sheet .low .tag { top: auto; bottom: 0; }
.mend-sheet .high .tag { bottom: auto; top: 0; }
.mend-sheet .problem { padding: .6rem; color: #222; }
div:has(> .st-key-corrections-bar) { position: sticky; top: 3.2rem; z-index: 40;
  background: color-mix(in srgb, Canvas 80%, transparent); backdrop-filter: blur(14px); }
[class*="st-key-correction-row-"] [data-testid="stColumn"]:nth-child(1) { flex: 0 0 1.5rem; min-width: 1.5rem; }
[class*="st-key-correction-row-"] [data-testid="stColumn"]:nth-child(2) { flex: 1 1 0; min-width: 0; }
[class*="st-key-correction-row-"] [data-testid="stColumn"]:nth-child(3) { flex: 0 0 4rem; min-width: 4rem; }
[data-testid="stColumn"]:has(.mend-pages.revised) { align-self: stretch; }
[data-testid="stColumn"]:has(.mend-pages.revised) > div { position: sticky; top: 8.4rem; height: auto; flex-grow: 0; }
.mend-pages.revised .mend-page { max-width: min(560px, 54vh); }
.mend-key { font-size: .78rem; opacity: .85; }
</style>
"""
#: The colours of the issue codes; each stands with its letter.
_CODE_COLOURS = {IssueCode.F: "#E69F00", IssueCode.E: "#D55E00", IssueCode.U: "#56B4E9", IssueCode.N: "#CC79A7"}
#: Part of the page's height beyond which a box has no room for a label below it.
_EDGE = 0.97
#: Characters of a document's title in the name of a page.
_TITLE = 36
LEGEND = '<div class="mend-key">Dashed: as it is. Solid: as it shall be. Dotted: stays.</div>'


def dress_corrections() -> None:
    """Add the styles to the page."""
    st.html(_STYLE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A box that somebody writes just now, in parts of its page, for a revision of a correction."""

    page_id: str
    correction: int
    box: Box


def page_names(view: QueryCorrections) -> dict[str, str]:
    """Return how each page of a query is called: its number, the label printed on it, and its document where there are several."""
    names = {}
    for each in view.figures:
        title = str(each.page["title"])
        short = title if len(title) <= _TITLE else f"{title[: _TITLE - 1].rstrip()}…"
        names[each.page["page_id"]] = f"{_page_name(each)}{f' of {short}' if view.is_of_several_documents else ''}"
    return names


def _page_name(figure: Figure) -> str:
    page = figure.page
    if page["page_number"] is None:
        return str(page["page_id"])
    label = f" (“{page['printed_label']}”)" if page["printed_label"] else ""
    return f"p. {page['page_number']}{label}"


def correction_html(standing: Standing, pages: Mapping[str, str]) -> str:
    """Return one correction: what it does and who says so, both sides, and what stands in its way.

    `pages` are the names of pages by id.
    """
    row = standing.row
    parts = [f'<div class="what">{_what(standing, pages)}</div>', _sides(standing)]
    if row.reason:
        parts.append(f'<div class="why">{escape(row.reason)}</div>')
    if row.review_note:
        parts.append(f'<div class="why">{escape(row.reviewer or "")}: {escape(row.review_note)}</div>')
    if standing.misfit is not None:
        reason = " ".join(filter(None, (standing.misfit.reason, standing.no_rebase)))
        parts.append(f'<div class="problem">{escape(reason)}</div>')
    elif standing.conflict is not None:
        reason = f"Only one of this and correction {standing.conflict} can be accepted as it is."
        parts.append(f'<div class="problem">{escape(reason)}</div>')
    return f'<div class="mend" data-testid="correction" data-correction="{row.id}">{"".join(parts)}</div>'


def _what(standing: Standing, pages: Mapping[str, str]) -> str:
    row = standing.row
    code = _code(row.code)
    flags = [
        words
        for words, holds in (
            ("stale: rebase", standing.can_be_rebased),
            ("stale, cannot be rebased", standing.is_stale and not standing.can_be_rebased),
            ("cannot be applied", standing.misfit is not None and not standing.is_stale),
            ("conflict", standing.conflict is not None and standing.misfit is None),
            ("no evidence left", standing.structure is not None and standing.structure.is_empty),
            ("self-reviewed", row.is_self_reviewed),
        )
        if holds
    ]
    revision = f" · revision {row.revision}" if row.revision > 1 else ""
    said = [f"by {row.author}{revision}"]
    if row.state is not CorrectionState.PROPOSED:
        said.append(f"{row.state}{f' by {row.reviewer}' if row.reviewer else ''}")
    said += [f"campaign {row.campaign}"] if row.campaign else []
    said += [f"with {row.model}, prompt {(row.prompt_hash or '')[:12]}"] if row.model else []
    marked = "".join(f'<span class="flag">{escape(each)}</span>' for each in flags)
    words = escape(ACTION_WORDS[row.change.action])
    key = row.change.key
    if key:
        in_set = f", set {key['set_id']}" if key["set_id"] is not None else ""
        words += escape(f": {pages.get(key['page_id'], key['page_id'])}{in_set}")
    return f"<b>{row.id} · {words}</b>{code}{marked}<small>{escape(' · '.join(said))}</small>"


def _code(code: str | None) -> str:
    if code is None:
        return ""
    colour, meaning = _CODE_COLOURS[IssueCode(code)], escape(CODE_MEANINGS[IssueCode(code)])
    return f'<span class="code" style="border-color: {colour}" title="{meaning}">{code}</span>'


def _sides(standing: Standing) -> str:
    change = standing.row.change
    if change.action is Action.WITHDRAW:
        return ""
    texts = [None if each is None else in_words(each, names_page=False) for each in (change.before, change.after)]
    before, after = map(_text, texts)
    if texts[0] is not None and texts[1] is not None:
        before, after = compared(texts[0], texts[1])
    return (
        f'<div class="sides"><div class="before"><small>before</small>{before}</div>'
        f'<div class="after"><small>after</small>{after}</div></div>'
    )


def _text(words: str | None) -> str:
    return '<span class="none">nothing</span>' if words is None else escape(words)


def figures_html(figures: tuple[Figure, ...], draft: Draft | None = None) -> str:
    """Return the pages that corrections act on, with their boxes, each opening its image.

    While a `draft` is written its page is shown alone, with it, and stays in view beside the form.
    """
    shown = [each for each in figures if draft is None or each.page["page_id"] == draft.page_id]
    drawn = "".join(_figure(each, draft) for each in shown)
    return f'<div class="mend-pages{" revised" if draft else ""}">{drawn}</div>{LEGEND}'


def _figure(figure: Figure, draft: Draft | None) -> str:
    page = figure.page
    count = f" of {page['page_count']}" if page["page_count"] else ""
    caption = f"<b>{escape(_page_name(figure))}{count}</b> {escape(page['title'])}"
    if page["src"] is None:
        inner = f'<div class="problem">{escape(page["problem"] or "The page cannot be shown.")}</div>'
    else:
        ratio = f"aspect-ratio: {page['width']} / {page['height']}"
        image = f'<img src="{escape(page["src"])}" alt="page" loading="lazy" style="{ratio}">'
        inner = f'<a href="{escape(page["src"])}" target="_blank">{image}</a>'
    marks = "".join(map(_mark, figure.marks)) if page["src"] is not None else ""
    if page["src"] is not None and draft is not None:
        marks += (
            f'<div class="box draft" data-testid="draft-box" style="{_place(draft.box)}">'
            f'<span class="tag">{draft.correction} revised</span></div>'
        )
    return (
        f'<figure class="mend-page" data-testid="page-figure"><figcaption>{caption}</figcaption>'
        f'<div class="mend-sheet">{inner}{marks}</div></figure>'
    )


def _mark(mark: Mark) -> str:
    box = mark.box or Box(0.0, 0.0, 1.0, 1.0)
    tag = f'<span class="tag">{", ".join(map(str, mark.corrections))} {mark.kind}</span>' if mark.corrections else ""
    kinds = [
        name
        for name, holds in (
            (str(mark.kind), True),
            ("whole", mark.box is None),
            # A label beside a box at the page's edge would be cut off.
            ("low", mark.kind is MarkKind.OLD and box.y1 > _EDGE),
            ("high", mark.kind is not MarkKind.OLD and box.y0 < 1 - _EDGE),
        )
        if holds
    ]
    return f'<div class="box {" ".join(kinds)}" style="{_place(box)}">{tag}</div>'


def _place(box: Box) -> str:
    return (
        f"left: {100 * box.x0:.3f}%; top: {100 * box.y0:.3f}%; "
        f"width: {100 * (box.x1 - box.x0):.3f}%; height: {100 * (box.y1 - box.y0):.3f}%; pointer-events: none"
    )
