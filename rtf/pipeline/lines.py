"""Lines of N-Triples and N-Quads -> rows of INPUT.

The kernel takes apart what is certainly valid, without a Python object a line. Every other line is judged by
pyoxigraph, one by one: it is a triple after all, or a bad line.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from rtf.files.publication_files import Grouping
from rtf.pipeline import line_kernel as kernel
from rtf.pipeline.dump import path_key
from rtf.pipeline.rows import INPUT, TRIPLE, bad_rows, count_rows, rows
from rtf.pipeline.tally import Tally
from rtf.pipeline.text_buffers import Numbers, text_buffers
from sparql_ft import Publication, PublicationError
from sparql_ft.publication import GraphName, publication_id
from sparql_ft.terms import BlankNode, Term

__all__ = ["BAD_LINES", "BLANKS", "COMMENTS", "LINES", "LINE_COUNTS", "TRIPLES", "FileScope", "LineReader", "file_name"]

LINES, TRIPLES, BLANKS, COMMENTS, BAD_LINES = "lines", "line triples", "blank lines", "comments", "bad lines"
LINE_COUNTS: Final = (TRIPLES, BLANKS, COMMENTS, BAD_LINES)
"""What lines are counted as: together they must be LINES."""

_QUOTED: Final = ord("<")


@dataclass(frozen=True)
class FileScope:
    """The names of blank nodes in a file: no two files have one in common.

    In the id of a publication a blank node is `_:<file>_<label>`. Terms must be N-Triples, so the file's name is a
    number there.
    """

    file: str

    @cached_property
    def prefix(self) -> str:
        """What stands before each label."""
        return f"f{blake2b(self.file.encode(errors='surrogatepass'), digest_size=8).hexdigest()}_"

    def text(self, term: Term) -> str:
        """The term in N-Triples."""
        return f"_:{self.prefix}{term.label}" if isinstance(term, BlankNode) else str(term)

    def publication(self, subject: GraphName, graph: GraphName | None, grouping: Grouping) -> str:
        """The id of the publication that a triple belongs to."""
        if grouping == "file" or (grouping == "graph" and graph is None):
            return self.file
        return publication_id(subject if graph is None else graph, self.file)


@dataclass(frozen=True)
class LineReader:
    """Reads batches of the columns `line` and `file`.

    `names` are the names of files by their paths; one that is not there is named by its path.
    """

    grouping: Grouping = "subject"
    only_triples: bool = False  # N-Triples: a fourth term is an error
    names: Mapping[str, str] | None = None
    tally: Tally | None = None

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Rows of triples and of bad lines, and at the end the counts."""
        counts: Counter[str] = Counter()
        for batch in batches:
            lines, files = batch.column("line"), batch.column("file")
            for start, end in _runs(files):
                path = files[start].as_py()
                scope = FileScope(file_name(path, self.names))
                yield from self._read(lines.slice(start, end - start), scope, counts)
        if counts:
            yield count_rows(counts)

    def _read(self, lines: pa.Array, scope: FileScope, counts: Counter[str]) -> Iterator[pa.RecordBatch]:
        data, offsets = text_buffers(lines)
        kinds = np.empty(len(lines), np.int8)
        bounds = np.empty((len(lines), 8), np.int64)
        kernel.scan(data, offsets, kinds, bounds)
        kinds[_not_utf8(lines, offsets, data)] = kernel.UNSURE
        if self.only_triples:
            kinds[kinds == kernel.QUAD] = kernel.UNSURE
        taken = (kinds == kernel.TRIPLE) | (kinds == kernel.QUAD)
        unsure = np.flatnonzero(kinds == kernel.UNSURE)
        counts[LINES] += len(lines)
        counts[BLANKS] += int(np.count_nonzero(kinds == kernel.BLANK))
        counts[COMMENTS] += int(np.count_nonzero(kinds == kernel.COMMENT))
        counts[TRIPLES] += int(np.count_nonzero(taken))
        if self.tally is not None:
            self.tally.add({"triples": int(np.count_nonzero(taken))})
        if taken.any():
            yield self._taken_apart(data, bounds if taken.all() else bounds[taken], scope)
        if len(unsure):
            yield from self._judged((data[offsets[row] : offsets[row + 1]].tobytes() for row in unsure), scope, counts)

    def _taken_apart(self, data: Numbers, bounds: Numbers, scope: FileScope) -> pa.RecordBatch:
        """The rows of lines that the kernel took apart."""

        def terms(place: int) -> pa.Array:
            return _texts(data, bounds[:, 2 * place], bounds[:, 2 * place + 1], f"_:{scope.prefix}")

        has_graph = bounds[:, 6] > 0
        columns = {"predicate": terms(1), "object": terms(2)}
        if self.grouping != "subject" or has_graph.any() or (data[bounds[:, 0]] != _QUOTED).any():
            columns["subject"] = terms(0)  # else it is the publication, and need not be sent about twice
        if has_graph.any():
            graphs = terms(3)
            columns["graph"] = pa.Array.from_buffers(
                pa.string(), len(graphs), [pa.array(has_graph).buffers()[1], *graphs.buffers()[1:]]
            )
        if self.grouping == "file":
            columns["publication"] = pa.repeat(pa.scalar(scope.file, pa.string()), len(bounds))
        else:
            start = np.where(has_graph, bounds[:, 6], bounds[:, 0])
            end = np.where(has_graph, bounds[:, 7], bounds[:, 1])
            is_iri = data[start] == _QUOTED
            ids = _texts(data, start + is_iri, end - is_iri, f"_:{scope.file}_")
            if self.grouping == "graph" and not has_graph.all():
                ids = pc.if_else(pa.array(has_graph), ids, pa.scalar(scope.file, pa.string()))
            columns["publication"] = ids
        return rows(INPUT, TRIPLE, len(bounds), columns)

    def _judged(self, lines: Iterable[bytes], scope: FileScope, counts: Counter[str]) -> Iterator[pa.RecordBatch]:
        """The rows of lines that pyoxigraph has to judge."""
        found: list[tuple[str, str | None, str, str, str]] = []
        bad: list[tuple[str, str, str]] = []
        for line in lines:
            try:
                (subject, predicate, object_), graph = self._parsed(line)
            except PublicationError as error:
                place = "" if error.column is None else f"column {error.column}: "
                bad.append((scope.file, line.decode(errors="backslashreplace"), place + error.message))
                continue
            found.append(
                (
                    scope.publication(subject, graph, self.grouping),
                    None if graph is None else scope.text(graph),
                    scope.text(subject),
                    scope.text(predicate),
                    scope.text(object_),
                )
            )
        counts[TRIPLES] += len(found)
        counts[BAD_LINES] += len(bad)
        if found:
            names = ("publication", "graph", "subject", "predicate", "object")
            columns = {name: pa.array([row[place] for row in found], pa.string()) for place, name in enumerate(names)}
            yield rows(INPUT, TRIPLE, len(found), columns)
        if bad:
            yield bad_rows(bad)

    def _parsed(self, line: bytes) -> tuple[Any, GraphName | None]:
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise PublicationError(f"byte {error.start + 1} is no UTF-8 ({error.reason})") from error
        publication = Publication.parse(line, "nt" if self.only_triples else "nq", id="")
        if len(publication.triples) != 1:
            raise PublicationError(f"{len(publication.triples)} statements in one line")
        return publication.triples[0], publication.graph


