"""The meaning of a query on one publication: SPARQL 1.1, section 18, a rule at a time."""

from __future__ import annotations

import pytest

from sparql_ft import parse
from sparql_ft.evaluation.evaluator import Evaluator, construct, evaluate, matches
from sparql_ft.expressions.evaluation import EvaluationLimitError
from sparql_ft.terms import BlankNode
from tests.sparql_ft.small import PREFIX, publication, shown, solutions

CHAIN = ":a :p :b . :b :p :c . :c :q 1"


class TestBasicGraphPatterns:
    """Section 18.3."""

    def test_join_on_a_shared_variable(self) -> None:
        """A variable that occurs twice is one value: two triples that each match somewhere are not enough."""
        assert solutions("{ ?x :p ?y . ?y :p ?z }", CHAIN) == ["x=:a y=:b z=:c"]
        assert solutions("{ ?x :p ?y . ?y :p ?x }", CHAIN) == []

    def test_variable_twice_in_a_pattern(self) -> None:
        """`?x :p ?x` matches loops only, and so do longer repetitions."""
        assert solutions("{ ?x :p ?x }", ":a :p :a . :a :p :b") == ["x=:a"]
        assert solutions("{ ?x ?x ?x }", ":p :p :p . :p :p :b") == ["x=:p"]

    def test_predicate_variable(self) -> None:
        """A variable may stand for a predicate, and join with subjects."""
        assert solutions("{ :a ?p ?y . ?p :q ?z }", ":a :p :b . :p :q 1") == ["p=:p y=:b z=1"]

    def test_terms_compare_as_terms(self) -> None:
        """01 and 1 are one number but two terms."""
        assert solutions("{ ?x :p 1 }", ":a :p 1 . :b :p 01") == ["x=:a"]
        assert solutions("{ ?x :p ?v . ?y :q ?v }", ":a :p 1 . :b :q 01") == []

    def test_duplicate_triples_are_one(self) -> None:
        """A publication is a set of triples."""
        assert solutions("{ ?x :p ?y }", ":a :p :b . :a :p :b") == ["x=:a y=:b"]

    def test_empty_pattern(self) -> None:
        """The empty pattern has one solution, on an empty publication too."""
        assert solutions("{ }") == [""]
        assert matches("ASK {}", publication())

    def test_blank_nodes_are_variables(self) -> None:
        """Blank nodes of a query join within their BGP, match anything and are not projected; duplicates stay."""
        assert solutions("{ _:b :p ?y . _:b :q ?z }", ":a :p 1 . :a :q 2 . :c :p 3") == ["y=1 z=2"]
        assert solutions("SELECT ?y { [] :p ?y }", ":a :p 1 . :b :p 1") == ["y=1", "y=1"]

    def test_blank_nodes_join_triples_and_paths(self) -> None:
        """A blank node is the same one in a path next to the triple pattern."""
        assert solutions("{ _:b :p ?y . _:b :q* :d }", ":a :p 1 . :a :q :d . :c :p 2") == ["y=1"]

    def test_wildcards_are_fresh_each_time(self) -> None:
        """Two `*` need not be the same term, and neither is projected."""
        assert solutions("{ * :p ?y . * :q ?z }", ":a :p 1 . :c :q 2") == ["y=1 z=2"]
        assert solutions("{ ?x * * }", ":a :p 1 . :a :q 2") == ["x=:a", "x=:a"]

    def test_literal_never_is_a_subject(self) -> None:
        """A variable bound to a literal joins with no subject."""
        assert solutions("{ ?x :p ?y . ?y :p ?z }", ":a :p 1 . :b :p :b") == ["x=:b y=:b z=:b"]

    def test_many_patterns(self) -> None:
        """A BGP of thousands of patterns is no recursion."""
        patterns = " . ".join(f"?x{i} :p ?x{i + 1}" for i in range(3000))
        assert len(solutions(f"SELECT ?x0 {{ {patterns} }}", ":a :p :a")) == 1


