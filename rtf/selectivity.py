"""How often a tuple is expected to match: what decides which tuple of a query is looked at first.

From a sample of publications where one was given, else from the queries themselves: what many of them ask for is
taken for frequent. A wrong guess costs time, never a match.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Final, TypeAlias

from rtf.index_tuples import IndexTuple
from sparql_ft import Publication
from sparql_ft.analyser import tokens
from sparql_ft.terms import Literal, Term

__all__ = ["Selectivity"]


class _Kind(Enum):
    SUBJECT = "subject"
    PREDICATE = "predicate"
    OBJECT = "object"  # after its predicate, if that is known
    WORD = "word"  # likewise


_Feature: TypeAlias = tuple[_Kind, Term | None, Term | str | None]

# Where nothing has been learned: how frequent something is that one query asks for. Only the order matters.
_PRIOR: Final = {_Kind.SUBJECT: 1e-6, _Kind.WORD: 0.01, _Kind.OBJECT: 0.02, _Kind.PREDICATE: 0.5}


class Selectivity:
    """Counts of what tuples ask for, in queries and, after `learn`, in publications."""

    def __init__(self) -> None:
        self._in_queries: Counter[_Feature] = Counter()
        self._in_sample: Counter[_Feature] = Counter()
        self._has_sample = False

    def count(self, each: IndexTuple) -> None:
        """A tuple is used once more."""
        self._in_queries.update(_features(each))

    def discount(self, each: IndexTuple) -> None:
        """A tuple is used once less."""
        for feature in _features(each):
            self._in_queries[feature] -= 1
            if not self._in_queries[feature]:
                del self._in_queries[feature]

    def learn(self, publications: Iterable[Publication]) -> None:
        """Count in how many publications each term and each word occurs."""
        for publication in publications:
            self._has_sample = True
            self._in_sample.update(set(_occurring(publication)))

    def expected(self, each: IndexTuple) -> tuple[float, float]:
        """How often the tuple may match: less is better. What the sample lacks is ordered by what the queries say."""
        guessed = _estimate(each, lambda feature: _PRIOR[feature[0]] * (1 + self._in_queries[feature]))
        return (_estimate(each, self._in_sample.__getitem__) if self._has_sample else 0.0), guessed


def _estimate(each: IndexTuple, frequency: Callable[[_Feature], float]) -> float:
    """At most as often as its rarest part; of several sets of words one must be there, so theirs add up."""
    parts = [frequency(feature) for feature in _structural(each)]
    if each.words is not None and () not in each.words.sets:
        predicate = each.structure[1]
        sets = each.words.sets
        parts.append(sum(min(frequency((_Kind.WORD, predicate, word.form)) for word in words) for words in sets))
    return min(parts, default=float("inf"))


def _features(each: IndexTuple) -> Iterator[_Feature]:
    yield from _structural(each)
    if each.words is not None:
        words = {word.form for words in each.words.sets for word in words}
        yield from ((_Kind.WORD, each.structure[1], word) for word in words)


def _structural(each: IndexTuple) -> Iterator[_Feature]:
    subject, predicate, object_ = each.structure
    if subject is not None:
        yield _Kind.SUBJECT, None, subject
    if predicate is not None:
        yield _Kind.PREDICATE, None, predicate
    if object_ is not None:
        yield _Kind.OBJECT, predicate, object_


def _occurring(publication: Publication) -> Iterator[_Feature]:
    for subject, predicate, object_ in publication.triples:
        yield _Kind.SUBJECT, None, subject
        yield _Kind.PREDICATE, None, predicate
        yield _Kind.OBJECT, None, object_
        yield _Kind.OBJECT, predicate, object_
        if isinstance(object_, Literal):
            for word in tokens(object_.lexical):
                yield _Kind.WORD, None, word
                yield _Kind.WORD, predicate, word
