"""What is to be read: DataFrames, and what makes rows of INPUT of them in a task."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from rtf.files.publication_files import Grouping
from rtf.pipeline.blocks import Step
from rtf.pipeline.documents import DocumentReader
from rtf.pipeline.dump import LINE_FORMATS, DumpFile
from rtf.pipeline.lines import LineReader
from rtf.pipeline.rows import FILE, INPUT
from rtf.pipeline.tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Reading", "as_rows", "read_files", "read_rows", "spark_schema"]

_GLOB: Final = re.compile(r"([*?\[\]{}\\,])")


@dataclass(frozen=True)
class Reading:
    """A DataFrame, and what makes rows of INPUT of its batches."""

    frame: DataFrame
    reader: Step


def read_files(
    spark: SparkSession,
    files: Sequence[DumpFile],
    grouping: Grouping = "subject",
    base: str | None = None,
    tally: Tally | None = None,
) -> list[Reading]:
    """How these files are read: a part for each format."""
    readings = []
    for format in dict.fromkeys(file.format for file in files):
        chosen = [file for file in files if file.format == format]
        names = {file.path: file.name for file in chosen}
        # Spark takes locations for patterns.
        locations = [_GLOB.sub(r"\\\1", file.location) for file in chosen]
        if format in LINE_FORMATS:
            frame = spark.read.text(locations).selectExpr("value AS line", "_metadata.file_path AS file")
            readings.append(Reading(frame, LineReader(grouping, format == "nt", names, tally)))
        else:
            frame = spark.read.format("binaryFile").load(locations)
            frame = frame.selectExpr("content", "_metadata.file_path AS file")
            readings.append(Reading(frame, DocumentReader(format, grouping, base, names)))
    if grouping == "file" or not files:
        named = [(FILE, file.name, None, None, None, None) for file in files]
        readings.append(read_rows(spark.createDataFrame(named, spark_schema(INPUT))))
    return readings


def read_rows(rows: DataFrame) -> Reading:
    """How rows are read that are in a DataFrame already, with the columns of INPUT."""
    return Reading(rows.select(*INPUT.names), _as_input)


def as_rows(readings: Iterable[Reading]) -> DataFrame:
    """The rows of INPUT of all that is to be read."""
    frames = (each.frame.mapInArrow(each.reader, spark_schema(INPUT)) for each in readings)
    return reduce(lambda one, other: one.unionAll(other), frames)


def spark_schema(schema: pa.Schema) -> Any:
    """An Arrow schema as Spark's."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)


def _as_input(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows with exactly the types of INPUT: a session may be set to have texts with wide offsets."""
    for batch in batches:
        yield pa.record_batch([batch.column(each.name).cast(each.type) for each in INPUT], schema=INPUT)
