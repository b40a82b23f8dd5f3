"""A scoring as files in the folder of its run: written whole or not at all, and read back without holding it all."""

from __future__ import annotations

import hashlib
import json
import shutil
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.errors import CleaningError
from audit_core.workflow.cleanings import RunView, cleaning_folder
from audit_core.workflow.workspace import Workspace
from cleaning.contract import Kind, Reason
from cleaning.scoring import ScoredAll, Scoring

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

FORMAT = 1
CARD, QUERIES = "scoring.json", "queries.parquet"
_ARRAYS = ("scores", "decisions")
#: Arrays larger than this are read from the disk as they are needed.
_MAPPED_BYTES = 1_000_000
_REASON_COLUMNS = ("row", "rule", "says", "start", "end")


class StoredReasons(Mapping[int, Sequence[Reason]]):
    """What fired, by row number; made into records when a row is asked for, since a whole benchmark has very many."""

    def __init__(self, frame: pl.DataFrame) -> None:
        import numpy as np

        self._frame = frame.sort("row", maintain_order=True)
        self._rows, self._starts = np.unique(self._frame["row"].to_numpy(), return_index=True)

    def __getitem__(self, row: int) -> Sequence[Reason]:
        """Return what fired on a row; KeyError where nothing did."""
        place = int(self._rows.searchsorted(row))
        if place == len(self._rows) or int(self._rows[place]) != row:
            raise KeyError(row)
        end = int(self._starts[place + 1]) if place + 1 < len(self._starts) else self._frame.height
        found = self._frame[int(self._starts[place]) : end]
        return tuple(Reason(*values) for values in found.select(_REASON_COLUMNS[1:]).iter_rows())

    def __iter__(self) -> Iterator[int]:
        """Return the rows on which anything fired, in order."""
        return iter(self._rows.tolist())

    def __len__(self) -> int:
        """Return how many rows anything fired on."""
        return len(self._rows)


def read_scoring(workspace: Workspace, run: RunView) -> Scoring:
    """Return what a finished scoring run said of all queries; large arrays are memory maps.

    Raises:
        CleaningError: the run is no scoring or not finished, or a file is missing or was changed; names the file.
    """
    if run.row.kind != "score":
        raise CleaningError(
            f"{run.row.name} is not a scoring: name one that `python -m audit_core clean scores` lists."
        )
    if not run.is_finished:
        raise CleaningError(f"The scoring {run.row.name} is not finished ({run.state}), so it has no scores yet.")
    return read_files(cleaning_folder(workspace, run.row.id), name=run.row.name)


