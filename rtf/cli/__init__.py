"""The command `rtf`: one module a command, listed in COMMANDS.

A command's module is named like the command, and has

- `add_parser(subparsers)`, which calls `subparsers.add_parser` with the command's name, and
- `run(args)`, which does the work and returns the exit code: 0, or 2 for bad input.

Data goes to stdout, everything else to stderr. Modules import what is heavy (Spark above all) inside `run`.
They import this package (for `Subparsers`) under TYPE_CHECKING only, since it imports them.
"""

from __future__ import annotations

import argparse
import difflib
import errno
import io
import os
import select
import sys
from collections.abc import Sequence
from importlib.metadata import version
from typing import Protocol, TypeAlias

from rtf.cli import check, compare, demo, explain, match, register, unregister, watch
from rtf.cli import filter as filter_
from rtf.cli import list as list_

__all__ = ["COMMANDS", "Command", "Subparsers", "main"]

Subparsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

CANNOT_WRITE = 1
INTERRUPTED = 130  # 128 + SIGINT, as shells report it
PIPE_CLOSED = 141  # 128 + SIGPIPE


class Command(Protocol):
    """What a module of this package offers."""

    __name__: str

    def add_parser(self, subparsers: Subparsers, /) -> object:
        """Declare the command and its arguments."""

    def run(self, args: argparse.Namespace, /) -> int:
        """Do it, and return the exit code."""


COMMANDS: tuple[Command, ...] = (
    check, register, unregister, list_, match, filter_, watch, explain, compare, demo,
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (or else the command line) names, and return its exit code."""
    _prepare_streams()
    try:
        code = _run(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()  # a reader that has gone is noticed here, not when the interpreter ends
    except BrokenPipeError:
        if not _reader_has_gone():
            raise  # some other pipe or socket broke, and that is an error
        _drop_output()  # `rtf … | head` has read enough
        return PIPE_CLOSED
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        _drop_output()
        print(f"rtf: cannot write: {os.strerror(errno.ENOSPC).lower()}", file=sys.stderr)
        return CANNOT_WRITE
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


def _prepare_streams() -> None:
    """Whoever closes a stream (`rtf … >&-`) wants nothing of it. Data is UTF-8, whatever the locale says."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  as long as we live
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A file's name need not be text. In JSON the result is still right.
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")


def _drop_output() -> None:
    """What is still buffered goes nowhere, so that the interpreter can end quietly."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="rtf", description="Standing full-text SPARQL queries over RDF.")
    parser.add_argument("--version", action="version", version=f"rtf {version('rtf-sparql')}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands = {command.__name__.rpartition(".")[2]: command for command in COMMANDS}
    for command in COMMANDS:
        command.add_parser(subparsers)
    if argv and not argv[0].startswith("-") and argv[0] not in commands:
        close = difflib.get_close_matches(argv[0], commands, n=1)
        advice = f"did you mean {close[0]}?" if close else f"the commands are: {', '.join(commands)}"
        parser.error(f"there is no command {argv[0]!r}; {advice}")
    args = parser.parse_args(argv)
    if args.command is None:
        parser.print_help(sys.stderr)
        return 2
    return commands[args.command].run(args)


def _reader_has_gone() -> bool:
    """Whether nobody reads our stdout or our stderr any more."""
    poll = select.poll()
    for stream in (sys.stdout, sys.stderr):
        try:
            poll.register(stream.fileno(), 0)  # errors and hang-ups are reported without being asked for
        except (OSError, ValueError):  # it is no file
            continue
    return bool(poll.poll(0))
