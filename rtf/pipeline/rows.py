"""What passes from one step of the pipeline to the next: rows of Arrow columns.

Readers give rows of INPUT, a row for each triple. Lines that are no triples, and counts, are rows of other kinds, so
that they take the same way as the triples: what is counted is exactly what arrived, however often a task was repeated.
Matching gives rows of OUTPUT.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import pyarrow as pa

__all__ = [
    "BAD",
    "BINDINGS",
    "COUNT",
    "FAILURE",
    "FILE",
    "HIGHLIGHTS",
    "INPUT",
    "MATCH",
    "OUTPUT",
    "TRIPLE",
    "bad_rows",
    "count_rows",
    "output_schema",
    "rows",
]

TRIPLE, BAD, COUNT, FILE, MATCH, FAILURE = range(6)

# The subject of a TRIPLE is null where it is the publication, which makes a shuffle smaller.
# Of a BAD row: publication is the file, object the line, predicate what is wrong. Of a COUNT row: publication is what
# is counted, object the number. A FILE row has the name of a file that is a publication, also if it has no triples.
INPUT: Final = pa.schema(
    [
        ("kind", pa.int8()),
        ("publication", pa.string()),
        ("graph", pa.string()),
        ("subject", pa.string()),
        ("predicate", pa.string()),
        ("object", pa.string()),
    ]
)

# Terms are as in SPARQL 1.1 Query Results JSON.
_TERM: Final = pa.struct([(name, pa.string()) for name in ("type", "value", "xml:lang", "datatype")])
BINDINGS: Final = pa.list_(pa.map_(pa.string(), _TERM))
HIGHLIGHTS: Final = pa.list_(
    pa.struct(
        [
            ("variable", pa.string()),
            ("literal", _TERM),
            ("words", pa.list_(pa.string())),
            ("positions", pa.list_(pa.int32())),
            ("spans", pa.list_(pa.list_(pa.int32()))),
        ]
    )
)
# Of a BAD row: publication is the file, line the line. Of a COUNT row: publication is what is counted.
OUTPUT: Final = pa.schema(
    [
        ("kind", pa.int8()),
        ("query_id", pa.string()),
        ("publication", pa.string()),
        ("owner", pa.string()),
        ("bindings", BINDINGS),
        ("highlights", HIGHLIGHTS),
        ("line", pa.string()),
        ("why", pa.string()),
        ("number", pa.int64()),
    ]
)


def output_schema(*, bindings: bool, highlights: bool) -> pa.Schema:
    """OUTPUT without the details that nobody asked for: even where they are null they cost Spark time."""
    left_out = {name for name, wanted in (("bindings", bindings), ("highlights", highlights)) if not wanted}
    return pa.schema([each for each in OUTPUT if each.name not in left_out])


def rows(schema: pa.Schema, kind: int, count: int, columns: Mapping[str, pa.Array]) -> pa.RecordBatch:
    """Rows of one kind; columns that are not given are null."""
    kinds = pa.repeat(pa.scalar(kind, pa.int8()), count)
    found = {"kind": kinds, **columns}
    arrays = [found[each.name] if each.name in found else pa.nulls(count, each.type) for each in schema]
    return pa.record_batch(arrays, schema=schema)


def bad_rows(bad: Iterable[tuple[str, str, str]]) -> pa.RecordBatch:
    """Rows of INPUT for lines that are no triples: file, line, and what is wrong."""
    found = list(bad)
    names = ("publication", "object", "predicate")
    columns = {name: pa.array([row[place] for row in found], pa.string()) for place, name in enumerate(names)}
    return rows(INPUT, BAD, len(found), columns)


def count_rows(counts: Mapping[str, int]) -> pa.RecordBatch:
    """Rows of INPUT for counts."""
    columns = {
        "publication": pa.array(list(counts), pa.string()),
        "object": pa.array(list(map(str, counts.values())), pa.string()),
    }
    return rows(INPUT, COUNT, len(counts), columns)
