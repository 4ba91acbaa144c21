"""All queries of an engine, in segments: frozen ones, which are fast, and a mutable one, into which new queries go.

Segments stand in order of age, so also in order of registration; the last is mutable and open. When it has grown it is
closed, and frozen together with small segments before it; a segment is merged with those after it once they have a
fourth of its size. That is done by a thread of its own, which holds no lock while it works: matching goes on, and so do
changes; queries that were dropped in the meantime are marked in the new segment before it takes its place.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, Final, TypeAlias

from rtf.errors import UnknownQueryError
from rtf.index.selectivity import Sample
from rtf.mutable.forest import Layout
from rtf.mutable.queries import MutableSegment
from rtf.registered_query import RegisteredQuery
from rtf.stats import TALLY
from sparql_ft import PreparedQuery, prepare

if TYPE_CHECKING:
    from rtf.compiled.segment import FrozenSegment

__all__ = ["FREEZE_AT", "AnySegment", "Prepared", "Segments"]

AnySegment: TypeAlias = "FrozenSegment | MutableSegment"
Prepared: TypeAlias = tuple[RegisteredQuery, PreparedQuery]

FREEZE_AT: Final = 256  # queries in the mutable segment; when there are more they are frozen
_GROWTH: Final = 4


@contextmanager
def _no_collection() -> Iterator[None]:
    """Without looking for cycles, of which none are made here, among millions of objects: a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class Segments:
    """The segments of one engine.

    `lock` is held for moments only: by whoever matches against the mutable segments, or changes what there is.
    `changes` is held by whoever changes the set of queries, for as long as that takes.
    """

    def __init__(
        self, layout: Layout, base: str | None, sample: Sample, freeze_at: int | None, *, background: bool
    ) -> None:
        self._layout: Layout = layout
        self._base = base
        self._sample = sample
        self.freeze_at = freeze_at  # None is never
        self._background = background
        self.lock = threading.RLock()
        self.changes = threading.RLock()
        self.all: tuple[AnySegment, ...] = (MutableSegment(layout, sample),)
        self._dropped: set[str] | None = None  # ids, since a merge began
        self._merging: threading.Thread | None = None
        self._failure: BaseException | None = None

    def __len__(self) -> int:
        with self.lock:
            return sum(map(len, self.all))

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The queries, in order of registration."""
        with self.lock:
            return iter([query for segment in self.all for query in segment])

    def find(self, id: str) -> RegisteredQuery | None:
        """The query with this id."""
        with self.lock:
            return next((found for segment in self.all if (found := segment.find(id)) is not None), None)

    # --- changes ------------------------------------------------------------------------------------------------------

    def drop(self, id: str) -> None:
        """Remove a query. UnknownQueryError."""
        if not self._drop({id}):
            raise UnknownQueryError(id)

    def _drop(self, ids: set[str]) -> set[str]:
        """Remove the queries with these ids; those that were there."""
        with self.lock:
            found: set[str] = set()
            for segment in self.all:
                found |= segment.drop(ids - found)
            if self._dropped is not None:
                self._dropped |= found
            return found

    def add(self, queries: list[Prepared]) -> None:
        """Add a few queries to the open segment, in place of those with their ids."""
        with self.lock:
            self._drop({query.id for query, _ in queries})
            open_segment = self.all[-1]
            assert isinstance(open_segment, MutableSegment)
            for query, prepared in queries:
                open_segment.add(query, prepared)
            if self.freeze_at is None or len(open_segment) < self.freeze_at:
                return
            self._close()
        self._merge()

    def freeze(self, queries: Iterable[Prepared]) -> FrozenSegment:
        """Many queries as a segment, to be added if all is well."""
        from rtf.compiled.segment import freeze_queries

        with _no_collection():
            return freeze_queries(queries, self._layout, self._sample, self._base)

    def add_frozen(self, segment: FrozenSegment) -> None:
        """Add a segment, in place of the queries with its ids."""
        with self.lock:
            if len(self):
                self._drop(set(segment.ids()))
            self._close()
            self.all = (*self.all[:-1], segment, self.all[-1])
        self._merge()

    def _close(self) -> None:
        """No more queries go into the mutable segment; there is a new one."""
        filled = self.all if len(self.all[-1]) else self.all[:-1]
        self.all = (*filled, MutableSegment(self._layout, self._sample))

    # --- merging ------------------------------------------------------------------------------------------------------

    def freeze_open(self) -> None:
        """Freeze what is mutable now, and wait for it."""
        self.wait()
        with self.lock:
            if len(self.all[-1]) == 0:
                return
            self._close()
        self._merge_closed()

    def freeze_all(self, *, anew: bool = False) -> FrozenSegment:
        """All queries in one frozen segment that lacks none of its own; `anew` even if they are."""
        self.wait()
        with self.lock:
            first, *more = self.all
            if not anew and not isinstance(first, MutableSegment) and not first.has_removed and not any(map(len, more)):
                return first
            self._close()
        merged = self._merged(self.all[:-1])  # nobody changes anything now
        self._put(0, len(self.all) - 1, merged)
        return merged

    def relearn(self) -> None:
        """Choose all access tuples anew, after the sample has learned."""
        self.wait()
        with self.lock:
            mutable = [segment for segment in self.all if isinstance(segment, MutableSegment)]
            for segment in mutable:
                segment.choose_access()
        if len(mutable) < len(self.all):
            self.freeze_all(anew=True)

    def load(self, segment: FrozenSegment) -> None:
        """Begin with a segment."""
        self.all = (segment, self.all[-1])

    def wait(self) -> None:
        """Wait until nothing is being merged. What went wrong with that is raised here."""
        merging = self._merging
        if merging is not None:
            merging.join()
        failure, self._failure = self._failure, None
        if failure is not None:
            raise failure

    def _merge(self) -> None:
        if not self._background:
            self._merge_closed()
            return
        with self.lock:
            if self._merging is None and self._to_merge() is not None:
                self._merging = threading.Thread(target=self._merge_behind, name="rtf-merge", daemon=True)
                self._merging.start()

    def _merge_behind(self) -> None:
        try:
            self._merge_closed()
        except BaseException as error:
            self._failure = error
        finally:
            self._merging = None

    def _merge_closed(self) -> None:
        while True:
            with self.lock:
                chosen = self._to_merge()
                if chosen is None:
                    return
                first, count = chosen
                segments = self.all[first : first + count]
                self._dropped = set()
            try:
                merged = self._merged(segments)
                with self.lock:
                    merged.drop(self._dropped)
                    self._put(first, count, merged)
            finally:
                self._dropped = None

    def _to_merge(self) -> tuple[int, int] | None:
        """The first of the segments that are merged next, and how many; None if they are well as they are."""
        closed = self.all[:-1]
        waiting = [place for place, segment in enumerate(closed) if isinstance(segment, MutableSegment)]
        for last in (*waiting, len(closed) - 1):
            first, size = last, len(closed[last]) if closed else 0
            while first > 0 and len(closed[first - 1]) <= _GROWTH * size:
                first -= 1
                size += len(closed[first])
            if first < last or last in waiting:
                return first, last + 1 - first
        return None

    def _merged(self, segments: tuple[AnySegment, ...]) -> FrozenSegment:
        """Segments as one; they may lose queries while it is made."""
        import numpy as np  # late, as the segment itself

        with self.lock:
            there = [segment.kept() for segment in segments]
            tallies = np.concatenate([np.zeros((0, len(TALLY))), *(segment.tallies() for segment in segments)])
        prepared = ((query, prepare(query.text, self._base)) for query in chain.from_iterable(there))
        merged = self.freeze(prepared)
        merged.remember(tallies)
        return merged

    def _put(self, first: int, count: int, segment: FrozenSegment) -> None:
        """A segment in the place of some."""
        with self.lock:
            self.all = (*self.all[:first], segment, *self.all[first + count :])
