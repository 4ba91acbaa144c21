"""Comparisons of an object with constants, as intervals that an index can search.

`?people > 1000000` holds of every value above a bound. Values are put on a line of 32-bit floats, numbers and days each
on one of its own, in a way that keeps their order but not every difference. So an interval has two bounds on each side:
beyond the one a value satisfies the comparison for *sure*, short of the other it *may* not; in between it has to be
looked at. The margins are wider than anything that rounding, promotion to xsd:float or a time zone can do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from rtf.index.tuples import PLACES, IndexTuple
from sparql_ft.expressions.numeric_values import Number
from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import Compare, Expression
from sparql_ft.terms import XSD, Literal

__all__ = ["Interval", "Line", "interval_of"]

_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_RELATIVE: Final = 1e-6  # a 32-bit float is 2**-24 off at most
_DAYS: Final = 2.0  # time of day and time zone
_LARGEST: Final = 1e37  # of a 32-bit float, with room


class Line(IntEnum):
    """What can be put in order. Values on different lines are not comparable."""

    NUMBER = 0
    DATE = 1
    DATE_TIME = 2


@dataclass(frozen=True, slots=True)
class Interval:
    """The values that satisfy some comparisons: those between the sure bounds do, those outside the others do not."""

    line: Line
    low_maybe: float = -math.inf
    low_sure: float = -math.inf
    high_maybe: float = math.inf
    high_sure: float = math.inf


def interval_of(each: IndexTuple) -> Interval | None:
    """The interval of a tuple that says nothing but its structure and comparisons; None for any other."""
    if not each.conditions or each.text is not None or each.same != (0, 1, 2) or each.structure[2] is not None:
        return None
    bounds = [_bound(condition) for condition in each.conditions]
    known = [bound for bound in bounds if bound is not None]
    if len(known) < len(bounds) or len({line for line, _, _, _ in known}) > 1:
        return None
    return _interval(known[0][0], known)


def _interval(line: Line, bounds: Iterable[tuple[Line, str, float, float]]) -> Interval:
    low_maybe, low_sure, high_maybe, high_sure = -math.inf, -math.inf, math.inf, math.inf
    for _, operator, value, margin in bounds:
        if operator not in ("<", "<="):
            low_maybe, low_sure = max(low_maybe, value - margin), max(low_sure, value + margin)
        if operator not in (">", ">="):
            high_maybe, high_sure = min(high_maybe, value + margin), min(high_sure, value - margin)
    return Interval(line, low_maybe, low_sure, high_maybe, high_sure)


def _bound(condition: Expression) -> tuple[Line, str, float, float] | None:
    """Line, operator, value and margin of a comparison of the object with a constant."""
    match condition:
        case Compare(operator, left, Literal() as constant) if left == PLACES[2] and operator in _TURNED:
            pass
        case Compare(turned, Literal() as constant, right) if right == PLACES[2] and turned in _TURNED:
            operator = _TURNED[turned]
        case _:
            return None
    value = value_of(constant)
    if isinstance(value, Number):
        number = float(value.value)
        if not abs(number) <= _LARGEST:  # NaN is not, either
            return None
        return Line.NUMBER, operator, number, abs(number) * _RELATIVE + 1e-30
    if value is not None and constant.datatype in _DATES:
        day = _day(constant.lexical)
        return None if day is None else (_DATES[constant.datatype], operator, float(day), _DAYS)
    return None


_DATES: Final = {XSD + "date": Line.DATE, XSD + "dateTime": Line.DATE_TIME}


def _day(lexical: str) -> int | None:
    """The number of the day of `yyyy-mm-dd…`, in the Gregorian calendar; the kernel counts the same way."""
    text = lexical.strip()
    if len(text) < 10 or not (text[:4] + text[5:7] + text[8:10]).isdecimal() or text[4] != "-" or text[7] != "-":
        return None
    return days(int(text[:4]), int(text[5:7]), int(text[8:10]))


def days(year: int, month: int, day: int) -> int:
    """Days since 0000-03-01."""
    year -= month <= 2
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 1
