"""`rtf list`: the queries of a registry."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from rtf.cli.options import add_registry_option, complain, tag_list
from rtf.cli.rows import FORMATS, print_rows

if TYPE_CHECKING:
    from rtf.cli import Subparsers
    from rtf.registry.registry import StoredQuery

__all__ = ["add_parser", "run"]

_COLUMNS: Final = ("id", "owner", "tags", "created", "enabled", "text")
_EPILOG: Final = """\
Queries come in order of registration. What --format json prints, `rtf register` reads.

examples:
  rtf list --registry queries.db
  rtf list --registry queries.db --owner ana --tags sport,news
  rtf list --registry queries.db --format json >queries.jsonl
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "list",
        help="show the queries of a registry",
        description="Show the queries of a registry.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_registry_option(parser)
    parser.add_argument("--owner", help="those of this owner only")
    parser.add_argument("--tags", "--tag", type=tag_list, metavar="TAG,…", help="those with one of these tags only")
    parser.add_argument("--format", choices=FORMATS, default="table", help="json is JSON Lines")


def run(args: argparse.Namespace) -> int:
    """Print them."""
    from rtf.registry.registry import Registry, RegistryError

    try:
        with Registry(args.registry, read_only=True) as registry:
            total = len(registry)
            counter = _Counter(registry.queries(args.owner, args.tags))
            print_rows(counter.rows(), _COLUMNS, args.format, shortened=("text",))
    except RegistryError as error:
        return complain("list", error)
    of = "" if args.owner is None and args.tags is None else f" of {total:,}"
    sys.stdout.flush()
    print(f"{counter.count:,}{of} {'query' if (counter.count, of) == (1, '') else 'queries'}", file=sys.stderr)
    return 0


class _Counter:
    """Rows, counted as they pass by."""

    def __init__(self, queries: Iterable[StoredQuery]) -> None:
        self.count = 0
        self._queries = queries

    def rows(self) -> Iterator[dict[str, object]]:
        """A row for each query."""
        for query in self._queries:
            self.count += 1
            yield {
                "id": query.id,
                "owner": query.owner,
                "tags": sorted(query.tags),
                "created": query.created.strftime("%Y-%m-%dT%H:%M:%SZ"),
                "enabled": query.enabled,
                "text": query.text,
            }
