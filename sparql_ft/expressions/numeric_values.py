"""Numbers: xsd:integer and xsd:decimal (exact), xsd:float (32 bits) and xsd:double (64 bits), with their arithmetic.

Integers are kept as `Decimal` too: what a Python `int` would add is nothing but a limit on the digits that `int()` and
`str()` convert. Sums, differences and products of integers and decimals are exact, whatever their length. A quotient
has all its digits before the point and `DIVISION_DIGITS` more, the last one rounded half to even; XPath asks for 18 in
all. Methods of `Decimal` that would round to the thread's context, such as `abs()`, are kept out.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, ROUND_CEILING, ROUND_DOWN, ROUND_FLOOR, Context, Decimal
from enum import IntEnum
from typing import Final

from sparql_ft.expressions.errors import ExpressionError

__all__ = [
    "DIVISION_DIGITS",
    "EXACT",
    "Number",
    "Rank",
    "absolute",
    "arithmetic",
    "cast_text",
    "ceiling",
    "decimal_text",
    "double",
    "floor",
    "integer",
    "nearest_single",
    "negated",
    "number_text",
    "order_of_numbers",
    "rounded",
    "truncated",
]

DIVISION_DIGITS: Final = 34
EXACT: Final = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN)
"""No sum or product of numbers that were written out digit by digit is ever rounded in this context."""

_HALF: Final = Decimal("0.5")
_INFINITE_BITS: Final = 0x7F80_0000  # INF as a 32-bit float
_SINGLE_OVERFLOW: Final = Decimal(2**128)  # the value that INF stands for when floats are rounded to nearest


class Rank(IntEnum):
    """The numeric types in the order of their promotion (section 17.3)."""

    INTEGER = 0
    DECIMAL = 1
    FLOAT = 2
    DOUBLE = 3


@dataclass(frozen=True, slots=True)
class Number:
    """A numeric value: a `Decimal` for the exact ranks, a `float` for the others (one of 32 bits for FLOAT)."""

    rank: Rank
    value: Decimal | float

    def exact(self) -> Decimal:
        """The value of a finite number without any loss."""
        return self.value if isinstance(self.value, Decimal) else Decimal(self.value)

    def promoted(self, rank: Rank) -> float:
        """The value as an xsd:float or xsd:double."""
        if rank is Rank.FLOAT:
            return nearest_single(self.value)
        return _nearest_double(self.value)

    @property
    def is_finite(self) -> bool:
        """Whether this is neither NaN nor infinite."""
        return isinstance(self.value, Decimal) or math.isfinite(self.value)


def integer(value: int | Decimal) -> Number:
    """An xsd:integer. The value must be a whole number."""
    return Number(Rank.INTEGER, Decimal(value))


def double(value: float) -> Number:
    """An xsd:double."""
    return Number(Rank.DOUBLE, value)


def _nearest_double(value: Decimal | float) -> float:
    """Correctly rounded, and INF beyond the range. Exact numbers have no negative zero, though `Decimal` has."""
    return 0.0 if isinstance(value, Decimal) and not value else float(value)


def nearest_single(value: Decimal | float) -> float:
    """The 32-bit float nearest to a number, ties to even.

    Going through a 64-bit float rounds twice, and is wrong if the first rounding lands in the middle between two 32-bit
    floats. So the neighbours are compared with the number itself.
    """
    near = _nearest_double(value)
    try:
        single: float = struct.unpack("<f", struct.pack("<f", near))[0]
    except OverflowError:
        single = math.copysign(math.inf, near)
    if isinstance(value, float) or near == 0 or math.isinf(near):
        return single
    (bits,) = struct.unpack("<I", struct.pack("<f", abs(single)))
    around = (b for b in (bits - 1, bits, bits + 1) if 0 <= b <= _INFINITE_BITS)
    candidates = [struct.unpack("<f", struct.pack("<I", b))[0] for b in around]
    size = value.copy_abs()

    def distance(candidate: float) -> Decimal:
        exact = _SINGLE_OVERFLOW if math.isinf(candidate) else Decimal(candidate)
        return EXACT.subtract(exact, size).copy_abs()

    def is_odd(candidate: float) -> int:
        return int(struct.pack("<f", candidate)[0] & 1)

    best = min(candidates, key=lambda candidate: (distance(candidate), is_odd(candidate)))
    return math.copysign(best, near)


# --- operators -------------------------------------------------------------------------------------------------------


def arithmetic(operator: str, left: Number, right: Number) -> Number:
    """`+`, `-`, `*` or `/`, after promotion to the higher rank. The quotient of two integers is a decimal (17.3)."""
    rank = max(left.rank, right.rank)
    if rank <= Rank.DECIMAL:
        value = _exact(operator, left.exact(), right.exact())
        return Number(Rank.DECIMAL if operator == "/" else rank, value)
    inexact = _inexact(operator, left.promoted(rank), right.promoted(rank))
    # A 64-bit result rounded to 32 bits is what 32-bit hardware gives: 53 >= 2 * 24 + 2 bits for these four operators.
    return Number(rank, nearest_single(inexact) if rank is Rank.FLOAT else inexact)


def _exact(operator: str, left: Decimal, right: Decimal) -> Decimal:
    match operator:
        case "+":
            return EXACT.add(left, right)
        case "-":
            return EXACT.subtract(left, right)
        case "*":
            return EXACT.multiply(left, right)
    if not right:
        raise ExpressionError("division by zero")
    digits = max(left.adjusted() - right.adjusted() + 1, 0) + DIVISION_DIGITS
    return Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN).divide(left, right)


def _inexact(operator: str, left: float, right: float) -> float:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def order_of_numbers(left: Number, right: Number) -> int | None:
    """Negative, zero or positive as left is less, equal or greater, after promotion; None where one is NaN."""
    rank = max(left.rank, right.rank)
    if rank <= Rank.DECIMAL:
        return int(left.exact().compare(right.exact()))
    a, b = left.promoted(rank), right.promoted(rank)
    if math.isnan(a) or math.isnan(b):
        return None
    return (a > b) - (a < b)


def negated(number: Number) -> Number:
    """Unary minus; of the double 0 it is -0."""
    value = number.value
    return Number(number.rank, value.copy_negate() if isinstance(value, Decimal) else -value)


def absolute(number: Number) -> Number:
    """fn:abs."""
    value = number.value
    return Number(number.rank, value.copy_abs() if isinstance(value, Decimal) else math.fabs(value))


def ceiling(number: Number) -> Number:
    """fn:ceiling."""
    return _whole(number, lambda exact: exact.to_integral_value(ROUND_CEILING))


def floor(number: Number) -> Number:
    """fn:floor."""
    return _whole(number, lambda exact: exact.to_integral_value(ROUND_FLOOR))


def rounded(number: Number) -> Number:
    """fn:round: to the nearest whole number, of two equally near ones to the greater."""
    return _whole(number, lambda exact: EXACT.add(exact, _HALF).to_integral_value(ROUND_FLOOR))


def truncated(number: Number) -> Decimal:
    """The whole number left when the fraction of a finite number is dropped, as a cast to xsd:integer does."""
    return number.exact().to_integral_value(ROUND_DOWN)


def _whole(number: Number, whole: Callable[[Decimal], Decimal]) -> Number:
    """Apply a rounding. It keeps the type, and of a float what has no fraction: NaN, INF and the sign of zero."""
    if isinstance(number.value, Decimal):
        return Number(number.rank, whole(number.value))
    if not math.isfinite(number.value):
        return number
    return Number(number.rank, math.copysign(float(whole(Decimal(number.value))), number.value))


# --- text ------------------------------------------------------------------------------------------------------------


def decimal_text(value: Decimal) -> str:
    """The canonical lexical form of an xsd:integer or xsd:decimal: no point where there is no fraction (XSD 1.1)."""
    text = format(value, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def number_text(number: Number) -> str:
    """The canonical lexical form (XSD): 12, 1.5, 1.5E0, INF."""
    if isinstance(number.value, Decimal):
        return decimal_text(number.value)
    if not math.isfinite(number.value):
        return _not_finite(number.value)
    sign, digits, exponent = _shortest(number)
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{exponent}"


def cast_text(number: Number) -> str:
    """What a cast to xsd:string gives (F&O 17.1.2): floats from 0.000001 up to 1000000 without exponent."""
    value = number.value
    if isinstance(value, Decimal) or not math.isfinite(value):
        return number_text(number)
    if value == 0:
        return "-0" if math.copysign(1, value) < 0 else "0"
    if not Decimal("0.000001") <= Decimal(value).copy_abs() < 1_000_000:
        return number_text(number)
    sign, digits, exponent = _shortest(number)
    return sign + decimal_text(Decimal(int(digits)).scaleb(exponent - len(digits) + 1))


def _not_finite(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    return "INF" if value > 0 else "-INF"


def _shortest(number: Number) -> tuple[str, str, int]:
    """Sign, digits and exponent (of the first digit) of the shortest decimal that reads back as this finite float."""
    value = float(number.value)
    text = repr(value)
    if number.rank is Rank.FLOAT:
        texts = (f"{value:.{digits}e}" for digits in range(9))
        text = next(text for text in texts if nearest_single(Decimal(text)) == value)
    _, digit_tuple, exponent = Decimal(text).as_tuple()
    assert isinstance(exponent, int), "the value is finite"
    digits = "".join(map(str, digit_tuple))
    leading = exponent + len(digits) - 1
    digits = digits.rstrip("0") or "0"
    sign = "-" if math.copysign(1, value) < 0 else ""
    return sign, digits, leading if value else 0
