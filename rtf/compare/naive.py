"""The zero line: every query is evaluated on every publication, one after the other."""

from __future__ import annotations

from collections.abc import Iterable

from sparql_ft import Evaluator, Publication, Query, prepare

__all__ = ["Naive"]


class Naive:
    """No index."""

    def __init__(self) -> None:
        self._queries: dict[str, Query] = {}

    def __len__(self) -> int:
        return len(self._queries)

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """Add queries."""
        self._queries.update((id, prepare(text).query) for id, text in queries)

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        evaluator = Evaluator(publication, max_steps=None)
        return [id for id, query in self._queries.items() if evaluator.matches(query)]
