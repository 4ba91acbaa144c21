"""Constructs of SPARQL that a standing query cannot have: which of them, if any, made the grammar fail."""

from __future__ import annotations

import re
from typing import Final

from sparql_ft.signatures import ARITY
from sparql_ft.syntax.grammar import ParseFailure
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, Tokens

__all__ = ["HINTS", "unsupported"]

_KIND: Final = KIND_OF_KEYWORD
_UPDATE: Final = "INSERT DELETE LOAD CLEAR DROP CREATE ADD MOVE COPY WITH".split()
_AGGREGATES: Final = "COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT".split()
_FUNCTIONS_12: Final = "TRIPLE SUBJECT PREDICATE OBJECT ISTRIPLE LANGDIR STRLANGDIR HASLANG HASLANGDIR".split()
_FUNCTIONS: Final = "".join(_KIND[name] for name in ARITY)

# A keyword at which parsing ends -> what its writer wanted to use, if the kinds that follow look like it. Without a
# look at these, `?x limit ?y` would be told off for its LIMIT.
_BY_KEYWORD: Final = {
    **{word: (f"the aggregate {word}", r"\(") for word in _AGGREGATES},
    **{word: (f"SPARQL 1.2 ({word})", r"\(") for word in _FUNCTIONS_12},
    "VERSION": ("SPARQL 1.2 (VERSION)", "s"),
    "ADJUST": ("ADJUST", r"\("),
    "LATERAL": ("LATERAL", r"\{"),
    "FROM": ("FROM", f"[ipn]|{_KIND['NAMED']}"),
    "GROUP": ("GROUP BY", _KIND["BY"]),
    "HAVING": ("HAVING", rf"[(ipn{_FUNCTIONS}]"),
    "ORDER": ("ORDER BY", _KIND["BY"]),
    "LIMIT": ("LIMIT", "d"),
    "OFFSET": ("OFFSET", "d"),
    "SERVICE": ("SERVICE", rf"{_KIND['SILENT']}?[vipn]\{{"),
}
_RUN_TOGETHER: Final = re.compile("(ORDER|GROUP)BY|(LIMIT|OFFSET)[0-9]+")
_WORD_OF_KIND: Final = {kind: word for word, kind in _KIND.items()}

HINTS: Final = {
    "a sub-select": "Write its patterns in the query itself.",
    "(expression AS ?variable) in SELECT": "Write BIND(expression AS ?variable) in WHERE, and select the variable.",
    "an expression in SELECT": "Write BIND(expression AS ?variable) in WHERE, and select the variable.",
    "the aggregate": "Each publication is matched on its own; select the variable itself.",
    "DESCRIBE": "Use SELECT or ASK: a standing query matches by its WHERE.",
    "FROM": "A standing query is matched against each publication; it has no data set of its own.",
    "GROUP BY": "Each publication is matched on its own; leave GROUP BY out.",
    "HAVING": "Each publication is matched on its own; leave HAVING out, or use FILTER.",
    "ORDER BY": "Matches have no order; leave ORDER BY out.",
    "LIMIT": "A query matches as soon as it has one solution; leave LIMIT out.",
    "OFFSET": "A query matches as soon as it has one solution; leave OFFSET out.",
    "SERVICE": "A publication is matched by its own triples; leave SERVICE out.",
    "SPARQL 1.2": "Standing queries are written in SPARQL 1.1.",
    "SPARQL Update": "Register a SELECT, ASK or CONSTRUCT query.",
}
"""What to do instead, by the first words of the construct's name."""


def unsupported(tokens: Tokens, failure: ParseFailure) -> tuple[str, int] | None:
    """The name of the construct and the number of the token that it starts with."""
    kinds, index = tokens.kinds, failure.index
    word = _word(tokens, index)
    if "SELECT" in failure.expected:  # where a query begins
        if word in _UPDATE:
            return f"SPARQL Update ({word})", index
        if word == "DESCRIBE":
            return "DESCRIBE", index
    if word == "SELECT" and kinds[index - 1 : index] == "{":
        return "a sub-select", index
    names_something = "a predicate" in failure.expected or failure.expected == ("a term",)
    if word in _BY_KEYWORD and not names_something:
        construct, follows = _BY_KEYWORD[word]
        if re.compile(follows).match(kinds, index + 1):
            return construct, index
    if kinds[index : index + 1] == "w" and "the end" in failure.expected:
        together = _RUN_TOGETHER.fullmatch(tokens.texts[index].upper())
        if together:  # elsewhere it would be a bare name
            return (f"{together[1]} BY" if together[1] else str(together[2])), index
    if index and kinds[index : index + 1] == "{" and _word(tokens, index - 1) == "LATERAL":
        return "LATERAL", index - 1  # it was a bare name so far
    if word == "DISTINCT" and kinds[index - 1 : index] == "(":
        return "DISTINCT in a function call", index
    return _in_select(tokens, index) or _sparql_12(tokens, failure)


def _in_select(tokens: Tokens, index: int) -> tuple[str, int] | None:
    select = tokens.kinds.rfind(_KIND["SELECT"], 0, index)
    if select < 0 or "{" in tokens.kinds[select:index]:
        return None
    if tokens.kinds[index : index + 1] == "(":
        aggregate = _word(tokens, index + 1)
        if aggregate in _AGGREGATES:
            return f"the aggregate {aggregate}", index + 1
        return "(expression AS ?variable) in SELECT", index
    if _word(tokens, index) in ARITY:
        return "an expression in SELECT", index
    return None


def _sparql_12(tokens: Tokens, failure: ParseFailure) -> tuple[str, int] | None:
    """What SPARQL 1.2 writes with symbols."""
    kinds, index = tokens.kinds, failure.index
    if kinds[index : index + 2] == "<<":
        return "SPARQL 1.2 (triple terms)", index
    for place in (index - 1, index):  # a brace alone could open a group
        if place >= 0 and kinds[place : place + 2] == "{|":
            return "SPARQL 1.2 (annotations)", place
    if kinds[index : index + 1] == "~" and {"','", "';'"} <= set(failure.expected):  # after an object
        return "SPARQL 1.2 (reifiers)", index
    for place in (index, index - 2):  # in a triple, in an expression
        if place > 0 and kinds[place - 1 : place + 2] == "@--":
            return "SPARQL 1.2 (base direction)", place
    return None


def _word(tokens: Tokens, index: int) -> str | None:
    """The keyword at a place; a bare name in upper case, because SPARQL 1.2 has more keywords."""
    kind = tokens.kinds[index : index + 1]
    if kind == "w":
        return tokens.texts[index].upper()
    return _WORD_OF_KIND.get(kind)
