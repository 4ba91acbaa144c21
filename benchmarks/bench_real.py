"""Real queries and real publications: which of them need what, and how long each takes.

.venv/bin/python benchmarks/bench_real.py --log QUERIES.jsonl --dump ENTITIES.nt.bz2

The queries of a log, an object with `query` a line, are registered all at once; the subjects of a dump of N-Triples,
in contiguous blocks, are the publications. Without both there is nothing to do, as neither is part of the project.
Queries that name nothing to look them up by are candidates of every publication; they are timed by themselves.
"""

from __future__ import annotations

import argparse
import bz2
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import groupby, islice
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.query_texts import from_log
from rtf import Engine, Publication
from rtf.columns import columns_of
from rtf.compare.measure import conditions, table
from rtf.files.query_report import Decision
from sparql_ft import QueryError, matches, prepare


def publications(path: Path, count: int) -> Iterator[Publication]:
    """The first so many subjects of a dump."""
    with bz2.open(path) if path.suffix == ".bz2" else path.open("rb") as lines:
        blocks = groupby((line for line in lines if line[:1] in b"<_"), lambda line: line.split(b" ", 1)[0])
        for _, block in islice(blocks, count):
            yield Publication.parse(b"".join(block))


def main() -> None:
    """Check, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--log", type=Path)
    arguments.add_argument("--dump", type=Path)
    arguments.add_argument("--publications", type=int, default=20_000)
    arguments.add_argument("--rounds", type=int, default=3)
    chosen = arguments.parse_args()
    if chosen.log is None or chosen.dump is None:
        print("bench_real: nothing to do without --log and --dump", file=sys.stderr)
        return

    texts: dict[str, str] = {}
    everywhere: dict[str, str] = {}
    decided: Counter[Decision] = Counter()
    for number, text in enumerate(from_log(chosen.log)):
        try:
            tuples = prepare(text).tuples
            decided[Decision.of_query(tuples)] += 1
            (everywhere if tuples.looks_at_everything else texts)[f"q{number}"] = text
        except QueryError:
            continue
    engine = Engine()
    engine.register_many(texts.items())
    published = list(publications(chosen.dump, chosen.publications))

    for publication in published[:: max(1, len(published) // 20)]:  # every query by itself takes a while
        if engine.match_ids(publication) != [id for id, text in texts.items() if matches(text, publication)]:
            sys.exit(f"the engine is wrong about {publication}: nothing is timed")
    columns = columns_of(published)
    if engine.match_batch(columns).column("query_id").to_pylist() != [
        id for each in published for id in engine.match_ids(each)
    ]:
        sys.exit("the batch is wrong: nothing is timed")

    needs: dict[str, list[float]] = {"tuples": [], "joins": [], "sparql": []}
    matched = 0
    batch = []
    for _ in range(chosen.rounds):
        for publication in published:
            start = time.perf_counter()
            report = engine.report(publication)
            seconds = time.perf_counter() - start
            matched += len(report.query_ids)
            needs["sparql" if report.verified else "joins" if report.checked else "tuples"].append(seconds)
        start = time.perf_counter()
        engine.match_batch(columns)
        batch.append((time.perf_counter() - start) / len(published))
    always = Engine()
    always.register_many(everywhere.items())
    start = time.perf_counter()
    for publication in published:
        always.match_ids(publication)
    each = (time.perf_counter() - start) / len(published) / max(1, len(everywhere))
    times = [seconds for every in needs.values() for seconds in every]
    total = len(times)
    print("## Real queries and publications\n")
    print(f"{len(texts):,} queries of a log, {len(published):,} publications with {columns.num_rows:,} triples,")
    print(f"{matched / total:.2f} matches a publication; {sum(times) / total * 1e6:.0f} µs a publication one by one,")
    print(f"{median(batch) * 1e6:.0f} µs as columns. {len(everywhere)} more queries name nothing to look them up by:")
    print(f"they are candidates of every publication, at {each * 1e6:.0f} µs each.\n")
    rows = [
        [
            name,
            f"{decided[Decision(name)] / decided.total():.1%}",
            f"{len(seconds) / total:.1%}",
            f"{median(seconds) * 1e6:.0f}" if seconds else "",
        ]
        for name, seconds in needs.items()
    ]
    print(table(["decided by", "of the queries", "of the publications", "µs a publication"], rows))
    print("\nA publication counts where the slowest of the queries that had to be looked at belongs.")
    print(f"\n{conditions(0, chosen.rounds)}")


if __name__ == "__main__":
    main()
