"""A query and a publication: what can be said of the two without evaluating one on the other.

What a variable, or an expression, can stand for is told as a set of *values*: terms, and in place of computed ones
their kinds. There may be more in it than evaluation would find, but never less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeAlias

from sparql_ft.nodes import (
    Bind,
    Call,
    Exists,
    Expression,
    GraphGroup,
    InlineData,
    Node,
    Query,
    TriplePattern,
    Wildcard,
)
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, Literal, Term, Variable
from tests.oracles.trees import kind, kinds, nodes

__all__ = ["Pair", "Tree", "Value", "kind_of"]

Value: TypeAlias = Term | str  # a str is the kind of a computed one
Values: TypeAlias = frozenset[Value]
_NOTHING: Values = frozenset()


def kind_of(value: Value) -> str:
    """What a value is."""
    return value if isinstance(value, str) else kind(value)


class Tree:
    """The nodes of a query, and which conditions hold of one of them."""

    def __init__(self, query: Query) -> None:
        self.nodes = tuple(nodes(query))
        self.larger = tuple(node for node in self.nodes if isinstance(node, Node))  # all but terms
        self.types = frozenset(type(node).__name__ for node in self.larger)
        self._answers: dict[Callable[[object], bool], bool] = {}

    def has(self, condition: Callable[[object], bool]) -> bool:
        """Whether there is a node of which the condition holds."""
        if condition not in self._answers:
            self._answers[condition] = any(map(condition, self.nodes))
        return self._answers[condition]


@lru_cache(maxsize=64)
def _tree(query: Query) -> Tree:
    return Tree(query)


@dataclass(frozen=True)
class Pair:
    """A query and a publication that it is asked of."""

    query: Query
    publication: Publication

    @cached_property
    def tree(self) -> Tree:
        """The query's."""
        return _tree(self.query)

    @cached_property
    def present(self) -> frozenset[Term]:
        """The nodes of the graph: where a path can go."""
        return frozenset(node for s, _, o in self.publication.triples for node in (s, o))

    @cached_property
    def variables(self) -> dict[Variable, Values]:
        """What each variable can be bound to, anywhere in the query: by patterns, VALUES, GRAPH and BIND."""
        found: dict[Variable, Values] = {}
        binds: list[Bind] = []
        for node in self.tree.nodes:
            match node:
                case TriplePattern():
                    for variable, terms in self._by_pattern(node):
                        found[variable] = found.get(variable, _NOTHING) | terms
                case InlineData(columns, rows):
                    for place, variable in enumerate(columns):
                        cells = {row[place] for row in rows}
                        found[variable] = found.get(variable, _NOTHING) | {cell for cell in cells if cell is not None}
                case GraphGroup(Variable() as name, _) if self.publication.graph is not None:
                    found[name] = found.get(name, _NOTHING) | {self.publication.graph}
                case Bind():
                    binds.append(node)
        self._add_computed(binds, found)
        return found

    def _by_pattern(self, pattern: TriplePattern) -> Iterator[tuple[Variable, Values]]:
        triples = self.publication.triples
        predicate = pattern.predicate
        if not isinstance(predicate, IRI | Variable | Wildcard):
            ends = self.present | {end for end in (pattern.subject, pattern.object) if isinstance(end, IRI | Literal)}
            yield from ((end, ends) for end in (pattern.subject, pattern.object) if isinstance(end, Variable))
            return
        if isinstance(predicate, IRI):
            triples = tuple(triple for triple in triples if triple[1] == predicate)
        for part, place in ((pattern.subject, 0), (predicate, 1), (pattern.object, 2)):
            if isinstance(part, Variable):
                yield part, frozenset(triple[place] for triple in triples)

    @staticmethod
    def _add_computed(binds: list[Bind], found: dict[Variable, Values]) -> None:
        """Values of BIND may be those of variables, also of other BINDs: until there is nothing new."""
        changed = True
        while changed:
            changed = False
            for bind in binds:
                before = found.get(bind.variable, _NOTHING)
                after = before | _values(bind.expression, found)
                if after != before:
                    found[bind.variable] = after
                    changed = True

    def values(self, expression: Expression) -> Values:
        """What an expression can be."""
        return _values(expression, self.variables)

    def kinds(self, expression: Expression) -> frozenset[str]:
        """The same, as kinds."""
        return kinds(expression, lambda variable: _kinds_of(variable, self.variables))

    def operands(self, left: Expression, right: Expression) -> Iterator[tuple[Value, Value]]:
        """What two operands can be."""
        return product(self.values(left), self.values(right))

    def literals(self) -> Iterator[Literal]:
        """All literals of the query and of the publication."""
        yield from (node for node in self.tree.nodes if isinstance(node, Literal))
        yield from (triple[2] for triple in self.publication.triples if isinstance(triple[2], Literal))

    @cached_property
    def within_exists(self) -> frozenset[Variable]:
        """Variables in an EXISTS, which may get their values from the solution at hand."""
        exists = (node for node in self.tree.nodes if isinstance(node, Exists))
        return frozenset(part for node in exists for part in nodes(node) if isinstance(part, Variable))


def _kinds_of(variable: Variable, found: dict[Variable, Values]) -> frozenset[str]:
    return frozenset(map(kind_of, found.get(variable, _NOTHING)))


def _values(expression: Expression, found: dict[Variable, Values]) -> Values:
    match expression:
        case IRI() | Literal():
            return frozenset({expression})
        case Variable():
            return found.get(expression, _NOTHING)
        case Call("COALESCE", arguments) | Call("IF", (_, *arguments)):
            return _NOTHING.union(*(_values(argument, found) for argument in arguments))
        case _:
            return frozenset(kinds(expression, lambda variable: _kinds_of(variable, found)))
