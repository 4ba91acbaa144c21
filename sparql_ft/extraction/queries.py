"""Queries -> tuples: what a publication must hold for a query to match.

Each rule says why it is sound (a solution of the pattern satisfies some way) and whether it is exact (a satisfied way
without residual implies a solution). Only the existence of a solution counts: a query matches or it does not.
"""

from __future__ import annotations

from dataclasses import replace

from sparql_ft.extraction.filters import apply_filter
from sparql_ft.extraction.paths import triple_ways
from sparql_ft.extraction.tuples import QueryTuples
from sparql_ft.extraction.ways import Way, alternatives, conjunction
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
from sparql_ft.terms import IRI, Variable

__all__ = ["extract"]


def extract(query: Query) -> QueryTuples:
    """The index form of a query.

    >>> from sparql_ft import parse
    >>> query = parse('ASK { ?x <urn:type> <urn:article>; <urn:body> ?b FILTER ftcontains(?b, "rio") }')
    >>> print(*extract(query).alternatives[0].tuples)
    (?x, <urn:type>, <urn:article>) (?x, <urn:body>, ?b, ftcontains("rio"))
    """
    ways = group_ways(query.where)
    if query.values is not None:  # 18.2.4.3: joined to the WHERE
        ways = conjunction(ways, _rows(query.values))
    return QueryTuples(alternatives(ways))


def group_ways(group: Group) -> list[Way]:
    """The ways of a group: its elements one after the other, its FILTERs last, as 18.2.2 has them."""
    ways = [Way()]
    for element in group.elements:
        ways = _with_element(ways, element)
    for element in group.elements:
        if isinstance(element, Filter):
            ways = apply_filter(ways, element.expression, group_ways)
    return ways


def _with_element(ways: list[Way], element: Element) -> list[Way]:
    match element:
        case TriplePattern():
            return conjunction(ways, triple_ways(element))
        case Group():  # joined to what stands before it (18.2.2.6)
            return conjunction(ways, group_ways(element))
        case Union(groups):  # sound and exact: a solution of a UNION is a solution of one of its branches
            return conjunction(ways, [way for group in groups for way in group_ways(group)])
        case OptionalGroup(group):
            return _optional(ways, group)
        case Minus(group):
            return _minus(ways, group)
        case GraphGroup(name, group):
            return conjunction(ways, _graph(name, group))
        case Bind(_, variable):
            # Every solution is kept (18.5, Extend). What is bound shows in no tuple, and not at all after an error.
            return [replace(way, maybe=way.maybe | {variable}) for way in ways]
        case InlineData():
            return conjunction(ways, _rows(element))
        case Filter():  # at the end of the group
            return ways


def _optional(ways: list[Way], group: Group) -> list[Way]:
    """Nothing is required. Exact: a left join keeps every solution of its left side, so it has one iff that has one.

    What it binds may be unbound, which matters to whoever mentions those variables later.
    """
    bound = frozenset(in_scope(group))
    return [replace(way, maybe=way.maybe | (bound - way.certain)) for way in ways]


def _minus(ways: list[Way], group: Group) -> list[Way]:
    """Nothing is required: MINUS only takes solutions away, and none that shares no variable with it (18.5)."""
    removed = frozenset(in_scope(group))
    return [way if removed.isdisjoint(way.scope) else replace(way, residual=True) for way in ways]


def _graph(name: Variable | IRI, group: Group) -> list[Way]:
    """Sound: GRAPH sees the publication's own triples, where it has a named graph. Exact if its name joins nothing."""
    named = [Way(graphs=(name,))]
    return conjunction(named, group_ways(group))


def _rows(data: InlineData) -> list[Way]:
    """Sound and exact: a solution agrees with one row, whose variables have the row's values. UNDEF says nothing."""
    rows = []
    for row in data.rows:
        values = {variable: value for variable, value in zip(data.variables, row, strict=True) if value is not None}
        rows.append(Way(certain=frozenset(values), bindings=values))
    return rows
