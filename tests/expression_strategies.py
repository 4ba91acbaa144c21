"""Hypothesis strategies: expressions without variables, over every operator, built-in and cast of the language.

Most arguments are of the kind that an operation wants, some are not, so that both values and errors come about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hypothesis import strategies as st

from sparql_ft.nodes import And, Arithmetic, Call, Compare, Expression, FunctionCall, In, Not, Or, Sign
from sparql_ft.signatures import CASTS
from sparql_ft.terms import (
    IRI,
    XSD,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    Literal,
)

__all__ = ["ODD_POOL", "PLAIN_POOL", "Pool", "constant_expressions"]


def _typed(datatype: str, *lexicals: str) -> list[Literal]:
    return [Literal(lexical, datatype if ":" in datatype else XSD + datatype) for lexical in lexicals]


@dataclass(frozen=True)
class Pool:
    """The constants to draw from, by kind."""

    numbers: Sequence[Literal]
    strings: Sequence[Literal]
    times: Sequence[Literal]
    others: Sequence[IRI | Literal]


_BOOLEANS: Final = _typed(XSD_BOOLEAN, "true", "false")
_IRIS: Final = [IRI("urn:x:a"), IRI("http://example.org/é?q#f"), IRI(XSD_INTEGER), IRI(XSD + "date")]

PLAIN_POOL: Final = Pool(
    numbers=[
        *_typed(XSD_INTEGER, "0", "1", "2", "3", "-1", "10", "40"),
        *_typed(XSD_DECIMAL, "0.5", "2.5", "-2.5", "1.25", "0.001"),
        *_typed(XSD_DOUBLE, "1.5E0", "-2.5E0", "1.0E3", "INF", "NaN", "0.0E0"),
        *_typed("float", "1.5", "-0.5", "INF", "NaN"),
    ],
    strings=[
        *map(Literal, ["", "a", "b", "abc", "aXbXc", "é😀", "A b\nc", "1", "en", "de-AT", "a+b", "b.", "i", "x", "$1"]),
        *map(Literal, ["true", "2024-02-29T12:00:00Z", "urn:x:b", "(a)(b)?", "[a-c]+", "*", "q"]),
        *(Literal(text, language=tag) for text, tag in [("", "en"), ("abc", "en"), ("abc", "de"), ("b", "de-at")]),
    ],
    times=[
        *_typed("dateTime", "2024-02-29T12:30:05.25Z", "2024-02-29T12:30:05.25", "2024-02-29T14:30:05.25+02:00"),
        *_typed("dateTime", "1999-12-31T23:59:59-05:00", "2024-03-01T12:00:00"),
    ],
    others=[*_BOOLEANS, *_IRIS, *_typed("urn:x:datatype", "a", "b", "1")],
)
"""Canonical lexical forms of the datatypes that SPARQL 1.1 names (section 17.1)."""

ODD_POOL: Final = Pool(
    numbers=[
        *PLAIN_POOL.numbers,
        *_typed(XSD_INTEGER, "01", "+1", " 1 ", "-0", "123456789012345678901234567890"),
        *_typed(XSD_DECIMAL, "1.0", ".5", "2.", "+01.50", "-0.0"),
        *_typed(XSD_DOUBLE, "1", "1e3", "-0.0", "+INF", "1e400", "1E-400", "5e-324"),
        *_typed("float", "1e0", "16777217", "0.1"),
        *_typed("int", "1", "-2147483648"),
        *_typed("byte", "1", "300"),
        *_typed("unsignedByte", "7"),
    ],
    strings=PLAIN_POOL.strings,
    times=[
        *PLAIN_POOL.times,
        *_typed("dateTime", "2024-02-29T24:00:00Z", "-0001-01-01T00:00:00Z", "12024-01-01T00:00:00Z"),
        *_typed("dateTime", "2024-02-29T12:30:05-00:00", "2023-02-29T00:00:00"),
        *_typed("date", "2024-02-29", "2024-02-29Z", "2024-03-01+14:00", "2023-02-29"),
        *_typed("time", "12:00:00", "12:00:00Z", "24:00:00"),
        *_typed("gYear", "2024"),
        *_typed("gYearMonth", "2024-02"),
        *_typed("dayTimeDuration", "P1D", "PT24H"),
        *_typed("yearMonthDuration", "P1Y"),
    ],
    others=[
        *PLAIN_POOL.others,
        *_typed(XSD_BOOLEAN, "1", "0", " true", "TRUE"),
        *_typed(XSD_INTEGER, "one", "1.0", ""),
        *_typed("dateTime", "yesterday"),
        *_typed("token", "a"),
    ],
)
"""Other lexical forms of the same values, forms that have none, and more datatypes."""

_ONE_STRING: Final = ["STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "MD5", "SHA1", "SHA256", "SHA384", "SHA512"]
_TWO_STRINGS: Final = ["CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER", "LANGMATCHES", "STRLANG"]
_OF_TIMES: Final = ["YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ"]
_OF_TERMS: Final = ["STR", "LANG", "DATATYPE", "ISIRI", "ISURI", "ISBLANK", "ISLITERAL", "ISNUMERIC", "IRI"]
_FLAGS: Final = ["", "i", "s", "m", "x", "q", "iq", "z"]
_PATTERNS: Final = ["b", "^a", "c$", "a.c", "[a-b]", "(a)(X)?", "A B", "é.", "X*", "\\d", "(", "a+?", "^A b$", "a{2}"]
_REPLACEMENTS: Final = ["", "z", "$1", "[$0]", "$2$1", "\\$", "$", "\\", "$9"]

Expressions = st.SearchStrategy[Expression]


def constant_expressions(pool: Pool, most: int = 4) -> Expressions:
    """An expression of about `most` constants."""
    return _Drawing(pool).expressions(most)


class _Drawing:
    def __init__(self, pool: Pool) -> None:
        self._numbers: Expressions = st.sampled_from(list(pool.numbers))
        self._strings: Expressions = st.sampled_from(list(pool.strings))
        self._times: Expressions = st.sampled_from(list(pool.times))
        every = [*pool.numbers, *pool.strings, *pool.times, *pool.others]
        self._terms: Expressions = st.sampled_from(every)

    def expressions(self, most: int) -> Expressions:
        return st.recursive(self._terms, self._larger, max_leaves=most)

    def _larger(self, inner: Expressions) -> Expressions:
        numbers = st.one_of(self._numbers, self._numbers, inner)
        strings = st.one_of(self._strings, self._strings, inner)
        times = st.one_of(self._times, self._times, inner)
        return st.one_of(
            self._operators(inner, numbers, strings, times),
            self._calls(inner, numbers, strings, times),
            self._patterns(strings),
        )

    def _operators(
        self, inner: Expressions, numbers: Expressions, strings: Expressions, times: Expressions
    ) -> Expressions:
        signs = st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
        like = [st.tuples(kind, kind) for kind in (inner, numbers, strings, times)]
        several = st.lists(inner, min_size=2, max_size=3).map(tuple)
        return st.one_of(
            st.builds(lambda sign, pair: Compare(sign, *pair), signs, st.one_of(like)),
            st.builds(lambda sign, a, b: Arithmetic(a, ((sign, b),)), st.sampled_from("+-*/"), numbers, numbers),
            st.builds(Sign, st.sampled_from("+-"), numbers),
            st.builds(Not, inner),
            several.map(And),
            several.map(Or),
            st.builds(In, inner, st.lists(inner, max_size=3).map(tuple), st.booleans()),
        )

    @staticmethod
    def _calls(inner: Expressions, numbers: Expressions, strings: Expressions, times: Expressions) -> Expressions:
        return st.one_of(
            _call(_ONE_STRING, strings),
            _call(_TWO_STRINGS, strings, strings),
            _call(_OF_TIMES, times),
            _call(_OF_TERMS, inner),
            _call(["ABS", "CEIL", "FLOOR", "ROUND"], numbers),
            _call(["SUBSTR"], strings, numbers),
            _call(["SUBSTR"], strings, numbers, numbers),
            _call(["SAMETERM"], inner, inner),
            _call(["STRDT"], strings, inner),
            _call(["IF"], inner, inner, inner),
            st.lists(strings, max_size=3).map(lambda some: Call("CONCAT", tuple(some))),
            st.lists(inner, max_size=3).map(lambda some: Call("COALESCE", tuple(some))),
            st.builds(lambda cast, one: FunctionCall(IRI(cast), (one,)), st.sampled_from(sorted(CASTS)), inner),
        )

    @staticmethod
    def _patterns(strings: Expressions) -> Expressions:
        patterns, flags, replacements = (
            st.sampled_from(list(map(Literal, texts))) for texts in (_PATTERNS, _FLAGS, _REPLACEMENTS)
        )
        return st.one_of(
            _call(["REGEX"], strings, patterns),
            _call(["REGEX"], strings, patterns, flags),
            _call(["REPLACE"], strings, patterns, replacements),
            _call(["REPLACE"], strings, patterns, replacements, flags),
        )


def _call(names: Sequence[str], *arguments: Expressions) -> Expressions:
    return st.builds(lambda name, *some: Call(name, some), st.sampled_from(list(names)), *arguments)
