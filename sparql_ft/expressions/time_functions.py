"""Functions on dates and times (SPARQL 1.1, section 17.4.5).

The specification defines them for xsd:dateTime; here they also take the other date and time types, as long as those
have the part in question (section 17.3.1 allows results in place of errors): many queries ask for the YEAR of a date.
"""

from __future__ import annotations

from decimal import Decimal

from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import Number, Rank, integer
from sparql_ft.expressions.temporal_values import Duration, Moment
from sparql_ft.expressions.values import XSD_DAY_TIME_DURATION, number_literal, value_of
from sparql_ft.terms import Literal, Term

__all__ = ["day", "hours", "minutes", "month", "seconds", "timezone", "tz", "year"]


def _moment(term: Term) -> Moment:
    value = value_of(term) if isinstance(term, Literal) else None
    if not isinstance(value, Moment):
        raise ExpressionError(f"{term} is no date or time")
    return value


def _whole(part: int | None) -> Literal:
    if part is None:
        raise ExpressionError("the date or time has no such part")
    return number_literal(integer(part))


def year(term: Term) -> Literal:
    """YEAR."""
    return _whole(_moment(term).year)


def month(term: Term) -> Literal:
    """MONTH."""
    return _whole(_moment(term).month)


def day(term: Term) -> Literal:
    """DAY."""
    return _whole(_moment(term).day)


def hours(term: Term) -> Literal:
    """HOURS, in the literal's own time zone."""
    return _whole(_moment(term).hour)


def minutes(term: Term) -> Literal:
    """MINUTES."""
    return _whole(_moment(term).minute)


def seconds(term: Term) -> Literal:
    """SECONDS: an xsd:decimal."""
    second = _moment(term).second
    if second is None:
        raise ExpressionError("the date has no seconds")
    return number_literal(Number(Rank.DECIMAL, second))


def timezone(term: Term) -> Literal:
    """TIMEZONE: an xsd:dayTimeDuration; an error if there is none."""
    offset = _moment(term).offset
    if offset is None:
        raise ExpressionError("the date or time has no time zone")
    return Literal(str(Duration(0, Decimal(offset * 60))), XSD_DAY_TIME_DURATION)


def tz(term: Term) -> Literal:
    """TZ: the time zone as text, "" if there is none."""
    return Literal(_moment(term).zone())
