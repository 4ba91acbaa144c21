"""What happened to one publication."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sparql_ft import EvaluationLimitError

__all__ = ["MatchReport"]


@dataclass(slots=True)
class MatchReport:
    """The queries that match a publication, and what was done to find them.

    `failures` tells which queries have no answer, neither "matches" nor "does not", and why.
    """

    publication: str
    query_ids: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # query id -> why
    triples: int = 0
    tuples: int = 0  # stored tuples whose structure and words some triple has
    candidates: int = 0  # alternatives whose access tuple is among them
    checked: int = 0  # queries that tuples alone did not decide: phrases, conditions, joins
    verified: int = 0  # of these, how many had to be evaluated as SPARQL
    nodes_visited: int = 0  # of the forest

    def fail(self, ids: Iterable[str], error: Exception) -> None:
        """Note that these queries have no answer."""
        why = str(error) if isinstance(error, EvaluationLimitError) else f"{type(error).__name__}: {error}"
        self.failures.update(dict.fromkeys(ids, why))
