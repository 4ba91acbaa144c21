"""The oracles tell the truth about themselves."""

from __future__ import annotations

import pytest
import rdflib

from sparql_ft import parse
from sparql_ft.terms import XSD_INTEGER, Literal
from tests.oracles import engines
from tests.sparql_ft.small import PREFIX, publication


@pytest.mark.parametrize("solutions", [engines.pyoxigraph_solutions, engines.rdflib_solutions])
@pytest.mark.parametrize("place", ["FILTER({})", "BIND({} AS ?b)", "FILTER(!{})"])
def test_a_failing_function_surfaces(monkeypatch: pytest.MonkeyPatch, solutions: engines.Solutions, place: str) -> None:
    """An exception in ftcontains is no error of SPARQL's, which a FILTER would take for false."""

    def fail(_text: str, _expression: object) -> bool:
        raise ZeroDivisionError("a mistake of ours")

    monkeypatch.setattr(engines, "satisfies", fail)
    pattern = "SELECT * { ?s :p ?o " + place.format('ftcontains(?o, "x")') + " }"
    with pytest.raises(ZeroDivisionError, match="a mistake of ours"):
        solutions(engines.projected(parse(PREFIX + pattern)), publication(':a :p "x"'))


@pytest.mark.parametrize("solutions", [engines.pyoxigraph_solutions, engines.rdflib_solutions])
def test_solutions_that_bind_nothing_count(solutions: engines.Solutions) -> None:
    """Two solutions of `SELECT ?none` are two."""
    query = parse(PREFIX + "SELECT ?none { ?s :p ?o }")
    assert solutions(query, publication(":a :p 1 . :a :p 2")).total() == 2


@pytest.mark.parametrize("solutions", [engines.pyoxigraph_solutions, engines.rdflib_solutions])
@pytest.mark.parametrize("pattern", ["?s :p ?o", "?s :p 01 BIND(01 AS ?o)", '?s :p ?o FILTER ftcontains(?o, "01")'])
def test_lexical_forms_stay(solutions: engines.Solutions, pattern: str) -> None:
    """Also those that the engine itself would rewrite, in data and in queries."""
    query = parse(PREFIX + f"SELECT ?o {{ {pattern} }}")
    assert set(solutions(query, publication(":a :p 01"))) == {frozenset({("o", Literal("01", XSD_INTEGER))})}
    assert rdflib.NORMALIZE_LITERALS
