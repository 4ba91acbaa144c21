"""Why a query matches a publication or does not, as a value: to be printed, or as JSON.

The query is taken apart as it is indexed: alternatives of which one must hold, each made of tuples that triples satisfy
and that join. `rtf.explanation.explaining` fills it in.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from rtf.files.query_report import shortener, visible
from rtf.match import Highlight
from sparql_ft import QueryTuple
from sparql_ft.syntax.printer import text_of
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Triple

__all__ = [
    "AlternativeExplanation",
    "Attempt",
    "Explanation",
    "Reason",
    "TupleExplanation",
    "highlight_as_json",
    "term_as_json",
]

Binding: TypeAlias = tuple[tuple[str, Term], ...]  # names of variables and their values

_TRIPLES: Final = 3  # that are shown for one tuple; JSON has them all
_ALTERNATIVES: Final = 8
_CHARACTERS: Final = 100  # of a literal
_RDF_TYPE: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something does not hold.

    `kind` is for programs: triple, same, literal, text, condition, graph, join, sparql, or limit.
    """

    kind: str
    message: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """A triple that has the structure of a tuple, but does not satisfy it."""

    triple: Triple
    reason: Reason


@dataclass(frozen=True, slots=True)
class TupleExplanation:
    """One tuple: the triples that satisfy it, or what fails first, and the triples that came close."""

    pattern: QueryTuple
    triples: tuple[Triple, ...] = ()
    reason: Reason | None = None
    attempts: tuple[Attempt, ...] = ()


