"""What the paper prints, to stand beside what was measured: values of its C++, and what it found as ratios.

Values say little on another machine; ratios of two systems that ran on the same one can be compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rtf.compare.results import Results

__all__ = ["FINDINGS", "PAPER", "VARIANTS", "Finding", "PaperValue", "ours"]

_NONE: Final = "FT 0 %"
_ALL: Final = "FT 100 %"


# The ways in which we have the paper's systems; IBROKER is one system in both.
VARIANTS: Final = (
    "the paper's algorithms, compiled",
    "the paper's algorithms, plain",
    "our engine, compiled",
    "our engine, plain",
)


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
    PaperValue("7 memory", "RTFS", 100_000, 168.0, series=_NONE),
    PaperValue("7 memory", "RTFM", 100_000, 168.0, series=_NONE),
    PaperValue("7 memory", "RTFS", 100_000, 196.0, series=_ALL),
    PaperValue("7 memory", "RTFM", 100_000, 203.0, series=_ALL),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """What the paper says of two of its systems: a ratio, at the most queries."""

    told: str
    figure: str
    above: str
    below: str
    paper: str
    series: str = ""

    def ratio(self, results: Results, variant: str) -> float | None:
        """The same ratio here, of one way in which we have these systems."""
        above, below = (_named(name, variant) for name in (self.above, self.below))
        one, other = (results.value(self.figure, name, series=self.series) for name in (above, below))
        return one / other if one is not None and other else None


FINDINGS: Final = (
    Finding("filtering time, IBROKER / RTFS", "5a", "IBROKER", "RTFS", "94"),
    Finding("filtering time, IBROKER / RTFM", "5a", "IBROKER", "RTFM", "92"),
    Finding("filtering time, RTFM / RTFS", "5a", "RTFM", "RTFS", "1.025"),
    Finding("memory, IBROKER / RTFS", "6a", "IBROKER", "RTFS", "1.71 (313 / 183 MB)"),
    Finding("memory, RTFM / RTFS", "6a", "RTFM", "RTFS", "1.04 (190 / 183 MB)"),
    Finding("insertion, RTFS / IBROKER", "6b", "RTFS", "IBROKER", "above 1"),
    Finding("filtering time at FT 0 %, RTFM / RTFS", "7a", "RTFM", "RTFS", "1", _NONE),
    Finding("filtering time at FT 100 %, RTFM / RTFS", "7a", "RTFM", "RTFS", "below 1", _ALL),
    Finding("memory at FT 100 %, RTFM / RTFS", "7 memory", "RTFM", "RTFS", "1.04 (203 / 196 MB)", _ALL),
)


def _named(name: str, variant: str) -> str:
    whose, _, execution = variant.partition(", ")
    kind = "" if name == "IBROKER" or whose == "our engine" else "paper's "
    return f"{kind}{name}{' compiled' if execution == 'compiled' else ''}"


def ours(results: Results, value: PaperValue, variant: str) -> float | None:
    """What was measured where the paper prints a value; IBROKER is in the paper's columns alone."""
    if value.system == "IBROKER" and variant.startswith("our"):
        return None
    return results.value(value.figure, _named(value.system, variant), value.queries, value.series)
