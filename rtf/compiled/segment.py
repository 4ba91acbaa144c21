"""Queries that have been frozen together; they can be removed, by a mark, but none can be added."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rtf.columns import BatchReport, PublicationColumns
from rtf.compiled.columns import Columns
from rtf.compiled.freeze import freeze
from rtf.compiled.frozen import Asked, Frozen, Wanted
from rtf.compiled.query_store import QueryStore
from rtf.index.selectivity import Sample
from rtf.index.verification import Verification
from rtf.mutable.forest import Layout
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from rtf.stats import EngineStats, Tallies
from sparql_ft import PreparedQuery

__all__ = ["FrozenSegment", "FrozenSize", "freeze_queries"]

_ALL = np.zeros(0, np.uint8)  # no marks, because no query is marked


@dataclass(frozen=True, slots=True)
class FrozenSize:
    """How much is in a frozen segment."""

    patterns: int
    tuples: int
    distinct_tuples: int
    words: int


class FrozenSegment:
    """A frozen index and the queries in it, in order of registration."""

    def __init__(self, frozen: Frozen, store: QueryStore, size: FrozenSize) -> None:
        self.frozen = frozen
        self.store = store
        self.size = size
        self._alive = np.ones(len(store), np.uint8)
        self._removed = 0
        self._wanted = Wanted(_ALL, store.id)
        self._before: Tallies | None = None  # of the segments it was made of

    def __len__(self) -> int:
        """How many queries are left."""
        return len(self._alive) - self._removed

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The queries that are left."""
        return self.kept()

    def kept(self) -> Iterator[RegisteredQuery]:
        """The queries that are left now, whatever happens to the segment."""
        numbers = np.flatnonzero(self._alive)
        return (self.store[number] for number in numbers.tolist())

    def ids(self) -> Iterator[str]:
        """The ids of the queries that are left."""
        return (self.store.id(number) for number in np.flatnonzero(self._alive).tolist())

    def owners(self) -> Iterator[tuple[str, str | None]]:
        """The ids of the queries that are left, with their owners."""
        return ((self.store.id(number), self.store.owner(number)) for number in np.flatnonzero(self._alive).tolist())

    @property
    def has_removed(self) -> bool:
        """Whether queries have been removed."""
        return self._removed > 0

    @property
    def last_place(self) -> int:
        """The place of its last query in the order of registration."""
        return int(self.store.arrays["places"].max(initial=0))

    def find(self, id: str) -> RegisteredQuery | None:
        """The query with this id, if it is left."""
        number = self._number(id)
        return None if number is None else self.store[number]

    def drop(self, ids: Iterable[str]) -> set[str]:
        """Mark queries as removed; those that were there. The marks are made on a copy: somebody may be using them."""
        found = {id: number for id in ids if (number := self._number(id)) is not None}
        if found:
            alive = self._alive.copy()
            alive[list(found.values())] = 0
            self._alive = alive
            self._wanted = Wanted(alive, self.store.id)
            self._removed += len(found)
        return set(found)

    def _number(self, id: str) -> int | None:
        number = self.store.number(id)
        return None if number is None or not self._alive[number] else number

    def remember(self, tallies: Tallies) -> None:
        """What became of its queries before they came here."""
        self._before = tallies if tallies.any() else None

    def tallies(self) -> Tallies:
        """What became of each query that is left."""
        now = self.frozen.tallies()
        return (now if self._before is None else now + self._before)[self._alive > 0]

    def add_to(self, stats: EngineStats) -> None:
        """Count what is here."""
        stats.queries += len(self)
        stats.patterns += self.size.patterns
        stats.tuples += self.size.tuples
        stats.distinct_tuples += self.size.distinct_tuples
        stats.words += self.size.words
        stats.bytes.update(self.frozen.bytes())
        stats.bytes.update(self.store.bytes())

    def match(self, asked: Verification, report: MatchReport, wanted: Wanted) -> list[str]:
        """The ids of the matching queries among those that are wanted, in order of registration."""
        return self.store.ids(self.frozen.match(asked, wanted, report))

    def match_batch(
        self, batch: PublicationColumns, asked: Asked, report: BatchReport, wanted: Wanted
    ) -> tuple[npt.NDArray[np.int64], pa.Array]:
        """The same for many publications: the number of a publication, and the id of a query, for each match."""
        publications, queries = self.frozen.match_batch(batch, asked, wanted, report)
        return publications, self.store.id_column.take(pa.array(queries))

    def wanted(self, tags: frozenset[str] | None) -> Wanted:
        """The queries that are there now; with `tags`, those that have one of them."""
        if tags is None:
            return self._wanted
        return Wanted(self._alive & self.store.with_tags(tags), self.store.id)


def freeze_queries(
    queries: Iterable[tuple[RegisteredQuery, PreparedQuery]],
    layout: Layout,
    sample: Sample,
    base: str | None,
) -> FrozenSegment:
    """A frozen segment of these queries, which come in order of registration. `sample` tells what is frequent."""
    columns = Columns()
    registered: list[RegisteredQuery] = []
    for query, prepared in queries:
        registered.append(query)
        columns.add(prepared)
    store = QueryStore.of(registered)
    searched = None if columns.searched is None else frozenset(columns.searched)
    frozen = Frozen(freeze(columns, layout, sample), list(columns.analyses), searched, store.text, base)
    words = sum(key[0] == "W" for key in columns.strings)
    size = FrozenSize(len(columns.patterns), len(columns.tuple_numbers), len(columns.tuples), words)
    return FrozenSegment(frozen, store, size)
