"""Functions on strings and hash functions (SPARQL 1.1, sections 17.4.3 and 17.4.6).

A "string literal" is an xsd:string or has a language tag, and most results keep the tag of the first argument. Where a
function takes two, they must be compatible (section 17.4.3.1.2): the second has no tag, or the same as the first.
"""

from __future__ import annotations

import hashlib
from decimal import Decimal
from urllib.parse import quote

from sparql_ft.expressions.context import Context
from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.numeric_values import EXACT, Rank, integer
from sparql_ft.expressions.operators import number_of
from sparql_ft.expressions.term_functions import simple_text
from sparql_ft.expressions.values import boolean_literal, number_literal
from sparql_ft.expressions.xpath_regex import matches, replace
from sparql_ft.terms import XSD_STRING, Literal, Term

__all__ = [
    "concat",
    "contains",
    "encode_for_uri",
    "hash_of",
    "lcase",
    "regex",
    "replace_",
    "strafter",
    "strbefore",
    "strends",
    "strlen",
    "strstarts",
    "substr",
    "ucase",
]


def _string(term: Term) -> Literal:
    if isinstance(term, Literal) and (term.language is not None or term.datatype == XSD_STRING):
        return term
    raise ExpressionError(f"{term} is no string")


def _compatible(first: Term, second: Term) -> tuple[Literal, Literal]:
    text, part = _string(first), _string(second)
    if part.language is not None and part.language != text.language:
        raise ExpressionError(f"{text} and {part} differ in language")
    return text, part


def _like(model: Literal, text: str) -> Literal:
    return Literal(text, language=model.language)


def strlen(text: Term) -> Literal:
    """STRLEN: in characters, which are code points."""
    return number_literal(integer(len(_string(text).lexical)))


def substr(text: Term, start: Term, length: Term | None = None) -> Literal:
    """SUBSTR: characters count from 1, and places outside of the string are no error (fn:substring)."""
    source = _string(text)
    first = _integer(start)
    end = Decimal(len(source.lexical) + 1)
    if length is not None:
        end = max(min(end, EXACT.add(first, _integer(length))), Decimal(1))
    begin = max(min(first, end), Decimal(1))  # within the string before it becomes an int: numbers may be very long
    return _like(source, source.lexical[int(begin) - 1 : int(end) - 1])


def _integer(term: Term) -> Decimal:
    """The signature asks for xsd:integer (17.4.3.3), so unlike in XPath other numbers are a type error."""
    number = number_of(term)
    if number.rank is not Rank.INTEGER:
        raise ExpressionError(f"{term} is no integer")
    return number.exact()


def ucase(text: Term) -> Literal:
    """UCASE."""
    source = _string(text)
    return _like(source, source.lexical.upper())


def lcase(text: Term) -> Literal:
    """LCASE."""
    source = _string(text)
    return _like(source, source.lexical.lower())


def strstarts(text: Term, part: Term) -> Literal:
    """STRSTARTS."""
    source, wanted = _compatible(text, part)
    return boolean_literal(source.lexical.startswith(wanted.lexical))


def strends(text: Term, part: Term) -> Literal:
    """STRENDS."""
    source, wanted = _compatible(text, part)
    return boolean_literal(source.lexical.endswith(wanted.lexical))


def contains(text: Term, part: Term) -> Literal:
    """CONTAINS."""
    source, wanted = _compatible(text, part)
    return boolean_literal(wanted.lexical in source.lexical)


def strbefore(text: Term, part: Term) -> Literal:
    """STRBEFORE: without a match it is "" without language tag."""
    source, wanted = _compatible(text, part)
    before, found, _ = _partition(source.lexical, wanted.lexical)
    return _like(source, before) if found else Literal("")


def strafter(text: Term, part: Term) -> Literal:
    """STRAFTER: without a match it is "" without language tag."""
    source, wanted = _compatible(text, part)
    _, found, after = _partition(source.lexical, wanted.lexical)
    return _like(source, after) if found else Literal("")


def _partition(text: str, part: str) -> tuple[str, bool, str]:
    place = text.find(part)
    return (text[:place], True, text[place + len(part) :]) if place >= 0 else ("", False, "")


def encode_for_uri(text: Term) -> Literal:
    """ENCODE_FOR_URI: all but the unreserved characters of RFC 3986 are escaped."""
    return Literal(quote(_string(text).lexical, safe=""))


def concat(*texts: Term) -> Literal:
    """CONCAT: the result has a language tag if all arguments have it."""
    sources = [_string(text) for text in texts]
    languages = {source.language for source in sources}
    language = languages.pop() if len(languages) == 1 else None
    return Literal("".join(source.lexical for source in sources), language=language)


def regex(context: Context, text: Term, pattern: Term, flags: Term | None = None) -> Literal:
    """REGEX."""
    options = "" if flags is None else simple_text(flags)
    return boolean_literal(matches(_string(text).lexical, simple_text(pattern), options, context.regex_timeout))


def replace_(context: Context, text: Term, pattern: Term, replacement: Term, flags: Term | None = None) -> Literal:
    """REPLACE."""
    source = _string(text)
    options = "" if flags is None else simple_text(flags)
    found, new = simple_text(pattern), simple_text(replacement)
    return _like(source, replace(source.lexical, found, new, options, context.regex_timeout))


def hash_of(algorithm: str, text: Term) -> Literal:
    """MD5, SHA1 …: of the UTF-8 form, in lower case hexadecimal digits. The argument has no language tag."""
    data = simple_text(text).encode()
    return Literal(hashlib.new(algorithm, data, usedforsecurity=False).hexdigest())
