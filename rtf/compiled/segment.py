"""Queries that have been frozen together; they can be removed, by a mark, but none can be added."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rtf.compiled.columns import Columns
from rtf.compiled.freeze import freeze
from rtf.compiled.frozen import Frozen
from rtf.forest import Layout
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from rtf.selectivity import Selectivity
from rtf.verification import Verification
from sparql_ft import PreparedQuery

__all__ = ["FrozenSegment"]


class FrozenSegment:
    """A frozen index and the queries in it, in order of registration."""

    def __init__(
        self,
        queries: Iterable[tuple[RegisteredQuery, PreparedQuery]],
        layout: Layout,
        selectivity: Selectivity,
        base: str | None,
    ) -> None:
        columns = Columns()
        self.queries: list[RegisteredQuery] = []
        for query, prepared in queries:
            self.queries.append(query)
            columns.add(prepared)
        self._numbers = {query.id: number for number, query in enumerate(self.queries)}
        self._alive = np.ones(len(self.queries), np.uint8)
        self._ids = np.array([query.id for query in self.queries] or [""], dtype=object)
        self.patterns = len(columns.patterns)
        self.tuples = len(columns.tuple_numbers)
        self.distinct_tuples = len(columns.tuples)
        self._frozen = Frozen(
            freeze(columns, layout, selectivity),
            list(columns.analyses),
            None if columns.searched is None else frozenset(columns.searched),
            lambda number: self.queries[number].text,
            base,
        )

    def __len__(self) -> int:
        """How many queries are left."""
        return len(self._numbers)

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    @property
    def bytes(self) -> int:
        """The size of the index."""
        return self._frozen.buffer.nbytes

    def alive(self) -> list[RegisteredQuery]:
        """The queries that have not been removed."""
        return [self.queries[number] for number in self._numbers.values()]

    def remove(self, id: str) -> None:
        """Mark a query as removed."""
        self._alive[self._numbers.pop(id)] = 0

    def match(self, asked: Verification, report: MatchReport) -> list[int]:
        """The numbers of the matching queries, in order of registration."""
        return self._frozen.match(asked, self._alive, report, lambda number: self.queries[number].id)

    def ids(self, numbers: list[int]) -> list[str]:
        """The ids of queries."""
        found: list[str] = self._ids[numbers].tolist()
        return found
