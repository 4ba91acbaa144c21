"""`rtf explain`: why a query matches publications, or does not."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rtf.cli.options import add_publication_options, add_registry_option, complain, unreadable
from rtf.cli.query_errors import error_lines, problem_line, say
from rtf.errors import UnknownQueryError
from rtf.files.publication_files import UnreadableFile, read_publications
from rtf.files.query_files import FileProblem, read_queries
from rtf.files.query_report import visible
from sparql_ft import QueryError, prepare

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.registered_query import RegisteredQuery

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
The query is shown as it is indexed, in tuples; `yes` has the triples that satisfy a tuple, `no` what fails first.

examples:
  rtf explain olympics news.ttl --registry queries.db
  rtf explain olympics.rq news.ttl
  rtf explain olympics news.ttl --registry queries.db --only http://example.org/news/1 --format json
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "explain",
        help="show why a query matches publications, or does not",
        description="Show why a query matches publications, or does not: which triple, word, join or condition fails.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("query", metavar="QUERY", help="the id of a query with --registry, else a file of queries")
    parser.add_argument("file", metavar="FILE", help="a file of RDF, or - for stdin")
    add_registry_option(parser, required=False)
    add_publication_options(parser)
    parser.add_argument("--only", metavar="ID", help="explain this publication only")
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json is JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Explain every query on every publication."""
    from rtf.explanation.explaining import explain

    queries = list(_queries(args))
    if None in queries:
        return 2
    code, seen = 0, 0
    for each in read_publications([args.file], args.input_format, args.publication, args.base):
        if isinstance(each, UnreadableFile):
            unreadable(each)
            code = 2
        elif args.only in (None, each.id):
            for query in queries:
                assert query is not None
                found = explain(query, each)
                print(json.dumps(found.as_json(), ensure_ascii=False) if args.format == "json" else f"{found}\n")
            seen += 1
    if not seen and not code:
        which = "no publication" if args.only is None else f"no publication {visible(args.only)}"
        code = complain("explain", f"there is {which} in {visible(args.file)}")
    return code


def _queries(args: argparse.Namespace) -> Iterator[RegisteredQuery | None]:
    """The queries to be explained; None for one that cannot be, when that has been said."""
    from rtf.registered_query import RegisteredQuery
    from rtf.registry.registry import Registry, RegistryError

    if args.registry is not None:
        try:
            with Registry(args.registry, read_only=True) as registry:
                yield registry[args.query]
        except (RegistryError, UnknownQueryError) as error:
            remedy = "; `rtf list` shows what there is" if isinstance(error, UnknownQueryError) else ""
            complain("explain", f"{error}{remedy}")
            yield None
        return
    for found in read_queries([args.query]):
        if isinstance(found, FileProblem):
            say([problem_line(found)])
            if "/" not in args.query and "." not in args.query:
                print("to name a query of a registry, add --registry", file=sys.stderr)
            yield None
            continue
        try:
            prepare(found.text)
        except QueryError as error:
            say(error_lines(found, error))
            yield None
        else:
            yield RegisteredQuery(found.id, found.text, found.owner, frozenset(found.tags), 0)
