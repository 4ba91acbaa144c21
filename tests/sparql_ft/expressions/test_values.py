"""From lexical forms to values, and back: which forms a datatype has, and which it has not."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest

from sparql_ft.expressions.numeric_values import Number, Rank
from sparql_ft.expressions.values import (
    FALSE,
    NUMERIC_TYPES,
    TRUE,
    boolean_literal,
    datetime_literal,
    number_literal,
    value_of,
)
from sparql_ft.terms import XSD, Literal


def of(datatype: str, lexical: str) -> object:
    """The value of a literal of an XSD type."""
    return value_of(Literal(lexical, XSD + datatype))


@pytest.mark.parametrize(
    ("datatype", "valid", "invalid"),
    [
        (
            "integer",
            ["0", "-0", "+1", "007", "-12", "1" * 500],
            ["", "1.0", "1e0", "one", " 1", "1 ", "+-1", "١"],
        ),
        ("nonPositiveInteger", ["0", "-1"], ["1"]),
        ("negativeInteger", ["-1"], ["0"]),
        ("nonNegativeInteger", ["0", "-0"], ["-1"]),
        ("positiveInteger", ["1"], ["0", "-1"]),
        ("long", [str(2**63 - 1), str(-(2**63))], [str(2**63), str(-(2**63) - 1)]),
        ("int", ["2147483647", "-2147483648"], ["2147483648", "-2147483649"]),
        ("short", ["32767", "-32768"], ["32768"]),
        ("byte", ["127", "-128", "0000127"], ["128", "-129", "1200"]),
        ("unsignedLong", [str(2**64 - 1)], [str(2**64), "-1"]),
        ("unsignedInt", ["4294967295"], ["4294967296"]),
        ("unsignedShort", ["65535"], ["65536"]),
        ("unsignedByte", ["255"], ["256", "-1"]),
        ("decimal", ["0", "1.0", ".5", "2.", "+1.5", "-0.0"], ["", ".", "1e0", "INF", "1,5", " 1.0"]),
        (
            "double",
            ["1", "1.5e3", "-.5E-3", "1.", "INF", "-INF", "+INF", "NaN", "1e999"],
            ["", "inf", "nan", "e1", "+NaN"],
        ),
        ("float", ["1", "16777217", "1e39", "INF", "NaN"], ["1f", "Infinity", " 1"]),
        ("boolean", ["true", "false", "1", "0"], ["TRUE", "yes", "", "01", " true"]),
    ],
)
def test_lexical_spaces(datatype: str, valid: list[str], invalid: list[str]) -> None:
    """A form outside of the lexical space, or the range, has no value; neither has one with space around it."""
    assert [lexical for lexical in valid if of(datatype, lexical) is None] == []
    assert [lexical for lexical in invalid if of(datatype, lexical) is not None] == []


def test_unknown_datatypes() -> None:
    """Neither rdf:langString nor what is derived from xsd:string has a value here, and other datatypes have none."""
    assert value_of(Literal("a", language="en")) is None
    assert of("token", "a") is None
    assert value_of(Literal("1", "urn:x:integer")) is None
    assert value_of(Literal("a")) == "a"


def test_the_same_value_of_different_forms() -> None:
    """What the forms stand for is one value."""
    assert of("integer", "01") == of("integer", "+1") == Number(Rank.INTEGER, Decimal(1))
    assert of("byte", "1") == Number(Rank.INTEGER, Decimal(1))
    assert of("double", "1e0") == Number(Rank.DOUBLE, 1.0)
    assert of("float", "16777217") == Number(Rank.FLOAT, 16777216.0)  # the nearest of 32 bits
    assert of("boolean", "1") is True
    assert of("boolean", "0") is False


def test_numeric_types() -> None:
    """Sixteen: integer and the twelve derived from it, decimal, float and double (17.1)."""
    assert len(NUMERIC_TYPES) == 16


@pytest.mark.parametrize(
    ("number", "lexical"),
    [
        (Number(Rank.INTEGER, Decimal(-7)), "-7"),
        (Number(Rank.INTEGER, Decimal("-0")), "0"),
        (Number(Rank.DECIMAL, Decimal("1.500")), "1.5"),
        (Number(Rank.DECIMAL, Decimal("1E+3")), "1000"),
        (Number(Rank.DECIMAL, Decimal("-0.0")), "0"),
        (Number(Rank.DOUBLE, 0.1), "1.0E-1"),
        (Number(Rank.DOUBLE, 123456.0), "1.23456E5"),
        (Number(Rank.DOUBLE, 5e-324), "5.0E-324"),
        (Number(Rank.DOUBLE, -0.0), "-0.0E0"),
        (Number(Rank.DOUBLE, float("inf")), "INF"),
        (Number(Rank.DOUBLE, float("-inf")), "-INF"),
        (Number(Rank.DOUBLE, float("nan")), "NaN"),
        (Number(Rank.FLOAT, 0.10000000149011612), "1.0E-1"),  # the float nearest to 0.1
        (Number(Rank.FLOAT, 16777216.0), "1.6777216E7"),
    ],
)
def test_canonical_forms(number: Number, lexical: str) -> None:
    """What is computed is written as XSD 1.1 does."""
    assert number_literal(number).lexical == lexical


def test_other_literals() -> None:
    """Booleans, and moments of Python's."""
    assert (boolean_literal(True), boolean_literal(False)) == (TRUE, FALSE)
    zone = timezone(timedelta(hours=-5))
    assert datetime_literal(datetime(2024, 2, 29, 1, 2, 3, 450_000, UTC)).lexical == "2024-02-29T01:02:03.450000Z"
    assert datetime_literal(datetime(2024, 2, 29, 1, 2, 3, tzinfo=zone)).lexical == "2024-02-29T01:02:03-05:00"
