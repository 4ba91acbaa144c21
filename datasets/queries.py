"""The paper's queries: at most four tuples and three words, a share of the tuples with full text.

*Dense* draws classes, properties and words by their frequency, as the paper does, so that a publication matches more
than one query in a hundred; *selective* draws them evenly but for most classes, so that it matches a few in a
hundred thousand.

    python -m datasets.queries --count 100000 --seed 1 --out queries.jsonl

A tuple has full text with the probability `text_share` (the paper's FT_pr: 0, 0.5 or 1), each for itself; its words are
joined by ftAND. The paper draws words "equiprobably among the multi-set of words", so by their frequency.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Final, Protocol

from datasets.dbpedia import DBpedia
from datasets.observed import Observed, triples_of
from datasets.publications import ABSTRACT, LABEL, TYPE, World
from sparql_ft.terms import IRI

__all__ = ["Source", "main", "queries"]

_COMMON: Final = 300  # words that selective queries leave out


class Source(Protocol):
    """What queries are drawn from: a `World`, or what was `Observed` in a dump. Frequent ones stand first."""

    classes: list[IRI]
    properties: list[IRI]
    vocabulary: list[str]

    def class_(self, rng: random.Random, /) -> IRI:
        """A class, by frequency."""

    def property(self, rng: random.Random, /) -> IRI:
        """A property, by frequency."""

    def word(self, rng: random.Random, /) -> str:
        """A word, by frequency."""

    def resource(self, rng: random.Random, /) -> IRI:
        """An entity that others refer to, by frequency."""


def queries(
    source: Source, count: int, seed: int, *, dense: bool, text_share: float = 0.5
) -> Iterator[tuple[str, str]]:
    """Queries as (id, text)."""
    if not 0 <= text_share <= 1:
        raise ValueError(f"text_share is a probability, from 0 to 1, and not {text_share}")
    rng = random.Random(seed)
    for number in range(count):
        yield f"q{number}", _query(source, rng, dense=dense, text_share=text_share)


def _query(source: Source, rng: random.Random, *, dense: bool, text_share: float) -> str:
    tuples = []
    for number in range(rng.choice((1, 2, 2, 3, 3, 4, 4) if dense else (2, 3, 4))):
        if rng.random() < text_share:
            predicate = rng.choice((ABSTRACT, ABSTRACT, ABSTRACT, LABEL)) if not dense else ABSTRACT
            words = dict.fromkeys(
                _word(source, rng, dense=dense) for _ in range(rng.choice((1, 2, 3) if dense else (2, 3)))
            )
            text = " ftAND ".join(f'"{word}"' for word in words)
            tuples.append(f"?x {predicate} ?t{number} . FILTER ftcontains(?t{number}, {text})")
        else:
            tuples.append(_structural(source, rng, number, dense=dense))
    return f"SELECT ?x WHERE {{ {' '.join(tuples)} }}"


def _word(source: Source, rng: random.Random, *, dense: bool) -> str:
    words = source.vocabulary
    return source.word(rng) if dense else words[rng.randrange(min(_COMMON, len(words) // 2), len(words))]


def _structural(source: Source, rng: random.Random, number: int, *, dense: bool) -> str:
    kind = rng.random()
    predicate: IRI = source.property(rng) if dense else rng.choice(source.properties)
    if kind < 0.4:
        return f"?x {TYPE} {source.class_(rng) if dense or rng.random() < 0.65 else rng.choice(source.classes)} ."
    if kind < 0.7:
        return f"?x {predicate} ?v{number} ."
    return f"?x {predicate} {source.resource(rng)} ."


# --- the command ------------------------------------------------------------------------------------------------------

_EPILOG: Final = """\
Queries are drawn from the entities of `python -m datasets.dump` with the same --seed (and --plain or --uris, if that
had them), or from the files of --dump, which are line-based N-Triples or N-Quads: plain, .gz or .bz2.

examples:
  python -m datasets.queries --count 100000 --seed 1 --out queries.jsonl
  python -m datasets.queries --count 1000 --seed 1 --dense --text-share 1 --owners 10 | rtf register - --registry q.db
  python -m datasets.queries --count 1000 --seed 1 --dump labels_en.ttl.bz2 long_abstracts_en.ttl.bz2 \\
      instance_types_en.ttl.bz2 mappingbased_objects_en.ttl.bz2
"""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.queries",
        description="Write queries as those of the RTF paper, as JSON Lines, which `rtf register` reads.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, required=True, metavar="N", help="how many")
    parser.add_argument("--seed", type=int, required=True, help="that of the dump; the queries follow from it too")
    parser.add_argument("--query-seed", type=int, metavar="SEED", help="other queries on the same dump")
    parser.add_argument("--dense", action="store_true", help="draw by frequency; a hundred times as many matches")
    parser.add_argument("--text-share", type=float, default=0.5, metavar="P", help="of tuples with full text (0.5)")
    parser.add_argument("--owners", type=int, default=0, metavar="N", help="that the queries belong to by turns (none)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="without it, stdout")
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--uris", action="store_true", help="for a dump with --uris")
    kind.add_argument("--plain", action="store_true", help="for a dump with --plain")
    kind.add_argument("--dump", type=Path, nargs="+", metavar="FILE", help="draw from what is in these files")
    parser.add_argument("--limit", type=int, metavar="N", help="look at the first N triples of each file only")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Write queries; the exit code."""
    parser = _parser()
    args = parser.parse_args(argv)
    if args.count < 0 or args.owners < 0 or not 0 <= args.text_share <= 1:
        parser.error("--count and --owners are not negative, and --text-share is from 0 to 1")
    try:
        source: Source
        if args.dump:
            source = Observed(chain.from_iterable(triples_of(path, args.limit) for path in args.dump))
        else:
            source = World(args.seed) if args.plain else DBpedia(args.seed, uris=args.uris)
        opened = args.out.open("w", encoding="utf-8") if args.out else nullcontext(sys.stdout)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    seed = args.seed if args.query_seed is None else args.query_seed
    drawn = queries(source, args.count, seed, dense=args.dense, text_share=args.text_share)
    try:
        with opened as out:
            for number, (id, text) in enumerate(drawn):
                owner = {"owner": f"owner{number % args.owners}"} if args.owners else {}
                print(json.dumps({"id": id, "text": text} | owner, ensure_ascii=False), file=out)
            out.flush()
    except BrokenPipeError:  # `… | head` has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


if __name__ == "__main__":
    sys.exit(main())
