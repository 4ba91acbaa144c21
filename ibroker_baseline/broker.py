"""IBROKER behind the interface of RTF's engine."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Final

from ibroker_baseline.arrival import MAX_STEPS, Arrival
from ibroker_baseline.entries import StoredQuery, stored_query
from ibroker_baseline.matching import matching
from ibroker_baseline.plain import PlainIndex
from ibroker_baseline.to_the_letter import LiteralIndex
from sparql_ft import PreparedQuery, Publication, QueryError, prepare
from sparql_ft.errors import DuplicateQueryError, RegistrationError, UnknownQueryError

if TYPE_CHECKING:
    import pyarrow as pa

    from ibroker_baseline.columns import BatchReport
    from ibroker_baseline.compiled.index import CompiledIndex

__all__ = ["COMPILE_AT", "IBroker"]

COMPILE_AT: Final = 256  # queries in plain Python; when there are more they are compiled
_GROWTH: Final = 4  # a compiled index is made anew once so many-th of its queries have come after it


class IBroker:
    """Holds standing queries and tells which of them match a publication, as `rtf.Engine` does.

    `base` is what relative IRIs in queries are relative to; `max_steps` bounds the work for one query on one
    publication. A query that exceeds it has no answer, which is logged. Safe to use from several threads.

    New queries go to the index in plain Python; when that has grown to `compile_at` queries, and to a fourth of those
    that are compiled, all are compiled anew. `to_the_letter` takes the paper at its word where we read it kindly, and
    compiles nothing. None of this changes an answer.
    """

    def __init__(
        self,
        base: str | None = None,
        *,
        max_steps: int | None = MAX_STEPS,
        compile_at: int | None = COMPILE_AT,
        to_the_letter: bool = False,
    ) -> None:
        self._base = base
        self._max_steps = max_steps
        self._compile_at = None if to_the_letter else compile_at  # None is never
        self.to_the_letter = to_the_letter
        self._texts: dict[str, str] = {}  # in order of registration
        self._compiled: CompiledIndex | None = None
        self._numbers: dict[str, int] = {}  # of compiled queries
        self._plain = LiteralIndex() if to_the_letter else PlainIndex()
        self._stored: dict[str, StoredQuery] = {}  # queries in plain Python, which were registered after the others
        self._places = 0
        self._lock = threading.RLock()

    def __reduce__(self) -> tuple[object, ...]:
        """Travels as its texts, to be registered again where it arrives: Spark sends matchers to executors."""
        with self._lock:
            options = (self._base, self._max_steps, self._compile_at, self.to_the_letter)
            return _restored, (options, list(self._texts.items()))

    def __len__(self) -> int:
        return len(self._texts)

    def __contains__(self, id: object) -> bool:
        return id in self._texts

    @property
    def compiled(self) -> int:
        """How many of the queries are compiled."""
        return len(self._numbers)

    def register(self, id: str, text: str, *, replace: bool = False) -> None:
        """Add a query; it is seen by the next publication.

        The same id with the same text changes nothing; with another text it is a DuplicateQueryError, unless `replace`.
        Raises QuerySyntaxError or UnsupportedFeatureError for a text that is no query.
        """
        with self._lock:
            if not self._is_known(id, text, replace=replace):
                errors = self._add({id: text})
                if errors:
                    raise errors[id]

    def register_many(self, queries: Iterable[tuple[str, str]], *, replace: bool = False) -> None:
        """Add all of these queries, or none: RegistrationError tells what is wrong with which."""
        with self._lock:
            errors: dict[str, QueryError | DuplicateQueryError] = {}
            new: dict[str, str] = {}
            total = 0
            for id, text in queries:
                total += 1
                try:
                    if new.setdefault(id, text) != text:
                        raise DuplicateQueryError(id)
                    if self._is_known(id, text, replace=replace):
                        del new[id]
                except DuplicateQueryError as error:
                    errors[id] = error
            errors |= self._add(new, only_check=bool(errors))
            if errors:
                raise RegistrationError({id: errors[id] for id in new if id in errors}, total)

    def unregister(self, id: str) -> None:
        """Remove a query; the next publication does not see it. UnknownQueryError if there is none."""
        with self._lock:
            if id not in self._texts:
                raise UnknownQueryError(id)
            del self._texts[id]
            if id in self._stored:
                for one in self._stored.pop(id).chains:
                    self._plain.remove(one)
            elif self._compiled is not None:
                self._compiled.alive[self._numbers.pop(id)] = False

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        with self._lock:
            found = []
            if self._compiled is not None:
                ids = self._compiled.ids
                found += [ids[number] for number in self._compiled.match(publication, self._max_steps)]
            if self._stored:
                arrival = Arrival(publication, self._plain.readings, self._max_steps)
                found += [query.id for query in matching(arrival, self._plain.candidates(arrival))]
            return found

    def report_batch(self, columns: pa.RecordBatch | pa.Table) -> BatchReport:
        """The matches of many publications that are columns, as `rtf.Engine.report_batch` takes them."""
        import pyarrow as pa

        from ibroker_baseline.columns import MATCHES, BatchReport, publications_in

        names: list[str] = []
        queries: list[str] = []
        count = 0
        with self._lock:
            index = None if self._stored else self._compiled
            for rows in publications_in(columns):
                count += 1
                if index is None:
                    found = self.match_ids(rows.read())
                else:
                    found = [index.ids[number] for number in index.match_rows(rows, self._max_steps)]
                names += [rows.id] * len(found)
                queries += found
        return BatchReport(count, columns.num_rows, pa.table([names, queries], schema=MATCHES))

    def _is_known(self, id: str, text: str, *, replace: bool) -> bool:
        known = self._texts.get(id)
        if known is None or (replace and known != text):
            return False
        if known != text:
            raise DuplicateQueryError(id)
        return True

    def _add(self, new: Mapping[str, str], *, only_check: bool = False) -> dict[str, QueryError]:
        """Add queries, in place of those with their ids; or none, and tell what is wrong with which.

        Texts are prepared one by one: a million of them at once would take gigabytes.
        """
        errors: dict[str, QueryError] = {}

        def prepared() -> Iterator[tuple[str, PreparedQuery]]:
            for id, text in new.items():
                try:
                    yield id, prepare(text, self._base)
                except QueryError as error:
                    errors[id] = error

        if only_check:
            deque(prepared(), maxlen=0)
        elif self._is_to_compile(len(new)):
            index = self._compile(prepared(), without=new)
            if not errors:
                self._take_texts(new)
                self._compiled, self._plain, self._stored = index, PlainIndex(), {}
                self._numbers = {id: number for number, id in enumerate(index.ids)}
        else:
            ready = list(prepared())
            if not errors:
                self._take_texts(new)
                for id, each in ready:
                    self._places += 1
                    self._stored[id] = stored_query(id, self._places, each)
                    for one in self._stored[id].chains:
                        self._plain.add(one)
        return errors

    def _is_to_compile(self, count: int) -> bool:
        """Whether so many new queries are a reason to compile all."""
        least = self._compile_at
        return least is not None and len(self._stored) + count >= max(least, len(self._numbers) // _GROWTH)

    def _compile(self, new: Iterable[tuple[str, PreparedQuery]], without: Container[str]) -> CompiledIndex:
        """All queries, less some, and new ones, as a compiled index; those that are there are prepared again."""
        from ibroker_baseline.compiled.index import CompiledIndex  # numba takes its time

        old = ((id, prepare(text, self._base)) for id, text in self._texts.items() if id not in without)
        return CompiledIndex(chain(old, new), self._texts.__getitem__, self._base)

    def _take_texts(self, new: Mapping[str, str]) -> None:
        for id, text in new.items():
            if id in self._texts:
                self.unregister(id)
            self._texts[id] = text


def _restored(options: tuple[str | None, int | None, int | None, bool], queries: list[tuple[str, str]]) -> IBroker:
    base, max_steps, compile_at, to_the_letter = options
    broker = IBroker(base, max_steps=max_steps, compile_at=compile_at, to_the_letter=to_the_letter)
    broker.register_many(queries)
    return broker
