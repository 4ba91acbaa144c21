"""Functional forms and the way errors go: SPARQL 1.1, sections 17.2 and 17.4.1."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sparql_ft.expressions.evaluation import EvaluationLimitError, evaluate_expression, holds
from sparql_ft.nodes import Not
from sparql_ft.terms import IRI, BlankNode, Literal, Variable
from tests.sparql_ft.expressions.written import CONTEXT, expression_of, value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # BOUND
        ("BOUND(?x)", "true"),
        ("BOUND(?unbound)", "false"),
        # IF: only the part that is chosen is evaluated, and an error of the condition is one of the whole
        ("IF(true, 1, 1/0)", "1"),
        ("IF(false, 1/0, 2)", "2"),
        ('IF("a", 1, 2)', "1"),
        ("IF(?unbound, 1, 2)", "error"),
        ("IF(:a, 1, 2)", "error"),
        ("IF(1/0, 1, 2)", "error"),
        ("IF(true, ?unbound, 2)", "error"),
        # COALESCE: the first without error
        ("COALESCE(?x, 1/0)", "2"),
        ("COALESCE(1/0, ?x)", "2"),
        ("COALESCE(?unbound, 3)", "3"),
        ("COALESCE(5, ?x, 3)", "5"),
        ("COALESCE(?unbound)", "error"),
        ("COALESCE()", "error"),
        # IN and NOT IN (17.4.1.9 and 17.4.1.10, all the examples)
        ("2 IN (1, 2, 3)", "true"),
        ("2 IN ()", "false"),
        ('2 IN (:iri, "str", 2.0)', "true"),
        ("2 IN (1/0, 2)", "true"),
        ("2 IN (2, 1/0)", "true"),
        ("2 IN (3, 1/0)", "error"),
        ("2 NOT IN (1, 2, 3)", "false"),
        ("2 NOT IN ()", "true"),
        ('2 NOT IN (:iri, "str", 2.0)', "false"),
        ("2 NOT IN (1/0, 2)", "false"),
        ("2 NOT IN (2, 1/0)", "false"),
        ("2 NOT IN (3, 1/0)", "error"),
        ("2 IN (?unbound, 2)", "true"),
        ("?unbound IN (2)", "error"),
        ("?unbound IN ()", "error"),
        ("1/0 NOT IN ()", "error"),
        ('"a"^^:t IN ("b"^^:t)', "error"),
        ('"a"^^:t IN ("b"^^:t, "a"^^:t)', "true"),
        # errors go through functions and operators
        ("STR(1/0)", "error"),
        ("sameTerm(?unbound, ?unbound)", "error"),
        ("isIRI(?unbound)", "error"),
        ("1 + ?unbound", "error"),
        ("?unbound = ?unbound", "error"),
        ("!(?unbound = 1) || true", "true"),
        ("BOUND(?x) && ?x = 2", "true"),
        # precedence: || is weaker than &&, that weaker than comparisons
        ("true || false && false", "true"),
        ("(true || false) && false", "false"),
        ("1 + 1 = 2 && 2 < 3", "true"),
        ("!true || true", "true"),
    ],
)
def test_forms(expression: str, expected: str) -> None:
    """With ?x = 2."""
    assert value(expression, x="2") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('ftcontains(?x, "olympic")', "true"),
        ('ftcontains(?x, "paris")', "false"),
        ('!ftcontains(?x, "paris")', "true"),
        ('ftcontains(?iri, "olympic")', "error"),
        ('!ftcontains(?iri, "olympic")', "error"),
        ('ftcontains(?unbound, "olympic")', "error"),
        ('ftcontains(?year, "1972")', "true"),  # any datatype: the lexical form counts
        ('ftcontains(?tagged, "spiele")', "true"),
        ('ftcontains(?iri, "olympic") || true', "true"),
        ('ftcontains(?iri, "olympic") && false', "false"),
        ('IF(ftcontains(?x, "games"), 1, 2)', "1"),
    ],
)
def test_ftcontains(expression: str, expected: str) -> None:
    """True or false of literals, an error otherwise, and part of any expression."""
    bound = {"x": '"Olympic Games"', "iri": ":olympic", "year": '"1972"^^xsd:gYear', "tagged": '"Spiele"@de'}
    assert value(expression, **bound) == expected


def test_ftcontains_on_a_blank_node() -> None:
    """Neither is a blank node a literal."""
    solution = {Variable("x"): BlankNode("b")}
    expression = expression_of('ftcontains(?x, "b")')
    assert not holds(expression, solution, CONTEXT)
    assert not holds(Not(expression), solution, CONTEXT)


def test_holds() -> None:
    """A FILTER keeps what is true, and drops what is false or an error."""
    texts = ["true", "false", '"a"', '""', ":a", "?unbound", "1/0", "!?unbound"]
    kept = [holds(expression_of(text), {}, CONTEXT) for text in texts]
    assert kept == [True, False, True, False, False, False, False, False]


def test_exists_gets_the_solution() -> None:
    """EXISTS asks the context, with the solution at hand; NOT EXISTS is its negation."""
    asked = []

    def exists(group: object, solution: object) -> bool:
        asked.append((group, solution))
        return True

    context = replace(CONTEXT, exists=exists)
    solution = {Variable("x"): IRI("urn:x:a")}
    assert holds(expression_of("EXISTS { ?x ?y ?z }"), solution, context)
    assert not holds(expression_of("NOT EXISTS { ?x ?y ?z }"), solution, context)
    assert [given for _, given in asked] == [solution, solution]


def test_a_limit_is_no_error_of_the_expression() -> None:
    """Nothing takes it for false, or goes on without it."""

    def exists(_group: object, _solution: object) -> bool:
        raise EvaluationLimitError("too much")

    context = replace(CONTEXT, exists=exists)
    for text in (
        "EXISTS {}",
        "EXISTS {} || true",
        "COALESCE(EXISTS {}, 1)",
        "IF(EXISTS {}, 1, 2)",
        "1 IN (EXISTS {}, 1)",
    ):
        with pytest.raises(EvaluationLimitError, match="too much"):
            holds(expression_of(text), {}, context)


def test_long_chains_are_no_recursion() -> None:
    """Five thousand operands of one operator are one loop."""
    count = 5000
    assert value(" || ".join(["false"] * count)) == "false"
    assert value(" && ".join(["true"] * count)) == "true"
    assert value(" + ".join(["1"] * count)) == str(count)
    assert value(f"1 IN ({', '.join(['2'] * count)})") == "false"


def test_too_deep() -> None:
    """A tree that no text gives, deeper than the stack: a limit, not a RecursionError."""
    deep = Literal("true", "http://www.w3.org/2001/XMLSchema#boolean")
    for _ in range(100_000):
        deep = Not(deep)  # type: ignore[assignment]
    with pytest.raises(EvaluationLimitError, match="too deeply"):
        evaluate_expression(deep, {}, CONTEXT)
    while isinstance(deep, Not):  # taken apart by hand: Python would free it by recursion
        deep = deep.operand  # type: ignore[assignment]
