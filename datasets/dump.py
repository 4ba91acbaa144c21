r"""Entities -> dump files as DBpedia publishes them: labels, types, properties and abstracts in files of their own.

    python -m datasets.dump --entities 200000 --seed 1 --out dump

All files are line-based, a triple a line, between a comment `# started …` and one `# completed …`. They differ as the
real ones do:

- `ttl`: Unicode as such, and no blank between a plain string and the dot. Turtle in name only.
- `nt`: ASCII; everything else is `\uXXXX` or `\UXXXXXXXX`.
- `nq`: the same with the page that a triple comes from as its graph.

Entities are written one after the other; nothing of the dump is kept.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import re
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final, Literal, TypeAlias, cast

from datasets.dbpedia import DBpedia
from datasets.publications import ABSTRACT, LABEL, RESOURCE, TYPE, World
from sparql_ft.terms import IRI, XSD_STRING, Term, Triple
from sparql_ft.terms import Literal as RdfLiteral

__all__ = ["COMPRESSIONS", "FORMATS", "Compression", "Format", "Written", "file_name", "line", "main", "write_dump"]

Format: TypeAlias = Literal["ttl", "nt", "nq"]
Compression: TypeAlias = Literal["none", "gz", "bz2", "zst"]
FORMATS: Final[tuple[Format, ...]] = ("ttl", "nt", "nq")
COMPRESSIONS: Final[tuple[Compression, ...]] = ("none", "gz", "bz2", "zst")

_STARTED: Final = "# started 2015-11-02T06:00:00Z\n"  # always the same, so that the files are
_COMPLETED: Final = "# completed 2015-11-02T09:30:00Z\n"
_PAGE: Final = "http://en.wikipedia.org/wiki/"
_BUFFER: Final = 1 << 20
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_NOT_ASCII: Final = re.compile(r"[^\x20-\x7e]")


@dataclass(frozen=True, slots=True)
class Written:
    """What a dump has."""

    files: tuple[Path, ...]
    triples: int


def file_name(triple: Triple) -> str:
    """Which of DBpedia's files a triple belongs into, without endings."""
    _, predicate, value = triple
    if predicate == TYPE:
        return "instance_types_en"
    if predicate == LABEL and isinstance(value, RdfLiteral) and value.language is not None:
        return "labels_en" if value.language == "en" else f"labels_en_uris_{value.language}"
    if predicate == ABSTRACT:
        return "long_abstracts_en"
    return "mappingbased_objects_en" if isinstance(value, IRI) else "mappingbased_literals_en"


def line(triple: Triple, format: Format, graph: IRI | None = None) -> str:
    """A triple as a line of a file."""
    subject, predicate, value = triple
    if format == "ttl":
        plain = isinstance(value, RdfLiteral) and value.datatype == XSD_STRING
        return f"{subject} {predicate} {_written(value)}{'' if plain else ' '}.\n"
    terms = _NOT_ASCII.sub(_numbered, f"{subject} {predicate} {_written(value)}")
    return f"{terms} .\n" if graph is None else f"{terms} {_NOT_ASCII.sub(_numbered, str(graph))} .\n"


def _written(term: Term) -> str:
    if not isinstance(term, RdfLiteral):
        return str(term)
    quoted = f'"{term.lexical.translate(_ESCAPES)}"'
    if term.language is not None:
        return f"{quoted}@{term.language}"
    return quoted if term.datatype == XSD_STRING else f"{quoted}^^<{term.datatype}>"


def _numbered(character: re.Match[str]) -> str:
    code = ord(character[0])
    return f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


def _page(id: str, number: int) -> IRI:
    """The revision of the page that an entity was extracted from."""
    return IRI(f"{_PAGE}{id.removeprefix(RESOURCE)}?oldid={600_000_000 + number}")


