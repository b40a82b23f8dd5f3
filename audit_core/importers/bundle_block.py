"""A block of JSON Lines parsed straight into columns, where that gives what a look at each of its lines would give.

The parser is quick because no row becomes a Python object. It is laxer than the format in a few ways and not made for
lines that are not JSON objects, so a block goes to it only after a look at where its lines begin and end, and what it
gives is tested like the columns of a Parquet file. Whatever it refuses is looked at line by line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from audit_core.importers.bundle_columns import TAKEN, rows_fit
from audit_core.importers.bundle_schema import EVIDENCE, Column, Kind

if TYPE_CHECKING:
    import polars as pl

#: The parser does not survive `null` in place of an object. None follows an object but in a block with a fault.
_WORD_AFTER_OBJECT = re.compile(rb"\}[ \t\r\n]*n")


def parsed_block(block: bytes, columns: Sequence[Column]) -> pl.DataFrame | None:
    """Return the rows of a block of lines (without the last line feed) in the file's columns; all of them fit.

    None where a line is not one object of these columns, or says something that is to be looked at more closely.
    """
    import polars as pl
    import pyarrow as pa
    from pyarrow import json as arrow_json

    if any(column.kind not in TAKEN for column in columns):
        return None
    lines = _objects(block)
    if not lines:
        return None
    try:
        _refuse_other_than_utf8(block)
        table = arrow_json.read_json(
            pa.BufferReader(block),
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=pa.schema(_fields(columns)), unexpected_field_behavior="error"
            ),
            memory_pool=pa.system_memory_pool(),
        )
    except (pa.ArrowException, UnicodeDecodeError):
        return None
    if table.num_rows != lines:
        return None
    frame = pl.from_arrow(table)
    assert isinstance(frame, pl.DataFrame)
    return frame if rows_fit(frame, columns) else None


def _objects(block: bytes) -> int:
    """Return the number of lines if each begins and ends with a brace, else 0; as many objects are then one a line.

    In JSON no opening brace follows a closing one inside an object, so there an object ends and the next one begins.
    """
    import numpy as np

    if not block.startswith(b"{") or not block.endswith(b"}") or _WORD_AFTER_OBJECT.search(block) is not None:
        return 0
    characters = np.frombuffer(block, np.uint8)
    feeds = np.flatnonzero(characters == ord("\n"))
    is_between = (characters[feeds - 1] == ord("}")) & (characters[feeds + 1] == ord("{"))
    return feeds.size + 1 if is_between.all() else 0


def _refuse_other_than_utf8(block: bytes) -> None:
    import numpy as np
    import pyarrow as pa

    ends = pa.py_buffer(np.array([0, len(block)], np.int32))
    pa.StringArray.from_buffers(1, ends, pa.py_buffer(block)).validate(full=True)


def _fields(columns: Sequence[Column]) -> list[tuple[str, Any]]:
    return [(column.name, _type(column)) for column in columns]


def _type(column: Column) -> Any:
    import pyarrow as pa

    if column.kind is Kind.EVIDENCE:
        return pa.list_(pa.struct(_fields(EVIDENCE)))
    if column.kind is Kind.BOX:
        return pa.list_(pa.float64())
    if column.kind is Kind.IDS:
        return pa.list_(pa.string())
    if column.kind is Kind.NUMBER:
        return pa.float64()
    is_whole = column.kind is Kind.WHOLE or (column.kind is Kind.CHOICE and isinstance(column.choices[0], int))
    return pa.int64() if is_whole else pa.string()
