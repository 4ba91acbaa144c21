"""The W3C's tests as its manifests list them, and their expected results."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import RDF

from sparql_ft.iri import resolve
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, XSD_STRING, BlankNode, Literal, Term

__all__ = ["EvaluationTest", "Expected", "Row", "equivalent", "evaluation_tests", "read_expected", "read_graph"]

MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
QT = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-query#")
RS = "http://www.w3.org/2001/sw/DataAccess/tests/result-set#"
SRX = "{http://www.w3.org/2005/sparql-results#}"

Row: TypeAlias = Mapping[str, Term]
Expected: TypeAlias = bool | list[Row]  # of ASK, of SELECT; the triples of CONSTRUCT are rows too


@dataclass(frozen=True)
class EvaluationTest:
    """A QueryEvaluationTest: the result of `query` over `data` as default graph, and `graphs` as named ones."""

    name: str  # suite/folder/fragment, e.g. sparql10/basic/base-prefix-1
    query: Path
    data: tuple[Path, ...]
    graphs: tuple[Path, ...]
    result: Path
    lax_cardinality: bool


def evaluation_tests(root: Path) -> list[EvaluationTest]:
    """All of them, in the order of the folders and manifests."""
    manifests = sorted(root.glob("sparql1[01]/*/manifest.ttl"))
    return [test for manifest in manifests for test in _tests(manifest, root)]


def _tests(manifest: Path, root: Path) -> Iterator[EvaluationTest]:
    graph = rdflib.Graph().parse(manifest, format="turtle", publicID=manifest.as_uri())
    (entries,) = graph.objects(None, MF.entries)
    for entry in Collection(graph, entries):
        if (entry, RDF.type, MF.QueryEvaluationTest) not in graph:
            continue
        action = graph.value(entry, MF.action)
        yield EvaluationTest(
            name=f"{manifest.parent.relative_to(root).as_posix()}/{str(entry).partition('#')[2]}",
            query=_path(graph.value(action, QT.query)),
            data=tuple(sorted(_path(file) for file in graph.objects(action, QT.data))),
            graphs=tuple(sorted(_path(file) for file in graph.objects(action, QT.graphData))),
            result=_path(graph.value(entry, MF.result)),
            lax_cardinality=(entry, MF.resultCardinality, MF.LaxCardinality) in graph,
        )


def _path(iri: object) -> Path:
    return Path(str(iri).removeprefix("file://"))


def read_graph(*files: Path) -> Publication:
    """The triples of some files; relative IRIs are resolved against the file."""
    triples = []
    for file in files:
        form = "xml" if file.suffix == ".rdf" else "ttl"
        triples.extend(Publication.parse(file.read_bytes(), form, base=file.as_uri()).triples)
    return Publication("test", tuple(triples))


def read_expected(test: EvaluationTest, *, construct: bool) -> Expected:
    """The expected result, from any of the formats that the suites use."""
    if test.result.suffix == ".srx":
        return _read_srx(test.result)
    graph = read_graph(test.result)
    if construct:
        return [dict(zip("spo", triple, strict=True)) for triple in graph.triples]
    return _read_result_set(graph)


def _read_srx(file: Path) -> Expected:
    """SPARQL Query Results XML Format."""
    document = ET.fromstring(file.read_bytes())
    boolean = document.find(f"{SRX}boolean")
    if boolean is not None:
        return boolean.text == "true"
    return [
        {binding.attrib["name"]: _srx_term(binding[0], file) for binding in result.iter(f"{SRX}binding")}
        for result in document.iter(f"{SRX}result")
    ]


def _srx_term(element: ET.Element, file: Path) -> Term:
    text = element.text or ""
    if element.tag == f"{SRX}uri":
        return IRI(resolve(text, file.as_uri()))
    if element.tag == f"{SRX}bnode":
        return BlankNode(text)
    language = element.attrib.get("{http://www.w3.org/XML/1998/namespace}lang")
    return Literal(text, element.attrib.get("datatype", XSD_STRING), language)


def _read_result_set(graph: Publication) -> Expected:
    """The DAWG's result set vocabulary, in Turtle or RDF/XML."""
    values: dict[tuple[Term, str], list[Term]] = {}
    for subject, predicate, value in graph.triples:
        values.setdefault((subject, predicate.value), []).append(value)
    for (_, predicate), found in values.items():
        if predicate == RS + "boolean":
            return found[0] == Literal("true", "http://www.w3.org/2001/XMLSchema#boolean")
    solutions = [
        solution for (_, predicate), found in values.items() if predicate == RS + "solution" for solution in found
    ]
    rows: list[Row] = []
    for solution in solutions:
        row = {}
        for binding in values.get((solution, RS + "binding"), ()):
            (name,), (value,) = values[binding, RS + "variable"], values[binding, RS + "value"]
            assert isinstance(name, Literal)
            row[name.lexical] = value
        rows.append(row)
    return rows


def equivalent(found: list[Row], expected: list[Row]) -> bool:
    """Whether the two multisets are the same but for the labels of blank nodes.

    Rows are paired one by one, going back where labels do not fit; rows that look the same are tried in turn.
    """
    if Counter(map(_shape, found)) != Counter(map(_shape, expected)):
        return False
    remaining: dict[object, list[Row]] = {}
    for row in expected:
        remaining.setdefault(_shape(row), []).append(row)
    order = sorted(found, key=lambda row: len(remaining[_shape(row)]))
    return _pair(order, 0, remaining, {}, {})


def _pair(
    rows: list[Row],
    number: int,
    remaining: dict[object, list[Row]],
    forth: dict[BlankNode, BlankNode],
    back: dict[BlankNode, BlankNode],
) -> bool:
    if number == len(rows):
        return True
    row = rows[number]
    choices = remaining[_shape(row)]
    tried: list[Row] = []
    for choice in list(choices):
        if choice in tried:
            continue
        tried.append(choice)
        pairs = [(t, choice[name]) for name, t in row.items() if isinstance(t, BlankNode)]
        new_forth, new_back = dict(forth), dict(back)
        if all(new_forth.setdefault(a, b) == b and new_back.setdefault(b, a) == a for a, b in pairs):
            choices.remove(choice)
            if _pair(rows, number + 1, remaining, new_forth, new_back):
                return True
            choices.append(choice)
    return False


def _shape(row: Row) -> object:
    """A row without the labels of its blank nodes."""
    return frozenset((name, "blank" if isinstance(value, BlankNode) else value) for name, value in row.items())
