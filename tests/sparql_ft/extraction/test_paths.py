"""Property paths -> tuples, one kind of path at a time."""

from __future__ import annotations

import pytest

from tests.sparql_ft.extraction.shown import shown


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (":a", ["(?x, :a, ?y)"]),
        ("^:a", ["(?y, :a, ?x)"]),
        (":a/:b", ["(?x, :a, _:b0) ^ (_:b0, :b, ?y)"]),
        (":a/^:b", ["(?x, :a, _:b0) ^ (?y, :b, _:b0)"]),
        ("^(:a/:b)", ["(?y, :a, _:b0) ^ (_:b0, :b, ?x)"]),
        (":a|:b", ["(?x, :a, ?y)", "(?x, :b, ?y)"]),
        (":a|^:a", ["(?x, :a, ?y)", "(?y, :a, ?x)"]),
        ("(:a|:b)/:c", ["(?x, :a, _:b0) ^ (_:b0, :c, ?y)", "(?x, :b, _:b0) ^ (_:b0, :c, ?y)"]),
        ("!:a", ["(?x, *, ?y) ~"]),
        ("!^:a", ["(?y, *, ?x) ~"]),
        ("!(:a|^:b)", ["(?x, *, ?y) ~", "(?y, *, ?x) ~"]),
        ("!()", ["(?x, *, ?y) ~"]),
        (":a+", ["(?x, :a, _:b0) ^ (_:b1, :a, ?y) ~"]),
        ("(:a/:b)+", ["(?x, :a, _:b0) ^ (_:b0, :b, _:b1) ^ (_:b2, :a, _:b3) ^ (_:b3, :b, ?y) ~"]),
        ("(^:a)+", ["(_:b0, :a, ?x) ^ (?y, :a, _:b1) ~"]),
        (":a*", ["() ~"]),
        (":a?", ["() ~"]),
        (":a/:b*", ["(?x, :a, _:b0) ~"]),
        (":a?/:b", ["(_:b0, :b, ?y) ~"]),
        (":a*|:b", ["() ~", "(?x, :b, ?y)"]),
    ],
)
def test_paths(path: str, expected: list[str]) -> None:
    """Sequences, alternatives and inverses are tuples; of repetitions, what they must begin and end with."""
    assert shown(f"{{ ?x {path} ?y }}") == expected


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ('{ ?x :a+ ?y FILTER ftcontains(?y, "w") }', ['(?x, :a, _:b0) ^ (_:b1, :a, ?y, ftcontains("w")) ~']),
        ('{ ?x :a/:b ?y FILTER ftcontains(?y, "w") }', ['(?x, :a, _:b0) ^ (_:b0, :b, ?y, ftcontains("w"))']),
        ("{ ?x :a* ?y . ?y :b 1 }", ["(?y, :b, 1) ~"]),
        ("{ ?x :a* ?y MINUS { ?y :b 1 } }", ["() ~"]),
        ("{ :s :a+ :o }", ["(:s, :a, _:b0) ^ (_:b1, :a, :o) ~"]),
        ('{ "w" ^:a ?y }', ['(?y, :a, "w")']),
        ('{ "w" :a ?y }', []),
        ("{ ?x :a/:b ?y . ?x :a/:b ?z }", ["(?x, :a, _:b0) ^ (_:b0, :b, ?y) ^ (?x, :a, _:b1) ^ (_:b1, :b, ?z)"]),
        ("{ * (:a|:b)/:c * }", ["(*, :a, _:b0) ^ (_:b0, :c, *)", "(*, :b, _:b0) ^ (_:b0, :c, *)"]),
    ],
)
def test_ends(pattern: str, expected: list[str]) -> None:
    """The ends of a path are those of its tuples; the nodes inside are its own, at every occurrence."""
    assert shown(pattern) == expected
