"""`rtf compare`: RTF, IBROKER and simpler matchers on somebody's own queries and publications."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rtf.cli.options import add_publication_options, complain, unreadable
from rtf.cli.progress import steps_bar
from rtf.cli.rows import FORMATS, print_rows
from rtf.files.publication_files import UnreadableFile
from rtf.files.query_files import FileProblem, read_queries
from sparql_ft import Publication, QueryError, prepare

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.compare.results import Change, Results
    from rtf.compare.systems import System

__all__ = ["add_parser", "run"]

DISAGREE: Final = 1  # the exit code when systems give different matches, which is a bug and no bad input
_PUBLICATIONS: Final = 5_000  # as many as the paper used

_EPILOG: Final = """\
Every system gets the same queries and publications. All matches are compared before anything is timed; if one differs,
the command says whose and ends with the exit code 1. Then the systems are timed in turns.

systems:
  RTFM, RTFS, IBROKER                              in plain Python
  RTFM compiled, RTFS compiled, IBROKER compiled   the same algorithms over flat arrays
  paper's RTFM, paper's RTFS                       as published; with "compiled" behind also over flat arrays, and
                                                   for RTFS our changes one by one (without --systems)
  rarest term, naive                               each query under its rarest term; every query evaluated

in the folder --out:
  report.html     plots, tables, machine and versions, in one page that needs nothing else
  results.json    the same figures, for --against
  figure-*.png    the plots

on stdout, a line for each figure of each system:
  figure, system, queries, median, low, high, unit, publications
  low and high are the least and the greatest round; with --against there are also before, and now / before

examples:
  rtf compare --dump entities.nt --queries queries.jsonl
  rtf compare --dump entities.nt --queries queries/ --quick --out first
  rtf compare --dump entities.nt --queries queries/ --against first/results.json
  rtf compare --results second/results.json --against first/results.json
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "compare",
        help="compare RTF with IBROKER on your own data",
        description="Compare RTF with IBROKER and simpler matchers on your own queries and publications.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--dump",
        nargs="+",
        metavar="FILE",
        default=[],
        help="files of RDF: the publications; N-Triples and N-Quads also .gz or .bz2",
    )
    parser.add_argument("--queries", nargs="+", metavar="FILE", default=[], help="files or folders of queries")
    parser.add_argument("--out", type=Path, default=Path("comparison"), help="a folder for the report (comparison)")
    parser.add_argument(
        "--count", type=int, default=_PUBLICATIONS, help="publications at most, the first of the dump (5000)"
    )
    parser.add_argument("--rounds", type=int, default=5, help="that times are medians of (5)")
    parser.add_argument("--quick", action="store_true", help="fewer publications, all queries in one step")
    parser.add_argument("--systems", metavar="NAME,…", help="these systems only; see above for their names")
    parser.add_argument("--against", type=Path, metavar="JSON", help="the results.json of an earlier comparison")
    parser.add_argument("--results", type=Path, metavar="JSON", help="compare these with --against; measure nothing")
    parser.add_argument("--format", choices=FORMATS, default="table", help="of what is printed (table)")
    add_publication_options(parser)


def run(args: argparse.Namespace) -> int:
    """Read, measure, write, print."""
    from rtf.compare.agreement import DisagreementError
    from rtf.compare.results import Results, ResultsError, changes

    if args.results is None and not (args.dump and args.queries):
        return complain("compare", "give --dump and --queries, or --results of an earlier comparison and --against")
    if args.results is not None and args.against is None:
        return complain("compare", "with --results give --against, the results.json to compare them with")
    if args.rounds < 1 or args.count < 1:
        return complain("compare", "--rounds and --count must be at least 1")
    try:
        before = None if args.against is None else Results.load(args.against)
        results = _measured(args) if args.results is None else Results.load(args.results)
    except (ResultsError, _BadInput) as error:
        return complain("compare", error)
    except DisagreementError as error:
        complain("compare", error)
        return DISAGREE
    compared = [] if before is None else list(changes(results, before))
    try:
        path = None if args.results is not None else _written(results, args.out, compared)
    except _BadInput as error:
        return complain("compare", error)
    _print(results, compared, args.format, is_compared=before is not None)
    if path is not None:
        sys.stdout.flush()
        print(f"rtf compare: wrote {path}", file=sys.stderr)
    return 0


