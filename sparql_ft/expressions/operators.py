"""The operators of SPARQL expressions on RDF terms (SPARQL 1.1, sections 17.2 and 17.3).

Each raises `ExpressionError` where the specification has a type error.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Final

from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import Number, arithmetic, negated, order_of_numbers
from sparql_ft.expressions.temporal_values import Duration, Moment, order_of_durations, order_of_moments
from sparql_ft.expressions.values import NUMERIC_TYPES, Value, number_literal, value_of
from sparql_ft.terms import XSD_BOOLEAN, XSD_STRING, Literal, Term

__all__ = ["calculate", "compare", "effective_boolean_value", "equal", "number_of", "signed"]


def effective_boolean_value(term: Term) -> bool:
    """The effective boolean value (section 17.2.2).

    An ill-typed boolean or number is false, not an error: the specification's first rule says so. Its "plain literal"
    is one with or without language tag.
    """
    if not isinstance(term, Literal):
        raise ExpressionError(f"{term} has no effective boolean value")
    if term.datatype == XSD_STRING or term.language is not None:
        return term.lexical != ""
    if term.datatype == XSD_BOOLEAN or term.datatype in NUMERIC_TYPES:
        value = value_of(term)
        if isinstance(value, Number):
            return value.value != 0 and not math.isnan(value.value)
        return value is True
    raise ExpressionError(f"{term} has no effective boolean value")


def equal(left: Term, right: Term) -> bool:
    """`=`: equality of values where both are known, else RDFterm-equal (section 17.4.1.7).

    Literals of types whose values cannot be the same (a number and a string) differ. So does one with a language tag
    from all other literals: the W3C tests open-eq-08 and open-eq-10 want this even for unknown datatypes. But where a
    datatype is unknown or a literal ill-typed, two literals that are not the same term may or may not be the same
    value, which is an error.
    """
    if not isinstance(left, Literal) or not isinstance(right, Literal):
        return left == right
    if left.language is not None or right.language is not None:
        return left == right
    a, b = value_of(left), value_of(right)
    if a is None or b is None:
        if left == right:
            return True
        raise ExpressionError(f"whether {left} and {right} are the same value is unknown")
    if not _comparable(a, b):
        return False
    if isinstance(a, Number) and isinstance(b, Number):
        return order_of_numbers(a, b) == 0  # NaN equals nothing
    if isinstance(a, Duration):
        return a == b  # always decided, other than their order
    order = _order(a, b)
    if order is None:
        raise ExpressionError(f"whether {left} equals {right} depends on the time zone that one of them lacks")
    return order == 0


_ORDERS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(sign: str, left: Term, right: Term) -> bool:
    """`=`, `!=`, `<`, `<=`, `>` or `>=` by the table of section 17.3, extended to all dates, times and durations.

    IRIs, blank nodes and literals with a language tag have no order.
    """
    if sign == "=":
        return equal(left, right)
    if sign == "!=":
        return not equal(left, right)
    a, b = _ordered_value(left), _ordered_value(right)
    if not _comparable(a, b):
        raise ExpressionError(f"{left} and {right} have no order")
    order = _order(a, b)
    if order is None:
        if isinstance(a, Number):
            return False  # NaN
        raise ExpressionError(f"the order of {left} and {right} is undecided")
    return _ORDERS[sign](order, 0)


def _ordered_value(term: Term) -> Value:
    value = value_of(term) if isinstance(term, Literal) else None
    if value is None:
        raise ExpressionError(f"{term} has no order")
    return value


def _comparable(left: Value, right: Value) -> bool:
    """Whether two values belong to the same primitive type (all numbers count as one)."""
    if isinstance(left, Moment) and isinstance(right, Moment):
        return left.kind == right.kind
    return type(left) is type(right)


def _order(left: Value, right: Value) -> int | None:
    """Negative, zero or positive, or None where undecided, for comparable values."""
    match left, right:
        case Number(), Number():
            return order_of_numbers(left, right)
        case Moment(), Moment():
            return order_of_moments(left, right)
        case Duration(), Duration():
            return order_of_durations(left, right)
        case str(), str():
            return (left > right) - (left < right)  # by code point, as fn:compare with the codepoint collation
        case bool(), bool():
            return left - right
    raise TypeError(f"{left!r} and {right!r} are not comparable")


# --- numbers ---------------------------------------------------------------------------------------------------------


def number_of(term: Term) -> Number:
    """The number that a term stands for; anything else is a type error."""
    value = value_of(term) if isinstance(term, Literal) else None
    if not isinstance(value, Number):
        raise ExpressionError(f"{term} is no number")
    return value


def calculate(sign: str, left: Term, right: Term) -> Literal:
    """`+`, `-`, `*` or `/`; the result has the type of the wider operand, xsd:integer for what is derived from it."""
    return number_literal(arithmetic(sign, number_of(left), number_of(right)))


def signed(sign: str, operand: Term) -> Literal:
    """Unary `+` or `-`."""
    number = number_of(operand)
    return number_literal(negated(number) if sign == "-" else number)