@dataclass(frozen=True, slots=True)
class AlternativeExplanation:
    """One way to match. Without a reason it holds; with `residual`, as far as its tuples go."""

    tuples: tuple[TupleExplanation, ...]
    reason: Reason | None = None  # that is no tuple's: the graph, a join, or the rest of the query
    residual: bool = False

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong with it."""
        return self.reason is None and all(each.reason is None for each in self.tuples)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a query matches a publication, or does not. `matches` is None if there is no answer; `failure` says why."""

    query_id: str
    publication: str
    matches: bool | None
    alternatives: tuple[AlternativeExplanation, ...]
    bindings: tuple[Binding, ...] = ()  # some solutions, with all variables of WHERE
    highlights: tuple[Highlight, ...] = ()  # in those solutions
    failure: str | None = None
    text: str = field(default="", repr=False)  # of the query, for its prefixes

    def __str__(self) -> str:
        shorten = shortener(self.text)
        return "\n".join(visible(shorten(line)) for line in self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"{self.query_id} {_VERDICT[self.matches]} {self.publication}" + (
            f": {self.failure}" if self.failure else ""
        )
        if not self.alternatives:
            yield "  it can never match: no triples can satisfy all of its conditions"
        for binding in self.bindings:
            yield f"  with {_binding(binding) or 'no variable'}"
        for highlight in self.highlights:
            yield f"  found in ?{highlight.variable}: {_highlighted(highlight)}"
        count = len(self.alternatives)
        for number, alternative in enumerate(self.alternatives[:_ALTERNATIVES], 1):
            indent = "  "
            if count > 1:
                yield f"  alternative {number} of {count}: {'holds' if alternative.holds else 'fails'}"
                indent = "    "
            for line in _alternative_lines(alternative):
                yield indent + line
        if count > _ALTERNATIVES:
            yield f"  … and {count - _ALTERNATIVES} alternatives more"

    def as_json(self) -> dict[str, object]:
        """For programs; terms are as in SPARQL 1.1 Query Results JSON."""
        return {
            "query_id": self.query_id,
            "publication": self.publication,
            "matches": self.matches,
            "failure": self.failure,
            "bindings": [{name: term_as_json(term) for name, term in binding} for binding in self.bindings],
            "highlights": [highlight_as_json(highlight) for highlight in self.highlights],
            "alternatives": [
                {
                    "holds": alternative.holds,
                    "reason": _reason_as_json(alternative.reason),
                    "residual": alternative.residual,
                    "tuples": [_tuple_as_json(each) for each in alternative.tuples],
                }
                for alternative in self.alternatives
            ],
        }


_VERDICT: Final = {True: "matches", False: "does not match", None: "has no answer on"}


# --- for programs -----------------------------------------------------------------------------------------------------


def term_as_json(term: Term) -> dict[str, str]:
    """A term as SPARQL 1.1 Query Results JSON Format has it (section 3.2.2)."""
    match term:
        case IRI(value):
            return {"type": "uri", "value": value}
        case BlankNode(label):
            return {"type": "bnode", "value": label}
        case Literal(lexical, _, str(language)):
            return {"type": "literal", "value": lexical, "xml:lang": language}
        case Literal(lexical, datatype):
            plain = {"type": "literal", "value": lexical}
            return plain if datatype == _XSD_STRING else plain | {"datatype": datatype}


_XSD_STRING: Final = Literal("").datatype


def highlight_as_json(highlight: Highlight) -> dict[str, object]:
    """The literal, and its words that were found: as written, by position, and as characters [start, end)."""
    return {
        "variable": highlight.variable,
        "literal": term_as_json(highlight.literal),
        "words": [highlight.literal.lexical[start:end] for start, end in highlight.spans],
        "positions": list(highlight.positions),
        "spans": [list(span) for span in highlight.spans],
    }


def _tuple_as_json(each: TupleExplanation) -> dict[str, object]:
    return {
        "tuple": str(each.pattern),
        "reason": _reason_as_json(each.reason),
        "triples": [_triple(triple) for triple in each.triples],
        "attempts": [
            {"triple": _triple(attempt.triple), "reason": _reason_as_json(attempt.reason)} for attempt in each.attempts
        ],
    }


def _reason_as_json(reason: Reason | None) -> dict[str, str] | None:
    return None if reason is None else {"kind": reason.kind, "message": reason.message}


def _triple(triple: Triple) -> str:
    return " ".join(map(str, triple))


# --- for people -------------------------------------------------------------------------------------------------------


def _alternative_lines(alternative: AlternativeExplanation) -> Iterator[str]:
    for each in alternative.tuples:
        yield f"{'yes' if each.reason is None else 'no '}  {_pattern(each.pattern)}"
        if each.reason is not None and not each.attempts:
            yield f"       {each.reason.message}"
        for triple in each.triples[:_TRIPLES]:
            yield f"       {_short(triple)}"
        for attempt in () if each.triples else each.attempts[:_TRIPLES]:
            yield f"       {_short(attempt.triple)}"
            yield f"         {attempt.reason.message}"
        more = (len(each.triples) or len(each.attempts)) - _TRIPLES
        if more > 0:
            yield f"       … and {more} {'triple' if more == 1 else 'triples'} more"
    if not alternative.tuples:
        yield "yes  no triple is required"
    if alternative.reason is not None:
        yield f"no   {alternative.reason.message}"
    elif alternative.residual and alternative.holds:
        yield "     full SPARQL decides, on the whole publication"


def _pattern(each: QueryTuple) -> str:
    terms = [text_of(each.subject), text_of(each.predicate), text_of(each.object)]
    if terms[1] == f"<{_RDF_TYPE}>":
        terms[1] = "a"
    said = [" ".join(terms)]
    if each.text is not None:
        said.append(f"with {_one_line(text_of(each.text))}")
    if each.conditions:
        said.append("where " + " && ".join(_one_line(text_of(condition)) for condition in each.conditions))
    return "  ".join(said)


def _one_line(text: str) -> str:
    return " ".join(line.strip() for line in text.split("\n"))


def _short(triple: Triple) -> str:
    subject, predicate, object_ = triple
    return f"{subject} {'a' if predicate.value == _RDF_TYPE else predicate} {_clipped(object_)}"


def _clipped(term: Term) -> str:
    """The term, not all of it where it is a long text."""
    if isinstance(term, Literal) and len(term.lexical) > _CHARACTERS:
        return str(Literal(term.lexical[:_CHARACTERS] + "…", term.datatype, term.language))
    return str(term)


def _binding(binding: Binding) -> str:
    return ", ".join(f"?{name} = {_clipped(term)}" for name, term in binding)


def _highlighted(highlight: Highlight) -> str:
    """The text from a little before the first word that was found, with brackets around such words."""
    text = highlight.literal.lexical
    marked: list[str] = []
    start = max(highlight.spans[0][0] - 30, 0)
    position = start
    for first, last in highlight.spans:
        if first - start > 2 * _CHARACTERS:
            break
        marked += [text[position:first], "[", text[first:last], "]"]
        position = last
    end = min(position + 30, len(text))
    marked.append(text[position:end])
    return f"{'…' if start else ''}{''.join(marked)}{'…' if end < len(text) else ''}"
