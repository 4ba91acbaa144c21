"""What is said of a query and a publication without evaluating them holds when they are evaluated."""

from __future__ import annotations

from random import Random

import pytest

from sparql_ft import parse
from sparql_ft.evaluation.evaluator import evaluate
from sparql_ft.terms import IRI, XSD_INTEGER, Literal, Variable
from tests.grown_queries import grown
from tests.oracles.engines import projected
from tests.oracles.pair import Pair, kind_of
from tests.oracles.trees import surely_bound
from tests.sparql_ft.small import PREFIX, publication


@pytest.mark.parametrize(
    ("pattern", "values"),
    [
        ("?v :p ?o", {IRI("urn:x:a")}),
        ("?s :p ?v", {Literal("1", XSD_INTEGER), Literal("x")}),
        ("?s ?v ?o", {IRI("urn:x:p"), IRI("urn:x:q")}),
        ("?s :q* ?v", {IRI("urn:x:a"), IRI("urn:x:b"), Literal("1", XSD_INTEGER), Literal("x")}),
        (":z :q* ?v", {IRI("urn:x:z"), IRI("urn:x:a"), IRI("urn:x:b"), Literal("1", XSD_INTEGER), Literal("x")}),
        ("GRAPH ?v { ?s :q ?o }", {IRI("urn:x:g")}),
        ("VALUES ?v { :z UNDEF }", {IRI("urn:x:z")}),
        ("?s :q ?o BIND(?o AS ?n) BIND(?n AS ?v)", {IRI("urn:x:b")}),
        ("?s :q ?o BIND(STR(?o) AS ?v)", {"string"}),
        ("?s :q ?o FILTER(BOUND(?v))", set()),
    ],
)
def test_values_of_a_variable(pattern: str, values: set[object]) -> None:
    """From each way to bind one."""
    query = parse(PREFIX + f"ASK {{ {pattern} }}")
    pair = Pair(query, publication(':a :p 1 . :a :p "x" . :a :q :b', ":g"))
    assert pair.values(Variable("v")) == values


def test_bindings_are_among_the_values() -> None:
    """Of many grown queries, which have all that a query can have; and what is surely bound is."""
    rng, solutions = Random(1), 0
    for _ in range(400):
        query, (some, *_) = grown(rng)
        query = projected(query)
        pair, sure = Pair(query, some), {variable.name for variable in surely_bound(query.where.elements)}
        for solution in evaluate(query, some):
            solutions += 1
            assert sure <= solution.keys(), query
            for name, term in solution.items():
                values = pair.values(Variable(name))
                assert term in values or kind_of(term) in values, query
    assert solutions > 500
