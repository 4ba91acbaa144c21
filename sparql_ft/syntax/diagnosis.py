"""Why a text is no query: the grammar's failure -> an error that its writer can act on."""

from __future__ import annotations

from typing import Final

from sparql_ft.errors import QueryError, QuerySyntaxError, UnsupportedFeatureError, quoted
from sparql_ft.syntax.grammar import ParseFailure, parse_ft_tree, parse_query_tree
from sparql_ft.syntax.hints import hint, misspelling
from sparql_ft.syntax.lexer import Tokens
from sparql_ft.syntax.unsupported import HINTS, unsupported

__all__ = ["explain", "explain_ft"]

_MANY: Final = 8  # more expectations than this are no help


def explain(tokens: Tokens, failure: ParseFailure) -> QueryError:
    """The error to raise for a text that is no query."""
    outside = unsupported(tokens, failure)
    if outside is None:
        return _explain(tokens, failure, "query")
    construct, index = outside
    advice = next((text for start, text in HINTS.items() if construct.startswith(start)), None)
    return UnsupportedFeatureError(construct, tokens.source, tokens.offset(index), hint=advice)


def explain_ft(tokens: Tokens, failure: ParseFailure) -> QueryError:
    """The error to raise for a text that is no full-text expression."""
    return _explain(tokens, failure, "expression")


def _explain(tokens: Tokens, failure: ParseFailure, whole: str) -> QuerySyntaxError:
    misspelt = misspelling(tokens, failure, parse_query_tree if whole == "query" else parse_ft_tree)
    index = failure.index
    expected: tuple[str, ...] = ()
    if misspelt is None or misspelt[0] == index:
        expected = _readable(failure.expected)
    else:
        index = misspelt[0]  # a name could stand there, but hardly this one
    advice = hint(tokens, failure) if misspelt is None else f"Did you mean {misspelt[1]}?"
    if index < len(tokens.texts):
        found, offset = f"unexpected {quoted(tokens.texts[index])}", tokens.offset(index)
    else:
        found, offset = f"the {whole} ends here", len(tokens.source.rstrip(" \t\r\n"))
    wanted = f"; expected {_list(expected)}" if 0 < len(expected) <= _MANY else ""
    return QuerySyntaxError(found + wanted, tokens.source, offset, hint=advice, expected=expected)


def _readable(expected: tuple[str, ...]) -> tuple[str, ...]:
    """Expectations with those left out that another one implies."""
    names = {name for names in expected for name in names.split(" or ")}
    if "a term" in names and "FILTER" in names:
        names -= {"a term", "FILTER", "OPTIONAL", "MINUS", "GRAPH", "BIND", "VALUES", "'{'", "'('", "'['"}
        names.add("a pattern")
    if "a value" in names:
        names -= {"'+'", "'-'", "'!'", "'('", "a function", "ftcontains", "EXISTS", "NOT"}
        names = (names - {"a value"}) | {"an expression"}
    if "a term" in names:
        names -= {"'('", "'['"}
    if "a predicate" in names:
        names -= {"'!'", "'^'", "'('"}
    return tuple(sorted(names, key=lambda name: (not name.startswith("a"), name)))


def _list(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return names[0]
    return ", ".join(names[:-1]) + " or " + names[-1]
