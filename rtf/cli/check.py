"""`rtf check`: whether queries are right, and what each will be indexed by."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rtf.cli.progress import progress, size_of
from rtf.cli.query_errors import error_lines, problem_line, say, wrong_base
from rtf.files.query_files import FileProblem, QueryRecord, read_queries
from rtf.files.query_report import COLUMNS, as_block, as_json, as_rows, visible
from rtf.files.query_warnings import warnings_about
from sparql_ft import PreparedQuery, QueryError, prepare

if TYPE_CHECKING:
    from rtf.cli import Subparsers

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
inputs:
  *.rq, *.sparql     one query, whose id is the name of the file without the ending; or several, where a line that
                     begins with `# id: NAME` starts each, at the left margin
  *.jsonl, *.ndjson  a JSON object a line, with `id` and `text` (or `query`), perhaps `owner` and `tags`; what else is
                     in it is not looked at
  a folder           all *.rq and *.sparql files in it and in its folders
  -                  stdin: JSON Lines if it begins with {, else queries

in the output:
  ?x dbo:abstract ?y   a tuple: the publication must have a triple like this
      words            words that ?y must have: `sea + gulf` is both, `sea | ocean` is one of the two
      text             what else ?y must satisfy; it is looked at once the words are there
      where            what else must be true of the triple
  joins                variables that must have one value in several tuples
  decided              by the tuples alone, by tuples and joins, or by full SPARQL where the tuples are found

examples:
  rtf check docs/examples
  rtf check --quiet queries.jsonl
  echo 'ASK { ?x ?p ?y FILTER ftcontains(?y, "sea" ftOR "ocean") }' | rtf check -

Results are on stdout, errors and warnings on stderr; --format json has both. The exit code is 2 if anything is wrong,
and 0 otherwise, also with warnings.
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "check",
        help="check queries, and show what each will be indexed by",
        description="Check queries, and show what each will be indexed by.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="a file of queries, a folder of them, or - for stdin")
    parser.add_argument("--format", choices=("table", "json", "csv"), default="table", help="json is JSON Lines")
    parser.add_argument("--base", metavar="IRI", help="what relative IRIs and bare names are relative to")
    parser.add_argument("--quiet", action="store_true", help="show errors and warnings only")


def run(args: argparse.Namespace) -> int:
    """Check everything, and say what is wrong with each."""
    if wrong := wrong_base(args.base):
        print(f"rtf check: {wrong}", file=sys.stderr)
        return 2
    write = _nothing if args.quiet and args.format != "json" else _FORMATS[args.format]()
    check = _Check(write, args.base, quiet=args.quiet)
    with progress("queries", size_of(args.files), beside_data=not args.quiet) as bar:
        for found in read_queries(args.files, advance=bar.advance):
            check.look_at(found)
            bar.show(check.queries)
    print(check.summary(), file=sys.stderr)
    return 2 if check.errors else 0


class _Check:
    """What was found so far. Of queries that were looked at, only the ids are kept."""

    def __init__(self, write: Callable[[_Checked], None], base: str | None, *, quiet: bool) -> None:
        self.queries = self.warnings = self.errors = self._right = 0
        self._write = write
        self._base = base
        self._quiet = quiet
        self._seen: dict[str, tuple[str, int, int]] = {}  # id -> source, line, hash of the text

    def look_at(self, found: QueryRecord | FileProblem) -> None:
        """Report a query, or what is there in its place."""
        if isinstance(found, FileProblem):
            self.errors += 1
            self._write(_Checked(found, None, []))
            say([problem_line(found)])
            return
        self.queries += 1
        warnings = [*self._duplicates(found)]
        outcome: PreparedQuery | QueryError
        try:
            outcome = prepare(found.text, self._base)
        except QueryError as error:
            outcome = error
            self.errors += 1
        else:
            warnings.extend(warnings_about(found.text, outcome))
        self.warnings += len(warnings)
        if warnings or isinstance(outcome, QueryError) or not self._quiet:
            self._write(_Checked(found, outcome, warnings))
        self._right += not isinstance(outcome, QueryError)
        said = list(error_lines(found, outcome)) if isinstance(outcome, QueryError) else []
        say([*said, *(f"{visible(found.place)}: warning: {visible(found.id)}: {each}" for each in warnings)])

    def _duplicates(self, record: QueryRecord) -> Iterator[str]:
        text = hash(record.text)
        earlier = self._seen.setdefault(record.id, (record.source, record.line, text))
        source, line, earlier_text = earlier
        if earlier != (record.source, record.line, text):
            same = "with the same text" if text == earlier_text else "with another text"
            yield f"this id was there before, {same}, at {visible(source)}:{line}"

    def summary(self) -> str:
        """How many of what."""
        counts = ((self._right, "ok"), (self.warnings, "warning"), (self.errors, "error"))
        told = ", ".join(f"{count:,} {what}{'' if what == 'ok' or count == 1 else 's'}" for count, what in counts)
        return f"checked {self.queries:,} {'query' if self.queries == 1 else 'queries'}: {told}"


# --- stdout -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Checked:
    """A query, or what is there in its place, and what became of it: it is prepared, or there is an error."""

    found: QueryRecord | FileProblem
    outcome: PreparedQuery | QueryError | None
    warnings: list[str]


def _nothing(_: _Checked) -> None:
    """Errors and warnings are on stderr."""


def _as_table() -> Callable[[_Checked], None]:
    """Blocks to be read."""

    def write(checked: _Checked) -> None:
        if isinstance(checked.found, QueryRecord) and isinstance(checked.outcome, PreparedQuery):
            print(as_block(checked.found, checked.outcome.tuples))

    return write


def _as_csv() -> Callable[[_Checked], None]:
    """A row for each tuple."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)

    def write(checked: _Checked) -> None:
        if isinstance(checked.found, QueryRecord) and isinstance(checked.outcome, PreparedQuery):
            writer.writerows(as_rows(checked.found, checked.outcome.tuples))

    return write


def _as_json_lines() -> Callable[[_Checked], None]:
    """An object for each query, errors and warnings included: programs need not read stderr."""

    def write(checked: _Checked) -> None:
        found, outcome = checked.found, checked.outcome
        told: dict[str, object] = {"id": None, "source": found.source, "line": found.line, "error": None}
        if isinstance(found, FileProblem):
            told["error"] = {"kind": "FileProblem", "message": found.message}
        else:
            told |= {"id": found.id, "warnings": checked.warnings}
            if isinstance(outcome, QueryError):
                line = outcome.line if found.quoted else found.line + outcome.line - 1
                told["error"] = {
                    "kind": type(outcome).__name__,
                    "message": outcome.message,
                    "line": line,
                    "column": outcome.column,
                    "hint": outcome.hint,
                }
            elif outcome is not None:
                told |= as_json(outcome.tuples)
        print(json.dumps(told, ensure_ascii=False))

    return write


_FORMATS: Final = {"table": _as_table, "json": _as_json_lines, "csv": _as_csv}
