"""What tests of the pages of cleaning share: what a page draws, and runs whose job is in a given state."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from audit_core.domain import JsonObject
from audit_core.storage.clock import now
from audit_core.storage.datasets import DatasetRow
from audit_core.storage.schema import job as job_table
from audit_core.workflow.cleanings import RunView, get_run, start_run
from audit_core.workflow.workspace import Workspace

#: The columns of a job that runs somewhere else, 40 % done.
RUNNING: dict[str, Any] = {
    "state": "running", "runner_token": "t", "runner_pid": 5, "runner_host": "elsewhere", "started_at": now(),
    "heartbeat_at": "9999-01-01T00:00:00.000000Z", "share": 0.4, "step": "asking llm_rating",
}  # fmt: skip


def html(page: AppTest) -> str:
    """All that the page draws as HTML."""
    return "\n".join(each.proto.body for each in page.get("html"))


def table(page: AppTest, testid: str) -> str:
    """One table that the page draws as HTML; the test fails where it is not there."""
    found = [each.proto.body for each in page.get("html") if f'data-testid="{testid}"' in each.proto.body]
    assert len(found) == 1, f"{len(found)} tables {testid}"
    return str(found[0])


def has_table(page: AppTest, testid: str) -> bool:
    """Whether the page draws a table of that name."""
    return f'data-testid="{testid}"' in html(page)


def labels_of(page: AppTest) -> list[str]:
    """What stands on the buttons of a page."""
    return [each.label for each in page.button]


def press(page: AppTest, label: str) -> AppTest:
    """Press the button with this label, and return the page; an error on it fails the test."""
    next(each for each in page.button if each.label == label).click().run()
    assert not page.exception, page.exception
    return page


def said(elements: Any) -> str:
    """What elements of a kind say, such as `page.error`, without the marks that Markdown needs."""
    return "\n".join(str(each.value) for each in elements).replace("\\", "")


def waiting_run(workspace: Workspace, dataset: DatasetRow, kind: str, spec: JsonObject, **columns: Any) -> RunView:
    """Start a run, and give its job these columns."""
    row, job = start_run(workspace, dataset, kind=kind, name="slow", spec=spec)
    if columns:
        with workspace.database.write() as connection:
            connection.execute(job_table.update().where(job_table.c.id == job.id).values(columns))
    return get_run(workspace, row.id)
