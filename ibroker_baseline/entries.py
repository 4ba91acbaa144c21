"""Queries -> chains of entries: what IBROKER stores.

An alternative of a query is a chain. Each of its tuples is an entry, filed under its attribute, which is the predicate;
ANY is the attribute of a tuple with a variable or a wildcard there. NextToMatch leads from an entry to the next one of
its chain. The order is the one in which the query has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from sparql_ft import Alternative, PreparedQuery, Query, QueryTuple
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.extraction.cover import Word, cover
from sparql_ft.extraction.tuples import JoinVariable
from sparql_ft.nodes import Expression, FtExpression
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = ["ANY", "Chain", "Entry", "EntryWord", "StoredQuery", "WordSet", "readings", "stored_query"]

EntryWord: TypeAlias = str | Word  # plain text in the default reading, which nearly all have
WordSet: TypeAlias = frozenset[EntryWord]

ANY: Final = "*"  # no term is written so
_NO_NAMES: Final = (None, None, None)


@dataclass(eq=False, slots=True)
class StoredQuery:
    """A query and its place in the order of registration. Its tree is there where its chains do not decide."""

    id: str
    place: int
    tree: Query | None
    chains: tuple[Chain, ...] = ()


@dataclass(eq=False, slots=True)
class Entry:
    """One tuple of a chain. Terms are in N-Triples, so that comparing them is comparing strings."""

    chain: Chain
    attribute: str
    subject: str | None  # that a triple must have; None: any
    value: str | None  # likewise its object
    words: tuple[WordSet, ...]  # the object must be a text with all words of one of these; none: it need not
    variables: tuple[tuple[int, int], ...]  # those that other places of the chain share: (place, number)
    text: FtExpression | None  # to be checked where the words do not tell all of it: phrases, distances, ftNOT
    conditions: tuple[Expression, ...]  # to be checked likewise
    names: tuple[Variable | None, Variable | None, Variable | None]  # what the conditions call the places
    next_to_match: Entry | None = None


@dataclass(eq=False, slots=True)
class Chain:
    """One way to match: an alternative of a query."""

    query: StoredQuery
    shared: int  # how many variables its entries share
    is_star: bool  # they share at most their subject
    graphs: tuple[IRI, ...]  # what the publication's graph must be called
    in_graph: bool  # whether it must have one
    is_enough: bool  # whether it decides; otherwise the query is evaluated
    head: Entry | None = None  # None: nothing is required

    def __iter__(self) -> Iterator[Entry]:
        """The entries, as NextToMatch leads through them."""
        entry = self.head
        while entry is not None:
            yield entry
            entry = entry.next_to_match


def stored_query(id: str, place: int, prepared: PreparedQuery) -> StoredQuery:
    """A query with its chains, of which one must hold."""
    stored = StoredQuery(id, place, None)
    stored.chains = tuple(_chain(each, stored) for each in prepared.tuples.alternatives)
    if not all(chain.is_enough for chain in stored.chains):
        stored.tree = prepared.query
    return stored


def readings(chain: Chain) -> Iterator[Analysis]:
    """The ways in which texts are to be read for the words of a chain, each as often as it occurs."""
    for entry in chain:
        for words in entry.words:
            for word in words:
                yield word.analysis if isinstance(word, Word) else DEFAULT


def _chain(alternative: Alternative, query: StoredQuery) -> Chain:
    chain = Chain(
        query,
        len(alternative.joins),
        alternative.is_star,
        tuple(name for name in alternative.graphs if isinstance(name, IRI)),
        bool(alternative.graphs),
        not alternative.residual and not alternative.conditions,
    )
    numbers = {variable: number for number, variable in enumerate(alternative.joins)}
    next_to_match = None
    for each in reversed(alternative.tuples):
        next_to_match = _entry(each, chain, numbers, next_to_match)
    chain.head = next_to_match
    return chain


def _entry(each: QueryTuple, chain: Chain, numbers: dict[JoinVariable, int], next_to_match: Entry | None) -> Entry:
    found = None if each.text is None else cover(each.text)
    sets = () if found is None else tuple(frozenset(map(_word, words)) for words in found.sets)
    terms = (each.subject, each.predicate, each.object)
    subject, predicate, value = (str(term) if isinstance(term, IRI | Literal) else None for term in terms)
    variables = [(place, term) for place, term in enumerate(terms) if isinstance(term, Variable | BlankNode)]
    names = [term if isinstance(term, Variable) else None for term in terms] if each.conditions else _NO_NAMES
    return Entry(
        chain,
        ANY if predicate is None else predicate,
        subject,
        value,
        sets,
        tuple((place, numbers[term]) for place, term in variables if term in numbers),
        None if found is None or found.exact else each.text,
        each.conditions,
        (names[0], names[1], names[2]),
        next_to_match,
    )


def _word(word: Word) -> EntryWord:
    return word.form if word.analysis == DEFAULT else word
