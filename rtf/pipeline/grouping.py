"""Blocks of rows -> publications.

Spark brings the blocks of a bucket together, and in Python the rows of some buckets are sorted by their hashes. Two
publications with one hash are next to each other then, and perhaps mixed; that is noticed, and put right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtf.pipeline.blocks import BLOCK, unpacked
from rtf.pipeline.packing import Hashes, Packing, hashes
from rtf.pipeline.reading import Reading, spark_schema
from rtf.pipeline.rows import INPUT, TRIPLE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["complete_publications", "gathered"]

_BUCKETS: Final = 4_096  # in all; more of them would make blocks small, and many
_PER_PARTITION: Final = 16  # but no more in one: Python holds one of them at a time, Spark sorts them on disk
_ENOUGH: Final = 4 << 20  # bytes of rows that are worth a call of a matcher


def gathered(
    readings: Sequence[Reading], partitions: int, *, whole_files: bool = False, last: int | None = None
) -> DataFrame:
    """Rows of BLOCK from everything that is to be read: those of one bucket in one partition, one after the other.

    Publications with a hash beyond `last` are left out.
    """
    from pyspark.sql import functions as f

    each = min(_PER_PARTITION, max(1, _BUCKETS // partitions))
    frames = [
        reading.frame.mapInArrow(Packing(reading.reader, partitions * each, whole_files, last), spark_schema(BLOCK))
        for reading in readings
    ]
    blocks = reduce(lambda one, other: one.unionAll(other), frames)
    return blocks.repartitionById(partitions, f.expr(f"CAST(key DIV {each} AS INT)")).sortWithinPartitions("key")


def complete_publications(
    batches: Iterable[pa.RecordBatch], *, whole_files: bool = False
) -> Iterator[pa.RecordBatch | pa.Table]:
    """The publications in blocks, some at a time as tables; rows of other kinds as record batches, as they come."""
    waiting: list[pa.RecordBatch] = []
    bucket, size = -1, 0
    for batch in batches:
        for key, rows in unpacked(batch, INPUT):
            triples = rows
            if rows.column("kind").to_numpy().any():  # TRIPLE is 0
                yield rows.filter(pc.not_equal(rows.column("kind"), TRIPLE))
                triples = rows.filter(pc.equal(rows.column("kind"), TRIPLE))
            if key != bucket and size >= _ENOUGH:
                yield _grouped(waiting, whole_files=whole_files)
                waiting, size = [], 0
            bucket = key
            if triples.num_rows:
                waiting.append(triples)
                size += triples.nbytes
    if waiting:
        yield _grouped(waiting, whole_files=whole_files)


def _grouped(batches: Sequence[pa.RecordBatch], *, whole_files: bool) -> pa.Table:
    """One table, in which the rows of each publication are next to each other."""
    rows = pa.concat_batches(batches)
    found = hashes(rows, whole_files=whole_files)
    order = np.argsort(found)
    ordered, found = rows.take(pa.array(order)), found[order]
    table = pa.Table.from_batches([ordered])
    if _steps(found) == _changes(ordered, "publication", "graph"):
        return table
    # Several publications with one hash
    sorted_ = table.append_column("hash", pa.array(found)).sort_by(
        [("hash", "ascending"), ("publication", "ascending"), ("graph", "ascending")]
    )
    return sorted_.drop_columns(["hash"])


def _steps(found: Hashes) -> int:
    """How often a hash differs from the one before it."""
    return int(np.count_nonzero(found[1:] != found[:-1]))


def _changes(rows: pa.RecordBatch, *names: str) -> int:
    """How often a row differs from the one before it in these columns."""
    differs = np.zeros(max(rows.num_rows - 1, 0), bool)
    for name in names:
        column = rows.column(name)
        if column.null_count == len(column):
            continue
        one, other = column.slice(1), column.slice(0, len(column) - 1)
        same = pc.equal(one, other)
        if column.null_count:
            same = pc.or_(pc.fill_null(same, False), pc.and_(one.is_null(), other.is_null()))
        differs |= ~same.to_numpy(zero_copy_only=False)
    return int(np.count_nonzero(differs))
