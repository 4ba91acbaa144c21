"""Queries -> tuples: what a publication must hold for a query to match.

Each rule says why it is sound (a solution of the pattern satisfies some way) and whether it is exact (a satisfied way
without residual implies a solution). Only the existence of a solution counts: a query matches or it does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from sparql_ft.extraction.filters import apply_filters
from sparql_ft.extraction.optionals import with_mandatory_groups
from sparql_ft.extraction.paths import triple_ways
from sparql_ft.extraction.tuples import QueryTuples
from sparql_ft.extraction.ways import Way, alternatives, conjunction, conjunction_of_all
from sparql_ft.nodes import (
    Bind,
    Element,
    Filter,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    OptionalGroup,
    Query,
    TriplePattern,
    Union,
)
from sparql_ft.scope import in_scope
from sparql_ft.terms import IRI, Literal, Variable

__all__ = ["extract"]


def extract(query: Query) -> QueryTuples:
    """The index form of a query.

    >>> from sparql_ft import parse
    >>> query = parse('ASK { ?x <urn:type> <urn:article>; <urn:body> ?b FILTER ftcontains(?b, "rio") }')
    >>> print(*extract(query).alternatives[0].tuples)
    (?x, <urn:type>, <urn:article>) (?x, <urn:body>, ?b, ftcontains("rio"))
    """
    ways = group_ways(with_mandatory_groups(query.where), frozenset())
    if query.values is not None:  # 18.2.4.3: joined to the WHERE
        ways = conjunction(ways, _rows(query.values))
    return QueryTuples(alternatives(ways))


def group_ways(group: Group, given: frozenset[Variable]) -> list[Way]:
    """The ways of a group: its elements one after the other, its FILTERs last, as 18.2.2 has them.

    `given` are the variables with a value from outside, in the pattern of an EXISTS.
    """
    elements = [element for element in group.elements if not isinstance(element, Filter)]
    ways = [Way()]
    for kind, run in groupby(elements, _step):  # runs, because each step copies what it adds to
        match kind:
            case "join":
                ways = conjunction(ways, conjunction_of_all([_joined(element, given) for element in run]))
            case "extend":
                ways = _extended(ways, run)
            case "minus":
                ways = _minus(ways, run)
    filters = [element.expression for element in group.elements if isinstance(element, Filter)]
    return apply_filters(ways, filters, group_ways, given)


def _step(element: Element) -> str:
    match element:
        case Minus():
            return "minus"
        case OptionalGroup():
            return "extend"
        case Bind(expression):
            return "join" if isinstance(expression, IRI | Literal) else "extend"
        case _:
            return "join"


def _joined(element: Element, given: frozenset[Variable]) -> list[Way]:
    """The ways of an element that is joined to what stands before it (18.2.2.6)."""
    match element:
        case TriplePattern():
            return triple_ways(element)
        case Group():
            return group_ways(element, given)
        case Union(groups):  # sound and exact: a solution of a UNION is a solution of one of its branches
            return [way for group in groups for way in group_ways(group, given)]
        case GraphGroup(name, group):
            return _graph(name, group, given)
        case InlineData():
            return _rows(element)
        case Bind(IRI() | Literal() as value, variable):  # exact: a new variable with one value is VALUES of one row
            return _rows(InlineData((variable,), ((value,),)))
        case _:
            raise TypeError(element)


def _extended(ways: list[Way], elements: Iterable[Element]) -> list[Way]:
    """OPTIONAL and BIND require nothing.

    Exact: a left join keeps every solution of its left side, so it has one iff that has one, and so does Extend (18.5).
    What they bind shows in no tuple and may be unbound, which matters to whoever mentions those variables later.
    """
    bound = frozenset(variable for element in elements for variable in in_scope(element))
    return [replace(way, maybe=way.maybe | (bound - way.certain)) for way in ways]


def _minus(ways: list[Way], elements: Iterable[Element]) -> list[Way]:
    """Nothing is required: MINUS only takes solutions away, and none that shares no variable with it (18.5)."""
    groups = [element.group for element in elements if isinstance(element, Minus)]
    removed = frozenset(variable for group in groups for variable in in_scope(group))
    return [way if removed.isdisjoint(way.scope) else replace(way, residual=True) for way in ways]


def _graph(name: Variable | IRI, group: Group, given: frozenset[Variable]) -> list[Way]:
    """Sound: GRAPH sees the publication's own triples, where it has a named graph. Exact if its name joins nothing."""
    named = [Way(graphs=(name,))]
    return conjunction(named, group_ways(group, given))


def _rows(data: InlineData) -> list[Way]:
    """Sound and exact: a solution agrees with one row, whose variables have the row's values. UNDEF says nothing."""
    rows = []
    for row in data.rows:
        values = {variable: value for variable, value in zip(data.variables, row, strict=True) if value is not None}
        rows.append(Way(certain=frozenset(values), bindings=values))
    return rows
