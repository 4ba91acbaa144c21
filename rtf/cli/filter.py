"""`rtf filter`: a dump against the queries of a registry, on Spark."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Final

from rtf.cli.engines import add_engine_options, engine_of
from rtf.cli.options import add_publication_options, add_registry_option, add_spark_options, complain
from rtf.cli.spark_progress import spark_progress
from rtf.errors import RegistrationError
from rtf.files.query_report import visible
from sparql_ft import PublicationError

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.engine import Engine
    from rtf.pipeline.job import PartitionBy, Result, Totals
    from rtf.pipeline.session import Session

__all__ = ["PARTITIONS", "add_output_options", "add_parser", "run"]

_EPILOG: Final = """\
DUMP is a file, a folder (with its folders) or a pattern, on any file system that Spark reads:
  N-Triples, N-Quads             whatever they are called; read line by line, and in parts where that is possible
  .ttl .trig .jsonld .xml .rdf .owl  read as a whole, unless the leading lines are N-Triples (as DBpedia's .ttl are)
  .gz .bz2 .zst                  any of these, compressed

The triples of a subject are gathered from all files. In DIR is a row for each match:
  query_id, publication, owner   the publication's id is its subject or graph as a plain IRI, or `_:<file>_<label>`
  bindings, highlights           on request, with terms as in SPARQL 1.1 Query Results JSON

Lines that are no triples are counted and left out. The exit code is 2 if something is wrong with the input: a file that
is missing or damaged (nothing is written then), a Turtle or other file that cannot be parsed (the others are matched),
or with --strict any bad line (nothing is written).

examples:
  rtf filter 2015-10/*.ttl.bz2 --registry queries.db --out matches
  rtf filter dump.nq.gz --registry queries.db --out matches --format json --highlights --partition-by owner
  rtf filter hdfs:///dbpedia --registry queries.db --out hdfs:///matches --master spark://host:7077
"""
_SHOWN: Final = 10  # queries, bad lines or failures in the summary
_FORMATS: Final = ("parquet", "json", "csv")
PARTITIONS: Final[dict[str, PartitionBy]] = {"query": "query_id", "owner": "owner"}


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "filter",
        help="match dumps against the queries of a registry, on Spark",
        description="Match dumps against the queries of a registry, on Spark.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dump", nargs="+", metavar="DUMP", help="a file, a folder or a pattern")
    add_registry_option(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder for the matches, which is made")
    parser.add_argument("--overwrite", action="store_true", help="DIR may be there, and is replaced")
    add_output_options(parser)
    add_publication_options(parser)
    parser.add_argument("--sample", type=int, metavar="N", help="match N publications only, always the same ones")
    parser.add_argument("--bad-lines", metavar="DIR", help="write lines that are no triples there, as JSON Lines")
    parser.add_argument("--strict", action="store_true", help="a bad line is an error, and nothing is written")
    add_engine_options(parser)
    add_spark_options(parser)


def add_output_options(parser: argparse.ArgumentParser) -> None:
    """What is written, and how."""
    parser.add_argument("--format", choices=_FORMATS, default="parquet", help="of the output (default: parquet)")
    parser.add_argument("--partition-by", choices=tuple(PARTITIONS), help="a folder for each query or owner in DIR")
    parser.add_argument("--bindings", action="store_true", help="with the solutions of each query")
    parser.add_argument("--highlights", action="store_true", help="with the words that were found")


def run(args: argparse.Namespace) -> int:
    """Match the dump."""
    from rtf.pipeline.errors import PipelineError
    from rtf.pipeline.session import check_java, session
    from rtf.registry.registry import RegistryError

    try:
        check_java()
        engine = engine_of(args)
        with session(args.master, dict(args.conf)) as spark:
            return _filter(args, spark, engine)
    except (RegistrationError, RegistryError, PublicationError, PipelineError) as error:
        return complain("filter", error)


def _filter(args: argparse.Namespace, spark: Session, engine: Engine) -> int:
    from rtf.pipeline.dump import check_output, find_files
    from rtf.pipeline.errors import PipelineError
    from rtf.pipeline.grouping import gathered
    from rtf.pipeline.job import Result, partitions_for, sampled
    from rtf.pipeline.matchers import shipped
    from rtf.pipeline.matching import Matching
    from rtf.pipeline.reading import read_files
    from rtf.pipeline.tally import Tally

    for out in filter(None, (args.out, args.bad_lines)):
        check_output(spark, out, overwrite=args.overwrite)
    files = find_files(spark, args.dump, args.input_format)
    start = time.perf_counter()
    tally = Tally.of(spark, "triples", "publications", "matches")
    readings = read_files(spark, files, args.publication, args.base, tally)
    whole_files = args.publication == "file"
    last = None if args.sample is None else sampled(readings, args.sample, whole_files=whole_files)
    blocks = gathered(readings, partitions_for(spark, files), whole_files=whole_files, last=last)
    matching = Matching(shipped(spark, engine), args.bindings, args.highlights, tally, whole_files)
    names = {file.path: file.name for file in files}
    with closing(Result(blocks, matching, names, sample=args.sample is not None)) as result:
        with spark_progress(spark, tally, len(files)):
            totals = result.totals()
            if args.bad_lines:
                result.write_bad_lines(args.bad_lines, overwrite=args.overwrite)
            if args.strict and totals.bad:
                shown = "\n".join(_bad_lines(result))
                raise PipelineError(f"there are {totals.bad:,} bad lines, so nothing was written\n{shown}")
            details = [name for name in ("bindings", "highlights") if getattr(args, name)]
            by = PARTITIONS.get(args.partition_by)
            result.write(args.out, args.format, details=details, partition_by=by, overwrite=args.overwrite)
        seconds = time.perf_counter() - start
        for line in _summary(args, totals, result, engine, len(files), seconds):
            print(line, file=sys.stderr)
    return 2 if totals.bad_documents else 0


def _summary(
    args: argparse.Namespace, totals: Totals, result: Result, engine: Engine, files: int, seconds: float
) -> Iterator[str]:
    yield f"read {_many(files, 'file')}: {_many(totals.triples, 'triple')}, {_many(totals.bad, 'bad line')}"
    if totals.lines:
        parts = (totals.line_triples, "triples"), (totals.blank, "blank"), (totals.comments, "comments")
        told = " + ".join(f"{count:,} {name}" for count, name in (*parts, (totals.bad_lines, "bad")))
        yield f"  {_many(totals.lines, 'line')} = {told}"
    if totals.bad:
        yield from _bad_lines(result)
        if args.bad_lines:
            yield f"  all of them are in {args.bad_lines}"
    against = f"{_many(totals.publications, 'publication')} against {_many(len(engine), 'query', 'queries')}"
    rate = totals.publications / max(seconds, 0.001)
    yield f"matched {against}: {_many(totals.matches, 'match', 'matches')}"
    yield f"  in {seconds:.1f} s, {rate:,.0f} publications a second"
    if totals.failures:
        yield f"  {_many(totals.failures, 'answer')} could not be found:"
        for row in result.failures().limit(_SHOWN).collect():
            yield f"    query {visible(row['query_id'])} on {visible(row['publication'])}: {visible(row['why'])}"
    most = sorted(totals.by_query.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
    if most:
        yield "queries with most matches:"
        width = len(f"{most[0][1]:,}")
        yield from (f"  {count:{width},}  {visible(id)}" for id, count in most)
    never = [query.id for query in engine if query.id not in totals.by_query]
    if never:
        more = f" and {len(never) - _SHOWN:,} more" if len(never) > _SHOWN else ""
        yield f"never matched: {_many(len(never), 'query', 'queries')}: {visible(', '.join(never[:_SHOWN]))}{more}"
    yield f"the matches are in {args.out}"


def _bad_lines(result: Result) -> Iterator[str]:
    for row in result.bad_lines().limit(_SHOWN).collect():
        line = f": {_short(row['line'])}" if row["line"] else ""
        yield f"  {visible(row['file'])}: {visible(row['why'])}{line}"


def _short(line: str) -> str:
    shown = visible(line)
    return shown if len(shown) <= 100 else f"{shown[:99]}…"


def _many(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
