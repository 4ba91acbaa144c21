"""Queries on their way into a frozen index: terms and words as numbers, tuples and patterns once, columns, no trees.

What is collected here is small enough for a million queries: no Python object stays for a query but its texts, and none
for a tuple but a key of numbers. The exception are alternatives that the kernel cannot decide; for these the query is
prepared again from its text when it is a candidate.
"""

from __future__ import annotations

from array import array
from typing import Final

from rtf.compiled.encoding import word_key
from rtf.compiled.sections import ANY, FIRST_STRING
from rtf.index.intervals import Interval, interval_of
from rtf.index.keys import term_key
from rtf.index.tuples import IndexAlternative, IndexTuple, index_alternative
from sparql_ft import PreparedQuery
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.terms import IRI, Literal

__all__ = ["COMPARED", "MAX_PATH", "NO_GRAPH", "PENDING", "Columns"]

NO_GRAPH, SOME_GRAPH = 0, -1
PENDING: Final = 1  # what the tuples say must be checked outside of the kernel
COMPARED: Final = 8  # likewise where a value is too near to what it is compared with
MAX_PATH = 8  # words on a path; a tuple with more is checked where these are found


Key = tuple[int, int, int, tuple[tuple[int, ...], ...], IndexTuple | None]


class Columns:
    """The columns of a frozen index before they are laid out."""

    def __init__(self) -> None:
        self.strings: dict[str, int] = {}  # key -> symbol
        self.analyses: dict[Analysis, int] = {DEFAULT: 0}
        self.searched: set[str] | None = set()  # predicates of tuples with words; None: any
        self.tuples: dict[Key, int] = {}
        self.intervals: dict[int, Interval] = {}  # of tuples that have one
        self.patterns: dict[object, int] = {}
        self.pattern_queries: list[array[int]] = []
        # an entry for each alternative; its tuples are [starts[i], starts[i + 1])
        self.tuple_starts = array("i", [0])
        self.tuple_numbers = array("i")
        self.same_subject = array("b")  # beside each tuple: its subject is the variable that all share
        self.alternative_patterns = array("i")
        self.alternative_places = array("i")  # its place among the alternatives of its query
        self.graphs = array("i")
        self.flags = array("b")
        self.count = 0  # queries

    def add(self, prepared: PreparedQuery) -> None:
        """Add a query, which gets the next number."""
        forms = [index_alternative(each) for each in prepared.tuples.alternatives]
        numbers = [self._numbers(form) for form in forms]
        query = prepared.query
        identity: list[object] = [
            (tuple(each), form.ends, form.conditions, form.graphs, form.in_graph)
            for form, each in zip(forms, numbers, strict=True)
        ]
        if any(form.residual for form in forms):
            identity.append((query.where, query.values, query.base))
        pattern = self.patterns.setdefault(tuple(identity), len(self.patterns))
        if pattern == len(self.pattern_queries):
            self.pattern_queries.append(array("i"))
            for place, (form, each) in enumerate(zip(forms, numbers, strict=True)):
                self._store(pattern, place, form, each)
        self.pattern_queries[pattern].append(self.count)
        self.count += 1

    def _store(self, pattern: int, place: int, form: IndexAlternative, numbers: list[int]) -> None:
        graphs = set(form.graphs)
        if len(graphs) > 1:
            return  # a publication has one graph
        star = _star(form)
        self.tuple_numbers.extend(numbers)
        self.same_subject.extend(star)
        self.tuple_starts.append(len(self.tuple_numbers))
        self.alternative_patterns.append(pattern)
        self.alternative_places.append(place)
        graph = self._symbol(term_key(graphs.pop())) if graphs else SOME_GRAPH if form.in_graph else NO_GRAPH
        self.graphs.append(graph)
        self.flags.append(self._decision(form, numbers))

    def _decision(self, form: IndexAlternative, numbers: list[int]) -> int:
        """PENDING if tuples do not decide an alternative, COMPARED if they do where intervals are sure."""
        if not form.is_star or form.residual:
            return PENDING
        if all(map(_is_plain, form.tuples)):
            return 0
        decided = (
            _is_plain(each) or number in self.intervals for each, number in zip(form.tuples, numbers, strict=True)
        )
        return COMPARED if all(decided) else PENDING

    def _numbers(self, form: IndexAlternative) -> list[int]:
        found = []
        for each in form.tuples:
            number = self.tuples.setdefault(self._key(each), len(self.tuples))
            found.append(number)
            if each.conditions and number not in self.intervals and (interval := interval_of(each)) is not None:
                self.intervals[number] = interval
        return found

    def _key(self, each: IndexTuple) -> Key:
        subject, predicate, object_ = each.structure
        return (
            self._place(subject),
            self._place(predicate),
            self._place(object_),
            self._paths(each),
            None if _is_plain(each) else each,
        )

    def _place(self, term: IRI | Literal | None) -> int:
        return ANY if term is None else self._symbol(term_key(term))

    def _symbol(self, key: str) -> int:
        return self.strings.setdefault(key, len(self.strings) + FIRST_STRING)

    def _paths(self, each: IndexTuple) -> tuple[tuple[int, ...], ...]:
        """The sets of words, as sorted symbols; one empty set where no word is required."""
        if each.words is None:
            return ((),)
        paths = set()
        for words in each.words.sets:
            path = [self._symbol(word_key(self._reading(word.analysis), word.form)) for word in words]
            path.sort()
            paths.add(tuple(path))
        if paths != {()} and self.searched is not None:
            predicate = each.structure[1]
            if predicate is None:
                self.searched = None
            else:
                self.searched.add(predicate.value)
        return tuple(sorted(paths))

    def _reading(self, analysis: Analysis) -> int:
        return 0 if analysis is DEFAULT else self.analyses.setdefault(analysis, len(self.analyses))


def _is_plain(each: IndexTuple) -> bool:
    """Whether the kernel decides it."""
    return each.is_decided_by_words and (each.words is None or all(len(w) <= MAX_PATH for w in each.words.sets))


def _star(form: IndexAlternative) -> list[bool]:
    """Which tuples of a star share its subject."""
    return [form.is_star and ends[0] is not None for ends in form.ends]
