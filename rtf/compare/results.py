"""What came out of a comparison: points of figures and the conditions, to and from JSON, and two runs side by side."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Final

from rtf.compare.measure import Spread, commit, processor

__all__ = ["FIGURES", "Change", "Figure", "Point", "Results", "ResultsError", "changes", "conditions_of", "systems_of"]

_SCHEMA: Final = 1


@dataclass(frozen=True, slots=True)
class Figure:
    """What a figure shows."""

    title: str
    x: str
    y: str
    told: str = ""  # in a sentence or two
    logarithmic: bool = False


_QUERIES: Final = "queries registered"
_TIME: Final = "time a publication (ms)"
_INSERTION: Final = "time to insert a step (s)"
_NEW: Final = "With so many queries registered, how long does it take to find all those that a publication matches?"
FIGURES: Final = {
    "5a": Figure("Filtering time", _QUERIES, _TIME, _NEW, logarithmic=True),
    "few": Figure(
        *("Filtering time beside the slowest systems", _QUERIES, _TIME),
        "Plain Python on the publications that the slowest systems were timed on, so that ratios are of the same ones.",
    ),
    "5b": Figure(
        *("Throughput", "system", "publications a second"),
        "The same at the most queries, as a rate; KB are those of the publications in N-Triples.",
        logarithmic=True,
    ),
    "5b KB": Figure("Throughput in bytes of N-Triples", "system", "KB a second", logarithmic=True),
    "6a": Figure(
        *("Memory", _QUERIES, "memory (MB)"),
        "All that a system holds, counted object by object, the texts of the queries wherever it keeps them.",
        logarithmic=True,
    ),
    "6b": Figure(
        *("Insertion time", _QUERIES, _INSERTION),
        "Registering a step of queries, parsing included; where several steps came at once, their average. Compiled "
        "systems are compiled anew with all queries each time, plain ones only add to what is there.",
        logarithmic=True,
    ),
    "7a": Figure(
        *("Filtering time by share of tuples with full text", _QUERIES, _TIME),
        "FT 0 % has no words, FT 100 % has words in every tuple.",
        logarithmic=True,
    ),
    "7b": Figure(
        *("Insertion time by share of tuples with full text", _QUERIES, _INSERTION),
        "As in figure 6b.",
        logarithmic=True,
    ),
    "7 memory": Figure(
        *("Memory by share of tuples with full text (section 4.2)", _QUERIES, "memory (MB)"),
        "As in figure 6a.",
    ),
    "dense": Figure(
        *("Queries that match often", _QUERIES, _TIME),
        "The dense variant of the workload: classes, properties and words are drawn by their frequency, so that a "
        "publication matches more than one query in a hundred, and what every system does is mostly to find them.",
        logarithmic=True,
    ),
    "growth": Figure("Growth to a million queries", _QUERIES, _TIME, _NEW, logarithmic=True),
    "spark": Figure(
        *("Inside Spark", "publications in the dump", "time of a job (s)"),
        "A dump is read, grouped, matched on the executors, and the matches are thrown away. "
        "`no matching` is the floor; `one by one` are handed parsed publications instead of columns.",
    ),
    "ablation": Figure(
        *("From the paper's algorithm to ours", "step", _TIME),
        "First IBROKER, to the letter and kindly read, then the paper's RTFS and what we changed, one thing after the "
        "other, each with all before. RTFS compiled is our engine, which also reads terms and words in its kernel.",
        logarithmic=True,
    ),
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


def systems_of(points: Iterable[Point]) -> list[tuple[str, str]]:
    """The systems as they come, and their series by size: FT 0 %, FT 50 %, FT 100 %."""
    found = dict.fromkeys((point.system, point.series) for point in points)
    return sorted(found, key=lambda each: (len(each[1]), each[1]))


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
