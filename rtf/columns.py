"""Many publications as columns: an Arrow table with a row for each triple.

The columns are strings: `publication` (its id), `subject`, `predicate` and `object` as terms in N-Triples syntax, and
perhaps `graph`, the name of the publication's own graph in the same syntax, null where it has none. Rows that follow
each other with the same publication and graph are one publication.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rtf.report import MatchReport
from sparql_ft import Publication, PublicationError
from sparql_ft.publication import read_triples
from sparql_ft.terms import Triple

__all__ = ["COLUMNS", "GRAPH", "MATCHES", "BatchReport", "PublicationColumns", "columns_of", "matches_table"]

COLUMNS: Final = ("publication", "subject", "predicate", "object")
GRAPH: Final = "graph"
_STRINGS: Final = (pa.string(), pa.large_string(), pa.string_view())
MATCHES: Final = pa.schema([("publication", pa.string()), ("query_id", pa.string())])


@dataclass(slots=True)
class BatchReport:
    """What happened to many publications. `matches` has the columns of MATCHES, a row for each match.

    `failures` are (publication, query id, why): queries that have no answer there.
    """

    publications: int
    triples: int
    matches: pa.Table = field(default_factory=MATCHES.empty_table)
    candidates: int = 0
    checked: int = 0
    verified: int = 0
    failures: list[tuple[str, str, str]] = field(default_factory=list)

    def add(self, one: MatchReport) -> None:
        """Count what was done for one publication."""
        self.candidates += one.candidates
        self.checked += one.checked
        self.verified += one.verified
        self.failures += [(one.publication, query, why) for query, why in one.failures.items()]


class PublicationColumns:
    """The columns of some publications, checked, each in one piece."""

    def __init__(self, batch: pa.RecordBatch | pa.Table) -> None:
        missing = [name for name in COLUMNS if name not in batch.schema.names]
        if missing:
            raise ValueError(
                f"the columns {', '.join(missing)} are missing; there must be {', '.join(COLUMNS)}, and perhaps {GRAPH}"
            )
        self.columns = {name: _strings(batch.column(name), name) for name in COLUMNS}
        graphs = batch.column(GRAPH) if GRAPH in batch.schema.names else None
        self.graphs = None if graphs is None or graphs.null_count == len(graphs) else _strings(graphs, GRAPH)
        self.starts = self._starts(batch.num_rows)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def triples(self) -> int:
        """How many rows there are."""
        return int(self.starts[-1])

    @property
    def table(self) -> pa.Table:
        """All of it as one table."""
        return pa.table({**self.columns, **({} if self.graphs is None else {GRAPH: self.graphs})})

    def ids(self) -> pa.Array:
        """The id of each publication."""
        return self.columns["publication"].take(pa.array(self.starts[:-1]))

    def read(self, number: int) -> tuple[Publication, list[Triple]]:
        """One of the publications, read by pyoxigraph, and the triples of its rows, which may have some twice."""
        start, end = int(self.starts[number]), int(self.starts[number + 1])
        id, *terms = (self.columns[name].slice(start, end - start).to_pylist() for name in COLUMNS)
        graph = None if self.graphs is None else self.graphs[start].as_py()
        rows = [" ".join([*row, graph or ""]) for row in zip(*terms, strict=True)]
        try:
            for place, row in enumerate(rows):
                if "\n" in row:  # or one row could be two triples
                    raise PublicationError("a term has a line end in it, unescaped", place + 1)
            read = read_triples("".join(f"{row} .\n" for row in rows), "nq")
            triples = [triple for triple, _ in read]
            return Publication(id[0], tuple(triples), read[0][1]), triples
        except PublicationError as error:
            number = start + (error.line or 1) - 1
            raise PublicationError(
                f"row {number:,} (publication {id[0]}): {error.message}",
                hint="subject, predicate and object are terms in N-Triples syntax, such as <http://example.org/rio>",
            ) from error

    def __iter__(self) -> Iterator[Publication]:
        return (self.read(number)[0] for number in range(len(self)))

    def _starts(self, rows: int) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The row at which each publication begins, and one more."""
        if rows == 0:
            return np.zeros(1, np.int64)
        begins = np.ones(rows, bool)
        for column in (self.columns["publication"], self.graphs):
            if column is None:
                continue
            same = pc.fill_null(pc.equal(column.slice(1), column.slice(0, rows - 1)), False)
            if column.null_count:
                same = pc.or_(same, pc.and_(column.slice(1).is_null(), column.slice(0, rows - 1).is_null()))
            differs = ~same.to_numpy(zero_copy_only=False)
            begins[1:] = differs if column is self.columns["publication"] else begins[1:] | differs
        return np.append(np.flatnonzero(begins), rows).astype(np.int64)


def columns_of(publications: Iterable[Publication]) -> pa.Table:
    """Publications as columns. One without triples has no row, so it is left out."""
    rows = [
        (each.id, None if each.graph is None else str(each.graph), *map(str, triple))
        for each in publications
        for triple in each.triples
    ]
    names = (COLUMNS[0], GRAPH, *COLUMNS[1:])
    return pa.table(
        {name: pa.array([row[place] for row in rows], pa.large_string()) for place, name in enumerate(names)}
    )


def matches_table(batch: PublicationColumns, found: Sequence[tuple[npt.NDArray[np.int64], pa.Array]]) -> pa.Table:
    """The matches as a table, from numbers of publications and ids of queries; of each publication in their order."""
    publications = np.concatenate([np.zeros(0, np.int64), *(numbers for numbers, _ in found)])
    ids = pa.chunked_array([each for _, each in found], pa.large_string())
    if len(found) > 1:
        order = np.argsort(publications, kind="stable")
        publications, ids = publications[order], ids.take(pa.array(order))
    return pa.table([batch.ids().take(pa.array(publications)), ids], names=MATCHES.names).cast(MATCHES)


def _strings(column: pa.Array | pa.ChunkedArray, name: str) -> pa.Array:
    """A column in one piece, with offsets of 64 bits."""
    if column.null_count and name != GRAPH:
        raise ValueError(f"the column {name} has {column.null_count:,} nulls; only {GRAPH} may have some")
    if column.type not in _STRINGS:
        raise ValueError(f"the column {name} has the type {column.type}, but must be a string")
    wide = column.cast(pa.large_string())
    return wide.combine_chunks() if isinstance(wide, pa.ChunkedArray) else wide
