"""The bar: a matcher in plain Python that files each query under its rarest term and checks the rest with sets.

Terms are what a publication can have: a predicate, a predicate with a value, a predicate with a word. Where having them
is not enough (joins, phrases, conditions, several subjects …) the query is evaluated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeAlias

from sparql_ft import Alternative, Evaluator, Publication, Query, prepare
from sparql_ft.analyser import DEFAULT, tokens
from sparql_ft.extraction.cover import cover
from sparql_ft.terms import IRI, Literal

__all__ = ["RarestTerm"]

MAX_WAYS: Final = 64  # ftOR multiplies; beyond this its words are left to the evaluation

Terms: TypeAlias = frozenset[object]
Texts: TypeAlias = tuple[tuple[IRI, frozenset[str]], ...]  # words that one value of a predicate must have together


class _Way(NamedTuple):
    """One way in which a query can match."""

    id: str
    terms: Terms  # that a publication must have; once it is filed, without the rarest
    texts: Texts
    is_enough: bool  # on a publication of one subject


class RarestTerm:
    """All that it takes: a dictionary from terms to queries."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        self._places: dict[str, int] = {}
        self._filed: dict[object, list[_Way]] = {}
        self._unfiled: list[_Way] = []  # nothing is required
        self._frequency: Counter[object] = Counter()
        self._tree = lru_cache(4096)(self._parsed)

    def __len__(self) -> int:
        return len(self._texts)

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """Add queries."""
        new = []
        for id, text in queries:
            self._texts[id] = text
            self._places[id] = len(self._places)
            new += [way for alternative in prepare(text).tuples.alternatives for way in _ways(id, alternative)]
        self._frequency.update(term for way in new for term in way.terms)
        for way in new:
            if way.terms:
                rarest = min(way.terms, key=self._frequency.__getitem__)
                self._filed.setdefault(rarest, []).append(way._replace(terms=way.terms - {rarest}))
            else:
                self._unfiled.append(way)

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        has, several, filed = _has(publication), _several(publication), self._filed
        found = [way for term in has if term in filed for way in filed[term] if way.terms <= has] + self._unfiled
        subjects = {subject for subject, _, _ in publication.triples}
        evaluator: Evaluator | None = None
        matching = set()
        for way in found:
            if several and not _has_together(way.texts, several):
                continue
            if not way.is_enough or len(subjects) > 1:
                evaluator = evaluator or Evaluator(publication, max_steps=None)
                if not evaluator.matches(self._tree(way.id)):
                    continue
            matching.add(way.id)
        return sorted(matching, key=self._places.__getitem__)

    def _parsed(self, id: str) -> Query:
        return prepare(self._texts[id]).query


def _ways(id: str, alternative: Alternative) -> Iterator[_Way]:
    is_enough = alternative.is_star and not alternative.residual and not alternative.graphs
    common: set[object] = set()
    choices: list[list[tuple[IRI, frozenset[str]]]] = []
    for each in alternative.tuples:
        predicate = each.predicate
        if not isinstance(predicate, IRI):
            is_enough = False
            continue
        is_enough = is_enough and not isinstance(each.subject, IRI) and not each.conditions
        common.add((predicate, each.object) if isinstance(each.object, IRI | Literal) else predicate)
        if each.text is not None:
            words = cover(each.text)
            is_plain = all(word.analysis == DEFAULT for some in words.sets for word in some)
            is_enough = is_enough and words.exact and is_plain
            if is_plain:
                choices.append([(predicate, frozenset(word.form for word in some)) for some in words.sets])
    kept, ways = [], 1
    for some in sorted(choices, key=len):
        ways *= len(some)
        if ways > MAX_WAYS:
            is_enough = False
            break
        kept.append(some)
    for texts in product(*kept):
        terms = {(predicate, word) for predicate, words in texts for word in words}
        bare = {predicate for predicate, *_ in terms}  # a predicate with a word is a predicate
        yield _Way(id, frozenset((common - bare) | terms), tuple(text for text in texts if len(text[1]) > 1), is_enough)


def _has(publication: Publication) -> set[object]:
    found: set[object] = set()
    for _, predicate, value in publication.triples:
        found.add(predicate)
        found.add((predicate, value))
        if isinstance(value, Literal):
            found.update([(predicate, word) for word in tokens(value.lexical)])
    return found


def _several(publication: Publication) -> dict[IRI, set[str]]:
    """The texts of predicates with more than one, which sets of terms mix up."""
    found: dict[IRI, set[str]] = {}
    for _, predicate, value in publication.triples:
        if isinstance(value, Literal):
            found.setdefault(predicate, set()).add(value.lexical)
    return {predicate: texts for predicate, texts in found.items() if len(texts) > 1}


def _has_together(wanted: Texts, several: dict[IRI, set[str]]) -> bool:
    return all(
        predicate not in several or any(words <= set(tokens(text)) for text in several[predicate])
        for predicate, words in wanted
    )
