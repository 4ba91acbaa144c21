"""Trees with other terms in them."""

from __future__ import annotations

from sparql_ft.nodes import Group, Query, TriplePattern
from sparql_ft.rewriting import Leaf, number_blank_nodes, parts_of, rewrite, variables_in
from sparql_ft.syntax.parser import parse
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

TEXT = """SELECT ?a { ?b <urn:p>/<urn:q>* "c" . ?b ?d ?e FILTER(?d > 1 && ftcontains(?e, "w"))
  OPTIONAL { GRAPH ?f { } } MINUS { ?g ?h * }
  FILTER NOT EXISTS { BIND(?i AS ?j) VALUES ?k { <urn:v> } } } VALUES ?l { 2 }"""


def test_variables_in() -> None:
    """Every variable, wherever it stands: projected, hidden, or in a pattern inside of an expression."""
    assert variables_in(parse(TEXT)) == {Variable(name) for name in "abcdefghijkl"} - {Variable("c")}


def test_rewrite_reaches_every_term() -> None:
    """A query with its variables and IRIs renamed is the query of the renamed text."""

    def change(leaf: Leaf) -> Leaf:
        match leaf:
            case Variable(name):
                return Variable(name.upper())
            case IRI(value):
                return IRI(value + "2")
            case _:
                return leaf

    renamed = TEXT
    for name in "abdefghijkl":
        renamed = renamed.replace(f"?{name}", f"?{name.upper()}")
    for name in "pqv":
        renamed = renamed.replace(f"<urn:{name}>", f"<urn:{name}2>")
    assert rewrite(parse(TEXT), change) == parse(renamed)


def test_rewrite_shares_what_does_not_change() -> None:
    """Where nothing changes, the very same tree comes back; beside a change, the neighbours are the same objects."""
    query = parse(TEXT)
    assert rewrite(query, lambda leaf: leaf) is query
    changed = rewrite(query, lambda leaf: Literal("new") if leaf == Literal("c") else leaf)
    assert changed != query
    assert changed.where.elements[0] != query.where.elements[0]
    assert changed.where.elements[1] is query.where.elements[1]


def test_parts_of() -> None:
    """The fields of a node in the order of its class; a tuple is its own parts."""
    triple = TriplePattern(Variable("s"), IRI("urn:p"), Literal("o"))
    assert parts_of(triple) == (Variable("s"), IRI("urn:p"), Literal("o"))
    assert parts_of((triple, triple)) == (triple, triple)


def test_blank_nodes_are_numbered_in_order_of_appearance() -> None:
    """Each label once; those of a CONSTRUCT template are others than those of the pattern, whatever they are called."""

    def triple(*labels: str) -> TriplePattern:
        return TriplePattern(BlankNode(labels[0]), IRI("urn:p"), BlankNode(labels[1]))

    query = parse("CONSTRUCT { } WHERE { }")
    labelled = Query(query.form, Group((triple("z", "y"), triple("y", "x"))), template=(triple("y", "z"),))
    expected = Query(query.form, Group((triple("b2", "b3"), triple("b3", "b4"))), template=(triple("b0", "b1"),))
    assert number_blank_nodes(labelled) == expected
