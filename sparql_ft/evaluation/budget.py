"""A bound on the work that one evaluation may do."""

from __future__ import annotations

from sparql_ft.expressions.evaluation import EvaluationLimitError

__all__ = ["Budget"]


class Budget:
    """Counts steps (triples looked at, nodes reached, solutions compared) and reports when there are too many.

    A query that exceeds it has no answer, neither "matches" nor "does not": the error says so.
    """

    __slots__ = ("_limit", "spent")

    def __init__(self, limit: int | None) -> None:
        self._limit = limit
        self.spent = 0

    def spend(self) -> None:
        """One step more."""
        self.spent += 1
        if self._limit is not None and self.spent > self._limit:
            raise EvaluationLimitError(f"the query takes more than {self._limit:,} steps on this publication")
