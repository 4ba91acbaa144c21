"""Patterns -> alternatives of tuples, one rule at a time. How they are written is said in `shown`."""

from __future__ import annotations

import pytest

from sparql_ft.extraction.queries import extract
from sparql_ft.syntax.parser import parse
from tests.sparql_ft.extraction.shown import shown

FIGURE_1 = """\
SELECT ?publication
WHERE { ?publication type article.
 ?publication title ?title.
 ?publication body ?body.
 FILTER ftcontains (?title, "olympic" ftAND "games").
 FILTER ftcontains (?body, "olympic" ftAND "games" ftNEAR[0,2] "rio")
}
"""


def test_example_1_of_the_paper() -> None:
    """The query of figure 1 gives the three tuples that the paper prints below Definition 1."""
    (only,) = extract(parse(FIGURE_1)).alternatives
    assert [str(each).replace("urn:", "") for each in only.tuples] == [
        "(?publication, <type>, <article>)",
        '(?publication, <title>, ?title, ftcontains("olympic" ftAND "games"))',
        '(?publication, <body>, ?body, ftcontains("olympic" ftAND "games" ftNEAR[0,2] "rio"))',
    ]
    assert only.is_star
    assert not only.residual


def test_the_wildcard_of_the_paper() -> None:
    """`type *` in line 2 of figure 1 asks for some type."""
    assert shown("SELECT ?x { ?x :type * . ?x :title ?t }") == ["(?x, :type, *) ^ (?x, :title, ?t)"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{}", ["()"]),
        ("{ { } { } }", ["()"]),
        ("{ ?x :p ?y }", ["(?x, :p, ?y)"]),
        ("{ ?x :p ?y . ?x :p ?y }", ["(?x, :p, ?y)"]),
        ("{ ?x :p 1 . { ?x :q 2 } }", ["(?x, :p, 1) ^ (?x, :q, 2)"]),
        ('{ ?x :p [ :q "a" ] }', ['(?x, :p, _:b0) ^ (_:b0, :q, "a")']),
        ("{ * :p * . * :p * }", ["(*, :p, *)"]),
        ('{ "a" :p ?y }', []),
    ],
)
def test_groups(pattern: str, expected: list[str]) -> None:
    """What stands in a group holds together; a tuple that stands twice is one; a literal is the subject of nothing."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ { ?x :p 1 } UNION { ?x :q 2 } }", ["(?x, :p, 1)", "(?x, :q, 2)"]),
        ("{ ?x a :c { ?x :p 1 } UNION { ?x :q 2 } }", ["(?x, a, :c) ^ (?x, :p, 1)", "(?x, a, :c) ^ (?x, :q, 2)"]),
        ("{ ?x a :c { ?x :p 1 } UNION { } }", ["(?x, a, :c) ^ (?x, :p, 1)", "(?x, a, :c)"]),
        ("{ { ?x :p 1 } UNION { ?x :p 1 } }", ["(?x, :p, 1)"]),
        ("{ { ?x :p 1 } UNION { VALUES ?x { } } }", ["(?x, :p, 1)"]),
        (
            "{ { ?x :p 1 } UNION { ?x :p 2 } { ?x :q 3 } UNION { ?x :q 4 } }",
            [f"(?x, :p, {p}) ^ (?x, :q, {q})" for p in (1, 2) for q in (3, 4)],
        ),
    ],
)
def test_union(pattern: str, expected: list[str]) -> None:
    """One alternative for each branch, and for each combination of branches."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ ?x :p ?y OPTIONAL { ?x :q ?z } }", ["(?x, :p, ?y)"]),
        ("{ ?x :p ?y OPTIONAL { ?x :q ?z FILTER(?y > ?z) } }", ["(?x, :p, ?y)"]),
        ("{ OPTIONAL { ?x :q ?z } }", ["()"]),
        ("{ OPTIONAL { ?x :q ?z } ?x :p ?z }", ["(?x, :p, ?z) ~"]),
        ("{ ?x :p ?y OPTIONAL { ?x :q ?z } ?w :r ?z }", ["(?x, :p, ?y) ^ (?w, :r, ?z) ~"]),
        ("{ ?x :p ?y OPTIONAL { ?x :q ?y } ?y :r ?w }", ["(?x, :p, ?y) ^ (?y, :r, ?w)"]),
    ],
)
def test_optional(pattern: str, expected: list[str]) -> None:
    """It requires nothing; but what it may have bound cannot be joined by tuples alone."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ ?x :p ?y MINUS { ?x :q 1 } }", ["(?x, :p, ?y) ~"]),
        ("{ ?x :p ?y MINUS { ?a :q 1 } }", ["(?x, :p, ?y)"]),
        ("{ MINUS { ?x :q 1 } ?x :p ?y }", ["(?x, :p, ?y)"]),
        ("{ ?x :p ?y OPTIONAL { ?x :q ?z } MINUS { ?a :r ?z } }", ["(?x, :p, ?y) ~"]),
        ("{ ?x :p ?y MINUS { ?a :r ?z MINUS { ?x :p 1 } } }", ["(?x, :p, ?y)"]),
        ("{ { ?x :p 1 } UNION { ?y :p 2 } MINUS { ?x :q ?z } }", ["(?x, :p, 1) ~", "(?y, :p, 2)"]),
    ],
)
def test_minus(pattern: str, expected: list[str]) -> None:
    """It takes nothing away where it shares no variable with what stands before it; else the residual decides."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ GRAPH :g { ?x :p 1 } }", ["(?x, :p, 1) @ :g"]),
        ("{ GRAPH ?g { ?x :p 1 } }", ["(?x, :p, 1) @ ?g"]),
        ("{ GRAPH ?g { } }", ["() @ ?g"]),
        ("{ GRAPH ?g { ?x :p ?g } }", ["(?x, :p, ?g) @ ?g ~"]),
        ("{ ?x :p ?g GRAPH ?g { } }", ["(?x, :p, ?g) @ ?g ~"]),
        ("{ GRAPH ?g { ?x :p 1 } GRAPH ?g { ?x :q 2 } }", ["(?x, :p, 1) ^ (?x, :q, 2) @ ?g"]),
        ("{ GRAPH :g { ?x :p 1 } GRAPH :h { ?x :q 2 } }", ["(?x, :p, 1) ^ (?x, :q, 2) @ :g @ :h"]),
        ("{ GRAPH ?g { ?x :p 1 } FILTER(?g = :g) }", ["(?x, :p, 1) @ ?g ~"]),
        ("{ GRAPH ?g { ?x :p 1 FILTER(?g = :g) } }", ["(?x, :p, 1) @ ?g ~"]),
        ('{ GRAPH ?g { ?x :p 1 } VALUES ?g { :g "g" } }', ["(?x, :p, 1) @ :g ~"]),
        ("{ GRAPH ?g { ?x :p 1 } MINUS { ?y :q ?g } }", ["(?x, :p, 1) @ ?g ~"]),
    ],
)
def test_graph(pattern: str, expected: list[str]) -> None:
    """The publication must have a named graph, of that name if it is given; a name that joins needs the residual."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ ?x :p ?y BIND(?y + 1 AS ?z) }", ["(?x, :p, ?y)"]),
        ("{ ?x :p ?y BIND(?y + 1 AS ?z) ?z :q ?w }", ["(?x, :p, ?y) ^ (?z, :q, ?w) ~"]),
        ("{ ?x :p ?y BIND(?y + 1 AS ?z) FILTER(?z > 1) }", ["(?x, :p, ?y) ~"]),
        ("{ ?x :p ?y BIND(?y AS ?z) MINUS { ?a :q ?z } }", ["(?x, :p, ?y) ~"]),
        ("{ BIND(:a AS ?x) ?x :p ?y }", ["(:a, :p, ?y)"]),
        ('{ ?x :p ?y BIND("a" AS ?z) ?z :q 1 }', []),
        ("{ ?x :p ?y BIND(:a AS ?z) FILTER(?y = ?z) }", ["(?x, :p, ?y) & ?y = :a"]),
    ],
)
def test_bind(pattern: str, expected: list[str]) -> None:
    """It keeps every solution. A constant is a value like one of VALUES; anything else shows in no tuple."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("{ VALUES ?x { :a :b } ?x :p ?y }", ["(:a, :p, ?y)", "(:b, :p, ?y)"]),
        ("{ ?x :p ?y VALUES ?y { 1 :b } }", ["(?x, :p, 1)", "(?x, :p, :b)"]),
        ("{ VALUES ?p { :p 1 } ?x ?p ?y }", ["(?x, :p, ?y)"]),
        ('{ VALUES ?x { :a "b" } ?x :p ?y }', ["(:a, :p, ?y)"]),
        ('{ VALUES ?x { "b" } ?x :p ?y }', []),
        (
            "{ VALUES (?x ?y) { (:a 1) (UNDEF 2) (:b UNDEF) (UNDEF UNDEF) } ?x :p ?y }",
            ["(:a, :p, 1)", "(?x, :p, 2)", "(:b, :p, ?y)", "(?x, :p, ?y)"],
        ),
        ("{ VALUES ?x { } ?x :p ?y }", []),
        ("{ VALUES () { () } ?x :p ?y }", ["(?x, :p, ?y)"]),
        ("{ VALUES ?x { :a } }", ["()"]),
        ("{ VALUES ?x { :a } VALUES ?x { :b } ?x :p ?y }", []),
        ("{ VALUES ?x { :a } VALUES ?x { :a :b } ?x :p ?y }", ["(:a, :p, ?y)"]),
        ("ASK { ?x :p ?y } VALUES ?x { :a :b }", ["(:a, :p, ?y)", "(:b, :p, ?y)"]),
        ("ASK { ?x :p ?y } VALUES ?z { 1 }", ["(?x, :p, ?y)"]),
        ("ASK { ?x :p ?y OPTIONAL { ?x :q ?z } } VALUES ?z { 1 }", ["(?x, :p, ?y) ~"]),
        ("{ VALUES ?x { :a } { ?y :p ?z FILTER(?x = :b) } }", ["(?y, :p, ?z) ~"]),
    ],
)
def test_values(query: str, expected: list[str]) -> None:
    """A row puts its values in; UNDEF puts none in; a value in a place where it cannot stand leaves no alternative."""
    assert shown(query) == expected


@pytest.mark.parametrize("form", ["SELECT *", "SELECT DISTINCT ?y", "CONSTRUCT { ?y :new ?x } WHERE"])
def test_the_form_of_a_query_does_not_matter(form: str) -> None:
    """A query matches by its WHERE."""
    assert shown(form + "{ ?x :p ?y }") == ["(?x, :p, ?y)"]
