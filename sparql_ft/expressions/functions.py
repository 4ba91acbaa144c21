"""All functions that take values: the built-in ones by name, and casts.

Not here, but in `sparql_ft.expressions.evaluation`, are BOUND, IF and COALESCE, which look at expressions and not at
their values, and BNODE, which remembers what it gave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from sparql_ft.expressions import string_functions, term_functions, time_functions
from sparql_ft.expressions.casts import cast
from sparql_ft.expressions.context import Context
from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import Number, absolute, ceiling, floor, rounded
from sparql_ft.expressions.operators import number_of
from sparql_ft.expressions.values import number_literal
from sparql_ft.signatures import ARITY, CASTS
from sparql_ft.terms import IRI, Literal, Term

__all__ = ["ARITY", "CASTS", "call_built_in", "call_function"]


def call_built_in(name: str, arguments: Sequence[Term], context: Context) -> Term:
    """The value of a built-in function. The parser has counted the arguments."""
    function = _PLAIN.get(name)
    if function is not None:
        return function(*arguments)
    return _WITH_CONTEXT[name](context, *arguments)


def call_function(function: IRI, arguments: Sequence[Term]) -> Term:
    """The value of a function that is named by an IRI: a cast, or an error (section 17.6 knows no others)."""
    if function.value not in CASTS:
        raise ExpressionError(f"there is no function {function}")
    if len(arguments) != 1:
        raise ExpressionError(f"the cast {function} takes one argument, not {len(arguments)}")
    return cast(function.value, arguments[0])


def _numeric(operation: Callable[[Number], Number]) -> Callable[[Term], Literal]:
    return lambda term: number_literal(operation(number_of(term)))


_PLAIN: Final[dict[str, Callable[..., Term]]] = {
    "STR": term_functions.str_,
    "LANG": term_functions.lang,
    "LANGMATCHES": term_functions.lang_matches,
    "DATATYPE": term_functions.datatype,
    "SAMETERM": term_functions.same_term,
    "ISIRI": term_functions.is_iri,
    "ISURI": term_functions.is_iri,
    "ISBLANK": term_functions.is_blank,
    "ISLITERAL": term_functions.is_literal,
    "ISNUMERIC": term_functions.is_numeric,
    "STRDT": term_functions.strdt,
    "STRLANG": term_functions.strlang,
    "UUID": term_functions.uuid_,
    "STRUUID": term_functions.struuid,
    "RAND": term_functions.rand,
    "ABS": _numeric(absolute),
    "CEIL": _numeric(ceiling),
    "FLOOR": _numeric(floor),
    "ROUND": _numeric(rounded),
    "CONCAT": string_functions.concat,
    "STRLEN": string_functions.strlen,
    "UCASE": string_functions.ucase,
    "LCASE": string_functions.lcase,
    "ENCODE_FOR_URI": string_functions.encode_for_uri,
    "CONTAINS": string_functions.contains,
    "STRSTARTS": string_functions.strstarts,
    "STRENDS": string_functions.strends,
    "STRBEFORE": string_functions.strbefore,
    "STRAFTER": string_functions.strafter,
    "SUBSTR": string_functions.substr,
    "YEAR": time_functions.year,
    "MONTH": time_functions.month,
    "DAY": time_functions.day,
    "HOURS": time_functions.hours,
    "MINUTES": time_functions.minutes,
    "SECONDS": time_functions.seconds,
    "TIMEZONE": time_functions.timezone,
    "TZ": time_functions.tz,
    **{name: partial(string_functions.hash_of, name) for name in ("MD5", "SHA1", "SHA256", "SHA384", "SHA512")},
}
_WITH_CONTEXT: Final[dict[str, Callable[..., Term]]] = {
    "IRI": term_functions.iri,
    "URI": term_functions.iri,
    "NOW": lambda context: context.now,
    "REGEX": string_functions.regex,
    "REPLACE": string_functions.replace_,
}
