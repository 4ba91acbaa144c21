"""Rows -> blocks: how rows pass through Spark, many of them as one value.

To Spark a row of texts is an object that is copied, compared and taken apart again; that costs several times as much
as what we do with it. So rows travel as blocks: an Arrow message, compressed, with a key that Spark sorts or filters
by. What is in a block only Python knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import pyarrow as pa

__all__ = ["BLOCK", "Keyed", "KindBlocks", "Step", "Unpacked", "blocks", "unpacked"]

Step: TypeAlias = Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]
"""What `mapInArrow` runs in a task."""

Keyed: TypeAlias = tuple[int, pa.RecordBatch]
"""Some rows, and what Spark is to know of them: their bucket before publications are grouped, their kind afterwards."""

BLOCK: Final = pa.schema([("key", pa.int32()), ("count", pa.int64()), ("size", pa.int64()), ("rows", pa.binary())])
"""A block: `count` rows, in `size` bytes before they were compressed."""

_CODEC: Final = pa.Codec("zstd", 1)  # as fast as lz4 on texts that repeat each other, and a third smaller


def blocks(found: Iterable[Keyed]) -> pa.RecordBatch:
    """A row of BLOCK for each of them."""
    keys, counts, sizes, packed = [], [], [], []
    for key, rows in found:
        message = rows.serialize()
        keys.append(key)
        counts.append(rows.num_rows)
        sizes.append(message.size)
        packed.append(_CODEC.compress(message, asbytes=True))
    arrays = [pa.array(values, field.type) for values, field in zip((keys, counts, sizes, packed), BLOCK, strict=True)]
    return pa.record_batch(arrays, schema=BLOCK)


def unpacked(batch: pa.RecordBatch, schema: pa.Schema) -> Iterator[Keyed]:
    """What is in rows of BLOCK, one after the other, with their keys."""
    keys, sizes, packed = (batch.column(name) for name in ("key", "size", "rows"))
    for key, size, block in zip(keys.to_pylist(), sizes.to_pylist(), packed, strict=True):
        message = _CODEC.decompress(block.as_buffer(), size)
        yield key, pa.ipc.read_record_batch(message, schema)


@dataclass(frozen=True)
class KindBlocks:
    """A step whose rows come out as blocks, with their kind as the key. Each of its batches has rows of one kind."""

    step: Step

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of BLOCK."""
        for rows in self.step(batches):
            if rows.num_rows:
                yield blocks([(rows.column("kind")[0].as_py(), rows)])


@dataclass(frozen=True)
class Unpacked:
    """Blocks -> their rows, of which only these columns are wanted."""

    schema: pa.Schema
    names: tuple[str, ...]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows."""
        for batch in batches:
            for _, rows in unpacked(batch, self.schema):
                yield rows.select(list(self.names))
