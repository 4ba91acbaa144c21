"""Property paths: SPARQL 1.1, sections 9 and 18.4."""

from __future__ import annotations

import pytest

from tests.sparql_ft.small import solutions

CHAIN = ":a :p :b . :b :p :c . :c :q 1"
CYCLE = ":a :p :b . :b :p :c . :c :p :a"


class TestSteps:
    """Links, inverses, sequences, alternatives and negated property sets count every way they hold."""

    def test_sequence(self) -> None:
        """`p/q` goes over a node that is not projected; each way counts."""
        assert solutions("{ ?x :p/:q ?y }", ":a :p :b . :a :p :c . :b :q 1 . :c :q 1") == ["x=:a y=1"] * 2
        assert solutions("{ ?x (:p/:p)/:q ?y }", CHAIN) == ["x=:a y=1"]

    def test_inverse(self) -> None:
        """`^p`, also around and inside sequences."""
        assert solutions("{ ?x ^:p ?y }", CHAIN) == ["x=:b y=:a", "x=:c y=:b"]
        assert solutions("{ ?x ^(:p/:q) ?y }", CHAIN) == ["x=1 y=:b"]
        assert solutions("{ ?x :p/^:p ?y }", ":a :p 1 . :b :p 1") == [
            "x=:a y=:a",
            "x=:a y=:b",
            "x=:b y=:a",
            "x=:b y=:b",
        ]

    def test_alternative(self) -> None:
        """`p|q` is a union, with duplicates."""
        assert solutions("{ ?x :p|:q ?y }", ":a :p 1 . :a :q 1") == ["x=:a y=1"] * 2
        assert solutions("{ ?x :p|:p ?y }", ":a :p 1") == ["x=:a y=1"] * 2
        assert solutions("{ ?x (:p|:q)/:r ?y }", ":a :p :b . :a :q :b . :b :r 1") == ["x=:a y=1"] * 2

    def test_negated(self) -> None:
        """`!p` matches each triple with another predicate."""
        data = ":a :p 1 . :a :q 1 . :a :r 1"
        assert solutions("{ ?x !:p ?y }", data) == ["x=:a y=1"] * 2
        assert solutions("{ ?x !(:p|:q) ?y }", data) == ["x=:a y=1"]
        assert solutions("{ ?x !() ?y }", ":a :p 1") == ["x=:a y=1"]

    def test_negated_inverse(self) -> None:
        """`!^p` looks backward only, `!(p|^q)` both ways."""
        data = ":a :p :b . :c :q :d"
        assert solutions("{ ?x !^:p ?y }", data) == ["x=:d y=:c"]
        assert solutions("{ ?x !(:p|^:q) ?y }", data) == ["x=:b y=:a", "x=:c y=:d"]

    def test_same_variable_at_both_ends(self) -> None:
        """`?x path ?x` is a loop."""
        assert solutions("{ ?x :p/:p ?x }", ":a :p :b . :b :p :a . :b :p :c") == ["x=:a", "x=:b"]
        assert solutions("{ ?x !:q ?x }", ":a :p :a . :a :p :b") == ["x=:a"]


class TestRepetition:
    """`?`, `*` and `+` give each pair once."""

    def test_one_or_more(self) -> None:
        """`+` follows chains and ends on cycles."""
        assert solutions("{ :a :p+ ?y }", CHAIN) == ["y=:b", "y=:c"]
        assert solutions("{ :a :p+ ?y }", CYCLE) == ["y=:a", "y=:b", "y=:c"]
        assert solutions("{ ?x :p+ :c }", CHAIN) == ["x=:a", "x=:b"]
        assert solutions("{ ?x :p+ ?y }", CHAIN) == ["x=:a y=:b", "x=:a y=:c", "x=:b y=:c"]
        assert solutions("{ :a :p+ :c }", CHAIN) == [""]
        assert solutions("{ :c :p+ :a }", CHAIN) == []

    def test_zero_or_more(self) -> None:
        """`*` adds the start itself."""
        assert solutions("{ :a :p* ?y }", CHAIN) == ["y=:a", "y=:b", "y=:c"]
        assert solutions("{ ?x :p* :c }", CHAIN) == ["x=:a", "x=:b", "x=:c"]

    def test_zero_or_one(self) -> None:
        """`?` is the start itself or one step, a pair once even if both hold."""
        assert solutions("{ :a :p? ?y }", CHAIN) == ["y=:a", "y=:b"]
        assert solutions("{ :a :p? ?y }", ":a :p :a") == ["y=:a"]
        assert solutions("{ ?x :p? ?y }", ":a :p :b") == ["x=:a y=:a", "x=:a y=:b", "x=:b y=:b"]

    def test_repetition_drops_duplicates_of_what_it_repeats(self) -> None:
        """Two ways are one pair under `+`, but a sequence of two repetitions counts its middles."""
        data = ":a :p 1 . :a :q 1"
        assert solutions("{ :a (:p|:q)+ ?y }", data) == ["y=1"]
        assert solutions("{ :a :p*/:p* :c }", ":a :p :b . :b :p :c") == [""] * 3

    def test_two_variables_start_at_the_nodes_of_the_graph(self) -> None:
        """Subjects and objects are nodes, literals too; predicates are not."""
        assert solutions("{ ?x :r* ?y }", ":a :p 1") == ["x=1 y=1", "x=:a y=:a"]
        assert solutions("{ ?x :r* ?y }") == []

    def test_same_variable_at_both_ends(self) -> None:
        """`?x p* ?x` holds of every node, `?x p+ ?x` on cycles."""
        assert solutions("{ ?x :p* ?x }", ":a :p :b") == ["x=:a", "x=:b"]
        assert solutions("{ ?x :p+ ?x }", CYCLE) == ["x=:a", "x=:b", "x=:c"]

    def test_nested(self) -> None:
        """Repetitions of what is no link."""
        data = ":a :p :b . :b :q :c . :c :p :d . :d :q :e"
        assert solutions("{ :a (:p/:q)* ?y }", data) == ["y=:a", "y=:c", "y=:e"]
        assert solutions("{ ?x (:p/:q)+ :e }", data) == ["x=:a", "x=:c"]
        assert solutions("{ :e (^:q/^:p)+ ?y }", data) == ["y=:a", "y=:c"]
        assert solutions("{ :a (:p?/:q?)? ?y }", data) == ["y=:a", "y=:b", "y=:c"]
        assert solutions("{ :a !:q+ ?y }", data) == ["y=:b"]
        assert solutions("{ :a ((:p|:q)+)+ :e }", data) == [""]


