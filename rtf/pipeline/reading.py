"""Files of a dump -> a DataFrame of rows of INPUT."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from rtf.files.publication_files import Grouping
from rtf.pipeline.documents import DocumentReader
from rtf.pipeline.dump import LINE_FORMATS, DumpFile
from rtf.pipeline.lines import LineReader
from rtf.pipeline.rows import FILE, INPUT
from rtf.pipeline.tally import Tally

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["lines_to_rows", "read_files", "spark_schema"]

_GLOB: Final = re.compile(r"([*?\[\]{}\\,])")


def read_files(
    spark: SparkSession,
    files: Sequence[DumpFile],
    grouping: Grouping = "subject",
    base: str | None = None,
    tally: Tally | None = None,
) -> DataFrame:
    """The rows of these files."""
    frames = []
    for format in dict.fromkeys(file.format for file in files):
        chosen = [file for file in files if file.format == format]
        names = {file.path: file.name for file in chosen}
        # Spark takes locations for patterns.
        locations = [_GLOB.sub(r"\\\1", file.location) for file in chosen]
        if format in LINE_FORMATS:
            frame = spark.read.text(locations).selectExpr("value AS line", "_metadata.file_path AS file")
            frames.append(lines_to_rows(frame, LineReader(grouping, format == "nt", names, tally)))
        else:
            frame = spark.read.format("binaryFile").load(locations)
            frame = frame.selectExpr("content", "_metadata.file_path AS file")
            frames.append(_mapped(frame, DocumentReader(format, grouping, base, names)))
    if grouping == "file":
        named = [(FILE, file.name, None, None, None, None) for file in files]
        frames.append(spark.createDataFrame(named, spark_schema(INPUT)))
    if not frames:
        return spark.createDataFrame([], spark_schema(INPUT))
    return reduce(lambda one, other: one.unionAll(other), frames)


def lines_to_rows(lines: DataFrame, reader: LineReader) -> DataFrame:
    """The rows of a DataFrame with the columns `line` and `file`."""
    return _mapped(lines, reader)


def _mapped(frame: DataFrame, function: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]) -> DataFrame:
    return frame.mapInArrow(function, spark_schema(INPUT))


def spark_schema(schema: pa.Schema) -> Any:
    """An Arrow schema as Spark's."""
    from pyspark.sql.pandas.types import from_arrow_schema

    return from_arrow_schema(schema)
