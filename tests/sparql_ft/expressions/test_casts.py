"""Casts: the table of SPARQL 1.1, section 17.5, with the rules of F&O 17.1."""

from __future__ import annotations

import pytest

from tests.sparql_ft.expressions.written import value

# From: the results of xsd:string, float, double, decimal, integer, dateTime and boolean.
TARGETS = ["string", "float", "double", "decimal", "integer", "dateTime", "boolean"]
ERROR = "error"
TABLE = [
    ("1", ['"1"', "1.0E0 (float)", "1.0E0 (double)", "1 (decimal)", "1", ERROR, "true"]),
    ("0", ['"0"', "0.0E0 (float)", "0.0E0 (double)", "0 (decimal)", "0", ERROR, "false"]),
    ('"007"^^xsd:byte', ['"7"', "7.0E0 (float)", "7.0E0 (double)", "7 (decimal)", "7", ERROR, "true"]),
    ("-1.50", ['"-1.5"', "-1.5E0 (float)", "-1.5E0 (double)", "-1.5 (decimal)", "-1", ERROR, "true"]),
    ("2.0", ['"2"', "2.0E0 (float)", "2.0E0 (double)", "2 (decimal)", "2", ERROR, "true"]),
    ("-1.5e0", ['"-1.5"', "-1.5E0 (float)", "-1.5E0 (double)", "-1.5 (decimal)", "-1", ERROR, "true"]),
    ("1e6", ['"1.0E6"', "1.0E6 (float)", "1.0E6 (double)", "1000000 (decimal)", "1000000", ERROR, "true"]),
    ('"-0"^^xsd:double', ['"-0"', "-0.0E0 (float)", "-0.0E0 (double)", "0 (decimal)", "0", ERROR, "false"]),
    ('"NaN"^^xsd:double', ['"NaN"', "NaN (float)", "NaN (double)", ERROR, ERROR, ERROR, "false"]),
    ('"-INF"^^xsd:float', ['"-INF"', "-INF (float)", "-INF (double)", ERROR, ERROR, ERROR, "true"]),
    ("true", ['"true"', "1.0E0 (float)", "1.0E0 (double)", "1 (decimal)", "1", ERROR, "true"]),
    ('"0"^^xsd:boolean', ['"false"', "0.0E0 (float)", "0.0E0 (double)", "0 (decimal)", "0", ERROR, "false"]),
    ('"1"', ['"1"', "1.0E0 (float)", "1.0E0 (double)", "1 (decimal)", "1", ERROR, "true"]),
    ('"01.50"', ['"01.50"', "1.5E0 (float)", "1.5E0 (double)", "1.5 (decimal)", ERROR, ERROR, ERROR]),
    ('" 1\\n"', ['" 1\\n"', "1.0E0 (float)", "1.0E0 (double)", "1 (decimal)", "1", ERROR, "true"]),
    ('"1e2"', ['"1e2"', "1.0E2 (float)", "1.0E2 (double)", ERROR, ERROR, ERROR, ERROR]),
    ('"INF"', ['"INF"', "INF (float)", "INF (double)", ERROR, ERROR, ERROR, ERROR]),
    ('"true"', ['"true"', ERROR, ERROR, ERROR, ERROR, ERROR, "true"]),
    ('"abc"', ['"abc"', ERROR, ERROR, ERROR, ERROR, ERROR, ERROR]),
    ('""', ['""', ERROR, ERROR, ERROR, ERROR, ERROR, ERROR]),
    (
        '"2024-02-29T24:00:00Z"^^xsd:dateTime',
        ['"2024-03-01T00:00:00Z"', ERROR, ERROR, ERROR, ERROR, "2024-03-01T00:00:00Z (dateTime)", ERROR],
    ),
    (
        '" 2024-02-29T01:02:03.50 "',
        ['" 2024-02-29T01:02:03.50 "', ERROR, ERROR, ERROR, ERROR, "2024-02-29T01:02:03.5 (dateTime)", ERROR],
    ),
    ('"2023-02-29T00:00:00"', ['"2023-02-29T00:00:00"', ERROR, ERROR, ERROR, ERROR, ERROR, ERROR]),
    (
        '"2024-02-29Z"^^xsd:date',
        ['"2024-02-29Z"', ERROR, ERROR, ERROR, ERROR, "2024-02-29T00:00:00Z (dateTime)", ERROR],
    ),
    (":a", ['"urn:x:a"', ERROR, ERROR, ERROR, ERROR, ERROR, ERROR]),
    # no value, no cast
    ('"1"@en', [ERROR] * 7),
    ('"1"^^:datatype', [ERROR] * 7),
    ('"abc"^^xsd:integer', [ERROR] * 7),
    ('" 1 "^^xsd:integer', [ERROR] * 7),
    ("?unbound", [ERROR] * 7),
]


@pytest.mark.parametrize(("source", "results"), TABLE)
def test_table(source: str, results: list[str]) -> None:
    """A row of the table: from one kind of term to all targets."""
    assert [value(f"xsd:{target}({source})") for target in TARGETS] == results


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("0.1e0", "0.1"),
        ("123456.5e0", "123456.5"),
        ("999999e0", "999999"),
        ("1e6", "1.0E6"),
        ("0.000002e0", "0.000002"),
        ("0.0000001e0", "1.0E-7"),
        ('"0.1"^^xsd:float', "0.1"),
        ('"16777217"^^xsd:float', "1.6777216E7"),
        ("0e0", "0"),
        ("100.0", "100"),
    ],
)
def test_floats_as_strings(number: str, text: str) -> None:
    """F&O 17.1.2: from 0.000001 up to a million without exponent."""
    assert value(f"xsd:string({number})") == f'"{text}"'


def test_rounding() -> None:
    """To the nearest, or toward zero for integers; exact numbers have no negative zero."""
    assert value("xsd:float(16777217)") == "1.6777216E7 (float)"
    assert value("xsd:float(1e39)") == "INF (float)"
    assert value("xsd:integer(-1.9)") == "-1"
    assert value("xsd:integer(1e20)") == "1" + "0" * 20
    assert value("xsd:decimal(0.1e0)") == "0.1000000000000000055511151231257827021181583404541015625 (decimal)"
    assert value('xsd:double("-0"^^xsd:integer)') == "0.0E0 (double)"
    assert value("xsd:float(CEIL(-0.5))") == "0.0E0 (float)"
    assert value('xsd:double("-0")') == "-0.0E0 (double)"


def test_functions_that_do_not_exist() -> None:
    """An unknown function is an error of the expression, not of the query (17.6); its arguments do not matter."""
    assert value(":f(1)") == ERROR
    assert value("COALESCE(:f(1), 2)") == "2"
    assert value('xsd:date("2024-01-01")') == ERROR
    assert value("COALESCE(xsd:integer(1, 2), 3)") == "3"