def write_dump(
    world: World,
    count: int,
    folder: Path,
    *,
    first: int = 0,
    format: Format = "ttl",
    compression: Compression = "none",
    advance: Callable[[int], object] = lambda _: None,
) -> Written:
    """Write entities `first` to `first + count` of a world into a folder; `advance` is told how many are written."""
    folder.mkdir(parents=True, exist_ok=True)
    ending = f".{format}" if compression == "none" else f".{format}.{compression}"
    triples = 0
    files: dict[str, tuple[Path, IO[str]]] = {}
    with ExitStack() as stack:
        for number, entity in enumerate(world.entities(count, first), first):
            graph = _page(entity.id, number) if format == "nq" else None
            for triple in entity:
                name = file_name(triple)
                if name not in files:
                    path = folder / f"{name}{ending}"
                    file = stack.enter_context(_opened(path, compression))
                    files[name] = path, file
                    file.write(_STARTED)
                files[name][1].write(line(triple, format, graph))
            triples += len(entity)
            if (number + 1) % 1000 == 0:
                advance(number + 1 - first)
        for _, file in files.values():
            file.write(_COMPLETED)
    return Written(tuple(path for path, _ in files.values()), triples)


def _opened(path: Path, compression: Compression) -> IO[str]:
    """A text file; the same text always gives the same bytes."""
    buffered = io.BufferedWriter(cast(io.RawIOBase, _compressed(path, compression)), _BUFFER)
    return io.TextIOWrapper(buffered, encoding="utf-8", newline="\n")


def _compressed(path: Path, compression: Compression) -> object:
    match compression:
        case "none":
            return path.open("wb", buffering=0)
        case "gz":  # without the time in its header
            return gzip.GzipFile(path, "wb", compresslevel=6, mtime=0)
        case "bz2":
            return bz2.BZ2File(path, "wb")
        case "zst":
            import pyarrow

            return pyarrow.CompressedOutputStream(str(path), "zstd")


# --- the command ------------------------------------------------------------------------------------------------------

_EPILOG: Final = """\
The same arguments give the same files, byte by byte. Entity i of a seed is the same in each dump, so --first goes on
where another dump ended.

examples:
  python -m datasets.dump --entities 200000 --seed 1 --out dump
  python -m datasets.dump --entities 1000 --seed 1 --out dump --format nt --compression bz2 --uris
  python -m datasets.dump --entities 1000 --first 200000 --seed 1 --out more
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.dump",
        description="Write a DBpedia-shaped dump of any size.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--entities", type=int, required=True, metavar="N", help="how many")
    parser.add_argument("--seed", type=int, required=True, help="entities follow from it")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a folder, made if it is not there")
    parser.add_argument("--first", type=int, default=0, metavar="I", help="number of the first entity (default: 0)")
    parser.add_argument("--format", choices=FORMATS, default="ttl", help="of the lines (default: ttl)")
    parser.add_argument("--compression", choices=COMPRESSIONS, default="none", help="(default: none)")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--uris", action="store_true", help="percent-encode IRIs, as in .nt files of older releases")
    kind.add_argument("--plain", action="store_true", help="the plainer entities that benchmarks/ use: `World`")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write a dump; the exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.entities < 1 or args.first < 0:
        parser.error("--entities is at least 1, and --first at least 0")
    if args.out.is_dir() and any(args.out.iterdir()):
        parser.error(f"{args.out} is not empty; files of another dump would be read with these")
    world = World(args.seed) if args.plain else DBpedia(args.seed, uris=args.uris)
    start = time.perf_counter()

    def advance(done: int) -> None:
        if sys.stderr.isatty():
            print(f"\r{done:,} of {args.entities:,} entities", end="", file=sys.stderr, flush=True)

    written = write_dump(
        world,
        args.entities,
        args.out,
        first=args.first,
        format=args.format,
        compression=args.compression,
        advance=advance,
    )
    size = sum(path.stat().st_size for path in written.files)
    took = time.perf_counter() - start
    counts = f"{args.entities:,} entities, {written.triples:,} triples, {len(written.files)} files"
    start_of_line = "\r" if sys.stderr.isatty() else ""
    print(f"{start_of_line}wrote {counts}, {size / 1e6:,.1f} MB in {took:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
