"""The engine: queries are registered once, every publication is matched against all of them."""

from __future__ import annotations

import dataclasses
import logging
import threading
from collections import deque
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rtf.errors import DuplicateQueryError, RegistrationError, UnknownQueryError
from rtf.index.selectivity import Sample
from rtf.index.verification import MAX_STEPS, Verification
from rtf.match import Match
from rtf.mutable.forest import Layout
from rtf.mutable.matching import Matching
from rtf.mutable.segment import Segment
from rtf.ontology import Ontology
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from sparql_ft import PreparedQuery, Publication, QueryError, prepare

if TYPE_CHECKING:
    from os import PathLike

    import pyarrow as pa

    from rtf.columns import BatchReport
    from rtf.compiled.segment import FrozenSegment
    from rtf.explanation.explanation import Explanation

__all__ = ["FREEZE_AT", "Engine", "EngineStats"]

FREEZE_AT: Final = 256  # queries in the mutable segment; when there are more they are frozen
_GROWTH: Final = 4  # a frozen segment is merged with those after it once they have a fourth of its size

_FROZEN_FOR: Final = 100  # publications in a batch; for more it pays to freeze the mutable segment

_log = logging.getLogger("rtf")


def _warn(query: str, publication: str, why: str) -> None:
    _log.warning("query %s has no answer on %s: %s", query, publication, why)


@dataclass(frozen=True, slots=True)
class EngineStats:
    """What an engine holds. Tuples and patterns count once in each segment that has them."""

    queries: int
    patterns: int  # distinct as far as matching goes
    tuples: int  # as often as patterns use them
    distinct_tuples: int
    frozen_segments: int
    frozen_bytes: int  # of their indexes


