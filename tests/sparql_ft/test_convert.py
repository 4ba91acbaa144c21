"""Terms survive the way to rdflib and pyoxigraph and back."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from sparql_ft.convert import from_pyoxigraph, from_rdflib, to_pyoxigraph, to_rdflib, to_term
from sparql_ft.terms import IRI, XSD, XSD_INTEGER, BlankNode, Literal, Term

TERMS: list[Term] = [
    IRI("http://example.org/é"),
    BlankNode("b0"),
    Literal("plain"),
    Literal(""),
    Literal('quote " and \\ and \n'),
    Literal("01", XSD_INTEGER),
    Literal("1", XSD + "int"),
    Literal("+1.50", XSD + "decimal"),
    Literal("1", XSD + "boolean"),
    Literal("2000-01-01T24:00:00", XSD + "dateTime"),
    Literal("Haus", language="de-AT"),
    Literal("x", "http://example.org/type"),
]


@pytest.mark.parametrize("term", TERMS, ids=str)
def test_there_and_back(term: Term) -> None:
    """Lexical form, datatype and language tag come back as they were."""
    assert from_rdflib(to_rdflib(term)) == term
    assert from_pyoxigraph(to_pyoxigraph(term)) == term
    assert to_term(term) is term
    assert to_term(to_rdflib(term)) == term
    assert to_term(to_pyoxigraph(term)) == term
    assert str(to_pyoxigraph(term)) == str(term)


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from([None, "en", "zh-hans"]))
def test_any_text_there_and_back(text: str, language: str | None) -> None:
    """Any text is a literal."""
    term = Literal(text, language=language)
    assert from_rdflib(to_rdflib(term)) == term
    assert from_pyoxigraph(to_pyoxigraph(term)) == term


def test_strings_have_no_datatype_in_rdflib() -> None:
    """In rdflib "a" is not "a"^^xsd:string, in RDF 1.1 it is."""
    assert to_rdflib(Literal("a")) == rdflib.Literal("a")
    assert from_rdflib(rdflib.Literal("a", datatype=rdflib.XSD.string)) == Literal("a")


def test_language_tags_compare_in_lower_case() -> None:
    """Language tags have a case in rdflib, and none in our terms."""
    assert from_rdflib(rdflib.Literal("a", lang="EN-us")) == Literal("a", language="en-us")


@pytest.mark.parametrize("value", [rdflib.Variable("x"), "http://a", None, 5, ox.DefaultGraph(), ox.Variable("x")])
def test_no_term(value: object) -> None:
    """What is no RDF term is refused."""
    with pytest.raises(ValueError, match="is no RDF term"):
        to_term(value)


def test_rdf_1_2() -> None:
    """Triple terms and base directions are refused by name."""
    node = ox.NamedNode("a:a")
    with pytest.raises(ValueError, match="is a triple term"):
        to_term(ox.Triple(node, node, node))
    with pytest.raises(ValueError, match="has a base direction"):
        to_term(ox.Literal("a", language="en", direction=ox.BaseDirection.LTR))
