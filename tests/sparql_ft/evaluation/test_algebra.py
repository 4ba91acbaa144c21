"""From syntax to algebra: SPARQL 1.1, section 18.2.2, with the examples of 18.2.3."""

from __future__ import annotations

from sparql_ft import parse
from sparql_ft.evaluation.algebra import (
    BGP,
    Algebra,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Path,
    Table,
    Union,
    translate,
)
from sparql_ft.nodes import Compare, PathRepeat
from sparql_ft.terms import IRI, XSD_INTEGER, Literal, Variable

S, X, Y, Z = (Variable(name) for name in "sxyz")
P, Q, R = (IRI(f"urn:x:{name}") for name in "pqr")
ONE = Literal("1", XSD_INTEGER)
SP, SQ, SR = (BGP(((S, predicate, end),)) for predicate, end in ((P, X), (Q, Y), (R, Z)))
EMPTY = BGP()


def algebra(text: str) -> Algebra:
    """The algebra of a WHERE clause, or of a whole query."""
    return translate(parse("PREFIX : <urn:x:>\n" + (text if text.startswith("SELECT") else f"SELECT * {text}")))


def equals_one(variable: Variable) -> Compare:
    """The expression `?variable = 1`."""
    return Compare("=", variable, ONE)


def test_triples_form_one_bgp() -> None:
    """Adjacent triple patterns, and those with only a FILTER between."""
    assert algebra("{ ?s :p ?x . ?s :q ?y }") == BGP((*SP.patterns, *SQ.patterns))
    found = algebra("{ ?s :p ?x FILTER(?x = 1) ?s :q ?y }")
    assert found == Filter((equals_one(X),), BGP((*SP.patterns, *SQ.patterns)))


def test_empty_group() -> None:
    """{} is Z, and Join(Z, A) is A."""
    assert algebra("{ }") == EMPTY
    assert algebra("{ { } { ?s :p ?x } }") == SP


def test_union() -> None:
    """UNION, and its Join with what stands before."""
    assert algebra("{ { ?s :p ?x } UNION { ?s :q ?y } UNION { ?s :r ?z } }") == Union((SP, SQ, SR))
    assert algebra("{ ?s :p ?x { ?s :q ?y } UNION { ?s :r ?z } }") == Join(SP, Union((SQ, SR)))


def test_optional() -> None:
    """OPTIONALs nest to the left."""
    assert algebra("{ ?s :p ?x OPTIONAL { ?s :q ?y } OPTIONAL { ?s :r ?z } }") == LeftJoin(LeftJoin(SP, SQ, ()), SR, ())
    assert algebra("{ OPTIONAL { ?s :q ?y } }") == LeftJoin(EMPTY, SQ, ())


def test_filter_of_an_optional_group() -> None:
    """The filters of the group itself are the LeftJoin's condition, those of a group further in are not."""
    assert algebra("{ ?s :p ?x OPTIONAL { ?s :q ?y FILTER(?x = 1) } }") == LeftJoin(SP, SQ, (equals_one(X),))
    assert algebra("{ ?s :p ?x OPTIONAL { { ?s :q ?y FILTER(?x = 1) } } }") == LeftJoin(
        SP, Filter((equals_one(X),), SQ), ()
    )


def test_filters_apply_at_the_end_of_their_group() -> None:
    """Wherever they stand in it."""
    assert algebra("{ FILTER(?x = 1) ?s :p ?x OPTIONAL { ?s :q ?y } FILTER(?y = 1) }") == Filter(
        (equals_one(X), equals_one(Y)), LeftJoin(SP, SQ, ())
    )


def test_bind_ends_the_bgp() -> None:
    """Extend takes the pattern so far; what follows is joined."""
    assert algebra("{ ?s :p ?x BIND(?x AS ?w) ?s :q ?y }") == Join(Extend(SP, Variable("w"), X), SQ)


def test_minus_values_graph() -> None:
    """One operator each."""
    assert algebra("{ ?s :p ?x MINUS { ?s :q ?y } }") == Minus(SP, SQ)
    assert algebra("{ ?s :p ?x VALUES ?x { 1 UNDEF } }") == Join(SP, Table((X,), ((ONE,), (None,))))
    assert algebra("{ GRAPH ?x { ?s :q ?y } }") == Graph(X, SQ)


def test_trailing_values() -> None:
    """VALUES after WHERE is joined last, after the filters."""
    found = algebra("SELECT * { ?s :p ?x FILTER(?x = 1) } VALUES ?x { 1 }")
    assert found == Join(Filter((equals_one(X),), SP), Table((X,), ((ONE,),)))


def test_simple_paths_are_triples() -> None:
    """Inverses and sequences of IRIs need no Path; sequences get variables that nobody can name."""
    assert algebra("{ ?s ^:p ?x }") == BGP(((X, P, S),))
    middle, other = Variable("/0"), Variable("/1")
    assert algebra("{ ?s :p/^:q/:r ?x }") == BGP(((S, P, middle), (other, Q, middle), (other, R, X)))
    assert algebra("{ ?s ^(:p/:q) ?x }") == BGP(((X, P, middle), (middle, Q, S)))


def test_other_paths() -> None:
    """What is no triple pattern is a Path, joined after the BGP."""
    star = PathRepeat(Q, "*")
    assert algebra("{ ?s :q* ?y }") == Path(S, star, Y)
    middle = Variable("/0")
    assert algebra("{ ?s :p/:q* ?y . ?s :r ?z }") == Join(BGP(((S, P, middle), (S, R, Z))), Path(middle, star, Y))


def test_anonymous_variables() -> None:
    """Blank nodes are one variable each, wildcards one for each occurrence."""
    match algebra("{ _:b :p _:b . * :p * }"):
        case BGP(((Variable() as first, _, second), (Variable() as third, _, Variable() as fourth))):
            assert first == second
            assert len({first, third, fourth}) == 3
            assert not any(v.name.isidentifier() for v in (first, third, fourth))
        case other:
            raise AssertionError(other)
