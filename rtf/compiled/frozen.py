"""A frozen index seen from Python: publications in, numbers of queries out.

The kernel decides what it can. Alternatives with anything else in them (phrases, distances, conditions, joins, a
residual) come back as pending, once all their tuples have been hit, and are verified here, with the query prepared
again from its text.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rtf.compiled.encoding import encode
from rtf.compiled.folding import fold_table
from rtf.compiled.kernel import COUNTS, HIT_TRIPLES, HIT_TUPLES, LISTS, PENDING, QUERIES, match_publication
from rtf.compiled.sections import Int32s, section
from rtf.index.tuples import IndexAlternative, IndexTuple, index_alternative
from rtf.index.verification import Candidate, Verification
from rtf.report import MatchReport
from sparql_ft import Query, prepare
from sparql_ft.analyser import Analysis
from sparql_ft.terms import Triple

__all__ = ["Frozen"]

_CAPACITY = 4096  # of each list of the kernel, to begin with
_RESTAMP = 2**31 - 2**28  # serial numbers are int32; past this they begin again
_CACHED = 4096  # queries that are kept prepared


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
        self._raw = buffer.view(np.uint8)
        self._folded = fold_table()
        self._sections: dict[str, Any] = {
            name: section(buffer, name)
            for name in (
                *("alternative_patterns", "alternative_places", "tuple_starts", "tuple_numbers"),
                *("query_starts", "queries"),
            )
        }
        self._threads = threading.local()
        self._form = lru_cache(_CACHED)(lambda query: _prepared(text(query), base))

    def match(
        self, asked: Verification, alive: npt.NDArray[np.uint8], report: MatchReport, name: Callable[[int], str]
    ) -> list[int]:
        """The numbers of the matching queries among those that are alive, ascending. `name` gives their ids."""
        scratch = self._scratch()
        data, triples = encode(asked.publication, self.analyses, self.searched)
        while not match_publication(
            self.buffer,
            self._raw,
            self._folded,
            alive,
            np.frombuffer(bytearray(data), np.uint8),
            scratch.stamps,
            scratch.lists,
            scratch.capacity,
            scratch.counts,
        ):
            scratch.grow()
        n_queries, n_pending, n_hits, visited, tuples, candidates, _ = scratch.counts.tolist()
        report.tuples += tuples
        report.candidates += candidates
        report.nodes_visited += visited
        found: list[int] = scratch.list(QUERIES, n_queries).tolist()
        if n_pending:
            pending: list[int] = scratch.list(PENDING, n_pending).tolist()
            tuple_numbers = scratch.list(HIT_TUPLES, n_hits).tolist()
            hits = _Hits(asked, tuple_numbers, scratch.list(HIT_TRIPLES, n_hits).tolist(), triples)
            more = self._verify(asked, pending, hits, alive, set(found), report, name)
            found = sorted([*found, *more])
        return found

    def _scratch(self) -> _Scratch:
        scratch: _Scratch | None = getattr(self._threads, "scratch", None)
        if scratch is None:
            scratch = self._threads.scratch = _Scratch(self.buffer)
        if scratch.counts[-1] > _RESTAMP:
            scratch.stamps[:] = 0
            scratch.counts[-1] = 0
        return scratch

    def _verify(
        self,
        asked: Verification,
        pending: list[int],
        hits: _Hits,
        alive: npt.NDArray[np.uint8],
        matched: set[int],
        report: MatchReport,
        name: Callable[[int], str],
    ) -> list[int]:
        """The queries of those pending alternatives that hold."""
        patterns: dict[int, list[int]] = {}
        for alternative in pending:
            patterns.setdefault(int(self._sections["alternative_patterns"][alternative]), []).append(alternative)
        found: list[int] = []
        for pattern, alternatives in patterns.items():
            start, end = self._sections["query_starts"][pattern : pattern + 2]
            queries = [query for query in self._sections["queries"][start:end].tolist() if alive[query]]
            if not queries or queries[0] in matched:  # the kernel knows another alternative that holds
                continue
            try:
                query, forms = self._form(queries[0])
                if asked.is_match(self._candidates(forms, alternatives, hits), query, report):
                    found.extend(queries)
            except Exception as error:  # whatever it is, the other queries are answered
                report.fail(map(name, queries), error)
        return found

    def _candidates(self, forms: list[IndexAlternative], alternatives: list[int], hits: _Hits) -> Iterator[Candidate]:
        for alternative in alternatives:
            form = forms[self._sections["alternative_places"][alternative]]
            start, end = self._sections["tuple_starts"][alternative : alternative + 2]
            numbers = self._sections["tuple_numbers"][start:end].tolist()

            def satisfying(place: int, form: IndexAlternative = form, numbers: list[int] = numbers) -> list[Triple]:
                return hits.satisfying(numbers[place], form.tuples[place])

            yield form, satisfying


class _Hits:
    """The triples that hit each tuple, and which of them satisfy it: asked once, however many queries share it."""

    def __init__(self, asked: Verification, tuples: list[int], places: list[int], triples: Sequence[Triple]) -> None:
        self._asked = asked
        self._triples = triples
        self._places: dict[int, dict[int, None]] = {}
        for number, place in zip(tuples, places, strict=True):
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


class _Scratch:
    """What the kernel writes on: one for each thread."""

    def __init__(self, buffer: Int32s) -> None:
        sizes = section(buffer, "sizes")
        alternatives = len(section(buffer, "alternative_patterns"))
        self.stamps = np.zeros(int(sizes[1] + 2 * sizes[2] + sizes[3]) + alternatives, np.int32)
        self.counts = np.zeros(len(COUNTS), np.int64)
        self.capacity = _CAPACITY
        self.lists = np.empty(LISTS * self.capacity, np.int32)

    def grow(self) -> None:
        """Make room for longer lists."""
        self.capacity *= 4
        self.lists = np.empty(LISTS * self.capacity, np.int32)

    def list(self, number: int, length: int) -> Int32s:
        """The beginning of one of the lists."""
        return self.lists[number * self.capacity : number * self.capacity + length]


def _prepared(text: str, base: str | None) -> tuple[Query, list[IndexAlternative]]:
    prepared = prepare(text, base)
    return prepared.query, [index_alternative(each) for each in prepared.tuples.alternatives]
