"""Boxes of a bundle: inverted ones are refused, a hair's overhang is clipped, other oddities are findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit_core.geometry import CLIP_TOLERANCE_PIXELS, ROUNDING_SLACK_PIXELS, clip
from audit_core.importers.bundle_faults import FaultLog
from audit_core.importers.bundle_row import INVERTED
from audit_core.importers.bundle_schema import BOX_SIDES, box_columns

if TYPE_CHECKING:
    import polars as pl


def refuse_inverted(
    frame: pl.DataFrame, *, name: str, key: pl.Expr, field: pl.Expr, table: str, file: str, log: FaultLog
) -> pl.DataFrame:
    """Return the frame with inverted boxes set to null, each logged as a fault."""
    import polars as pl

    x0, y0, x1, y1 = map(pl.col, box_columns(name))
    inverted = ((x0 > x1) | (y0 > y1)).fill_null(False)
    bad = frame.filter(inverted)
    if bad.is_empty():
        return frame
    rows = bad.select("line", row_key=key, field=field, value=_written(name))
    log.faults(rows, kind="inverted_box", file=file, expected=INVERTED, table=table)
    return frame.with_columns(
        pl.when(~frame.select(inverted).to_series()).then(pl.col(side)).alias(side) for side in box_columns(name)
    )


def clip_and_note(
    frame: pl.DataFrame, pages: pl.DataFrame, *, units: str, key: pl.Expr, field: pl.Expr, table: str, log: FaultLog
) -> pl.DataFrame:
    """Return the frame with boxes that leave their page by at most a pixel clipped and counted as `clipped_boxes`.

    Boxes of no width or height, those further outside and those over the whole page stay as they are and are findings.
    Boxes whose page is unknown or has no size cannot be held against it.
    """
    import polars as pl

    sized = frame.with_columns(
        pages["width"].gather(frame["page_row"]).alias("_width"),
        pages["height"].gather(frame["page_row"]).alias("_height"),
    ).with_row_index("_row")
    scale_x, scale_y = (pl.col("_width"), pl.col("_height")) if units == "fraction" else (pl.lit(1.0), pl.lit(1.0))
    x0, y0, x1, y1 = map(pl.col, box_columns("box"))
    left, top, right, bottom = x0 * scale_x, y0 * scale_y, x1 * scale_x, y1 * scale_y
    overhang = pl.max_horizontal(-left, -top, right - pl.col("_width"), bottom - pl.col("_height"))
    sized = sized.with_columns(
        _over=pl.when(pl.col("_width").is_not_null() & pl.col("_height").is_not_null()).then(overhang)
    )
    limit = CLIP_TOLERANCE_PIXELS + ROUNDING_SLACK_PIXELS
    sized = _clip(sized, (pl.col("_over") > 0) & (pl.col("_over") <= limit), units, log)
    whole = (
        (left <= ROUNDING_SLACK_PIXELS) & (top <= ROUNDING_SLACK_PIXELS)
        & (right >= pl.col("_width") - ROUNDING_SLACK_PIXELS) & (bottom >= pl.col("_height") - ROUNDING_SLACK_PIXELS)
    )  # fmt: skip
    outside = pl.col("_over") > limit
    empty = (x0 == x1) | (y0 == y1)
    for kind, where, message in (
        ("zero_size_box", empty, "the box has no width or no height"),
        ("box_outside_page", outside, "the box leaves its page by more than one pixel"),
        ("whole_page_box", whole & ~outside & ~empty, "the box covers the whole page"),
    ):
        rows = sized.filter(where).select("line", row_key=key, field=field, value=_written("box"))
        log.findings_of(rows, kind=kind, table=table, message=message)
    return sized.drop("_row", "_width", "_height", "_over")


def _clip(sized: pl.DataFrame, where: pl.Expr, units: str, log: FaultLog) -> pl.DataFrame:
    import polars as pl

    sides = list(box_columns("box"))
    near = sized.filter(where).select("_row", *sides, "_width", "_height")
    log.accepted["clipped_boxes"] += near.height
    if near.is_empty():
        return sized
    clipped = [
        (row, *(side + 0.0 for side in clip(box, units=units, width=width, height=height)))
        for row, *box, width, height in near.iter_rows()
    ]
    names = [f"_new_{side}" for side in BOX_SIDES]
    schema = {"_row": pl.UInt32()} | dict.fromkeys(names, pl.Float64())
    new = pl.DataFrame(clipped, schema=schema, orient="row")
    sized = sized.join(new, on="_row", how="left", maintain_order="left")
    return sized.with_columns(
        pl.coalesce(name, side).alias(side) for name, side in zip(names, sides, strict=True)
    ).drop(names)


def _written(name: str) -> pl.Expr:
    import polars as pl

    return pl.format("[{}, {}, {}, {}]", *box_columns(name))
