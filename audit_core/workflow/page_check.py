"""The job that looks at every page file of a dataset: is it there, can it be shown, is it still what it was.

The judging page finds out about a page when somebody comes to it; this finds out before a campaign starts.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from audit_core.datasets.revision import Revision
from audit_core.domain import JsonObject
from audit_core.errors import JobError, PageUnavailable
from audit_core.exporters.report_csv import safe_text
from audit_core.jobs.context import JobContext
from audit_core.jobs.kinds import job_kind
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.jobs import JobRow
from audit_core.storage.people import Person
from audit_core.workflow.jobs import TITLE_MAX, start_job
from audit_core.workflow.workspace import Workspace, open_workspace

KIND = "dataset.check-pages"
#: How many problems the result holds; all of them are in the file of the job's folder.
PROBLEMS_KEPT = 200
PROBLEMS_FILE = "problems.csv"
_COLUMNS = ("document_id", "page_id", "image", "kind", "problem")
#: What is said of a page: it cannot be shown at all, or what it shows may not be what was labelled.
UNAVAILABLE, DOUBTFUL = "cannot be shown", "doubtful"


def start_page_check(workspace: Workspace, dataset: DatasetRow, *, person: Person | None = None) -> JobRow:
    """Start the job that looks at every page file of a dataset, and return it.

    Raises:
        JobError: it cannot be started.
    """
    title = f"Check the pages of {dataset.shown} {dataset.revision}"[:TITLE_MAX]
    return start_job(workspace, kind=KIND, title=title, arguments={"dataset": dataset.id}, person=person)


@job_kind(KIND)
def check_pages(context: JobContext) -> JsonObject:
    """Return how many pages of the dataset can be shown, and the problems of the others.

    Each file is read and hashed once, and remembered: a check that is resumed passes quickly over what it has read.

    Raises:
        JobError: the arguments name no dataset.
        NotFound: the dataset or its folder is gone.
        JobStopped: the job was cancelled.
    """
    dataset_id = context.arguments.get("dataset")
    if not isinstance(dataset_id, int):
        raise JobError(f"This job names no dataset ({dataset_id!r}): start the check of a dataset anew.")
    workspace = open_workspace()
    dataset = workspace.dataset(dataset_id)
    found: list[dict[str, str]] = []
    counts = {UNAVAILABLE: 0, DOUBTFUL: 0}
    target = context.folder / PROBLEMS_FILE
    with target.open("w", encoding="utf-8", errors="backslashreplace", newline="") as stream:
        table = csv.DictWriter(stream, _COLUMNS)
        table.writeheader()
        for problem in _problems(workspace, workspace.revision(dataset), context):
            counts[problem["kind"]] += 1
            table.writerow({name: safe_text(text) for name, text in problem.items()})
            if len(found) < PROBLEMS_KEPT:
                found.append(problem)
    pages = workspace.revision(dataset).counts.get("pages", 0)
    return {
        "dataset": f"{dataset.name}@{dataset.revision}",
        "pages": pages,
        "unavailable": counts[UNAVAILABLE],
        "doubtful": counts[DOUBTFUL],
        "summary": _summary(pages, counts),
        "problems": found,
        "problems_file": str(target),
    }


def _problems(workspace: Workspace, revision: Revision, context: JobContext) -> Iterator[dict[str, str]]:
    columns = ("document_id", "page_id", "image", "width", "height")
    pages = revision.table("pages").select(columns).collect()
    for number, (document, page, image, width, height) in enumerate(pages.iter_rows()):
        context.report(f"page {number + 1:,} of {pages.height:,}", number / pages.height)
        row = {"document_id": document or "", "page_id": page or "", "image": image or ""}
        try:
            shown = workspace.page_images.describe(
                revision.media_root, row["image"], declared_size=(width or 0.0, height or 0.0)
            )
        except PageUnavailable as error:
            yield {**row, "kind": UNAVAILABLE, "problem": str(error)}
            continue
        if shown.warning:
            yield {**row, "kind": DOUBTFUL, "problem": shown.warning}


def _summary(pages: int, counts: dict[str, int]) -> str:
    if not any(counts.values()):
        return f"All {pages:,} pages can be shown, and are what they were."
    return (
        f"Of {pages:,} pages {counts[UNAVAILABLE]:,} cannot be shown, and {counts[DOUBTFUL]:,} may not be what the dataset "
        "describes."
    )
