"""A dump against an index: everything between the files and the summary."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import pyarrow as pa

from rtf.pipeline.blocks import BLOCK, KindBlocks, Unpacked
from rtf.pipeline.counting import COUNTED, Counted
from rtf.pipeline.documents import BAD_DOCUMENTS, DOCUMENT_TRIPLES
from rtf.pipeline.errors import PipelineError, UnreadableFileError
from rtf.pipeline.lines import BAD_LINES, BLANKS, COMMENTS, LINE_COUNTS, LINES, TRIPLES, file_name
from rtf.pipeline.matching import MATCHED_TRIPLES, MATCHES, PUBLICATIONS, Matching
from rtf.pipeline.packing import LeastHashes
from rtf.pipeline.reading import Reading, spark_schema
from rtf.pipeline.rows import BAD, COUNT, FAILURE, MATCH

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rtf.pipeline.dump import DumpFile

__all__ = [
    "OutputFormat",
    "PartitionBy",
    "Result",
    "Totals",
    "explained",
    "matched",
    "partitions_for",
    "sampled",
    "tasks_done",
    "write",
]

OutputFormat: TypeAlias = Literal["parquet", "json", "csv"]
PartitionBy: TypeAlias = Literal["query_id", "owner"]

_PARTITION: Final = 32 << 20  # bytes of a dump whose publications are matched by one task
_COMPRESSION: Final = 10  # how much larger a dump is than its compressed file
_COLUMNS: Final = ("query_id", "publication", "owner")
_DETAILS: Final = ("bindings", "highlights")


def matched(blocks: DataFrame, matching: Matching) -> DataFrame:
    """Blocks of INPUT, gathered -> rows of OUTPUT."""
    return blocks.mapInArrow(matching, spark_schema(matching.schema))


def partitions_for(spark: SparkSession, files: Sequence[DumpFile]) -> int:
    """Into how many parts the publications of these files are cut: as many for each core, so that none is idle."""
    cores = spark.sparkContext.defaultParallelism
    size = sum(file.size * (1 if _is_plain(file.name) else _COMPRESSION) for file in files)
    return cores * max(2, math.ceil(size / _PARTITION / cores))


def _is_plain(name: str) -> bool:
    return not name.endswith((".gz", ".bz2", ".zst"))


def tasks_done(spark: SparkSession) -> float:
    """The share of tasks that are done, of the jobs that run now."""
    tracker = spark.sparkContext.statusTracker()
    done = total = 0
    for job in map(tracker.getJobInfo, tracker.getActiveJobsIds()):
        for stage in map(tracker.getStageInfo, job.stageIds if job else ()):
            if stage is not None:
                done += stage.numCompletedTasks
                total += stage.numTasks
    return done / total if total else 0.0


def sampled(readings: Sequence[Reading], publications: int, *, whole_files: bool = False) -> int:
    """The last hash of a sample of so many publications, always the same ones; -1 if there are none at all."""
    from pyspark.sql import functions as f

    frames = (
        reading.frame.mapInArrow(LeastHashes(reading.reader, publications, whole_files), "hash BIGINT")
        for reading in readings
    )
    least = reduce(lambda one, other: one.unionAll(other), frames)
    chosen = least.distinct().orderBy("hash").limit(publications)
    with explained():
        last = chosen.agg(f.coalesce(f.max("hash"), f.lit(-1))).collect()[0][0]
    return int(last)


@dataclass(frozen=True)
class Totals:
    """What was read and found, from the rows that arrived."""

    lines: int = 0
    blank: int = 0
    comments: int = 0
    bad_lines: int = 0
    bad_documents: int = 0
    line_triples: int = 0
    triples: int = 0
    publications: int = 0
    matches: int = 0
    failures: int = 0
    by_query: dict[str, int] = field(default_factory=dict)  # matches of each query that has some

    @property
    def bad(self) -> int:
        """Bad lines, and files that could not be read."""
        return self.bad_lines + self.bad_documents


class Result:
    """The rows of OUTPUT of a job, kept on the executors' disks as blocks: they are looked at several times."""

    def __init__(
        self,
        blocks: DataFrame,
        matching: Matching,
        names: Mapping[str, str] | None = None,
        *,
        sample: bool = False,
    ) -> None:
        """`names` are those of the files, for what is said about one; a `sample` has fewer triples than were read."""
        from pyspark import StorageLevel

        self._names = names or {}
        self._schema = matching.schema
        self._output = blocks.mapInArrow(KindBlocks(matching), spark_schema(BLOCK)).persist(StorageLevel.DISK_ONLY)
        self._sample = sample

    def totals(self) -> Totals:
        """Run the job and count. PipelineError if lines or triples got lost on the way, which must not happen."""
        counted_rows = self._output.mapInArrow(Counted(self._schema), spark_schema(COUNTED))
        with explained(self._names):
            table = counted_rows.groupBy("kind", "name").sum("number").toDF(*COUNTED.names).toArrow().to_pylist()
        counts = {row["name"]: row["number"] for row in table if row["kind"] == COUNT}
        kinds = {kind: sum(row["number"] for row in table if row["kind"] == kind) for kind in (BAD, MATCH, FAILURE)}
        counted = {name: counts.get(name, 0) for name in (LINES, *LINE_COUNTS)}
        if counted[LINES] != sum(counted[name] for name in LINE_COUNTS):
            raise PipelineError(f"some lines are not accounted for: {counted}", hint="this is a fault of rtf")
        read = counts.get(TRIPLES, 0) + counts.get(DOCUMENT_TRIPLES, 0)
        bad = counts.get(BAD_LINES, 0) + counts.get(BAD_DOCUMENTS, 0)
        arrived = {"triples": counts.get(MATCHED_TRIPLES, 0), "bad": kinds[BAD], "matches": kinds[MATCH]}
        expected = {"triples": read, "bad": bad, "matches": counts.get(MATCHES, 0)}
        if self._sample:
            expected["triples"] = arrived["triples"]
        if arrived != expected:
            raise PipelineError(f"of {expected} only {arrived} arrived", hint="this is a fault of rtf or of Spark")
        return Totals(
            lines=counted[LINES],
            blank=counted[BLANKS],
            comments=counted[COMMENTS],
            bad_lines=counted[BAD_LINES],
            bad_documents=counts.get(BAD_DOCUMENTS, 0),
            line_triples=counted[TRIPLES],
            triples=arrived["triples"],
            publications=counts.get(PUBLICATIONS, 0),
            matches=kinds[MATCH],
            failures=kinds[FAILURE],
            by_query={row["name"]: row["number"] for row in table if row["kind"] == MATCH},
        )

    def matches(self, details: Sequence[str] = ()) -> DataFrame:
        """A row for each match."""
        return self._rows(MATCH, *_COLUMNS, *details)

    def bad_lines(self) -> DataFrame:
        """A row for each bad line: file, line, and why. Of a file that could not be read, the line is empty."""
        return self._rows(BAD, "publication", "line", "why").withColumnRenamed("publication", "file")

    def failures(self) -> DataFrame:
        """A row for each query that had to be given up on a publication."""
        return self._rows(FAILURE, "query_id", "publication", "why")

    def write(
        self,
        out: str,
        format: OutputFormat = "parquet",
        *,
        details: Sequence[str] = (),
        partition_by: PartitionBy | None = None,
        overwrite: bool = False,
    ) -> None:
        """Write the matches to a folder."""
        write(self.matches(details), out, format, partition_by=partition_by, overwrite=overwrite)

    def write_bad_lines(self, out: str, *, overwrite: bool = False) -> None:
        """Write the bad lines to a folder, as JSON Lines; also when there are none, so that this can be seen."""
        write(self.bad_lines(), out, "json", overwrite=overwrite)

    def close(self) -> None:
        """Forget the rows."""
        self._output.unpersist()

    def _rows(self, kind: int, *names: str) -> DataFrame:
        schema = pa.schema([self._schema.field(name) for name in names])
        return self._output.filter(f"key = {kind}").mapInArrow(Unpacked(self._schema, names), spark_schema(schema))


