"""Dates, times and durations as XSD 1.1 defines them: any year, fractions of any length, with and without time zone.

Python's `datetime` knows no years beyond 9999 or before 1, and its values with and without a zone do not compare. So
this is our own arithmetic: seconds on the timeline of the proleptic Gregorian calendar, which has a year 0.

The order is partial. A value without time zone may stand for any zone from +14:00 to -14:00, so it compares with one
that has a zone only if they are further apart than that; and a month is between 28 and 31 days. What is undecided has
the order None.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from sparql_ft.expressions.numeric_values import EXACT, decimal_text

__all__ = ["Duration", "Moment", "order_of_durations", "order_of_moments", "parse_duration", "parse_moment"]

_ZONE_SPREAD: Final = 14 * 3600
_MONTHS_WITH_30_DAYS: Final = frozenset({4, 6, 9, 11})


@dataclass(frozen=True, slots=True)
class Moment:
    """A value of xsd:dateTime, date, time or one of the xsd:g… types; parts that the type lacks are None."""

    kind: str  # the local name of the type; values of different kinds are never equal
    year: int | None = None
    month: int | None = None
    day: int | None = None
    hour: int | None = None
    minute: int | None = None
    second: Decimal | None = None
    offset: int | None = None  # of the time zone, in minutes

    def timeline(self) -> tuple[int, Decimal]:
        """Whole seconds and the fraction of one, in UTC, or in local time where there is no time zone.

        Missing parts are filled as XSD 1.1 does it (timeOnTimeline): the last day of the month, December, 1972.
        """
        year = 1972 if self.year is None else self.year
        month = 12 if self.month is None else self.month
        day = _days_in_month(year, month) if self.day is None else self.day
        second = self.second or Decimal(0)
        whole = int(second)
        seconds = _day_number(year, month, day) * 86_400
        seconds += (self.hour or 0) * 3600 + ((self.minute or 0) - (self.offset or 0)) * 60 + whole
        return seconds, EXACT.subtract(second, Decimal(whole))

    def zone(self) -> str:
        """The time zone as text: "" if there is none, "Z" for UTC."""
        if self.offset is None:
            return ""
        if self.offset == 0:
            return "Z"
        hours, minutes = divmod(abs(self.offset), 60)
        return f"{'-' if self.offset < 0 else '+'}{hours:02}:{minutes:02}"

    def __str__(self) -> str:
        """The canonical lexical form, except that the time zone is kept (as a cast to xsd:string does)."""
        return self._parts() + self.zone()

    def _parts(self) -> str:
        month, day = f"{self.month or 0:02}", f"{self.day or 0:02}"
        match self.kind:
            case "dateTime":
                return f"{self._year()}-{month}-{day}T{self._time()}"
            case "date":
                return f"{self._year()}-{month}-{day}"
            case "time":
                return self._time()
            case "gYear":
                return self._year()
            case "gYearMonth":
                return f"{self._year()}-{month}"
            case "gMonth":
                return f"--{month}"
            case "gMonthDay":
                return f"--{month}-{day}"
        return f"---{day}"

    def _year(self) -> str:
        year = self.year or 0
        return f"{'-' if year < 0 else ''}{decimal_text(Decimal(abs(year))):0>4}"

    def _time(self) -> str:
        whole, _, fraction = decimal_text(self.second or Decimal(0)).partition(".")
        return f"{self.hour or 0:02}:{self.minute or 0:02}:{whole:0>2}{'.' if fraction else ''}{fraction}"


@dataclass(frozen=True, slots=True)
class Duration:
    """A value of xsd:duration, yearMonthDuration or dayTimeDuration: months and seconds, which do not convert."""

    months: int
    seconds: Decimal

    def __str__(self) -> str:
        """The canonical lexical form."""
        if not self.months and not self.seconds:
            return "PT0S"
        sign = "-" if self.months < 0 or self.seconds < 0 else ""
        years, months = divmod(abs(self.months), 12)
        total = self.seconds.copy_abs()
        whole = int(total)
        minutes, second = divmod(whole, 60)
        hours, minute = divmod(minutes, 60)
        days, hour = divmod(hours, 24)
        seconds = decimal_text(EXACT.add(EXACT.subtract(total, Decimal(whole)), Decimal(second)))
        date = _written((years, "Y"), (months, "M"), (days, "D"))
        time = _written((hour, "H"), (minute, "M")) + ("" if seconds == "0" else seconds + "S")
        return f"{sign}P{date}{'T' if time else ''}{time}"


def _written(*parts: tuple[int, str]) -> str:
    return "".join(decimal_text(Decimal(amount)) + unit for amount, unit in parts if amount)


# --- order -----------------------------------------------------------------------------------------------------------


def order_of_moments(left: Moment, right: Moment) -> int | None:
    """Negative, zero or positive as left is before, at or after right; None if that is undecided. Kinds must agree."""
    (a, a_fraction), (b, b_fraction) = left.timeline(), right.timeline()
    order = ((a, a_fraction) > (b, b_fraction)) - ((a, a_fraction) < (b, b_fraction))
    if (left.offset is None) == (right.offset is None):
        return order
    # XSD 1.0 part 2, section 3.2.7.4: the one without zone is tried with both extreme zones.
    if (a + _ZONE_SPREAD, a_fraction) < (b, b_fraction) or (a - _ZONE_SPREAD, a_fraction) > (b, b_fraction):
        return order
    return None


_REFERENCE_MONTHS: Final = ((1696, 9), (1697, 2), (1903, 3), (1903, 7))


def order_of_durations(left: Duration, right: Duration) -> int | None:
    """The order of XSD 1.1, section 3.3.6.1: added to four dates, chosen for that, both must fall in the same order."""
    orders = set()
    for year, month in _REFERENCE_MONTHS:
        a, b = (EXACT.add(Decimal(_days_after(year, month, d.months) * 86_400), d.seconds) for d in (left, right))
        orders.add((a > b) - (a < b))
    return orders.pop() if len(orders) == 1 else None


def _days_after(year: int, month: int, months: int) -> int:
    """The number of the first of a month some months later."""
    years, zero_based = divmod(month - 1 + months, 12)
    return _day_number(year + years, zero_based + 1, 1)


def _day_number(year: int, month: int, day: int) -> int:
    """Days since a fixed day of the proleptic Gregorian calendar. A year is counted from March, so leap days end it."""
    if month <= 2:
        year, month = year - 1, month + 12
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * (month - 3) + 2) // 5 + day


def _days_in_month(year: int, month: int) -> int:
    if month == 2:
        is_leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
        return 29 if is_leap else 28
    return 30 if month in _MONTHS_WITH_30_DAYS else 31


# --- lexical forms ---------------------------------------------------------------------------------------------------

_YEAR: Final = r"(?P<year>-?(?:[1-9][0-9]{3,}|0[0-9]{3}))"
_MONTH: Final = r"(?P<month>0[1-9]|1[0-2])"
_DAY: Final = r"(?P<day>0[1-9]|[12][0-9]|3[01])"
_TIME: Final = (
    r"(?:(?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9](?:\.[0-9]+)?)"
    r"|(?P<midnight>24:00:00(?:\.0+)?))"
)
_ZONE: Final = r"(?P<zone>Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))?"
_MOMENTS: Final = {
    kind: re.compile(form + _ZONE)
    for kind, form in {
        "dateTime": f"{_YEAR}-{_MONTH}-{_DAY}T{_TIME}",
        "date": f"{_YEAR}-{_MONTH}-{_DAY}",
        "time": _TIME,
        "gYear": _YEAR,
        "gYearMonth": f"{_YEAR}-{_MONTH}",
        "gMonth": f"--{_MONTH}",
        "gMonthDay": f"--{_MONTH}-{_DAY}",
        "gDay": f"---{_DAY}",
    }.items()
}
_DURATION: Final = re.compile(
    r"(?P<sign>-)?P(?=[0-9T])(?:(?P<years>[0-9]+)Y)?(?:(?P<months>[0-9]+)M)?(?:(?P<days>[0-9]+)D)?"
    r"(?P<time>T(?=[0-9])(?:(?P<hours>[0-9]+)H)?(?:(?P<minutes>[0-9]+)M)?(?:(?P<seconds>[0-9]+(?:\.[0-9]+)?)S)?)?"
)


def parse_moment(kind: str, text: str) -> Moment | None:
    """The value of a lexical form (without surrounding space) of the type `kind`; None if it has none."""
    match = _MOMENTS[kind].fullmatch(text)
    if match is None:
        return None
    groups = match.groupdict()
    year, month, day, hour, minute = (_number(groups.get(name)) for name in ("year", "month", "day", "hour", "minute"))
    # Without a year (--02-29) the longest February counts.
    if month is not None and day is not None and day > _days_in_month(2000 if year is None else year, month):
        return None
    second = groups.get("second")
    seconds = None if second is None else Decimal(second)
    if groups.get("midnight"):  # 24:00:00 is the first instant of the next day, and of a time the first of any day
        hour, minute, seconds = 0, 0, Decimal(0)
        if year is not None and month is not None and day is not None:
            year, month, day = _next_day(year, month, day)
    return Moment(kind, year, month, day, hour, minute, seconds, _offset(groups["zone"]))


def parse_duration(text: str, *, months: bool = True, seconds: bool = True) -> Duration | None:
    """The value of a duration; None if the text is none, or has a part that its type does not allow."""
    match = _DURATION.fullmatch(text)
    if match is None:
        return None
    has_months = match["years"] is not None or match["months"] is not None
    has_seconds = match["days"] is not None or match["time"] is not None
    if (has_months and not months) or (has_seconds and not seconds):
        return None
    part = {name: Decimal(match[name] or 0) for name in ("years", "months", "days", "hours", "minutes", "seconds")}
    total_months = EXACT.fma(part["years"], Decimal(12), part["months"])
    total = part["days"]
    for size, name in ((24, "hours"), (60, "minutes"), (60, "seconds")):
        total = EXACT.fma(total, Decimal(size), part[name])
    if match["sign"]:
        total_months, total = total_months.copy_negate(), total.copy_negate()
    return Duration(int(total_months), total)


def _number(text: str | None) -> int | None:
    return None if text is None else int(Decimal(text))  # int() itself refuses more than 4300 digits


def _offset(zone: str | None) -> int | None:
    if zone is None:
        return None
    if zone == "Z":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[4:6])
    return -minutes if zone[0] == "-" else minutes


def _next_day(year: int, month: int, day: int) -> tuple[int, int, int]:
    if day < _days_in_month(year, month):
        return year, month, day + 1
    return (year, month + 1, 1) if month < 12 else (year + 1, 1, 1)
