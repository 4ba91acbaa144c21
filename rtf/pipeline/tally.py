"""Counts of a job while it runs, for a progress bar. They may count a repeated task twice; the summary does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["Tally"]


@dataclass(frozen=True)
class Tally:
    """Named counts, made on the driver and added to by tasks."""

    accumulators: Mapping[str, Any]

    @staticmethod
    def of(spark: SparkSession, *names: str) -> Tally:
        """Counts that begin with zero."""
        return Tally({name: spark.sparkContext.accumulator(0) for name in names})

    def add(self, counts: Mapping[str, int]) -> None:
        """Count, in a task."""
        for name, number in counts.items():
            if name in self.accumulators:
                self.accumulators[name].add(number)

    def __getitem__(self, name: str) -> int:
        """The count so far, on the driver."""
        return int(self.accumulators[name].value)
