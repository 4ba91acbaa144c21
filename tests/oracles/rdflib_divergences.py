"""Where rdflib 7 leaves SPARQL 1.1 in graph patterns and paths."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final

from sparql_ft.convert import to_rdflib
from sparql_ft.nodes import (
    Bind,
    Exists,
    Filter,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    OptionalGroup,
    PathNegated,
    PathRepeat,
    TriplePattern,
    Union,
    Wildcard,
)
from sparql_ft.terms import IRI, Literal, Variable
from tests.oracles.divergence import Divergence, rebinds, some, some_of
from tests.oracles.pair import Pair
from tests.oracles.trees import is_nullable, nodes, surely_bound, variables, within_exists

__all__ = ["DIVERGENCES"]


def _sees_what_stands_before(node: object, pair: Pair) -> bool:
    """A group further in that comes after something, and asks for variables that it need not bind itself."""
    if not isinstance(node, Group):
        return False
    others = [element for element in node.elements if not isinstance(element, Filter)]
    return any(
        _asks_outside(inner, pair, is_condition=isinstance(element, OptionalGroup) and inner is element.group)
        for element in others[1:]
        if isinstance(element, Group | Union | GraphGroup | OptionalGroup)
        for inner in nodes(element)
        if isinstance(inner, Group)
    )


def _hidden_within_exists(node: object, pair: Pair) -> bool:
    """A group further in within EXISTS with more than patterns, which mentions what is mentioned outside of it."""
    return isinstance(node, Exists) and any(
        pair.tree.nodes.count(variable) > sum(each == variable for each in nodes(inner))
        for inner in nodes(node.group.elements)
        if isinstance(inner, Group)
        for element in inner.elements
        if isinstance(element, Filter | Bind | OptionalGroup | Minus)
        for variable in variables(element)
    )


def _asks_outside(group: Group, pair: Pair, *, is_condition: bool) -> bool:
    """Whether a part of a group that is no pattern mentions what is mentioned outside, and not surely bound before.

    The filters of an OPTIONAL are the condition of the join (`is_condition`), and may.
    """
    inside = Counter(part for part in nodes(group) if isinstance(part, Variable))
    for place, element in enumerate(group.elements):
        if not isinstance(element, Filter | Bind | OptionalGroup | Minus):
            continue
        if isinstance(element, Filter) and is_condition:
            continue
        before = group.elements if isinstance(element, Filter) else group.elements[:place]
        asked = variables(element) - surely_bound(before)
        if any(pair.tree.nodes.count(variable) > inside[variable] for variable in asked):
            return True
    return False


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


def _absent_value(node: object, pair: Pair) -> bool:
    """A path that can have no length, and variables at its ends that can be what is no node of the graph."""
    if not isinstance(node, TriplePattern):
        return False
    if not any(isinstance(part, PathRepeat) and is_nullable(part) for part in nodes(node.predicate)):
        return False
    ends = (pair.values(end) for end in (node.subject, node.object) if isinstance(end, Variable))
    return any(not values <= pair.present for values in ends)


@cache
def _is_false(literal: Literal) -> bool:
    return not to_rdflib(literal)


def _walks_to_a_false_term(pair: Pair) -> bool:
    paths = (node for node in pair.tree.larger if isinstance(node, TriplePattern))
    return any(not isinstance(node.predicate, IRI | Variable | Wildcard) for node in paths) and any(
        map(_is_false, pair.literals())
    )


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
        concerns=some_of(_sees_what_stands_before),
    ),
    Divergence(
        "rdflib",
        "hides the variables of the solution at hand from filters and BIND of a group further in within EXISTS",
        "18.6, Substitute: every occurrence of a variable in the pattern is replaced by its value",
        "{ ?s :p ?o FILTER EXISTS { { FILTER(BOUND(?s)) } } }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some_of(_hidden_within_exists),
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
        concerns=rebinds,
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
        concerns=some_of(_absent_value),
    ),
    Divergence(
        "rdflib",
        "takes what is false in Python (here 0; the empty string) for a variable when it walks a path",
        "18.4, Evaluation of Sequence Property Path: a join on the node between",
        "{ ?s :p/:p* ?o }",
        "o=0 (xsd:integer) s=:a",
        ":a :p 0",
        concerns=_walks_to_a_false_term,
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
