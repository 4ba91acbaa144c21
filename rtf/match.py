"""A match: which query, with which bindings, and which words made it so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from sparql_ft import Evaluator, Publication, Query, parse
from sparql_ft.convert import to_rdflib
from sparql_ft.fulltext import highlight_spans, highlights
from sparql_ft.nodes import Exists, FtContains, Minus, Node, Not
from sparql_ft.rewriting import parts_of
from sparql_ft.terms import Literal, Term, Variable

if TYPE_CHECKING:
    import rdflib.term

__all__ = ["Highlight", "Match", "highlights_in"]


@dataclass(frozen=True, slots=True)
class Highlight:
    """The words of a literal that satisfied an ftcontains on a variable.

    `positions` count the words of the literal from 0; `spans` are the same as characters [start, end) of its lexical
    form as written.
    """

    variable: str
    literal: Literal
    positions: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Match:
    """A query that matches a publication. Bindings and highlights are worked out when they are first asked for."""

    query_id: str
    text: str = field(repr=False)
    _base: str | None = field(repr=False)
    _publication: Publication = field(repr=False)

    @cached_property
    def _query(self) -> Query:
        return parse(self.text, self._base)

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self._publication)

    @cached_property
    def solutions(self) -> list[dict[str, Term]]:
        """The projected solutions, as a multiset: names of variables to terms, exactly as the publication has them."""
        return self._evaluator.evaluate(self._query)

    @cached_property
    def bindings(self) -> list[dict[str, rdflib.term.IdentifiedNode | rdflib.term.Literal]]:
        """The same as rdflib's terms."""
        return [{name: to_rdflib(term) for name, term in solution.items()} for solution in self.solutions]

    @cached_property
    def highlights(self) -> list[Highlight]:
        """What ftcontains found, for each literal that some solution binds; nothing that only ftNOT or `!` asks for."""
        return highlights_in(self._query, self._evaluator.solutions(self._query))


def highlights_in(query: Query, solutions: Iterable[Mapping[Variable, Term]]) -> list[Highlight]:
    """What the query's ftcontains found in these of its solutions, each once."""
    searched = list(dict.fromkeys(_searched(query.where)))
    found: dict[Highlight, None] = {}
    for solution in solutions if searched else ():
        for each in searched:
            term = solution.get(each.variable)
            if isinstance(term, Literal):
                positions = tuple(highlights(each.expression, term.lexical))
                if positions:
                    spans = tuple(highlight_spans(each.expression, term.lexical))
                    found[Highlight(each.variable.name, term, positions, spans)] = None
    return list(found)


def _searched(tree: object) -> Iterator[FtContains]:
    """Every ftcontains that can make the query true by being true, outside of patterns with a scope of their own."""
    if isinstance(tree, FtContains):
        yield tree
    elif isinstance(tree, Node | tuple) and not isinstance(tree, Not | Minus | Exists):
        for part in parts_of(tree):
            yield from _searched(part)
