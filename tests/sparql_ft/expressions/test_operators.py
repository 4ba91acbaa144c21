"""Operators: SPARQL 1.1, sections 17.2 (truth and errors) and 17.3 (operator mapping)."""

from __future__ import annotations

from itertools import product

import pytest

from tests.sparql_ft.expressions.written import value

# An expression for each truth value: T, F and E(rror).
WRITTEN = {"T": "true", "F": "false", "E": "?unbound"}
# Section 17.2, the table of logical connectives: A, B, A || B, A && B.
TABLE = ["TTTT", "TFTF", "FTTF", "FFFF", "TETE", "ETTE", "FEEF", "EFEF", "EEEE"]
SHOWN = {"T": "true", "F": "false", "E": "error"}


@pytest.mark.parametrize("row", TABLE)
def test_logical_connectives(row: str) -> None:
    """An error is outweighed by what decides, and only by that."""
    left, right, either, both = row
    assert value(f"{WRITTEN[left]} || {WRITTEN[right]}") == SHOWN[either]
    assert value(f"{WRITTEN[left]} && {WRITTEN[right]}") == SHOWN[both]


@pytest.mark.parametrize(("operand", "expected"), [("T", "false"), ("F", "true"), ("E", "error")])
def test_not(operand: str, expected: str) -> None:
    """The negation of an error is an error."""
    assert value(f"!{WRITTEN[operand]}") == expected


def test_longer_chains() -> None:
    """Of three operands, in any order, one that decides is enough."""
    for order in product("TFE", repeat=3):
        chain = [WRITTEN[letter] for letter in order]
        either = "true" if "T" in order else "error" if "E" in order else "false"
        both = "false" if "F" in order else "error" if "E" in order else "true"
        assert value(" || ".join(chain)) == either
        assert value(" && ".join(chain)) == both


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("true", "true"),
        ("false", "false"),
        ('"1"^^xsd:boolean', "true"),
        ('"0"^^xsd:boolean', "false"),
        ('"TRUE"^^xsd:boolean', "false"),  # not valid: false, no error
        ('" true"^^xsd:boolean', "false"),
        ('""', "false"),
        ('"false"', "true"),
        ('"a"^^xsd:string', "true"),
        ('""@en', "false"),  # a plain literal may have a language tag
        ('"a"@en', "true"),
        ("0", "false"),
        ("-1", "true"),
        ("0.0", "false"),
        ("0.1", "true"),
        ("0e0", "false"),
        ("-0e0", "false"),
        ("1e-300", "true"),
        ('"NaN"^^xsd:double', "false"),
        ('"NaN"^^xsd:float', "false"),
        ('"INF"^^xsd:float', "true"),
        ('"00"^^xsd:int', "false"),
        ('"abc"^^xsd:integer', "false"),
        ('"300"^^xsd:byte', "false"),
        (":a", "error"),
        ("?unbound", "error"),
        ('"true"^^:datatype', "error"),
        ('"2024-01-01"^^xsd:date', "error"),
        ('"P1D"^^xsd:dayTimeDuration', "error"),
    ],
)
def test_effective_boolean_value(term: str, expected: str) -> None:
    """17.2.2, rule by rule."""
    negation = {"true": "false", "false": "true", "error": "error"}[expected]
    assert value(f"!({term})") == negation
    assert value(f"IF({term}, true, false)") == expected


