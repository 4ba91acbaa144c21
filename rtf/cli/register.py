"""`rtf register`: put queries into a registry."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from rtf.cli.options import add_registry_option, complain, tag_list
from rtf.cli.progress import progress, size_of
from rtf.cli.query_errors import error_lines, problem_line, say, wrong_base
from rtf.errors import RegistrationError
from rtf.files.query_files import FileProblem, QueryRecord, read_queries
from rtf.files.query_report import visible
from sparql_ft import QueryError

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.registry.registry import Registration

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
FILE is what `rtf check` reads:
  *.rq, *.sparql     one query, whose id is the name of the file without the ending; or several, each after a line
                     `# id: NAME`
  *.jsonl, *.ndjson  a JSON object a line, with `id` and `text`, perhaps `owner` (it counts more than --owner) and
                     `tags` (they are added to --tags)
  a folder           all *.rq and *.sparql files in it and in its folders
  -                  stdin: JSON Lines if it begins with {, else queries

All queries are registered, or none if anything is wrong with one; the exit code is then 2. The registry is made if it
is not there. The same id with the same text changes nothing, but that a disabled query is enabled; with another text it
is an error, unless --replace. --replace also changes owner and tags of what is there.

examples:
  rtf register docs/examples --registry queries.db
  rtf register olympics.rq --registry queries.db --owner ana --tags sport,news
  rtf register olympics.rq --registry queries.db --replace
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "register",
        help="put queries into a registry",
        description="Put queries into a registry, all of them or none.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of queries, a folder of them, or - for stdin")
    add_registry_option(parser)
    parser.add_argument("--owner", help="whom the queries belong to")
    parser.add_argument("--tags", type=tag_list, default=[], metavar="TAG,…", help="to choose queries by")
    parser.add_argument("--base", metavar="IRI", help="what relative IRIs and bare names are relative to")
    parser.add_argument("--replace", action="store_true", help="queries may take the place of others with the same id")


def run(args: argparse.Namespace) -> int:
    """Register everything, or say what is wrong with each."""
    from rtf.registry.registry import Registry, RegistryError

    if wrong := wrong_base(args.base):
        return complain("register", wrong)
    try:
        with Registry(args.registry) as registry, registry.registration() as registration:
            adding = _Adding(registration, args)
            with progress("queries", size_of(args.files), beside_data=False) as bar:
                for found in read_queries(args.files, advance=bar.advance):
                    adding.add(found)
                    bar.show(adding.queries)
            if adding.errors:
                return complain("register", _nothing(adding.errors))
            try:
                done = registration.commit(replace=args.replace)
            except RegistrationError as error:
                for id in error.errors:
                    place = visible(adding.place(id))
                    advice = "choose another id, or add --replace"
                    say([f"{place}: error: {visible(id)}: the registry has another query of this id; {advice}"])
                return complain("register", _nothing(len(error.errors)))
    except RegistryError as error:
        return complain("register", error)
    counts = f"{done.new:,} new, {done.changed:,} changed, {done.as_before:,} as before"
    queries = done.new + done.changed + done.as_before
    print(f"registered {queries:,} {'query' if queries == 1 else 'queries'}: {counts}", file=sys.stderr)
    return 0


def _nothing(errors: int) -> str:
    return f"{errors:,} {'error' if errors == 1 else 'errors'}, so nothing was registered"


class _Adding:
    """What was added so far. Of queries only ids and places are kept."""

    def __init__(self, registration: Registration, args: argparse.Namespace) -> None:
        self.queries = self.errors = 0
        self._registration = registration
        self._args = args
        self._seen: dict[str, tuple[str, int, int]] = {}  # id -> source, line, hash of the text

    def place(self, id: str) -> str:
        """Where a query came from."""
        source, line, _ = self._seen[id]
        return f"{source}:{line}"

    def add(self, found: QueryRecord | FileProblem) -> None:
        """Add a query, or say what is wrong."""
        if isinstance(found, FileProblem):
            self._wrong([problem_line(found)])
            return
        self.queries += 1
        args = self._args
        text = hash(found.text)
        earlier = self._seen.setdefault(found.id, (found.source, found.line, text))
        try:
            if earlier[2] != text:
                raise ValueError(f"this id was there before, with another text, at {self.place(found.id)}")
            tags = [*found.tags, *args.tags]
            self._registration.add(found.id, found.text, found.owner or args.owner, tags, args.base)
        except QueryError as error:
            self._wrong(list(error_lines(found, error)))
        except ValueError as error:
            self._wrong([f"{visible(found.place)}: error: {visible(found.id)}: {visible(str(error))}"])

    def _wrong(self, lines: list[str]) -> None:
        self.errors += 1
        say(lines)