class TestTermsThatAreInNoTriple:
    """Zero-length paths tell terms of the query from variables."""

    def test_term_of_the_query(self) -> None:
        """A term that the query names is connected to itself."""
        assert solutions("{ :z :p* ?y }", CHAIN) == ["y=:z"]
        assert solutions("{ ?x :p? :z }", CHAIN) == ["x=:z"]
        assert solutions("{ :z :p* :z }") == [""]
        assert solutions("{ :z :p* :a }", CHAIN) == []
        assert solutions("{ 7 :p? ?y }") == ["y=7"]
        assert solutions("{ :z :p+ ?y }", CHAIN) == []
        assert solutions("{ :z (:p?)+ ?y }", CHAIN) == ["y=:z"]

    @pytest.mark.parametrize("path", [":p*", ":p?", "(:p?)+", "(:p|:q)*"])
    def test_variable_with_a_value(self, path: str) -> None:
        """A variable stays one when another pattern gives it a value: the path by itself starts at nodes only."""
        assert solutions(f"{{ VALUES ?x {{ :z }} ?x {path} ?y }}", CHAIN) == []
        assert solutions(f"{{ ?x {path} ?y VALUES ?y {{ :z }} }}", CHAIN) == []
        assert solutions(f"{{ BIND(:z AS ?x) ?x {path} ?y }}", CHAIN) == []

    @pytest.mark.parametrize("path", [":p*", ":p?"])
    def test_variable_with_a_value_and_a_term(self, path: str) -> None:
        """`?x p* :z` by itself has ?x = :z, with which a value of ?x then joins."""
        assert solutions(f"{{ VALUES ?x {{ :z :y }} ?x {path} :z }}", CHAIN) == ["x=:z"]

    def test_middle_of_a_sequence(self) -> None:
        """The node between is a variable: what the left part reaches has to be a node for the right part."""
        assert solutions("{ :z :p*/:q* ?y }", CHAIN) == []
        assert solutions("{ :z :p*/:q* :z }", CHAIN) == [""]
        assert solutions("{ :z (:p*/:q*)? ?y }", CHAIN) == ["y=:z"]
        assert solutions("{ :a :p*/:q* ?y }", CHAIN) == ["y=1", "y=:a", "y=:b", "y=:c"]


class TestJoinedPaths:
    """Paths among other patterns give what they give by themselves, joined."""

    def test_bound_ends(self) -> None:
        """A value known for either end, or both."""
        assert solutions("{ ?x :p ?y . ?y :p* ?z }", CHAIN) == ["x=:a y=:b z=:b", "x=:a y=:b z=:c", "x=:b y=:c z=:c"]
        assert solutions("{ ?y :q ?v . ?x :p+ ?y }", CHAIN) == ["v=1 x=:a y=:c", "v=1 x=:b y=:c"]
        assert solutions("{ ?x :p ?y . ?x :p+ ?y }", CHAIN) == ["x=:a y=:b", "x=:b y=:c"]

    def test_optional(self) -> None:
        """A path in an OPTIONAL."""
        assert solutions("{ ?x :p ?y OPTIONAL { ?y :p+ ?z } }", CHAIN) == ["x=:a y=:b z=:c", "x=:b y=:c"]

    def test_long_chain(self) -> None:
        """ALP is a loop, not a recursion."""
        data = " . ".join(f":n{i} :p :n{i + 1}" for i in range(5000))
        assert len(solutions("{ :n0 :p+ ?y }", data)) == 5000
        assert len(solutions("{ ?x :p+ :n5000 }", data)) == 5000
