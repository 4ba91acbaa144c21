"""The files of a dump, as the driver sees them: which there are, what they are called, and how each is to be read.

Files are found and opened by Hadoop's file systems, so a dump can be wherever Spark reads: on disk, in HDFS, in S3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from rtf.pipeline.errors import PipelineError
from sparql_ft import PublicationError
from sparql_ft.publication import FORMATS, format_name

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["LINE_FORMATS", "DumpFile", "Files", "check_output", "find_files", "looks_like_lines", "path_key"]

LINE_FORMATS: Final = ("nt", "nq")
_HEAD: Final = 65_536  # bytes that are looked at
_STATEMENTS: Final = 20  # lines among them that decide
_GLOB: Final = re.compile(r"[*?\[\]{}\\]")
_DIRECTIVE: Final = re.compile(rb"\s*(@prefix|@base|prefix\s|base\s)", re.IGNORECASE)
_MAGIC: Final = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
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
    files = Files(spark)
    found: dict[str, DumpFile] = {}
    for name in names:
        for status, called in files.named(name):
            path = status.getPath()
            uri = path_key(path.toUri().toString())
            if uri not in found:
                size = status.getLen()
                files.check(path, called, size)
                chosen = format_name(format) if format else files.format(path, called)
                found[uri] = DumpFile(uri, path.toString(), called, size, chosen)
    return list(found.values())


def check_output(spark: SparkSession, folder: str, *, overwrite: bool) -> None:
    """PipelineError if there is such a folder, and it may not be replaced: better now than after the job."""
    if Files(spark).exists(folder) and not overwrite:
        raise PipelineError(f"{folder} is there already", hint="choose another folder, or add --overwrite")


def path_key(path: str) -> str:
    """The path of a file by which it is known: Spark writes some with one slash after `file:` and some with three."""
    return re.sub("^file:/+", "file:/", path)


class Files:
    """Hadoop's file systems."""

    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark.sparkContext._jvm
        self._jvm = jvm
        self._conf: Any = spark.sparkContext._jsc.hadoopConfiguration()
        self._codecs = self._jvm.org.apache.hadoop.io.compress.CompressionCodecFactory(self._conf)

    def named(self, name: str) -> Iterator[tuple[Any, str]]:
        """The files that a name stands for, each with the name that people would call it by."""
        from py4j.protocol import Py4JJavaError

        try:
            pattern = self._jvm.org.apache.hadoop.fs.Path(name)
            system = pattern.getFileSystem(self._conf)
            matches = list(system.globStatus(pattern) or [])
            if not matches:
                raise PipelineError(f"{name}: there is no such file or folder")
            base = name.rstrip("/") or name
            wild = _GLOB.search(base)
            if wild:
                base = base[: wild.start()].rpartition("/")[0]
            root = system.makeQualified(self._jvm.org.apache.hadoop.fs.Path(base or ".")).toString().rstrip("/")
            before = len(root)
            for match in matches:
                for status in self._files_in(system, match):
                    rest = status.getPath().toString()[before:]
                    yield status, base + rest if base else rest.removeprefix("/")
        except Py4JJavaError as error:
            raise PipelineError(f"{name}: {error.java_exception.getMessage()}") from error

    def exists(self, name: str) -> bool:
        """Whether there is a file or folder of this name."""
        path = self._jvm.org.apache.hadoop.fs.Path(name)
        return bool(path.getFileSystem(self._conf).exists(path))

    def _files_in(self, system: Any, status: Any) -> Iterator[Any]:
        """A file, or those of a folder and its folders; hidden ones are left out, as Spark does."""
        if not status.isDirectory():
            yield status
            return
        for child in sorted(system.listStatus(status.getPath()), key=lambda each: str(each.getPath().getName())):
            if not child.getPath().getName().startswith((".", "_")):
                yield from self._files_in(system, child)

    def check(self, path: Any, name: str, size: int) -> None:
        """PipelineError for a compressed file with such damage that Spark would read less, and say nothing."""
        ending = _compression(name)
        if ending is None:
            return
        if self._read(path, 0, len(_MAGIC[ending])) != _MAGIC[ending]:
            raise PipelineError(f"{name}: this is no {ending} file", hint="fetch it again, or give it another ending")
        if ending == ".bz2":
            tail = int.from_bytes(self._read(path, max(size - 11, 0), 11), "big")
            if not any(tail >> (32 + shift) & (1 << 48) - 1 == _BZ2_END for shift in range(8)):
                raise PipelineError(f"{name}: the end of this .bz2 file is missing", hint="fetch it again")

    def format(self, path: Any, name: str) -> str:
        """The format of a file, by the ending of its name or its leading lines. PipelineError if nothing tells."""
        plain = name.removesuffix(_compression(name) or "")
        ending = re.search(r"\.[^./]+$", plain)
        try:
            told = format_name(ending[0]) if ending else None
        except PublicationError:
            told = None
        if told in ("jsonld", "xml", *LINE_FORMATS):
            return told
        if looks_like_lines(self._head(path)):
            return "nq"
        if told is None:
            raise PipelineError(
                f"{name}: the ending of its name does not tell the format, and it does not look like N-Triples",
                hint=f"add --input-format, which is one of {', '.join(FORMATS)}",
            )
        return told

    def _head(self, path: Any) -> bytes:
        """The first bytes of a file, decompressed."""
        stream = path.getFileSystem(self._conf).open(path)
        try:
            if path.getName().endswith(".zst"):  # Hadoop's codec needs a native library; Spark brings its own
                plain = self._jvm.com.github.luben.zstd.ZstdInputStream(stream)
            else:
                codec = self._codecs.getCodec(path)
                plain = stream if codec is None else codec.createInputStream(stream)
            return bytes(plain.readNBytes(_HEAD))
        finally:
            stream.close()

    def _read(self, path: Any, start: int, count: int) -> bytes:
        stream = path.getFileSystem(self._conf).open(path)
        try:
            stream.seek(start)
            return bytes(stream.readNBytes(count))
        finally:
            stream.close()


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
