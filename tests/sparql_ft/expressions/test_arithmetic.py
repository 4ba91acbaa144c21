"""Arithmetic: the operator mapping of section 17.3 and the functions on numbers of 17.4.4."""

from __future__ import annotations

import struct
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparql_ft.expressions.numeric_values import nearest_single
from tests.sparql_ft.expressions.written import value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        # types: integer < decimal < float < double; what is derived from integer counts as integer
        ("1 + 2", "3"),
        ('"1"^^xsd:byte + "2"^^xsd:int', "3"),
        ("1 + 2.5", "3.5 (decimal)"),
        ("0.5 + 0.5", "1 (decimal)"),
        ('1 + "2"^^xsd:float', "3.0E0 (float)"),
        ('0.5 * "3"^^xsd:float', "1.5E0 (float)"),
        ('"2"^^xsd:float * 3e0', "6.0E0 (double)"),
        ("2 * 3.0", "6 (decimal)"),
        # integer division gives a decimal
        ("7 / 2", "3.5 (decimal)"),
        ("4 / 2", "2 (decimal)"),
        ("0 / 0.5", "0 (decimal)"),
        ("1 / 0", "error"),
        ("1.0 / 0", "error"),
        ("0 / 0", "error"),
        # IEEE 754
        ("1 / 0e0", "INF (double)"),
        ("-1 / 0e0", "-INF (double)"),
        ("1 / -0e0", "-INF (double)"),
        ("0 / 0e0", "NaN (double)"),
        ('"INF"^^xsd:double - "INF"^^xsd:double', "NaN (double)"),
        ("1e308 * 10", "INF (double)"),
        ('"3e38"^^xsd:float * 10', "INF (float)"),
        ("0e0 * -1", "-0.0E0 (double)"),
        ("0.1e0 + 0.2e0", "3.0000000000000004E-1 (double)"),
        ('"0.1"^^xsd:float + "0.2"^^xsd:float', "3.0E-1 (float)"),
        ("1e0 / (0 * -1)", "INF (double)"),  # exact numbers have no negative zero
        ('1e0 / "-0"^^xsd:integer', "INF (double)"),
        # exact, however long
        ("0.1 + 0.2", "0.3 (decimal)"),
        ("99999999999999999999999999999999999999 + 1", "1" + "0" * 38),
        ("99999999999999999999 * 99999999999999999999", "9999999999999999999800000000000000000001"),
        ("0.00000000000000000001 * 0.00000000000000000001", "0." + "0" * 39 + "1 (decimal)"),
        # from the left; `*` and `/` before `+` and `-`
        ("10 - 2 - 3", "5"),
        ("2 + 3 * 4", "14"),
        ("12 / 2 * 3", "18 (decimal)"),
        ("1 - -1", "2"),
        ("1 -1", "0"),
        ("-(2)", "-2"),
        ("+(2.50)", "2.5 (decimal)"),
        ("-(0)", "0"),
        ("-(0e0)", "-0.0E0 (double)"),
        ('-("1.5"^^xsd:float)', "-1.5E0 (float)"),
        ('-("1"^^xsd:unsignedByte)', "-1"),
        # anything else is a type error
        ('1 + "1"', "error"),
        ('1 + "abc"^^xsd:integer', "error"),
        ('1 + " 1 "^^xsd:integer', "error"),
        ('1 + "300"^^xsd:byte', "error"),
        ("1 + true", "error"),
        ("1 + :a", "error"),
        ("1 + ?unbound", "error"),
        ('"a" + "b"', "error"),
        ('-("a")', "error"),
        ("+(true)", "error"),
        ('"P1D"^^xsd:dayTimeDuration + "P1D"^^xsd:dayTimeDuration', "error"),
    ],
)
def test_operators(expression: str, expected: str) -> None:
    """Promotion, values and errors."""
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("argument", "absolute", "rounded", "ceiling", "floor"),
    [
        ("-2", "2", "-2", "-2", "-2"),
        ("2.5", "2.5 (decimal)", "3 (decimal)", "3 (decimal)", "2 (decimal)"),
        ("-2.5", "2.5 (decimal)", "-2 (decimal)", "-2 (decimal)", "-3 (decimal)"),
        ("-0.5", "0.5 (decimal)", "0 (decimal)", "0 (decimal)", "-1 (decimal)"),
        ("-2.5e0", "2.5E0 (double)", "-2.0E0 (double)", "-2.0E0 (double)", "-3.0E0 (double)"),
        ("-0.5e0", "5.0E-1 (double)", "-0.0E0 (double)", "-0.0E0 (double)", "-1.0E0 (double)"),
        ('"1.5"^^xsd:float', "1.5E0 (float)", "2.0E0 (float)", "2.0E0 (float)", "1.0E0 (float)"),
        ('"NaN"^^xsd:double', "NaN (double)", "NaN (double)", "NaN (double)", "NaN (double)"),
        ('"-INF"^^xsd:double', "INF (double)", "-INF (double)", "-INF (double)", "-INF (double)"),
        ('"7"^^xsd:short', "7", "7", "7", "7"),
        ('"1"', "error", "error", "error", "error"),
        ("true", "error", "error", "error", "error"),
    ],
)
def test_functions(argument: str, absolute: str, rounded: str, ceiling: str, floor: str) -> None:
    """ABS, ROUND (half goes up), CEIL and FLOOR keep the type."""
    calls = [f"{name}({argument})" for name in ("ABS", "ROUND", "CEIL", "FLOOR")]
    assert [value(call) for call in calls] == [absolute, rounded, ceiling, floor]


def test_quotients_without_end() -> None:
    """At least 18 digits, which F&O asks for; the last one is rounded."""
    third, rest = value("1 / 3"), value("2 / 3")
    assert third.startswith("0." + "3" * 18)
    assert third.endswith("3 (decimal)")
    assert rest.startswith("0." + "6" * 18)
    assert rest.endswith("67 (decimal)")
    assert value("100000000000000000000 / 3").startswith("3" * 20 + "." + "3" * 18)


def test_rand() -> None:
    """RAND is a double from 0 up to 1."""
    assert value("DATATYPE(RAND()) = xsd:double") == "true"
    assert value("RAND() >= 0 && RAND() < 1") == "true"


@given(st.decimals(allow_nan=False, allow_infinity=False, places=40, min_value=-4, max_value=4))
def test_nearest_single(number: Decimal) -> None:
    """No other float is nearer: one bit up or down is at least as far."""
    found = nearest_single(number)
    (bits,) = struct.unpack("<i", struct.pack("<f", abs(found)))
    for other_bits in (bits - 1, bits + 1):
        if other_bits < 0:
            continue
        (other,) = struct.unpack("<f", struct.pack("<i", other_bits))
        assert abs(Decimal(found) - number) <= abs(Decimal(other if number >= 0 else -other) - number)


def test_nearest_single_of_a_middle() -> None:
    """16777217 lies between two floats and goes to the even one; rounding twice would not tell what lies just above."""
    assert nearest_single(Decimal(16777217)) == 16777216
    assert nearest_single(Decimal("16777217.0000000001")) == 16777218
    assert nearest_single(Decimal("3.5e38")) == float("inf")
