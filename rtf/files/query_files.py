"""Query files -> queries, one after the other: what `rtf check` and `rtf register` read.

Three kinds of input, told apart by the ending of the name, or else (stdin, any other ending) by the first character
that is not blank, since no query begins with `{`:

- `*.rq`, `*.sparql`: one query; its id is the name of the file without the ending.
- the same with several queries: a line that begins with `# id:` starts the query of that id. It is a comment, so every
  query stays one that any SPARQL tool reads. Only within a string of several lines could such a line mean something
  else; the string is then cut and never closed, so this is an error and never another query in silence. To write it
  there, put a blank before the `#`.
- `*.jsonl`, `*.ndjson`: JSON Lines, an object a line with `id` and `text` (or `query`), and perhaps `owner`, a string,
  and `tags`, an array of strings. Other fields are not looked at.

All of it is UTF-8. A file is never held as a whole, only one query of it, however long its lines are. What is wrong
with one query or one line is reported as a value in its place, and reading goes on.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

__all__ = ["STDIN", "FileProblem", "QueryRecord", "read_queries"]

STDIN: Final = "-"
_STDIN_SOURCE: Final = "<stdin>"  # what it is called in messages
QUERY_ENDINGS: Final = (".rq", ".sparql")
JSON_ENDINGS: Final = (".jsonl", ".ndjson")

_ID_LINE: Final = re.compile(r"#[ \t]*id[ \t]*:(.*)", re.IGNORECASE | re.DOTALL)
_BOM: Final = b"\xef\xbb\xbf"
_UTF16: Final = (b"\xff\xfe", b"\xfe\xff")
_MAX_SIZE: Final = 4_000_000  # bytes; the parser refuses texts that are shorter than this, so a dump need not be kept
_TOO_LONG: Final = f"longer than {_MAX_SIZE:,} bytes: this is no query"


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """A query as it was found. `line` is where its text begins in the source, counted from 1."""

    source: str  # a file as it was named, or "<stdin>"
    line: int
    id: str
    text: str
    quoted: bool = False  # the text is a JSON string, so that its lines are not those of the source
    owner: str | None = None
    tags: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Source and line."""
        return f"{self.source}:{self.line}"


@dataclass(frozen=True, slots=True)
class FileProblem:
    """What cannot be read as a query. Without a line it is the source as a whole."""

    source: str
    line: int | None
    message: str

    @property
    def place(self) -> str:
        """Source and line, as far as known."""
        return self.source if self.line is None else f"{self.source}:{self.line}"


Found: TypeAlias = QueryRecord | FileProblem
Line: TypeAlias = tuple[int, bytes]


def read_queries(
    names: Iterable[str], stdin: BinaryIO | None = None, advance: Callable[[int], object] = lambda _: None
) -> Iterator[Found]:
    """The queries of files, of all `*.rq` and `*.sparql` files in folders, and of stdin where a name is "-".

    `advance` is told the size in bytes of each line that was read.
    """
    for name in names:
        path = Path(name)
        if name == STDIN:
            yield from _read(_STDIN_SOURCE, "stdin", "", sys.stdin.buffer if stdin is None else stdin, advance)
        elif _is_folder(path):
            files = sorted(file for file in path.rglob("*") if file.suffix in QUERY_ENDINGS and not file.is_dir())
            if not files:
                yield FileProblem(name, None, "there is no *.rq or *.sparql file in this folder")
            for file in files:
                yield from _read_file(str(file), advance)
        else:
            yield from _read_file(name, advance)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long; opening it says so
        return False


def _read_file(name: str, advance: Callable[[int], object]) -> Iterator[Found]:
    path = Path(name)
    try:
        with path.open("rb") as lines:
            yield from _read(name, path.stem, path.suffix, lines, advance)
    except OSError as error:
        message = (error.strerror or str(error)).lower()
        if "{" in name:  # somebody has put the query itself on the command line
            message += "; to check a text that is no file, pipe it into `rtf check -`"
        yield FileProblem(name, None, message)


def _read(source: str, stem: str, ending: str, file: BinaryIO, advance: Callable[[int], object]) -> Iterator[Found]:
    """The queries of one source. `stem` is the id of a query that has no other."""
    numbered = _numbered(file, advance)
    seen: list[Line] = []  # up to the first line that is not blank
    for line in numbered:
        seen.append(line)
        if line[1].strip():
            break
    else:
        yield FileProblem(source, None, "there is no query in it")
        return
    start = seen[-1][1].strip()
    if start.startswith(_UTF16):
        yield FileProblem(source, None, "this is UTF-16; save it as UTF-8")
        return
    if b"\0" in start:
        yield FileProblem(source, None, "this is no UTF-8 text: it has NUL bytes, as UTF-16 and binary files do")
        return
    is_json = start.startswith((b"{", b"[")) if ending not in QUERY_ENDINGS + JSON_ENDINGS else ending in JSON_ENDINGS
    numbered = chain(seen, numbered)
    yield from _json_lines(source, numbered) if is_json else _queries(source, stem, numbered)


def _numbered(file: BinaryIO, advance: Callable[[int], object]) -> Iterator[Line]:
    """The lines with their numbers. A line that is too long is cut, but so that it still is too long."""
    number = 0
    while line := file.readline(_MAX_SIZE + 1):
        number += 1
        advance(len(line))
        rest = line
        while len(rest) > _MAX_SIZE and not rest.endswith(b"\n"):
            rest = file.readline(_MAX_SIZE + 1)
            advance(len(rest))
        yield number, line.removeprefix(_BOM) if number == 1 else line