class TestOptional:
    """LeftJoin."""

    def test_without_match(self) -> None:
        """A solution that nothing extends stays as it is."""
        assert solutions("{ ?x :p ?y OPTIONAL { ?y :q ?z } }", CHAIN) == ["x=:a y=:b", "x=:b y=:c z=1"]

    def test_condition_sees_the_left_side(self) -> None:
        """A FILTER of the optional group is asked of the merged solution."""
        data = ":a :p 1 . :a :q 1 . :b :p 1 . :b :q 2"
        query = "{ ?x :p ?y OPTIONAL { ?x :q ?z FILTER(?z = ?y) } }"
        assert solutions(query, data) == ["x=:a y=1 z=1", "x=:b y=1"]

    def test_filter_of_an_inner_group_does_not(self) -> None:
        """One group further in, ?y is out of scope: the filter is an error and nothing extends."""
        data = ":a :p 1 . :a :q 1"
        assert solutions("{ ?x :p ?y OPTIONAL { { ?x :q ?z FILTER(?z = ?y) } } }", data) == ["x=:a y=1"]

    def test_bottom_up(self) -> None:
        """The inner OPTIONAL is joined as a whole: it binds ?v by itself, whatever the left side has for it."""
        data = ":a :p 1 . :b :p 2 . :c :r :d . :d :q 2"
        query = "{ :a :p ?v OPTIONAL { :c :r ?w OPTIONAL { :d :q ?v } } }"
        assert solutions(query, data) == ["v=1"]

    def test_one_that_comes_first(self) -> None:
        """An OPTIONAL that starts a group extends the empty solution."""
        assert solutions("{ OPTIONAL { ?x :q ?y } }", ":a :p 1") == [""]
        assert solutions("{ OPTIONAL { ?x :p ?y } }", ":a :p 1") == ["x=:a y=1"]

    def test_unbound_variable_joins_anything(self) -> None:
        """What OPTIONAL left unbound, a later pattern may bind."""
        data = ":a :p 1 . :a :r 2"
        assert solutions("{ ?x :p ?y OPTIONAL { ?x :q ?z } ?x :r ?z }", data) == ["x=:a y=1 z=2"]

    def test_many(self) -> None:
        """Two thousand OPTIONALs are no recursion."""
        optionals = " ".join(f"OPTIONAL {{ ?x :q ?v{i} }}" for i in range(2000))
        assert len(solutions(f"SELECT ?x {{ ?x :p ?y {optionals} }}", ":a :p 1 . :a :q 2")) == 1


class TestFilter:
    """Filters hold for their group."""

    def test_place_in_the_group_means_nothing(self) -> None:
        """A FILTER may stand before what binds its variables."""
        assert solutions("{ FILTER(?y = 1) ?x :p ?y }", ":a :p 1 . :b :p 2") == ["x=:a y=1"]

    def test_scope_is_the_group(self) -> None:
        """Inside a nested group the variables around it are unbound, an error that drops the solution."""
        assert solutions("{ ?x :p ?y { FILTER(?y = 1) } }", ":a :p 1") == []
        assert solutions("{ ?x :p ?y { FILTER(!BOUND(?y)) } }", ":a :p 1") == ["x=:a y=1"]

    def test_errors_drop_the_solution(self) -> None:
        """An error is neither true, nor is its negation."""
        assert solutions("{ ?x :p ?y FILTER(?z = 1) }", ":a :p 1") == []
        assert solutions("{ ?x :p ?y FILTER(!(?z = 1)) }", ":a :p 1") == []

    def test_filters_split_no_bgp(self) -> None:
        """Blank node labels reach across a FILTER."""
        query = "{ _:b :p ?y FILTER(?y = 1) _:b :q ?z }"
        assert solutions(query, ":a :p 1 . :a :q 2 . :c :q 3") == ["y=1 z=2"]

    def test_ftcontains(self) -> None:
        """Full text on a literal; an IRI or an unbound variable is an error, also under `!`."""
        data = ':a :p "Olympic Games" . :b :p "Games" . :c :p :Olympic'
        assert solutions('{ ?x :p ?y FILTER(ftcontains(?y, "olympic")) }', data) == ['x=:a y="Olympic Games"']
        assert solutions('SELECT ?x { ?x :p ?y FILTER(!ftcontains(?y, "olympic")) }', data) == ["x=:b"]
        assert solutions('SELECT ?x { ?x :p ?y FILTER(ftcontains(?y, ftNOT "olympic")) }', data) == ["x=:b"]

    def test_ftnot_means_some_value_lacks_it(self) -> None:
        """FILTER works solution by solution."""
        data = ':a :p "x" . :a :p "y" . :b :p "x"'
        assert solutions('{ ?s :p ?v FILTER(ftcontains(?v, ftNOT "x")) }', data) == ['s=:a v="y"']


