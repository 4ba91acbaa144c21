"""`rtf unregister`: take queries out of a registry."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final

from rtf.cli.options import add_registry_option, complain
from rtf.files.query_report import visible

if TYPE_CHECKING:
    from rtf.cli import Subparsers

__all__ = ["add_parser", "run"]

_EPILOG: Final = """\
All of them are removed, or none if there is an id that the registry does not have; the exit code is then 2.

examples:
  rtf unregister olympics volcanoes --registry queries.db
  rtf unregister olympics --disable --registry queries.db
  rtf list --owner ana --format json --registry queries.db | jq -r .id | xargs rtf unregister --registry queries.db
"""


def add_parser(subparsers: Subparsers) -> None:
    """Declare the command."""
    parser = subparsers.add_parser(
        "unregister",
        help="take queries out of a registry",
        description="Take queries out of a registry, all of them or none.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("ids", nargs="+", metavar="ID", help="the id of a query; `rtf list` shows them")
    add_registry_option(parser)
    parser.add_argument(
        "--disable", action="store_true", help="keep them, but match them no more; `rtf register` enables them again"
    )


def run(args: argparse.Namespace) -> int:
    """Remove them, or say which are not there."""
    from rtf.registry.registry import Registry, RegistryError

    ids = list(dict.fromkeys(args.ids))
    try:
        with Registry(args.registry, create=False) as registry:
            unknown = [id for id in ids if id not in registry]
            for id in unknown:
                complain("unregister", f"there is no query {visible(id)}")
            if unknown:
                return complain("unregister", f"nothing was {'disabled' if args.disable else 'removed'}")
            (registry.disable if args.disable else registry.unregister)(*ids)
    except RegistryError as error:
        return complain("unregister", error)
    done = "disabled" if args.disable else "removed"
    print(f"{done} {len(ids):,} {'query' if len(ids) == 1 else 'queries'}", file=sys.stderr)
    return 0
