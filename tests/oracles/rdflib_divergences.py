"""Where rdflib 7 leaves SPARQL 1.1 in graph patterns and paths."""

from __future__ import annotations

from typing import Final

from sparql_ft.nodes import (
    Bind,
    Filter,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    OptionalGroup,
    PathNegated,
    PathRepeat,
    Query,
    TriplePattern,
    Union,
)
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, Literal, Variable
from tests.oracles.divergence import Divergence, some
from tests.oracles.trees import is_nullable, nodes, within_exists

__all__ = ["DIVERGENCES"]


def _sees_what_stands_before(node: object) -> bool:
    """A group further in that comes after something, and has more than patterns to join."""
    if not isinstance(node, Group):
        return False
    others = [element for element in node.elements if not isinstance(element, Filter)]
    return any(
        isinstance(element, Group | Union | GraphGroup | OptionalGroup)
        and any(isinstance(part, Filter | Bind | OptionalGroup | Minus) for part in nodes(_inside(element)))
        for element in others[1:]
    )


def _inside(element: object) -> object:
    """What is evaluated by itself: of OPTIONAL not its own filters, which are the condition of the join."""
    if isinstance(element, OptionalGroup):
        return tuple(part for part in element.group.elements if not isinstance(part, Filter))
    return element


def _optional_after_values(node: object) -> bool:
    if not isinstance(node, Group):
        return False
    places = [place for place, element in enumerate(node.elements) if isinstance(element, OptionalGroup)]
    before = node.elements[: places[-1]] if places else ()
    return any(isinstance(part, InlineData | Bind) for part in nodes(before))


def _joins_a_group(node: object) -> bool:
    """Anything whose solutions may repeat, and that is joined to something."""
    if isinstance(node, Group):
        return any(isinstance(element, Group) for element in node.elements)
    return isinstance(node, InlineData | Union | GraphGroup)


def _absent_value(query: Query, publication: Publication) -> bool:
    """A path that can have no length, and terms in the query that are no nodes of the graph."""
    present = {node for s, _, o in publication.triples for node in (s, o)}
    if not any(isinstance(node, PathRepeat) and is_nullable(node) for node in nodes(query)):
        return False
    named: set[object] = set()
    for node in nodes(query):
        match node:
            case TriplePattern(subject, _, object_):
                named |= {end for end in (subject, object_) if isinstance(end, IRI | Literal)}
            case GraphGroup(IRI() as name, _):
                named.add(name)
            case GraphGroup(_, _) if publication.graph is not None:
                named.add(publication.graph)
            case InlineData(_, rows):
                named |= {cell for row in rows for cell in row if cell is not None}
            case Bind(expression, _):
                named.add(expression if isinstance(expression, IRI | Literal | Variable) else "computed")
    return bool({name for name in named if not isinstance(name, Variable)} - present)


DIVERGENCES: Final = [
    Divergence(
        "rdflib",
        "fails with the empty negated property set `!()`",
        "19.8, production [95] PathNegatedPropertySet",
        "{ ?s !() ?o }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some(lambda node: node == PathNegated((), ())),
    ),
    Divergence(
        "rdflib",
        "fails with inverses in a negated property set if the path is walked backward",
        "18.4, Evaluation of NegatedPropertySet",
        "{ ?s ^(!^:q) ?o }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some(lambda node: isinstance(node, PathNegated) and bool(node.inverse)),
    ),
    Divergence(
        "rdflib",
        "matches a group without triples in a graph that does not exist",
        "18.6, Evaluation of a Graph Pattern: for a name that is none of the dataset's, the empty multiset",
        "{ GRAPH :absent { } }",
        "nothing",
        ":a :p :b",
        concerns=some(
            lambda node: (
                isinstance(node, GraphGroup)
                and not any(isinstance(element, TriplePattern) for element in node.group.elements)
            )
        ),
    ),
    Divergence(
        "rdflib",
        "takes the right side of a join for a set if there is a join within one of its sides",
        "18.5, Join: the cardinality of μ is a sum over all pairs that merge to μ",
        "{ OPTIONAL { ?x :p ?x VALUES ?y { :a } } VALUES ?x { :b :b } }",
        "x=:b, x=:b",
        concerns=some(_joins_a_group),
        counts=True,
    ),
    Divergence(
        "rdflib",
        "lets filters, BIND, OPTIONAL and MINUS of a group see the variables of what stands before the group",
        "18.6, eval(D(G), Join(P1, P2)): both sides are evaluated by themselves",
        "{ ?s :p ?o { FILTER(BOUND(?s)) } }",
        "nothing",
        ":a :p :b",
        concerns=some(_sees_what_stands_before),
    ),
    Divergence(
        "rdflib",
        "lets both sides of a MINUS within EXISTS share the variables of the solution at hand",
        "18.6, Substitute: they are replaced by their values, so neither side has them",
        "{ ?s :p ?o FILTER EXISTS { MINUS { } } }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some(within_exists(Minus)),
    ),
    Divergence(
        "rdflib",
        "lets BIND within EXISTS give another value to a variable of the solution at hand",
        "18.6, Substitute: undefined for the variable of a BIND; ours is that of the drafts of SPARQL 1.2, a join",
        "{ BIND(:a AS ?x) FILTER EXISTS { BIND(:b AS ?x) } }",
        "nothing",
        concerns=some(within_exists(Bind)),
    ),
    Divergence(
        "rdflib",
        "drops a solution of VALUES that an OPTIONAL does not extend, if it would extend one without its values",
        "18.5, Diff: what is not compatible with any solution of the right side stays",
        "{ VALUES ?u { :z } OPTIONAL { ?s ?u ?o } }",
        "u=:z",
        ":a :p :b",
        concerns=some(_optional_after_values),
    ),
    Divergence(
        "rdflib",
        "counts an end of a repetition as often as it finds it, as on a cycle",
        "18.4, ALP: a set of nodes",
        "{ :a (:p?)* ?o }",
        "o=:a",
        concerns=some(lambda node: isinstance(node, PathRepeat)),
        counts=True,
    ),
    Divergence(
        "rdflib",
        "finds a zero-length path from a variable whose value, known from elsewhere, is in no triple",
        "18.4, ZeroLengthPath: for two variables the nodes of the graph; the path is evaluated by itself, then joined",
        "{ VALUES ?s { :z } ?s :p* ?o }",
        "nothing",
        ":a :p :b",
        concerns=_absent_value,
    ),
    Divergence(
        "rdflib",
        "fails with VALUES without rows",
        "18.2.4.3; 19.8, production [65] DataBlock",
        "{ VALUES ?x { } }",
        "nothing",
        concerns=some(lambda node: isinstance(node, InlineData) and not node.rows),
    ),
]