class TestUnionMinusValuesBind:
    """The other operators."""

    def test_union_is_a_multiset(self) -> None:
        """Both branches count, in full."""
        assert solutions("{ { ?x :p ?y } UNION { ?x ?q ?y } }", ":a :p 1") == ["q=:p x=:a y=1", "x=:a y=1"]
        assert solutions("{ { ?x :p ?y } UNION { ?x :p ?y } }", ":a :p 1") == ["x=:a y=1"] * 2

    def test_union_joined_to_what_stands_before(self) -> None:
        """Branches with filters see their own variables only."""
        data = ":a :p 1 . :a :q 2 . :b :q 3"
        assert solutions("{ ?x :p ?y { ?x :q ?z } UNION { ?z :q 3 } }", data) == ["x=:a y=1 z=2", "x=:a y=1 z=:b"]
        query = "{ ?x :p ?y { ?x :q ?z FILTER(?z = 2) } UNION { ?x :q ?z FILTER(?y = 1) } }"
        assert solutions(query, data) == ["x=:a y=1 z=2"]

    def test_minus(self) -> None:
        """A compatible solution that shares a variable removes."""
        data = ":a :p 1 . :b :p 2 . :a :q 3"
        assert solutions("{ ?x :p ?y MINUS { ?x :q ?z } }", data) == ["x=:b y=2"]

    def test_minus_without_a_shared_variable(self) -> None:
        """Disjoint domains remove nothing, even where the right side has solutions."""
        assert solutions("{ ?x :p ?y MINUS { ?a :q ?b } }", ":a :p 1 . :a :q 3") == ["x=:a y=1"]
        assert solutions("{ ?x :p ?y MINUS { :a :q 3 } }", ":a :p 1 . :a :q 3") == ["x=:a y=1"]

    def test_minus_with_partly_bound_solutions(self) -> None:
        """Whether domains are disjoint is asked of each pair of solutions."""
        data = ":a :p 1 . :b :p 2 . :b :q 3 . :c :r 1"
        query = "{ ?x :p ?y OPTIONAL { ?x :q ?z } MINUS { ?w :r ?v OPTIONAL { ?w :q ?z } } }"
        assert solutions(query, data) == ["x=:a y=1", "x=:b y=2 z=3"]
        assert solutions("{ ?x :p ?y MINUS { VALUES (?x ?y) { (:a UNDEF) (UNDEF 2) } } }", data) == []

    def test_minus_filter_does_not_see_the_left(self) -> None:
        """Unlike in NOT EXISTS, ?y is unbound inside."""
        data = ":a :p 1 . :a :q 1"
        assert solutions("{ ?x :p ?y MINUS { ?x :q ?z FILTER(?z = ?y) } }", data) == ["x=:a y=1"]
        assert solutions("{ ?x :p ?y FILTER NOT EXISTS { ?x :q ?z FILTER(?z = ?y) } }", data) == []

    def test_bind(self) -> None:
        """BIND ends the BGP before it and binds for what follows; an error leaves the variable unbound."""
        assert solutions("{ ?x :p ?y BIND(?y + 1 AS ?z) }", ":a :p 1 . :b :p :c") == ["x=:a y=1 z=2", "x=:b y=:c"]
        assert solutions("{ ?x :p ?y BIND(?y AS ?z) ?w :q ?z }", ":a :p 1 . :b :q 1 . :c :q 2") == ["w=:b x=:a y=1 z=1"]

    def test_bind_sees_only_what_stands_before(self) -> None:
        """A variable bound later is unbound in the expression."""
        assert solutions("{ BIND(?y AS ?z) ?x :p ?y }", ":a :p 1") == ["x=:a y=1"]

    def test_unbound_bind_joins_anything(self) -> None:
        """The variable of a failed BIND is free for what follows."""
        assert solutions("{ BIND(?u + 1 AS ?y) ?x :p ?y }", ":a :p 1") == ["x=:a y=1"]

    def test_values(self) -> None:
        """VALUES joins; UNDEF agrees with anything; rows are a multiset."""
        data = ":a :p 1 . :b :p 2"
        assert solutions("{ VALUES ?y { 1 1 3 } ?x :p ?y }", data) == ["x=:a y=1"] * 2
        assert solutions("{ ?x :p ?y VALUES (?x ?y) { (:b UNDEF) (UNDEF 1) } }", data) == ["x=:a y=1", "x=:b y=2"]
        assert solutions("{ VALUES ?y { } }") == []
        assert solutions("{ VALUES () { () () } }") == ["", ""]

    def test_trailing_values(self) -> None:
        """The clause after WHERE is joined as well, and its variables are visible."""
        assert solutions("SELECT * { ?x :p ?y } VALUES (?y ?z) { (1 7) }", ":a :p 1 . :b :p 2") == ["x=:a y=1 z=7"]
        assert solutions("SELECT ?x { ?x :p ?y } VALUES ?y { 2 }", ":a :p 1 . :b :p 2") == ["x=:b"]
        assert not matches(PREFIX + "ASK { } VALUES ?y { }", publication())


