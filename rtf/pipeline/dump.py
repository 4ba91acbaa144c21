"""The files of a dump, as the driver sees them: which there are, what they are called, and how each is to be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rtf.pipeline.errors import PipelineError
from rtf.pipeline.file_system import FileSystem
from sparql_ft import PublicationError
from sparql_ft.publication import FORMATS, format_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["LINE_FORMATS", "DumpFile", "check_output", "described", "find_files", "looks_like_lines", "path_key"]

LINE_FORMATS: Final = ("nt", "nq")
_HEAD: Final = 65_536  # bytes that are looked at
_STATEMENTS: Final = 20  # lines among them that decide
_GLOB: Final = re.compile(r"[*?\[\]{}\\]")
_DIRECTIVE: Final = re.compile(rb"\s*(@prefix|@base|prefix\s|base\s)", re.IGNORECASE)
_MAGIC: Final = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
_ZST_SKIPPED: Final = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")  # a frame without data, which may come first
_BZ2_END: Final = 0x177245385090  # before the check sum at the end of a stream, at any bit


@dataclass(frozen=True, slots=True)
class DumpFile:
    """A file of a dump."""

    path: str  # as `path_key` has it
    location: str  # as Spark is told it
    name: str  # as people call it: by the argument that named it, or its folder
    size: int
    format: str  # a key of FORMATS; all of LINE_FORMATS are read line by line


def find_files(spark: SparkSession, names: Iterable[str], format: str | None = None) -> list[DumpFile]:
    """The files of these names, folders and patterns, each once. PipelineError if there are none of some name.

    `format` is that of all of them; without it the ending of a name tells, and where that says little (a `.ttl` of
    DBpedia is N-Triples), the leading lines do.
    """
    system = FileSystem(spark)
    found: dict[str, DumpFile] = {}
    for name in names:
        for status, called in _named(system, name):
            key = path_key(status.getPath().toUri().toString())
            if key not in found:
                found[key] = described(system, status, called, format)
    return list(found.values())


def described(system: FileSystem, status: Any, name: str, format: str | None) -> DumpFile:
    """A file, with how it is to be read. PipelineError if that is not known, or if it is damaged."""
    path, size = status.getPath(), status.getLen()
    _check(system, path, name, size)
    chosen = format_name(format) if format else _format(system, path, name)
    return DumpFile(path_key(path.toUri().toString()), path.toString(), name, size, chosen)


def check_output(spark: SparkSession, folder: str, *, overwrite: bool) -> None:
    """PipelineError if there is such a folder, and it may not be replaced: better now than after the job."""
    if FileSystem(spark).exists(folder) and not overwrite:
        raise PipelineError(f"{folder} is there already", hint="choose another folder, or add --overwrite")


def path_key(path: str) -> str:
    """The path of a file by which it is known: Spark writes some with one slash after `file:` and some with three."""
    return re.sub("^file:/+", "file:/", path)


def _named(system: FileSystem, name: str) -> Iterator[tuple[Any, str]]:
    """The files that a name stands for, each with the name that people would call it by."""
    from py4j.protocol import Py4JJavaError

    try:
        matches = system.matching(name)
        if not matches:
            raise PipelineError(f"{name}: there is no such file or folder")
        base = name.rstrip("/") or name
        wild = _GLOB.search(base)
        if wild:
            base = base[: wild.start()].rpartition("/")[0]
        before = len(system.qualified(base or ".").rstrip("/"))
        for match in matches:
            for status in system.files_in(match):
                rest = status.getPath().toString()[before:]
                yield status, base + rest if base else rest.removeprefix("/")
    except Py4JJavaError as error:
        raise PipelineError(f"{name}: {error.java_exception.getMessage()}") from error


def _check(system: FileSystem, path: Any, name: str, size: int) -> None:
    """PipelineError for a compressed file with such damage that Spark would read less, and say nothing."""
    ending = _compression(name)
    if ending is None:
        return
    head = system.read(path, 0, 4)
    if not head.startswith(_MAGIC[ending]) and not (ending == ".zst" and _ZST_SKIPPED.match(head)):
        raise PipelineError(f"{name}: this is no {ending} file", hint="fetch it again, or give it another ending")
    if ending == ".bz2":
        tail = int.from_bytes(system.read(path, max(size - 11, 0), 11), "big")
        if not any(tail >> (32 + shift) & (1 << 48) - 1 == _BZ2_END for shift in range(8)):
            raise PipelineError(f"{name}: the end of this .bz2 file is missing", hint="fetch it again")


def _format(system: FileSystem, path: Any, name: str) -> str:
    """The format of a file, by the ending of its name or its leading lines. PipelineError if nothing tells."""
    plain = name.removesuffix(_compression(name) or "")
    ending = re.search(r"\.[^./]+$", plain)
    try:
        told = format_name(ending[0]) if ending else None
    except PublicationError:
        told = None
    if told in ("jsonld", "xml", *LINE_FORMATS):
        return told
    if looks_like_lines(system.head(path, _HEAD)):
        return "nq"
    if told is None:
        raise PipelineError(
            f"{name}: the ending of its name does not tell the format, and it does not look like N-Triples",
            hint=f"add --input-format, which is one of {', '.join(FORMATS)}",
        )
    return told


def looks_like_lines(head: bytes) -> bool:
    """Whether the beginning of a file is that of N-Triples or N-Quads, rather than Turtle: most lines are a triple."""
    import pyarrow as pa

    from rtf.pipeline.lines import LINES, TRIPLES, LineReader
    from rtf.pipeline.rows import COUNT

    lines = head.splitlines()
    if len(head) == _HEAD and len(lines) > 1:
        lines.pop()  # it may go on
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith(b"#")][:_STATEMENTS]
    if not lines or any(_DIRECTIVE.match(line) for line in lines):
        return False
    texts = pa.array([line.decode(errors="replace") for line in lines], pa.string())
    *_, last = LineReader()([pa.record_batch([texts, pa.repeat("", len(lines))], ["line", "file"])])
    counts = {row["publication"]: int(row["object"]) for row in last.to_pylist() if row["kind"] == COUNT}
    return 2 * counts[TRIPLES] > counts[LINES]


def _compression(name: str) -> str | None:
    return next((ending for ending in _MAGIC if name.endswith(ending)), None)
