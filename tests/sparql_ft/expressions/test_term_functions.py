"""Functions on RDF terms: SPARQL 1.1, section 17.4.2."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sparql_ft.evaluation.evaluator import evaluate
from sparql_ft.terms import BlankNode
from tests.sparql_ft.expressions.written import CONTEXT, value
from tests.sparql_ft.small import PREFIX, publication, solutions


@pytest.mark.parametrize(
    ("term", "is_iri", "is_literal", "is_numeric", "text", "lang", "datatype"),
    [
        (":a", "true", "false", "false", '"urn:x:a"', "error", "error"),
        ('"a"', "false", "true", "false", '"a"', '""', "xsd:string"),
        ('"a"@en-GB', "false", "true", "false", '"a"', '"en-gb"', "rdf:langString"),
        ("01", "false", "true", "true", '"01"', '""', "xsd:integer"),
        ("1.50", "false", "true", "true", '"1.50"', '""', "xsd:decimal"),
        ("1e0", "false", "true", "true", '"1e0"', '""', "xsd:double"),
        ('"1"^^xsd:byte', "false", "true", "true", '"1"', '""', "xsd:byte"),
        ('"1200"^^xsd:byte', "false", "true", "false", '"1200"', '""', "xsd:byte"),
        ('" 1 "^^xsd:integer', "false", "true", "false", '" 1 "', '""', "xsd:integer"),
        ('"12"', "false", "true", "false", '"12"', '""', "xsd:string"),
        ("true", "false", "true", "false", '"true"', '""', "xsd:boolean"),
        ('"a"^^:t', "false", "true", "false", '"a"', '""', ":t"),
        ("?unbound", *["error"] * 6),
    ],
)
def test_what_a_term_is(
    term: str, is_iri: str, is_literal: str, is_numeric: str, text: str, lang: str, datatype: str
) -> None:
    """IsIRI, isURI, isLiteral, isNumeric, STR (lexical forms as written), LANG and DATATYPE."""
    iri = {
        "xsd:": "http://www.w3.org/2001/XMLSchema#",
        "rdf:": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    }
    expected = datatype
    for prefix, namespace in iri.items():
        if datatype.startswith(prefix):
            expected = f"<{namespace}{datatype.removeprefix(prefix)}>"
    found = [
        value(f"{name}({term})") for name in ("isIRI", "isURI", "isLITERAL", "isNUMERIC", "STR", "LANG", "DATATYPE")
    ]
    assert found == [is_iri, is_iri, is_literal, is_numeric, text, lang, expected]


def test_blank_nodes() -> None:
    """IsBlank is true of them, and STR an error."""
    data = "_:b :p 1"
    assert solutions("{ ?x :p ?y FILTER(isBLANK(?x) && !isIRI(?x) && !isLITERAL(?x) && !isBLANK(?y)) }", data) != []
    assert solutions("{ ?x :p ?y FILTER(!BOUND(?z)) BIND(STR(?x) AS ?z) }", data) == ["x=_:b y=1"]


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("1", "1", "true"),
        ("1", "01", "false"),
        ("1", "1.0", "false"),
        ('"a"', '"a"^^xsd:string', "true"),
        ('"a"@en', '"a"@EN', "true"),
        ('"a"@en', '"a"', "false"),
        (":a", '"urn:x:a"', "false"),
        ('"NaN"^^xsd:double', '"NaN"^^xsd:double', "true"),
        ('"a"^^:t', '"b"^^:t', "false"),
        ("?unbound", "?unbound", "error"),
    ],
)
def test_same_term(left: str, right: str, expected: str) -> None:
    """Terms, not values; nothing is unknown but an unbound variable."""
    assert value(f"sameTerm({left}, {right})") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('STRDT("123", xsd:integer)', "123"),
        ('STRDT("iiii", :romanNumeral)', '"iiii"^^<urn:x:romanNumeral>'),
        ('STRDT("abc", xsd:integer)', "abc"),
        ('STRDT("a"@en, :t)', "error"),
        ("STRDT(1, :t)", "error"),
        ('STRDT("a", "b")', "error"),
        ('STRDT("a", <http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>)', "error"),
        ('STRLANG("chat", "en")', '"chat"@en'),
        ('STRLANG("chat", "EN-us")', '"chat"@en-us'),
        ('STRLANG("chat", "")', "error"),
        ('STRLANG("chat", "no tag")', "error"),
        ('STRLANG("chat"@en, "fr")', "error"),
        ('STRLANG("chat", "fr"@fr)', "error"),
        ("STRLANG(1, 2)", "error"),
    ],
)
def test_new_literals(expression: str, expected: str) -> None:
    """STRDT and STRLANG take strings without language tag."""
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        (":a", ":a"),
        ('"urn:x:b"', ":b"),
        ('"c"', "<http://example.org/dir/c>"),
        ('"../c?q#f"', "<http://example.org/c?q#f>"),
        ('"//host/d"', "<http://host/d>"),
        ('""', "<http://example.org/dir/base>"),
        ('"c"^^xsd:string', "<http://example.org/dir/c>"),
        ('"a b"', "error"),
        ('"c"@en', "error"),
        ("1", "error"),
        ('"c"^^xsd:anyURI', "error"),
    ],
)
def test_iri(argument: str, expected: str) -> None:
    """IRI and URI: resolved against the base; only simple literals and IRIs."""
    context = replace(CONTEXT, base="http://example.org/dir/base")
    assert value(f"IRI({argument})", context) == expected
    assert value(f"URI({argument})", context) == expected


def test_iri_against_the_base_of_the_query() -> None:
    """BASE of the query, or the default one."""
    (with_base,) = evaluate('BASE <http://example.org/> SELECT ?v { BIND(IRI("c") AS ?v) }', publication())
    (without,) = evaluate('SELECT ?v { BIND(IRI("c") AS ?v) }', publication())
    assert (str(with_base["v"]), str(without["v"])) == ("<http://example.org/c>", "<urn:c>")


def test_bnode() -> None:
    """BNODE() is new each time; BNODE(label) is one for a label."""
    assert value("sameTerm(BNODE(), BNODE())") == "false"
    assert value('sameTerm(BNODE("a"), BNODE("a"))') == "true"
    assert value('sameTerm(BNODE("a"), BNODE("b"))') == "false"
    assert value("isBLANK(BNODE())") == "true"
    assert value("BNODE(1)") == "error"
    assert value('BNODE("a"@en)') == "error"


def test_bnode_in_one_solution() -> None:
    """A label is the same blank node in all expressions that extend one solution, as in W3C's test bnode01."""
    query = '{ BIND(BNODE("a") AS ?x) BIND(BNODE("a") AS ?y) BIND(BNODE("b") AS ?z) BIND(sameTerm(?x, ?y) AS ?same) }'
    (row,) = evaluate("SELECT * " + query, publication())
    assert row["x"] == row["y"] != row["z"]


def test_bnode_in_two_solutions() -> None:
    """Another solution gets another blank node for the same label, and none that the publication has."""
    query = PREFIX + 'SELECT ?b { ?s :p ?o BIND(BNODE("a") AS ?b) }'
    found = [row["b"] for row in evaluate(query, publication("_:a :p 1 . _:a :p 2"))]
    assert len({*found, BlankNode("a")}) == 3


def test_uuid() -> None:
    """UUID and STRUUID: of the right form, and new each time."""
    form = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert value(f'REGEX(STR(UUID()), "^urn:uuid:{form}$") && isIRI(UUID())') == "true"
    assert value(f'REGEX(STRUUID(), "^{form}$")') == "true"
    assert value("UUID() = UUID()") == "false"
    assert value("STRUUID() = STRUUID()") == "false"