def write_scoring(scoring: Scoring, folder: Path) -> None:
    """Write a scoring into a new folder, whole or not at all.

    Raises:
        CleaningError: the folder is there already, the disk cannot be written, or an option is no JSON.
    """
    if folder.exists():
        raise CleaningError(f"{folder.name} holds a scoring already: results are never overwritten.")
    partial = folder.with_name(f".{folder.name}-{uuid.uuid4().hex}")
    try:
        partial.mkdir(parents=True)
        document = {
            "format": FORMAT,
            "run_id": scoring.run_id,
            "name": scoring.name,
            "dataset": [scoring.dataset_name, scoring.dataset_revision, scoring.dataset_hash],
            "queries": _written_queries(partial, scoring.query_ids),
            "trained_on": sorted(scoring.trained_on),
            "card": dict(scoring.card),
            "strategies": [_written(partial, place, each) for place, each in enumerate(scoring.strategies)],
        }
        text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        (partial / CARD).write_text(text + "\n", encoding="utf-8")
        partial.rename(folder)
    except (TypeError, ValueError) as error:
        raise CleaningError(f"The scoring cannot be written as JSON: {error}. Options must be plain values.") from error
    except OSError as error:
        raise CleaningError(f"{folder.name} cannot be written: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _written_queries(folder: Path, query_ids: Sequence[str]) -> dict[str, str]:
    import polars as pl

    pl.DataFrame({"query_id": query_ids}, schema={"query_id": pl.String}).write_parquet(folder / QUERIES)
    return _named(folder / QUERIES)


def _written(folder: Path, place: int, scored: ScoredAll) -> dict[str, Any]:
    import numpy as np
    import polars as pl

    files = {}
    for name in _ARRAYS:
        path = folder / f"{place:03d}.{name}.npy"
        np.save(path, np.asarray(getattr(scored, name), dtype=np.float64), allow_pickle=False)
        files[name] = _named(path)
    rows = (
        (row, each.rule, each.says, each.start, each.end) for row, reasons in scored.reasons.items() for each in reasons
    )
    kinds = dict(zip(_REASON_COLUMNS, (pl.Int64, pl.String, pl.String, pl.Int64, pl.Int64), strict=True))
    path = folder / f"{place:03d}.reasons.parquet"
    pl.DataFrame(list(rows), schema=kinds, orient="row").write_parquet(path)
    return {
        "name": scored.name,
        "title": scored.title,
        "kind": scored.kind.value,
        "options": dict(scored.options),
        "threshold": scored.threshold,
        "asked": None if scored.asked is None else dict(scored.asked),
        "failed": scored.failed,
        "learned": scored.learned,
        "files": {**files, "reasons": _named(path)},
    }


def read_files(folder: Path, *, name: str | None = None) -> Scoring:
    """Return the scoring that `write_scoring` wrote, under another name where one is given.

    Raises:
        CleaningError: a file is missing, broken or changed since; another format; names the file.
    """
    import polars as pl

    document = _read_card(folder)
    if document.get("format") != FORMAT:
        raise CleaningError(f"{folder.name}/{CARD} is not of format {FORMAT}. Read it with the version that wrote it.")
    try:
        query_ids = tuple(pl.read_parquet(_checked(folder, document["queries"]))["query_id"].to_list())
        dataset_name, revision, content_hash = document["dataset"]
        return Scoring(
            run_id=document["run_id"],
            name=document["name"] if name is None else name,
            dataset_name=dataset_name,
            dataset_revision=revision,
            dataset_hash=content_hash,
            query_ids=query_ids,
            strategies=tuple(
                _scored(folder, each, len(query_ids), is_trained=bool(document["trained_on"]))
                for each in document["strategies"]
            ),
            trained_on=frozenset(document["trained_on"]),
            card=document["card"],
        )
    except (KeyError, TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise CleaningError(f"{folder.name} is not a scoring as it was written: {error!r}.") from error


def _scored(folder: Path, content: Mapping[str, Any], count: int, *, is_trained: bool) -> ScoredAll:
    import polars as pl

    files = content["files"]
    arrays = {name: _array(folder, files[name], count) for name in _ARRAYS}
    return ScoredAll(
        name=content["name"],
        title=content["title"],
        kind=Kind(content["kind"]),
        options=content["options"],
        threshold=content["threshold"],
        scores=arrays["scores"],
        decisions=arrays["decisions"],
        reasons=StoredReasons(pl.read_parquet(_checked(folder, files["reasons"]))),
        asked=content["asked"],
        failed=content["failed"],
        # A scoring that does not say who learned is taken at its worst.
        learned=content.get("learned", is_trained),
    )


def _array(folder: Path, named: Mapping[str, str], count: int) -> NDArray[np.float64]:
    import numpy as np

    path = _checked(folder, named)
    is_large = path.stat().st_size > _MAPPED_BYTES
    array: NDArray[np.float64] = np.load(path, mmap_mode="r" if is_large else None, allow_pickle=False)
    if array.shape != (count,) or array.dtype != np.float64:
        raise CleaningError(f"{folder.name}/{path.name} has shape {array.shape}; expected {(count,)} of float64.")
    return array


def _named(path: Path) -> dict[str, str]:
    return {"file": path.name, "sha256": _hash(path)}


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _checked(folder: Path, named: Mapping[str, str]) -> Path:
    """Return the path of a file that is as it was written."""
    # Only a bare name: a changed file must not lead out of the folder.
    path = folder / Path(named["file"]).name
    try:
        found = _hash(path)
    except OSError as error:
        raise CleaningError(f"{folder.name}/{path.name} cannot be read: {error.strerror or error}.") from error
    if found != named["sha256"]:
        raise CleaningError(f"{folder.name}/{path.name} was changed since it was written: its hash is another.")
    return path


def _read_card(folder: Path) -> dict[str, Any]:
    place = f"{folder.name}/{CARD}"
    try:
        document = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except OSError as error:
        raise CleaningError(f"{place} cannot be read: {error.strerror or error}. Is this a scoring?") from error
    except ValueError as error:
        raise CleaningError(f"{place} is not JSON: {error}.") from error
    if not isinstance(document, dict):
        raise CleaningError(f"{place} holds no JSON object.")
    return document
