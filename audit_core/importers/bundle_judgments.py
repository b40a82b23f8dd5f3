"""Judgments, their sample design and removal labels of a bundle; each set has a hash of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit_core.domain import JsonObject, Outcome
from audit_core.importers.bundle_duplicates import collapse
from audit_core.importers.bundle_faults import FaultLog, shown
from audit_core.importers.bundle_lines import TableSource
from audit_core.importers.bundle_row import RowFault
from audit_core.importers.bundle_schema import CRITERION_VALUES, JUDGMENTS, LABELS, STRUCTURES, Kind, frame_columns
from audit_core.importers.bundle_tables import find_file, read_table
from audit_core.importers.content_hash import table_hash
from audit_core.importers.judgment_fields import checked_fields

if TYPE_CHECKING:
    import polars as pl

JUDGMENTS_FOLDER = "judgments"
LABELS_FOLDER = "labels"
DESIGN_ENDING = ".design.json"
#: The hashed and exported columns of a judgments frame; `entry_number` is the entry after absent ones were counted out.
JUDGMENT_COLUMNS = tuple(frame_columns(JUDGMENTS))
_HASHED_JUDGMENT = (*(each for each in JUDGMENT_COLUMNS if each[0] != "entry"), ("entry_number", Kind.WHOLE))
#: Judgments that have none of these hash as they did before there were such columns.
_LATER = ("protocol", "fields")
_CRITERIA = tuple(column.name for column in LABELS if column.kind is Kind.CRITERION)


@dataclass(frozen=True, slots=True)
class JudgmentSet:
    """Imported judgments. The frame has the format's columns (`targets` as JSON text) and `entry_number`, from 1 where
    the bundle gave no `entry`: the n-th judgment of one annotator on one query belongs to the n-th entry of that query.
    """

    frame: pl.DataFrame
    design: JsonObject | None
    hash: str


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Imported removal labels: the format's columns, one row a query and annotator."""

    frame: pl.DataFrame
    hash: str


@dataclass(frozen=True, slots=True)
class Known:
    """The ids that judgments and labels may name."""

    queries: pl.Series
    pages: pl.Series
    elements: pl.Series


def set_names(folder: Path) -> list[str]:
    """Return the names of the tables in a folder, sorted; hidden files (an operating system's own) are passed over."""
    endings = (".jsonl", ".parquet")
    files = [each for each in folder.iterdir() if not each.name.startswith(".")] if folder.is_dir() else []
    return sorted({each.name.removesuffix(each.suffix) for each in files if each.suffix in endings})


def read_judgments(
    folder: Path, known: Known, log: FaultLog, advance: Callable[[float], None]
) -> dict[str, JudgmentSet]:
    """Return the judgment sets of a bundle by name."""
    found: dict[str, JudgmentSet] = {}
    for name in set_names(folder / JUDGMENTS_FOLDER):
        stem = f"{JUDGMENTS_FOLDER}/{name}"
        path = find_file(folder, stem, log, optional=True)
        if path is None:
            continue
        file = f"{JUDGMENTS_FOLDER}/{path.name}"
        source = TableSource(
            stem,
            JUDGMENTS,
            ("query_id",),
            file,
            log,
            never_mended=True,
            rule=_judgment_rule,
            suspicious=_is_odd_judgment,
        )
        frame, _ = read_table(path, source, advance)
        frame = _known_queries(frame, known, stem, file, log)
        _check_targets(frame, known, stem, file, log)
        frame = checked_fields(frame, {*known.pages}, stem, file, log)
        frame = _number_entries(frame, stem, file, log)
        frame, _ = collapse(
            frame, table=stem, file=file, log=log, keys=("annotator", "entry_number", "revision_number", "query_id")
        )
        frame = frame.drop("line", "revision_number")
        design = _read_design(folder / JUDGMENTS_FOLDER / f"{name}{DESIGN_ENDING}", stem, log)
        written = "" if design is None else json.dumps(design, sort_keys=True, ensure_ascii=False)
        hashed = [
            each for each in _HASHED_JUDGMENT if each[0] not in _LATER or frame[each[0]].null_count() < frame.height
        ]
        found[name] = JudgmentSet(frame, design, table_hash(frame, hashed, written))
        log.counts[stem] = frame.height
        log.accepted[f"skipped_{stem}"] += source.skipped
    return found


