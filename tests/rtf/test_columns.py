"""Publications as columns: what is read from them, and what is said when they are wrong."""

from __future__ import annotations

import pyarrow as pa
import pytest

from rtf import Engine, Publication
from rtf.columns import PublicationColumns, columns_of
from sparql_ft import PublicationError

RIO = Publication.parse('<http://e/rio> <http://e/text> "Rio \\"de\\" Jan\\u00e9iro"@en , "x" .', "ttl")
NEWS = Publication.parse('<http://e/rio> <http://e/text> "Olympic games in Rio" <http://e/news> .', "nq")
PARIS = Publication.parse('<http://e/paris> <http://e/text> "Paris" .')
QUERY = 'ASK { ?x <http://e/text> ?t FILTER ftcontains(?t, "rio") }'


def test_there_and_back() -> None:
    """Rows that follow each other with one id and one graph are a publication."""
    table = columns_of([RIO, NEWS, PARIS])
    assert table.num_rows == 4
    assert list(PublicationColumns(table)) == [RIO, NEWS, PARIS]
    assert list(PublicationColumns(table.drop_columns("graph"))) != [RIO, NEWS, PARIS]
    assert list(PublicationColumns(table.slice(0, 0))) == []


def test_matches_are_columns() -> None:
    """A row for each match, publications in their order."""
    engine = Engine()
    engine.register_many([("a", QUERY), ("b", "ASK { GRAPH ?g { ?s ?p ?o } }")])
    found = engine.match_batch(columns_of([PARIS, NEWS, RIO]))
    assert found.to_pylist() == [
        {"publication": "http://e/news", "query_id": "a"},
        {"publication": "http://e/news", "query_id": "b"},
        {"publication": "http://e/rio", "query_id": "a"},
    ]


def test_missing_columns() -> None:
    """Which columns there must be is said."""
    with pytest.raises(ValueError, match="the columns predicate are missing; there must be publication, subject"):
        Engine().match_batch(columns_of([RIO]).drop_columns("predicate"))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        (pa.array([1, 2]), "the column object has the type int64"),
        (pa.array(["<http://e/a>", None]), "the column object has 1 nulls"),
    ],
)
def test_wrong_columns(column: pa.Array, message: str) -> None:
    """Columns are strings, and have no nulls."""
    table = columns_of([RIO])
    with pytest.raises(ValueError, match=message):
        Engine().match_batch(table.set_column(table.schema.get_field_index("object"), "object", column))


@pytest.mark.parametrize(
    "term", ["http://e/a", '"open', '"a"@en@en', "", '"a" . <x:s> <x:p> <x:o>', '"a" .\n<x:s> <x:p> "b"']
)
def test_wrong_terms(term: str) -> None:
    """What is no term is said with its row and its publication."""
    engine = Engine(freeze_at=1, background=False)
    engine.register("a", QUERY)
    table = columns_of([PARIS, RIO])
    objects = table.column("object").to_pylist()
    objects[1] = term
    table = table.set_column(table.schema.get_field_index("object"), "object", pa.array(objects))
    with pytest.raises(PublicationError, match=r"row 1 \(publication http://e/rio\)"):
        engine.match_batch(table)
