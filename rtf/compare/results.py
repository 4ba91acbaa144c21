"""What came out of a comparison: points of figures and the conditions, to and from JSON, and two runs side by side."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rtf.compare.measure import Spread, commit, processor

__all__ = ["FIGURES", "Change", "Figure", "Point", "Results", "ResultsError", "changes", "conditions_of"]

_SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """What a figure shows."""

    title: str
    x: str
    y: str
    logarithmic: bool = False


_QUERIES: Final = "queries registered"
FIGURES: Final = {
    "5a": Figure("Filtering time", _QUERIES, "time a publication (ms)", logarithmic=True),
    "5b": Figure("Throughput", "system", "publications a second", logarithmic=True),
    "5b KB": Figure("Throughput in bytes of N-Triples", "system", "KB a second", logarithmic=True),
    "6a": Figure("Memory", _QUERIES, "memory (MB)", logarithmic=True),
    "6b": Figure("Insertion time", _QUERIES, "time to insert the last step (s)", logarithmic=True),
    "7a": Figure("Filtering time by share of tuples with full text", _QUERIES, "time a publication (ms)"),
    "7b": Figure("Insertion time by share of tuples with full text", _QUERIES, "time to insert the last step (s)"),
    "dense": Figure("Queries that match often", _QUERIES, "time a publication (ms)", logarithmic=True),
    "growth": Figure("Growth", _QUERIES, "time a publication (ms)", logarithmic=True),
    "spark": Figure("Inside Spark", "publications in the dump", "time of a job (s)"),
    "ablation": Figure("From the paper's algorithm to ours", "step", "time a publication (ms)", logarithmic=True),
}


class ResultsError(ValueError):
    """A file that holds no results of a comparison."""


@dataclass(frozen=True, slots=True)
class Point:
    """One figure's value for one system, with the spread of the rounds; where nothing was repeated it has none."""

    figure: str
    system: str
    x: int  # queries
    median: float
    low: float
    high: float
    publications: int | None = None  # that it was timed on
    series: str = ""  # of the same system, in figures that vary something else

    @staticmethod
    def of(
        figure: str, system: str, x: int, spread: Spread, publications: int | None = None, series: str = ""
    ) -> Point:
        """A point from a spread."""
        return Point(figure, system, x, spread.median, spread.low, spread.high, publications, series)

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What it is the value of."""
        return self.figure, self.system, self.series, self.x


@dataclass(slots=True)
class Results:
    """All points, what they depend on, and what is to be said about them."""

    conditions: dict[str, object]
    points: list[Point] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, *points: Point) -> None:
        """Add points."""
        self.points += points

    def of(self, figure: str) -> list[Point]:
        """The points of a figure."""
        return [point for point in self.points if point.figure == figure]

    def value(self, figure: str, system: str, x: int | None = None, series: str = "") -> float | None:
        """The median of a system, at the most queries if `x` is not given; None if it was not measured."""
        found = [p for p in self.of(figure) if (p.system, p.series) == (system, series) and x in (None, p.x)]
        return max(found, key=lambda point: point.x).median if found else None

    def save(self, path: Path) -> None:
        """Write them as JSON."""
        content = {"schema": _SCHEMA, "conditions": self.conditions, "notes": self.notes}
        content["points"] = [asdict(point) for point in self.points]
        path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: Path) -> Results:
        """Read them. Raises ResultsError."""
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["schema"] != _SCHEMA:
                raise ResultsError(f"{path}: results of another version ({content['schema']}, not {_SCHEMA})")
            return Results(content["conditions"], [Point(**point) for point in content["points"]], content["notes"])
        except OSError as error:
            raise ResultsError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, ResultsError):
                raise
            why = "give the results.json of an earlier comparison"
            raise ResultsError(f"{path}: these are no results of `rtf compare`; {why}") from error


@dataclass(frozen=True, slots=True)
class Change:
    """A value of two runs."""

    now: Point
    before: Point

    @property
    def ratio(self) -> float:
        """Now over before."""
        return self.now.median / self.before.median if self.before.median else float("inf")

    @property
    def is_clear(self) -> bool:
        """Whether the rounds of one lie all above those of the other."""
        return self.now.low > self.before.high or self.now.high < self.before.low


def changes(now: Results, before: Results) -> Iterator[Change]:
    """What both runs measured."""
    known = {point.key: point for point in before.points}
    return (Change(point, known[point.key]) for point in now.points if point.key in known)


def conditions_of(workload: str, effort: str, rounds: int, *, quick: bool, seed: int | None) -> dict[str, object]:
    """What figures depend on besides the systems."""
    return {
        "workload": workload,
        "effort": effort,
        "seed": seed,
        "rounds": rounds,
        "quick": quick,
        "commit": commit(),
        "machine": f"{processor()}, {os.cpu_count()} cores, {_memory()}",
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in ("rtf-sparql", "numpy", "numba", "pygtrie", "pyoxigraph")},
    }


def _memory() -> str:
    try:
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return "memory unknown"
    return f"{total / 2**30:.0f} GB"
