r"""Terms as text: what distinguishes them, for dictionaries and for counting.

A key starts with a letter: `I` and an IRI; `L`, the datatype or `@` and the language, \x01, and the lexical form of a
literal. All blank nodes have the same: queries cannot name them.
"""

from __future__ import annotations

from typing import Final

from sparql_ft.terms import IRI, Literal, Term

__all__ = ["NO_KEY", "term_key"]

NO_KEY: Final = "B"  # of a blank node, and of nothing at all


def term_key(term: Term | None) -> str:
    """The key of a term."""
    if isinstance(term, IRI):
        return "I" + term.value
    if isinstance(term, Literal):
        return f"L{term.datatype if term.language is None else '@' + term.language}\x01{term.lexical}"
    return NO_KEY
