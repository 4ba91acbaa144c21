"""How often a tuple is expected to match: what decides which tuple of a query is looked at first.

From a sample of publications where one was given, else from the queries themselves: what many of them ask for is
taken for frequent. A wrong guess costs time, never a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Final, NamedTuple

from rtf.index.keys import term_key
from rtf.index.tuples import IndexTuple
from sparql_ft import Publication
from sparql_ft.analyser import tokens
from sparql_ft.terms import Literal

__all__ = ["PRIOR", "Kind", "Part", "Sample", "Selectivity", "parts_of_tuple"]


class Kind(Enum):
    """What a tuple can ask for."""

    SUBJECT = "subject"
    PREDICATE = "predicate"
    OBJECT = "object"  # under its predicate, if that is known
    WORD = "word"  # likewise


class Part(NamedTuple):
    """Something that a tuple asks for, in a form that can be counted."""

    kind: Kind
    predicate: str | None
    key: str


# Where nothing has been learned: how frequent something is that one query asks for. Only the order matters.
PRIOR: Final = {Kind.SUBJECT: 1e-6, Kind.WORD: 0.01, Kind.OBJECT: 0.02, Kind.PREDICATE: 0.5}


def parts_of_tuple(
    structure: Sequence[str | None], word_sets: Iterable[Iterable[str]]
) -> tuple[list[Part], list[list[Part]]]:
    """What a tuple asks for: all of its structure, and the words of one set. No sets: it asks for no words."""
    subject, predicate, object_ = structure
    parts = []
    if subject is not None:
        parts.append(Part(Kind.SUBJECT, None, subject))
    if predicate is not None:
        parts.append(Part(Kind.PREDICATE, None, predicate))
    if object_ is not None:
        parts.append(Part(Kind.OBJECT, predicate, object_))
    return parts, [[Part(Kind.WORD, predicate, word) for word in words] for words in word_sets]


class Sample:
    """In how many publications of a sample each term and each word occurs."""

    def __init__(self) -> None:
        self._counts: Counter[Part] = Counter()
        self._size = 0

    def __bool__(self) -> bool:
        return self._size > 0

    def __getitem__(self, part: Part) -> int:
        return self._counts[part]

    def learn(self, publications: Iterable[Publication]) -> None:
        """Add publications to the sample."""
        for publication in publications:
            self._size += 1
            self._counts.update(set(_occurring(publication)))


class Selectivity:
    """Counts of what tuples ask for, in the queries of one segment, and in a sample if there is one."""

    def __init__(self, sample: Sample) -> None:
        self._in_queries: Counter[Part] = Counter()
        self._sample = sample

    def count(self, each: IndexTuple, times: int = 1) -> None:
        """A tuple is used once more, or, -1 times, once less."""
        structure, sets = _parts(each)
        self.count_parts([*structure, *(part for words in sets for part in words)], times)

    def count_parts(self, parts: Iterable[Part], times: int) -> None:
        """The same for parts."""
        for part in parts:
            self._in_queries[part] += times
            if not self._in_queries[part]:
                del self._in_queries[part]

    def expected(self, each: IndexTuple) -> tuple[float, float]:
        """How often the tuple may match: less is better."""
        return self.expected_of(*_parts(each))

    def expected_of(self, structure: list[Part], word_sets: list[list[Part]]) -> tuple[float, float]:
        """The same for parts. What the sample lacks is ordered by what the queries say."""
        guessed = _estimate(structure, word_sets, self._guess)
        return (_estimate(structure, word_sets, self._sample.__getitem__) if self._sample else 0.0), guessed

    def _guess(self, part: Part) -> float:
        return PRIOR[part.kind] * (1 + self._in_queries[part])


def _estimate(structure: list[Part], word_sets: list[list[Part]], frequency: Callable[[Part], float]) -> float:
    """At most as often as its rarest part; of several sets of words one must be there, so theirs add up."""
    frequencies = [frequency(part) for part in structure]
    if word_sets:
        frequencies.append(sum(min(map(frequency, words)) for words in word_sets))
    return min(frequencies, default=float("inf"))


def _parts(each: IndexTuple) -> tuple[list[Part], list[list[Part]]]:
    structure = [None if term is None else term_key(term) for term in each.structure]
    sets = () if each.words is None or () in each.words.sets else each.words.sets
    return parts_of_tuple(structure, ([word.form for word in words] for words in sets))


def _occurring(publication: Publication) -> Iterator[Part]:
    for subject, predicate, object_ in publication.triples:
        under, key = term_key(predicate), term_key(object_)
        yield Part(Kind.SUBJECT, None, term_key(subject))
        yield Part(Kind.PREDICATE, None, under)
        yield Part(Kind.OBJECT, None, key)
        yield Part(Kind.OBJECT, under, key)
        if isinstance(object_, Literal):
            for word in tokens(object_.lexical):
                yield Part(Kind.WORD, None, word)
                yield Part(Kind.WORD, under, word)
