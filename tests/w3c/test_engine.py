"""The W3C's evaluation tests through the engine: a match iff there is a result, and bindings that equal it."""

from __future__ import annotations

import pytest

from rtf import Engine, Publication
from sparql_ft import UnsupportedFeatureError, parse
from sparql_ft.convert import from_rdflib
from sparql_ft.nodes import Form
from tests.shared import shared_dir
from tests.w3c.manifests import EvaluationTest, Row, equivalent, evaluation_tests, read_expected
from tests.w3c.test_evaluation import as_publications, distinct


def publications_of(test: EvaluationTest) -> list[Publication]:
    """What to match; nothing for a test that no standing query or no publication can be."""
    try:
        query = parse(test.query.read_text(encoding="utf-8"), base=test.query.as_uri())
    except UnsupportedFeatureError:
        return []
    return [] if query.form is Form.CONSTRUCT else as_publications(test, query)


ALL = evaluation_tests(shared_dir("w3c"))
TESTS = {test.name: (test, publications) for test in ALL if (publications := publications_of(test))}


@pytest.mark.parametrize("freeze_at", [None, 1], ids=["mutable", "frozen"])
@pytest.mark.parametrize("name", TESTS)
def test_engine(name: str, freeze_at: int | None) -> None:
    """Inside the fragment: the expected results, by way of the index."""
    test, publications = TESTS[name]
    engine = Engine(base=test.query.as_uri(), freeze_at=freeze_at, background=False)
    engine.register("q", test.query.read_text(encoding="utf-8"))
    rows: list[Row] = []
    for publication in publications:
        assert engine.report(publication).failures == {}
        for match in engine.match(publication):
            rows.extend({name: from_rdflib(term) for name, term in row.items()} for row in match.bindings)
    expected = read_expected(test, construct=False)
    if isinstance(expected, bool):
        assert bool(rows) == expected
        return
    if test.lax_cardinality:
        rows, expected = distinct(rows), distinct(expected)
    assert equivalent(rows, expected)


def test_that_there_are_tests() -> None:
    """Most of them lie inside the fragment."""
    assert len(TESTS) > len(ALL) / 2
