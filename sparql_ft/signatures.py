"""The names of SPARQL's functions and how many arguments each takes. Imports nothing, so a parser can afford it."""

from __future__ import annotations

from typing import Final

__all__ = ["ARITY", "CASTS"]

_XSD: Final = "http://www.w3.org/2001/XMLSchema#"

ARITY: Final[dict[str, tuple[int, int | None]]] = {
    **dict.fromkeys(("NOW", "RAND", "STRUUID", "UUID"), (0, 0)),
    "BNODE": (0, 1),
    **dict.fromkeys(
        (
            *("BOUND", "DATATYPE", "IRI", "ISBLANK", "ISIRI", "ISLITERAL", "ISNUMERIC", "ISURI", "LANG", "STR", "URI"),
            *("ABS", "CEIL", "FLOOR", "ROUND"),
            *("ENCODE_FOR_URI", "LCASE", "STRLEN", "UCASE"),
            *("DAY", "HOURS", "MINUTES", "MONTH", "SECONDS", "TIMEZONE", "TZ", "YEAR"),
            *("MD5", "SHA1", "SHA256", "SHA384", "SHA512"),
        ),
        (1, 1),
    ),
    **dict.fromkeys(
        (
            *("LANGMATCHES", "SAMETERM", "STRDT", "STRLANG"),
            *("CONTAINS", "STRAFTER", "STRBEFORE", "STRENDS", "STRSTARTS"),
        ),
        (2, 2),
    ),
    "REGEX": (2, 3),
    "SUBSTR": (2, 3),
    "IF": (3, 3),
    "REPLACE": (3, 4),
    "COALESCE": (0, None),
    "CONCAT": (0, None),
}
"""Least and most arguments of each built-in call of production [121], by its name in upper case; None is no bound.

Aggregates and EXISTS are not among them.
"""

CASTS: Final = frozenset(
    _XSD + name for name in ("boolean", "dateTime", "decimal", "double", "float", "integer", "string")
)
"""The datatypes that are functions too (section 17.5), each of one argument."""
