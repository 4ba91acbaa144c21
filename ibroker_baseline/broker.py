"""IBROKER behind the interface of RTF's engine."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ibroker_baseline.arrival import MAX_STEPS, Arrival
from ibroker_baseline.entries import StoredQuery, stored_query
from ibroker_baseline.matching import matching
from ibroker_baseline.plain import PlainIndex
from sparql_ft import PreparedQuery, Publication, QueryError, prepare
from sparql_ft.errors import DuplicateQueryError, RegistrationError, UnknownQueryError

__all__ = ["IBroker"]


class IBroker:
    """Holds standing queries and tells which of them match a publication, as `rtf.Engine` does.

    `base` is what relative IRIs in queries are relative to; `max_steps` bounds the work for one query on one
    publication. A query that exceeds it has no answer, which is logged. Safe to use from several threads.
    """

    def __init__(self, base: str | None = None, *, max_steps: int | None = MAX_STEPS) -> None:
        self._base = base
        self._max_steps = max_steps
        self._texts: dict[str, str] = {}
        self._plain = PlainIndex()
        self._stored: dict[str, StoredQuery] = {}
        self._places = 0
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, id: object) -> bool:
        return id in self._texts

    def register(self, id: str, text: str, *, replace: bool = False) -> None:
        """Add a query; it is seen by the next publication.

        The same id with the same text changes nothing; with another text it is a DuplicateQueryError, unless `replace`.
        Raises QuerySyntaxError or UnsupportedFeatureError for a text that is no query.
        """
        with self._lock:
            if not self._is_known(id, text, replace=replace):
                self._add(id, text, prepare(text, self._base))

    def register_many(self, queries: Iterable[tuple[str, str]], *, replace: bool = False) -> None:
        """Add all of these queries, or none: RegistrationError tells what is wrong with which."""
        errors: dict[str, QueryError | DuplicateQueryError] = {}
        new: dict[str, tuple[str, PreparedQuery]] = {}
        total = 0
        with self._lock:
            for id, text in queries:
                total += 1
                try:
                    if id in new and new[id][0] != text:
                        raise DuplicateQueryError(id)
                    if id not in new and not self._is_known(id, text, replace=replace):
                        new[id] = text, prepare(text, self._base)
                except (QueryError, DuplicateQueryError) as error:
                    errors[id] = error
            if errors:
                raise RegistrationError(errors, total)
            for id, (text, prepared) in new.items():
                self._add(id, text, prepared)

    def unregister(self, id: str) -> None:
        """Remove a query; the next publication does not see it. UnknownQueryError if there is none."""
        with self._lock:
            if id not in self._texts:
                raise UnknownQueryError(id)
            del self._texts[id]
            for chain in self._stored.pop(id).chains:
                self._plain.remove(chain)

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        with self._lock:
            arrival = Arrival(publication, self._plain.readings, self._max_steps)
            return [query.id for query in matching(arrival, self._plain.candidates(arrival))]

    def _is_known(self, id: str, text: str, *, replace: bool) -> bool:
        known = self._texts.get(id)
        if known is None or (replace and known != text):
            return False
        if known != text:
            raise DuplicateQueryError(id)
        return True

    def _add(self, id: str, text: str, prepared: PreparedQuery) -> None:
        if id in self._texts:
            self.unregister(id)
        self._texts[id] = text
        self._places += 1
        stored = self._stored[id] = stored_query(id, self._places, prepared)
        for chain in stored.chains:
            self._plain.add(chain)
