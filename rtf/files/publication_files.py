"""Files of RDF -> publications, one file after the other: what `rtf match` and `rtf explain` read.

A file is read as a whole, because the triples of a subject may stand anywhere in it; dumps that are too large for that
are for the Spark pipeline. A file that cannot be read is reported as a value in its place, and reading goes on.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Literal, TypeAlias

from sparql_ft import Publication, PublicationError
from sparql_ft.publication import FORMATS, format_name

__all__ = ["GROUPINGS", "STDIN", "Grouping", "UnreadableFile", "read_publications"]

STDIN: Final = "-"
Grouping: TypeAlias = Literal["subject", "graph", "file"]
GROUPINGS: Final[tuple[Grouping, ...]] = ("subject", "graph", "file")
_COMPRESSED: Final = {".gz": "zcat", ".bz2": "bzcat", ".xz": "xzcat", ".zst": "zstdcat"}


@dataclass(frozen=True, slots=True)
class UnreadableFile:
    """A file without publications: what is wrong, where if that is known, and what to do."""

    source: str
    message: str
    line: int | None = None
    column: int | None = None
    hint: str | None = None

    @property
    def place(self) -> str:
        """File, line and column, as far as known."""
        return self.source if self.line is None else f"{self.source}:{self.line}:{self.column}"


def read_publications(
    names: Iterable[str],
    format: str | None = None,
    grouping: Grouping = "subject",
    base: str | None = None,
    stdin: BinaryIO | None = None,
    advance: Callable[[int], object] = lambda _: None,
) -> Iterator[Publication | UnreadableFile]:
    """The publications of files, and of stdin where a name is "-".

    `format` is that of all of them; without it the ending of each name tells. By "subject", each subject of the default
    graph is a publication, and each named graph; by "graph", the default graph is one, with the name of the file; by
    "file", all of a file is one, with the name of the file, and then it may have one graph only.

    `advance` is told the size in bytes of each file that was read.
    """
    for name in names:
        is_stdin = name == STDIN
        try:
            if not is_stdin and Path(name).is_dir():
                raise PublicationError("this is a folder", hint="name the files in it")
            chosen = _format(name, format)
            data = (sys.stdin.buffer if stdin is None else stdin).read() if is_stdin else Path(name).read_bytes()
            advance(len(data))
            file = "stdin" if is_stdin else name
            yield from _grouped(Publication.parse_many(data, chosen, base, file=file), grouping, file)
        except PublicationError as error:
            source = "<stdin>" if is_stdin else name
            yield UnreadableFile(source, error.message, error.line, error.column, error.hint)
        except OSError as error:
            yield UnreadableFile(name, (error.strerror or str(error)).lower())


def _format(name: str, format: str | None) -> str:
    if format is not None:
        return format_name(format)
    ending = Path(name).suffix.lower()
    if ending in _COMPRESSED:
        command = f"{_COMPRESSED[ending]} {name} | rtf match - --input-format nt"
        raise PublicationError("this file is compressed", hint=f"decompress it first, as in: {command}")
    try:
        return format_name(ending)
    except PublicationError:
        told = f"the ending {ending!r}" if ending else "stdin" if name == STDIN else "a name without ending"
        raise PublicationError(f"{told} does not tell the format", hint=_choose()) from None


def _choose() -> str:
    return f"add --input-format, which is one of {', '.join(FORMATS)}"


def _grouped(publications: list[Publication], grouping: Grouping, file: str) -> list[Publication]:
    """The publications of one file as they were asked for."""
    if grouping == "subject":
        return publications
    named = [publication for publication in publications if publication.graph is not None]
    triples = tuple(triple for publication in publications if publication.graph is None for triple in publication)
    default = [Publication(file, triples)] if triples else []
    if grouping == "graph":
        return [*default, *named]
    if len(default) + len(named) > 1:
        message = f"this file holds {len(default) + len(named)} graphs, so it is not one publication"
        raise PublicationError(message, hint="add `--publication graph`, which makes a publication of each")
    whole = next(iter((*default, *named)), Publication(file, ()))  # an empty one may match, too
    return [Publication(file, whole.triples, whole.graph)]
