"""What a release would hold, and what is in its way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from audit_core.corrections.records import CorrectionState
from audit_core.domain import CODE_MEANINGS
from audit_core.errors import CorrectionStale, LedgerError
from audit_core.storage import datasets, releases
from audit_core.storage.datasets import DatasetRow
from audit_core.workflow.corrections import check_corrections
from audit_core.workflow.release_making import chosen_corrections
from audit_core.workflow.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReleasePreview:
    """What a release would hold, with nothing written. `blocks` says why it cannot be made, None where it can.

    Corrections by action and by code ("" for none), queries that they change and withdraw, those left without evidence;
    `proposed` are not decided yet, `stale` are accepted and do not apply; `campaigns` counts by campaign ("" for none).
    `free_revision` is a name that the new revision could have.
    """

    corrections: int
    queries: int
    withdrawn: int
    without_evidence: int
    by_action: dict[str, int]
    by_code: dict[str, int]
    campaigns: dict[str, int]
    states: dict[str, int]
    stale: int
    blocks: str | None
    free_revision: str

    @property
    def proposed(self) -> int:
        """Proposed corrections, which are left out."""
        return self.states.get(CorrectionState.PROPOSED, 0)


def preview_release(workspace: Workspace, dataset: DatasetRow, *, campaigns: Sequence[str] = ()) -> ReleasePreview:
    """Return what a release of a dataset would hold, and what is in its way.

    Raises:
        NotFound: the folder of the dataset is gone.
    """
    checked = check_corrections(workspace, dataset.id)
    stale = sum(each.row.state is CorrectionState.ACCEPTED for each in checked.stale)
    blocks = None
    try:
        chosen = chosen_corrections(workspace, dataset, campaigns)
    except (CorrectionStale, LedgerError) as error:
        chosen, blocks = [], str(error)
    codes = Counter(each.code or "" for each in chosen)
    queries = {each.change.query_id for each in chosen}
    return ReleasePreview(
        corrections=len(chosen), queries=len(queries),
        withdrawn=len(queries & set(checked.withdrawn)), without_evidence=len(queries & set(checked.empty)),
        by_action=dict(sorted(Counter(each.change.action.value for each in chosen).items())),
        by_code={code: codes[code] for code in (*CODE_MEANINGS, "") if codes[code]},
        campaigns=dict(sorted(Counter(each.campaign or "" for each in chosen).items())),
        states={state.value: count for state, count in checked.counts.items()}, stale=stale, blocks=blocks,
        free_revision=_free_revision(workspace, dataset),
    )  # fmt: skip


def _free_revision(workspace: Workspace, dataset: DatasetRow) -> str:
    """Return the next name after that of a revision that no revision and no release of its dataset has."""
    with workspace.database.read() as connection:
        taken = {each.revision for each in datasets.all_rows(connection) if each.name == dataset.name}
        taken |= {each.revision for each in releases.all_rows(connection, dataset_id=dataset.id)}
    stem, last = re.fullmatch(r"(.*?)(\d{0,9})", dataset.revision, re.DOTALL).groups()  # type: ignore[union-attr]
    # Of a name without a number the next one is the second.
    first, joint = (int(last) + 1, "") if last else (2, "-")
    return next(name for number in count(first) if (name := f"{stem}{joint}{number:0{len(last)}d}") not in taken)
