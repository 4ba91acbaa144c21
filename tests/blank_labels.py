"""Blank node labels of their own for each basic graph pattern, as the syntax of SPARQL wants them."""

from __future__ import annotations

from dataclasses import replace

from sparql_ft.nodes import (
    And,
    Bind,
    Element,
    Exists,
    Expression,
    Filter,
    GraphGroup,
    Group,
    Minus,
    Not,
    OptionalGroup,
    Or,
    PatternTerm,
    Query,
    TriplePattern,
    Union,
)
from sparql_ft.terms import BlankNode

__all__ = ["apart"]


def apart(query: Query) -> Query:
    """The query with blank node labels of their own in each basic graph pattern, as the syntax wants them."""
    return replace(query, where=_Labels().group(query.where))


class _Labels:
    """Gives blank nodes labels that belong to one basic graph pattern."""

    def __init__(self) -> None:
        self._bgps = 0

    def group(self, group: Group) -> Group:
        """A copy of the group: its triples, with FILTERs between, are one BGP until something else comes."""
        self._bgps += 1
        here = self._bgps
        elements: list[Element] = []
        for element in group.elements:
            match element:
                case TriplePattern(subject, predicate, object_):
                    elements.append(TriplePattern(self._end(subject, here), predicate, self._end(object_, here)))
                case Filter(expression):
                    elements.append(Filter(self._expression(expression)))
                case _:
                    elements.append(self._other(element))
                    self._bgps += 1
                    here = self._bgps
        return Group(tuple(elements))

    def _other(self, element: Element) -> Element:
        match element:
            case OptionalGroup(group):
                return OptionalGroup(self.group(group))
            case Minus(group):
                return Minus(self.group(group))
            case GraphGroup(name, group):
                return GraphGroup(name, self.group(group))
            case Union(parts):
                return Union(tuple(self.group(part) for part in parts))
            case Group():
                return self.group(element)
            case Bind(expression, variable):
                return Bind(self._expression(expression), variable)
            case _:
                return element

    def _expression(self, expression: Expression) -> Expression:
        match expression:
            case Exists(group, negated):
                return Exists(self.group(group), negated)
            case Not(operand):
                return Not(self._expression(operand))
            case And(parts):
                return And(tuple(self._expression(part) for part in parts))
            case Or(parts):
                return Or(tuple(self._expression(part) for part in parts))
            case _:
                return expression

    def _end(self, term: PatternTerm, bgp: int) -> PatternTerm:
        return BlankNode(f"{term.label}{bgp}") if isinstance(term, BlankNode) else term
