"""Examples of corrections for those who maintain a benchmark: chosen by a seed, over all codes, and written in Markdown."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from audit_core.domain import CODE_MEANINGS
from audit_core.release.ledger_rows import LedgerRow
from audit_core.release.summary import NO_CODE

#: At most so many examples.
MOST = 10
_LONGEST = 300
_MARKS = re.compile(r"([\\`*_\[\]#!|~>])")
#: What would begin a list, at the beginning of a text.
_LIST = re.compile(r"^([-+]|\d+(?=[.)]))")


def chosen_queries(rows: Sequence[LedgerRow], *, seed: int, left_out: Collection[str] = ()) -> list[str]:
    """Return up to ten query ids: by turns one of each code, in an order that the seed gives; none of `left_out`."""
    by_code: dict[str, list[str]] = {}
    for code in (*(each.value for each in CODE_MEANINGS), NO_CODE):
        ids = sorted(
            {each.query_id for each in rows if not each.is_derived and (each.code or NO_CODE) == code} - set(left_out)
        )
        random.Random(f"{seed}/{code}").shuffle(ids)
        by_code[code] = ids
    chosen: dict[str, None] = {}
    while len(chosen) < MOST and any(by_code.values()):
        for ids in by_code.values():
            while ids and ids[0] in chosen:
                ids.pop(0)
            if ids and len(chosen) < MOST:
                chosen[ids.pop(0)] = None
    return list(chosen)


def example_lines(query_id: str, rows: Sequence[LedgerRow], text: str | None, *, ids_only: bool) -> list[str]:
    """Return one example in Markdown: the query and each of its changes; `text` is the query as it was."""
    own = [each for each in rows if each.query_id == query_id]
    codes = "".join(dict.fromkeys(each.code for each in own if each.code)) or "no code"
    lines = [f"- **{escaped(query_id)}** ({codes})"]
    if not ids_only and text is not None:
        lines += [f"  > {escaped(_short(text))}", ""]
    for reason, same in groupby(own, key=lambda each: "" if each.is_derived else each.reason):
        # One reason often holds for several changes: it is said once, before them.
        if reason and not ids_only:
            lines += [*([""] if lines[-1] else []), f"  {escaped(_short(reason))}", ""]
        lines += [f"  - {_change(each, ids_only=ids_only)}" for each in same]
    return lines


def _change(row: LedgerRow, *, ids_only: bool) -> str:
    words = [f"{row.action}{_place(row)}"]
    if row.target in ("query", "answer") and not ids_only:
        words.append(f"from {_quoted(row.before)} to {_quoted(row.after)}")
    if row.target == "structure":
        words.append(f"from {row.before} to {row.after}")
    return " ".join(words)


def _place(row: LedgerRow) -> str:
    page: Mapping[str, Any] | None = row.page
    if page is None:
        return ""
    label = "" if page["printed_label"] is None else f', printed "{escaped(str(page["printed_label"]))}"'
    index = "" if page["page_index"] is None else f" (index {page['page_index']}{label})"
    set_id = row.key.get("set_id")
    in_set = "" if set_id is None else f", set {escaped(str(set_id))}"
    return f" page {escaped(str(page['page_id']))}{index}{in_set}"


def _quoted(value: Any) -> str:
    return "no answer" if value is None else f'"{escaped(_short(str(value)))}"'


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _LONGEST else f"{flat[: _LONGEST - 3]}..."


def escaped(text: str) -> str:
    """Return text as Markdown shows it letter by letter: no markup, no HTML, no call of somebody by @name."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;")
    marked = _MARKS.sub(r"\\\1", plain).replace("@", "&#64;")
    return _LIST.sub(lambda found: f"\\{found[1]}" if found[1] in "-+" else f"{found[1]}\\", marked)
