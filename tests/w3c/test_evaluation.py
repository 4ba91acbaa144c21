"""The W3C's evaluation tests, of SPARQL 1.0 and 1.1, with the test's data as one publication."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sparql_ft import UnsupportedFeatureError, parse
from sparql_ft.evaluation.evaluator import construct, evaluate
from sparql_ft.nodes import Filter, Form, GraphGroup, Node, Query, TriplePattern
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI
from tests.shared import shared_dir
from tests.w3c.manifests import EvaluationTest, Row, equivalent, evaluation_tests, read_expected, read_graph

OUTDATED: dict[str, str] = {}
"""Tests whose expected results later specifications have changed, with the clause that did."""

TESTS = {test.name: test for test in evaluation_tests(shared_dir("w3c"))}


def outcome(test: EvaluationTest) -> str:
    """passed, failed, unsupported (refused by the parser), or outside (data that no publication can be)."""
    try:
        query = parse(test.query.read_text(encoding="utf-8"), base=test.query.as_uri())
    except UnsupportedFeatureError:
        return "unsupported"
    publications = as_publications(test, query)
    if not publications:
        return "outside"
    expected = read_expected(test, construct=query.form is Form.CONSTRUCT)
    found: list[Row] = []
    for publication in publications:
        if query.form is Form.CONSTRUCT:
            found.extend(dict(zip("spo", triple, strict=True)) for triple in construct(query, publication))
        else:
            found.extend(evaluate(query, publication))
    if isinstance(expected, bool):
        return "passed" if bool(found) == expected else "failed"
    if test.lax_cardinality:  # REDUCED may keep duplicates or not
        found, expected = distinct(found), distinct(expected)
    return "passed" if equivalent(found, expected) else "failed"


def as_publications(test: EvaluationTest, query: Query) -> list[Publication]:
    """The publications on which the query means what the test means, if there are.

    A publication's default graph and its named graph have the same triples, and it has no other graph. Hence the test
    must have the same triples in both, or the query must look at one of them only: at the default graph, or at named
    ones. In the latter case each named graph is a publication, and if the query has one GRAPH that all its solutions
    come from, its solutions are those on each of the publications.
    """
    used = set(_graphs_used(query.where, in_graph=False))
    named = [Publication("test", read_graph(file).triples, IRI(file.as_uri())) for file in test.graphs]
    if used <= {"default"}:
        return [read_graph(*test.data)]
    if not named:
        return [read_graph(*test.data)]
    if test.data == test.graphs and len(named) == 1:
        return named
    sources = [element for element in query.where.elements if not isinstance(element, Filter)]
    if len(named) == 1 and used == {"named"}:
        return named
    if len(sources) == 1 and isinstance(sources[0], GraphGroup) and query.modifier == "":
        return named
    return []


def _graphs_used(node: object, *, in_graph: bool) -> Iterator[str]:
    """For each triple pattern and GRAPH of a query: whether it looks at the default graph, or at named ones."""
    if isinstance(node, GraphGroup):
        yield "named"
        in_graph = True
    elif isinstance(node, TriplePattern):
        yield "named" if in_graph else "default"
    if isinstance(node, tuple):
        for part in node:
            yield from _graphs_used(part, in_graph=in_graph)
    elif isinstance(node, Node):
        for name in node.__dataclass_fields__:
            yield from _graphs_used(getattr(node, name), in_graph=in_graph)


def distinct(rows: list[Row]) -> list[Row]:
    """Each row once."""
    return [dict(items) for items in {frozenset(row.items()) for row in rows}]


@pytest.mark.parametrize("name", TESTS)
def test_evaluation(name: str) -> None:
    """Inside the fragment: the expected results as a multiset. Outside: refused, by name."""
    expected = {"failed"} if name in OUTDATED else {"passed", "unsupported", "outside"}
    assert outcome(TESTS[name]) in expected
