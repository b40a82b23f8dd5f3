"""Times a comparison of all learned strategies, 5 x 5 folds over documents, against the bare fits on the same folds."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.measuring import peak_bytes, print_table, write_json

if TYPE_CHECKING:
    import polars as pl

    from cleaning.splits import Split

STRATEGIES = ("logistic_regression", "xgboost", "knn")
#: The values of C among which the bare logistic regression chooses as well.
GRID = (0.0001, 0.001, 0.01, 0.1, 1.0)


def query_table(n: int) -> pl.DataFrame:
    """Return n queries, two on each document."""
    import polars as pl

    from cleaning.contract import QUERY_COLUMNS

    lists = ("configured_pages", "evidence_pages", "documents", "evidence_kinds")
    numbers = pl.DataFrame({"row": np.arange(n)})
    columns = {
        "query_id": pl.format("q{}", pl.col("row").cast(pl.String).str.zfill(7)),
        "text": pl.format("What is said of thing {}?", "row"),
        "documents": pl.concat_list(pl.format("d{}", pl.col("row") // 2)),
    }
    empty = {
        name: pl.lit([], pl.List(pl.String)) if name in lists else pl.lit(None, pl.String) for name in QUERY_COLUMNS
    }
    return numbers.select(**{name: columns.get(name, empty[name]) for name in QUERY_COLUMNS})


def bare_model(name: str, *, c: float | None = None) -> Any:
    """Return the library's own model with the settings of the strategy; C chosen by grid search unless it is given."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    if name == "knn":
        return KNeighborsClassifier(n_neighbors=5, metric="cosine", algorithm="brute")
    if name == "xgboost":
        import xgboost

        return xgboost.XGBClassifier(
            n_estimators=150,
            max_depth=4,
            learning_rate=0.1,
            colsample_bytree=0.3,
            tree_method="hist",
            n_jobs=2,
            random_state=1,
        )
    if c is not None:
        return make_pipeline(StandardScaler(), LogisticRegression(C=c, max_iter=5000))
    grid = {"logisticregression__C": list(GRID)}
    return GridSearchCV(
        make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000)), grid, scoring="neg_log_loss", cv=3
    )


def make_vectors(n: int, dimensions: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Return unit vectors and labels, a third to remove, that twenty of the numbers tell a little of."""
    chance = np.random.default_rng(seed)
    vectors = chance.normal(size=(n, dimensions))
    remove = vectors[:, :20].sum(axis=1) + chance.normal(scale=4.0, size=n) > 2.6
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32), remove


def bare_seconds(name: str, vectors: np.ndarray, split: Split) -> float:
    """Return how long the library takes to fit and score each fold, and nothing else."""
    started = time.perf_counter()
    for fold in split.folds:
        model = bare_model(name).fit(vectors[fold.training], split.remove[fold.training])
        model.predict_proba(vectors[fold.evaluation])
    return time.perf_counter() - started


def main() -> None:
    """Print the seconds of each strategy in the comparison and of its bare fits, and their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=1_438)
    parser.add_argument("--dimensions", type=int, default=1_024)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    given = parser.parse_args()
    from cleaning.catalogue import build_strategy, strategy_module
    from cleaning.compare import Entrant, run
    from cleaning.contract import Inputs
    from cleaning.splits_plan import plan_folds

    vectors, remove = make_vectors(given.queries, given.dimensions)
    inputs = Inputs(query_table(given.queries), vectors)
    split = plan_folds(inputs.queries, remove, folds=5, repeats=given.repeats, seed=1)
    rows, total, bare_total = [], 0.0, 0.0
    for name in STRATEGIES:
        module = strategy_module(name)
        bare = bare_seconds(name, vectors, split)
        started = time.perf_counter()
        compared = run([Entrant(name, module.title, module.kind, build_strategy(name))], inputs, split)
        seconds = time.perf_counter() - started
        failed = compared.of(name).failed
        if failed:
            raise SystemExit(f"{name} failed: {failed}")
        rows.append({"strategy": name, "bare_seconds": bare, "seconds": seconds})
        total, bare_total = total + seconds, bare_total + bare
    rows.append({"strategy": "all", "bare_seconds": bare_total, "seconds": total})
    print_table(("strategy", "bare fits", "comparison", "ratio"), [
        (row["strategy"], f"{row['bare_seconds']:.1f} s", f"{row['seconds']:.1f} s", f"{row['seconds'] / row['bare_seconds']:.2f}")
        for row in rows
    ])  # fmt: skip
    print(f"{given.queries:,} x {given.dimensions:,}, {len(split.folds)} folds, peak {peak_bytes() / 1e9:.2f} GB")
    if given.json:
        write_json(given.json, {"queries": given.queries, "dimensions": given.dimensions, "strategies": rows})


if __name__ == "__main__":
    main()
