"""A frozen index seen from Python: publications in, numbers of queries out.

The kernel decides what it can. Alternatives with anything else in them (phrases, distances, conditions, joins, a
residual) come back as pending, once all their tuples have been hit, and are verified here, with the query prepared
again from its text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from time import perf_counter
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rtf.columns import BatchReport, PublicationColumns
from rtf.compiled.kernel.alternatives import add_tallies
from rtf.compiled.kernel.arrays import (
    CANDIDATES,
    FULL,
    N_PENDING,
    N_QUERIES,
    NEW_WORDS,
    NEXT,
    NO_ROOM,
    NODES_VISITED,
    STATE,
    TUPLES,
    UNCLEAR,
)
from rtf.compiled.kernel.publications import match_rows
from rtf.compiled.records import Record, read_record
from rtf.compiled.rows import Rows, encode, rows_of
from rtf.compiled.scratch import ScratchSpace, TakenSpace
from rtf.compiled.sections import SECTIONS, SIZES, Int32s, section
from rtf.index.tuples import IndexAlternative, IndexTuple, index_alternative
from rtf.index.verification import Candidate, Verification
from rtf.report import MatchReport
from rtf.stats import TALLY, Tallies
from sparql_ft import Publication, Query, prepare
from sparql_ft.analyser import Analysis
from sparql_ft.terms import Triple

__all__ = ["Asked", "Frozen", "Wanted"]

_CACHED = 4096  # queries that are kept prepared


@dataclass(frozen=True, slots=True)
class Wanted:
    """The queries that are asked about: `alive` has a 1 for each of them, and is empty if it is all."""

    alive: npt.NDArray[np.uint8]
    name: Callable[[int], str]  # number -> id

    def __contains__(self, query: int) -> bool:
        return not len(self.alive) or bool(self.alive[query])


Asked: TypeAlias = Callable[[Publication], Verification]


class Frozen:
    """Queries that do not change, numbered from 0. Safe to use from several threads at once."""

    def __init__(
        self,
        buffer: Int32s,
        analyses: Sequence[Analysis],
        searched: frozenset[str] | None,
        text: Callable[[int], str],
        base: str | None,
    ) -> None:
        self.buffer = buffer
        self.analyses = tuple(analyses)
        self.searched = searched
        self._records = section(buffer, "records")
        self._n_queries = int(section(buffer, "sizes")[SIZES.index("queries")])
        self._spaces: list[ScratchSpace] = []  # all there are, and those that nobody uses now
        self._free: deque[ScratchSpace] = deque()
        self._form = lru_cache(_CACHED)(lambda query: _prepared(text(query), base))

    def match(self, asked: Verification, wanted: Wanted, report: MatchReport) -> Int32s:
        """The numbers of the matching queries among those that are wanted, ascending."""
        space = self._take_space()
        try:
            return self._match(space, asked, wanted, report)
        finally:
            self._free.append(space)

    def _match(self, space: ScratchSpace, asked: Verification, wanted: Wanted, report: MatchReport) -> Int32s:
        rows, triples = encode(asked.publication, self.analyses, self.searched)
        taken = space.one
        self._run(space, taken, wanted, rows)
        counts = space.counts.tolist()
        if counts[STATE] == UNCLEAR:
            rows, _ = encode(asked.publication, self.analyses, self.searched, all_words=True)
            self._run(space, taken, wanted, rows)
            counts = space.counts.tolist()
        assert counts[STATE] != UNCLEAR, f"a publication that was read cannot be unclear: {asked.publication.id}"
        report.tuples += counts[TUPLES]
        report.candidates += counts[CANDIDATES]
        report.nodes_visited += counts[NODES_VISITED]
        found = taken.first(counts[N_QUERIES])
        if counts[N_PENDING]:
            known, pending, hits = taken.of(0)
            more = self._verify(space, asked, pending, _Hits(asked, hits, triples), set(known), wanted, report)
            if more:
                found = np.sort(np.concatenate([found, np.array(more, np.int32)]))
        return found

    def _run(self, space: ScratchSpace, taken: TakenSpace, wanted: Wanted, rows: Rows) -> None:
        """Have the kernel match publications."""
        first = 0
        space.take_to(taken)
        while state := match_rows(space.table, wanted.alive, *rows, first):
            first = int(space.counts[NEXT])
            if state == FULL:
                space.grow()
            elif state == NO_ROOM:
                taken.grow(first)
            else:
                assert state == NEW_WORDS
                space.learn()
            space.take_to(taken)

    def match_batch(
        self, batch: PublicationColumns, asked: Asked, wanted: Wanted, report: BatchReport
    ) -> tuple[npt.NDArray[np.int64], Int32s]:
        """Pairs of a publication's number and a query's number, ordered by both."""
        space = self._take_space()
        try:
            return self._match_batch(space, batch, asked, wanted, report)
        finally:
            self._free.append(space)

    def _match_batch(
        self, space: ScratchSpace, batch: PublicationColumns, asked: Asked, wanted: Wanted, report: BatchReport
    ) -> tuple[npt.NDArray[np.int64], Int32s]:
        taken = TakenSpace(len(batch))
        self._run(space, taken, wanted, rows_of(batch))
        publications, queries = taken.matches()
        more_publications: list[int] = []
        more_queries: list[int] = []
        for number in taken.unfinished():
            publication, triples = batch.read(number)
            about = asked(publication)
            one = MatchReport(publication.id)
            if taken.is_unclear(number):
                more = self._match(space, about, wanted, one).tolist()
            else:
                known, pending, hits = taken.of(number)
                more = self._verify(space, about, pending, _Hits(about, hits, triples), set(known), wanted, one)
            more_publications += [number] * len(more)
            more_queries += more
            report.add(one)
        if more_queries:
            publications = np.concatenate([publications, np.array(more_publications, np.int64)])
            queries = np.concatenate([queries, np.array(more_queries, np.int32)])
            order = np.lexsort((queries, publications))
            publications, queries = publications[order], queries[order]
        return publications, queries

    def tallies(self) -> Tallies:
        """What became of each query here."""
        found = np.zeros((self._n_queries, len(TALLY)))
        for space in list(self._spaces):
            add_tallies(self._records, space.tallies, found)
            for query, rows in list(space.verified.items()):
                found[query, 1:] += rows
        return found

    def bytes(self) -> dict[str, int]:
        """How large it is, by part."""
        size = {name: section(self.buffer, name).nbytes for name in SECTIONS}
        return {
            "dictionary": size["string_slots"] + size["strings"],
            "forest": size["nodes"] + size["edges"] + size["edge_slots"] + size["ends"] + size["intervals"],
            "records": size["record_starts"] + size["records"],
        }

    def _take_space(self) -> ScratchSpace:
        """What to write on, for one caller at a time, who puts it back to those that are free."""
        try:
            space = self._free.pop()
        except IndexError:
            space = ScratchSpace(self.buffer, self.analyses)
            self._spaces.append(space)
        space.refresh()
        return space

    def _verify(
        self,
        space: ScratchSpace,
        asked: Verification,
        pending: list[int],
        hits: _Hits,
        matched: set[int],
        wanted: Wanted,
        report: MatchReport,
    ) -> list[int]:
        """The queries of those pending alternatives that hold."""
        patterns: dict[int, list[Record]] = {}
        for start in pending:
            record = read_record(self._records, start)
            patterns.setdefault(record.pattern, []).append(record)
        found: list[int] = []
        for records in patterns.values():
            queries = [query for query in records[0].queries if query in wanted]
            if not queries or queries[0] in matched:  # the kernel knows another alternative that holds
                continue
            began = perf_counter()
            holds = False
            try:
                query, forms = self._form(queries[0])
                holds = asked.is_match(_candidates(forms, records, hits), query, report)
            except Exception as error:  # whatever it is, the other queries are answered
                report.fail(map(wanted.name, queries), error)
            if holds:
                found.extend(queries)
            seconds = perf_counter() - began
            for number in queries:
                space.count(number, seconds, holds=holds)
        return found


def _candidates(forms: list[IndexAlternative], records: list[Record], hits: _Hits) -> Iterator[Candidate]:
    for record in records:
        form = forms[record.place]

        def satisfying(place: int, form: IndexAlternative = form, record: Record = record) -> list[Triple]:
            return hits.satisfying(record.tuples[place], form.tuples[place])

        yield form, satisfying


class _Hits:
    """The triples that hit each tuple, and which of them satisfy it: asked once, however many queries share it."""

    def __init__(self, asked: Verification, hits: Int32s, triples: Sequence[Triple]) -> None:
        self._asked = asked
        self._triples = triples
        self._places: dict[int, dict[int, None]] = {}
        for number, place, _ in hits.reshape(-1, 3).tolist():
            self._places.setdefault(number, {})[place] = None  # several paths may lead to one tuple
        self._known: dict[int, list[Triple] | Exception] = {}

    def satisfying(self, number: int, each: IndexTuple) -> list[Triple]:
        """The triples that satisfy a tuple; what went wrong when it was first asked is raised again."""
        known = self._known.get(number)
        if known is None:
            try:
                hit = (self._triples[place] for place in self._places[number])
                known = [triple for triple in hit if self._asked.satisfies(triple, each)]
            except Exception as error:
                known = error
            self._known[number] = known
        if isinstance(known, Exception):
            raise known
        return known


def _prepared(text: str, base: str | None) -> tuple[Query, list[IndexAlternative]]:
    prepared = prepare(text, base)
    return prepared.query, [index_alternative(each) for each in prepared.tuples.alternatives]
