"""Dates, times and durations: lexical forms, canonical forms, and the partial order (XSD 1.1, part 2)."""

from __future__ import annotations

import pytest

from sparql_ft.expressions.temporal_values import (
    Duration,
    Moment,
    order_of_durations,
    order_of_moments,
    parse_duration,
    parse_moment,
)


def moment(kind: str, text: str) -> Moment:
    """A moment that exists."""
    found = parse_moment(kind, text)
    assert found is not None
    return found


def duration(text: str) -> Duration:
    """A duration that exists."""
    found = parse_duration(text)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "valid", "invalid"),
    [
        (
            "dateTime",
            ["2024-02-29T00:00:00", "2024-02-29T23:59:59.999Z", "-0001-01-01T00:00:00+14:00", "12024-01-01T24:00:00Z"],
            ["2023-02-29T00:00:00", "2024-02-29", "2024-02-29T24:00:01", "2024-02-29T12:60:00", "24-02-29T00:00:00"],
        ),
        (
            "dateTime",
            ["0000-01-01T00:00:00", "2000-02-29T00:00:00-00:00"],
            ["1900-02-29T00:00:00", "02024-01-01T00:00:00"],
        ),
        (
            "dateTime",
            ["2024-01-01T00:00:00-14:00"],
            ["2024-01-01T00:00:00+14:01", "2024-01-01T00:00:00+1:00", "2024-1-1T0:0:0"],
        ),
        ("date", ["2024-02-29", "2024-02-29Z", "-2024-02-29+05:30"], ["2024-2-29", "2024-04-31", " 2024-02-29"]),
        ("time", ["00:00:00", "24:00:00", "12:00:00.5-05:00"], ["24:00:01", "12:00", "25:00:00"]),
        ("gYear", ["2024", "-0044", "12024Z"], ["24", "02024"]),
        ("gYearMonth", ["2024-02", "2024-12Z"], ["2024-13", "2024"]),
        ("gMonth", ["--02", "--12Z"], ["02", "--13", "--02--"]),
        ("gMonthDay", ["--02-29", "--12-31"], ["--02-30", "--04-31", "02-29"]),
        ("gDay", ["---31", "---01Z"], ["---32", "31"]),
    ],
)
def test_lexical_forms(kind: str, valid: list[str], invalid: list[str]) -> None:
    """Calendars have leap years, zones end at 14 hours, and there is a year 0."""
    assert [text for text in valid if parse_moment(kind, text) is None] == []
    assert [text for text in invalid if parse_moment(kind, text) is not None] == []


@pytest.mark.parametrize(
    ("kind", "text", "canonical"),
    [
        ("dateTime", "2024-02-28T24:00:00Z", "2024-02-29T00:00:00Z"),
        ("dateTime", "2023-12-31T24:00:00", "2024-01-01T00:00:00"),
        ("dateTime", "2024-01-01T00:00:01.500+00:00", "2024-01-01T00:00:01.5Z"),
        ("dateTime", "-0044-03-15T00:00:00-00:30", "-0044-03-15T00:00:00-00:30"),
        ("time", "24:00:00", "00:00:00"),
        ("date", "12024-01-01+05:00", "12024-01-01+05:00"),
        ("gYear", "-0044", "-0044"),
        ("gYearMonth", "2024-02Z", "2024-02Z"),
        ("gMonth", "--02", "--02"),
        ("gMonthDay", "--02-29", "--02-29"),
        ("gDay", "---31", "---31"),
    ],
)
def test_canonical_forms(kind: str, text: str, canonical: str) -> None:
    """24:00 is the next day, fractions lose their last zeros, zones stay."""
    assert str(moment(kind, text)) == canonical


@pytest.mark.parametrize(
    ("kind", "left", "right", "expected"),
    [
        ("dateTime", "2024-01-01T12:00:00Z", "2024-01-01T14:00:00+02:00", 0),
        ("dateTime", "2024-01-01T12:00:00", "2024-01-01T12:00:00.000000000000000000001", -1),
        ("dateTime", "2024-01-01T12:00:00", "2024-01-01T12:00:00Z", None),
        ("dateTime", "2024-01-01T12:00:00", "2024-01-02T02:00:00Z", None),  # exactly 14 hours
        ("dateTime", "2024-01-01T12:00:00", "2024-01-02T02:00:01Z", -1),
        ("dateTime", "2024-01-01T12:00:00Z", "2023-12-31T22:00:00", None),
        ("dateTime", "2024-01-01T12:00:00Z", "2023-12-31T21:59:59", 1),
        ("dateTime", "-0001-12-31T23:59:59Z", "0000-01-01T00:00:00Z", -1),
        ("dateTime", "0000-02-29T24:00:00Z", "0000-03-01T00:00:00Z", 0),
        ("date", "2024-03-01", "2024-02-29", 1),
        ("date", "2024-01-01+14:00", "2023-12-31-10:00", 0),  # both begin at the same instant
        ("time", "12:00:00+01:00", "11:00:00Z", 0),
        ("gYear", "2024", "2023", 1),
        ("gMonthDay", "--02-28", "--02-29", -1),
        ("gDay", "---01", "---31", -1),
    ],
)
def test_order_of_moments(kind: str, left: str, right: str, expected: int | None) -> None:
    """On the timeline; without a zone, 14 hours either way are undecided."""
    opposite = None if expected is None else -expected
    assert order_of_moments(moment(kind, left), moment(kind, right)) == expected
    assert order_of_moments(moment(kind, right), moment(kind, left)) == opposite


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("P0D", "PT0S"),
        ("-P0Y", "PT0S"),
        ("PT36H", "P1DT12H"),
        ("P14M", "P1Y2M"),
        ("-P1Y13M", "-P2Y1M"),
        ("PT0.50S", "PT0.5S"),
        ("P1DT60M", "P1DT1H"),
        ("P1Y2M3DT4H5M6.7S", "P1Y2M3DT4H5M6.7S"),
        ("-PT90S", "-PT1M30S"),
    ],
)
def test_durations(text: str, canonical: str) -> None:
    """Years become months and days seconds, and back."""
    assert str(duration(text)) == canonical


@pytest.mark.parametrize("text", ["", "P", "PT", "P1DT", "1D", "P1S", "PT1D", "P-1D", "P1.5D", "P1M1Y", "+P1D", " P1D"])
def test_what_is_no_duration(text: str) -> None:
    """Something follows P and T, in order, and only seconds have a fraction."""
    assert parse_duration(text) is None


def test_derived_durations() -> None:
    """Each of the two derived types has its half only."""
    assert parse_duration("P1D", months=False) == duration("PT24H")
    assert parse_duration("P1Y", months=False) is None
    assert parse_duration("P1Y", seconds=False) == duration("P12M")
    assert parse_duration("P1YT0S", seconds=False) is None


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("P1M", "P27D", 1),
        ("P1M", "P28D", None),
        ("P1M", "P30D", None),
        ("P1M", "P31D", None),
        ("P1M", "P32D", -1),
        ("P1Y", "P364D", 1),
        ("P1Y", "P365D", None),
        ("P1Y", "P367D", -1),
        ("P12M", "P1Y", 0),
        ("PT24H", "P1D", 0),
        ("-P1D", "PT0S", -1),
    ],
)
def test_order_of_durations(left: str, right: str, expected: int | None) -> None:
    """XSD 1.1, section 3.3.6.2: months are 28 to 31 days."""
    assert order_of_durations(duration(left), duration(right)) == expected