class Engine:
    """Holds standing queries and tells which of them match a publication.

    `layout` chooses the trie forest (RTFS or RTFM of the paper; both give the same answers), `ontology` a closure that
    publications get before they are matched, `base` what relative IRIs and bare names in queries are relative to, and
    `max_steps` how much work one query may make of one publication before it is given up, and reported.

    New queries go to a segment that can change; when it has grown to `freeze_at` queries they are frozen, and small
    frozen segments are merged with each other. None of this changes an answer.

    Safe to use from several threads. Changes wait for each other, and a publication is matched against the queries that
    were there when its turn came.
    """

    def __init__(
        self,
        layout: Layout = "rtfs",
        ontology: Ontology | str | PathLike[str] | None = None,
        base: str | None = None,
        *,
        max_steps: int | None = MAX_STEPS,
        freeze_at: int | None = FREEZE_AT,
    ) -> None:
        if layout not in ("rtfm", "rtfs"):
            raise ValueError(f"there is no layout {layout!r}; there are rtfm and rtfs")
        self.layout = layout
        self._ontology = ontology if isinstance(ontology, Ontology | None) else Ontology.read(str(ontology))
        self._base = base
        self._max_steps = max_steps
        self._freeze_at = freeze_at  # None is never
        self._sample = Sample()
        self._frozen: list[FrozenSegment] = []  # by age, so also by order of registration
        self._segment = Segment(layout, self._sample)
        self._mutable: dict[str, RegisteredQuery] = {}  # the queries of the mutable segment
        self._places = 0
        self._lock = threading.RLock()

    # --- the set of queries -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        with self._lock:
            return len(self._mutable) + sum(map(len, self._frozen))

    def __contains__(self, id: object) -> bool:
        with self._lock:
            return isinstance(id, str) and self._find(id) is not None

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The registered queries, in order of registration."""
        with self._lock:
            return iter([*chain(*self._frozen), *self._mutable.values()])

    def __getitem__(self, id: str) -> RegisteredQuery:
        with self._lock:
            found = self._find(id)
        if found is None:
            raise UnknownQueryError(id)
        return found

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
        query = RegisteredQuery(id, text, owner, frozenset(tags), 0)
        with self._lock:
            if not self._is_known(id, text, replace=replace):
                errors = self._add({id: query})
                if errors:
                    raise errors[id]

    def register_many(
        self,
        queries: Iterable[tuple[str, str] | RegisteredQuery],
        owner: str | None = None,
        tags: Iterable[str] = (),
        *,
        replace: bool = False,
    ) -> None:
        """Add all of these queries, or none: RegistrationError tells what is wrong with which.

        They are given as (id, text), or as RegisteredQuery with an owner and tags of its own.
        """
        chosen = frozenset(tags)
        with self._lock:
            errors: dict[str, QueryError | DuplicateQueryError] = {}
            new: dict[str, RegisteredQuery] = {}
            total = 0
            for each in queries:
                total += 1
                query = each if isinstance(each, RegisteredQuery) else RegisteredQuery(*each, owner, chosen, 0)
                try:
                    if new.setdefault(query.id, query).text != query.text:
                        raise DuplicateQueryError(query.id)
                    if self._is_known(query.id, query.text, replace=replace):
                        del new[query.id]
                except DuplicateQueryError as error:
                    errors[query.id] = error
            errors |= self._add(new, only_check=bool(errors))
            if errors:
                raise RegistrationError({id: errors[id] for id in new if id in errors}, total)

    def unregister(self, id: str) -> None:
        """Remove a query; the next publication does not see it. UnknownQueryError if there is none."""
        with self._lock:
            self._drop(id)

    def learn(self, publications: Iterable[Publication]) -> None:
        """Learn from a sample what is frequent, to look at the rarest part of each query first. Freezes all anew."""
        with self._lock:
            self._sample.learn(map(self._closed, publications))
            self._segment.choose_access()
            if self._frozen:
                self._replace_frozen(0, self._frozen_again(0))

    def _find(self, id: str) -> RegisteredQuery | None:
        for frozen in self._frozen:
            number = frozen.number(id)
            if number is not None:
                return frozen.store[number]
        return self._mutable.get(id)

    def _is_known(self, id: str, text: str, *, replace: bool) -> bool:
        known = self._find(id)
        if known is None or (replace and known.text != text):
            return False
        if known.text != text:
            raise DuplicateQueryError(id)
        return True

    def _add(self, new: dict[str, RegisteredQuery], *, only_check: bool = False) -> dict[str, QueryError]:
        """Add queries, in place of those with their ids; or none, and tell what is wrong with which.

        Texts are prepared one by one: a million of them at once would take gigabytes.
        """
        errors: dict[str, QueryError] = {}

        def prepared() -> Iterator[tuple[RegisteredQuery, PreparedQuery]]:
            for place, query in enumerate(new.values(), self._places + 1):
                try:
                    yield dataclasses.replace(query, place=place), prepare(query.text, self._base)
                except QueryError as error:
                    errors[query.id] = error

        merged = self._merged(len(new))
        if only_check:
            deque(prepared(), maxlen=0)
        elif merged is None:
            added = list(prepared())
            if not errors:
                self._drop_known(new)
                for query, its in added:
                    self._segment.add(query.id, its)
                    self._mutable[query.id] = query
        else:
            kept = len(self._frozen) - merged
            segment = self._frozen_again(kept, prepared(), without=new)
            if not errors:
                self._drop_known(new)
                self._replace_frozen(kept, segment)
        self._places += len(new)
        return errors

    def _merged(self, count: int) -> int | None:
        """How many frozen segments to merge with the mutable one and so many new queries; None: it need not freeze."""
        size = len(self._mutable) + count
        if self._freeze_at is None or size < self._freeze_at:
            return None
        merged = 0
        for frozen in reversed(self._frozen):
            if len(frozen) > _GROWTH * size:
                break
            size += len(frozen)
            merged += 1
        return merged

    def _frozen_again(
        self,
        kept: int,
        more: Iterable[tuple[RegisteredQuery, PreparedQuery]] = (),
        without: Container[str] = (),
    ) -> FrozenSegment:
        """One segment of all queries after the first `kept` frozen segments, less some, and more of them."""
        from rtf.compiled.segment import freeze_queries

        queries = (each for each in chain(*self._frozen[kept:], self._mutable.values()) if each.id not in without)
        prepared = ((query, prepare(query.text, self._base)) for query in queries)
        return freeze_queries(chain(prepared, more), self.layout, self._sample, self._base)

    def _freeze_mutable(self) -> None:
        kept = len(self._frozen) - (self._merged(0) or 0)
        self._replace_frozen(kept, self._frozen_again(kept))

    def _replace_frozen(self, kept: int, segment: FrozenSegment) -> None:
        """Put a segment in the place of all after the first `kept` frozen ones."""
        self._frozen[kept:] = [segment]
        self._segment = Segment(self.layout, self._sample)
        self._mutable = {}

    def _drop_known(self, ids: Iterable[str]) -> None:
        for id in ids:
            if self._find(id) is not None:
                self._drop(id)

    def _drop(self, id: str) -> None:
        for frozen in self._frozen:
            number = frozen.number(id)
            if number is not None:
                frozen.remove(number)
                return
        if id not in self._mutable:
            raise UnknownQueryError(id)
        self._segment.remove(id)
        del self._mutable[id]

    # --- publications -------------------------------------------------------------------------------------------------

    def match_ids(self, publication: Publication, tags: Iterable[str] | None = None) -> list[str]:
        """The ids of the queries that match, in order of registration; with `tags`, of those that have one of them.

        Queries that had to be given up are logged, and told by `report`.
        """
        return self.report(publication, tags).query_ids

    def match(self, publication: Publication, tags: Iterable[str] | None = None) -> list[Match]:
        """The same with bindings and highlights, which are worked out when they are asked for."""
        closed = self._closed(publication)
        with self._lock:
            found = self._report(closed, tags).query_ids
            return [Match(id, self[id].text, self._base, closed) for id in found]

    def report(self, publication: Publication, tags: Iterable[str] | None = None) -> MatchReport:
        """The same with what was done for it, and which queries had to be given up."""
        return self._report(self._closed(publication), tags)

    def match_batch(self, columns: pa.RecordBatch | pa.Table, tags: Iterable[str] | None = None) -> pa.Table:
        """Many publications at once, as columns (see `rtf.columns`): a table of publication and query id.

        Publications come in their order, and the queries of each in order of registration.
        """
        return self.report_batch(columns, tags).matches

    def report_batch(self, columns: pa.RecordBatch | pa.Table, tags: Iterable[str] | None = None) -> BatchReport:
        """The same with what was done for it, and which queries had to be given up."""
        import numpy as np
        import pyarrow as pa

        from rtf.columns import BatchReport, PublicationColumns, columns_of, matches_table

        batch = PublicationColumns(columns)
        if self._ontology is not None:
            batch = PublicationColumns(columns_of(map(self._closed, batch)))
        report = BatchReport(len(batch), batch.triples)
        chosen = None if tags is None else frozenset(tags)

        def asked(publication: Publication) -> Verification:
            return Verification(publication, self._max_steps)

        with self._lock:
            if self._mutable and len(batch) > _FROZEN_FOR:
                self._freeze_mutable()
            found = [frozen.match_batch(batch, asked, report, chosen) for frozen in self._frozen]
            for number, publication in enumerate(batch if self._mutable else ()):
                one = MatchReport(publication.id)
                ids = self._match_mutable(asked(publication), one, chosen)
                found.append((np.full(len(ids), number), pa.array(ids, pa.large_string())))
                report.add(one)
        report.matches = matches_table(batch, found)
        for name, id, why in report.failures:
            _warn(id, name, why)
        return report

    def _report(self, publication: Publication, tags: Iterable[str] | None) -> MatchReport:
        report = MatchReport(publication.id, triples=len(publication.triples))
        asked = Verification(publication, self._max_steps)
        chosen = None if tags is None else frozenset(tags)
        with self._lock:
            for frozen in self._frozen:
                report.query_ids += frozen.match(asked, report, chosen)
            if self._mutable:
                report.query_ids += self._match_mutable(asked, report, chosen)
        for id, why in report.failures.items():
            _warn(id, publication.id, why)
        return report

    def _match_mutable(self, asked: Verification, report: MatchReport, tags: frozenset[str] | None) -> list[str]:
        """The ids of the matching queries of the mutable segment, in order of registration."""
        matching = Matching(self._segment, asked, report)
        found = [self._mutable[id] for pattern in matching.patterns() for id in pattern.ids]
        found.sort(key=lambda query: query.place)
        return [query.id for query in found if tags is None or not tags.isdisjoint(query.tags)]

    def _closed(self, publication: Publication) -> Publication:
        return publication if self._ontology is None else self._ontology.close(publication)

    # --- files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Freeze all queries into one segment, and write it to a file."""
        from rtf.compiled.file import save_segment

        with self._lock:
            if len(self._frozen) != 1 or self._mutable or self._frozen[0].has_removed:
                self._replace_frozen(0, self._frozen_again(0))
            about = {"layout": self.layout, "base": self._base}
            save_segment(self._frozen[0], Path(path), about)

    @staticmethod
    def load(
        path: str | PathLike[str],
        ontology: Ontology | str | PathLike[str] | None = None,
        *,
        verify: bool = True,
        max_steps: int | None = MAX_STEPS,
        freeze_at: int | None = FREEZE_AT,
    ) -> Engine:
        """The engine of a file, which is mapped, not read; `verify` reads it once to find damage.

        An ontology is not part of the file. Raises IndexFileError for a file that cannot be used.
        """
        from rtf.compiled.file import load_segment

        segment, about = load_segment(Path(path), verify=verify)
        engine = Engine(about["layout"], ontology, about["base"], max_steps=max_steps, freeze_at=freeze_at)
        engine._frozen.append(segment)
        engine._places = segment.last_place
        return engine

    # --- looking inside -----------------------------------------------------------------------------------------------

    def explain(self, id: str, publication: Publication) -> Explanation:
        """Why a query matches a publication, or which tuple, word, join or condition fails. UnknownQueryError."""
        from rtf.explanation.explaining import explain

        return explain(self[id], self._closed(publication), self._base, self._max_steps)

    def stats(self) -> EngineStats:
        """What the engine holds."""
        with self._lock:
            patterns = list(self._segment.patterns)
            return EngineStats(
                queries=len(self),
                patterns=len(patterns) + sum(frozen.size.patterns for frozen in self._frozen),
                tuples=sum(len(stored.numbers) for pattern in patterns for stored in pattern.alternatives)
                + sum(frozen.size.tuples for frozen in self._frozen),
                distinct_tuples=len(self._segment.tuples) + sum(each.size.distinct_tuples for each in self._frozen),
                frozen_segments=len(self._frozen),
                frozen_bytes=sum(frozen.frozen.buffer.nbytes for frozen in self._frozen),
            )