class TestGraph:
    """A publication has one named graph, or none."""

    def test_without_a_named_graph(self) -> None:
        """GRAPH sees nothing, not even for the empty pattern."""
        assert solutions("{ GRAPH ?g { ?x :p ?y } }", ":a :p 1") == []
        assert solutions("{ GRAPH ?g { } }", ":a :p 1") == []

    def test_own_graph(self) -> None:
        """The default graph and the named one are the publication's triples."""
        assert solutions("{ ?x :p ?y }", ":a :p 1", graph=":g") == ["x=:a y=1"]
        assert solutions("{ GRAPH ?g { ?x :p ?y } }", ":a :p 1", graph=":g") == ["g=:g x=:a y=1"]
        assert solutions("{ GRAPH :g { ?x :p ?y } }", ":a :p 1", graph=":g") == ["x=:a y=1"]
        assert solutions("{ GRAPH :h { ?x :p ?y } }", ":a :p 1", graph=":g") == []
        assert solutions("{ GRAPH ?g { } }", graph=":g") == ["g=:g"]

    def test_the_name_joins(self) -> None:
        """?g may be bound before, inside and after."""
        assert solutions("{ ?g :p ?y GRAPH ?g { ?x :p ?y } }", ":a :p 1 . :g :p 1", graph=":g") == [
            "g=:g x=:a y=1",
            "g=:g x=:g y=1",
        ]
        assert solutions("{ GRAPH ?g { ?g :p ?y } }", ":a :p 1 . :g :p 1", graph=":g") == ["g=:g y=1"]

    def test_the_name_is_unbound_inside(self) -> None:
        """Graph(?g, P) joins ?g to the solutions of P: a filter of the group does not see it."""
        assert solutions("{ GRAPH ?g { ?x :p ?y FILTER(?g = :g) } }", ":a :p 1", graph=":g") == []
        assert solutions("{ GRAPH ?g { ?x :p ?y } FILTER(?g = :g) }", ":a :p 1", graph=":g") == ["g=:g x=:a y=1"]


