"""Steps of a sweep -> points of the paper's figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rtf.compare.experiments import PARSING, TEXTS, Step, bytes_of
from rtf.compare.measure import Spread
from rtf.compare.on_spark import Job
from rtf.compare.results import Point
from rtf.compare.systems import System
from sparql_ft import Publication

__all__ = [
    "few_points",
    "filtering_points",
    "insertion_points",
    "job_points",
    "memory_points",
    "throughput_points",
]


def filtering_points(figure: str, steps: Iterable[Step], names: Iterable[str], series: str = "") -> Iterator[Point]:
    """Milliseconds a publication."""
    wanted = list(names)
    for step in steps:
        for name in wanted:
            spread = step.seconds[name].times(1000)
            yield Point.of(figure, name, step.queries, spread, step.publications[name], series)


def few_points(step: Step, systems: Iterable[System]) -> Iterator[Point]:
    """The same on the publications of the slowest systems, of all that are slow."""
    for system in systems:
        if system.pace != "fast":
            spread = step.seconds_of_few[system.name].times(1000)
            yield Point.of("few", system.name, step.queries, spread, step.few)


def throughput_points(step: Step, names: Iterable[str], publications: Sequence[Publication]) -> Iterator[Point]:
    """Publications and kilobytes a second."""
    for name in names:
        count = step.publications[name]
        size = sum(map(bytes_of, publications[:count])) / count / 1000
        seconds = step.seconds[name]
        rate = Spread(1 / seconds.median, 1 / seconds.high, 1 / seconds.low)
        yield Point.of("5b", name, step.queries, rate, count)
        yield Point.of("5b KB", name, step.queries, rate.times(size), count)


def job_points(jobs: Iterable[Job]) -> Iterator[Point]:
    """Seconds of whole jobs, by the size of the dump."""
    for job in jobs:
        yield Point.of("spark", job.system, job.publications, job.seconds, job.publications)


def memory_points(figure: str, steps: Iterable[Step], names: Iterable[str], series: str = "") -> Iterator[Point]:
    """Megabytes, where they were counted; also those of the texts, which most systems keep."""
    wanted = [*names, TEXTS]
    for step in steps:
        for name in wanted if step.memory else ():
            size = step.memory[name] / 1e6
            yield Point(figure, name, step.queries, size, size, size, None, series)


def insertion_points(
    figure: str, steps: Iterable[Step], names: Iterable[str], unit: int, series: str = "", *, parsing: bool = True
) -> Iterator[Point]:
    """Seconds for so many queries, on the average of those that a step added; also those of parsing them."""
    wanted = [*names, PARSING] if parsing else list(names)
    for step in steps:
        for name in wanted:
            seconds = step.insertion[name] * unit / step.added
            yield Point(figure, name, step.queries, seconds, seconds, seconds, None, series)
