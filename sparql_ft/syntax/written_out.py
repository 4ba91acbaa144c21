"""How long a query is without its abbreviations: prefixes, `;`, `,` and `(…)` repeat what stands in the text once.

`str(query)` has to be a query again, so the limits on texts hold for canonical text as well. And a text of a megabyte
that stands for gigabytes has to be refused before somebody prints it.
"""

from __future__ import annotations

from typing import Final

from sparql_ft.errors import QuerySyntaxError
from sparql_ft.nodes import FtWords, Node, Query
from sparql_ft.rewriting import parts_of
from sparql_ft.syntax.lexer import MAX_CHARACTERS, MAX_DEPTH, Tokens, lex
from sparql_ft.syntax.printer import text_of
from sparql_ft.syntax.token_terms import RDF_TYPE
from sparql_ft.terms import IRI, Literal, Variable

__all__ = ["check_written_out", "surely_short"]

_TOKENS_PER_TOKEN: Final = 8  # a member of a collection becomes two triples with their dots
_AROUND: Final = 2 * MAX_DEPTH + 2  # characters before or after a token: the indentation of its line, a space


def surely_short(tokens: int, longest: int) -> bool:
    """Whether so many tokens, each at most so long when prefixes are written out, cannot exceed the limits.

    Escapes make a string twice as long at most.
    """
    return tokens * _TOKENS_PER_TOKEN * (2 * longest + _AROUND) <= MAX_CHARACTERS


def check_written_out(query: Query, tokens: Tokens, namespace: int, depth: int) -> None:
    """Refuse a query whose canonical text would be too long or too deep to be parsed.

    `namespace` is the length of its longest prefix or base, `depth` that of the full text in strings.
    """
    kinds = tokens.kinds
    brackets = kinds.count("(") + kinds.count("{") + kinds.count("[")
    longest = max(map(len, tokens.texts)) + namespace
    if surely_short(len(kinds), longest) and brackets + depth < MAX_DEPTH:
        return
    if _characters(query) > MAX_CHARACTERS:
        raise QuerySyntaxError(
            f"without abbreviations, the query has more than {MAX_CHARACTERS:,} characters",
            hint="A standing query of this size is better registered as several queries.",
        )
    try:
        lex(str(query))
    except QuerySyntaxError as error:
        raise QuerySyntaxError(f"without abbreviations: {error.message}", hint=error.hint) from None


def _characters(query: Query) -> int:
    """The characters of all words and terms, as often as they are printed; counting ends where there are too many."""
    count = 0
    pending: list[object] = [query]
    while pending and count <= MAX_CHARACTERS:
        part = pending.pop()
        if isinstance(part, FtWords):
            count += len(part.text)
        elif isinstance(part, Node | tuple):
            pending.extend(parts_of(part))
        elif isinstance(part, IRI | Literal | Variable):
            count += 1 if part == RDF_TYPE else len(text_of(part))  # it may be printed as `a`
    return count
