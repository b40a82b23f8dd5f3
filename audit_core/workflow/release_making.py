"""Making the files of a release in a folder: the same corrections give the same bytes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from audit_core import __version__
from audit_core.corrections.records import Correction
from audit_core.datasets.aside import write_parquet
from audit_core.datasets.revision import Revision
from audit_core.errors import LedgerError
from audit_core.exporters.beir import write_beir
from audit_core.exporters.bundle import write_bundle
from audit_core.exporters.bundle_rows import write_rows
from audit_core.release.card import card_text, certificate_markdown
from audit_core.release.certificate import CampaignFacts, ReleaseFacts, certificate, certificate_text
from audit_core.release.corrected import page_places, pages_named, stored_queries
from audit_core.release.corrected_source import corrected_source, row_statuses
from audit_core.release.issue_text import issue_text
from audit_core.release.ledger import Agreements, Corrected, ledger_text, make_ledger
from audit_core.release.ledger_reading import read_ledger
from audit_core.release.ledger_rows import DatasetReference
from audit_core.release.names import name_remover
from audit_core.release.proving_files import file_hash
from audit_core.release.sides import read_side, side_of_revision
from audit_core.release.verification import Verification
from audit_core.release.verify import verify_release
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.corrections import corrections_for_release
from audit_core.workflow.release_facts import agreements_of, campaign_facts, campaigns_of, names_here, with_mended
from audit_core.workflow.release_held import Held, as_it_was
from audit_core.workflow.release_request import ReleaseRequest
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    import polars as pl

    from audit_core.exporters.derived_source import DerivedSource

LEDGER, CARD, ISSUE = "ledger.jsonl", "README.md", "issue.md"
CERTIFICATE, CERTIFICATE_READABLE = "certificate.json", "certificate.md"
BUNDLE, BEIR, STATUSES = "bundle", "beir", "row_status"
#: Told what is being done and the share of the whole that is done; may raise to stop the work.
Report = Callable[[str, float], None]


@dataclass(frozen=True, slots=True, eq=False)
class MadeFiles:
    """What was written: the facts, the proof, the new revision as a source and where its bundle lies for now."""

    facts: ReleaseFacts
    verification: Verification
    source: DerivedSource
    bundle: Path


def chosen_corrections(workspace: Workspace, dataset: DatasetRow, campaigns: Sequence[str]) -> list[Correction]:
    """Return the corrections that a release of these campaigns (all, where none is given) holds, in their order.

    Raises:
        CorrectionStale: some do not apply.
        LedgerError: there is none.
    """
    found = corrections_for_release(workspace, dataset.id)
    chosen = [each for each in found if not campaigns or each.campaign in campaigns]
    if not chosen:
        of = f" from {', '.join(campaigns)}" if campaigns else ""
        raise LedgerError(
            f"No correction{of} of {dataset.name}@{dataset.revision} is accepted, so there is nothing to release: accept some "
            "on the corrections page, or with `python -m audit_core corrections review`."
        )
    return chosen


def make_files(
    workspace: Workspace,
    dataset: DatasetRow,
    request: ReleaseRequest,
    corrections: Sequence[Correction],
    *,
    held: Held,
    folder: Path,
    scratch: Path,
    report: Report,
) -> MadeFiles:
    """Write a release into `folder`, which is empty; what is no part of it goes below `scratch`.

    `held` is what it rests on: judgments and decisions after that are not looked at.

    Raises:
        LedgerError: the verifier finds that the release is not what its ledger says; nothing may be kept.
        CorrectionStale: a correction does not apply.
        StorageError: the disk is full or cannot be written.
    """
    report("looking at the campaigns", 0.0)
    workspace = as_it_was(workspace, held.mark)
    cleaned = name_remover(names_here(workspace))
    rows = campaigns_of(workspace, dataset.id, corrections)
    told = [(each.name, campaign_facts(workspace, each, cleaned)) for each in rows]
    report("writing the ledger", 0.1)
    revision = workspace.revision(dataset)
    corrected = _corrected(revision, dataset, corrections, agreements_of(told), request, cleaned)
    (folder / LEDGER).write_text(ledger_text(corrected.rows), encoding="utf-8", newline="")
    source = corrected_source(
        revision, scratch / "kept", corrected=corrected.queries, name=request.revision,
        advance=lambda part: report("taking runs and embeddings along", 0.12 + 0.13 * part),
    )  # fmt: skip
    report("writing the new revision", 0.25)
    bundle = (scratch if request.ids_only else folder) / BUNDLE
    write_bundle(source, bundle, judgments={}, labels={}, form=request.form, media=request.media)
    verification = _proved(
        revision, folder / LEDGER, bundle, lambda step, part: report(f"proving: {step}", 0.4 + 0.4 * part)
    )
    report("writing what is told of it", 0.8)
    statuses = row_statuses(revision.table("queries").collect(), corrected.queries)
    _write_statuses(statuses, folder, request.form)
    if request.beir:
        write_beir(source, statuses, folder / BEIR)
    mended = [
        with_mended(workspace, campaign, each, held, corrections, corrected.queries)
        for campaign, (_, each) in zip(rows, told, strict=True)
    ]
    facts = _facts(dataset, revision, request, corrected, verification, statuses, source, folder, mended)
    _write_told(facts, corrected, folder, request)
    return MadeFiles(facts, verification, source, bundle)


def _corrected(
    revision: Revision,
    dataset: DatasetRow,
    corrections: Sequence[Correction],
    agreements: Agreements,
    request: ReleaseRequest,
    cleaned: Callable[[str], str],
) -> Corrected:
    queries, evidence = revision.table("queries").collect(), revision.table("evidence").collect()
    stored = stored_queries(queries, evidence, {each.change.query_id for each in corrections})
    named = pages_named(stored, [each.change for each in corrections])
    return make_ledger(
        corrections, stored=stored, places=page_places(revision.table("pages").collect(), named),
        dataset=DatasetReference(dataset.name, dataset.revision, dataset.content_hash), agreements=agreements,
        ids_only=request.ids_only, cleaned=cleaned,
    )  # fmt: skip


def _proved(revision: Revision, ledger: Path, bundle: Path, report: Report) -> Verification:
    new = read_side(
        bundle,
        lenient=revision.manifest.is_lenient,
        advance=lambda part: report("reading the new revision", 0.5 * part),
    )
    found = verify_release(
        side_of_revision(revision), read_ledger(ledger), new, report=lambda step, part: report(step, 0.5 + 0.5 * part)
    )
    if not found.is_proved:
        raise LedgerError(
            "The release is not what its ledger says, so nothing was kept.\n" + "\n".join(found.sentences())
        )
    return found


def _write_statuses(statuses: pl.DataFrame, folder: Path, form: str) -> None:
    if form == "parquet":
        write_parquet(statuses, folder / f"{STATUSES}.parquet")
    else:
        write_rows(statuses.iter_rows(named=True), (), folder, STATUSES, "jsonl")


def _facts(
    dataset: DatasetRow,
    revision: Revision,
    request: ReleaseRequest,
    corrected: Corrected,
    verification: Verification,
    statuses: pl.DataFrame,
    source: DerivedSource,
    folder: Path,
    campaigns: Sequence[CampaignFacts],
) -> ReleaseFacts:
    from audit_core.release.summary import change_counts

    with_evidence = source.evidence["query_row"].n_unique()
    by_status = Counter(statuses["status"])
    counts = {
        **change_counts(corrected.rows), "by_status": {name: by_status[name] for name in sorted(by_status)},
        "queries_before": statuses.height, "queries_after": source.queries.height,
        "without_evidence": source.queries.height - with_evidence, "notes": list(source.notes),
    }  # fmt: skip
    told = verification.as_json()
    files = {each.name: file_hash(each) for each in (folder / LEDGER, *folder.glob(f"{STATUSES}.*"))}
    return ReleaseFacts(
        dataset=DatasetReference(dataset.name, dataset.revision, dataset.content_hash),
        result=DatasetReference(dataset.name, request.revision, verification.new_hash), license=revision.info.license,
        ids_only=request.ids_only, seed=request.seed, files=files, counts=counts,
        verification={name: told[name] for name in ("proved", "counts", "actions", "notes")}, campaigns=campaigns,
    )  # fmt: skip


def _write_told(facts: ReleaseFacts, corrected: Corrected, folder: Path, request: ReleaseRequest) -> None:
    texts = {query_id: each.before.text for query_id, each in corrected.queries.items()}
    written = {
        ISSUE: issue_text(facts, corrected.rows, texts),
        CARD: card_text(facts, has_bundle=not request.ids_only, has_beir=request.beir),
        CERTIFICATE: certificate_text(certificate(facts)),
        CERTIFICATE_READABLE: certificate_markdown(facts, __version__),
    }
    for name, text in written.items():
        (folder / name).write_text(text, encoding="utf-8", newline="")
