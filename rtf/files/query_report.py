"""What a query will be indexed by, for people (blocks of text), for programs (JSON) and for tables (rows)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from typing import Final

from rtf.files.query_files import QueryRecord
from sparql_ft import Alternative, QueryTuple, QueryTuples
from sparql_ft.extraction.cover import Cover, Word, cover
from sparql_ft.nodes import Expression, FtExpression
from sparql_ft.syntax.prefixes import WELL_KNOWN_PREFIXES
from sparql_ft.syntax.printer import text_of

__all__ = ["COLUMNS", "Decision", "as_block", "as_json", "as_rows", "shortener", "visible"]

# What a block shows of word sets, and of the characters of an expression; programs write long ones. JSON has them all.
_MAX_SETS: Final = 8
_MAX_CHARACTERS: Final = 400


class Decision(Enum):
    """What decides whether a query matches, from quick to slow."""

    TUPLES = "tuples"  # each tuple by itself, subject by subject
    JOINS = "joins"  # and which values the variables have in several tuples
    SPARQL = "sparql"  # and the query as a whole, on the publications whose triples satisfy the tuples

    @classmethod
    def of(cls, alternative: Alternative) -> Decision:
        """What decides whether one alternative holds."""
        if alternative.residual:
            return cls.SPARQL
        return cls.TUPLES if alternative.is_star else cls.JOINS

    @classmethod
    def of_query(cls, tuples: QueryTuples) -> Decision:
        """What decides in the worst case."""
        return max((cls.of(each) for each in tuples.alternatives), key=list(cls).index, default=cls.TUPLES)


# --- for programs -----------------------------------------------------------------------------------------------------


def as_json(tuples: QueryTuples) -> dict[str, object]:
    """The index form with terms and expressions in canonical text, IRIs in full."""
    return {
        "decided_by": Decision.of_query(tuples).value,
        "alternatives": [
            {
                "decided_by": Decision.of(alternative).value,
                "tuples": [_tuple_as_json(each) for each in alternative.tuples],
                "joins": [str(variable) for variable in alternative.joins],
                "conditions": [str(condition) for condition in alternative.conditions],
                "graphs": [str(graph) for graph in alternative.graphs],
            }
            for alternative in tuples.alternatives
        ],
    }


def _tuple_as_json(each: QueryTuple) -> dict[str, object]:
    """`words` are sets, of which the text must have one; `words_decide` says whether that is also enough."""
    found = None if each.text is None else cover(each.text)
    return {
        "subject": str(each.subject),
        "predicate": str(each.predicate),
        "object": str(each.object),
        "text": None if each.text is None else str(each.text),
        "words": None if found is None else [[word.form for word in words] for words in found.sets],
        "words_decide": None if found is None else found.exact,
        "conditions": [str(condition) for condition in each.conditions],
    }


COLUMNS: Final = (
    "id source line decided_by alternative tuple subject predicate object text words conditions joins "
    "joint_conditions graphs"
).split()


def as_rows(record: QueryRecord, tuples: QueryTuples) -> Iterator[list[object]]:
    """A row for each tuple, in COLUMNS; a query or an alternative without tuples has one with these columns empty."""
    head = [record.id, record.source, record.line, Decision.of_query(tuples).value]
    if not tuples.alternatives:
        yield [*head, *[""] * (len(COLUMNS) - len(head))]
    for number, alternative in enumerate(tuples.alternatives, 1):
        tail = [
            " ".join(map(str, alternative.joins)),
            " && ".join(map(str, alternative.conditions)),
            " ".join(map(str, alternative.graphs)),
        ]
        if not alternative.tuples:
            yield [*head, number, *[""] * 7, *tail]
        for place, each in enumerate(alternative.tuples, 1):
            text, words = ("", "") if each.text is None else (each.text, _words(cover(each.text)))
            conditions = " && ".join(map(str, each.conditions))
            yield [*head, number, place, each.subject, each.predicate, each.object, text, words, conditions, *tail]


# --- for people -------------------------------------------------------------------------------------------------------


def as_block(record: QueryRecord, tuples: QueryTuples) -> str:
    """A few lines, with IRIs as short as the prefixes of the query, and well-known ones, make them."""
    shorten = shortener(record.text)
    lines = [f"{visible(record.id)}  ({visible(record.place if record.quoted or record.line > 1 else record.source)})"]
    count = len(tuples.alternatives)
    if not count:
        lines.append("  never matches")
    for number, alternative in enumerate(tuples.alternatives, 1):
        indent = "  "
        if count > 1:
            lines.append(f"  alternative {number} of {count}")
            indent = "    "
        lines.extend(indent + shorten(line) for line in _alternative(alternative))
    return "\n".join(lines) + "\n"


def _alternative(alternative: Alternative) -> Iterator[str]:
    for each in alternative.tuples:
        predicate = text_of(each.predicate)
        yield f"{text_of(each.subject)} {'a' if predicate == _RDF_TYPE else predicate} {text_of(each.object)}"
        if each.text is not None:
            found = cover(each.text)
            yield f"    words  {_words(found, _MAX_SETS) or '(none required)'}"
            if not found.exact:
                yield f"    text   {_one_line(each.text)}"
        for condition in each.conditions:
            yield f"    where  {_one_line(condition)}"
    if not alternative.tuples:
        yield "no tuple is required"
    if alternative.joins and not alternative.is_star:  # that a star shares its subject is seen at once
        yield f"joins     {', '.join(map(str, alternative.joins))}"
    for condition in alternative.conditions:
        yield f"where     {_one_line(condition)}"
    if alternative.graphs:
        yield f"in graph  {', '.join(map(str, alternative.graphs))}"
    if alternative == Alternative(()):
        yield "decided   at once: it matches every publication"
    else:
        yield f"decided   {_DECIDED[Decision.of(alternative)]}"


_DECIDED: Final = {
    Decision.TUPLES: "by its tuples alone",
    Decision.JOINS: "by its tuples and joins",
    Decision.SPARQL: "by full SPARQL, on the publications that its tuples find",
}


def _words(found: Cover, limit: int | None = None) -> str:
    """Words of a set joined by `+`, sets by `|`; nothing if no word is required."""
    if () in found.sets:
        return ""
    sets = [" + ".join(map(_word, words)) for words in found.sets[:limit]]
    more = len(found.sets) - len(sets)
    return " | ".join([*sets, f"… and {more} more"] if more else sets)


def _word(word: Word) -> str:
    analysis = word.analysis
    options = (
        (analysis.case_sensitive, "case sensitive"),
        (analysis.diacritics_insensitive, "without diacritics"),
        (analysis.language is not None, f"{analysis.language} stem"),
    )
    chosen = [text for holds, text in options if holds]
    return f"{word.form} ({', '.join(chosen)})" if chosen else word.form


def _one_line(expression: Expression | FtExpression) -> str:
    # Canonical text has line breaks between tokens only: strings are escaped.
    line = " ".join(line.strip() for line in text_of(expression).split("\n"))
    return line if len(line) <= _MAX_CHARACTERS else f"{line[:_MAX_CHARACTERS]} … ({len(line):,} characters)"


def visible(text: str) -> str:
    r"""A text from outside that is safe on a terminal: control characters as `\x1b`."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


