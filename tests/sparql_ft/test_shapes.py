"""Texts of one shape: filled in, they are exactly what the full parser makes of them."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparql_ft.errors import QueryError
from sparql_ft.extraction.queries import extract
from sparql_ft.nodes import Query
from sparql_ft.shapes import PreparedQuery, Shapes
from sparql_ft.syntax.parser import parse
from tests.strategies import queries

TEMPLATES = [
    "SELECT ?x { ?x a {iri} ; {iri} ?b FILTER ftcontains(?b, {string} ftAND {string}) }",
    "PREFIX d: <http://d/> SELECT ?x WHERE { ?x a d:{name} . ?x d:p ?y . FILTER(?y > {number}) }",
    "ASK { ?x {iri} ?b . FILTER ftcontains(?b, {string} ftNEAR[0,3] {string} using stemming) }",
    "ASK { ?x {iri} {string}@en ; {iri} {number} . FILTER NOT EXISTS { ?x {iri} {iri} } }",
    "ASK { VALUES ?x { {iri} {iri} } ?x {iri} ?y FILTER(?y = {string} || ?y IN ({iri}, {number})) }",
    "PREFIX : <http://e/> ASK { ?x :{name}/:{name}+ ?y . { ?y :p {iri} } UNION { ?y {iri} {string} } }",
    "ASK { ?x {iri} ?y # a comment with {string} and {iri}\n FILTER(?y > -{number} && ?y != +{number}) }",
    "ASK { ?x {iri} ?y FILTER(?y -{number} > 3 && ftcontains(?y, {string} using language 'de' using stemming)) }",
    "BASE <http://b/> ASK { ?x <p> {iri} . ?x q {iri} }",
    "PREFIX ft: <urn:sparql-ft:> ASK { ?x {iri} ?y FILTER(ft:contains(?y, '{string}')) }",
    'ASK { ?x {iri} "{name}"^^{iri}, {string}^^<http://t>, """long {string}""" FILTER(<http://f>(?x, {number})) }',
]


def full_parse(text: str) -> PreparedQuery:
    """What `prepare` must give, without it."""
    query = parse(text)
    return PreparedQuery(query, extract(query))


def fill(template: str, rng: random.Random) -> str:
    """A text of the template's shape, with constants that are sometimes the same and sometimes odd."""
    choices = {
        "{iri}": ["<http://e/a>", "<http://e/b>", "<http://e/c>", "<relative>", "<urn:x>", "<http://e/a#b>"],
        "{string}": [
            '"rio"',
            "'rio'",
            '"olympic games"',
            '"two  words"',
            '"..."',
            '"é"',
            '"a\'b"',
            '"#"',
            "'<http://e/a>'",
        ],
        "{number}": ["1", "2", "3.5", "01", "10"],
        "{name}": ["a", "b", "c1", "x_y"],
    }
    while True:
        for hole, values in choices.items():
            if hole in template:
                template = template.replace(hole, rng.choice(values), 1)
                break
        else:
            return template


def outcome(function: object, text: str) -> object:
    """The result, or what the error says."""
    try:
        return function(text)  # type: ignore[operator]
    except QueryError as error:
        return type(error), str(error)


@pytest.mark.parametrize("template", TEMPLATES)
def test_filling_in_equals_parsing(template: str) -> None:
    """For every template and many constants, errors included."""
    shapes, rng = Shapes(), random.Random(7)
    for _ in range(60):
        text = fill(template, rng)
        assert outcome(shapes.prepare, text) == outcome(full_parse, text), text


def test_most_texts_of_a_shape_are_not_parsed() -> None:
    """The parser sees the first texts of a shape only."""
    shapes = Shapes()
    for number in range(100):
        shapes.prepare(f'ASK {{ ?x <http://e/p{number}> ?b FILTER ftcontains(?b, "w{number}") }}')
    assert shapes.filled == 98


def test_words_of_the_portable_spelling_are_constants() -> None:
    """Programs that write for standard parsers have their full text inside of a string."""
    shapes = Shapes()
    for number in range(100):
        text = f"""ASK {{ ?x <http://e/p> ?b FILTER(<urn:sparql-ft:contains>(?b, '"w{number}" ftAND "x{number}"')) }}"""
        assert shapes.prepare(text) == full_parse(text)
    assert shapes.filled == 98


def test_equal_constants_are_another_shape() -> None:
    """Two tuples that become one, and a constant that the shape itself has, are told apart."""
    shapes = Shapes()
    pairs = [("a", "b"), ("c", "d"), ("e", "f"), ("a", "a"), ("b", "b"), ("c", "c"), ("fixed", "a")]
    for first, second in pairs:
        text = f"PREFIX e: <http://e/> ASK {{ ?x <http://e/{first}> 1 . ?x <http://e/{second}> 1 . ?x e:fixed* 1 }}"
        assert shapes.prepare(text) == full_parse(text)


@given(queries(), st.integers(0, 3))
@settings(max_examples=60)
def test_generated_queries(query: Query, times: int) -> None:
    """Whatever the query: seen once, twice, or often."""
    shapes, text = Shapes(), str(query)
    for _ in range(times + 1):
        assert outcome(shapes.prepare, text) == outcome(full_parse, text)
