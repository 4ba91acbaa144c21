"""`rtf demo`: the main job on the sample, to see what this is about."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from urllib.parse import unquote

from rtf.cli.options import complain
from rtf.cli.snippets import snippet
from rtf.sample import DUMP, OWNERS, QUERIES

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from rtf.cli import Subparsers
    from rtf.engine import Engine

__all__ = ["add_parser", "run"]

Row: TypeAlias = Mapping[str, Any]
"""A match: query_id, publication, owner, bindings and highlights as `rtf match --format json` has them."""

_SHOWN: Final = 3  # matches of a query
_WIDTH: Final = 120  # where there is no terminal
_NAME: Final = 24  # characters of a publication's name, with the indent
_FOUND: Final = "bold yellow"
_EPILOG: Final = """\
The sample is a part of the installation: a dump of some two hundred entities in files as DBpedia publishes them, and
queries of four people. They are registered in a temporary registry, and the dump is filtered on Spark, on this machine;
nothing is left behind. The first time takes longer, because numba compiles what matches and keeps it.

In the table, words that ftcontains found are bold, or «marked» where stdout is no terminal. Of queries without full
text, the first bindings are shown.

examples:
  rtf demo
  rtf demo --all | less
"""
_NEXT: Final = """\
What next?
  Look at the dump and the queries, which are made to be read:
    {sample}
  Register queries of yours, and filter a dump of yours:
    rtf check my-query.rq
    rtf register my-query.rq --registry queries.db
    rtf filter dump/*.ttl.bz2 --registry queries.db --out matches
  Ask why something matches, or does not:
    rtf explain my-query my-publication.ttl --registry queries.db"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "demo",
        help="filter a small dump by some queries, and show what is found",
        description="Filter a small dump by some queries, and show what is found.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--all", action="store_true", help=f"all matches, and not only {_SHOWN} of each query")


def run(args: argparse.Namespace) -> int:
    """Register, filter, show, and say what to do next."""
    from rtf.pipeline.errors import PipelineError
    from rtf.registry.registry import Registry

    start = time.perf_counter()
    with TemporaryDirectory(prefix="rtf-demo-") as folder, Registry(Path(folder, "queries.db")) as registry:
        for owner, tags in OWNERS.items():
            files = sorted((QUERIES / owner).glob("*.rq"))
            registry.register_many([(file.stem, file.read_text(encoding="utf-8")) for file in files], owner, tags)
        engine = registry.engine()
    dump = sorted(DUMP.iterdir())
    _say(f"Registered {len(engine)} queries of {', '.join(OWNERS)}.")
    _say(f"Filtering the {len(dump)} files of the sample on Spark; the first time takes about a minute …\n")
    ids = [query.id for query in engine]
    try:
        rows = sorted(_filtered(engine, dump), key=lambda row: (ids.index(row["query_id"]), row["publication"]))
    except PipelineError as error:
        return complain("demo", error)
    _print_table(rows, engine, None if args.all else _SHOWN)
    found = Counter(row["query_id"] for row in rows)
    never = ", ".join(id for id in ids if id not in found)
    took = time.perf_counter() - start
    _say(f"\n{len(rows)} matches of {len(found)} queries, in {took:.0f} s. Still waiting: {never}.\n")
    _say(_NEXT.format(sample=DUMP.parent))
    return 0


def _filtered(engine: Engine, dump: Sequence[Path]) -> list[Row]:
    """The matches of the dump."""
    from rtf.pipeline import match, read
    from rtf.pipeline.session import session

    with session() as spark:
        publications = read(spark, [str(file) for file in dump])
        found = match(publications, engine, bindings=True, highlights=True, partitions=2)
        return [row.asDict(recursive=True) for row in found.collect()]


def _say(text: str) -> None:
    sys.stdout.flush()
    print(text, file=sys.stderr, flush=True)


# --- the table --------------------------------------------------------------------------------------------------------


def _print_table(rows: Sequence[Row], engine: Engine, shown: int | None) -> None:
    """A heading for each query that tells what it asks for, and a line for each match."""
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    width = console.width if console.is_terminal else _WIDTH
    for query, group in groupby(rows, key=lambda row: row["query_id"]):
        matches = list(group)
        heading = Text(query, style="bold")
        heading.append(f" ({matches[0]['owner']}, {len(matches)} matches): ", style="not bold")
        heading.append(_asks(engine[query].text), style="not bold")
        _print_line(heading, width, console)
        for row in matches[:shown]:
            name = Text(f"  {_name(row['publication'])}")
            name.truncate(_NAME, overflow="ellipsis", pad=True)
            _print_line(name.append("  ").append(_found(row, width - _NAME - 2, console)), width, console)


def _print_line(line: Text, width: int, console: Console) -> None:
    line.rstrip()
    line.truncate(width, overflow="ellipsis")
    console.print(line, soft_wrap=True)


def _asks(text: str) -> str:
    """What a query of the sample asks for, as its first line tells."""
    return text.partition("\n")[0].removeprefix("# ").partition(". ")[0].removesuffix(".")


def _found(row: Row, width: int, console: Console) -> Text:
    """The text with the words found in it, or else what the variables are bound to."""
    from rich.text import Text

    if not row["highlights"]:
        bound = [(name, term["value"]) for name, term in row["bindings"][0].items()]
        told = (f"{name} = {_name(value)}" for name, value in bound if value != row["publication"])
        return Text(", ".join(told), overflow="ellipsis")
    found = row["highlights"][0]
    text = Text(overflow="ellipsis")
    marked = console.color_system is None
    for piece, is_found in snippet(found["literal"]["value"], found["spans"], width - 2 * marked * len(found["spans"])):
        if not is_found:
            text.append(piece)
        elif marked:
            text.append(f"«{piece}»")
        else:
            text.append(piece, style=_FOUND)
    return text


def _name(iri: str) -> str:
    """What people call a resource of DBpedia."""
    return unquote(iri.rpartition("/resource/")[2]).replace("_", " ")
