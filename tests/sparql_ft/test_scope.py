"""Variable scope: the table of SPARQL 1.1, section 18.2.1."""

from __future__ import annotations

from sparql_ft.nodes import (
    WILDCARD,
    Bind,
    Element,
    Exists,
    Filter,
    Form,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    OptionalGroup,
    PathRepeat,
    Query,
    TriplePattern,
    Union,
)
from sparql_ft.scope import in_scope, visible
from sparql_ft.terms import IRI, BlankNode, Variable

P = IRI("urn:p")
A, B, C, D = (Variable(name) for name in "abcd")


def names(element: Element) -> str:
    """The names in scope, in order, as one string."""
    return "".join(variable.name for variable in in_scope(element))


def test_triple_pattern() -> None:
    """All three places count, each variable once; blank nodes and wildcards are no variables anybody can name."""
    assert names(TriplePattern(B, A, B)) == "ba"
    assert names(TriplePattern(BlankNode("x"), P, WILDCARD)) == ""


def test_path() -> None:
    """The ends of a path are in scope."""
    assert names(TriplePattern(A, PathRepeat(P, "*"), B)) == "ab"


def test_order_of_first_appearance() -> None:
    """Nested groups count in the order they are written."""
    inner = Group((TriplePattern(C, P, A),))
    assert names(Group((TriplePattern(B, P, C), inner, TriplePattern(D, P, D)))) == "bcad"


def test_optional_and_union_bind() -> None:
    """Both sides of OPTIONAL and UNION are in scope, bound or not."""
    left, right = Group((TriplePattern(A, P, B),)), Group((TriplePattern(A, P, C),))
    assert names(Union((left, right))) == "abc"
    assert names(Group((TriplePattern(A, P, B), OptionalGroup(right)))) == "abc"


def test_minus_and_filter_do_not() -> None:
    """MINUS and FILTER, EXISTS included, bring nothing into scope."""
    group = Group((TriplePattern(B, P, C),))
    assert names(Group((TriplePattern(A, P, A), Minus(group), Filter(Exists(group))))) == "a"


def test_graph() -> None:
    """GRAPH ?g brings ?g and the variables of its group."""
    group = Group((TriplePattern(A, P, B),))
    assert names(GraphGroup(C, group)) == "cab"
    assert names(GraphGroup(P, group)) == "ab"


def test_bind_and_values() -> None:
    """BIND brings its target only; VALUES all of its variables, even without rows."""
    assert names(Bind(A, B)) == "b"
    assert names(InlineData((B, A), ())) == "ba"


def test_trailing_values_are_visible() -> None:
    """`SELECT *` sees the variables of the VALUES clause after WHERE."""
    where = Group((TriplePattern(A, P, B),))
    query = Query(Form.SELECT, where, values=InlineData((B, C), ()))
    assert visible(query) == (A, B, C)
