"""Where pyoxigraph 0.5 leaves SPARQL 1.1 in graph patterns and paths."""

from __future__ import annotations

from typing import Final

from sparql_ft.nodes import (
    Compare,
    GraphGroup,
    In,
    InlineData,
    Minus,
    PathAlternative,
    PathNegated,
    PathRepeat,
    TriplePattern,
)
from sparql_ft.terms import IRI, Literal, Variable
from tests.oracles.divergence import Divergence, rebinds, some, some_of
from tests.oracles.pair import Pair
from tests.oracles.trees import NUMBERS, is_nullable, kind, nodes, variables, within_exists

__all__ = ["DIVERGENCES"]


def _absent_end(node: object, pair: Pair) -> bool:
    """A path that can have no length from a term that is in no triple: a constant, or what EXISTS puts in its place."""
    if not isinstance(node, TriplePattern) or isinstance(node.predicate, Variable):
        return False
    if not any(isinstance(part, PathRepeat) and is_nullable(part) for part in nodes(node.predicate)):
        return False
    ends = (node.subject, node.object)
    constants = {end for end in ends if isinstance(end, IRI | Literal)}
    put_in = [pair.values(end) for end in ends if isinstance(end, Variable) and end in pair.within_exists]
    return not frozenset(constants).union(*put_in) <= pair.present


def _graph_name_inside(node: object) -> bool:
    if not isinstance(node, GraphGroup) or not isinstance(node.name, Variable):
        return False
    return node.name in variables(node.group) or any(isinstance(part, Minus) for part in nodes(node.group))


def _compares_a_start(pair: Pair) -> bool:
    """`=` or IN with a variable at an end of a path that can have no length, where it can be a literal."""
    ends = {
        end
        for node in pair.tree.larger
        if isinstance(node, TriplePattern)
        and any(isinstance(part, PathRepeat) and is_nullable(part) for part in nodes(node.predicate))
        for end in (node.subject, node.object)
        if isinstance(end, Variable) and not pair.kinds(end) <= {"IRI", "blank"}
    }
    return any(isinstance(node, Compare | In) and not ends.isdisjoint(variables(node)) for node in pair.tree.larger)


DIVERGENCES: Final = [
    Divergence(
        "pyoxigraph",
        "refuses the empty negated property set `!()` as a syntax error",
        "19.8, production [95] PathNegatedPropertySet",
        "{ ?s !() ?o }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some(lambda node: node == PathNegated((), ())),
    ),
    Divergence(
        "pyoxigraph",
        "finds no zero-length path from a term of the query that is in no triple",
        "18.4, ZeroLengthPath: for a term and a variable the solution is { (var, term) }",
        "{ :z :p? ?o }",
        "o=:z",
        ":a :p :b",
        concerns=some_of(_absent_end),
    ),
    Divergence(
        "pyoxigraph",
        "takes the start of a path for no literal, also of one without length, and `=` for sameTerm then",
        "18.4, ZeroLengthPath: for two variables all nodes of the graph, and literals are some",
        "{ ?s :p* ?o FILTER(?s = 1.0) }",
        "o=1 (xsd:integer) s=1 (xsd:integer)",
        ":a :q 1",
        concerns=_compares_a_start,
    ),
    Divergence(
        "pyoxigraph",
        "reads `:p +7` as the path `:p+` and the number 7",
        "19.8: the tokens are those of the longest match, here production [149] INTEGER_POSITIVE",
        "{ ?s :p +7 }",
        "s=:b",
        ":b :p +7 . :c :p :b",
        concerns=some(
            lambda node: (
                isinstance(node, TriplePattern)
                and isinstance(node.object, Literal)
                and node.object.lexical.startswith("+")
                and kind(node.object) in NUMBERS
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "counts a pair once that several alternatives of a path, or both directions of `!(p|^q)`, connect",
        "18.4, Evaluation of Alternative Property Path: Union, which adds multiplicities",
        "{ ?s :p|:q ?o }",
        "o=:b s=:a, o=:b s=:a",
        ":a :p :b . :a :q :b",
        concerns=some(
            lambda node: (
                isinstance(node, PathAlternative)
                or (isinstance(node, PathNegated) and bool(node.forward) and bool(node.inverse))
            )
        ),
        counts=True,
    ),
    Divergence(
        "pyoxigraph",
        "counts a pair once that several triples of a negated property set connect, if a join knows both ends",
        "18.6, eval(D(G), Join(P1, P2)): both sides are evaluated by themselves, and by itself it counts them all",
        "{ ?s !:r ?o . ?s :q ?o }",
        "o=:b s=:a, o=:b s=:a",
        ":a :p :b . :a :q :b",
        concerns=some(lambda node: isinstance(node, PathNegated)),
        counts=True,
    ),
    Divergence(
        "pyoxigraph",
        "binds ?g inside the group of GRAPH ?g, where filters and MINUS then see it",
        "18.6, Evaluation of a Graph Pattern: Join(eval(D(D[i]), P), Ω(?var->i))",
        "{ GRAPH ?g { ?s :p ?o FILTER(?g = :g) } }",
        "nothing",
        ":a :p :b",
        ":g",
        concerns=some(_graph_name_inside),
    ),
    Divergence(
        "pyoxigraph",
        "has solutions of VALUES within GRAPH where there is no such graph, and does not bind its name to them",
        "18.6, Evaluation of a Graph Pattern: for a name that is none of the dataset's, the empty multiset",
        "{ GRAPH :absent { VALUES ?x { :a } } }",
        "nothing",
        concerns=some(
            lambda node: isinstance(node, GraphGroup) and any(isinstance(part, InlineData) for part in nodes(node))
        ),
    ),
    Divergence(
        "pyoxigraph",
        "lets both sides of a MINUS within EXISTS share the variables of the solution at hand",
        "18.6, Substitute: they are replaced by their values, so neither side has them",
        "{ ?s :p ?o FILTER EXISTS { MINUS { } } }",
        "o=:b s=:a",
        ":a :p :b",
        concerns=some(within_exists(Minus)),
    ),
    Divergence(
        "pyoxigraph",
        "lets BIND within EXISTS give another value to a variable of the solution at hand",
        "18.6, Substitute: undefined for the variable of a BIND; ours is that of the drafts of SPARQL 1.2, a join",
        "{ BIND(:a AS ?x) FILTER EXISTS { BIND(:b AS ?x) } }",
        "nothing",
        concerns=rebinds,
    ),
]
