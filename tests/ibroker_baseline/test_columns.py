"""Publications as columns: the same answers as one by one, however terms are written."""

from __future__ import annotations

import pyarrow as pa
import pytest

from ibroker_baseline import IBroker
from ibroker_baseline.columns import publications_in
from sparql_ft import PublicationError

QUERIES = [
    ("plain", 'ASK { ?x <urn:p> "a" }'),
    ("german", 'ASK { ?x <urn:p> "a"@de }'),
    ("quoted", r'ASK { ?x <urn:p> "say \"a\"" }'),
    ("tab", r'ASK { ?x <urn:p> "a\tb" }'),
    ("é", "ASK { ?x <urn:p> <urn:é> }"),
    ("word", 'ASK { ?x <urn:p> ?t FILTER ftcontains(?t, "say") }'),
    ("two", "ASK { ?x <urn:p> ?v ; <urn:q> ?w }"),
    ("join", "ASK { ?x <urn:p> ?v . ?y <urn:q> ?v }"),
    ("graph", "ASK { GRAPH <urn:g> { ?x <urn:p> ?v } }"),
]

WAYS = [
    ('"a"', ["plain", "two", "join"]),
    ('"a"^^<http://www.w3.org/2001/XMLSchema#string>', ["plain", "two", "join"]),
    (r'"\u0061"', ["plain", "two", "join"]),
    ('"a"@DE', ["german", "two"]),
    (r'"say \"a\""', ["quoted", "word", "two"]),
    (r'"s\u0061y \"a\""', ["quoted", "word", "two"]),
    ('"a\tb"', ["tab", "two"]),
    (r'"a\tb"', ["tab", "two"]),
    ("<urn:é>", ["é", "two"]),
    (r"<urn:\u00E9>", ["é", "two"]),
]


def columns(rows: list[tuple[str | None, ...]]) -> pa.Table:
    """Rows as a table."""
    names = ("publication", "graph", "subject", "predicate", "object")
    return pa.table({name: pa.array([row[place] for row in rows], pa.string()) for place, name in enumerate(names)})


@pytest.mark.parametrize("compile_at", [None, 1])
def test_ways_of_writing_a_term(compile_at: int | None) -> None:
    """The strings are compared as they are only where equal terms are equal strings."""
    broker = IBroker(compile_at=compile_at)
    broker.register_many(QUERIES)
    rows: list[tuple[str | None, ...]] = []
    for number, (value, _) in enumerate(WAYS):
        rows.append((f"urn:{number}", None, f"<urn:{number}>", "<urn:p>", value))
        rows.append((f"urn:{number}", None, f"<urn:{number}>", "<urn:q>", '"a"'))
    rows.append(("urn:g", "<urn:g>", "<urn:x>", "<urn:p>", '"b"'))
    report = broker.report_batch(columns(rows))
    expected = [(f"urn:{number}", id) for number, (_, ids) in enumerate(WAYS) for id in ids] + [("urn:g", "graph")]
    assert list(zip(*report.matches.to_pydict().values(), strict=True)) == expected
    assert (report.publications, report.triples) == (len(WAYS) + 1, len(rows))
    one_by_one = [(each.id, id) for each in publications_in(columns(rows)) for id in broker.match_ids(each.read())]
    assert one_by_one == expected


def test_what_is_no_term() -> None:
    """It is refused where it has to be read."""
    broker = IBroker(compile_at=None)
    broker.register_many(QUERIES)
    with pytest.raises(PublicationError):
        broker.report_batch(columns([("urn:x", None, "<urn:x>", "<urn:p>", "no term")]))
