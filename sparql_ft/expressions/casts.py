"""Casts: datatypes used as functions (SPARQL 1.1, section 17.5), by the rules of XPath (F&O 17.1).

What is cast is a value, so an ill-typed literal cannot be cast, nor one of an unknown datatype or with a language tag;
STR takes them all. The result is in canonical form.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Final

from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import Number, Rank, cast_text, integer, nearest_single, truncated
from sparql_ft.expressions.operators import effective_boolean_value
from sparql_ft.expressions.temporal_values import Moment
from sparql_ft.expressions.values import (
    XSD_DATE_TIME,
    XSD_FLOAT,
    Value,
    boolean_literal,
    number_literal,
    parse_value,
    value_of,
)
from sparql_ft.terms import (
    IRI,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    XSD_STRING,
    Literal,
    Term,
)

__all__ = ["cast"]

_SPACE: Final = " \t\n\r"


def cast(datatype: str, term: Term) -> Literal:
    """The term as a literal of one of the datatypes in `CASTS`."""
    if isinstance(term, IRI) and datatype == XSD_STRING:
        return Literal(term.value)
    value = value_of(term) if isinstance(term, Literal) else None
    if value is None:
        raise ExpressionError(f"{term} cannot be cast")
    if datatype == XSD_STRING:
        return Literal(_text(value))
    if isinstance(value, str):
        value = parse_value(value.strip(_SPACE), datatype)  # the whiteSpace facet is applied here (F&O 17.1.1)
    if datatype == XSD_BOOLEAN:
        return _boolean(term, value)
    if datatype == XSD_DATE_TIME:
        return _date_time(term, value)
    if isinstance(value, bool):
        value = integer(int(value))
    if not isinstance(value, Number):
        raise ExpressionError(f"{term} cannot be cast to a number")
    return number_literal(_number(value, datatype))


def _text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return cast_text(value) if isinstance(value, Number) else str(value)


def _boolean(term: Term, value: Value | None) -> Literal:
    if isinstance(value, bool):
        return boolean_literal(value)
    if isinstance(value, Number):
        return boolean_literal(effective_boolean_value(term))
    raise ExpressionError(f"{term} cannot be cast to xsd:boolean")


def _date_time(term: Term, value: Value | None) -> Literal:
    if not isinstance(value, Moment) or value.kind not in ("dateTime", "date"):
        raise ExpressionError(f"{term} cannot be cast to xsd:dateTime")
    if value.kind == "date":
        value = replace(value, kind="dateTime", hour=0, minute=0, second=Decimal(0))
    return Literal(str(value), XSD_DATE_TIME)


def _number(number: Number, datatype: str) -> Number:
    if datatype == XSD_DOUBLE:
        return Number(Rank.DOUBLE, number.promoted(Rank.DOUBLE))
    if datatype == XSD_FLOAT:
        return Number(Rank.FLOAT, nearest_single(number.value))
    if not number.is_finite:
        raise ExpressionError("neither NaN nor INF can be cast to an exact number")
    if datatype == XSD_DECIMAL:
        return Number(Rank.DECIMAL, number.exact())
    assert datatype == XSD_INTEGER, f"{datatype} is none of the datatypes in CASTS"
    return integer(truncated(number))
