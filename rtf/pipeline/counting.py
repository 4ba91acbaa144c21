"""Blocks of OUTPUT -> counts of what is in them. All counts of a job come from the rows that arrived."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from rtf.pipeline.blocks import unpacked
from rtf.pipeline.rows import COUNT, MATCH

__all__ = ["COUNTED", "Counted"]

COUNTED: Final = pa.schema([("kind", pa.int32()), ("name", pa.string()), ("number", pa.int64())])
"""Of a MATCH the name is the query, of a COUNT what is counted; other rows are counted without a name."""


@dataclass(frozen=True)
class Counted:
    """Counts rows of this schema by kind and name."""

    schema: pa.Schema

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of COUNTED."""
        counts: Counter[tuple[int, str | None]] = Counter()
        for batch in batches:
            for kind, rows in unpacked(batch, self.schema):
                if kind == MATCH:
                    for each in rows.column("query_id").value_counts().to_pylist():
                        counts[kind, each["values"]] += each["counts"]
                elif kind == COUNT:
                    names, numbers = rows.column("publication").to_pylist(), rows.column("number").to_pylist()
                    for name, number in zip(names, numbers, strict=True):
                        counts[kind, name] += number
                else:
                    counts[kind, None] += rows.num_rows
        arrays = [
            pa.array([kind for kind, _ in counts], pa.int32()),
            pa.array([name for _, name in counts], pa.string()),
            pa.array(list(counts.values()), pa.int64()),
        ]
        yield pa.record_batch(arrays, schema=COUNTED)
