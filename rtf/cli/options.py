"""Arguments and messages that several commands share."""

from __future__ import annotations

import argparse
import sys

from rtf.files.publication_files import GROUPINGS, UnreadableFile
from rtf.files.query_report import visible
from sparql_ft.publication import FORMATS

__all__ = [
    "add_publication_options",
    "add_registry_option",
    "add_spark_options",
    "complain",
    "setting",
    "tag_list",
    "unreadable",
]


def add_registry_option(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """`--registry DB`."""
    parser.add_argument(
        "--registry", metavar="DB", required=required, help="the registry, a file made by `rtf register`"
    )


def add_publication_options(parser: argparse.ArgumentParser) -> None:
    """How files of RDF are read."""
    parser.add_argument(
        "--input-format", choices=tuple(FORMATS), help="of all files; without it the ending of each name tells"
    )
    parser.add_argument(
        "--publication",
        choices=GROUPINGS,
        default="subject",
        help="what is a publication: each subject, and each named graph (default); each graph; each file",
    )
    parser.add_argument("--base", metavar="IRI", help="what relative IRIs in the files are relative to")


def add_spark_options(parser: argparse.ArgumentParser) -> None:
    """Where Spark runs, and how."""
    parser.add_argument("--master", metavar="URL", help="Spark's master (default: all cores of this machine)")
    parser.add_argument(
        "--conf",
        action="append",
        type=_spark_setting,
        default=[],
        metavar="NAME=VALUE",
        help="a setting of Spark, such as spark.driver.memory=8g; may be repeated",
    )


def _spark_setting(text: str) -> tuple[str, str]:
    name, value = setting(text)
    if not name.startswith("spark."):
        raise argparse.ArgumentTypeError(f"{text!r} is no setting of Spark; they are like spark.driver.memory=8g")
    return name, value


def setting(text: str) -> tuple[str, str]:
    """An argument with a name and a value."""
    name, found, value = text.partition("=")
    if not found or not name:
        raise argparse.ArgumentTypeError(f"{text!r} has no value; write it as in: NAME=VALUE")
    return name, value


def tag_list(text: str) -> list[str]:
    """The argument of --tags."""
    tags = [tag.strip() for tag in text.split(",")]
    if not all(tags):
        raise argparse.ArgumentTypeError(f"{text!r} has an empty tag; write tags as in: sport,news")
    return tags


def complain(command: str, message: object) -> int:
    """Say what is wrong with the input; the exit code for that."""
    sys.stdout.flush()
    print(f"rtf {command}: {message}", file=sys.stderr)
    return 2


def unreadable(problem: UnreadableFile) -> None:
    """Say what is wrong with a file of RDF."""
    sys.stdout.flush()
    print(f"{visible(problem.place)}: error: {visible(problem.message)}", file=sys.stderr)
    if problem.hint:
        print(f"  {visible(problem.hint)}", file=sys.stderr)
