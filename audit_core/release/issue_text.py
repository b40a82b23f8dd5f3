"""The text of an issue for those who maintain a benchmark: what was found and corrected, with examples, and what is unsure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from audit_core.audit_report.wording import counted
from audit_core.release.certificate import ReleaseFacts
from audit_core.release.examples import chosen_queries, escaped, example_lines
from audit_core.release.ledger_rows import LedgerRow
from audit_core.release.told import action_table, audit_lines, code_table, proportion

#: So many ids of ambiguous queries are listed under each reason; the others are counted.
LISTED = 50
SELF_REVIEWED = "reviewed by the person who wrote the correction"


def ambiguous_queries(facts: ReleaseFacts, rows: Sequence[LedgerRow]) -> dict[str, list[str]]:
    """Return, by reason, the ids of queries about which somebody may think otherwise, sorted."""
    found: dict[str, set[str]] = {}
    for campaign in facts.campaigns:
        for each in campaign.ambiguous:
            found.setdefault(each["why"], set()).add(each["query_id"])
    own = {each.query_id for each in rows if each.author is not None and each.author == each.reviewer}
    if own:
        found[SELF_REVIEWED] = own
    return {why: sorted(found[why]) for why in sorted(found)}


def issue_text(facts: ReleaseFacts, rows: Sequence[LedgerRow], texts: Mapping[str, str]) -> str:
    """Return the text in Markdown; `texts` are the queries' old words by id, which are not told where ids alone may be."""
    ambiguous = ambiguous_queries(facts, rows)
    unsure = {each for ids in ambiguous.values() for each in ids}
    counts = facts.counts
    changed = counts["queries_before"] - counts["by_status"].get("unchanged", 0)
    lines = [
        f"# Corrections of {escaped(facts.dataset.name)}, revision {escaped(facts.dataset.revision)}",
        "",
        f"{changed:,} of {counted(counts['queries_before'], 'query', 'queries')} {'is' if changed == 1 else 'are'} corrected or withdrawn in revision "
        f"{escaped(facts.result.revision)}. Every change is a row of the ledger `ledger.jsonl`; the verifier rebuilt the new "
        "revision from the old one and the ledger, and found nothing else changed.",
        "",
        "## What was found",
        "",
        *_audits(facts),
        "## What was changed",
        "",
        *code_table(facts),
        "",
        *action_table(facts),
        "",
        "## Examples",
        "",
        *_examples(facts, rows, texts, unsure),
        "",
        "## Ambiguous ones",
        "",
        *_ambiguous(ambiguous, changed),
        "",
        "## How to check",
        "",
        f"- Old revision: content hash `{facts.dataset.hash}`",
        f"- New revision: content hash `{facts.result.hash}`",
        f"- Ledger: SHA-256 `{facts.files['ledger.jsonl']}`",
        "- `python -m audit_core verify OLD ledger.jsonl NEW` exits with 1 where one byte elsewhere differs.",
    ]
    return "\n".join(lines) + "\n"


def _audits(facts: ReleaseFacts) -> list[str]:
    if not facts.campaigns:
        return ["The corrections come from no campaign, so there is no rate of faults to tell.", ""]
    return [line for each in facts.campaigns for line in (*audit_lines(each), "")]


def _examples(facts: ReleaseFacts, rows: Sequence[LedgerRow], texts: Mapping[str, str], unsure: set[str]) -> list[str]:
    chosen = chosen_queries(rows, seed=facts.seed, left_out=unsure)
    if not chosen:
        return ["Every corrected query is among the ambiguous ones below."]
    lines = [
        f"{counted(len(chosen), 'query', 'queries')}, by turns of each code, chosen at random (seed {facts.seed}); ambiguous ones are left out.",
        "",
    ]
    for query_id in chosen:
        lines += example_lines(query_id, rows, texts.get(query_id), ids_only=facts.ids_only)
    return lines


def _ambiguous(ambiguous: Mapping[str, Sequence[str]], changed: int) -> list[str]:
    if not ambiguous:
        return ["None is disputed, unsure or reviewed by its own author."]
    lines = ["About these somebody may think otherwise; they are not among the examples.", ""]
    sizes = Counter({why: len(ids) for why, ids in ambiguous.items()})
    for why, ids in ambiguous.items():
        more = f" and {sizes[why] - LISTED:,} more" if sizes[why] > LISTED else ""
        share = (
            f" ({proportion(sizes[why], changed)} of the corrected queries)" if why == SELF_REVIEWED and changed else ""
        )
        lines.append(f"- {why}: {sizes[why]:,}{share}: {', '.join(f'`{each}`' for each in ids[:LISTED])}{more}")
    return lines
