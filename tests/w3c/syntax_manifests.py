"""The W3C's syntax tests as its manifests list them, and what becomes of each here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import rdflib
from rdflib.collection import Collection
from rdflib.namespace import RDF

from sparql_ft import QuerySyntaxError, UnsupportedFeatureError, parse

__all__ = ["Outcome", "SyntaxTest", "outcome", "syntax_tests"]

MF = rdflib.Namespace("http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#")
POSITIVE = {MF.PositiveSyntaxTest, MF.PositiveSyntaxTest11}
NEGATIVE = {MF.NegativeSyntaxTest, MF.NegativeSyntaxTest11}


@dataclass(frozen=True)
class SyntaxTest:
    """A positive or negative syntax test: whether the text in `query` is SPARQL."""

    name: str  # suite/folder/fragment, e.g. sparql10/syntax-sparql1/syntax-basic-01
    query: Path
    positive: bool

    def text(self) -> str:
        """The query as its bytes say, line ends included."""
        return self.query.read_bytes().decode("utf-8")


@dataclass(frozen=True)
class Outcome:
    """What became of a test: passed, unsupported (refused by the name of a construct) or failed, and why."""

    verdict: str
    construct: str = ""
    why: str = ""


def syntax_tests(root: Path) -> list[SyntaxTest]:
    """All of them, in the order of the folders and manifests."""
    tests = []
    for manifest in sorted(root.glob("sparql1[01]/*/manifest.ttl")):
        graph = rdflib.Graph().parse(manifest, format="turtle", publicID=manifest.as_uri())
        (entries,) = graph.objects(None, MF.entries)
        for entry in Collection(graph, entries):
            kinds = set(graph.objects(entry, RDF.type))
            if kinds & (POSITIVE | NEGATIVE):
                name = f"{manifest.parent.relative_to(root).as_posix()}/{str(entry).partition('#')[2]}"
                file = Path(str(graph.value(entry, MF.action)).removeprefix("file://"))
                tests.append(SyntaxTest(name, file, bool(kinds & POSITIVE)))
    return tests


def outcome(test: SyntaxTest) -> Outcome:
    """Passed: SPARQL of the supported fragment that parses and prints as itself, or no SPARQL and refused."""
    try:
        query = parse(test.text(), base=test.query.as_uri())
    except UnsupportedFeatureError as error:
        return Outcome("unsupported" if test.positive else "passed", error.construct, str(error))
    except QuerySyntaxError as error:
        return Outcome("failed" if test.positive else "passed", why=str(error))
    if not test.positive:
        return Outcome("failed", why="it was parsed")
    if parse(str(query)) != query:
        return Outcome("failed", why=f"its text is another query: {query}")
    return Outcome("passed")
