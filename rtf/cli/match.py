"""`rtf match`: publications against the queries of a registry."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from rtf.cli.engines import add_engine_options, engine_of
from rtf.cli.options import add_publication_options, add_registry_option, complain, unreadable
from rtf.cli.progress import Progress, progress, size_of
from rtf.cli.rows import FORMATS, print_rows
from rtf.errors import RegistrationError
from rtf.files.publication_files import STDIN, UnreadableFile, read_publications
from rtf.files.query_report import visible
from sparql_ft import EvaluationLimitError, PublicationError

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.engine import Engine
    from rtf.match import Match
    from sparql_ft import Publication

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
files:
  .nt .nq .ttl .trig .jsonld .xml .rdf .owl   RDF; --input-format for other endings, and for stdin (-, or no FILE)

in the output, a line for each match:
  query_id, publication, owner   the publication's id is its subject or graph as a plain IRI, or `_:<file>_<label>`
  bindings     with --bindings: the solutions, with terms as in SPARQL 1.1 Query Results JSON
  highlights   with --highlights: the words that ftcontains found, their positions, and [start, end) in characters

Matches are on stdout, everything else on stderr: files that cannot be read (the others are matched; the exit code is
then 2), and queries that had to be given up on a publication because they take too much work.

examples:
  rtf match news.ttl --registry queries.db
  rtf match news.ttl --registry queries.db --bindings --highlights
  zcat dump.nt.gz | rtf match - --input-format nt --registry queries.db --format csv
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "match",
        help="match publications against the queries of a registry",
        description="Match publications against the queries of a registry.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="a file of RDF, or - for stdin")
    add_registry_option(parser)
    add_publication_options(parser)
    parser.add_argument("--bindings", action="store_true", help="with the solutions of each query")
    parser.add_argument("--highlights", action="store_true", help="with the words that were found")
    add_engine_options(parser)
    parser.add_argument("--format", choices=FORMATS, default="json", help="json is JSON Lines (default)")


def run(args: argparse.Namespace) -> int:
    """Match everything that can be read."""
    from rtf.registry.registry import RegistryError

    try:
        engine = engine_of(args)
    except (RegistrationError, RegistryError, PublicationError) as error:
        return complain("match", error)
    columns = ["query_id", "publication", "owner"]
    columns += [name for name in ("bindings", "highlights") if getattr(args, name)]
    with _warnings() as warnings, progress("publications", size_of(args.files), beside_data=True) as bar:
        matching = _Matching(engine, args, bar)
        print_rows(matching.rows(), columns, args.format, shortened=("bindings", "highlights"))
    sys.stdout.flush()
    print(matching.summary(warnings.count), file=sys.stderr)
    return 2 if matching.unreadable else 0


class _Matching:
    """The matches, counted as they pass by."""

    def __init__(self, engine: Engine, args: argparse.Namespace, bar: Progress) -> None:
        self.publications = self.matches = self.unreadable = 0
        self._engine = engine
        self._args = args
        self._bar = bar

    def rows(self) -> Iterator[dict[str, object]]:
        """A row for each match."""
        args = self._args
        files = args.files or [STDIN]
        read = read_publications(files, args.input_format, args.publication, args.base, advance=self._bar.advance)
        for each in read:
            if isinstance(each, UnreadableFile):
                self.unreadable += 1
                unreadable(each)
                continue
            self.publications += 1
            self._bar.show(self.publications)
            for row in self._matches(each):
                self.matches += 1
                yield row

    def _matches(self, publication: Publication) -> Iterator[dict[str, object]]:
        args = self._args
        if not args.bindings and not args.highlights:
            for id in self._engine.match_ids(publication):
                yield self._row(id, publication)
            return
        for match in self._engine.match(publication):
            row = self._row(match.query_id, publication)
            try:
                readable = args.format == "table"
                row |= {"bindings": _bindings(match, readable=readable)} if args.bindings else {}
                row |= {"highlights": _highlights(match, readable=readable)} if args.highlights else {}
            except EvaluationLimitError as error:  # it matches, but not all of its solutions can be found
                logging.getLogger("rtf").warning("query %s on %s: %s", match.query_id, publication.id, error)
                row = {"bindings": None, "highlights": None} | row
            yield row

    def _row(self, id: str, publication: Publication) -> dict[str, object]:
        return {"query_id": id, "publication": publication.id, "owner": self._engine[id].owner}

    def summary(self, warnings: int) -> str:
        """How many of what."""
        counts = ((self.matches, "match", "matches"), (warnings, "warning", "warnings"))
        told = ", ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in counts)
        sizes = ((self.publications, "publication", "publications"), (len(self._engine), "query", "queries"))
        against = " against ".join(f"{count:,} {one if count == 1 else many}" for count, one, many in sizes)
        lost = f"; {self.unreadable} of the files could not be read" if self.unreadable else ""
        return f"matched {against}: {told}{lost}"


def _bindings(match: Match, *, readable: bool) -> object:
    from rtf.explanation.explanation import term_as_json

    if readable:
        solutions = (", ".join(f"?{name} = {term}" for name, term in each.items()) for each in match.solutions)
        return "; ".join(filter(None, solutions))
    return [{name: term_as_json(term) for name, term in solution.items()} for solution in match.solutions]


def _highlights(match: Match, *, readable: bool) -> object:
    from rtf.explanation.explanation import highlight_as_json

    if readable:
        found = [(each, each.literal.lexical) for each in match.highlights]
        return ", ".join(text[start:end] for each, text in found for start, end in each.spans)
    return [highlight_as_json(highlight) for highlight in match.highlights]


class _Warnings(logging.Handler):
    """What the engine warns of, on stderr."""

    count = 0

    def emit(self, record: logging.LogRecord) -> None:
        self.count += 1
        complain("match", f"warning: {visible(record.getMessage())}")


@contextmanager
def _warnings() -> Iterator[_Warnings]:
    handler = _Warnings(logging.WARNING)
    logger = logging.getLogger("rtf")
    logger.addHandler(handler)
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
