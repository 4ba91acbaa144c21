"""`rtf watch`: new data as it arrives, against the queries of a registry, on Spark."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from rtf.cli.engines import add_engine_options, engine_of, ontology_of
from rtf.cli.filter import PARTITIONS, add_output_options
from rtf.cli.options import add_publication_options, add_registry_option, add_spark_options, complain, setting
from rtf.errors import RegistrationError
from rtf.files.query_report import visible
from sparql_ft import PublicationError

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.pipeline.session import Session
    from rtf.pipeline.watching import BatchDone, Watch

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
SOURCE is a folder. Each file that appears in it or its folders is matched once, as `rtf filter` would; move files there
when they are complete. With --source-format it is any stream that Spark knows and that has lines of N-Triples or
N-Quads in a column `value`, such as kafka (which needs Spark's package: --conf spark.jars.packages=…).

In DIR is a folder for each micro-batch, with the columns of `rtf filter` and
  index_version   the version of the index, which counts the changes of the registry that the stream has met

Queries that are registered or removed take effect in the next micro-batch. CHECKPOINT remembers what was done: after a
crash, or when it is stopped (Ctrl-C), the same command goes on where it was, and no publication is lost or told twice.

examples:
  rtf watch incoming --registry queries.db --out matches --checkpoint state
  rtf watch --source-format kafka --option kafka.bootstrap.servers=host:9092 --option subscribe=news \\
      --registry queries.db --out matches --checkpoint state
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "watch",
        help="match new files, or a stream, against the queries of a registry, on Spark",
        description="Match new data, as it arrives, against the queries of a registry, on Spark.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("source", nargs="?", metavar="SOURCE", help="a folder, or what Spark's source loads")
    add_registry_option(parser)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder for the matches")
    parser.add_argument("--checkpoint", required=True, metavar="DIR", help="the folder that remembers what was done")
    parser.add_argument("--every", type=float, default=5.0, metavar="SECONDS", help="between two looks (default: 5)")
    parser.add_argument("--once", action="store_true", help="match what is there, and end")
    parser.add_argument("--source-format", default="files", metavar="NAME", help="of Spark's sources of streams")
    parser.add_argument(
        "--option", action="append", type=setting, default=[], metavar="NAME=VALUE", help="of the source; repeatable"
    )
    add_output_options(parser)
    add_publication_options(parser)
    parser.add_argument("--bad-lines", metavar="DIR", help="write lines that are no triples there, as JSON Lines")
    add_engine_options(parser)
    add_spark_options(parser)


def run(args: argparse.Namespace) -> int:
    """Match until somebody says stop."""
    from rtf.pipeline.errors import PipelineError
    from rtf.pipeline.session import check_java, session
    from rtf.registry.registry import RegistryError

    if args.source is None and args.source_format == "files":
        return complain("watch", "which folder? Name it, or a --source-format")
    try:
        check_java()
        watch = _declared(args)
        watch.fingerprint()  # what is wrong with the registry is said before Spark starts
        with session(args.master, dict(args.conf)) as spark:
            return _watch(watch, spark, None if args.once else args.every)
    except (RegistrationError, RegistryError, PublicationError, PipelineError) as error:
        return complain("watch", error)


def _declared(args: argparse.Namespace) -> Watch:
    from rtf.pipeline.watching import Source, Watch
    from rtf.registry.registry import Registry

    def fingerprint() -> str:
        with Registry(args.registry, read_only=True) as registry:
            chosen = json.dumps([args.owner, args.tags, args.layout, version("rtf-sparql")])
            return f"{registry.fingerprint()} {chosen}"

    return Watch(
        Source(args.source, args.source_format, dict(args.option)),
        args.out,
        args.checkpoint,
        engine=lambda: engine_of(args),
        fingerprint=fingerprint,
        ontology=ontology_of(args),
        grouping=args.publication,
        input_format=args.input_format,
        base=args.base,
        format=args.format,
        partition_by=PARTITIONS.get(args.partition_by),
        details=[name for name in ("bindings", "highlights") if getattr(args, name)],
        bad_lines=args.bad_lines,
        done=_tell,
    )


def _watch(watch: Watch, spark: Session, seconds: float | None) -> int:
    from rtf.pipeline.job import explained

    with explained():
        query = watch.start(spark, seconds)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        while query.isActive:
            with explained():
                query.awaitTermination(1)  # briefly, so that signals are seen
    except KeyboardInterrupt:
        query.stop()
        print("stopped; the same command goes on from here", file=sys.stderr)
    finally:
        signal.signal(signal.SIGTERM, previous)
    return 0


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _tell(batch: BatchDone) -> None:
    totals = batch.totals
    told = [
        f"{batch.files:,} files",
        f"{totals.triples:,} triples",
        f"{totals.bad:,} bad lines",
        f"{totals.publications:,} publications",
        f"{totals.matches:,} matches",
    ]
    print(f"batch {batch.number}, index version {batch.version}: {', '.join(told)}", file=sys.stderr)
    for name, why in batch.unreadable:
        print(f"  {visible(name)} was left out: {visible(why)}", file=sys.stderr)
    sys.stderr.flush()
