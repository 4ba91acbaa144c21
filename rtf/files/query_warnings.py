"""What looks wrong with a query that parses: it can never match, looks at every publication, or calls what is unknown.

These are warnings. They are sure of what they say, and silent where they are not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rtf.files.query_report import shortener
from sparql_ft import Alternative, EvaluationLimitError, PreparedQuery, Publication, matches, parse
from sparql_ft.nodes import Expression
from sparql_ft.rewriting import variables_in
from sparql_ft.signatures import CASTS
from sparql_ft.syntax.printer import text_of

__all__ = ["warnings_about"]


def warnings_about(text: str, prepared: PreparedQuery) -> Iterator[str]:
    """Each as one line. `text` is what was prepared, for its prefixes."""
    shorten = shortener(text)
    alternatives = prepared.tuples.alternatives
    if not alternatives:
        yield "can never match: no triples can satisfy all of its conditions"
    never = [condition for each in alternatives if (condition := next(filter(_is_never_true, _conditions(each)), None))]
    if alternatives and len(never) == len(alternatives):
        yield f"can never match: {shorten(text_of(never[0]))} is never true"
        return
    for number, alternative in enumerate(alternatives, 1):
        if not any(each.is_selective for each in alternative.tuples):
            which = f"alternative {number} of {len(alternatives)}" if len(alternatives) > 1 else "it"
            yield f"looks at every publication: {which} requires no word, class, predicate or other term"
            break
    for function in _unknown_functions(text, prepared):
        yield f"calls {shorten(f'<{function}>')}, which is no function of SPARQL: an error wherever it is evaluated"


def _conditions(alternative: Alternative) -> Iterator[Expression]:
    yield from alternative.conditions
    for each in alternative.tuples:
        yield from each.conditions


def _is_never_true(condition: Expression) -> bool:
    """Whether it is a constant, such as `1 > 2`, that is false or an error: an empty publication then shows it."""
    if variables_in(condition):
        return False
    try:
        return not matches(parse(f"ASK {{ FILTER ({condition}) }}"), _EMPTY)
    except EvaluationLimitError:
        return False  # nobody knows


_EMPTY: Final = Publication.from_triples([])


# A name and then a bracket, perhaps with a comment between. Most queries have none, and need not be printed.
_PERHAPS_CALL: Final = re.compile(r"[:>][^\s(:>]*+\s*+\(|[\r\n][ \t]*+\(")
_STRING_OR_CALL: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|<([^<>"{}|^`\\\x00-\x20]*+)>\(')


def _unknown_functions(text: str, prepared: PreparedQuery) -> list[str]:
    """The functions that are called and nobody knows. Canonical text has a bracket after an IRI in calls only."""
    if _PERHAPS_CALL.search(text) is None:
        return []
    calls = dict.fromkeys(match[1] for match in _STRING_OR_CALL.finditer(str(prepared.query)) if match[1])
    return [function for function in calls if function not in CASTS]
