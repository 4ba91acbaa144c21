"""Dumps through Spark: files -> triples -> publications -> matches, for any matcher. The only importer of pyspark.

    from rtf.pipeline import match, read

    publications = read(spark, ["dumps/*.ttl.bz2"])
    match(publications, "queries.index").write.parquet("matches")

`read` gives a row for each triple, with the columns that `rtf.columns` has; a DataFrame of one's own will do as well.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rtf.pipeline.errors import PipelineError

if TYPE_CHECKING:
    from os import PathLike

    from pyspark.sql import DataFrame, SparkSession

    from rtf.engine import Engine
    from rtf.files.publication_files import Grouping
    from rtf.ontology import Ontology
    from rtf.pipeline.matchers import Matcher, MatcherSource

__all__ = ["PipelineError", "bad_lines", "match", "read"]


def read(
    spark: SparkSession,
    paths: str | Iterable[str],
    *,
    publication: Grouping = "subject",
    input_format: str | None = None,
    base: str | None = None,
) -> DataFrame:
    """The triples of files, folders and patterns: publication, graph, subject, predicate and object.

    Lines that are no triples are left out; `bad_lines` gives them.
    """
    rows = _rows(spark, paths, publication, input_format, base)
    subject = "coalesce(subject, concat('<', publication, '>')) AS subject"
    return rows.filter("kind = 0").selectExpr("publication", "graph", subject, "predicate", "object")


def bad_lines(
    spark: SparkSession, paths: str | Iterable[str], *, input_format: str | None = None, base: str | None = None
) -> DataFrame:
    """What `read` leaves out: file, line and why. Of a file that could not be read at all, the line is empty."""
    rows = _rows(spark, paths, "subject", input_format, base)
    return rows.filter("kind = 1").selectExpr("publication AS file", "object AS line", "predicate AS why")


def match(
    publications: DataFrame,
    index: Engine | str | PathLike[str] | Matcher | MatcherSource,
    *,
    ontology: Ontology | None = None,
    bindings: bool = False,
    highlights: bool = False,
    failures: bool = False,
    partitions: int | None = None,
) -> DataFrame:
    """The matches of publications: query_id, publication, owner, and on request bindings and highlights.

    `publications` has a row for each triple, with the columns publication, subject, predicate, object and perhaps
    graph; terms are in N-Triples syntax, and a subject that is null is the publication. Rows may come in any order.

    `index` is an engine, the path of one that was saved, any other object with `match_ids` that can be pickled, or a
    function that makes one on each executor; the last two have no bindings and highlights.

    A query that takes too much work on a publication is given up there, and warned of in the logs of the executors.
    With `failures` it has a row, too, and there is a column `why`: the reason, and null in the rows of matches.

    `partitions` says into how many parts the work is cut; Spark's setting for shuffles does without it. A task holds a
    sixteenth of its part in memory at a time, and more of it where there are more than 256 parts.
    """
    from pyspark.sql import functions as f

    from rtf.pipeline.grouping import gathered
    from rtf.pipeline.job import matched
    from rtf.pipeline.matchers import shipped
    from rtf.pipeline.matching import Matching
    from rtf.pipeline.reading import read_rows
    from rtf.pipeline.rows import FAILURE, MATCH, TRIPLE

    spark = publications.sparkSession
    missing = {"publication", "subject", "predicate", "object"} - set(publications.columns)
    if missing:
        raise ValueError(f"the DataFrame lacks the columns {', '.join(sorted(missing))}")
    graph = f.col("graph") if "graph" in publications.columns else f.lit(None)
    rows = publications.withColumn("graph", graph.cast("string")).withColumn("kind", f.lit(TRIPLE).cast("tinyint"))
    parts = partitions or int(spark.conf.get("spark.sql.shuffle.partitions") or 0) or 200
    matching = Matching(shipped(spark, index, ontology), bindings, highlights)
    output = matched(gathered([read_rows(rows)], parts), matching)
    details = [name for name, wanted in (("bindings", bindings), ("highlights", highlights)) if wanted]
    columns = ["query_id", "publication", "owner", *details, *(["why"] if failures else [])]
    return output.filter(f.col("kind").isin(MATCH, *([FAILURE] if failures else []))).select(*columns)


def _rows(
    spark: SparkSession,
    paths: str | Iterable[str],
    publication: Grouping,
    input_format: str | None,
    base: str | None,
) -> DataFrame:
    from rtf.pipeline.dump import find_files
    from rtf.pipeline.reading import as_rows, read_files

    names = [paths] if isinstance(paths, str) else list(paths)
    return as_rows(read_files(spark, find_files(spark, names, input_format), publication, base))
