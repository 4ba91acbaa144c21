"""The engine that a command matches with: the queries of a registry that its options choose."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rtf.cli.options import tag_list
from rtf.cli.progress import progress
from sparql_ft import PublicationError
from sparql_ft.publication import format_name

if TYPE_CHECKING:
    from rtf.engine import Engine
    from rtf.ontology import Ontology

__all__ = ["add_engine_options", "engine_of", "ontology_of"]


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Which queries, and how they are indexed."""
    parser.add_argument("--owner", help="match the queries of this owner only")
    parser.add_argument("--tags", "--tag", type=tag_list, metavar="TAG,…", help="those with one of these tags only")
    parser.add_argument("--ontology", metavar="FILE", help="RDFS or OWL; publications get what follows from it")
    parser.add_argument("--layout", choices=("rtfs", "rtfm"), default="rtfs", help="of the index; answers are the same")


def engine_of(args: argparse.Namespace) -> Engine:
    """The engine. RegistrationError, RegistryError or PublicationError (of the ontology) say what is wrong."""
    from rtf.registry.registry import Registry

    ontology = ontology_of(args)
    with (
        Registry(args.registry, read_only=True) as registry,
        progress("queries", len(registry), beside_data=False) as bar,
    ):

        def show(count: int) -> None:
            bar.advance(1)
            bar.show(count)

        return registry.engine(owner=args.owner, tags=args.tags, show=show, layout=args.layout, ontology=ontology)


def ontology_of(args: argparse.Namespace) -> Ontology | None:
    """What --ontology names."""
    from rtf.ontology import Ontology

    name = args.ontology
    if name is None:
        return None
    try:
        return Ontology.read(name, format_name(Path(name).suffix))
    except OSError as error:
        raise PublicationError(f"{name}: {(error.strerror or str(error)).lower()}") from error
    except PublicationError as error:
        raise PublicationError(f"{name}: {error.message}", error.line, error.column, error.hint) from error