def read_labels(folder: Path, known: Known, log: FaultLog, advance: Callable[[float], None]) -> dict[str, LabelSet]:
    """Return the label sets of a bundle by name."""
    import polars as pl

    found: dict[str, LabelSet] = {}
    for name in set_names(folder / LABELS_FOLDER):
        stem = f"{LABELS_FOLDER}/{name}"
        path = find_file(folder, stem, log, optional=True)
        if path is None:
            continue
        file = f"{LABELS_FOLDER}/{path.name}"
        source = TableSource(stem, LABELS, ("query_id",), file, log, never_mended=True, suspicious=_is_odd_label)
        frame, _ = read_table(path, source, advance)
        frame = _known_queries(frame, known, stem, file, log)
        frame = frame.with_columns(_annotator=pl.col("annotator").fill_null(""))
        frame, _ = collapse(frame, table=stem, file=file, log=log, keys=("_annotator", "query_id"))
        frame = frame.drop("line", "_annotator")
        found[name] = LabelSet(frame, table_hash(frame, frame_columns(LABELS)))
        log.counts[stem] = frame.height
        log.accepted[f"skipped_{stem}"] += source.skipped
    return found


def _is_odd_label(record: Any) -> bool:
    values = (getattr(record, name) for name in _CRITERIA)
    return any(value is not None and value not in CRITERION_VALUES for value in values)


def _is_odd_judgment(record: Any) -> bool:
    codes = record.codes
    return len(set(codes)) < len(codes) or (bool(codes) and record.outcome == Outcome.CANNOT_JUDGE.value)


def _judgment_rule(row: dict[str, Any]) -> list[RowFault]:
    if row.get("outcome") == Outcome.CANNOT_JUDGE.value and row.get("codes"):
        expected = "no codes where the outcome is cannot_judge"
        return [RowFault("codes_without_judgment", "codes", shown(row["codes"]), expected)]
    return []


def _known_queries(frame: pl.DataFrame, known: Known, table: str, file: str, log: FaultLog) -> pl.DataFrame:
    import polars as pl

    if "queries" in log.incomplete and not log.lenient:
        return frame
    is_known = pl.col("query_id").is_in(known.queries.implode())
    lost = frame.filter(~is_known).select("line", row_key="query_id", field=pl.lit("query_id"), value="query_id")
    expected = "a query_id that is in queries"
    log.faults(lost, kind="unknown_query", file=file, expected=expected, table=table)
    log.accepted[f"skipped_{table}"] += lost.height
    return frame.filter(is_known)


def _check_targets(frame: pl.DataFrame, known: Known, table: str, file: str, log: FaultLog) -> None:
    if log.incomplete & {"pages", "elements"} and not log.lenient:
        return
    given = frame.drop_nulls("targets").select("line", "query_id", "targets")
    if given.is_empty():
        return
    ids = set(known.pages) | set(known.elements)
    for line, query_id, targets in given.iter_rows():
        for code, named in json.loads(targets).items():
            for number, each in enumerate(named):
                if each not in ids:
                    log.fault(
                        kind="unknown_target", file=file, table=table, line=line, row_key=query_id,
                        field=f"targets.{code}[{number}]", value=shown(each),
                        expected="a page_id or element_id that is in pages or elements",
                    )  # fmt: skip


