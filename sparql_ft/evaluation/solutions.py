"""Solution mappings, and finding the compatible ones among many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from sparql_ft.evaluation.budget import Budget
from sparql_ft.terms import Term, Variable

__all__ = ["Rows", "Solution"]

Solution: TypeAlias = dict[Variable, Term]  # unbound variables are absent; never changed once it is handed on


class Rows:
    """The solutions of a pattern, found by the values they must share with another solution.

    Two solutions are compatible if they agree on every variable that both bind (18.3). Rows are filed under the values
    of the variables that all of them bind and the other solution binds too; the rest is compared one by one.
    """

    __slots__ = ("_always_bound", "_budget", "_filed", "_rows")

    def __init__(self, solutions: Iterable[Solution], budget: Budget) -> None:
        self._budget = budget
        self._rows = list(solutions)
        bound = set(self._rows[0]) if self._rows else set[Variable]()
        for row in self._rows:
            bound.intersection_update(row)
        self._always_bound = tuple(sorted(bound, key=str))
        self._filed: dict[tuple[Variable, ...], dict[tuple[Term, ...], list[Solution]]] = {}

    def compatible(self, solution: Solution) -> Iterator[Solution]:
        """The rows compatible with `solution`, as they are."""
        shared = tuple(variable for variable in self._always_bound if variable in solution)
        for row in self._file(shared).get(tuple(solution[variable] for variable in shared), ()):
            self._budget.spend()
            if all(solution.get(variable, term) == term for variable, term in row.items()):
                yield row

    def _file(self, variables: tuple[Variable, ...]) -> dict[tuple[Term, ...], list[Solution]]:
        filed = self._filed.get(variables)
        if filed is None:
            filed = self._filed[variables] = {}
            for row in self._rows:
                filed.setdefault(tuple(row[variable] for variable in variables), []).append(row)
        return filed