class TestExists:
    """EXISTS by substitution, section 18.6."""

    def test_values_are_put_in(self) -> None:
        """The pattern is evaluated for the solution at hand."""
        data = ":a :p 1 . :b :p 2 . :a :q 1"
        assert solutions("{ ?x :p ?y FILTER EXISTS { ?x :q ?y } }", data) == ["x=:a y=1"]
        assert solutions("{ ?x :p ?y FILTER NOT EXISTS { ?x :q ?y } }", data) == ["x=:b y=2"]

    def test_inner_filters_see_the_solution(self) -> None:
        """Every occurrence is replaced, in filters of groups further in too."""
        data = ":a :p 1 . :a :q 1 . :b :p 1 . :b :q 2"
        assert solutions("{ ?x :p ?y FILTER EXISTS { { ?x :q ?z FILTER(?z = ?y) } } }", data) == ["x=:a y=1"]

    def test_nested_exists(self) -> None:
        """The outer solution reaches an EXISTS within an EXISTS."""
        data = ":a :p 1 . :a :q 2 . :c :r 1 . :b :p 3 . :b :q 4"
        query = "{ ?x :p ?y FILTER EXISTS { ?x :q ?z FILTER NOT EXISTS { ?w :r ?y } } }"
        assert solutions(query, data) == ["x=:b y=3"]

    def test_blank_nodes_stand_for_themselves(self) -> None:
        """A blank node that is put in does not turn into a variable."""
        data = "_:a :p 1 . _:b :p 2 . _:b :q 3"
        assert solutions("SELECT ?y { ?x :p ?y FILTER EXISTS { ?x :q ?z } }", data) == ["y=2"]

    def test_minus_inside_loses_the_shared_variable(self) -> None:
        """With ?x replaced by a term, MINUS has no variable in common and removes nothing."""
        data = ":a :p 1 . :a :q 2 . :a :r 3"
        assert solutions("{ ?x :p ?y FILTER EXISTS { ?x :q ?z MINUS { ?x :r ?w } } }", data) == ["x=:a y=1"]
        assert solutions("{ ?x :p ?y FILTER EXISTS { ?x :q ?z MINUS { ?x :q ?z } } }", data) == []

    def test_bind_and_values_inside_must_agree(self) -> None:
        """Where a variable cannot be replaced by a term, the value it gets has to be the one it has."""
        data = ":a :p 1 . :b :p 2"
        assert solutions("{ ?x :p ?y FILTER EXISTS { VALUES ?y { 2 3 } } }", data) == ["x=:b y=2"]
        assert solutions("{ ?x :p ?y FILTER EXISTS { BIND(1 AS ?y) } }", data) == ["x=:a y=1"]

    def test_zero_length_path_on_a_value(self) -> None:
        """A variable that was replaced is a term, of which a zero-length path holds even if it is in no triple."""
        assert matches(PREFIX + "ASK { VALUES ?x { :z } FILTER EXISTS { ?x :p* ?y } }", publication(":a :p 1"))
        assert not matches(PREFIX + "ASK { VALUES ?x { :z } ?x :p* ?y }", publication(":a :p 1"))

    def test_bound(self) -> None:
        """BOUND of a variable that was replaced is true."""
        assert solutions("{ ?x :p ?y FILTER EXISTS { FILTER(BOUND(?y)) } }", ":a :p 1") == ["x=:a y=1"]

    def test_in_bind(self) -> None:
        """EXISTS may stand in any expression."""
        found = solutions(
            "SELECT ?x { ?x :p ?y BIND(EXISTS { ?x :q 1 } AS ?e) FILTER(?e) }", ":a :p 1 . :a :q 1 . :b :p 1"
        )
        assert found == ["x=:a"]

    def test_inside_graph(self) -> None:
        """EXISTS in a GRAPH looks at the same triples; GRAPH in an EXISTS takes a value for its name."""
        assert solutions("{ GRAPH ?g { ?x :p ?y FILTER EXISTS { ?x :p 1 } } }", ":a :p 1", graph=":g") == [
            "g=:g x=:a y=1"
        ]
        assert solutions("{ ?x :p ?y FILTER EXISTS { GRAPH ?x { } } }", ":a :p 1 . :g :p 1", graph=":g") == ["x=:g y=1"]


