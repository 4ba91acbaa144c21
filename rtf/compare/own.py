"""A comparison on data of one's own: the systems over a growing part of the queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from rtf.compare.experiments import Effort, Queries, Show, shown_steps, sweep
from rtf.compare.figures import few_points, filtering_points, insertion_points, memory_points, throughput_points
from rtf.compare.results import Results, conditions_of
from rtf.compare.systems import ABLATION, SYSTEMS, System
from sparql_ft import Publication

__all__ = ["MEASURED", "NOTES", "compare", "effort_for", "shown"]

_T = TypeVar("_T")
_STEPS = 5  # as many as the figures of the paper have
MEASURED = tuple(dict.fromkeys((*SYSTEMS.values(), *ABLATION)))

NOTES = """\
All systems are in one process, hold the same queries, get the same publications, and use the same analyser and the \
same tuples. Before anything is timed all matches are compared.
Rounds take turns; medians are told with the least and the greatest round. Slow systems are timed on the first of the \
publications only; each table says on how many; the slowest in two rounds.
Memory counts all objects that can be reached from a matcher, each once, and the data of its arrays.
Insertion is timed once a step. RTF and IBROKER compiled are compiled anew with all queries at each step. No garbage \
is collected meanwhile.
Of a dump these are the first subjects of each file; one whose triples lie far apart may lack some.
"""  # a note a line


def effort_for(queries: int, publications: int, rounds: int, *, quick: bool) -> Effort:
    """What can be done in some minutes: the more queries, the fewer publications for the slow."""
    slow = max(5, min(publications, 2_000_000 // max(queries, 1), 20 if quick else 200))
    slowest = max(1, min(slow, (20_000 if quick else 100_000) // max(queries, 1)))
    fast = min(publications, 100 if quick else 1_000)
    return Effort(rounds, {"fast": fast, "slow": min(slow, fast), "slowest": min(slowest, fast)})


def shown(systems: int, queries: int, *, quick: bool) -> int:
    """How many steps the progress bar has."""
    return shown_steps(systems, len(list(_batches(range(queries), quick=quick))))


def compare(
    systems: Sequence[System],
    queries: Queries,
    publications: Sequence[Publication],
    rounds: int,
    show: Show,
    workload: str,
    *,
    quick: bool,
) -> Results:
    """The figures of the paper for these queries and publications, and the ablation. DisagreementError."""
    effort = effort_for(len(queries), len(publications), rounds, quick=quick)
    paces = dict.fromkeys(system.pace for system in systems)
    told = ", ".join(f"{effort.publications[pace]:,} for {pace} systems" for pace in paces)
    conditions = conditions_of(workload, f"publications: {told}", rounds, quick=quick, seed=None)
    results = Results(conditions, notes=NOTES.splitlines())
    steps = list(sweep(systems, list(_batches(queries, quick=quick)), publications, effort, show))
    measured = [system.name for system in systems]
    names = [name for name in measured if name in SYSTEMS]
    results.add(*filtering_points("5a", steps, names))
    results.add(*few_points(steps[-1], systems))
    results.add(*throughput_points(steps[-1], names, publications))
    results.add(*memory_points("6a", steps, names))
    results.add(*insertion_points("6b", steps, names, steps[0].added))
    ablation = [system.name for system in ABLATION]
    if set(ablation) <= set(measured):
        results.add(*filtering_points("ablation", steps[-1:], ablation))
    matches = steps[-1].agreed
    found = f"{matches.matches:,} matches on {matches.publications:,} publications"
    results.notes.append(f"{found}, the same by all systems.")
    if not matches.matches:
        results.notes.append("No query matches any publication: the times are those of finding nothing.")
    return results


def _batches(queries: Sequence[_T], *, quick: bool) -> Iterator[Sequence[_T]]:
    """In equal steps; few queries, or a quick look, in one."""
    steps = 1 if quick or len(queries) < 10 * _STEPS else _STEPS
    for step in range(steps):
        yield queries[len(queries) * step // steps : len(queries) * (step + 1) // steps]
