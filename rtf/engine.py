"""The engine: queries are registered once, every publication is matched against all of them."""

from __future__ import annotations

import dataclasses
import logging
from collections import deque
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rtf.errors import DuplicateQueryError, RegistrationError, UnknownQueryError
from rtf.index.selectivity import Sample
from rtf.index.verification import MAX_STEPS, Verification
from rtf.match import Match
from rtf.mutable.forest import Layout
from rtf.mutable.queries import MutableSegment
from rtf.ontology import Ontology
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from rtf.segments import FREEZE_AT, Prepared, Segments
from rtf.stats import EngineStats, QueryTally, tally
from sparql_ft import Publication, QueryError, prepare

if TYPE_CHECKING:
    from os import PathLike

    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from rtf.columns import BatchReport, PublicationColumns
    from rtf.explanation.explanation import Explanation

__all__ = ["Engine"]

_FROZEN_FOR: Final = 100  # publications in a batch; for more it pays to freeze what is mutable

_log = logging.getLogger("rtf")


class Engine:
    """Holds standing queries and tells which of them match a publication.

    `layout` chooses the trie forest (RTFS or RTFM of the paper; both give the same answers), `ontology` a closure that
    publications get before they are matched, `base` what relative IRIs and bare names in queries are relative to, and
    `max_steps` how much work one query may make of one publication before it is given up, and reported.

    New queries go to a segment that can change; when it has grown to `freeze_at` queries they are frozen, and small
    frozen segments are merged with each other, by a thread of their own unless `background` is false. None of this
    changes an answer.

    Safe to use from several threads. Changes wait for each other, but not for matching, nor matching for them; a
    publication is matched against the queries that were there when its turn came.
    """

    def __init__(
        self,
        layout: Layout = "rtfs",
        ontology: Ontology | str | PathLike[str] | None = None,
        base: str | None = None,
        *,
        max_steps: int | None = MAX_STEPS,
        freeze_at: int | None = FREEZE_AT,
        background: bool = True,
    ) -> None:
        if layout not in ("rtfm", "rtfs"):
            raise ValueError(f"there is no layout {layout!r}; there are rtfm and rtfs")
        self.layout = layout
        self.ontology = ontology if isinstance(ontology, Ontology | None) else Ontology.read(str(ontology))
        self._base = base
        self.max_steps = max_steps
        self._sample = Sample()
        self._segments = Segments(layout, base, self._sample, freeze_at, background=background)
        self._places = count(1)

    # --- the set of queries -------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._segments)

    def __contains__(self, id: object) -> bool:
        return isinstance(id, str) and self._segments.find(id) is not None

    def __iter__(self) -> Iterator[RegisteredQuery]:
        """The registered queries, in order of registration."""
        return iter(self._segments)

    def __getitem__(self, id: str) -> RegisteredQuery:
        found = self._segments.find(id)
        if found is None:
            raise UnknownQueryError(id)
        return found

    def owners(self) -> dict[str, str | None]:
        """The owner of each query, without unpacking the texts of all."""
        with self._segments.lock:
            return dict(pair for segment in self._segments.all for pair in segment.owners())

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
        with self._segments.changes:
            if not self._is_known(id, text, replace=replace):
                query = RegisteredQuery(id, text, owner, frozenset(tags), next(self._places))
                self._segments.add([(query, prepare(text, self._base))])

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
        with self._segments.changes:
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
        with self._segments.changes:
            self._segments.drop(id)

    def learn(self, publications: Iterable[Publication]) -> None:
        """Learn from a sample what is frequent, to look at the rarest part of each query first. Freezes all anew."""
        with self._segments.changes:
            self._segments.wait()
            self._sample.learn(map(self._closed, publications))
            self._segments.relearn()

    def wait(self) -> None:
        """Wait until segments are merged. Nobody has to: it makes matching faster, not different."""
        self._segments.wait()

    def _is_known(self, id: str, text: str, *, replace: bool) -> bool:
        known = self._segments.find(id)
        if known is None or (replace and known.text != text):
            return False
        if known.text != text:
            raise DuplicateQueryError(id)
        return True

    def _add(self, new: dict[str, RegisteredQuery], *, only_check: bool) -> dict[str, QueryError]:
        """Add queries, in place of those with their ids; or none, and tell what is wrong with which.

        Texts are prepared one by one: a million of them at once would take gigabytes.
        """
        errors: dict[str, QueryError] = {}

        def prepared() -> Iterator[Prepared]:
            for query in new.values():
                try:
                    its = prepare(query.text, self._base)
                    yield dataclasses.replace(query, place=next(self._places)), its
                except QueryError as error:
                    errors[query.id] = error

        freeze_at = self._segments.freeze_at
        if only_check:
            deque(prepared(), maxlen=0)
        elif freeze_at is None or len(new) < freeze_at:
            added = list(prepared())
            if not errors:
                self._segments.add(added)
        else:
            segment = self._segments.freeze(prepared())
            if not errors:
                self._segments.add_frozen(segment)
        return errors

    # --- publications -------------------------------------------------------------------------------------------------

    def match_ids(self, publication: Publication, tags: Iterable[str] | None = None) -> list[str]:
        """The ids of the queries that match, in order of registration; with `tags`, of those that have one of them.

        Queries that had to be given up are logged, and told by `report`.
        """
        return self.report(publication, tags).query_ids

    def match(self, publication: Publication, tags: Iterable[str] | None = None) -> list[Match]:
        """The same with bindings and highlights, which are worked out when they are asked for."""
        closed = self._closed(publication)
        found = ((id, self._segments.find(id)) for id in self._report(closed, tags).query_ids)
        return [Match(id, query.text, self._base, closed) for id, query in found if query is not None]

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
        from rtf.columns import BatchReport, PublicationColumns, matches_table

        batch = PublicationColumns(columns)
        if self.ontology is not None:
            batch = self.ontology.close_columns(batch)
        if len(batch) > _FROZEN_FOR and self._segments.freeze_at is not None:
            with self._segments.changes:
                self._segments.freeze_open()
        report = BatchReport(len(batch), batch.triples)
        chosen = None if tags is None else frozenset(tags)
        with self._segments.lock:
            now = [
                self._match_mutable(segment, batch, report, chosen)
                if isinstance(segment, MutableSegment)
                else partial(segment.match_batch, batch, self._asked, report, segment.wanted(chosen))
                for segment in self._segments.all
            ]
        report.matches = matches_table(batch, [found() if callable(found) else found for found in now])
        for publication, id, why in report.failures:
            _warn(id, publication, why)
        return report

    def _match_mutable(
        self, segment: MutableSegment, batch: PublicationColumns, report: BatchReport, tags: frozenset[str] | None
    ) -> tuple[npt.NDArray[np.int64], pa.Array]:
        import numpy as np
        import pyarrow as pa

        numbers: list[int] = []
        ids: list[str] = []
        for number, publication in enumerate(batch if len(segment) else ()):
            one = MatchReport(publication.id)
            found = segment.match(self._asked(publication), one, tags)
            numbers += [number] * len(found)
            ids += found
            report.add(one)
        return np.array(numbers, np.int64), pa.array(ids, pa.large_string())

    def _report(self, publication: Publication, tags: Iterable[str] | None) -> MatchReport:
        report = MatchReport(publication.id, triples=len(publication.triples))
        asked = self._asked(publication)
        chosen = None if tags is None else frozenset(tags)
        with self._segments.lock:  # mutable segments must not change now; frozen ones never do
            now = [
                segment.match(asked, report, chosen)
                if isinstance(segment, MutableSegment)
                else partial(segment.match, asked, report, segment.wanted(chosen))
                for segment in self._segments.all
                if len(segment)
            ]
        for found in now:
            report.query_ids += found() if callable(found) else found
        for id, why in report.failures.items():
            _warn(id, publication.id, why)
        return report

    def _asked(self, publication: Publication) -> Verification:
        return Verification(publication, self.max_steps)

    def _closed(self, publication: Publication) -> Publication:
        return publication if self.ontology is None else self.ontology.close(publication)

    # --- files --------------------------------------------------------------------------------------------------------

    def save(self, path: str | PathLike[str]) -> None:
        """Freeze all queries into one segment, and write it to a file."""
        from rtf.compiled.file import save_segment

        with self._segments.changes:
            save_segment(self._segments.freeze_all(), Path(path), {"layout": self.layout, "base": self._base})

    @staticmethod
    def load(
        path: str | PathLike[str],
        ontology: Ontology | str | PathLike[str] | None = None,
        *,
        verify: bool = True,
        max_steps: int | None = MAX_STEPS,
        freeze_at: int | None = FREEZE_AT,
        background: bool = True,
    ) -> Engine:
        """The engine of a file, which is mapped, not read; `verify` reads it once to find damage.

        An ontology is not part of the file. Raises IndexFileError for a file that cannot be used.
        """
        from rtf.compiled.file import load_segment

        segment, about = load_segment(Path(path), verify=verify)
        engine = Engine(
            about["layout"],
            ontology,
            about["base"],
            max_steps=max_steps,
            freeze_at=freeze_at,
            background=background,
        )
        engine._segments.load(segment)
        engine._places = count(segment.last_place + 1)
        return engine

    # --- looking inside -----------------------------------------------------------------------------------------------

    def explain(self, id: str, publication: Publication) -> Explanation:
        """Why a query matches a publication, or which tuple, word, join or condition fails. UnknownQueryError."""
        from rtf.explanation.explaining import explain

        return explain(self[id], self._closed(publication), self._base, self.max_steps)

    def stats(self) -> EngineStats:
        """What the engine holds."""
        stats = EngineStats()
        with self._segments.lock:
            for segment in self._segments.all:
                if len(segment):
                    stats.segments += 1
                segment.add_to(stats)
        return stats

    def tallies(self) -> Iterator[tuple[str, QueryTally]]:
        """How often each query was candidate and how often it matched, and what that took; costliest first."""
        import numpy as np

        with self._segments.lock:
            ids = [id for segment in self._segments.all for id in segment.ids()]
            rows = np.concatenate([segment.tallies() for segment in self._segments.all])
        return ((ids[number], tally(rows[number])) for number in np.lexsort((-rows[:, 0], -rows[:, 3])).tolist())


def _warn(query: str, publication: str, why: str) -> None:
    _log.warning("query %s has no answer on %s: %s", query, publication, why)
