"""The dataset card of a new revision and the readable certificate."""

from __future__ import annotations

import json

from audit_core.audit_report.wording import counted
from audit_core.exporters.beir import PARTS
from audit_core.release.certificate import ReleaseFacts
from audit_core.release.examples import escaped
from audit_core.release.told import action_table, agreement_lines, audit_lines, code_table, status_table, table
from audit_core.release.verification import WORDS


def card_text(facts: ReleaseFacts, *, has_bundle: bool, has_beir: bool) -> str:
    """Return the card of the new revision in Markdown, with the head that dataset hubs read."""
    old, new = facts.dataset, facts.result
    lines = [
        *_head(facts, has_beir=has_beir),
        f"# {escaped(new.name)}, revision {escaped(new.revision)}",
        "",
        f"This is {escaped(new.name)} revision {escaped(old.revision)} with the corrections of the ledger beside this card. "
        f"It supersedes revision {escaped(old.revision)} (content hash `{old.hash}`), which is not edited and stays as it is. "
        f"Text that was reworded is adapted from that revision; all else is taken from it unchanged, under its licence.",
        "",
        "## Queries by row status",
        "",
        *status_table(facts),
        "",
        "## Corrections by code and action",
        "",
        *code_table(facts),
        "",
        *action_table(facts),
        "",
        "## Known issues",
        "",
        *_known_issues(facts),
        "",
        *_files(has_bundle=has_bundle, has_beir=has_beir),
        "## Licence",
        "",
        f"{escaped(facts.license) or 'The dataset names none.'} (as `dataset.json` of the bundle says)",
    ]
    return "\n".join(lines) + "\n"


def _head(facts: ReleaseFacts, *, has_beir: bool) -> list[str]:
    lines = ["---", f"pretty_name: {json.dumps(facts.result.name, ensure_ascii=False)}", "license: other"]
    lines.append(f"license_name: {json.dumps(facts.license, ensure_ascii=False)}")
    if has_beir:
        lines.append("configs:")
        for part in PARTS:
            lines += [f"- config_name: {part}", "  data_files:", "  - split: test", f"    path: beir/{part}/test-*"]
    return [*lines, "---", ""]


def _known_issues(facts: ReleaseFacts) -> list[str]:
    bare = facts.counts["without_evidence"]
    lines = [f"- Queries without evidence: {bare:,} of {facts.counts['queries_after']:,}."]
    for campaign in facts.campaigns:
        name = escaped(campaign.name)
        if campaign.audit is not None:
            total = campaign.audit["total"]
            population = facts.counts["queries_before"]
            outside = population - total["distinct_queries"]
            lines.append(
                f"- Campaign {name}: {counted(total['disputed'], 'entry is', 'entries are')} still disputed, "
                f"{total['cannot_judge']:,} could not be judged, {total['not_judged']:,} not judged; "
                f"{counted(outside, 'query', 'queries')} of {population:,} had no part in it."
            )
        lines.append(f"- Campaign {name}: {campaign.expected_left['sentence']}")
    if not facts.campaigns:
        lines.append("- Expected faulty queries left: undefined: no audit campaign is part of this release.")
    return [*lines, *(f"- {escaped(each)}" for each in facts.counts["notes"])]


def _files(*, has_bundle: bool, has_beir: bool) -> list[str]:
    rows = [
        ["`ledger.jsonl`", "every change, a row each"],
        ["`row_status.*`", "the status of every query of the old revision"],
    ]
    rows += [
        ["`issue.md`", "text for those who maintain the benchmark"],
        ["`certificate.json`, `certificate.md`", "what the release rests on"],
    ]
    if has_bundle:
        rows.append(["`bundle/`", "the revision in the bundle format"])
    if has_beir:
        rows.append(["`beir/`", "corpus, queries, qrels and row_status as Parquet"])
    if not has_bundle:
        rows.append(["(no data)", "ids and codes only: texts and page files are not part of this release"])
    return ["## Files", "", *table(("file", "holds"), rows), ""]


def certificate_markdown(facts: ReleaseFacts, version: str) -> str:
    """Return the certificate for readers; what a program reads is `certificate.json`."""
    counts = facts.verification["counts"]
    rows = [
        ["old revision", f"{escaped(facts.dataset.name)} {escaped(facts.dataset.revision)}", f"`{facts.dataset.hash}`"],
        ["new revision", f"{escaped(facts.result.name)} {escaped(facts.result.revision)}", f"`{facts.result.hash}`"],
        *([f"`{name}`", "SHA-256 of the file", f"`{digest}`"] for name, digest in sorted(facts.files.items())),
    ]
    lines = [
        f"# Certificate of {escaped(facts.title)}",
        "",
        f"Made with Assay {version}. It holds no time and no name: made again from the same data, it is the same bytes.",
        "",
        *table(("what", "which", "hash"), rows),
        "",
        "## Proof",
        "",
        f"{'Proved' if facts.verification['proved'] else 'NOT proved'}: the new revision is the old one with "
        f"{counted(counts['changes'], 'row', 'rows')} of the ledger. Compared: "
        + ", ".join(counted(counts[name], *words) for name, words in WORDS.items())
        + ".",
        "",
        *status_table(facts),
        "",
        *code_table(facts),
        "",
        *(line for campaign in facts.campaigns for line in _campaign(facts, campaign.name)),
        f"Examples in the issue text were chosen by seed {facts.seed}.",
    ]
    return "\n".join(lines) + "\n"


def _campaign(facts: ReleaseFacts, name: str) -> list[str]:
    campaign = next(each for each in facts.campaigns if each.name == name)
    design = campaign.design or {}
    versions = ", ".join(f"version {each['version']} (`{each['sha256'][:16]}`)" for each in campaign.guidelines)
    return [
        f"## Campaign {escaped(name)}",
        "",
        f"- Protocol: {campaign.protocol}, its own guidelines `{(campaign.protocol_hash or 'none')[:16]}`",
        f"- Guidelines of the campaign: {versions or 'none'}",
        f"- Sample: {design.get('method', 'no design is known')}, seed {design.get('seed', 'none')}",
        f"- {campaign.expected_left['sentence']}",
        "",
        *audit_lines(campaign),
        "",
        *agreement_lines(campaign),
        "",
    ]
