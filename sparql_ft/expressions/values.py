"""The values of literals: from lexical form and datatype to a value, and back to a literal.

A literal has no value here if its datatype is none of XSD's below ("unknown" in the specification's sense), or if its
lexical form is not one of the datatype ("ill-typed": "abc"^^xsd:integer, "300"^^xsd:byte). So is " 1 "^^xsd:integer:
lexical spaces have no spaces, and what XSD's whiteSpace facet would remove from an XML document stays in RDF (its test
xmlsch-02-whitespace-facet says so). Types derived from xsd:string are unknown, as is rdf:langString: operators look at
language tags themselves.

Beyond the operand types of SPARQL 1.1 (section 17.1) the other date and time types, and durations, have values as well:
that is "extensible value testing" (section 17.3.1), which may replace errors by results and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeAlias

from sparql_ft.expressions.numeric_values import Number, Rank, nearest_single, number_text
from sparql_ft.expressions.temporal_values import Duration, Moment, parse_duration, parse_moment
from sparql_ft.terms import XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, XSD_STRING, Literal

__all__ = [
    "FALSE",
    "NUMERIC_TYPES",
    "TRUE",
    "XSD_DATE_TIME",
    "XSD_DAY_TIME_DURATION",
    "XSD_FLOAT",
    "Value",
    "boolean_literal",
    "datetime_literal",
    "number_literal",
    "parse_value",
    "value_of",
]

Value: TypeAlias = bool | str | Number | Moment | Duration

XSD_FLOAT: Final = XSD + "float"
XSD_DATE_TIME: Final = XSD + "dateTime"
XSD_DAY_TIME_DURATION: Final = XSD + "dayTimeDuration"

TRUE: Final = Literal("true", XSD_BOOLEAN)
FALSE: Final = Literal("false", XSD_BOOLEAN)

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_DECIMAL: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_FLOAT: Final = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN")

# Least and greatest value of xsd:integer and what is derived from it; None is no bound.
_INTEGER_RANGES: Final[dict[str, tuple[int | None, int | None]]] = {
    XSD_INTEGER: (None, None),
    XSD + "nonPositiveInteger": (None, 0),
    XSD + "negativeInteger": (None, -1),
    XSD + "nonNegativeInteger": (0, None),
    XSD + "positiveInteger": (1, None),
    XSD + "long": (-(2**63), 2**63 - 1),
    XSD + "int": (-(2**31), 2**31 - 1),
    XSD + "short": (-(2**15), 2**15 - 1),
    XSD + "byte": (-(2**7), 2**7 - 1),
    XSD + "unsignedLong": (0, 2**64 - 1),
    XSD + "unsignedInt": (0, 2**32 - 1),
    XSD + "unsignedShort": (0, 2**16 - 1),
    XSD + "unsignedByte": (0, 2**8 - 1),
}
NUMERIC_TYPES: Final = frozenset({*_INTEGER_RANGES, XSD_DECIMAL, XSD_FLOAT, XSD_DOUBLE})


# --- from literals ---------------------------------------------------------------------------------------------------


def value_of(literal: Literal) -> Value | None:
    """The value of a literal, or None if its datatype is unknown or the lexical form wrong."""
    if literal.datatype == XSD_STRING:
        return literal.lexical
    if len(literal.lexical) > _CACHED_LENGTH:
        return parse_value(literal.lexical, literal.datatype)
    return _cached_value(literal.lexical, literal.datatype)


def parse_value(lexical: str, datatype: str) -> Value | None:
    """The value of a lexical form, or None if its datatype is unknown or the lexical form wrong."""
    if datatype == XSD_STRING:
        return lexical
    parse = _PARSERS.get(datatype)
    return None if parse is None else parse(lexical)


_CACHED_LENGTH: Final = 64  # dates and numbers recur; longer texts are rare, and would be held in memory for nothing
_cached_value: Final = lru_cache(maxsize=16_384)(parse_value)


def _parse_boolean(text: str) -> bool | None:
    return {"true": True, "1": True, "false": False, "0": False}.get(text)


def _integer_parser(least: int | None, greatest: int | None) -> Callable[[str], Number | None]:
    def parse(text: str) -> Number | None:
        if _INTEGER.fullmatch(text) is None:
            return None
        value = Decimal(text)
        if (least is not None and value < least) or (greatest is not None and value > greatest):
            return None
        return Number(Rank.INTEGER, value)

    return parse


def _parse_decimal(text: str) -> Number | None:
    return Number(Rank.DECIMAL, Decimal(text)) if _DECIMAL.fullmatch(text) else None


def _parse_double(text: str) -> Number | None:
    return Number(Rank.DOUBLE, float(text)) if _FLOAT.fullmatch(text) else None


def _parse_float(text: str) -> Number | None:
    near = _parse_double(text)
    if near is None:
        return None
    # Where the double is neither 0 nor infinite, the text has an exponent that `Decimal` can hold.
    exactly = Decimal(text) if near.value and near.is_finite else near.value
    return Number(Rank.FLOAT, nearest_single(exactly))


def _moment_parser(kind: str, *, zone_required: bool = False) -> Callable[[str], Moment | None]:
    def parse(text: str) -> Moment | None:
        moment = parse_moment(kind, text)
        return None if moment is not None and zone_required and moment.offset is None else moment

    return parse


_PARSERS: Final[dict[str, Callable[[str], Value | None]]] = {
    XSD_BOOLEAN: _parse_boolean,
    XSD_DECIMAL: _parse_decimal,
    XSD_FLOAT: _parse_float,
    XSD_DOUBLE: _parse_double,
    **{datatype: _integer_parser(*bounds) for datatype, bounds in _INTEGER_RANGES.items()},
    **{
        XSD + kind: _moment_parser(kind)
        for kind in ("dateTime", "date", "time", "gYear", "gYearMonth", "gMonth", "gMonthDay", "gDay")
    },
    XSD + "dateTimeStamp": _moment_parser("dateTime", zone_required=True),
    XSD + "duration": parse_duration,
    XSD + "yearMonthDuration": lambda text: parse_duration(text, seconds=False),
    XSD + "dayTimeDuration": lambda text: parse_duration(text, months=False),
}

# --- to literals -----------------------------------------------------------------------------------------------------

_RANK_TYPES: Final = {
    Rank.INTEGER: XSD_INTEGER,
    Rank.DECIMAL: XSD_DECIMAL,
    Rank.FLOAT: XSD_FLOAT,
    Rank.DOUBLE: XSD_DOUBLE,
}


def number_literal(number: Number) -> Literal:
    """A computed number, in the canonical lexical form of XSD 1.1."""
    return Literal(number_text(number), _RANK_TYPES[number.rank])


def boolean_literal(value: bool) -> Literal:
    """`true` or `false`."""
    return TRUE if value else FALSE


def datetime_literal(moment: datetime) -> Literal:
    """An xsd:dateTime, e.g. for `Context.now`; Python's years and zones (whole minutes) are all fine in XSD."""
    return Literal(moment.isoformat().replace("+00:00", "Z"), XSD_DATE_TIME)
