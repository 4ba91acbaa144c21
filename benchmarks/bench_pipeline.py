"""The Spark job: over the same job without matching, and over one core in process; end to end, and its memory.

    make bench
    .venv/bin/python benchmarks/bench_pipeline.py --publications 200000 --queries 100000

A dump is generated (DBpedia-shaped, the triples of an entity in several files), the paper's selective queries are
registered, and the matches of Spark on two cores are compared with those of the engine in this process before anything
is timed. The session is started, and has done one job, before the clock is. *Without matching* is the same job with a
matcher that only counts: read, group, hand to Python, write nothing. *In process* is done twice, both on one core: as
columns, with the pipeline's own readers, all of the dump in memory; and one publication after the other, as somebody
would do it in a few lines, on a part of the dump, from which its time for all of the dump is worked out.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from datasets.publications import World
from datasets.queries import queries
from rtf import Engine, Publication
from rtf.columns import BatchReport, PublicationColumns
from rtf.compare.measure import conditions, interleaved, table
from rtf.pipeline.dump import find_files
from rtf.pipeline.grouping import gathered
from rtf.pipeline.job import Result, Totals, partitions_for
from rtf.pipeline.lines import LineReader
from rtf.pipeline.matchers import MatcherSource, shipped
from rtf.pipeline.matching import Matching
from rtf.pipeline.reading import read_files
from rtf.pipeline.session import start_session

FILES = 4
TOGETHER = 4_000  # publications that are matched in one call, in process
SMALLER = 10  # times smaller is the dump whose memory is compared
PAPER = 3_220_000  # publications, of the paper's DBpedia


class Counting:
    """The job without matching: publications are counted."""

    def report_batch(self, columns: pa.Table) -> BatchReport:
        """No matches."""
        batch = PublicationColumns(columns)
        return BatchReport(len(batch), batch.triples)

    def match_ids(self, _: object) -> list[str]:
        """None."""
        return []


def write_dump(world: World, publications: int, folder: Path) -> None:
    """The entities of a world, their triples spread over files by predicate."""
    folder.mkdir()
    files = [(folder / f"{number}.nt").open("w", encoding="utf-8") for number in range(FILES)]
    for each in world.entities(publications, first=10_000_000):
        for s, p, o in each.triples:
            files[len(p.value) % FILES].write(f"{s} {p} {o} .\n")
    for file in files:
        file.close()


def run(spark: Any, dump: Path, source: MatcherSource, out: Path | None = None) -> Totals:
    """The whole job, as `rtf filter` does it."""
    files = find_files(spark, [str(dump)])
    result = Result(gathered(read_files(spark, files), partitions_for(spark, files)), Matching(source))
    try:
        totals = result.totals()
        if out is not None:
            result.write(str(out), overwrite=True)
        return totals
    finally:
        result.close()


def in_process(dump: Path, engine: Engine) -> Counter[str]:
    """The same on one core without Spark: lines, grouped by sorting, matched; the matches of each query."""
    batches = []
    for path in sorted(dump.iterdir()):
        text = pa.array([path.read_text(encoding="utf-8").removesuffix("\n")], pa.large_string())
        lines = pc.split_pattern(text, "\n").flatten()
        for start in range(0, len(lines), 10_000):
            some = lines.slice(start, 10_000).cast(pa.string())
            batches.append(pa.record_batch([some, pa.repeat(path.name, len(some))], ["line", "file"]))
    rows = pa.Table.from_batches([each for each in LineReader()(batches) if each.column("kind")[0].as_py() == 0])
    numbers = rows.column("publication").combine_chunks().dictionary_encode().indices
    rows = rows.append_column("number", numbers).sort_by("number").combine_chunks()
    subjects = pc.coalesce(rows["subject"], pc.binary_join_element_wise("<", rows["publication"], ">", ""))
    rows = rows.set_column(rows.schema.get_field_index("subject"), "subject", subjects)
    sorted_numbers = rows["number"].to_numpy()
    edges = np.flatnonzero(np.diff(sorted_numbers, prepend=-1))
    found: Counter[str] = Counter()
    for start, end in pairwise([*edges[::TOGETHER].tolist(), len(sorted_numbers)]):
        counts = engine.match_batch(rows.slice(start, end - start)).column("query_id").value_counts()
        found.update({each["values"]: each["counts"] for each in counts.to_pylist()})
    return found


def one_by_one(dump: Path, engine: Engine) -> Counter[str]:
    """The same in the plainest way: everything parsed, and each publication matched by itself."""
    data = b"".join(path.read_bytes() for path in sorted(dump.iterdir()))
    found: Counter[str] = Counter()
    for each in Publication.parse_many(data, "nt"):
        found.update(engine.match_ids(each))
    return found


class Memory(threading.Thread):
    """The most memory that the Python workers, and the JVM, have had at once, in MB."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.workers = self.jvm = 0
        self._done = threading.Event()

    def run(self) -> None:
        """Look, until told to stop."""
        while not self._done.wait(0.2):
            workers = jvm = 0
            for folder in Path("/proc").iterdir():
                try:
                    command = (folder / "cmdline").read_bytes() if folder.name.isdigit() else b""
                    if b"pyspark.daemon" in command or b"org.apache.spark.deploy.SparkSubmit" in command:
                        # Pss, so that what forked workers share is counted once
                        lines = (folder / "smaps_rollup").read_text().splitlines()
                        size = next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) // 1024
                        if b"pyspark.daemon" in command:
                            workers += size
                        else:
                            jvm = max(jvm, size)
                except OSError:
                    continue
            self.workers, self.jvm = max(self.workers, workers), max(self.jvm, jvm)

    def stop(self) -> None:
        """Stop looking."""
        self._done.set()
        self.join()


