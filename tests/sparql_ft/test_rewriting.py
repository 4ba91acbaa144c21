"""Trees with other terms in them."""

from __future__ import annotations

from sparql_ft import parse
from sparql_ft.rewriting import Leaf, number_blank_nodes, rewrite, variables_in
from sparql_ft.terms import IRI, BlankNode, Variable

QUERY = parse("""CONSTRUCT { ?a <urn:p> _:x } WHERE {
  ?b <urn:p>/<urn:q>* _:x FILTER (?c > 1 && EXISTS { ?d a ?e FILTER ftcontains(?e, "w") }) BIND (?f AS ?g) }
VALUES ?h { 1 }""")


def test_variables_are_found_everywhere() -> None:
    """In the template, in patterns, expressions, ftcontains, BIND and VALUES."""
    assert variables_in(QUERY) == frozenset(Variable(name) for name in "abcdefgh")


def test_rewrite_reaches_every_term() -> None:
    """The text of the result is the text with the names exchanged."""

    def change(leaf: Leaf) -> Leaf:
        match leaf:
            case Variable(name):
                return Variable(name * 2)
            case IRI("urn:p"):
                return IRI("urn:z")
            case _:
                return leaf

    changed = rewrite(QUERY, change)
    expected = str(QUERY).replace("urn:p", "urn:z")
    for name in "abcdefgh":
        expected = expected.replace(f"?{name}", f"?{name * 2}")
    assert str(changed) == expected


def test_rewrite_shares_what_is_unchanged() -> None:
    """A tree in which nothing changes is the same object."""
    assert rewrite(QUERY, lambda leaf: leaf) is QUERY


def test_blank_nodes_are_numbered_in_order_of_appearance() -> None:
    """Those of a template apart from those of the pattern: the same label names another node there."""

    def relabel(leaf: Leaf) -> Leaf:
        return BlankNode("same") if isinstance(leaf, BlankNode) else leaf

    relabelled = rewrite(QUERY, relabel)
    assert relabelled != QUERY
    assert number_blank_nodes(relabelled) == QUERY
    assert number_blank_nodes(QUERY) == QUERY
