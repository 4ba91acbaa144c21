"""Publications and solutions in a notation that fits on one line, for tests that are read."""

from __future__ import annotations

import re

from sparql_ft.evaluation.evaluator import evaluate
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, XSD_INTEGER, BlankNode, Literal, Term

PREFIX = "PREFIX : <urn:x:>\n"


def term(text: str) -> Term:
    """`:a` is <urn:x:a>, `_:a` a blank node, `7` an integer, `"a"` a string."""
    if text.startswith("_:"):
        return BlankNode(text[2:])
    if text.startswith(":"):
        return IRI("urn:x:" + text[1:])
    if text.startswith('"'):
        return Literal(text[1:-1])
    return Literal(text, XSD_INTEGER)


def shown(value: Term) -> str:
    """The text that `term` reads."""
    match value:
        case IRI(iri):
            return iri.replace("urn:x:", ":", 1)
        case Literal(lexical, datatype):
            return lexical if datatype == XSD_INTEGER else f'"{lexical}"'
        case BlankNode():
            return str(value)


def publication(triples: str = "", graph: str | None = None) -> Publication:
    """The triples of `:a :p :b . :b :p "c"`, as the default graph or the one named graph."""
    read = []
    for statement in filter(None, (part.strip() for part in triples.split(" . "))):
        subject, predicate, object_ = map(term, re.findall(r'"[^"]*"|\S+', statement))
        assert isinstance(subject, IRI | BlankNode)
        assert isinstance(predicate, IRI)
        read.append((subject, predicate, object_))
    name = None if graph is None else IRI("urn:x:" + graph[1:])
    return Publication("test", tuple(read), name)


def solutions(query: str, triples: str = "", graph: str | None = None) -> list[str]:
    """The solutions as sorted texts such as `x=:a y=7`; a query without SELECT is the pattern of a SELECT *."""
    if query.lstrip().startswith("{"):
        query = f"SELECT * {query}"
    found = evaluate(PREFIX + query, publication(triples, graph))
    return sorted(" ".join(f"{name}={shown(value)}" for name, value in sorted(row.items())) for row in found)
