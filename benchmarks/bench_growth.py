"""Ten times the queries at the same number of matches a publication: what the size of the index alone costs.

    make bench
    .venv/bin/python benchmarks/bench_growth.py --queries 1000000

More queries match more often. So of all queries that match one of the publications only so many are kept that the
larger index has as many matches as one of a tenth of the queries. Their answers are compared first.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from functools import partial
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.bench_match import over
from datasets.publications import World
from datasets.queries import queries
from rtf import Engine
from rtf.columns import columns_of
from rtf.compare.measure import conditions, interleaved, table

TIMES = 10


def main() -> None:
    """Check, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--queries", type=int, default=100_000)
    arguments.add_argument("--publications", type=int, default=500)
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seed", type=int, default=2026)
    chosen = arguments.parse_args()

    world = World(chosen.seed)
    published = list(world.entities(chosen.publications, first=10_000_000))
    items: list[object] = list(published)
    columns = columns_of(published)
    rows = []
    for dense in (False, True):
        name = "dense" if dense else "selective"
        print(f"{chosen.queries:,} queries, {name}", file=sys.stderr)
        texts = list(queries(world, chosen.queries, chosen.seed, dense=dense))
        small = Engine()
        small.register_many(texts[: chosen.queries // TIMES])
        expected = sum(len(small.match_ids(each)) for each in published)
        whole = Engine()
        start = time.perf_counter()
        whole.register_many(texts)
        seconds = time.perf_counter() - start
        found = [whole.match_ids(each) for each in published]
        kept = thinned(found, expected, random.Random(chosen.seed))
        matched = set(chain.from_iterable(found))
        del whole
        large = Engine()
        large.register_many((id, text) for id, text in texts if id in kept or id not in matched)
        for each, ids in zip(published, found, strict=True):
            if large.match_ids(each) != [id for id in ids if id in kept]:
                sys.exit(f"the smaller and the larger index disagree on {each}: nothing is timed")
        times = interleaved(
            {
                "small": over(small.match_ids, items),
                "large": over(large.match_ids, items),
                "small batch": partial(small.match_batch, columns),
                "large batch": partial(large.match_batch, columns),
            },
            chosen.rounds,
        )
        micro = {key: value / len(published) * 1e6 for key, value in times.items()}
        rows.append(
            [
                f"{len(large):,} {name}, {len(small):,} before",
                f"{sum(len(large.match_ids(each)) for each in published) / len(published):,.1f}",
                f"{expected / len(published):,.1f}",
                f"{micro['small']:.0f}",
                f"{micro['large']:.0f}",
                f"{micro['large'] / micro['small']:.2f}",
                f"{micro['large batch'] / micro['small batch']:.2f}",
                f"{seconds:.0f}",
            ]
        )
    print("## Growth at equal matches\n")
    print(
        table(
            [
                *("queries", "matches", "before", "µs before", "µs", "ratio", "ratio as columns"),
                f"s to register {chosen.queries:,}",
            ],
            rows,
        )
    )
    print(f"\n{conditions(chosen.seed, chosen.rounds)}")


def thinned(found: list[list[str]], matches: int, rng: random.Random) -> set[str]:
    """Queries that together have about so many matches."""
    counts: dict[str, int] = {}
    for id in chain.from_iterable(found):
        counts[id] = counts.get(id, 0) + 1
    ids = sorted(counts)
    rng.shuffle(ids)
    kept: set[str] = set()
    for id in ids:
        if matches < counts[id]:
            continue
        matches -= counts[id]
        kept.add(id)
    return kept


if __name__ == "__main__":
    main()
