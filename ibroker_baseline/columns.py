"""Many publications as Arrow columns, as RTF takes them, so that neither has to be handed over at a higher price.

The columns are `publication`, `subject`, `predicate`, `object`, and perhaps `graph`, terms in N-Triples syntax. Rows
that follow each other with the same publication and graph are one publication.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pyarrow as pa

from sparql_ft import Publication
from sparql_ft.publication import read_triples
from sparql_ft.terms import XSD

__all__ = ["MATCHES", "BatchReport", "Rows", "publications_in"]

MATCHES: Final = pa.schema([("publication", pa.string()), ("query_id", pa.string())])

# Terms that may be written in another way than `str(term)` has them: escapes and control characters, a language that
# is not in lower case, and xsd:string, which goes without saying.
_OTHERWISE: Final = re.compile(rf'[\\\x00-\x1f\x7f]|"@[^"]*[A-Z][^"]*$|"\^\^<{re.escape(XSD)}string>$')


@dataclass(slots=True)
class BatchReport:
    """What `rtf.columns.BatchReport` also tells: how much there was, and a row of MATCHES for each match."""

    publications: int
    triples: int
    matches: pa.Table
    failures: list[tuple[str, str, str]] = field(default_factory=list)  # publication, query, why


@dataclass(frozen=True, slots=True)
class Rows:
    """The triples of one publication."""

    id: str
    graph: str | None
    subjects: list[str]
    predicates: list[str]
    objects: list[str]

    @property
    def is_as_written(self) -> bool:
        """Whether equal terms are equal strings."""
        return not any(map(_OTHERWISE.search, self.objects)) and not any(
            "\\" in term for terms in (self.subjects, self.predicates) for term in terms
        )

    def read(self) -> Publication:
        """The same as terms. Raises PublicationError for what is no term."""
        terms = zip(self.subjects, self.predicates, self.objects, strict=True)
        data = "".join(f"{s} {p} {o} {self.graph or ''} .\n" for s, p, o in terms)
        read = read_triples(data, "nq")
        return Publication(self.id, tuple(triple for triple, _ in read), read[0][1])


def publications_in(columns: pa.RecordBatch | pa.Table) -> Iterator[Rows]:
    """The publications of some columns."""
    names, subjects, predicates, objects = (
        columns.column(name).to_pylist() for name in ("publication", "subject", "predicate", "object")
    )
    graphs = columns.column("graph").to_pylist() if "graph" in columns.schema.names else [None] * len(names)
    start = 0
    for end in range(1, len(names) + 1):
        if end == len(names) or names[end] != names[start] or graphs[end] != graphs[start]:
            part = slice(start, end)
            yield Rows(names[start], graphs[start], subjects[part], predicates[part], objects[part])
            start = end
