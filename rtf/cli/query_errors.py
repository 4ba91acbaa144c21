"""What is wrong with a query of a file, as the commands that read queries tell it."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from rtf.files.query_files import FileProblem, QueryRecord
from rtf.files.query_report import visible
from sparql_ft import QueryError, prepare

__all__ = ["error_lines", "problem_line", "say", "wrong_base"]


def error_lines(record: QueryRecord, error: QueryError) -> Iterator[str]:
    """The place, the id and what is wrong; the line with a caret; what to do."""
    yield f"{_position(record, error)}: {visible(error.message)}"
    # The caret stands below its place if every character has one place.
    excerpt = ("".join(c if c.isprintable() else "\ufffd" for c in line) for line in error.excerpt.split("\n"))
    yield from (line for line in excerpt if line.strip())
    if error.hint:
        yield f"  {visible(error.hint)}"


def _position(record: QueryRecord, error: QueryError) -> str:
    """Where in the source; within a JSON string, where in the query."""
    if record.quoted:
        place = f"line {error.line}, column {error.column} of the query"
        return f"{visible(record.place)}: error: {visible(record.id)}: {place}"
    return f"{visible(record.source)}:{record.line + error.line - 1}:{error.column}: error: {visible(record.id)}"


def problem_line(problem: FileProblem) -> str:
    """What cannot be read as a query."""
    return f"{visible(problem.place)}: error: {visible(problem.message)}"


def say(lines: Iterable[str]) -> None:
    """A paragraph on stderr for each query, as on stdout: often both are seen on one screen."""
    said = list(lines)
    if said:
        sys.stdout.flush()  # what is said about a query comes after what was printed before, also in one log
        print(*said, "", sep="\n", file=sys.stderr)


def wrong_base(base: str | None) -> str | None:
    """What is wrong with the argument of --base, if anything is."""
    if base is None:
        return None
    try:
        prepare("ASK { <x> <x> <x> }", base)
    except QueryError as error:
        return error.message
    return None
