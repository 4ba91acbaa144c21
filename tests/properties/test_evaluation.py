"""The meaning of whole queries, against a second reading of the specification and against two other engines.

Where an engine leaves the specification is a list (`tests.oracles.divergences`); a disagreement that no entry of it
concerns is an error of ours.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from sparql_ft.evaluation.evaluator import Evaluator, evaluate, matches
from sparql_ft.expressions.evaluation import Context
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.nodes import Form, Group, Query
from sparql_ft.publication import Publication
from sparql_ft.scope import visible
from tests.oracles import section18
from tests.oracles.divergences import concerned
from tests.oracles.engines import Multiset, multiset, projected, pyoxigraph_solutions, rdflib_solutions
from tests.oracles.fulltext_bruteforce import satisfies
from tests.oracles.pair import Pair
from tests.strategies import CANONICAL, Language, publications, queries

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ORACLES = {"pyoxigraph": pyoxigraph_solutions, "rdflib": rdflib_solutions}
CANONICAL_LITERALS = tuple(CANONICAL)
# What an entry of the list would rule out anyway is not drawn, where it would rule out much.
LANGUAGES = {
    "pyoxigraph": Language(literals=CANONICAL_LITERALS, empty_negated=False),
    "rdflib": Language(literals=CANONICAL_LITERALS, empty_negated=False, inverse_negated=False, empty_values=False),
}


def _no_exists(group: Group, _: object) -> bool:
    raise AssertionError(f"section18 has an EXISTS of its own for {group}")


CONTEXT = Context(now=datetime_literal(NOW), exists=_no_exists, ftcontains=satisfies)


def by_section_18(query: Query, publication: Publication) -> Multiset:
    """The projected solutions by the second reading."""
    found = section18.solutions(query, publication, CONTEXT)
    names = visible(query) if query.projection is None else query.projection
    if query.form is Form.ASK:
        return multiset([{}] if found else [])
    rows = multiset({v.name: solution[v] for v in names if v in solution} for solution in found)
    return Counter(set(rows)) if query.modifier == "DISTINCT" else rows


def check_section_18(query: Query, publication: Publication) -> None:
    """Equal multisets, and `matches` says whether there is one."""
    expected = by_section_18(query, publication)
    assert multiset(Evaluator(publication, now=NOW).evaluate(query)) == expected
    assert matches(query, publication) == bool(expected)


@given(queries(), publications())
@settings(max_examples=3000)
def test_against_section_18(query: Query, publication: Publication) -> None:
    """The whole language: equal multisets of solutions."""
    check_section_18(query, publication)


@pytest.mark.slow
@given(queries(), publications())
@settings(max_examples=50_000, suppress_health_check=list(HealthCheck))
def test_against_section_18_at_length(query: Query, publication: Publication) -> None:
    """The same for 50,000 queries."""
    check_section_18(query, publication)


def check_oracle(oracle: str, data: st.DataObject) -> None:
    """Equal multisets, or sets where the oracle is known to count otherwise."""
    query = projected(data.draw(queries(LANGUAGES[oracle])))
    # pyoxigraph rewrites literals in data; rdflib does so in queries only.
    literals = publications(CANONICAL_LITERALS) if oracle == "pyoxigraph" else publications()
    publication = data.draw(literals)
    known = concerned(oracle, Pair(query, publication))
    assume(all(entry.counts for entry in known))
    expected, found = ORACLES[oracle](query, publication), multiset(evaluate(query, publication))
    if known:
        assert set(found) == set(expected)
    else:
        assert found == expected


@pytest.mark.parametrize("oracle", ORACLES)
@given(data=st.data())
@settings(max_examples=1000, suppress_health_check=[HealthCheck.filter_too_much])
def test_against_other_engines(oracle: str, data: st.DataObject) -> None:
    """Queries that no known divergence concerns: equal multisets of solutions, exact to the term."""
    check_oracle(oracle, data)


@pytest.mark.slow
@pytest.mark.parametrize("oracle", ORACLES)
@given(data=st.data())
@settings(max_examples=20_000, suppress_health_check=list(HealthCheck))
def test_against_other_engines_at_length(oracle: str, data: st.DataObject) -> None:
    """The same for 20,000 pairs of query and publication; those left out do not count."""
    check_oracle(oracle, data)
