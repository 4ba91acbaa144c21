"""The first publications of a dump, without reading all of it: files of lines are read as far as they are needed.

Only for a comparison, which can do with some publications. Subjects are put together over all files, because dumps as
those of DBpedia have labels in one file and abstracts in another; but of each file only the first subjects are read, so
one whose triples lie far apart comes as what is there of it.
"""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, Final

from rtf.files.publication_files import Grouping, UnreadableFile, read_publications
from sparql_ft import Publication, PublicationError
from sparql_ft.publication import GraphName, format_name
from sparql_ft.terms import Triple

__all__ = ["first_publications"]

_LINES: Final = 10_000  # read at first; twice as many each time
_COMPRESSED: Final = (".gz", ".bz2")


def first_publications(
    names: Iterable[str], count: int, format: str | None, grouping: Grouping, base: str | None
) -> Iterator[Publication | UnreadableFile]:
    """At most so many publications of files; first of all what cannot be read."""
    each_file = (islice(_of_file(name, count, format, grouping, base), count) for name in names)
    if grouping == "subject":
        yield from islice(_together(chain.from_iterable(each_file)), count)
    else:
        yield from islice(chain.from_iterable(each_file), count)


def _together(found: Iterable[Publication | UnreadableFile]) -> Iterator[Publication | UnreadableFile]:
    """The publications of all files, those with the same subject as one, after what could not be read."""
    triples: dict[tuple[str, GraphName | None], list[Triple]] = {}
    for each in found:
        if isinstance(each, UnreadableFile):
            yield each
        else:
            triples.setdefault((each.id, each.graph), []).extend(each.triples)
    for (id, graph), some in triples.items():
        yield Publication(id, tuple(some), graph)


def _of_file(
    name: str, count: int, format: str | None, grouping: Grouping, base: str | None
) -> Iterator[Publication | UnreadableFile]:
    path = Path(name)
    is_compressed = path.suffix.lower() in _COMPRESSED
    kind = format or (Path(path.stem) if is_compressed else path).suffix.lower()
    try:
        is_lines = format_name(kind) in ("nt", "nq")
    except PublicationError:
        is_lines = False
    if not is_lines or grouping != "subject" or not path.is_file():
        yield from read_publications([name], format, grouping, base)  # which says what is wrong
        return
    try:
        with _opened(path) as file:
            yield from _leading(file, count, kind, base, name)
    except PublicationError as error:
        yield UnreadableFile(name, error.message, error.line, error.column, error.hint)
    except (OSError, EOFError) as error:
        yield UnreadableFile(name, (getattr(error, "strerror", None) or str(error)).lower())


def _opened(path: Path) -> gzip.GzipFile | bz2.BZ2File | BinaryIO:
    match path.suffix.lower():
        case ".gz":
            return gzip.open(path)
        case ".bz2":
            return bz2.open(path)
        case _:
            return path.open("rb")


def _leading(file: Iterable[bytes], count: int, format: str, base: str | None, name: str) -> list[Publication]:
    """Of the leading lines, more of them until there are enough; the last one may lack some, unless all was read."""
    data, lines = b"", _LINES
    while True:
        more = b"".join(islice(file, lines))
        data += more
        found = Publication.parse_many(data, format, base, file=name)
        if not more or len(found) > count:
            return found[:count]
        lines *= 2
