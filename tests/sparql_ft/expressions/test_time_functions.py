"""Functions on dates and times: SPARQL 1.1, section 17.4.5."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sparql_ft.evaluation.evaluator import Evaluator, evaluate
from tests.sparql_ft.expressions.written import value
from tests.sparql_ft.small import PREFIX, publication

NAMES = ["YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TZ", "TIMEZONE"]
DURATION = "(dayTimeDuration)"


@pytest.mark.parametrize(
    ("moment", "parts"),
    [
        (
            '"2011-01-10T14:45:13.815-05:00"^^xsd:dateTime',
            ["2011", "1", "10", "14", "45", "13.815 (decimal)", '"-05:00"', f"-PT5H {DURATION}"],
        ),
        (
            '"2011-01-10T14:45:13.815Z"^^xsd:dateTime',
            ["2011", "1", "10", "14", "45", "13.815 (decimal)", '"Z"', f"PT0S {DURATION}"],
        ),
        (
            '"2011-01-10T14:45:13.815"^^xsd:dateTime',
            ["2011", "1", "10", "14", "45", "13.815 (decimal)", '""', "error"],
        ),
        (
            '"-0044-03-15T00:00:00+05:30"^^xsd:dateTime',
            ["-44", "3", "15", "0", "0", "0 (decimal)", '"+05:30"', f"PT5H30M {DURATION}"],
        ),
        (
            '"2023-12-31T24:00:00"^^xsd:dateTime',
            ["2024", "1", "1", "0", "0", "0 (decimal)", '""', "error"],
        ),
        # other types give the parts they have (17.3.1)
        ('"2024-02-29Z"^^xsd:date', ["2024", "2", "29", "error", "error", "error", '"Z"', f"PT0S {DURATION}"]),
        ('"12:30:00"^^xsd:time', ["error", "error", "error", "12", "30", "0 (decimal)", '""', "error"]),
        ('"2024"^^xsd:gYear', ["2024", "error", "error", "error", "error", "error", '""', "error"]),
        ('"--02-29"^^xsd:gMonthDay', ["error", "2", "29", "error", "error", "error", '""', "error"]),
        # and what is no moment gives none
        ('"2023-02-29T00:00:00"^^xsd:dateTime', ["error"] * 8),
        ('"2011-01-10T14:45:13"', ["error"] * 8),
        ('"2011"', ["error"] * 8),
        ("2011", ["error"] * 8),
        (":a", ["error"] * 8),
        ('"P1D"^^xsd:dayTimeDuration', ["error"] * 8),
    ],
)
def test_parts(moment: str, parts: list[str]) -> None:
    """Year to seconds in the moment's own zone, the zone as text and as a duration."""
    assert [value(f"{name}({moment})") for name in NAMES] == parts


def test_now_is_the_same_throughout_a_query() -> None:
    """In all solutions and in EXISTS; another query has another."""
    query = (
        PREFIX + "SELECT ?n ?m { ?s :p ?o BIND(NOW() AS ?n) BIND(NOW() AS ?m) FILTER EXISTS { FILTER(NOW() = ?n) } }"
    )
    found = evaluate(query, publication(" . ".join(f":a :p {i}" for i in range(100))))
    assert len(found) == 100
    assert len({term for row in found for term in row.values()}) == 1


def test_now_can_be_given() -> None:
    """An evaluator may be told what time it is."""
    evaluator = Evaluator(publication(), now=datetime(2024, 2, 29, 12, tzinfo=UTC))
    (row,) = evaluator.evaluate("SELECT ?n { BIND(NOW() AS ?n) }")
    assert str(row["n"]) == '"2024-02-29T12:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
