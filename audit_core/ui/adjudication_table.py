"""The entries of an adjudication as HTML: what each judgment says, what differs, how it was decided, with a link to each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from audit_core import registry
from audit_core.domain import JsonObject
from audit_core.storage.campaigns import CampaignRow
from audit_core.ui.addresses import adjudicate_address
from audit_core.ui.decision_words import correction_words, target_words
from audit_core.ui.report_table import TABLE_STYLE
from audit_core.workflow.case_words import decision_line

#: What two judgments may differ in, beside the fields of their protocol.
_DISPUTES = {"codes": "codes", "targets": "places meant", "correction": "corrections", "boxes": "boxes"}
_BASES = {
    "taken": "taken", "merged": "merged", "own": "the adjudicator's own", "all_wrong": "all judgments wrong", "unanimous": "unanimous",
    "second_reading": "second reading", "file": "from a file",
}  # fmt: skip
_STYLE = """
<style>
.audit td.said { white-space: normal; min-width: 9rem; }
.audit td.query { white-space: normal; width: 55%; }
.audit td.changes { white-space: normal; min-width: 20rem; }
.audit tr:has(td.changes) td.query { width: 35%; }
.audit .own { display: inline-block; margin-left: .4rem; padding: 0 .4rem; border: 1px solid currentColor; border-radius: .25rem; font-size: .8rem; }
.audit a { color: inherit; }
</style>
"""
_HEADS = {
    "disputed": ("query", "judgments", "differ in"),
    "unanimous": ("query", "all say", "places meant", "proposed correction", "annotators"),
    "second": ("query", "the judgment",),
    "decided": ("query", "judgments", "decision", "basis"),
}  # fmt: skip


def dispute_words(disputes: Sequence[str], protocol: str) -> str:
    """Return what judgments differ in, in words: `codes, boxes`."""
    described = registry.look_up("audit_core.protocols", protocol).description()
    titles = {each["name"]: each.get("title") or each["name"] for each in described.get("fields", [])}
    names = [each.removeprefix("fields.") for each in disputes]
    return ", ".join(_DISPUTES.get(each, str(titles.get(each, each)).lower()) for each in names)


def entries_html(rows: Sequence[JsonObject], campaign: CampaignRow, only: str, *, names: bool = False) -> str:
    """Return a table of the entries of one list: its number opens the entry on the adjudication page.

    With `names` people are called by their names, as far as the rows have them.
    """
    heads = (*_HEADS[only], "by") if only == "decided" and names else _HEADS[only]
    head = "".join(f'<th class="text">{each}</th>' for each in heads)
    lines = "".join(_line(row, campaign, only, names=names) for row in rows)
    return (
        f'{TABLE_STYLE}{_STYLE}<div style="overflow-x:auto"><table class="audit" data-testid="adjudication-{only}">'
        f"<thead><tr><th>entry</th>{head}</tr></thead>{lines}</table></div>"
    )


def _line(row: JsonObject, campaign: CampaignRow, only: str, *, names: bool) -> str:
    address = escape(adjudicate_address(campaign.id, number=row["number"], only=only if only != "unanimous" else "all"))
    number = f'<td><a href="{address}" target="_self">{row["number"]}</a></td>'
    query = f'<td class="text query" dir="auto">{escape(row["query"])}</td>'
    return f"<tr>{number}{query}{''.join(_cells(row, campaign.protocol, only, names=names))}</tr>"


def _cells(row: JsonObject, protocol: str, only: str, *, names: bool) -> list[str]:
    said = [_words(each, protocol) for each in row["judgments"]]
    if only == "unanimous":
        return _acceptance_cells(row, protocol, names=names)
    judgments = " | ".join(said)
    if only == "disputed":
        return [_cell(judgments), _cell(dispute_words(row["disputes"], protocol))]
    if only == "second":
        return [_cell(judgments)]
    own = '<span class="own">decided by one who judged it</span>' if row["own_judgment"] else ""
    decision = row["decision"]
    basis = f'<td class="text said">{escape(_BASES.get(row["basis"], str(row["basis"])))}{own}</td>'
    by = [_cell(decision.get("by") or "")] if names else []
    return [_cell(judgments), _cell(_words(decision, protocol)), basis, *by]


def _acceptance_cells(row: JsonObject, protocol: str, *, names: bool) -> list[str]:
    """Return what accepting an entry would decide, in full, and by how many it is said."""
    accepted = row["accepted"]
    changes = [escape(each) for each in correction_words(accepted["correction"])]
    if accepted["boxes_differ"]:
        whose = accepted["name"] if names and accepted["name"] else accepted["label"]
        changes.append(f"<em>The boxes differ a little: those of {escape(whose)} are taken.</em>")
    called = sorted((each.get("name") or each["label"] for each in row["judgments"]), key=str.casefold)
    return [
        _cell(_words(accepted, protocol)),
        _cell(target_words(accepted["targets"])),
        f'<td class="text changes" dir="auto">{"<br>".join(changes) or "none"}</td>',
        _cell(", ".join(called) if names else f"{len(called):,}"),
    ]


def _cell(words: str) -> str:
    return f'<td class="text said" dir="auto">{escape(words)}</td>'


def _words(said: Mapping[str, JsonObject | str], protocol: str) -> str:
    fields = said["fields"] if isinstance(said["fields"], dict) else {}
    return decision_line(protocol, outcome=str(said["outcome"]), codes=str(said["codes"]), fields=fields)
