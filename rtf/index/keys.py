r"""Terms as text: what distinguishes them, for dictionaries and for counting.

A key starts with a letter: `I` and an IRI; `L`, the datatype (nothing for xsd:string) or `@` and the language, \x01,
and the lexical form of a literal. All blank nodes have the same: queries cannot name them.
"""

from __future__ import annotations

from typing import Final

from sparql_ft.terms import IRI, XSD_STRING, Literal, Term

__all__ = ["NO_KEY", "term_key"]

NO_KEY: Final = "B"  # of a blank node


def term_key(term: Term) -> str:
    """The key of a term."""
    if isinstance(term, IRI):
        return "I" + term.value
    if isinstance(term, Literal):
        if term.language is not None:
            return f"L@{term.language}\x01{term.lexical}"
        return f"L{'' if term.datatype == XSD_STRING else term.datatype}\x01{term.lexical}"
    return NO_KEY
