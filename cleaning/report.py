"""The tables of a finished comparison, by name: what the command prints and the page offers to download."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from audit_core.errors import NotFound
from cleaning.compare import Scored
from cleaning.compare_summary import at_equal_share
from cleaning.contract import Kind
from cleaning.finished import Result
from cleaning.tables import Cell, Column, ColumnKind, Table
from cleaning.tables_asked import asked_table, limit_notes
from cleaning.tables_content import (
    difference_table,
    fold_table,
    group_table,
    share_table,
    summary_tables,
    threshold_rows,
)

#: Name -> what the table shows.
TABLES: dict[str, str] = {
    "summary": "every strategy at its threshold",
    "difficulty": "difficulty filters, which are not ranked",
    "folds": "what each fold holds",
    "source": "by source",
    "evidence_structure": "by evidence structure",
    "generator": "by generator",
    "domain": "by domain",
    "language": "by language",
    "equal-share": "all strategies with the same number of queries kept",
    "differences": "all pairs of strategies",
    "learning": "learning curves",
    "thresholds": "every threshold of one strategy",
    "label-errors": "labels that are likely wrong",
    "left-out": "labelled queries that took no part",
    "model-answers": "what language models were asked, and how their answers fell out",
    "scores": "every evaluated query with its label, scores and decisions",
}


def table_of(result: Result, name: str, *, strategy: str | None = None, share_kept: float | None = None) -> Table:
    """Return one table of a comparison.

    Args:
        result: the comparison.
        name: one of `TABLES`.
        strategy: of `thresholds` and `label-errors`: which one; the first learned one where it is None.
        share_kept: of `equal-share`: the share to keep; the share of good queries where it is None.

    Raises:
        NotFound: no such table, or this comparison has none of that name; says why.
        CleaningError: no such strategy.
    """
    makers: dict[str, Callable[[], Table | None]] = {
        "summary": lambda: _summary(result, difficulty=False),
        "difficulty": lambda: _summary(result, difficulty=True),
        "folds": lambda: fold_table(result.record.split),
        "equal-share": lambda: share_table(
            at_equal_share(result.compared, share_kept=_share(result) if share_kept is None else share_kept)
        ),
        "differences": lambda: (
            difference_table(result.pairs, resamples=result.request.resamples, heading=result.heading)
            if result.pairs
            else None
        ),
        "learning": lambda: result.learning,
        "thresholds": lambda: _thresholds(result, _chosen(result, strategy)),
        "label-errors": lambda: label_error_table(result, _chosen(result, strategy)),
        "left-out": lambda: left_out_table(result),
        "model-answers": lambda: asked_table(result.compared.strategies, result.titles),
        "scores": lambda: score_table(result),
    }
    if name in makers:
        table = makers[name]()
    elif name in TABLES:
        table = group_table(result.summaries, name) if name in result.groups else None
    else:
        raise NotFound(f"There is no table {name!r}. Choose one of: {', '.join(TABLES)}.")
    if table is None:
        raise NotFound(f"This comparison has no table {name!r} ({TABLES[name]}).")
    return table


def label_error_table(result: Result, strategy: str) -> Table:
    """Return the labels that a strategy's out-of-fold scores speak against, the likeliest error first."""
    errors = result.label_errors(strategy)
    texts = dict(zip(result.queries["query_id"], result.queries["text"], strict=True))
    rows: tuple[dict[str, Cell], ...] = tuple(
        {
            "query": each.query_id,
            "text": texts[each.query_id],
            "given": "remove" if each.given else "keep",
            "suggested": "remove" if each.suggested else "keep",
            "probability": each.probability,
            "score": each.score,
        }
        for each in errors.suspects
    )
    columns = (
        Column("query", "Query", ColumnKind.TEXT),
        Column("text", "Text", ColumnKind.TEXT),
        Column("given", "Label", ColumnKind.TEXT),
        Column("suggested", "Suggested", ColumnKind.TEXT),
        Column("probability", "Probability of removal", ColumnKind.NUMBER),
        Column("score", "Label quality", ColumnKind.NUMBER),
    )
    notes = [f"{errors.checked:,} labels were checked against the scores of {result.title(strategy)}."]
    if errors.undefined:
        notes.append(f"Nothing can be said: {errors.undefined}.")
    return Table("Labels that are likely wrong", columns, rows, tuple(notes))


def left_out_table(result: Result) -> Table:
    """Return the labelled queries that took no part, with the reason."""
    card = result.record.card
    rows = [(query, f"vector: {reason}") for reason, ids in card.ineligible.items() for query in ids]
    rows += [(query, f"labels: {reason}") for reason, ids in card.left_out.items() for query in ids]
    rows += [(query, "not in the dataset") for query in card.unknown]
    columns = (Column("query", "Query", ColumnKind.TEXT), Column("reason", "Why it is left out", ColumnKind.TEXT))
    return Table(
        "Labelled queries that took no part",
        columns,
        tuple({"query": query, "reason": reason} for query, reason in rows),
        (f"{len(rows):,} labelled queries were left out for all strategies alike.",),
    )


def score_table(result: Result) -> Table:
    """Return every evaluated query with its label, and the score and decision of each strategy in repeat 1."""
    usable = result.compared.usable
    columns = [Column("query", "Query", ColumnKind.TEXT), Column("label", "Label", ColumnKind.TEXT)]
    for each in usable:
        columns.append(Column(f"{each.name}.score", f"{result.title(each.name)}: score", ColumnKind.NUMBER))
        columns.append(Column(f"{each.name}.says", f"{result.title(each.name)}: says", ColumnKind.TEXT))
    rows: list[dict[str, Cell]] = []
    for row, query in enumerate(result.compared.query_ids):
        cells: dict[str, Cell] = {
            "query": query,
            "label": "remove" if result.compared.remove[row] else "keep",
        }
        for each in usable:
            score, decision = float(each.scores[0][row]), float(each.decisions[0][row])
            cells[f"{each.name}.score"] = None if score != score else score
            cells[f"{each.name}.says"] = "undecided" if decision != decision else "remove" if decision else "keep"
        rows.append(cells)
    notes = ("Scores are out of fold, of repeat 1: higher = more likely to remove.",)
    return Table("Scores and decisions of every query", tuple(columns), tuple(rows), notes)


def _summary(result: Result, *, difficulty: bool) -> Table | None:
    chosen = [each for each in result.summaries if each.ranked is not difficulty]
    if not chosen:
        return None
    table = summary_tables(chosen, split_hash=result.record.split.hash)[0]
    names = {each.name for each in chosen}
    return _with_limits(table, [each for each in result.compared.usable if each.name in names], result)


def _thresholds(result: Result, name: str) -> Table:
    return _with_limits(threshold_rows(name, result.thresholds[name]), [result.compared.of(name)], result)


def _with_limits(table: Table, strategies: Sequence[Scored], result: Result) -> Table:
    """Return the table with what the thresholds of ratings mean among its notes."""
    return replace(table, notes=(*table.notes, *limit_notes(strategies, result.titles)))


def _share(result: Result) -> float:
    return 1.0 - result.positives / result.n


def _chosen(result: Result, strategy: str | None) -> str:
    if strategy is not None:
        return result.compared.of(strategy).name
    learned = [each.name for each in result.compared.usable if each.kind is Kind.LEARNED]
    return learned[0] if learned else result.compared.usable[0].name