def write(
    matches: DataFrame,
    out: str,
    format: OutputFormat = "parquet",
    *,
    partition_by: PartitionBy | None = None,
    overwrite: bool = False,
) -> None:
    """Write rows to a folder; CSV has lists as JSON. One folder a query or owner in it with `partition_by`."""
    from pyspark.sql import functions as f

    if format == "csv":
        for name in set(_DETAILS) & set(matches.columns):
            matches = matches.withColumn(name, f.to_json(name))
    if partition_by is not None:
        matches = matches.repartition(partition_by)  # else each task writes a file for each of them
    writer = matches.write.mode("overwrite" if overwrite else "errorifexists").format(format)
    if partition_by is not None:
        writer = writer.partitionBy(partition_by)
    if format == "csv":
        writer = writer.option("header", True).option("escape", '"')
    with explained():
        writer.save(out)


_UNREADABLE: Final = re.compile(r"\[FAILED_READ_FILE\.\w+\] Encountered error while reading file (\S+?)\.? +SQLSTATE")


@contextmanager
def explained(names: Mapping[str, str] | None = None) -> Iterator[None]:
    """Turn what Spark throws into a PipelineError that says what is wrong with the input, where that is the cause."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import AnalysisException, PySparkException

    try:
        yield
    except AnalysisException as error:
        if error.getCondition() == "PATH_ALREADY_EXISTS":
            raise PipelineError(
                "the folder for the output is there already", hint="choose another one, or add --overwrite"
            ) from error
        raise PipelineError(str(error).partition("\n")[0]) from error
    except (PySparkException, Py4JJavaError) as error:
        text = str(error)
        unreadable = _UNREADABLE.search(text)
        if unreadable is None:
            ours = re.findall(r"^(?:rtf|sparql_ft)[\w.]*Error: (.*)", text, re.MULTILINE)
            if ours:  # raised in a task, or in a micro-batch
                raise PipelineError(ours[-1]) from error
            raise
        causes = re.findall(r"Caused by: [\w.$]+: (.*)", text)
        why = causes[-1] if causes else "it is damaged"
        raise UnreadableFileError(file_name(unreadable[1], names), why) from error
