"""Which variables of a pattern can be bound in its solutions: SPARQL 1.1, section 18.2.1, "Variable Scope".

`SELECT *` projects them, and BIND may only introduce one that is not among those of the elements before it.
"""

from __future__ import annotations

from collections.abc import Iterator

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
from sparql_ft.terms import Variable

__all__ = ["in_scope", "visible"]


def in_scope(element: Element) -> tuple[Variable, ...]:
    """The variables in scope after `element` (a whole group is one), each once, in order of first appearance.

    >>> from sparql_ft.nodes import Bind
    >>> in_scope(Bind(Variable("x"), Variable("y")))
    (Variable(name='y'),)
    """
    return tuple(dict.fromkeys(_occurrences(element)))


def visible(query: Query) -> tuple[Variable, ...]:
    """What `SELECT *` projects: the variables in scope of WHERE, and of the VALUES clause joined to it (18.2.4.3)."""
    trailing = () if query.values is None else query.values.variables
    return tuple(dict.fromkeys((*_occurrences(query.where), *trailing)))


def _occurrences(element: Element) -> Iterator[Variable]:
    """The table of 18.2.1, row by row."""
    match element:
        case TriplePattern(subject, predicate, object_):  # "v occurs in the BGP", "v occurs in the path"
            for term in (subject, predicate, object_):
                if isinstance(term, Variable):
                    yield term
        case Group(elements):  # "v occurs in P"
            for inner in elements:
                yield from _occurrences(inner)
        case GraphGroup(name, group):  # "v is term or v is in-scope in P"
            if isinstance(name, Variable):
                yield name
            yield from _occurrences(group)
        case Union(groups):  # "v is in-scope in P1 or in-scope in P2"
            for group in groups:
                yield from _occurrences(group)
        case OptionalGroup(group):  # likewise for P1 OPTIONAL P2
            yield from _occurrences(group)
        case Bind(_, variable):  # "v is in-scope": the one after AS, not those of the expression
            yield variable
        case InlineData(variables, _):  # "v is in varlist"
            yield from variables
        case Filter() | Minus():  # neither binds anything; of P1 MINUS P2 only P1 counts
            return
