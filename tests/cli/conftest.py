"""The command line, run in this process with its two streams apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner, Result

from audit_core.cli.main import main
from audit_core.workflow.workspace import _opened as opened

Run = Callable[..., Result]


@pytest.fixture
def run() -> Iterator[Run]:
    """A function that runs a command; an error that is not turned into words fails the test."""

    def call(*words: object) -> Result:
        return CliRunner().invoke(main, [str(each) for each in words], catch_exceptions=False)

    yield call
    for each in opened.values():
        each.close()
    opened.clear()
