"""What a tuple, an alternative and a whole index form say about themselves."""

from __future__ import annotations

import pytest

from sparql_ft.extraction.queries import extract
from sparql_ft.syntax.parser import parse
from sparql_ft.syntax.printer import text_of
from tests.sparql_ft.extraction.shown import alternatives
from tests.sparql_ft.small import PREFIX


@pytest.mark.parametrize(
    ("pattern", "joins", "star"),
    [
        ("{}", [], True),
        ("{ ?x :p ?y }", [], True),
        ("{ ?x :p ?y; :q ?z }", ["?x"], True),
        ("{ ?x :p ?y . ?z :q ?w }", [], True),
        ("{ ?x :p ?y; :q ?z . ?w :r 1 }", ["?x"], False),
        ("{ ?x :p ?y . ?y :q ?z }", ["?y"], False),
        ("{ ?x :p ?y . ?z :q ?y }", ["?y"], False),
        ("{ ?x :p ?x }", ["?x"], False),
        ("{ ?x ?p 1; ?p 2 }", ["?x", "?p"], False),
        ("{ [] :p 1; :q 2 }", ["_:b0"], True),
        ("{ ?x :p/:q ?y }", ["_:b0"], False),
        ("{ * :p 1 . * :q 2 }", [], True),
        ("{ ?x :p ?y; :q ?z FILTER(?y > ?z) }", ["?x"], False),
        ("{ ?x :p ?y; :q ?z FILTER(?y > 1) }", ["?x"], True),
        ("{ VALUES ?x { :a } ?x :p ?y; :q ?z }", [], True),
    ],
)
def test_joins(pattern: str, joins: list[str], star: bool) -> None:
    """Variables and blank nodes in several places join; tuples that share at most their subject are a star."""
    (only,) = alternatives(pattern)
    assert [str(variable) for variable in only.joins] == joins
    assert only.is_star == star


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("?y > 5", ["?y > 5"]),
        ("5 < ?y", ["?y > 5"]),
        ("5 <= ?y", ["?y >= 5"]),
        ("5 > ?y", ["?y < 5"]),
        ("5 >= ?y", ["?y <= 5"]),
        ("5 = ?y", ["?y = 5"]),
        ("5 != ?y", ["?y != 5"]),
        ("?y > 1 && 2.5 > ?y", ["?y > 1", "?y < 2.5"]),
        ('?y >= "2024-01-01"^^<urn:d>', ['?y >= "2024-01-01"^^<urn:d>']),
        ('"m" < ?y', ['?y > "m"']),
        ("?y != :a", ["?y != <urn:x:a>"]),
        ("?x != :a", []),
        ("?y > ?x", []),
        ("?y + 1 > 5", []),
        ("!(?y > 5)", []),
        ("?y = :a", []),
    ],
)
def test_comparisons(condition: str, expected: list[str]) -> None:
    """Those of the object with a constant, always with the object on the left; a value that was put in is none."""
    (only,) = alternatives(f"{{ ?x :p ?y FILTER({condition}) }}")
    assert [text_of(each) for each in only.tuples[0].comparisons] == expected


@pytest.mark.parametrize(
    ("pattern", "everything"),
    [
        ("{}", True),
        ("{ ?x ?p ?y }", True),
        ("{ ?x ?p ?y . ?y :q * }", False),
        ("{ ?x ?p :a }", False),
        ("{ * * * }", True),
        ("{ VALUES ?x { :a } }", True),
        ('{ ?x ?p ?y FILTER ftcontains(?y, "rio") }', False),
        ('{ ?x ?p ?y FILTER ftcontains(?y, ftNOT "rio") }', True),
        ('{ ?x ?p ?y FILTER ftcontains(?y, "rio" ftOR ftNOT "games") }', True),
        ('{ ?x ?p ?y FILTER ftcontains(?y, "olymp*" using wildcards) }', True),
        ('{ ?x ?p ?y FILTER ftcontains(?y, "olymp* games" using wildcards) }', False),
        ("{ ?x ?p ?y FILTER(?y > 1) }", True),
        ("{ { ?x :p 1 } UNION { ?x ?p 2 } }", False),
        ("{ { ?x :p 1 } UNION { ?x ?p ?y } }", True),
        ("{ OPTIONAL { ?x :p 1 } }", True),
        ("{ VALUES ?x { } }", False),
    ],
)
def test_looks_at_everything(pattern: str, everything: bool) -> None:
    """A query that some alternative gives no term and no word to be found by."""
    assert extract(parse(f"{PREFIX}ASK {pattern}")).looks_at_everything == everything


@pytest.mark.parametrize(
    ("pattern", "residual"), [("{ { ?x :p 1 } UNION { ?x :q* 1 } }", True), ("{ ?x :p 1 }", False)]
)
def test_residual(pattern: str, residual: bool) -> None:
    """A query needs full SPARQL if one of its alternatives does."""
    assert extract(parse(f"{PREFIX}ASK {pattern}")).residual == residual
