"""A stream of files, or of lines from any source that Spark knows, against a registry that may change meanwhile.

Spark's Structured Streaming decides which data is micro-batch N, and remembers it in the checkpoint. Before a batch is
matched, the version of the registry is fixed and recorded beside, with the index made of it; its output goes to a
folder of its own. So a batch that has to be repeated after a crash meets the same queries and overwrites what it had
written: every publication is reported exactly once.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rtf.files.publication_files import Grouping
from rtf.pipeline.dump import DumpFile, described
from rtf.pipeline.errors import PipelineError, UnreadableFileError
from rtf.pipeline.file_system import FileSystem
from rtf.pipeline.grouping import gathered
from rtf.pipeline.job import OutputFormat, PartitionBy, Result, Totals, partitions_for, write
from rtf.pipeline.lines import LineReader
from rtf.pipeline.matchers import MatcherSource, shipped
from rtf.pipeline.matching import Matching
from rtf.pipeline.reading import Reading, read_files

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

    from rtf.engine import Engine
    from rtf.ontology import Ontology

__all__ = ["FILES", "BatchDone", "Source", "Watch"]

FILES: Final = "files"
_KEPT: Final = 2  # records of batches: that of the last one, which may have to be repeated, and of the one before


@dataclass(frozen=True)
class Source:
    """Where data comes from: a folder of files, or lines of N-Triples or N-Quads in the column `value` of a source."""

    path: str | None
    format: str = FILES
    options: Mapping[str, str] = field(default_factory=dict)

    def frame(self, spark: SparkSession) -> DataFrame:
        """The stream."""
        if self.format == FILES:
            # Only the paths are used, so that no file is read here.
            reader = spark.readStream.format("binaryFile").option("recursiveFileLookup", "true")
            reader = reader.schema("path STRING, modificationTime TIMESTAMP, length BIGINT, content BINARY")
            return reader.options(**self.options).load(self.path).select("path")
        from py4j.protocol import Py4JJavaError
        from pyspark.errors import PySparkException

        stream = spark.readStream.format(self.format).options(**self.options)
        try:
            frame = stream.load() if self.path is None else stream.load(self.path)
        except (Py4JJavaError, PySparkException) as error:
            said = error.java_exception.getMessage() if isinstance(error, Py4JJavaError) else str(error)
            hint = "is its package there? It is named by --conf spark.jars.packages=…"
            raise PipelineError(f"the source {self.format} cannot be read: {said}", hint=hint) from error
        if "value" not in frame.columns:
            raise PipelineError(
                f"the source {self.format} has no column `value`, but {', '.join(frame.columns)}",
                hint="give one that has: text, socket, kafka …",
            )
        return frame.selectExpr("CAST(value AS STRING) AS value")


@dataclass(frozen=True, slots=True)
class BatchDone:
    """What was done in a micro-batch."""

    number: int
    version: int
    files: int
    totals: Totals
    unreadable: Sequence[tuple[str, str]]  # files, and what is wrong with them


@dataclass(frozen=True)
class Watch:
    """How a stream is matched, and where matches go.

    `engine` makes an engine of the registry as it is now, `fingerprint` tells whether it is another one than before.
    """

    source: Source
    out: str
    checkpoint: str
    engine: Callable[[], Engine]
    fingerprint: Callable[[], str]
    ontology: Ontology | None = None
    grouping: Grouping = "subject"
    input_format: str | None = None
    base: str | None = None
    format: OutputFormat = "parquet"
    partition_by: PartitionBy | None = None
    details: Sequence[str] = ()
    bad_lines: str | None = None
    done: Callable[[BatchDone], None] = lambda _: None

    def start(self, spark: SparkSession, seconds: float | None) -> StreamingQuery:
        """Begin; look for new data every so many seconds, or once if that is None."""
        batches = _Batches(self, spark)
        writer = self.source.frame(spark).writeStream.option("checkpointLocation", self.checkpoint)
        if seconds is None:
            writer = writer.trigger(availableNow=True)
        else:
            writer = writer.trigger(processingTime=f"{seconds} seconds")
        return writer.foreachBatch(batches).start()


@dataclass(frozen=True, slots=True)
class _Record:
    """Which version of the index a batch meets, and of which queries it was made. Versions count from 1."""

    version: int
    fingerprint: str


class _Batches:
    """Does one micro-batch after the other."""

    def __init__(self, watch: Watch, spark: SparkSession) -> None:
        self._watch = watch
        self._files = FileSystem(spark)
        self._spark = spark
        self._shipped: tuple[int, MatcherSource] | None = None

    def __call__(self, frame: DataFrame, number: int) -> None:
        """Match micro-batch `number`. What it raises stops the stream."""
        version, source = self._fixed(number)
        files, unreadable = self._dump(frame)
        totals = None
        while totals is None:
            try:
                totals = self._matched(frame, files, number, version, source, unreadable)
            except UnreadableFileError as error:  # the others need not wait until somebody has repaired it
                unreadable.append((error.file, error.why))
                files = [file for file in files if file.name != error.file]
        self._watch.done(BatchDone(number, version, len(files), totals, unreadable))

    def _matched(
        self,
        frame: DataFrame,
        files: Sequence[DumpFile],
        number: int,
        version: int,
        source: MatcherSource,
        unreadable: Sequence[tuple[str, str]],
    ) -> Totals:
        watch = self._watch
        details = watch.details
        whole_files = watch.grouping == "file"
        matching = Matching(source, "bindings" in details, "highlights" in details, whole_files=whole_files)
        parts = partitions_for(self._spark, files)
        blocks = gathered(self._readings(frame, files, number), parts, whole_files=whole_files)
        result = Result(blocks, matching, {file.path: file.name for file in files})
        try:
            totals = result.totals()
            self._write(result, number, version, unreadable)
        finally:
            result.close()
        return totals

    # --- which queries ------------------------------------------------------------------------------------------------

    def _fixed(self, number: int) -> tuple[int, MatcherSource]:
        """The version that this batch meets: as recorded if it is a repeat, else of the registry as it is now."""
        recorded = self._record(number)
        if recorded is not None:
            if self._shipped is None or self._shipped[0] != recorded.version:
                self._ship(recorded.version, None)
        else:
            before = self._record(number - 1) or _Record(0, "")
            fingerprint = self._watch.fingerprint()
            engine = None
            if fingerprint == before.fingerprint:
                now = before
            else:
                while True:  # until it does not change while it is read
                    engine = self._watch.engine()
                    if self._watch.fingerprint() == fingerprint:
                        break
                    fingerprint = self._watch.fingerprint()
                now = _Record(before.version + 1, fingerprint)
            if self._shipped is None or self._shipped[0] != now.version:
                self._ship(now.version, engine)
            self._files.put(self._place(f"batch-{number}.json"), json.dumps(asdict(now)))
            self._forget(number, {before.version, now.version})
        assert self._shipped is not None
        return self._shipped

    def _record(self, number: int) -> _Record | None:
        name = self._place(f"batch-{number}.json")
        return _Record(**json.loads(self._files.text(name))) if self._files.exists(name) else None

    def _ship(self, version: int, engine: Engine | None) -> None:
        """Send an index to the executors: a new one, which is kept in the checkpoint, or the one that is there."""
        kept = self._place(f"version-{version}.index")
        folder = Path(tempfile.mkdtemp(prefix="rtf-"))
        try:
            path = folder / "index"
            if engine is None:
                self._files.download(kept, str(path))
            else:
                engine.save(path)
                self._files.upload(str(path), kept)
            self._shipped = version, shipped(self._spark, path, self._watch.ontology)
        finally:
            shutil.rmtree(folder)

    def _forget(self, number: int, needed: set[int]) -> None:
        """Delete what no repeat can need."""
        self._files.delete(self._place(f"batch-{number - _KEPT}.json"))
        kept = {f"version-{each}.index" for each in needed}
        for name in self._files.names(self._place("")):
            if name.endswith(".index") and name not in kept:
                self._files.delete(self._place(name))

    def _place(self, name: str) -> str:
        return f"{self._watch.checkpoint.rstrip('/')}/rtf/{name}".rstrip("/")

    # --- which data ---------------------------------------------------------------------------------------------------

    def _dump(self, frame: DataFrame) -> tuple[list[DumpFile], list[tuple[str, str]]]:
        """The files of a batch, and those that cannot be used."""
        watch = self._watch
        found: list[DumpFile] = []
        unreadable: list[tuple[str, str]] = []
        if watch.source.format == FILES and watch.source.path is not None:
            root = self._files.qualified(watch.source.path).rstrip("/")
            for row in frame.select("path").collect():
                status = self._files.status(row["path"])
                whole = str(status.getPath().toString())
                name = watch.source.path.rstrip("/") + whole.removeprefix(root) if whole.startswith(root) else whole
                try:
                    found.append(described(self._files, status, name, watch.input_format))
                except PipelineError as error:
                    unreadable.append((name, error.message.removeprefix(f"{name}: ")))
        return sorted(found, key=lambda file: file.name), unreadable

    def _readings(self, frame: DataFrame, files: Sequence[DumpFile], number: int) -> list[Reading]:
        from pyspark.sql import functions as f

        watch = self._watch
        if watch.source.format == FILES:
            return read_files(frame.sparkSession, files, watch.grouping, watch.base)
        lines = f.explode(f.split("value", "\r\n|\n|\r")).alias("line")
        named = f.lit(f"{watch.source.format}/{number}").alias("file")  # labels of blank nodes are scoped to the batch
        return [Reading(frame.select(lines, named), LineReader(watch.grouping, watch.input_format == "nt"))]

    # --- what comes out -----------------------------------------------------------------------------------------------

    def _write(self, result: Result, number: int, version: int, unreadable: Sequence[tuple[str, str]]) -> None:
        from pyspark.sql import functions as f

        watch = self._watch
        matches = result.matches(watch.details).withColumn("index_version", f.lit(version).cast("bigint"))
        write(matches, _folder(watch.out, number), watch.format, partition_by=watch.partition_by, overwrite=True)
        if watch.bad_lines is not None:
            bad: Any = result.bad_lines()
            if unreadable:
                rows = [(name, "", why) for name, why in unreadable]
                bad = bad.unionAll(bad.sparkSession.createDataFrame(rows, bad.schema))
            write(bad, _folder(watch.bad_lines, number), "json", overwrite=True)


def _folder(out: str, number: int) -> str:
    """The folder of a batch, named so that readers of the folder above see a column `batch`."""
    return f"{out.rstrip('/')}/batch={number}"
