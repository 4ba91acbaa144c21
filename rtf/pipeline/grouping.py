"""Rows of triples -> publications: a shuffle that brings the triples of a publication together, and what cuts it up.

Rows are sorted by a hash of 64 bits, which Spark does without comparing texts. Two publications with one hash are next
to each other then, and perhaps mixed; that is noticed, and put right. Rows reach Python flat, in batches that know
nothing of publications, so the last one of a batch waits for the next batch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtf.pipeline.rows import TRIPLE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["HASH", "complete_publications", "shuffled", "with_hash"]

HASH: Final = "hash"


def shuffled(rows: DataFrame, partitions: int, *, whole_files: bool = False) -> DataFrame:
    """The rows with their hashes: those of one publication in one partition, one after the other."""
    hashed = with_hash(rows, whole_files=whole_files)
    return hashed.repartition(partitions, HASH).sortWithinPartitions(HASH)


def with_hash(rows: DataFrame, *, whole_files: bool) -> DataFrame:
    """The rows with a column HASH, which those of a publication share; with `whole_files`, all graphs of a file do."""
    from pyspark.sql import functions as f

    names = ("publication",) if whole_files else ("publication", "graph")
    return rows.withColumn(HASH, f.xxhash64(*names))


def complete_publications(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table | pa.RecordBatch]:
    """The publications of a partition, some at a time as tables; rows of other kinds as record batches."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        triples = batch
        kinds = batch.column("kind").to_numpy()
        if kinds.any():  # TRIPLE is 0
            yield batch.filter(pc.not_equal(batch.column("kind"), TRIPLE))
            triples = batch.filter(pc.equal(batch.column("kind"), TRIPLE))
        if not triples.num_rows:
            continue
        hashes = triples.column(HASH).to_numpy()
        last = int(np.searchsorted(hashes, hashes[-1]))  # where the last hash begins
        if last or (waiting and waiting[-1].column(HASH)[-1].as_py() != hashes[-1]):
            waiting.append(triples.slice(0, last))
            yield _in_order(waiting)
            waiting = []
        waiting.append(triples.slice(last))
    if waiting:
        yield _in_order(waiting)


def _in_order(batches: list[pa.RecordBatch]) -> pa.Table:
    """One table, in which the rows of each publication are next to each other."""
    table = pa.Table.from_batches(batches)
    if _changes(table, HASH) != _changes(table, "publication", "graph"):  # publications with one hash
        return table.sort_by([(HASH, "ascending"), ("publication", "ascending"), ("graph", "ascending")])
    return table


def _changes(table: pa.Table, *names: str) -> int:
    """How often a row differs from the one before it in these columns."""
    differs = np.zeros(max(table.num_rows - 1, 0), bool)
    for name in names:
        column = table.column(name)
        if column.null_count == len(column):
            continue
        one, other = column.slice(1), column.slice(0, len(column) - 1)
        same = pc.or_(pc.fill_null(pc.equal(one, other), False), pc.and_(one.is_null(), other.is_null()))
        differs |= ~same.to_numpy()
    return int(np.count_nonzero(differs))
