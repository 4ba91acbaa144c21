"""The paper's experiments (section 4), and two of our own: growth to a million queries, and the ablation.

    make compare
    .venv/bin/python benchmarks/compare_paper.py --quick --out FOLDER

Writes a page with plots and tables, the results as JSON, and the plots as PNGs. Results are compared before times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from datasets.publications import World
from datasets.queries import queries
from rtf.cli.progress import steps_bar
from rtf.compare.experiments import ROUNDS, Effort, Show, Step, shown_steps, sweep
from rtf.compare.figures import (
    few_points,
    filtering_points,
    insertion_points,
    job_points,
    memory_points,
    throughput_points,
)
from rtf.compare.on_spark import compare_on_spark, shown_jobs
from rtf.compare.page import ratios
from rtf.compare.report import write_report
from rtf.compare.results import Results, ResultsError, changes, conditions_of
from rtf.compare.systems import ABLATION, SYSTEMS, System
from rtf.pipeline.errors import PipelineError
from rtf.pipeline.session import session
from sparql_ft import Publication

FIRST_PUBLICATION = 10_000_000  # of the world; queries and publications share its classes, properties and words
HALF = "FT 50 %"
SHARES = {"FT 0 %": 0.0, "FT 100 %": 1.0}  # HALF is that of figures 5 and 6
SHARED = ("paper's RTFM", "paper's RTFS", "RTFM compiled", "RTFS compiled")
DENSE = (
    *("rarest term", "paper's RTFS", "RTFS", "IBROKER"),
    *("paper's RTFS compiled", "RTFS compiled", "IBROKER compiled"),
)
SPARK_ROUNDS = 3
GROWING = ("RTFS compiled", "IBROKER compiled")
LATE = tuple(system for system in ABLATION if system.name not in SYSTEMS)  # the others are there already


@dataclass(frozen=True)
class Plan:
    """How much is done. Batches are numbers of queries that are added."""

    batches: tuple[int, ...]  # for figures 5 and 6, and the ablation after the last
    share_batches: tuple[int, ...]  # for figure 7
    dense_batches: tuple[int, ...]
    growth: int  # queries in the end
    effort: Effort
    growth_effort: Effort
    spark: tuple[int, int, int]  # queries, publications, and how many of these for plain Python


FULL = Plan(
    batches=(20_000, 40_000, 40_000),
    share_batches=(20_000, 80_000),
    dense_batches=(2_000, 18_000),
    growth=1_000_000,
    effort=Effort(5, {"fast": 500, "slow": 20, "slowest": 2}),
    growth_effort=Effort(5, {"fast": 100, "slow": 25, "slowest": 1}),
    spark=(20_000, 5_000, 100),
)
QUICK = Plan(
    batches=(500, 1_000, 1_000),
    share_batches=(500, 2_000),
    dense_batches=(500, 1_500),
    growth=16_000,
    effort=Effort(3, {"fast": 100, "slow": 20, "slowest": 1}),
    growth_effort=Effort(3, {"fast": 50, "slow": 20, "slowest": 1}),
    spark=(2_000, 1_000, 100),
)


class Paper:
    """The workload and the figures."""

    def __init__(self, plan: Plan, seed: int, results: Results, show: Show) -> None:
        self._plan = plan
        self._world = World(seed)
        self._seed = seed
        self._results = results
        self._show = show
        count = max(plan.effort.publications["fast"], plan.growth_effort.publications["fast"])
        self.publications: list[Publication] = list(self._world.entities(count, first=FIRST_PUBLICATION))

    def database(self) -> None:
        """Figures 5 and 6, FT 50 % of figure 7, and the ablation. Memory is counted after the first and last batch."""
        batches, add = self._plan.batches, self._results.add
        ends = (0, len(batches) - 1)
        steps = self._sweep(SYSTEMS.values(), self._batches(batches), self._plan.effort, weigh=ends, late=LATE)
        names = list(SYSTEMS)
        add(*filtering_points("5a", steps, names))
        add(*few_points(steps[-1], (*SYSTEMS.values(), *LATE)))
        add(*throughput_points(steps[-1], names, self.publications))
        add(*memory_points("6a", steps, names))
        add(*insertion_points("6b", steps, names, batches[0]))
        self._add_share(HALF, steps)
        add(*filtering_points("growth", steps, GROWING))
        add(*filtering_points("ablation", steps[-1:], [system.name for system in ABLATION]))
        self._tell_matches(HALF, steps)

    def shares(self) -> None:
        """Figure 7: no tuple with full text, and all of them."""
        for series, share in SHARES.items():
            batches = self._batches(self._plan.share_batches, share)
            last = len(batches) - 1
            steps = self._sweep(_systems(SHARED), batches, self._plan.effort, weigh=(last,))
            self._add_share(series, steps)
            self._tell_matches(series, steps)

    def dense(self) -> None:
        """Queries drawn by frequency, so that many match."""
        batches = self._batches(self._plan.dense_batches, dense=True)
        steps = self._sweep(_systems(DENSE), batches, self._plan.effort)
        self._results.add(*filtering_points("dense", steps, DENSE))
        self._tell_matches("dense", steps)

    def growth(self) -> None:
        """To a million queries, of which the first are those of figures 5 and 6."""
        steps = self._sweep(_systems(GROWING), self._batches((self._plan.growth,)), self._plan.growth_effort)
        self._results.add(*filtering_points("growth", steps, GROWING))
        self._tell_matches("growth", steps)

    def spark(self) -> None:
        """The same dump filtered on executors, by one system after the other; without Java a note says so."""
        count, published, part = self._plan.spark
        (texts,) = self._batches((count,))
        publications = list(self._world.entities(published, first=FIRST_PUBLICATION))
        self._show("Spark: starting")
        try:
            with session() as spark, TemporaryDirectory() as folder:
                jobs = list(compare_on_spark(spark, texts, publications, part, SPARK_ROUNDS, Path(folder), self._show))
        except PipelineError as error:
            self._results.notes.append(f"There is no comparison inside Spark: {error}")
            return
        self._results.add(*job_points(jobs))
        firsts = ", ".join(f"{job.system} {job.first:.1f} s" for job in jobs if job.publications == published)
        found = max(job.agreed.matches for job in jobs if job.agreed is not None)
        self._results.notes.append(
            f"Inside Spark: {count:,} queries, {SPARK_ROUNDS} rounds, {found:,} matches on {published:,} publications. "
            f"The first job of each, in which its queries come to the executors and its matches back, took: {firsts}."
        )

    def _batches(
        self, sizes: Sequence[int], text_share: float = 0.5, *, dense: bool = False
    ) -> list[list[tuple[str, str]]]:
        every = queries(self._world, sum(sizes), self._seed, dense=dense, text_share=text_share)
        return [list(islice(every, size)) for size in sizes]

    def _sweep(
        self,
        systems: Iterable[System],
        batches: Sequence[list[tuple[str, str]]],
        effort: Effort,
        weigh: Container[int] = (),
        late: Sequence[System] = (),
    ) -> list[Step]:
        return list(sweep(list(systems), batches, self.publications, effort, self._show, weigh=weigh, late=late))

    def _add_share(self, series: str, steps: Sequence[Step]) -> None:
        """One of the series of figure 7."""
        self._results.add(*filtering_points("7a", steps, SHARED, series))
        self._results.add(*insertion_points("7b", steps, SHARED, self._plan.batches[0], series, parsing=False))
        self._results.add(*memory_points("7 memory", steps[-1:], SHARED, series))

    def _tell_matches(self, what: str, steps: Sequence[Step]) -> None:
        told = ", ".join(f"{step.agreed.mean:,.2f} of {step.queries:,} queries" for step in steps)
        self._results.notes.append(f"A publication matches, {what}: {told}.")


def _systems(names: Iterable[str]) -> list[System]:
    return [SYSTEMS[name] for name in names]


def shown(plan: Plan) -> int:
    """How many steps the progress bar has."""
    database = shown_steps(len(SYSTEMS), len(plan.batches), 2, len(LATE))
    shares = len(SHARES) * shown_steps(len(SHARED), len(plan.share_batches), 1)
    dense = shown_steps(len(DENSE), len(plan.dense_batches), 0)
    return database + shares + dense + 1 + shown_jobs() + shown_steps(len(GROWING), 1, 0)


NOTES = """\
All systems are in one process, hold the same queries, get the same publications, and use the same analyser and the \
same tuples. Before anything is timed all matches are compared. Rounds take turns.
The paper timed 5,000 publications of DBpedia in 10 runs of C++; here they are generated in the shape of DBpedia, \
fewer, in fewer rounds, and in Python; the line `effort` below has the numbers. Plain Python has {slow} rounds, the \
slowest systems {slowest}.
The paper adds 20,000 queries at a time; here the last steps come two at a time, which changes no figure of filtering.
Queries of figures 5 to 7 are drawn from all words and properties, but for the most frequent words, so that few \
match; the paper draws by frequency, as the dense variant does.
Slow systems are timed on the first of the publications only. Ratios to the slowest, the naive matcher and IBROKER to \
the letter, are of the publications that these were timed on.
Memory counts all objects that can be reached from a system, each once, and the data of its arrays. The paper has the \
memory of C++ structures.
Insertion is timed once a step. RTF and IBROKER compiled are compiled anew with all queries each time, which is what \
registering so many at once does. No garbage is collected meanwhile.
RTFM and RTFS without `compiled` are the mutable part of our engine, which holds some hundred queries in practice. It \
is on pygtrie, which takes about a microsecond a step, so that IBROKER beats it where queries are few, the more if \
they are dense; `paper's RTFS` is the same kind of trie on dictionaries.
Figure 5b of the paper shows throughput while 5,000 publications pass, which is steady; here it is one figure \
a system.
"""  # a note a line


def main() -> None:
    """Measure, draw, write."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--quick", action="store_true", help="small sizes, under two minutes")
    arguments.add_argument("--seed", type=int, default=2026)
    arguments.add_argument("--out", type=Path, default=Path("comparison"), help="a folder for the report")
    arguments.add_argument("--against", type=Path, help="the results.json of an earlier run")
    chosen = arguments.parse_args()
    plan = QUICK if chosen.quick else FULL
    try:
        before = None if chosen.against is None else Results.load(chosen.against)
    except ResultsError as error:
        arguments.error(str(error))
    paces = ", ".join(f"{count:,} for {pace} systems" for pace, count in plan.effort.publications.items())
    conditions = conditions_of(
        "the paper's: at most 4 tuples and 3 words a query, over DBpedia-shaped publications; `selective` variant",
        f"publications: {paces}",
        plan.effort.rounds,
        quick=chosen.quick,
        seed=chosen.seed,
    )
    results = Results(conditions, notes=NOTES.format(**ROUNDS).splitlines())
    start = time.monotonic()
    with steps_bar(shown(plan)) as show:
        paper = Paper(plan, chosen.seed, results, show)
        for part in (paper.database, paper.shares, paper.dense, paper.spark, paper.growth):
            part()
            conditions["minutes"] = round((time.monotonic() - start) / 60, 1)
            write_report(results, chosen.out)  # whoever stops it has what is there
    compared = [] if before is None else list(changes(results, before))
    path = write_report(results, chosen.out, compared)
    for why, slower, faster, count, ratio in ratios(results):
        print(f"{slower} / {faster} at {count:,} queries, {why}: {ratio:,.1f}")
    for change in compared:
        if change.is_clear:
            print(f"{' '.join(map(str, change.now.key))}: {change.ratio:.2f} times what it was")
    print(f"wrote {path}", file=sys.stderr)


if __name__ == "__main__":
    main()
