"""Where pyoxigraph and rdflib are known to leave SPARQL 1.1: a list, and nothing but what is on it is excused.

Each entry shows itself with a query and data on which the specification's answer, ours, is not the oracle's; once it is
no more, the test of this list turns red, and the entry goes. Comparisons leave out the queries that an entry concerns,
or compare them without counting where only the number of equal solutions is at issue. docs/divergences.md is this list
for readers.
"""

from __future__ import annotations

from typing import Final

from tests.oracles import (
    pyoxigraph_divergences,
    pyoxigraph_expressions,
    rdflib_comparisons,
    rdflib_divergences,
    rdflib_expressions,
)
from tests.oracles.divergence import Divergence
from tests.oracles.pair import Pair

__all__ = ["DIVERGENCES", "concerned", "markdown"]

VERSIONS: Final = {"pyoxigraph": "0.5", "rdflib": "7"}
DIVERGENCES: Final = [
    *pyoxigraph_divergences.DIVERGENCES,
    *pyoxigraph_expressions.DIVERGENCES,
    *rdflib_divergences.DIVERGENCES,
    *rdflib_expressions.DIVERGENCES,
    *rdflib_comparisons.DIVERGENCES,
]


def concerned(oracle: str, pair: Pair) -> list[Divergence]:
    """The entries that a comparison with an oracle has to mind."""
    return [entry for entry in DIVERGENCES if entry.oracle == oracle and entry.concerns(pair)]


def markdown() -> str:
    """The list for readers, docs/divergences.md."""
    lines = [
        "# Where other engines leave SPARQL 1.1",
        "",
        "The meaning of a query is what the text of SPARQL 1.1 says. pyoxigraph and rdflib serve as oracles: property",
        "tests compare whole queries on publications, and expressions by themselves. Both engines leave the",
        "specification here and there. This is the list of the places we know; a disagreement outside of it is an",
        "error of ours. A test runs the example of each entry (`:` is `urn:x:`), and turns",
        "red once it is no divergence any more.",
        "",
        "This page is made by `python -m tests.oracles.divergences`, and a test holds it to that.",
    ]
    for oracle, version in VERSIONS.items():
        lines += ["", f"## {oracle} {version}"]
        for entry in DIVERGENCES:
            if entry.oracle == oracle:
                lines += ["", *_section(entry)]
    return "\n".join(lines) + "\n"


def _section(entry: Divergence) -> list[str]:
    where = f" on `{entry.data}`" if entry.data else ""
    graph = f" as the graph `{entry.graph}`" if entry.graph else ""
    counts = " (Only the number of equal solutions differs.)" if entry.counts else ""
    return [
        f"- It {entry.does}.{counts}",
        f"  - SPARQL 1.1: {entry.clause}.",
        f"  - `{entry.query}`{where}{graph}: `{entry.answer}`",
    ]


if __name__ == "__main__":
    print(markdown(), end="")
