"""Expressions without variables, against two other engines: the same value, or an error in both.

Values compare as values, because a computed number may be written in several ways; what STR makes of it, and its
datatype, are part of the comparison where the expression asks for them.
"""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sparql_ft.evaluation.evaluator import evaluate
from sparql_ft.expressions.numeric_values import Number, Rank, decimal_text
from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import Bind, Form, Group, Query
from sparql_ft.publication import Publication
from sparql_ft.syntax.parser import parse
from sparql_ft.terms import XSD_STRING, Literal, Term, Variable
from tests.expression_strategies import ODD_POOL, PLAIN_POOL, constant_expressions
from tests.oracles.divergences import concerned
from tests.oracles.engines import Multiset, multiset, pyoxigraph_solutions, rdflib_solutions
from tests.oracles.pair import Pair

EMPTY = Publication("urn:x:publication", ())
VALUE = Variable("v")
# Made once: that takes longer than to draw one. rdflib rewrites what is odd, so a known divergence would rule it out.
EXPRESSIONS = {"pyoxigraph": constant_expressions(ODD_POOL), "rdflib": constant_expressions(PLAIN_POOL)}
ORACLES = {"pyoxigraph": pyoxigraph_solutions, "rdflib": rdflib_solutions}


def comparable(term: Term | None) -> str:
    """A text that is the same for literals of the same value, and for no others; without a term, an error."""
    if term is None:
        return "error"
    value = value_of(term) if isinstance(term, Literal) and term.datatype != XSD_STRING else None
    if isinstance(value, Number) and value.rank <= Rank.DECIMAL:
        return f"{value.rank.name} {decimal_text(value.exact())}"
    return str(term) if value is None else repr(value)


def only(solutions: Multiset) -> Term | None:
    """The value of ?v in the only solution."""
    (solution,) = solutions.elements()
    return dict(solution).get(VALUE.name)


def check(oracle: str, data: st.DataObject) -> None:
    """The same value or an error in both."""
    expression = data.draw(EXPRESSIONS[oracle])
    text = str(Query(Form.SELECT, Group((Bind(expression, VALUE),)), (VALUE,)))
    query = parse(text)  # brackets and signs as the parser has them
    assume(not concerned(oracle, Pair(query, EMPTY)))
    expected, found = only(ORACLES[oracle](query, EMPTY)), only(multiset(evaluate(query, EMPTY)))
    assert comparable(found) == comparable(expected)


@pytest.mark.parametrize("oracle", ORACLES)
@given(data=st.data())
@settings(max_examples=800, suppress_health_check=[HealthCheck.filter_too_much])
def test_against_other_engines(oracle: str, data: st.DataObject) -> None:
    """Every operator, built-in and cast, over canonical, odd and wrong literals."""
    check(oracle, data)


@pytest.mark.slow
@pytest.mark.parametrize("oracle", ORACLES)
@given(data=st.data())
@settings(max_examples=30_000, suppress_health_check=list(HealthCheck))
def test_against_other_engines_at_length(oracle: str, data: st.DataObject) -> None:
    """The same for 30,000 expressions; those left out do not count."""
    check(oracle, data)