class _BadInput(ValueError):
    """What is wrong with the files."""


def _measured(args: argparse.Namespace) -> Results:
    from rtf.compare.own import compare, shown

    systems = _systems(args.systems)
    queries = _queries(args.queries)
    publications = _publications(args)
    workload = f"{len(queries):,} queries of {', '.join(args.queries)}; publications of {', '.join(args.dump)}"
    with steps_bar(shown(len(systems), len(queries), quick=args.quick)) as show:
        return compare(systems, queries, publications, args.rounds, show, workload, quick=args.quick)


def _systems(names: str | None) -> Sequence[System]:
    from rtf.compare.own import MEASURED
    from rtf.compare.systems import SYSTEMS

    if names is None:
        return MEASURED
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in SYSTEMS:
            raise _BadInput(f"there is no system {name!r}; there are: {', '.join(SYSTEMS)}")
    return [SYSTEMS[name] for name in dict.fromkeys(chosen)]


def _queries(names: Iterable[str]) -> list[tuple[str, str]]:
    """The queries that can be registered. What is wrong with the others is said, and they are left out."""
    found: dict[str, str] = {}
    left_out = 0
    for record in read_queries(names):
        problem = None
        if isinstance(record, FileProblem):
            problem = record.message
        elif found.setdefault(record.id, record.text) != record.text:
            problem = f"there is a query {record.id!r} already, with another text"
        else:
            try:
                prepare(record.text)
            except QueryError as error:
                del found[record.id]
                problem = error.message
        if problem is not None:
            left_out += 1
            print(f"{record.place}: left out: {problem}", file=sys.stderr)
    if not found:
        raise _BadInput("there is no query to compare with; name files of queries after --queries")
    if left_out:
        told = "1 query was" if left_out == 1 else f"{left_out:,} queries were"
        print(f"rtf compare: {told} left out; `rtf check` tells more", file=sys.stderr)
    return list(found.items())


def _publications(args: argparse.Namespace) -> list[Publication]:
    from rtf.compare.sample import first_publications

    found: list[Publication] = []
    for each in first_publications(args.dump, args.count, args.input_format, args.publication, args.base):
        if isinstance(each, UnreadableFile):
            unreadable(each)
            raise _BadInput(f"{each.source} cannot be read")
        found.append(each)
    if not found:
        raise _BadInput("there is no publication in the files after --dump")
    return found


def _written(results: Results, folder: Path, compared: list[Change]) -> Path:
    from rtf.compare.report import write_report

    try:
        return write_report(results, folder, compared)
    except OSError as error:
        raise _BadInput(f"{error.filename}: {(error.strerror or str(error)).lower()}; name another --out") from error


def _print(results: Results, compared: list[Change], format: str, *, is_compared: bool) -> None:
    from rtf.compare.results import FIGURES

    names = ["figure", "system", "queries", "median", "low", "high", "unit", "publications"]
    known = {change.now.key: change for change in compared}
    rows = []
    for point in results.points:
        row: dict[str, object] = {
            "figure": point.figure,
            "system": f"{point.system}, {point.series}" if point.series else point.system,
            "queries": point.x,
            "unit": FIGURES[point.figure].y,
            "publications": point.publications,
        }
        row |= {name: float(f"{getattr(point, name):.4g}") for name in ("median", "low", "high")}
        if is_compared:
            change = known.get(point.key)
            row["before"] = None if change is None else float(f"{change.before.median:.4g}")
            row["now / before"] = None if change is None else round(change.ratio, 2)
        rows.append(row)
    print_rows(rows, [*names, "before", "now / before"] if is_compared else names, format)
