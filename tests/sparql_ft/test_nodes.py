"""Syntax trees are values: immutable, equal by content, hashable, and the same in another process."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from pathlib import Path

import pytest

from sparql_ft import Query, nodes, parse
from sparql_ft.nodes import Form, Node
from sparql_ft.rewriting import parts_of
from sparql_ft.terms import IRI, BlankNode, Literal, Variable
from tests.query_fixtures import FIXTURES

KINDS = [kind for name in nodes.__all__ if isinstance(kind := getattr(nodes, name), type) and kind is not Form]
NAMES = [path.name.removesuffix(".rq") for path in FIXTURES]


def query_of(path: Path) -> Query:
    """The query in a file, parsed anew."""
    return parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", [*KINDS, IRI, BlankNode, Literal, Variable], ids=lambda kind: kind.__name__)
def test_kinds_of_nodes_are_frozen(kind: type) -> None:
    """Every node is a frozen dataclass with slots, compared by value."""
    parameters = kind.__dataclass_params__  # type: ignore[attr-defined]
    assert parameters.frozen
    assert parameters.eq
    assert "__slots__" in vars(kind)


def test_nodes_cannot_be_changed() -> None:
    """Neither a field nor a new attribute can be set."""
    query = parse("ASK { ?s ?p ?o }")
    with pytest.raises(dataclasses.FrozenInstanceError):
        query.modifier = "DISTINCT"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        query.other = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", FIXTURES, ids=NAMES)
def test_trees_hold_nothing_mutable(path: Path) -> None:
    """A tree has nodes, tuples, terms, strings, numbers and truth values, nothing else."""
    pending: list[object] = [query_of(path)]
    while pending:
        part = pending.pop()
        if isinstance(part, Node | tuple):
            pending.extend(parts_of(part))
        else:
            assert isinstance(part, IRI | BlankNode | Literal | Variable | str | int | bool | Form | None)


@pytest.mark.parametrize("path", FIXTURES, ids=NAMES)
def test_equal_by_value(path: Path) -> None:
    """Two parses of a text are equal and hash alike; so do copies, and what comes out of a pickle."""
    query = query_of(path)
    for other in (query_of(path), copy.deepcopy(query), pickle.loads(pickle.dumps(query))):
        assert other == query
        assert hash(other) == hash(query)
        assert str(other) == str(query)


def test_fixtures_are_different() -> None:
    """Trees of different meaning differ, so they can be keys of one dictionary."""
    queries = {query_of(path) for path in FIXTURES}
    assert len(queries) == len(FIXTURES)


def test_spelling_does_not_matter() -> None:
    """Prefixes, abbreviations, labels of blank nodes, brackets, the spelling of ftcontains: no part of a query."""
    first = parse("""PREFIX x: <urn:x:> PREFIX ft: <urn:sparql-ft:>
        SELECT * { ?s x:p ?o ; x:q [ x:r _:z ] FILTER ((ft:contains(?o, '("a")'))) }""")
    second = parse("""SELECT * WHERE {
        ?s <urn:x:p> ?o . ?s <urn:x:q> _:one . _:one <urn:x:r> _:two . FILTER ftcontains(?o, 'a') }""")
    assert first == second


def test_order_does() -> None:
    """The tree keeps the order in which things were written."""
    assert parse("ASK { ?a ?b ?c . ?d ?e ?f }") != parse("ASK { ?d ?e ?f . ?a ?b ?c }")