def main() -> None:
    """Check, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--publications", type=int, default=200_000)
    arguments.add_argument("--queries", type=int, default=100_000)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--seed", type=int, default=2026)
    arguments.add_argument("--part", type=int, default=2_000, help="publications that are matched one by one")
    chosen = arguments.parse_args()
    chosen.part = min(chosen.part, chosen.publications)
    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)

    world = World(chosen.seed)
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        print("making the dump and the index", file=sys.stderr)
        write_dump(world, chosen.publications, folder / "dump")
        write_dump(world, chosen.publications // SMALLER, folder / "smaller")
        write_dump(world, chosen.part, folder / "part")
        engine = Engine()
        engine.register_many(queries(world, chosen.queries, chosen.seed, dense=False))
        engine.save(folder / "index")
        engine = Engine.load(folder / "index")
        start = time.perf_counter()
        spark = start_session("local[2]")
        began = time.perf_counter() - start
        source, counting = shipped(spark, folder / "index"), shipped(spark, Counting())
        totals = run(spark, folder / "dump", source, folder / "out")
        if in_process(folder / "dump", engine) != Counter(totals.by_query):
            sys.exit("Spark and the engine in this process disagree: nothing is timed")
        if one_by_one(folder / "part", engine) != in_process(folder / "part", engine):
            sys.exit("publications one by one and as columns disagree: nothing is timed")
        print("timing", file=sys.stderr)
        seconds = interleaved(
            {
                "end to end": lambda: run(spark, folder / "dump", source, folder / "out"),
                "job": lambda: run(spark, folder / "dump", source),
                "without matching": lambda: run(spark, folder / "dump", counting),
                "in process": lambda: in_process(folder / "dump", engine),
                "one by one": lambda: one_by_one(folder / "part", engine),
            },
            chosen.rounds,
        )
        seconds["one by one"] *= chosen.publications / chosen.part
        memory = [_memory(spark, folder / name, source) for name in ("smaller", "dump")]
        spark.stop()
    _print(chosen, totals, seconds, memory, began)


def _memory(spark: Any, dump: Path, source: MatcherSource) -> tuple[int, int, int]:
    watching = Memory()
    watching.start()
    totals = run(spark, dump, source)
    watching.stop()
    return totals.publications, watching.workers, watching.jvm


def _print(
    chosen: argparse.Namespace,
    totals: Totals,
    seconds: dict[str, float],
    memory: list[tuple[int, int, int]],
    began: float,
) -> None:
    rate = totals.publications / seconds["end to end"]
    size = f"{totals.publications:,} publications ({totals.triples:,} triples), {chosen.queries:,} selective queries"
    print("## Pipeline\n")
    print(f"{size}, {totals.matches / totals.publications:.1f} matches a publication, Spark on two cores.\n")
    rows = [
        ["end to end, Parquet written", f"{seconds['end to end']:.1f}", f"{rate:,.0f}"],
        *[
            [name, f"{seconds[key]:.1f}", f"{totals.publications / seconds[key]:,.0f}"]
            for name, key in (
                ("the job alone", "job"),
                ("the same job without matching", "without matching"),
                ("in process as columns, one core", "in process"),
                (f"in process one by one, one core (from {chosen.part:,} publications)", "one by one"),
            )
        ],
    ]
    print(table(["what", "s", "publications a second"], rows))
    print()
    ratios = [
        ["Spark job / the same without matching", f"{seconds['job'] / seconds['without matching']:.2f}", "≤ 3"],
        ["in process as columns on one core / Spark on two", f"{seconds['in process'] / seconds['job']:.2f}", "≥ 1.5"],
        ["in process one by one on one core / Spark on two", f"{seconds['one by one'] / seconds['job']:.2f}", "-"],
    ]
    print(table(["ratio", "measured", "target"], ratios))
    print()
    print(
        table(
            ["publications", "Python workers MB", "JVM MB"],
            [[f"{count:,}", f"{workers:,}", f"{jvm:,}"] for count, workers, jvm in memory],
        )
    )
    hours, theirs = PAPER / rate / 3600, PAPER / 27 / 3600
    print(
        f"\nAt this rate the {PAPER:,} publications of the paper's DBpedia would take {hours:.2f} hours; at the paper's"
    )
    print(f"27 a second, {theirs:.0f} hours. The session started in {began:.1f} s, which no figure has in it.")
    print(f"\n{conditions(chosen.seed, chosen.rounds)}")


if __name__ == "__main__":
    main()
