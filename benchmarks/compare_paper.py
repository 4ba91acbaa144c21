"""The paper's experiments (section 4), and two of our own: growth to a million queries, and the ablation.

    make compare
    .venv/bin/python benchmarks/compare_paper.py --quick --out FOLDER

Writes a page with plots and tables, the results as JSON, and the plots as PNGs. Results are compared before times.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from datasets.publications import World
from datasets.queries import queries
from rtf.cli.progress import steps_bar
from rtf.compare.experiments import Effort, Show, Step, shown_steps, sweep
from rtf.compare.figures import filtering_points, insertion_points, memory_points, throughput_points
from rtf.compare.page import ratios
from rtf.compare.report import write_report
from rtf.compare.results import Results, ResultsError, changes, conditions_of
from rtf.compare.systems import ABLATION, SYSTEMS, System
from sparql_ft import Publication

FIRST_PUBLICATION = 10_000_000  # of the world; queries and publications share its classes, properties and words
SHARES = {"FT 0 %": 0.0, "FT 50 %": 0.5, "FT 100 %": 1.0}
RTF = ("RTFM compiled", "RTFS compiled")
GROWING = ("RTFS compiled", "IBROKER compiled")


@dataclass(frozen=True)
class Plan:
    """How much is done."""

    step: int  # queries of a batch
    batches: int
    share_batches: tuple[int, ...]  # for figure 7, in steps
    ablation: int  # queries
    growth: tuple[int, ...]
    effort: Effort
    growth_effort: Effort


FULL = Plan(
    step=20_000,
    batches=5,
    share_batches=(1, 2, 2),
    ablation=40_000,
    growth=(10_000, 100_000, 1_000_000),
    effort=Effort(5, {"fast": 500, "slow": 25, "slowest": 1}),
    growth_effort=Effort(5, {"fast": 100, "slow": 50, "slowest": 1}),
)
QUICK = Plan(
    step=500,
    batches=5,
    share_batches=(1, 2, 2),
    ablation=2_000,
    growth=(1_000, 4_000, 16_000),
    effort=Effort(3, {"fast": 100, "slow": 20, "slowest": 1}),
    growth_effort=Effort(3, {"fast": 50, "slow": 20, "slowest": 1}),
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
        """Figures 5 and 6, and FT 50 % of figure 7. Memory is counted after the first and the last step."""
        every = [1] * self._plan.batches
        ends = (0, self._plan.batches - 1)
        steps = list(self._sweep(list(SYSTEMS.values()), self._batches(0.5, every), self._plan.effort, weigh=ends))
        names, add = list(SYSTEMS), self._results.add
        add(*filtering_points("5a", steps, names))
        add(*throughput_points(steps[-1], names, self.publications))
        add(*memory_points(steps, names))
        add(*insertion_points("6b", steps, names))
        self._tell_matches("FT 50 %", steps)

    def ablation(self) -> None:
        """From the paper's algorithms to ours."""
        every = queries(self._world, self._plan.ablation, self._seed, dense=False)
        steps = list(self._sweep(ABLATION, [list(every)], self._plan.effort))
        self._results.add(*filtering_points("ablation", steps, [system.name for system in ABLATION]))

    def shares(self) -> None:
        """Figure 7: no tuple with full text, half of them, all of them."""
        for series, share in SHARES.items():
            batches = self._batches(share, self._plan.share_batches)
            steps = list(self._sweep(_systems(RTF), batches, self._plan.effort))
            self._results.add(*filtering_points("7a", steps, RTF, series))
            self._results.add(*insertion_points("7b", steps, RTF, series, parsing=False))
            self._tell_matches(series, steps)

    def growth(self) -> None:
        """To a million queries."""
        sizes = self._plan.growth
        every = queries(self._world, sizes[-1], self._seed + 1, dense=False)
        batches = (list(islice(every, after - before)) for before, after in pairwise((0, *sizes)))
        steps = list(self._sweep(_systems(GROWING), batches, self._plan.growth_effort, anew=True))
        self._results.add(*filtering_points("growth", steps, GROWING))
        self._tell_matches("growth", steps)

    def _batches(self, share: float, sizes: Sequence[int]) -> Iterator[list[tuple[str, str]]]:
        """Batches of so many steps each."""
        step = self._plan.step
        every = queries(self._world, step * sum(sizes), self._seed, dense=False, text_share=share)
        return (list(islice(every, step * size)) for size in sizes)

    def _sweep(
        self,
        systems: Sequence[System],
        batches: Iterable[list[tuple[str, str]]],
        effort: Effort,
        weigh: Container[int] = (),
        *,
        anew: bool = False,
    ) -> Iterator[Step]:
        return sweep(systems, batches, self.publications, effort, self._show, weigh=weigh, anew=anew)

    def _tell_matches(self, what: str, steps: Sequence[Step]) -> None:
        told = ", ".join(f"{step.agreed.mean:.2f} of {step.queries:,} queries" for step in steps)
        self._results.notes.append(f"A publication matches, {what}: {told}.")


def _systems(names: Iterable[str]) -> list[System]:
    return [SYSTEMS[name] for name in names]


def shown(plan: Plan) -> int:
    """How many steps the progress bar has."""
    database = shown_steps(len(SYSTEMS), plan.batches, 2)
    shares = len(SHARES) * shown_steps(len(RTF), len(plan.share_batches), 0)
    growth = shown_steps(len(GROWING), len(plan.growth), 0)
    return database + shown_steps(len(ABLATION), 1, 0) + shares + growth


NOTES = """\
All systems are in one process, hold the same queries, get the same publications, and use the same analyser and the \
same tuples. Before anything is timed all matches are compared.
The paper timed 5,000 publications of DBpedia in 10 runs of C++; here they are generated in the shape of \
DBpedia, fewer, and in Python. Rounds take turns; medians are told with the least and the greatest round.
Slow systems are timed on the first of the publications only; each table says on how many; the slowest in two rounds.
Memory counts all objects that can be reached from a matcher, each once, and the data of its arrays; the texts of \
the queries are in it wherever a system keeps them. The paper has the memory of C++ structures.
Insertion is timed once a step and includes parsing, of which `parsing alone` is the share. RTF and IBROKER \
compiled are compiled anew with all queries at each step, which is what registering so many at once does.
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
    results = Results(conditions, notes=NOTES.splitlines())
    start = time.monotonic()
    with steps_bar(shown(plan)) as show:
        paper = Paper(plan, chosen.seed, results, show)
        for part in (paper.database, paper.ablation, paper.shares, paper.growth):
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
