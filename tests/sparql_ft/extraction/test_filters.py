"""FILTERs -> words, values, conditions and more tuples, one rule at a time."""

from __future__ import annotations

import pytest

from tests.sparql_ft.extraction.shown import shown


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('{ ?x :p ?y FILTER ftcontains(?y, "rio") }', ['(?x, :p, ?y, ftcontains("rio"))']),
        ('{ FILTER ftcontains(?y, "rio") ?x :p ?y }', ['(?x, :p, ?y, ftcontains("rio"))']),
        (
            '{ ?x :p ?y; :q ?y FILTER ftcontains(?y, "rio") }',
            ['(?x, :p, ?y, ftcontains("rio")) ^ (?x, :q, ?y, ftcontains("rio"))'],
        ),
        (
            '{ ?x :p ?y FILTER ftcontains(?y, "a" ftOR "b") FILTER ftcontains(?y, "c") }',
            ['(?x, :p, ?y, ftcontains(("a" ftOR "b") ftAND "c"))'],
        ),
        (
            '{ ?x :p ?y FILTER(ftcontains(?y, "a") && ftcontains(?y, "b")) }',
            ['(?x, :p, ?y, ftcontains("a" ftAND "b"))'],
        ),
        (
            '{ ?x :p ?y FILTER(ftcontains(?y, "a") || ftcontains(?y, "b")) }',
            ['(?x, :p, ?y, ftcontains("a" ftOR "b"))'],
        ),
        ('{ ?x :p ?y FILTER(!ftcontains(?y, "a")) }', ['(?x, :p, ?y, ftcontains(ftNOT "a"))']),
        (
            '{ ?x :p ?y FILTER(!(ftcontains(?y, "a") || !ftcontains(?y, "b"))) }',
            ['(?x, :p, ?y, ftcontains(ftNOT ("a" ftOR ftNOT "b")))'],
        ),
        ('{ { ?x :p ?y } UNION { ?y :p ?x } FILTER ftcontains(?y, "a") }', ['(?x, :p, ?y, ftcontains("a"))']),
        (
            '{ VALUES ?y { "a" :a } ?x :p ?y FILTER ftcontains(?y, "b") }',
            ['(?x, :p, "a", ftcontains("b"))', '(?x, :p, :a, ftcontains("b"))'],
        ),
    ],
)
def test_words(pattern: str, expected: list[str]) -> None:
    """Full text of one variable goes to the tuples whose object it is; where it is no object there is no way."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('{ ?x :p ?y BIND(STR(?y) AS ?z) FILTER ftcontains(?z, "a") }', ["(?x, :p, ?y) ~"]),
        ('{ VALUES ?y { "a" } ?x :p 1 FILTER ftcontains(?y, "a") }', ["(?x, :p, 1) ~"]),
        (
            '{ VALUES ?y { "a" } ?x :p ?y; :q ?z FILTER(ftcontains(?y, "a") || ?z = ?y) }',
            ['(?x, :p, "a") ^ (?x, :q, ?z) ~'],
        ),
        ('{ ?x :p* ?y FILTER ftcontains(?y, "a") }', ["() ~"]),
    ],
)
def test_words_that_no_tuple_can_show(pattern: str, expected: list[str]) -> None:
    """A variable that BIND, VALUES or a path has bound is left to the residual."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (
            '{ ?x :p ?y; :q ?z FILTER(ftcontains(?y, "a") || ftcontains(?z, "b")) }',
            ['(?x, :p, ?y, ftcontains("a")) ^ (?x, :q, ?z)', '(?x, :p, ?y) ^ (?x, :q, ?z, ftcontains("b"))'],
        ),
        (
            '{ ?x :p ?y; :q ?z FILTER(ftcontains(?y, "a") || ftcontains(?z, "b") || ftcontains(?y, "c")) }',
            ['(?x, :p, ?y, ftcontains("a" ftOR "c")) ^ (?x, :q, ?z)', '(?x, :p, ?y) ^ (?x, :q, ?z, ftcontains("b"))'],
        ),
        (
            '{ ?x :p ?y; :q ?z FILTER((ftcontains(?y, "a") && ?z > 1) || (ftcontains(?y, "b") && ?z > 2)) }',
            [
                '(?x, :p, ?y, ftcontains("a")) ^ (?x, :q, ?z, ?z > 1)',
                '(?x, :p, ?y, ftcontains("b")) ^ (?x, :q, ?z, ?z > 2)',
            ],
        ),
        (
            '{ ?x :p ?y FILTER(EXISTS { ?x :q 1 } || ftcontains(?y, "a")) }',
            ['(?x, :p, ?y, ftcontains("a"))', "(?x, :p, ?y) ^ (?x, :q, 1)"],
        ),
        (
            '{ ?x :p ?y; :q ?z FILTER(ftcontains(?y, "a") || ?z > 1) }',
            ['(?x, :p, ?y) ^ (?x, :q, ?z) & ftcontains(?y, "a") || ?z > 1'],
        ),
        ("{ ?x :p ?y FILTER(EXISTS { ?x :q 1 } || ?y > 1) }", ["(?x, :p, ?y) ~"]),
        ("{ ?x :p ?y FILTER(?y = :a || ?x = :b) }", ["(?x, :p, ?y, ?y = :a || ?x = :b)"]),
    ],
)
def test_or(pattern: str, expected: list[str]) -> None:
    """One alternative for each operand where all of them bring words or tuples; else one condition."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("?y = :a", ["(?x, :p, :a)"]),
        (":a = ?y", ["(?x, :p, :a)"]),
        ('?y = "a"', ['(?x, :p, "a")']),
        ('?y = "a"@EN', ['(?x, :p, "a"@en)']),
        ("?y = 1", ["(?x, :p, ?y, ?y = 1)"]),
        ('?y = "a"^^:d', ['(?x, :p, ?y, ?y = "a"^^:d)']),
        ("sameTerm(?y, 1)", ["(?x, :p, 1)"]),
        ("sameTerm(1, ?y)", ["(?x, :p, 1)"]),
        ("sameTerm(?y, ?x)", ["(?x, :p, ?y, sameTerm(?y, ?x))"]),
        ('?x = "a"', []),
        ('?y IN (:a, "b", :a)', ["(?x, :p, :a)", '(?x, :p, "b")']),
        ("?y IN (:a, 1)", ["(?x, :p, ?y, ?y IN (:a, 1))"]),
        ("?y IN (:a, 1/0)", ["(?x, :p, ?y, ?y IN (:a, 1 / 0))"]),
        ("?y IN ()", []),
        ("?y NOT IN (:a)", ["(?x, :p, ?y, ?y NOT IN (:a))"]),
        ("?y = :a || ?y IN (:b, :a)", ["(?x, :p, :a)", "(?x, :p, :b)"]),
        ("?y = :a && ?y = :b", []),
        ("?y = :a && bound(?y)", ["(?x, :p, :a)"]),
        ("?y = :a && !bound(?y)", ["(?x, :p, :a) ~"]),
        ("?y = :a && ?y != ?x", ["(?x, :p, :a, :a != ?x)"]),
        ("!(?y = :a)", ["(?x, :p, ?y, !(?y = :a))"]),
        ("?z = :a", ["(?x, :p, ?y) ~"]),
    ],
)
def test_values(condition: str, expected: list[str]) -> None:
    """What only one term is equal to is that term; numbers have many spellings, so they are compared."""
    assert shown(f"{{ ?x :p ?y FILTER({condition}) }}") == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("EXISTS { ?x :q ?z }", ["(?x, :p, ?y) ^ (?x, :q, ?exists.0)"]),
        ("EXISTS { ?x :q ?z FILTER(?z > 1) }", ["(?x, :p, ?y) ^ (?x, :q, ?exists.0, ?exists.0 > 1)"]),
        ("EXISTS { ?x :q ?z FILTER(?z > ?y) }", ["(?x, :p, ?y) ^ (?x, :q, ?exists.0) & ?exists.0 > ?y"]),
        ("EXISTS { ?x :q ?z } && EXISTS { ?x :r ?z }", ["(?x, :p, ?y) ^ (?x, :q, ?exists.0) ^ (?x, :r, ?exists.1)"]),
        (
            "EXISTS { { ?x :q 1 } UNION { ?x :r ?y } }",
            ["(?x, :p, ?y) ^ (?x, :q, 1)", "(?x, :p, ?y) ^ (?x, :r, ?y)"],
        ),
        ("EXISTS { VALUES ?y { :a } }", ["(?x, :p, :a)"]),
        ("EXISTS { GRAPH ?g { ?x :q 1 } }", ["(?x, :p, ?y) ^ (?x, :q, 1) @ ?exists.0"]),
        (
            "EXISTS { ?x :q ?z FILTER EXISTS { ?z :r ?y } }",
            ["(?x, :p, ?y) ^ (?x, :q, ?exists.0) ^ (?exists.0, :r, ?y)"],
        ),
        (
            "EXISTS { ?x :q ?z FILTER EXISTS { ?z :r ?w } }",
            ["(?x, :p, ?y) ^ (?x, :q, ?exists.0) ^ (?exists.0, :r, ?exists.1)"],
        ),
        (
            "EXISTS { { ?x :q 1 FILTER(?y > 2) } UNION { ?z :r 3 FILTER bound(?y) } }",
            ["(?x, :p, ?y) ^ (?x, :q, 1) & ?y > 2", "(?x, :p, ?y) ^ (?exists.0, :r, 3)"],
        ),
        ("NOT EXISTS { ?x :q ?z }", ["(?x, :p, ?y) ~"]),
        ("!EXISTS { ?x :q ?z }", ["(?x, :p, ?y) ~"]),
    ],
)
def test_exists(condition: str, expected: list[str]) -> None:
    """Its tuples stand beside the others. What is bound outside has that value inside too; the rest is its own."""
    assert shown(f"{{ ?x :p ?y FILTER({condition}) }}") == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("{ ?x :p 1 OPTIONAL { ?x :q ?z } FILTER EXISTS { ?x :r ?z } }", ["(?x, :p, 1) ^ (?x, :r, ?exists.0) ~"]),
        (
            "{ ?x :p 1 OPTIONAL { ?x :q ?z } FILTER EXISTS { ?x :r ?z } FILTER(!bound(?z)) }",
            ["(?x, :p, 1) ^ (?x, :r, ?exists.0) ~"],
        ),
        (
            "{ { ?x :p 1 OPTIONAL { ?x :q ?z } FILTER EXISTS { ?x :r ?z } } ?w :t ?z }",
            ["(?x, :p, 1) ^ (?x, :r, ?exists.0) ^ (?w, :t, ?z) ~"],
        ),
        ("{ GRAPH ?g { ?x :p 1 } FILTER EXISTS { ?x :q ?g } }", ["(?x, :p, 1) ^ (?x, :q, ?g) @ ?g ~"]),
    ],
)
def test_exists_with_a_variable_that_may_be_unbound(pattern: str, expected: list[str]) -> None:
    """Unbound outside, it can be anything inside; so it is not the variable of that name."""
    assert shown(pattern) == expected


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("?y > 1", ["(?x, :p, ?y, ?y > 1) ^ (?x, :q, ?z)"]),
        ("1 < ?y", ["(?x, :p, ?y, 1 < ?y) ^ (?x, :q, ?z)"]),
        ('lang(?y) = "en"', ['(?x, :p, ?y, LANG(?y) = "en") ^ (?x, :q, ?z)']),
        ('langMatches(lang(?z), "en")', ['(?x, :p, ?y) ^ (?x, :q, ?z, langMatches(LANG(?z), "en"))']),
        ("datatype(?z) = :d", ["(?x, :p, ?y) ^ (?x, :q, ?z, DATATYPE(?z) = :d)"]),
        ('regex(str(?z), "^a", "i")', ['(?x, :p, ?y) ^ (?x, :q, ?z, REGEX(STR(?z), "^a", "i"))']),
        ("isIRI(?x)", ["(?x, :p, ?y, isIRI(?x)) ^ (?x, :q, ?z)"]),
        ("?y > ?z", ["(?x, :p, ?y) ^ (?x, :q, ?z) & ?y > ?z"]),
        ("1 > 2", ["(?x, :p, ?y) ^ (?x, :q, ?z) & 1 > 2"]),
        ("bound(?y)", ["(?x, :p, ?y) ^ (?x, :q, ?z)"]),
        ("!bound(?y)", ["(?x, :p, ?y, !BOUND(?y)) ^ (?x, :q, ?z)"]),
        ("bound(?w)", ["(?x, :p, ?y) ^ (?x, :q, ?z) ~"]),
        ("COALESCE(?w, ?y) > 1", ["(?x, :p, ?y) ^ (?x, :q, ?z) ~"]),
        ("?y > NOW()", ["(?x, :p, ?y) ^ (?x, :q, ?z) ~"]),
        ("RAND() > 0.5", ["(?x, :p, ?y) ^ (?x, :q, ?z) ~"]),
        ('?y = IRI("a")', ["(?x, :p, ?y) ^ (?x, :q, ?z) ~"]),
        ("?y > 1 && (bound(?w) || ?z > 2)", ["(?x, :p, ?y, ?y > 1) ^ (?x, :q, ?z) ~"]),
    ],
)
def test_conditions(condition: str, expected: list[str]) -> None:
    """A condition on one tuple, on several, or one that the tuples cannot decide: a variable unseen, a clock."""
    assert shown(f"{{ ?x :p ?y; :q ?z FILTER({condition}) }}") == expected