DATE_TIMES = {name: f'"{name}"^^xsd:dateTime' for name in ("2024-01-01T12:00:00Z", "2024-01-01T13:00:00+01:00")}
NOON, NOON_TOO = DATE_TIMES.values()
LOCAL = '"2024-01-01T12:00:00"^^xsd:dateTime'
MUCH_LATER = '"2024-01-03T12:00:00"^^xsd:dateTime'


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        # numbers, by value and after promotion
        ("1", "1", "true"),
        ("1", '"01"^^xsd:integer', "true"),
        ("1", '"+1"^^xsd:integer', "true"),
        ("1", "1.0", "true"),
        ("1.0", "1e0", "true"),
        ("1", '"1"^^xsd:byte', "true"),
        ('"1"^^xsd:unsignedLong', '"1.0"^^xsd:float', "true"),
        ("0.1", '"0.1"^^xsd:float', "true"),  # the decimal becomes a float
        ("0.1e0", '"0.1"^^xsd:float', "false"),  # the float becomes a double
        ("0e0", "-0e0", "true"),
        ("16777217", '"16777216"^^xsd:float', "true"),
        ("9007199254740993", "9007199254740992", "false"),
        ("9007199254740993", "9007199254740992e0", "true"),
        ('"NaN"^^xsd:double', '"NaN"^^xsd:double', "false"),
        ('"INF"^^xsd:double', '"INF"^^xsd:float', "true"),
        ("1", "2", "false"),
        # strings and language tags
        ('"a"', '"a"^^xsd:string', "true"),
        ('"a"', '"A"', "false"),
        ('"a"@en', '"a"@EN', "true"),
        ('"a"@en', '"a"@de', "false"),
        ('"a"@en', '"a"', "false"),
        ('"\u00e9"', '"e\u0301"', "false"),  # by code point
        # booleans
        ("true", '"1"^^xsd:boolean', "true"),
        ("true", "false", "false"),
        # moments
        (NOON, NOON_TOO, "true"),
        (NOON, LOCAL, "error"),  # undecided within 14 hours
        (NOON, MUCH_LATER, "false"),
        (LOCAL, LOCAL, "true"),
        ('"2024-01-01"^^xsd:date', '"2024-01-01"^^xsd:date', "true"),
        ('"2024-01-01Z"^^xsd:date', '"2024-01-01+00:00"^^xsd:date', "true"),
        ('"2024-01-01Z"^^xsd:date', '"2024-01-01"^^xsd:date', "error"),
        ('"2024-01-01"^^xsd:date', '"2024-01-01T00:00:00"^^xsd:dateTime', "false"),
        ('"P1D"^^xsd:dayTimeDuration', '"PT24H"^^xsd:dayTimeDuration', "true"),
        ('"P1M"^^xsd:duration', '"P30D"^^xsd:duration', "false"),
        # values of different types differ
        ("1", '"1"', "false"),
        ("1", "true", "false"),
        ('"true"', "true", "false"),
        ("1", NOON, "false"),
        # RDFterm-equal
        (":a", ":a", "true"),
        (":a", ":b", "false"),
        (":a", '"urn:x:a"', "false"),
        (":a", "1", "false"),
        ('"a"^^:t', '"a"^^:t', "true"),
        ('"a"^^:t', '"b"^^:t', "error"),
        ('"a"^^:t', '"a"^^:u', "error"),
        ('"a"^^:t', '"a"', "error"),
        ('"a"^^:t', "1", "error"),
        ('"a"^^:t', ":a", "false"),
        ('"a"^^:t', '"a"@en', "false"),
        ('"abc"^^xsd:integer', '"abc"^^xsd:integer', "true"),
        ('"abc"^^xsd:integer', "1", "error"),
        ('" 1 "^^xsd:integer', "1", "error"),  # ill-typed: RDF's lexical forms have no spaces
        ('"300"^^xsd:byte', "300", "error"),
        ('"abc"^^xsd:integer', '"abc"', "error"),
        ("?unbound", "1", "error"),
    ],
)
def test_equality(left: str, right: str, expected: str) -> None:
    """`=` and `!=` by 17.3 and 17.4.1.7, in both directions; IN with one option is the same."""
    negation = {"true": "false", "false": "true", "error": "error"}[expected]
    for a, b in ((left, right), (right, left)):
        assert value(f"{a} = {b}") == expected
        assert value(f"{a} != {b}") == negation
        assert value(f"{a} IN ({b})") == expected
        assert value(f"{a} NOT IN ({b})") == negation


@pytest.mark.parametrize(
    ("less", "greater"),
    [
        ("1", "2"),
        ("-1", "0.5"),
        ("1.5", "2e0"),
        ('"-INF"^^xsd:double', "-1e300"),
        ("1e300", '"INF"^^xsd:float'),
        ('"9"^^xsd:byte', '"10"^^xsd:unsignedInt'),
        ('""', '"a"'),
        ('"B"', '"a"'),
        ('"10"', '"9"'),
        ('"\uffff"', '"\U00010000"'),  # by code point, not by UTF-16
        ("false", "true"),
        (LOCAL, MUCH_LATER),
        (NOON, MUCH_LATER),
        (NOON, '"2024-01-01T12:30:00+00:00"^^xsd:dateTime'),
        ('"-0001-01-01T00:00:00Z"^^xsd:dateTime', NOON),
        (NOON, '"12024-01-01T00:00:00Z"^^xsd:dateTime'),
        ('"2023-12-31"^^xsd:date', '"2024-01-01"^^xsd:date'),
        ('"2024-01-01+02:00"^^xsd:date', '"2024-01-01Z"^^xsd:date'),
        ('"11:00:00"^^xsd:time', '"12:00:00"^^xsd:time'),
        ('"2023"^^xsd:gYear', '"2024"^^xsd:gYear'),
        ('"PT1H"^^xsd:dayTimeDuration', '"P1D"^^xsd:dayTimeDuration'),
        ('"P1M"^^xsd:duration', '"P32D"^^xsd:duration'),
    ],
)
def test_order(less: str, greater: str) -> None:
    """All four signs, and equality of each with itself."""
    assert [value(f"{less} {sign} {greater}") for sign in ("<", "<=", ">", ">=")] == ["true", "true", "false", "false"]
    assert [value(f"{greater} {sign} {less}") for sign in ("<", "<=", ">", ">=")] == ["false", "false", "true", "true"]
    for one in (less, greater):
        assert [value(f"{one} {sign} {one}") for sign in ("<", "<=", ">", ">=")] == ["false", "true", "false", "true"]


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">="])
@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ('"NaN"^^xsd:double', "1", "false"),
        ('"NaN"^^xsd:double', '"NaN"^^xsd:double', "false"),
        (":a", ":a", "error"),
        (":a", ":b", "error"),
        ('"a"@en', '"a"@en', "error"),
        ('"a"@en', '"b"', "error"),
        ("1", '"1"', "error"),
        ("1", "true", "error"),
        ('"a"^^:t', '"a"^^:t', "error"),
        ('"abc"^^xsd:integer', "1", "error"),
        (NOON, LOCAL, "error"),
        ('"2024-01-01"^^xsd:date', NOON, "error"),
        ('"P1M"^^xsd:duration', '"P30D"^^xsd:duration', "error"),
        ("?unbound", "1", "error"),
    ],
)
def test_what_has_no_order(sign: str, left: str, right: str, expected: str) -> None:
    """NaN is never less nor greater; other types than those of the table are errors."""
    assert value(f"{left} {sign} {right}") == expected
    assert value(f"{right} {sign} {left}") == expected