def _number_entries(frame: pl.DataFrame, table: str, file: str, log: FaultLog) -> pl.DataFrame:
    """Add `entry_number` and `revision_number`, which is 1 where no revision was given."""
    import polars as pl

    frame = frame.with_columns(revision_number=pl.col("revision").fill_null(1))
    of_one = ["query_id", "annotator"]
    nth = pl.int_range(pl.len()).over([*of_one, "revision_number"]) + 1
    mixed = pl.col("entry").is_null().any().over(of_one) & pl.col("entry").is_not_null().any().over(of_one)
    bad = frame.filter(mixed & pl.col("entry").is_null())
    rows = bad.select("line", row_key="query_id", field=pl.lit("entry"), value=pl.lit(None, pl.String))
    expected = "an entry in every judgment of this annotator on this query, or in none"
    log.faults(rows, kind="mixed_entries", file=file, expected=expected, table=table)
    return frame.with_columns(entry_number=pl.coalesce("entry", nth).cast(pl.Int64))


def _read_design(path: Path, table: str, log: FaultLog) -> JsonObject | None:
    if not path.is_file():
        return None
    file = f"{JUDGMENTS_FOLDER}/{path.name}"
    try:
        design = json.loads(path.read_bytes().decode("utf-8"))
    except (ValueError, RecursionError) as error:
        log.fault(kind="bad_design", file=file, table=table, expected=f"one JSON object ({error})")
        return None
    faults = design_faults(design)
    for field, value, expected in faults:
        log.fault(kind="bad_design", file=file, table=table, field=field, value=value, expected=expected)
    return None if faults else design


def design_faults(design: Any) -> list[tuple[str | None, str | None, str]]:
    """Return (field, value as shown, what was expected) for each fault of a sample design."""
    if not isinstance(design, dict):
        return [(None, shown(design), "one JSON object with frame, method and strata")]
    faults: list[tuple[str | None, str | None, str]] = []
    frame = design.get("frame")
    for name in ("name", "revision"):
        value = frame.get(name) if isinstance(frame, dict) else None
        if not isinstance(value, str) or not value:
            faults.append(
                (f"frame.{name}", None if value is None else shown(value), f"the {name} of the dataset as text")
            )
    if not isinstance(design.get("method"), str):
        faults.append(("method", None if "method" not in design else shown(design["method"]), "text"))
    if design.get("seed") is not None and type(design["seed"]) is not int:
        faults.append(("seed", shown(design["seed"]), "a whole number"))
    strata = design.get("strata")
    if not isinstance(strata, list) or not strata:
        return [*faults, ("strata", None if strata is None else shown(strata), "a list of strata, at least one")]
    seen: set[tuple[str, str]] = set()
    for number, stratum in enumerate(strata):
        faults.extend(_stratum_faults(stratum, f"strata[{number}]", seen))
    return faults


def _stratum_faults(stratum: Any, path: str, seen: set[tuple[str, str]]) -> list[tuple[str | None, str | None, str]]:
    if not isinstance(stratum, dict):
        return [(path, shown(stratum), "an object with source, evidence_structure, population and drawn")]
    faults: list[tuple[str | None, str | None, str]] = []
    given: dict[str, Any] = {
        name: stratum.get(name) for name in ("source", "evidence_structure", "population", "drawn")
    }
    written = {name: None if value is None else shown(value) for name, value in given.items()}
    if not isinstance(given["source"], str):
        faults.append((f"{path}.source", written["source"], "text"))
    if given["evidence_structure"] not in STRUCTURES:
        faults.append((f"{path}.evidence_structure", written["evidence_structure"], f"one of {', '.join(STRUCTURES)}"))
    for name in ("population", "drawn"):
        if type(given[name]) is not int or given[name] < 0:
            faults.append((f"{path}.{name}", written[name], "a whole number of at least 0"))
    if faults:
        return faults
    if given["drawn"] > given["population"]:
        faults.append((f"{path}.drawn", written["drawn"], f"at most the population, {given['population']}"))
    stratum_key = (given["source"], given["evidence_structure"])
    if stratum_key in seen:
        faults.append((path, f"{stratum_key[0]} x {stratum_key[1]}", "each stratum once"))
    seen.add(stratum_key)
    return faults
