"""Rows of INPUT -> blocks, each with rows of one bucket. The triples of a publication are all in the same bucket.

A bucket is a range of hashes: small enough to be held in memory, large enough to be worth a call. Spark brings the
blocks of a bucket together, and `grouping` finds the publications in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rtf.pipeline.blocks import Step, blocks
from rtf.pipeline.hash_kernel import hash_texts
from rtf.pipeline.rows import FILE, TRIPLE
from rtf.pipeline.text_buffers import text_buffers

__all__ = ["LeastHashes", "Packing", "hashes"]

Hashes: TypeAlias = npt.NDArray[np.int64]
"""Not negative: of 63 bits, because Spark has no numbers without a sign."""

_SEED: Final = 0xCBF29CE484222325  # FNV's own
_TOGETHER: Final = 32 << 20  # bytes of rows that are distributed at once: blocks are to be large, and tasks small


@dataclass(frozen=True)
class Packing:
    """A reader of rows of INPUT whose rows come out as blocks, distributed over so many buckets.

    With `whole_files` all graphs of a file are in one bucket. Publications with a hash beyond `last` are left out.
    """

    reader: Step
    buckets: int
    whole_files: bool = False
    last: int | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of BLOCK."""
        for rows in _together(self.reader(batches)):
            found = hashes(rows, whole_files=self.whole_files)
            kept = rows
            if self.last is not None:
                chosen = (found <= self.last) | ~_is_part(rows)
                kept, found = rows.filter(pa.array(chosen)), found[chosen]
            if kept.num_rows:
                yield self._distributed(kept, found)

    def _distributed(self, rows: pa.RecordBatch, found: Hashes) -> pa.RecordBatch:
        numbers = (found >> 31) * self.buckets >> 32
        order = np.argsort(numbers.astype(np.min_scalar_type(self.buckets)), kind="stable")  # 16 bits are sorted fast
        ordered = rows.take(pa.array(order))
        numbers = numbers[order]
        starts = np.flatnonzero(np.concatenate(([True], numbers[1:] != numbers[:-1])))
        ends = [*starts[1:].tolist(), rows.num_rows]
        return blocks(
            (int(numbers[start]), ordered.slice(start, end - start))
            for start, end in zip(starts.tolist(), ends, strict=True)
        )


@dataclass(frozen=True)
class LeastHashes:
    """A reader of rows of INPUT, of whose publications only the least hashes come out, no more than `count`."""

    reader: Step
    count: int
    whole_files: bool = False

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A column of hashes."""
        least = np.zeros(0, np.int64)
        for rows in self.reader(batches):
            found = hashes(rows, whole_files=self.whole_files)[_is_part(rows)]
            least = np.unique(np.concatenate((least, found)))[: self.count]
        yield pa.record_batch([pa.array(least)], ["hash"])


def hashes(rows: pa.RecordBatch, *, whole_files: bool) -> Hashes:
    """A hash for each row, which those of a publication share; with `whole_files`, all graphs of a file do."""
    found = np.full(rows.num_rows, _SEED, np.uint64)
    hash_texts(*text_buffers(rows.column("publication")), found)
    graphs = rows.column("graph")
    if not whole_files and graphs.null_count < rows.num_rows:
        without = found.copy()
        hash_texts(*text_buffers(graphs.fill_null("")), found)
        found = np.where(graphs.is_valid().to_numpy(zero_copy_only=False), found, without)
    return (found >> np.uint64(1)).view(np.int64)


def _is_part(rows: pa.RecordBatch) -> npt.NDArray[np.bool_]:
    """Which rows belong to a publication, rather than to the reports of readers."""
    return np.isin(rows.column("kind").to_numpy(), (TRIPLE, FILE))


def _together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in larger batches."""
    waiting: list[pa.RecordBatch] = []
    size = 0
    for batch in batches:
        waiting.append(batch)
        size += batch.nbytes
        if size >= _TOGETHER:
            yield _one(waiting)
            waiting, size = [], 0
    if waiting:
        yield _one(waiting)


def _one(batches: list[pa.RecordBatch]) -> pa.RecordBatch:
    return batches[0] if len(batches) == 1 else pa.concat_batches(batches)
