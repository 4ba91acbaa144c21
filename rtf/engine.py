"""The engine: queries are registered once, every publication is matched against all of them."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rtf.errors import DuplicateQueryError, RegistrationError, UnknownQueryError
from rtf.forest import Layout
from rtf.match import Match
from rtf.matching import MAX_STEPS, Matching, MatchReport
from rtf.ontology import Ontology
from rtf.segment import Pattern, Segment
from rtf.selectivity import Selectivity
from sparql_ft import PreparedQuery, Publication, QueryError, prepare

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Engine", "EngineStats", "RegisteredQuery"]

_log = logging.getLogger("rtf")


@dataclass(frozen=True, slots=True)
class RegisteredQuery:
    """A query as it was registered. `place` is its place in the order of registration."""

    id: str
    text: str
    owner: str | None
    tags: frozenset[str]
    place: int


@dataclass(frozen=True, slots=True)
class EngineStats:
    """What an engine holds."""

    queries: int
    patterns: int  # distinct as far as matching goes
    tuples: int  # as often as patterns use them
    distinct_tuples: int
    words: int  # distinct


class Engine:
    """Holds standing queries and tells which of them match a publication.

    `layout` chooses the trie forest (RTFS or RTFM of the paper; both give the same answers), `ontology` a closure that
    publications get before they are matched, `base` what relative IRIs and bare names in queries are relative to, and
    `max_steps` how much work one query may make of one publication before it is given up, and reported.

    Safe to use from several threads; one at a time is served.
    """

    def __init__(
        self,
        layout: Layout = "rtfs",
        ontology: Ontology | str | PathLike[str] | None = None,
        base: str | None = None,
        *,
        max_steps: int | None = MAX_STEPS,
    ) -> None:
        if layout not in ("rtfm", "rtfs"):
            raise ValueError(f"there is no layout {layout!r}; there are rtfm and rtfs")
        self.layout = layout
        self._ontology = ontology if isinstance(ontology, Ontology | None) else Ontology.read(str(ontology))
        self._base = base
        self._max_steps = max_steps
        self._selectivity = Selectivity()
        self._segment = Segment(layout, self._selectivity)
        self._queries: dict[str, RegisteredQuery] = {}
        self._places = 0
        self._lock = threading.RLock()

    # --- the set of queries -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._queries)

    def __contains__(self, id: object) -> bool:
        return id in self._queries

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The registered queries, in order of registration."""
        with self._lock:
            return iter(list(self._queries.values()))

    def __getitem__(self, id: str) -> RegisteredQuery:
        try:
            return self._queries[id]
        except KeyError:
            raise UnknownQueryError(id) from None

    def register(
        self,
        id: str,
        text: str,
        owner: str | None = None,
        tags: Iterable[str] = (),
        *,
        replace: bool = False,
    ) -> None:
        """Add a query; it is seen by the next publication.

        The same id with the same text changes nothing. With another text it is a DuplicateQueryError, unless `replace`:
        then the new query takes the place of the old one, at the end of the order of registration.

        Raises QuerySyntaxError or UnsupportedFeatureError for a text that is no query.
        """
        prepared = prepare(text, self._base)
        with self._lock:
            if self._is_known(id, text, replace=replace):
                return
            if id in self._queries:
                self._drop(id)
            self._add(id, text, prepared, owner, tags)

    def register_many(
        self,
        queries: Iterable[tuple[str, str]],
        owner: str | None = None,
        tags: Iterable[str] = (),
        *,
        replace: bool = False,
    ) -> None:
        """Add all of these queries, given as (id, text), or none: RegistrationError tells what is wrong with which."""
        with self._lock:
            errors: dict[str, QueryError | DuplicateQueryError] = {}
            new: dict[str, tuple[str, PreparedQuery]] = {}
            total = 0
            for id, text in queries:
                total += 1
                try:
                    if id in new and new[id][0] != text:
                        raise DuplicateQueryError(id)
                    if not self._is_known(id, text, replace=replace):
                        new[id] = (text, prepare(text, self._base))
                except (QueryError, DuplicateQueryError) as error:
                    errors[id] = error
            if errors:
                raise RegistrationError(errors, total)
            chosen = tuple(tags)
            for id, (text, prepared) in new.items():
                if id in self._queries:
                    self._drop(id)
                self._add(id, text, prepared, owner, chosen)

    def unregister(self, id: str) -> None:
        """Remove a query; the next publication does not see it. UnknownQueryError if there is none."""
        with self._lock:
            if id not in self._queries:
                raise UnknownQueryError(id)
            self._drop(id)

    def learn(self, publications: Iterable[Publication]) -> None:
        """Learn from a sample what is frequent, to look at the rarest part of each query first."""
        with self._lock:
            self._selectivity.learn(map(self._closed, publications))
            self._segment.choose_access()

    def _is_known(self, id: str, text: str, *, replace: bool) -> bool:
        known = self._queries.get(id)
        if known is None or (replace and known.text != text):
            return False
        if known.text != text:
            raise DuplicateQueryError(id)
        return True

    def _add(self, id: str, text: str, prepared: PreparedQuery, owner: str | None, tags: Iterable[str]) -> None:
        self._segment.add(id, prepared)
        self._queries[id] = RegisteredQuery(id, text, owner, frozenset(tags), self._places)
        self._places += 1

    def _drop(self, id: str) -> None:
        self._segment.remove(id)
        del self._queries[id]

    # --- publications -------------------------------------------------------------------------------------------------

    def match_ids(self, publication: Publication, tags: Iterable[str] | None = None) -> list[str]:
        """The ids of the queries that match, in order of registration; with `tags`, of those that have one of them.

        Queries that had to be given up are logged, and told by `report`.
        """
        return self.report(publication, tags).query_ids

    def match(self, publication: Publication, tags: Iterable[str] | None = None) -> list[Match]:
        """The same with bindings and highlights, which are worked out when they are asked for."""
        closed = self._closed(publication)
        ids = self._report(closed, tags).query_ids
        return [Match(id, self._queries[id].text, self._base, closed) for id in ids]

    def report(self, publication: Publication, tags: Iterable[str] | None = None) -> MatchReport:
        """The same with what was done for it, and which queries had to be given up."""
        return self._report(self._closed(publication), tags)

    def _report(self, publication: Publication, tags: Iterable[str] | None) -> MatchReport:
        report = MatchReport(publication.id)
        chosen = None if tags is None else frozenset(tags)

        def has_tag(pattern: Pattern) -> bool:
            return chosen is None or any(not chosen.isdisjoint(self._queries[id].tags) for id in pattern.ids)

        with self._lock:
            matching = Matching(self._segment, publication, report, max_steps=self._max_steps, wanted=has_tag)
            found = [self._queries[id] for pattern in matching.patterns() for id in pattern.ids]
            found.sort(key=lambda query: query.place)
            report.query_ids = [query.id for query in found if chosen is None or not chosen.isdisjoint(query.tags)]
        for id, why in report.failures.items():
            _log.warning("query %s has no answer on %s: %s", id, publication.id, why)
        return report

    def _closed(self, publication: Publication) -> Publication:
        return publication if self._ontology is None else self._ontology.close(publication)

    # --- looking inside -----------------------------------------------------------------------------------------------

    def stats(self) -> EngineStats:
        """What the engine holds."""
        with self._lock:
            patterns = list(self._segment.patterns)
            return EngineStats(
                queries=len(self._queries),
                patterns=len(patterns),
                tuples=sum(len(stored.numbers) for pattern in patterns for stored in pattern.alternatives),
                distinct_tuples=len(self._segment.tuples),
                words=self._segment.forest.word_count,
            )

    def counts(self, id: str) -> tuple[int, int]:
        """For how many publications the query was a candidate, and how many it matched: what finds costly queries."""
        with self._lock:
            if id not in self._queries:
                raise UnknownQueryError(id)
            pattern = self._segment.pattern(id)
            return pattern.candidates, pattern.matched
