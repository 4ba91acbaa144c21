"""The built-in functions of SPARQL 1.1 [121] and their numbers of arguments, less aggregates and EXISTS."""

from typing import Final

__all__ = ["ARITY"]

# least and most; None: no limit
ARITY: Final[dict[str, tuple[int, int | None]]] = {
    **dict.fromkeys("RAND NOW UUID STRUUID".split(), (0, 0)),
    "BNODE": (0, 1),
    **dict.fromkeys(
        "STR LANG DATATYPE BOUND IRI URI ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI YEAR MONTH DAY HOURS "
        "MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC".split(),
        (1, 1),
    ),
    **dict.fromkeys("LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT SAMETERM".split(), (2, 2)),
    **dict.fromkeys("REGEX SUBSTR".split(), (2, 3)),
    "IF": (3, 3),
    "REPLACE": (3, 4),
    **dict.fromkeys("CONCAT COALESCE".split(), (0, None)),
}
