"""A publication as IBROKER looks at it: its triples by attribute, and how a chain is followed through them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, TypeAlias

from ibroker_baseline.entries import ANY, Chain, Entry, EntryWord, WordSet
from sparql_ft import Evaluator, Publication, Query
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.evaluation.budget import Budget
from sparql_ft.expressions.context import Context
from sparql_ft.expressions.evaluation import holds
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.extraction.cover import Word
from sparql_ft.fulltext import Text, ft_matches
from sparql_ft.nodes import FtExpression, Group
from sparql_ft.terms import Literal, Term, Triple, Variable

__all__ = ["MAX_STEPS", "Arrival", "Arrived", "ArrivedTriple"]

MAX_STEPS: Final = 30_000  # for one query on one publication, as in RTF

Values: TypeAlias = tuple[str | None, ...]  # of the shared variables of a chain, by number

_LONG_AGO: Final = datetime_literal(datetime(1970, 1, 1, tzinfo=UTC))  # no condition of a tuple asks for the time


class Arrival:
    """A publication to be followed through chains. `readings` are the ways in which entries read a text."""

    def __init__(self, publication: Publication, readings: Iterable[Analysis], max_steps: int | None) -> None:
        self.publication = publication
        self._max_steps = max_steps
        self._evaluator: Evaluator | None = None
        self._texts: dict[str, Text] = {}
        read = tuple(readings)
        triples = [ArrivedTriple(triple, lambda lexical: self._words(lexical, read)) for triple in publication.triples]
        by_attribute: dict[str, list[ArrivedTriple]] = {}
        for triple in triples:
            by_attribute.setdefault(triple.keys[1], []).append(triple)
        self.arrived = {attribute: Arrived(some) for attribute, some in by_attribute.items()}
        if triples:
            self.arrived[ANY] = Arrived(triples)

    def satisfies(self, chain: Chain) -> bool:
        """Whether the triples satisfy a chain, joins included; where it is not enough, whether they may.

        Entry by entry, as NextToMatch leads: its attribute must have arrived, with its value or its words, and with
        values of the shared variables that some choice for the entries before agrees with.
        """
        if chain.in_graph and not self._is_in_graph(chain):
            return False
        values: AbstractSet[Values] = {(None,) * chain.shared}
        budget = Budget(self._max_steps)
        entry = chain.head
        while entry is not None:
            arrived = self.arrived.get(entry.attribute)
            if arrived is None:
                return False
            triples = [triple for triple in arrived.triples if self.is_as(entry, triple)]
            if not triples:
                return False
            if entry.variables:
                values = _agreeing(values, triples, entry, budget)
                if not values:
                    return False
            entry = entry.next_to_match
        return True

    def matches(self, query: Query) -> bool:
        """Whether a query has a solution, by evaluating it."""
        if self._evaluator is None:
            self._evaluator = Evaluator(self.publication, max_steps=self._max_steps)
        return self._evaluator.matches(query)

    def _is_in_graph(self, chain: Chain) -> bool:
        graph = self.publication.graph
        return graph is not None and all(name == graph for name in chain.graphs)

    def is_as(self, entry: Entry, triple: ArrivedTriple) -> bool:
        """Whether one triple with the attribute of an entry is as it wants."""
        if entry.subject is not None and entry.subject != triple.keys[0]:
            return False
        if entry.value is not None and entry.value != triple.keys[2]:
            return False
        if entry.words and not (isinstance(triple.terms[2], Literal) and _has_words(entry.words, triple.words)):
            return False
        if entry.text is not None and not self._ftcontains(triple.lexical, entry.text):
            return False
        if not entry.conditions:
            return True
        named = {name: term for name, term in zip(entry.names, triple.terms, strict=True) if name is not None}
        return all(holds(condition, named, self._context) for condition in entry.conditions)

    @cached_property
    def _context(self) -> Context:
        return Context(now=_LONG_AGO, exists=_no_exists, ftcontains=self._ftcontains)

    def _ftcontains(self, lexical: str, expression: FtExpression) -> bool:
        return ft_matches(expression, self._text(lexical))

    def _text(self, lexical: str) -> Text:
        text = self._texts.get(lexical)
        if text is None:
            text = self._texts[lexical] = Text(lexical)
        return text

    def _words(self, lexical: str, readings: Iterable[Analysis]) -> WordSet:
        text = self._text(lexical)
        found: set[EntryWord] = set()
        for analysis in readings:
            forms = text.tokens(analysis)
            found.update(forms if analysis == DEFAULT else (Word(form, analysis) for form in forms))
        return frozenset(found)


class ArrivedTriple:
    """A triple, its terms also in N-Triples; the words of its object are read when they are first asked for."""

    def __init__(self, terms: Triple, read: Callable[[str], WordSet]) -> None:
        self.terms = terms
        self.keys = (str(terms[0]), str(terms[1]), str(terms[2]))
        self._read = read

    @property
    def lexical(self) -> str:
        """What its object says."""
        value = self.terms[2]
        return value.lexical if isinstance(value, Literal) else ""

    @cached_property
    def words(self) -> WordSet:
        """The words of its object."""
        return self._read(self.lexical)


class Arrived:
    """All triples of one attribute."""

    def __init__(self, triples: list[ArrivedTriple]) -> None:
        self.triples = triples

    def beginning(self, heads: Iterable[Entry]) -> Iterator[Chain]:
        """The chains whose first entry has its value or its words here: all entries of a bucket are examined."""
        values = {triple.keys[2] for triple in self.triples}
        words: WordSet | None = None
        for head in heads:
            if head.value is not None:
                if head.value in values:
                    yield head.chain
            elif head.words:
                if words is None:
                    words = frozenset[EntryWord]().union(*(triple.words for triple in self.triples))
                for each in head.words:
                    if each <= words:
                        yield head.chain
                        break
            else:
                yield head.chain


def _has_words(sets: tuple[WordSet, ...], words: WordSet) -> bool:
    for each in sets:  # noqa: SIM110  a generator takes three times as long
        if each <= words:
            return True
    return False


def _agreeing(
    before: AbstractSet[Values], triples: list[ArrivedTriple], entry: Entry, budget: Budget
) -> AbstractSet[Values]:
    """The values of shared variables with those of each triple that agrees with them."""
    found = set()
    for values in before:
        for triple in triples:
            budget.spend()
            longer = list(values)
            for place, number in entry.variables:
                if longer[number] is None:
                    longer[number] = triple.keys[place]
                elif longer[number] != triple.keys[place]:
                    break
            else:
                found.add(tuple(longer))
    return found


def _no_exists(group: Group, _: Mapping[Variable, Term]) -> bool:
    raise AssertionError(f"a condition of a tuple asks for a graph pattern: {group}")
