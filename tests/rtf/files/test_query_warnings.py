"""Warnings about queries that parse: that they can never match, look at every publication, or call what is unknown."""

from __future__ import annotations

import pytest

from rtf.files.query_warnings import warnings_about
from sparql_ft import prepare

EVERYTHING = "looks at every publication: it requires no word, class, predicate or other term"


def warnings(text: str) -> list[str]:
    """All of them."""
    return list(warnings_about(text, prepare(text)))


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "?s ?p ?o",
        "* * *",
        "?s ?p ?o FILTER (?o > 3)",
        "OPTIONAL { ?s <p> ?o }",
        "?s <p>* ?o",
        "FILTER NOT EXISTS { ?s <p> ?o }",
        'BIND ("sea" AS ?o)',
        '?s ?p ?o FILTER ftcontains(?o, ftNOT "sea")',
        '?s ?p ?o FILTER ftcontains(?o, "sea" ftOR ftNOT "gulf")',
        '?s ?p ?o FILTER ftcontains(?o, "*sea" using wildcards)',
    ],
)
def test_looks_at_everything(pattern: str) -> None:
    """Nothing that could be looked up is required."""
    assert warnings(f"ASK {{ {pattern} }}") == [EVERYTHING]


@pytest.mark.parametrize(
    "pattern",
    [
        "?s a ?c",
        "?s ?p 3",
        "<s> ?p ?o",
        "?s ?p ?o . ?o ?q <x>",
        '?s <p> ?o FILTER ftcontains(?o, ftNOT "sea")',
        '?s ?p ?o FILTER ftcontains(?o, "sea" ftAND ftNOT "gulf")',
        '?s ?p ?o FILTER ftcontains(?o, "black *sea" using wildcards)',
        "?s ?p ?o FILTER (?o = <x>)",
        "?s <p>+ ?o",
        "FILTER EXISTS { ?s <p> ?o }",
    ],
)
def test_selective(pattern: str) -> None:
    """A term or a word is."""
    assert warnings(f"ASK {{ {pattern} }}") == []


def test_one_alternative() -> None:
    """One branch of a UNION that names nothing is enough, and is named."""
    assert warnings("ASK { { ?s a <c> } UNION { ?s ?p ?o } UNION { ?p ?s ?o } }") == [
        "looks at every publication: alternative 2 of 3 requires no word, class, predicate or other term"
    ]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("?s <p> ?o VALUES ?s {}", "no triples can satisfy all of its conditions"),
        ('?s <p> ?o FILTER (?s = "a")', "no triples can satisfy all of its conditions"),
        ("?s <p> ?o FILTER (sameTerm(?s, <a>) && sameTerm(?s, <b>))", "no triples can satisfy all of its conditions"),
        ("?s <p> ?o FILTER (1 > 2)", "1 > 2 is never true"),
        ("?s <p> ?o FILTER (1 / 0 = 1)", "1 / 0 = 1 is never true"),  # an error is no truth
        ("?s <p> ?o FILTER (false)", "false is never true"),
        ("FILTER (1 = 2)", "1 = 2 is never true"),
        ("{ ?s <p> ?o FILTER (1 > 2) } UNION { ?s <q> ?o FILTER (3 > 4) }", "1 > 2 is never true"),
        ("BIND (1 AS ?x) ?s <p> ?o FILTER (abs(-1) = 2)", "ABS(-1) = 2 is never true"),
    ],
)
def test_can_never_match(pattern: str, reason: str) -> None:
    """Where that is certain, it is all there is to say."""
    assert warnings(f"ASK {{ {pattern} }}") == [f"can never match: {reason}"]


@pytest.mark.parametrize(
    "pattern",
    [
        "?s <p> ?o FILTER (2 > 1)",
        "?s <p> ?o FILTER (?o > 2)",
        "{ ?s <p> ?o FILTER (1 > 2) } UNION { ?s <q> ?o }",
        "?s <p> ?o FILTER (now() > 2)",
        "?s <p> ?o OPTIONAL { ?s <q> ?o FILTER (1 > 2) }",
    ],
)
def test_may_match(pattern: str) -> None:
    """What is not certain is not said."""
    assert warnings(f"ASK {{ {pattern} }}") == []


@pytest.mark.parametrize(
    ("expression", "name"),
    [
        ("<http://x.org/f>(?o)", "<http://x.org/f>"),
        ("x:f(?o) && x:f(?s)", "x:f"),
        ("x:f #\n (?o)", "x:f"),
        ("!(1 + x:f(?o) > 2)", "x:f"),
    ],
)
def test_unknown_function(expression: str, name: str) -> None:
    """Nobody can define functions, so that one with an IRI is a mistake; it is told once."""
    prefix = "PREFIX x: <http://x.net/> "
    expected = f"calls {name}, which is no function of SPARQL: an error wherever it is evaluated"
    assert warnings(f"{prefix} ASK {{ ?s <p> ?o FILTER ({expression}) }}") == [expected]


@pytest.mark.parametrize(
    "expression",
    ["xsd:integer(?o) > 3", "ft:contains(?o, '\"sea\"')", '?o = "<http://x.org/f>(1)"', "?o IN (<http://x.org/f>)"],
)
def test_known_function(expression: str) -> None:
    """Casts and ft:contains are known, and what stands in a string is no call."""
    prefix = "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX ft: <urn:sparql-ft:> "
    assert warnings(f"{prefix} ASK {{ ?s <p> ?o FILTER ({expression}) }}") == []
