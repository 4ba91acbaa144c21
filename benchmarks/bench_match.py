"""Matching: RTFM and RTFS against a plain-Python matcher and a reference loop, on the paper's workload.

    make bench
    .venv/bin/python benchmarks/bench_match.py --sizes 10000 100000 1000000

Results of all matchers are compared first. *Selective* and *dense* are the two variants of the workload.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.plain_matcher import PlainMatcher
from datasets.publications import World
from datasets.queries import queries
from rtf import Engine, Publication
from rtf.columns import columns_of
from rtf.compare.measure import conditions, interleaved, table
from sparql_ft.analyser import tokens
from sparql_ft.terms import Literal


def to_ntriples(publication: Publication) -> bytes:
    """A publication as a line of a dump would have it."""
    return "".join(f"{s} {p} {o} .\n" for s, p, o in publication.triples).encode()


def reference(data: bytes, seen: dict[object, int]) -> int:
    """The fixed reference loop: parse, tokenise, one look-up a term and token."""
    found = 0
    for triple in Publication.parse(data).triples:
        for term in triple:
            found += seen.get(term, 0)
        if isinstance(triple[2], Literal):
            for word in tokens(triple[2].lexical):
                found += seen.get(word, 0)
    return found


def parse_and_match(data: bytes, engine: Engine) -> list[str]:
    """What the reference loop is compared with."""
    return engine.match_ids(Publication.parse(data))


def over(function: Callable[..., object], items: list[object], *more: object) -> Callable[[], None]:
    """A task that applies a function to all items."""

    def run() -> None:
        for item in items:
            function(item, *more)

    return run


def changes(engine: Engine) -> Iterator[float]:
    """The seconds that one query takes to be registered, and to be removed again."""
    for number in range(100):
        start = time.perf_counter()
        engine.register("one more", f'ASK {{ ?x <urn:p> ?t FILTER ftcontains(?t, "w{number}") }}')
        yield time.perf_counter() - start
        start = time.perf_counter()
        engine.unregister("one more")
        yield time.perf_counter() - start


def main() -> None:
    """Check, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    arguments.add_argument("--publications", type=int, default=500)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seed", type=int, default=2026)
    chosen = arguments.parse_args()

    world = World(chosen.seed)
    published: list[object] = list(world.entities(chosen.publications, first=10_000_000))
    raw: list[object] = [to_ntriples(publication) for publication in published]  # type: ignore[arg-type]
    columns = columns_of(published)  # type: ignore[arg-type]
    rows, sizes = [], []
    for dense in (False, True):
        for size in chosen.sizes:
            name = "dense" if dense else "selective"
            print(f"{size:,} queries, {name}", file=sys.stderr)
            texts = list(queries(world, size, chosen.seed, dense=dense))
            plain = PlainMatcher(texts)
            engines = {}
            for layout in ("rtfm", "rtfs"):
                engine = engines[layout] = Engine(layout=layout)  # type: ignore[arg-type]
                start = time.perf_counter()
                engine.register_many(texts)
                seconds = time.perf_counter() - start
                with TemporaryDirectory() as folder:
                    path = Path(folder, "index")
                    engine.save(path)
                    start = time.perf_counter()
                    Engine.load(path)
                    load = time.perf_counter() - start
                    on_disk = path.stat().st_size / size
                sizes.append(
                    [
                        f"{size:,} {name} {layout.upper()}",
                        f"{seconds:.1f}",
                        f"{load * 1000:.0f}",
                        f"{engine.stats().index_bytes / size:.0f}",
                        f"{on_disk:.0f}",
                        f"{median(changes(engine)) * 1e6:.0f}",
                    ]
                )
            matches = 0
            for publication in published:
                expected = sorted(plain.match_ids(publication))  # type: ignore[arg-type]
                matches += len(expected)
                for layout, engine in engines.items():
                    if sorted(engine.match_ids(publication)) != expected:  # type: ignore[arg-type]
                        sys.exit(f"{layout} and the plain matcher disagree on {publication}: nothing is timed")
            found = engines["rtfs"].match_batch(columns).num_rows
            if found != matches:
                sys.exit(f"as columns there are {found} matches instead of {matches}: nothing is timed")
            seen: dict[object, int] = {}
            seconds = interleaved(
                {
                    "plain": over(plain.match_ids, published),
                    "rtfm": over(engines["rtfm"].match_ids, published),
                    "rtfs": over(engines["rtfs"].match_ids, published),
                    "batch": partial(engines["rtfs"].match_batch, columns),
                    "reference": over(reference, raw, seen),
                    "parse and match": over(parse_and_match, raw, engines["rtfs"]),
                },
                chosen.rounds,
            )
            micro = {name: value / len(published) * 1e6 for name, value in seconds.items()}
            best = min(micro["rtfm"], micro["rtfs"])
            rows.append(
                [
                    f"{size:,} {name}",
                    f"{matches / len(published):,.1f}",
                    f"{micro['plain']:.0f}",
                    f"{micro['rtfm']:.0f}",
                    f"{micro['rtfs']:.0f}",
                    f"{micro['batch']:.0f}",
                    f"{micro['plain'] / best:.2f}",
                    f"{micro['parse and match'] / micro['reference']:.2f}",
                ]
            )
    print("## Matching\n")
    print(
        table(
            [
                *("queries", "matches", "plain µs", "RTFM µs", "RTFS µs", "RTFS batch µs"),
                *("plain / RTF", "parse and match / reference"),
            ],
            rows,
        )
    )
    print()
    print(
        table(["queries", "register s", "load ms", "index bytes a query", "file bytes a query", "one change µs"], sizes)
    )
    print(f"\n{conditions(chosen.seed, chosen.rounds)}")


if __name__ == "__main__":
    main()
