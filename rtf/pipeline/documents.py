"""Turtle, TriG, RDF/XML and JSON-LD -> rows of INPUT, a file at a time.

Such a file cannot be split, nor read from the middle, so one task reads all of it.
"""

from __future__ import annotations

import bz2
import gzip
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

import pyarrow as pa

from rtf.files.publication_files import Grouping
from rtf.pipeline.lines import FileScope, file_name
from rtf.pipeline.rows import INPUT, TRIPLE, bad_rows, count_rows, rows
from sparql_ft import Publication, PublicationError

__all__ = ["BAD_DOCUMENTS", "DOCUMENT_TRIPLES", "DocumentReader", "decompressed"]

DOCUMENT_TRIPLES, BAD_DOCUMENTS = "document triples", "bad documents"
_ROWS: Final = 10_000  # in one batch


@dataclass(frozen=True)
class DocumentReader:
    """Reads batches of the columns `content` and `file`."""

    format: str
    grouping: Grouping = "subject"
    base: str | None = None
    names: Mapping[str, str] | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of triples; a file that cannot be read is one bad row. At the end the counts."""
        counts: Counter[str] = Counter()
        for batch in batches:
            for row in range(batch.num_rows):
                path = batch.column("file")[row].as_py()
                name = file_name(path, self.names)
                try:
                    data = decompressed(batch.column("content")[row].as_py(), name)
                    publications = Publication.parse_many(data, self.format, self.base, file=name)
                except PublicationError as error:
                    counts[BAD_DOCUMENTS] += 1
                    place = "" if error.line is None else f"line {error.line}, column {error.column}: "
                    yield bad_rows([(name, "", place + error.message)])
                    continue
                counts[DOCUMENT_TRIPLES] += sum(map(len, publications))
                yield from self._rows(publications, FileScope(name))
        if counts:
            yield count_rows(counts)

    def _rows(self, publications: Iterable[Publication], scope: FileScope) -> Iterator[pa.RecordBatch]:
        text = scope.text
        found = (
            (
                scope.publication(triple[0], each.graph, self.grouping),
                None if each.graph is None else text(each.graph),
                *map(text, triple),
            )
            for each in publications
            for triple in each.triples
        )
        names = ("publication", "graph", "subject", "predicate", "object")
        while some := list(islice(found, _ROWS)):
            columns = {name: pa.array([row[place] for row in some], pa.string()) for place, name in enumerate(names)}
            yield rows(INPUT, TRIPLE, len(some), columns)


def decompressed(content: bytes, name: str) -> bytes:
    """What is in a file, by the ending of its name. PublicationError for one that is damaged."""
    try:
        if name.endswith(".gz"):
            return gzip.decompress(content)
        if name.endswith(".bz2"):
            return bz2.decompress(content)
        if name.endswith(".zst"):
            with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
                return bytes(stream.read())
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise PublicationError(
            f"cannot be decompressed: {error}", hint="the file is damaged; fetch it again"
        ) from error
    return content
