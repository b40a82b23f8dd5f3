"""The orders in which the entries of a campaign come to its annotators, kept in memory once they are made."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from audit_core.sampling.own_order import EntryOrder, entry_order
from audit_core.storage import handing_out
from audit_core.storage.handing_out import SpecialEntries
from audit_core.workflow.workspace import Workspace

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Orders that stay in memory: one of 271,760 entries takes about 4 MB.
_ORDERS_KEPT = 32


@lru_cache(maxsize=_ORDERS_KEPT)
def order_of(
    workspace: Workspace,
    campaign_id: int,
    made_at: str,
    is_pilot: bool,
    seed: int | None,
    person_id: int,
    special: SpecialEntries,
) -> EntryOrder:
    """Return the order of a campaign's entries that are neither gold nor of another stage."""
    import numpy as np

    if is_pilot:
        numbers = np.setdiff1d(as_array(special.pilot), as_array(special.gold))
    else:
        apart = as_array([*special.gold, *special.pilot])
        numbers = np.setdiff1d(_numbers(workspace, campaign_id, made_at), apart)
    return entry_order(numbers, seed=seed, person_id=person_id)


@lru_cache(maxsize=8)
def _numbers(workspace: Workspace, campaign_id: int, made_at: str) -> NDArray[np.int64]:
    """Return the numbers of a campaign's entries. When it was made tells it from one that had its id before."""
    with workspace.database.read() as connection:
        return as_array(handing_out.entry_numbers(connection, campaign_id))


@lru_cache(maxsize=64)
def special_entries_of(workspace: Workspace, campaign_id: int, made_at: str) -> SpecialEntries:
    """Return the numbers of a campaign's gold and pilot entries, which never change."""
    with workspace.database.read() as connection:
        return handing_out.special_entries(connection, campaign_id)


def as_array(numbers: Collection[int]) -> NDArray[np.int64]:
    """Return entry numbers as an array, shape (n,)."""
    import numpy as np

    return np.fromiter(numbers, dtype=np.int64, count=len(numbers))