def file_name(path: str, names: Mapping[str, str] | None) -> str:
    """What a file is called: by `names`, or else by its path."""
    key = path_key(path)
    return (names or {}).get(key, key)


def _runs(files: pa.Array) -> Iterator[tuple[int, int]]:
    """Rows that follow each other and have the same file, as [start, end)."""
    if not len(files):
        return
    differs = pc.not_equal(files.slice(1), files.slice(0, len(files) - 1)).to_numpy(zero_copy_only=False)
    edges = [0, *(np.flatnonzero(differs) + 1).tolist(), len(files)]
    yield from itertools.pairwise(edges)


def _not_utf8(lines: pa.Array, offsets: Numbers, data: Numbers) -> list[int]:
    """The lines that are no UTF-8; Spark passes them through as they are."""
    try:
        lines.validate(full=True)
    except pa.ArrowInvalid:
        return [row for row in range(len(lines)) if not _is_utf8(data[offsets[row] : offsets[row + 1]].tobytes())]
    return []


def _is_utf8(octets: bytes) -> bool:
    try:
        octets.decode()
    except UnicodeDecodeError:
        return False
    return True


def _texts(data: Numbers, starts: Numbers, ends: Numbers, prefix: str) -> pa.Array:
    """A column of pieces of the data, with the prefix in place of the `_:` of a blank node."""
    octets = np.frombuffer(prefix.encode(errors="surrogatepass"), np.uint8)
    size = kernel.gathered_size(data, starts, ends, octets)
    offsets = np.empty(len(starts) + 1, np.int32)
    out = np.empty(size, np.uint8)
    kernel.gather(data, starts, ends, octets, offsets, out)
    return pa.Array.from_buffers(pa.string(), len(starts), [None, pa.py_buffer(offsets), pa.py_buffer(out)])
