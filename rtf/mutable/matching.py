"""One publication against a segment that can change: which patterns match it.

Filtering is apart from verification. The forest gives the tuples that triples satisfy; an alternative is looked at only
if its access tuple is among them; then `Verification` decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter

from rtf.index.verification import Candidate, Verification
from rtf.mutable.forest import PathWord, words_of
from rtf.mutable.segment import Pattern, Segment, StoredAlternative
from rtf.report import MatchReport
from sparql_ft.terms import Literal, Triple

__all__ = ["Matching"]


class Matching:
    """The matching of one publication."""

    def __init__(self, segment: Segment, asked: Verification, report: MatchReport) -> None:
        self._segment = segment
        self._asked = asked
        self._report = report
        self._failed: dict[int, Exception] = {}  # tuples of which it is not known whether some triple satisfies them

    def patterns(self) -> Iterator[Pattern]:
        """The patterns that match, each once."""
        found = self._found()
        candidates: dict[Pattern, list[StoredAlternative]] = {}
        for access in (None, *found, *(number for number in self._failed if number not in found)):
            for stored in self._segment.under.get(access, ()):
                candidates.setdefault(stored.pattern, []).append(stored)
                self._report.candidates += 1
        for pattern, alternatives in candidates.items():
            start = perf_counter()
            matches = False
            try:
                candidates_of = [self._candidate(stored, found) for stored in alternatives]
                matches = self._asked.is_match(candidates_of, pattern.query, self._report)
            except Exception as error:  # whatever it is, the other queries are answered
                self._report.fail(pattern.ids, error)
            for place, more in enumerate((len(alternatives), matches, 1, perf_counter() - start)):
                pattern.tally[place] += more
            if matches:
                yield pattern

    def _found(self) -> dict[int, list[Triple]]:
        """The tuples that triples satisfy: number -> those triples."""
        forest, tuples, unchecked = self._segment.forest, self._segment.tuples, self._segment.unchecked
        found: dict[int, list[Triple]] = {}
        visited = forest.visited
        for triple in self._asked.publication.triples:
            for number in dict.fromkeys(forest.find(triple, lambda: self._words(triple))):  # noqa: B023  used at once
                if number in self._failed:
                    continue  # asking again would cost as much, and change nothing
                try:
                    if number in unchecked or self._asked.satisfies(triple, tuples[number]):
                        found.setdefault(number, []).append(triple)
                except Exception as error:  # of whatever query depends on this tuple
                    self._failed[number] = error
        self._report.tuples += len(found)
        self._report.nodes_visited += forest.visited - visited
        return found

    def _words(self, triple: Triple) -> frozenset[PathWord]:
        object_ = triple[2]
        if not isinstance(object_, Literal):
            return frozenset()
        return words_of(self._asked.text(object_.lexical), self._segment.forest.readings)

    def _candidate(self, stored: StoredAlternative, found: Mapping[int, list[Triple]]) -> Candidate:
        def satisfying(place: int) -> Sequence[Triple]:
            number = stored.numbers[place]
            if number in self._failed:
                raise self._failed[number]
            return found.get(number, ())

        return stored.form, satisfying
