"""Steps of a sweep -> points of the paper's figures, and what the paper has there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rtf.compare.experiments import PARSING, Step, bytes_of
from rtf.compare.measure import Spread
from rtf.compare.on_spark import Job
from rtf.compare.results import Point
from sparql_ft import Publication

__all__ = [
    "PAPER",
    "PaperValue",
    "filtering_points",
    "insertion_points",
    "job_points",
    "memory_points",
    "throughput_points",
]


@dataclass(frozen=True, slots=True)
class PaperValue:
    """A value that the paper prints, of its C++ on a Core i7 at 3.6 GHz."""

    figure: str
    system: str
    queries: int
    value: float
    wording: str = ""  # where the paper is not exact
    series: str = ""


# The paper prints few values: section 4.1, and 4.2 for memory. What stands only in its plots is left out.
PAPER: Final = (
    PaperValue("5a", "RTFS", 100_000, 36.0),
    PaperValue("5a", "RTFM", 100_000, 36.9, "RTFS is 2.5 % faster"),
    PaperValue("5a", "IBROKER", 100_000, 3384.0, "RTFS is 94 times faster, RTFM 92 times"),
    PaperValue("5b", "RTFS", 100_000, 27.0, "more than 27"),
    PaperValue("5b", "RTFM", 100_000, 27.0, "more than 27"),
    PaperValue("5b", "IBROKER", 100_000, 0.28),
    PaperValue("5b KB", "RTFS", 100_000, 17.0, "more than 17"),
    PaperValue("5b KB", "RTFM", 100_000, 17.0, "more than 17"),
    PaperValue("5b KB", "IBROKER", 100_000, 0.18),
    PaperValue("6a", "RTFS", 20_000, 73.0),
    PaperValue("6a", "RTFM", 20_000, 75.0),
    PaperValue("6a", "IBROKER", 20_000, 84.0),
    PaperValue("6a", "RTFS", 100_000, 183.0),
    PaperValue("6a", "RTFM", 100_000, 190.0),
    PaperValue("6a", "IBROKER", 100_000, 313.0),
)


def filtering_points(figure: str, steps: Iterable[Step], names: Iterable[str], series: str = "") -> Iterator[Point]:
    """Milliseconds a publication."""
    wanted = list(names)
    for step in steps:
        for name in wanted:
            spread = step.seconds[name].times(1000)
            yield Point.of(figure, name, step.queries, spread, step.publications[name], series)


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


def memory_points(steps: Iterable[Step], names: Iterable[str]) -> Iterator[Point]:
    """Megabytes, where they were counted."""
    wanted = list(names)
    for step in steps:
        for name in wanted if step.memory else ():
            size = step.memory[name] / 1e6
            yield Point("6a", name, step.queries, size, size, size)


def insertion_points(
    figure: str, steps: Iterable[Step], names: Iterable[str], unit: int, series: str = "", *, parsing: bool = True
) -> Iterator[Point]:
    """Seconds for so many queries, on the average of those that a step added; also those of parsing them."""
    wanted = [*names, PARSING] if parsing else list(names)
    for step in steps:
        for name in wanted:
            seconds = step.insertion[name] * unit / step.added
            yield Point(figure, name, step.queries, seconds, seconds, seconds, None, series)
