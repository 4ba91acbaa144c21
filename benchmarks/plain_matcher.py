"""The bar: a matcher in plain Python that files each query under its rarest term and checks the rest with sets.

It is exact for the paper's workload only: stars of terms and single words, on publications of one subject.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sparql_ft import Publication, prepare
from sparql_ft.analyser import tokens
from sparql_ft.terms import Literal, Variable

__all__ = ["PlainMatcher"]


def _wanted(text: str) -> frozenset[object]:
    """What a publication must have for a query of the workload."""
    found: set[object] = set()
    (alternative,) = prepare(text).tuples.alternatives
    for each in alternative.tuples:
        if each.text is not None:
            words = getattr(each.text, "operands", (each.text,))
            found.update((each.predicate, word) for part in words for word in tokens(part.text))
        else:
            found.add(each.predicate if isinstance(each.object, Variable) else (each.predicate, each.object))
    return frozenset(found)


def _has(publication: Publication) -> set[object]:
    found: set[object] = set()
    for _, predicate, value in publication.triples:
        found.add(predicate)
        found.add((predicate, value))
        if isinstance(value, Literal):
            found.update([(predicate, word) for word in tokens(value.lexical)])
    return found


class PlainMatcher:
    """All that it takes: a dictionary from terms to queries."""

    def __init__(self, queries: Iterable[tuple[str, str]]) -> None:
        wanted = {id: _wanted(text) for id, text in queries}
        frequency = Counter(term for terms in wanted.values() for term in terms)
        self._filed: dict[object, list[tuple[str, frozenset[object]]]] = {}
        for id, terms in wanted.items():
            rarest = min(terms, key=frequency.__getitem__)
            self._filed.setdefault(rarest, []).append((id, terms - {rarest}))

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in no order."""
        has, filed = _has(publication), self._filed
        return [id for term in has if term in filed for id, others in filed[term] if others <= has]
