"""Writing a dataset back as a bundle, with the judgments of its campaigns and its label sets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from audit_core.audit_report.wording import counted
from audit_core.domain import JsonObject, Outcome, SampleDesign
from audit_core.importers.judgment_entries import EntryJudgment
from audit_core.protocols import audit, removal
from audit_core.storage import activity, campaigns, datasets, decisions, judgment_lists, judgments, people
from audit_core.storage.database import Connection
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.judgments import JudgmentRow
from audit_core.workflow.random_share import is_mixed
from audit_core.workflow.workspace import Workspace


def entry_judgments(connection: Connection, campaign_id: int) -> list[EntryJudgment]:
    """Return all revisions of the judgments of a campaign in the order in which they were saved.

    Those on gold and pilot entries are left out: an importer would take them for judgments of the sample.
    """
    entries = {each.id: each for each in campaigns.judged_entries(connection, campaign_id)}
    rows = judgments.of_campaign(connection, campaign_id, newest_only=False)
    rows = [row for row in rows if row.entry_id in entries]
    names = annotator_names(connection, rows)
    campaign = campaigns.by_id(connection, campaign_id)
    return [
        EntryJudgment(
            entry=entries[row.entry_id].number,
            query_id=entries[row.entry_id].query_id,
            annotator=names[row.person_id],
            revision=row.revision,
            outcome=row.outcome,
            codes=row.codes,
            targets=dict(sorted(row.targets.items())),
            note=row.note,
            reason=row.reason,
            seconds=row.active_seconds,
            protocol=campaign.protocol if campaign else audit.name,
            fields=row.answer or {},
        )
        for row in rows
    ]


def annotator_names(connection: Connection, rows: Sequence[JudgmentRow]) -> dict[int, str]:
    """Return the annotator that each person becomes in a file, each another one.

    Somebody who signs in here may have the name of an imported annotator; they are not taken for the same person, so the
    one who signed in gets a number.
    """
    names = people.names(connection)
    # Somebody who signs in may have judgments that came in a file, and is no imported annotator for that.
    imported = {row.person_id for row in rows} & judgment_lists.imported_people(connection)
    given = {person: names[person] for person in imported}
    for person in dict.fromkeys(row.person_id for row in rows if row.person_id not in imported):
        name, number = names[person], 2
        while name in given.values():
            name, number = f"{names[person]} ({number})", number + 1
        given[person] = name
    return given


def design_document(design: SampleDesign | None) -> JsonObject | None:
    """Return a sample design in the form of `judgments/<name>.design.json`."""
    if design is None:
        return None
    document: JsonObject = {
        "frame": {"name": design.frame_name, "revision": design.frame_revision},
        "method": design.method,
    }
    if design.seed is not None:
        document["seed"] = design.seed
    document["strata"] = [
        {
            "source": each.source,
            "evidence_structure": each.evidence_structure,
            "population": each.population,
            "drawn": each.drawn,
        }
        for each in sorted(design.strata, key=lambda each: (each.source, each.evidence_structure))
    ]
    return document


def _row(each: EntryJudgment) -> JsonObject:
    """Return a judgment as a row of the format; what is empty is absent."""
    row: JsonObject = {
        "query_id": each.query_id,
        "annotator": each.annotator,
        "codes": list(each.codes),
        "outcome": each.outcome,
        "entry": each.entry,
        "revision": each.revision,
    }
    optional = {"reason": each.reason, "targets": each.targets, "note": each.note}
    row.update({name: value for name, value in optional.items() if value})
    if each.seconds is not None:
        row["seconds"] = each.seconds
    if each.protocol != audit.name:
        row["protocol"] = each.protocol
        if each.fields:
            row["fields"] = each.fields
    return row


def removal_labels(connection: Connection, campaign_id: int) -> list[JsonObject]:
    """Return what a removal campaign says as label rows of the format: the newest judgment of each annotator on each entry.

    Somebody who judged a query under two entries is two annotators there. "Cannot judge" is no label.
    """
    entries = {each.id: each for each in campaigns.judged_entries(connection, campaign_id)}
    rows = [row for row in judgments.of_campaign(connection, campaign_id) if row.entry_id in entries]
    names = annotator_names(connection, rows)
    mentions = Counter(each.query_id for each in entries.values())
    found = []
    for row in rows:
        if row.outcome != Outcome.JUDGED:
            continue
        entry, fields = entries[row.entry_id], row.answer or {}
        beside = f" #{entry.number}" if mentions[entry.query_id] > 1 else ""
        label = {"query_id": entry.query_id, "annotator": names[row.person_id] + beside, "note": row.note or None}
        label |= {each: fields.get(each) for each in ("remove", *removal.CRITERIA)}
        found.append({column: label[column] for column in datasets.LABEL_COLUMNS})
    return found


def same_labels(one: Sequence[JsonObject], other: Sequence[JsonObject]) -> bool:
    """Return whether two label sets say the same, in whatever order."""

    def content(rows: Sequence[JsonObject]) -> Counter[tuple[object, ...]]:
        return Counter(tuple(row[column] for column in datasets.LABEL_COLUMNS) for row in rows)

    return content(one) == content(other)


def _add_labels(labels: dict[str, list[JsonObject]], campaign: str, rows: list[JsonObject]) -> None:
    """Put a campaign's labels among the label sets, under a name of its own; once where a set says the same."""
    name, number = campaign, 1
    while name in labels and not same_labels(labels[name], rows):
        name = f"{campaign} (campaign)" if number == 1 else f"{campaign} (campaign {number})"
        number += 1
    if rows:
        labels[name] = labels.get(name, rows)


