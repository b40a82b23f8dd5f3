"""What tests of pages share: somebody who is signed in, and a page opened as the shell opens it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from streamlit.testing.v1 import AppTest

# Before a page is run: a file of pages/ may have a package's name, and its folder stands first on the path then.
import cleaning  # noqa: F401
from audit_core.storage.people import Person
from audit_core.workflow import sign_in
from audit_core.workflow.workspace import Workspace, open_workspace


@pytest.fixture
def workspace() -> Iterator[Workspace]:
    """The workspace of the test's own home."""
    found = open_workspace()
    yield found
    found.close()


@pytest.fixture
def ada(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> Person:
    """Somebody who is signed in."""
    person = sign_in.sign_in(workspace, "Ada")
    monkeypatch.setattr("audit_core.ui.access.current_person", lambda: person)
    return person


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The jobs for which a process would have been started; none is."""
    found: list[int] = []

    def note(_home: object, _url: str, job_id: int) -> int:
        found.append(job_id)
        return 1

    monkeypatch.setattr("audit_core.jobs.queue.start_runner", note)
    return found


def shown(page: AppTest) -> str:
    """All the words on a page."""
    kinds = (page.title, page.markdown, page.caption, page.info, page.error, page.success, page.warning, page.metric)
    words = [str(getattr(each, "value", "")) for kind in kinds for each in kind]
    words += [each.label for each in page.metric] + [each.label for each in page.button]
    return "\n".join(words + [str(each.proto) for each in page.get("html")]).replace("\\", "")


def _one_page(page: str) -> None:
    """Stand in for the shell: the same pages, with one of them opened."""
    import streamlit as st

    from audit_core.ui.addresses import PAGES

    pages = [st.Page(each, default=each.stem == page) for each in sorted(PAGES.glob("*.py"))]
    st.navigation(pages, position="hidden").run()


Run = Callable[..., AppTest]


def run(page: str, **query: str) -> AppTest:
    """Open a page, with a query string, and return it; an error on the page fails the test."""
    test = AppTest.from_function(_one_page, args=(page,), default_timeout=60)
    for name, value in query.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception, test.exception
    return test