class TestForms:
    """SELECT, ASK, CONSTRUCT."""

    def test_projection(self) -> None:
        """Unbound variables are absent; duplicates stay unless DISTINCT."""
        data = ":a :p 1 . :a :p 2"
        assert solutions("SELECT ?x ?none { ?x :p ?y }", data) == ["x=:a", "x=:a"]
        assert solutions("SELECT DISTINCT ?x { ?x :p ?y }", data) == ["x=:a"]
        assert solutions("SELECT REDUCED ?x { ?x :p ?y }", data) == ["x=:a", "x=:a"]

    def test_star_leaves_out_what_only_a_filter_names(self) -> None:
        """`SELECT *` projects what is in scope."""
        assert solutions("SELECT * { ?x :p ?y MINUS { ?x :q ?z } FILTER(!BOUND(?w)) }", ":a :p 1") == ["x=:a y=1"]

    def test_ask(self) -> None:
        """One empty solution, or none."""
        assert evaluate(PREFIX + "ASK { ?x :p ?y }", publication(":a :p 1 . :a :p 2")) == [{}]
        assert evaluate(PREFIX + "ASK { ?x :q ?y }", publication(":a :p 1")) == []

    def test_construct(self) -> None:
        """The template for each solution, duplicates dropped, what is no triple left out."""
        query = PREFIX + "CONSTRUCT { ?x :is ?y . ?y :of ?x . ?x :has ?z . :c :d :e } { ?x :p ?y }"
        found = construct(query, publication(":a :p 1 . :a :p :b"))
        assert sorted(" ".join(map(shown, triple)) for triple in found) == [
            ":a :is 1",
            ":a :is :b",
            ":b :of :a",
            ":c :d :e",
        ]
        assert solutions("CONSTRUCT { ?x :is ?y } { ?x :p ?y }", ":a :p 1") == ["x=:a y=1"]

    def test_construct_blank_nodes(self) -> None:
        """A blank node of the template is a new one for each solution, and none of the publication's."""
        query = PREFIX + "CONSTRUCT { _:n :of ?x . _:n :has ?y } { ?x :p ?y }"
        found = construct(query, publication("_:c0 :p 1 . _:c1 :p 2"))
        new = {triple[0] for triple in found}
        assert len(found) == 4
        assert len(new) == 2
        assert new.isdisjoint({BlankNode("c0"), BlankNode("c1")})

    def test_construct_wants_a_construct_query(self) -> None:
        """Anything else is a mistake of the caller."""
        with pytest.raises(ValueError, match="CONSTRUCT"):
            construct("ASK {}", publication())

    def test_query_or_text(self) -> None:
        """A parsed query serves as well, on many publications."""
        query = parse(PREFIX + "ASK { ?x :p ?y FILTER EXISTS { ?x :q ?y } }")
        assert matches(query, publication(":a :p 1 . :a :q 1"))
        assert not matches(query, publication(":a :p 1"))


class TestLimits:
    """Exceeding a limit is reported, not guessed."""

    def test_cross_product(self) -> None:
        """The product of three times 300 triples is refused; its first solution is found all the same."""
        data = publication(" . ".join(f":s{i} :p :o{i}" for i in range(300)))
        query = PREFIX + "SELECT * { ?a :p ?b . ?c :p ?d . ?e :p ?f }"
        with pytest.raises(EvaluationLimitError, match="200,000 steps"):
            evaluate(query, data, max_steps=200_000)
        assert matches(query, data, max_steps=10)

    def test_product_without_solutions(self) -> None:
        """Work counts, not only what comes out of it."""
        data = publication(" . ".join(f":s{i} :p :o{i}" for i in range(300)))
        with pytest.raises(EvaluationLimitError):
            matches(PREFIX + "ASK { ?a :p ?b . ?c :p ?d FILTER(false) }", data, max_steps=10_000)

    def test_inside_exists_and_bind(self) -> None:
        """The limit is no error of an expression: neither FILTER nor BIND swallows it."""
        data = publication(" . ".join(f":s{i} :p :o{i}" for i in range(300)))
        exists = "EXISTS { ?a :p ?b . ?c :p ?d FILTER(false) }"
        for query in (
            f"ASK {{ FILTER(!{exists}) }}",
            f"ASK {{ BIND({exists} AS ?e) }}",
            f"ASK {{ FILTER({exists} || true) }}",
        ):
            with pytest.raises(EvaluationLimitError):
                matches(PREFIX + query, data, max_steps=10_000)

    def test_no_limit(self) -> None:
        """None is no bound."""
        data = publication(" . ".join(f":s{i} :p :o{i}" for i in range(30)))
        query = PREFIX + "SELECT * { ?a :p ?b . ?c :p ?d . ?e :p ?f }"
        assert len(Evaluator(data, max_steps=None).evaluate(query)) == 27_000

    def test_joins_are_no_products(self) -> None:
        """A star, written in the worst order, takes steps in proportion to its triples."""
        data = publication(" . ".join(f":s{i} :p :o{i} . :s{i} :q :r{i}" for i in range(300)))
        query = PREFIX + "SELECT * { ?a :p ?b . ?c :p ?d . ?c :q ?b2 . ?a :q ?b3 . ?a :same ?c . :s7 :p ?d }"
        assert not matches(query, data, max_steps=0)  # no triple has :same, which is known before the first step
        assert len(evaluate(query.replace(" ?a :same ?c .", ""), data, max_steps=2000)) == 300