# --- queries as such --------------------------------------------------------------------------------------------------


class _Piece:
    """The lines from one `# id:` line to the next."""

    def __init__(self, id: str, line: int) -> None:
        self.id = id
        self.line = line
        self.size = 0
        self.parts: list[str] = []
        self.broken = False  # and said so

    @property
    def first_line(self) -> int | None:
        """Where the first line is that is neither blank nor a comment."""
        lines = enumerate(self.parts, self.line)
        return next((number for number, line in lines if line.strip() and not line.lstrip().startswith("#")), None)


def _queries(source: str, stem: str, lines: Iterator[Line]) -> Iterator[Found]:
    piece = _Piece(stem, 1)
    is_head = True  # before the first `# id:` line
    for number, raw in lines:
        line, problem = _decoded(raw)
        match = _ID_LINE.match(line)
        if match:
            yield from _before_first(source, piece) if is_head else _finished(source, piece)
            is_head = False
            piece = _Piece(match[1].strip(), number + 1)
            if not piece.id:
                problem = "`# id:` starts a query, but its id is missing"
        else:
            piece.size += len(raw)
            if piece.size > _MAX_SIZE:
                problem = _TOO_LONG
                piece.parts.clear()
            else:
                piece.parts.append(line)
        if problem and not piece.broken:
            yield FileProblem(source, piece.line if problem is _TOO_LONG else number, problem)
            piece.broken = True
    if is_head and not piece.broken and piece.first_line is None:
        yield FileProblem(source, None, "there is no query in it, only comments")
    else:
        yield from _finished(source, piece)


def _finished(source: str, piece: _Piece) -> Iterator[Found]:
    if piece.broken:
        return  # and said so
    if piece.first_line is None:
        yield FileProblem(source, piece.line - 1, f"there is no query under `# id: {piece.id}`")
    else:
        yield QueryRecord(source, piece.line, piece.id, "".join(piece.parts).rstrip())


def _before_first(source: str, piece: _Piece) -> Iterator[Found]:
    """Comments on the whole file may stand there; nothing else, since nothing is ignored in silence."""
    if not piece.broken and piece.first_line is not None:
        message = "this stands before the first `# id:` line, so it belongs to no query"
        yield FileProblem(source, piece.first_line, message)


def _decoded(raw: bytes) -> tuple[str, str | None]:
    """The line, and what is wrong with it. A wrong line may still be seen to start a query."""
    try:
        return (raw.decode(), None) if len(raw) <= _MAX_SIZE else ("", _TOO_LONG)
    except UnicodeDecodeError as error:
        return raw.decode(errors="replace"), _not_utf8(raw, error)


def _not_utf8(line: bytes, error: UnicodeDecodeError) -> str:
    column = len(line[: error.start].decode()) + 1
    return f"column {column} is not UTF-8 (byte 0x{line[error.start]:02x}); save the file as UTF-8"


# --- JSON Lines -------------------------------------------------------------------------------------------------------


def _json_lines(source: str, lines: Iterator[Line]) -> Iterator[Found]:
    for number, raw in lines:
        if len(raw) > _MAX_SIZE:
            yield FileProblem(source, number, _TOO_LONG)
        elif raw.strip():
            try:
                yield _json_query(source, number, raw)
            except UnicodeDecodeError as error:
                yield FileProblem(source, number, _not_utf8(raw, error))
            except json.JSONDecodeError as error:
                yield FileProblem(source, number, f"column {error.colno} is not JSON: {error.msg}")
            except ValueError as error:
                yield FileProblem(source, number, str(error))
            except RecursionError:
                yield FileProblem(source, number, "this is JSON, but nested too deeply")


def _json_query(source: str, number: int, raw: bytes) -> QueryRecord:
    """ValueError says what is wrong."""
    value = json.loads(raw.decode().rstrip())  # of what ends too early, the place is the end of this line
    if not isinstance(value, dict):
        raise ValueError("not a JSON object; write one object a line, with `id` and `text`")
    name = _named(value.get("id"))
    if not isinstance(name, str) or not name.strip():
        raise ValueError("`id` must be a string that is not empty" if "id" in value else "there is no `id`")
    if "text" in value and "query" in value and value["text"] != value["query"]:
        raise ValueError("`text` and `query` mean the same, but have different values here; leave one out")
    text = value.get("text", value.get("query"))
    if not isinstance(text, str):
        raise ValueError("`text` must be a string" if {"text", "query"} & value.keys() else "there is no `text`")
    owner = _named(value.get("owner"))
    if owner is not None and not isinstance(owner, str):
        raise ValueError("`owner` must be a string")
    tags = value.get("tags") or []
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ValueError("`tags` must be an array of strings")
    for each in (name, text, owner or "", *tags):
        if not each.isascii() and any("\ud800" <= character <= "\udfff" for character in each):
            raise ValueError("half a surrogate pair (\\ud800 to \\udfff) is no character")
    return QueryRecord(source, number, name, text, quoted=True, owner=owner, tags=tuple(tags))


def _named(value: object) -> object:
    """An id or an owner may be a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value
