"""The queries of a segment that can change, with what was registered with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rtf.index.selectivity import Sample
from rtf.index.verification import Verification
from rtf.mutable.forest import Layout
from rtf.mutable.matching import Matching
from rtf.mutable.segment import Segment
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from rtf.stats import TALLY, EngineStats, Tallies
from sparql_ft import PreparedQuery

__all__ = ["MutableSegment"]


class MutableSegment:
    """Queries that can change at any time. Not while a publication is matched: whoever owns it holds a lock."""

    def __init__(self, layout: Layout, sample: Sample) -> None:
        self._segment = Segment(layout, sample)
        self._queries: dict[str, RegisteredQuery] = {}

    def __len__(self) -> int:
        return len(self._queries)

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The queries, in order of registration."""
        return iter(self._queries.values())

    def kept(self) -> list[RegisteredQuery]:
        """The queries as they are now, whatever happens to the segment."""
        return list(self._queries.values())

    def find(self, id: str) -> RegisteredQuery | None:
        """The query with this id."""
        return self._queries.get(id)

    def add(self, query: RegisteredQuery, prepared: PreparedQuery) -> None:
        """Add a query whose id is not there."""
        self._segment.add(query.id, prepared)
        self._queries[query.id] = query

    def drop(self, ids: Iterable[str]) -> set[str]:
        """Remove queries; those that were there."""
        found = {id for id in ids if id in self._queries}
        for id in found:
            self._segment.remove(id)
            del self._queries[id]
        return found

    def choose_access(self) -> None:
        """Choose all access tuples anew, after selectivity was learned."""
        self._segment.choose_access()

    def match(self, asked: Verification, report: MatchReport, tags: frozenset[str] | None = None) -> list[str]:
        """The ids of the matching queries, in order of registration; with `tags`, of those that have one."""
        matching = Matching(self._segment, asked, report)
        found = [self._queries[id] for pattern in matching.patterns() for id in pattern.ids]
        found.sort(key=lambda query: query.place)
        return [query.id for query in found if tags is None or not tags.isdisjoint(query.tags)]

    def ids(self) -> Iterator[str]:
        """The ids of the queries."""
        return iter(self._queries)

    def owners(self) -> Iterator[tuple[str, str | None]]:
        """The ids of the queries, with their owners."""
        return ((query.id, query.owner) for query in self._queries.values())

    def tallies(self) -> Tallies:
        """What became of each query, in order of registration."""
        import numpy as np  # takes a while, which `rtf check` need not

        rows = {id: pattern.tally for pattern in self._segment.patterns for id in pattern.ids}
        return np.array([rows[id] for id in self._queries], np.float64).reshape(-1, len(TALLY))

    def add_to(self, stats: EngineStats) -> None:
        """Count what is here."""
        patterns = list(self._segment.patterns)
        stats.queries += len(self)
        stats.patterns += len(patterns)
        stats.tuples += sum(len(stored.numbers) for pattern in patterns for stored in pattern.alternatives)
        stats.distinct_tuples += len(self._segment.tuples)
        stats.words += self._segment.forest.word_count