def not_in_labels(workspace: Workspace, dataset: DatasetRow) -> list[str]:
    """Return, for each campaign of a dataset, what an export cannot carry of it; none where all of it is in the files."""
    sentences = []
    with workspace.database.read() as connection:
        for campaign in campaigns.all_rows(connection, dataset_id=dataset.id):
            if is_mixed(campaign):
                sentences.append(
                    f"Campaign {campaign.name} was drawn partly at random and partly by strategies' scores, and the files have "
                    "no place for which entry is which: what is imported from them is no probability sample. Its labels may "
                    "train elsewhere; to evaluate, use the random share here."
                )
            if campaigns.has_special_entries(campaign):
                sentences.append(
                    f"Campaign {campaign.name} has gold or pilot entries: what was said of these stays here, since it may "
                    "enter no estimate and no label."
                )
            if decided := len(decisions.decided_ids(connection, campaign.id)):
                sentences.append(
                    f"Campaign {campaign.name} has {counted(decided, 'decision', 'decisions')}, for which the files have no place: "
                    "`python -m audit_core campaign export-decisions` writes them."
                )
            if campaign.protocol != removal.name:
                continue
            newest = judgments.of_campaign(connection, campaign.id)
            every = judgments.of_campaign(connection, campaign.id, newest_only=False)
            cannot = sum(row.outcome == Outcome.CANNOT_JUDGE for row in newest)
            earlier = len(every) - len(newest)
            if cannot or earlier:
                sentences.append(
                    f"Removal campaign {campaign.name} is written as labels, which have no place for "
                    f"{counted(cannot, 'answer', 'answers')} 'cannot judge' and "
                    f"{counted(earlier, 'earlier revision', 'earlier revisions')}: these stay here."
                )
    return sentences


def export_bundle(workspace: Workspace, dataset: DatasetRow, folder: Path, *, form: str, media: str) -> Path:
    """Write a dataset with its judged campaigns and its label sets as a bundle into a new folder; return the folder.

    Campaigns are written as judgments, removal campaigns as labels (`not_in_labels` says what these leave out).

    `form` is `jsonl` or `parquet`; `media` is `refer` (page files stay where they lie) or `copy`.

    Raises:
        AssayError: the folder is not empty or cannot be written.
    """
    from audit_core.exporters.bundle import write_bundle

    judged: dict[str, tuple[list[JsonObject], JsonObject | None]] = {}
    with workspace.database.read() as connection:
        labels = {
            each.name: datasets.labels_of(connection, each.id) for each in datasets.label_sets(connection, dataset.id)
        }
        for campaign in campaigns.all_rows(connection, dataset_id=dataset.id):
            if campaign.protocol == removal.name:
                _add_labels(labels, campaign.name, removal_labels(connection, campaign.id))
                continue
            rows = [_row(each) for each in entry_judgments(connection, campaign.id)]
            if rows:
                judged[campaign.name] = (rows, design_document(campaigns.design_of(connection, campaign)))
    written = write_bundle(workspace.revision(dataset), folder, judgments=judged, labels=labels, form=form, media=media)
    if workspace.database.is_read_only:
        return written
    with workspace.database.write() as connection:
        activity.record(connection, "export", {"dataset": dataset.name, "revision": dataset.revision})
    return written