# --- shorter IRIs -----------------------------------------------------------------------------------------------------

_PREFIX: Final = re.compile(r"\bPREFIX\s+([^\s:<>]*):\s*<([^<>\s]*)>", re.IGNORECASE)
_STRING_OR_IRI: Final = re.compile(r'"(?:[^"\\]|\\.)*+"|<([^<>"{}|^`\\\x00-\x20]*+)>')  # as canonical text has them
_LOCAL: Final = re.compile(r"\w(?:[\w.-]*[\w-])?|")
_RDF_TYPE: Final = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"


def shortener(query: str) -> Callable[[str], str]:
    """A function that writes the IRIs in canonical text as prefixed names.

    The prefixes are those of the query and the well-known ones. What stands in strings stays as it is.
    """
    prefixes = _prefixes(tuple(_PREFIX.findall(query)))

    def short(match: re.Match[str]) -> str:
        iri: str | None = match[1]
        if iri is None:
            return match[0]
        for end in sorted({iri.rfind(character) + 1 for character in "#/:"}, reverse=True):
            prefix = prefixes.get(iri[:end])
            if prefix is not None and _LOCAL.fullmatch(iri, end):
                return f"{prefix}:{iri[end:]}"
        return match[0]

    return lambda text: _STRING_OR_IRI.sub(short, text)


@lru_cache(256)
def _prefixes(declared: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """Namespace -> prefix: the well-known ones, the shortest of each, unless the query uses a name for another."""
    own = dict(declared)
    names = sorted(WELL_KNOWN_PREFIXES, key=lambda name: (len(name), name), reverse=True)  # the last one stays
    known = [name for name in names if name not in own]
    return {WELL_KNOWN_PREFIXES[name]: name for name in known} | {iri: name for name, iri in own.items()}
