"""What an engine holds, and what it did with each query."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["TALLY", "EngineStats", "QueryTally", "Tallies", "tally"]


@dataclass(slots=True)
class EngineStats:
    """What an engine holds. Tuples, patterns and words count once in each segment that has them."""

    queries: int = 0
    patterns: int = 0  # distinct as far as matching goes
    tuples: int = 0  # as often as patterns use them
    distinct_tuples: int = 0
    words: int = 0  # that tuples ask for
    segments: int = 0
    bytes: Counter[str] = field(default_factory=Counter)  # of frozen segments, by part

    @property
    def index_bytes(self) -> int:
        """All of it but the ids and texts of the queries."""
        return sum(size for part, size in self.bytes.items() if part not in ("ids", "texts"))


@dataclass(frozen=True, slots=True)
class QueryTally:
    """What became of a query so far: to find those that cost much and match little.

    Queries that are equal up to names of variables are looked at once, for all of them.
    """

    candidates: int = 0  # how often its access tuple was there, and it was looked at
    matched: int = 0
    verified: int = 0  # how often it had to be verified outside of the kernel
    seconds: float = 0.0  # that took


TALLY: Final = ("candidates", "matched", "verified", "seconds")
Tallies: TypeAlias = "npt.NDArray[np.float64]"
"""A row for each query, with a column for each name in TALLY."""


def tally(row: Tallies) -> QueryTally:
    """A row as such."""
    candidates, matched, verified, seconds = row.tolist()
    return QueryTally(int(candidates), int(matched), int(verified), seconds)
