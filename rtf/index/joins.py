"""Whether triples can be chosen, one for each tuple of an alternative, that agree on all shared variables.

The paper's pseudocode leaves this out: there, two tuples that each match somewhere are enough. Here they must join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import TypeAlias

from rtf.index.tuples import Ends, IndexAlternative
from sparql_ft.evaluation.budget import Budget
from sparql_ft.nodes import Expression
from sparql_ft.rewriting import variables_in
from sparql_ft.terms import Term, Triple, Variable

__all__ = ["choices", "joined", "star_holds"]

Values: TypeAlias = dict[int, Term]
Holds: TypeAlias = Callable[[Expression, Mapping[Variable, Term]], bool]


def star_holds(alternative: IndexAlternative, found: Sequence[Sequence[Triple]]) -> bool:
    """Whether some subject has all the tuples that share it; `found[i]` are the triples of tuple i, at least one.

    Enough for an alternative whose tuples share nothing but their subject.
    """
    subjects: set[Term] | None = None
    for ends, triples in zip(alternative.ends, found, strict=True):
        if ends[0] is not None:
            these: set[Term] = {triple[0] for triple in triples}
            subjects = these if subjects is None else subjects & these
            if not subjects:
                return False
    return True


def joined(alternative: IndexAlternative, found: Sequence[Sequence[Triple]], holds: Holds, budget: Budget) -> bool:
    """Whether there is a choice of triples under which variables agree and conditions hold."""
    return next(choices(alternative, found, holds, budget), None) is not None


def choices(
    alternative: IndexAlternative, found: Sequence[Sequence[Triple]], holds: Holds, budget: Budget
) -> Iterator[Values]:
    """Each choice of triples under which variables agree and conditions hold, as the values of shared variables."""
    steps, waiting = _plan(alternative, found)
    if all(holds(condition, {}) for condition in waiting):
        yield from _choices(steps, 0, {}, holds, budget)


class _Step:
    """One tuple to be matched next: its triples by the values of the variables that are known by then."""

    __slots__ = ("_known", "_new", "_table", "conditions")

    def __init__(self, ends: Ends, triples: Sequence[Triple], bound: set[int], conditions: list[Expression]) -> None:
        first = {number: place for place, number in reversed(list(enumerate(ends))) if number is not None}
        self._known = [(place, number) for number, place in first.items() if number in bound]
        self._new = [(place, number) for number, place in first.items() if number not in bound]
        self.conditions = conditions
        self._table: dict[tuple[Term, ...], dict[tuple[Term, ...], None]] = {}
        for triple in triples:
            key = tuple([triple[place] for place, _ in self._known])
            value = tuple([triple[place] for place, _ in self._new])
            self._table.setdefault(key, {})[value] = None

    def extensions(self, values: Values, budget: Budget) -> Iterator[Values]:
        """The values with those of each triple that agrees with them; what differs in nothing shared comes once."""
        for new in self._table.get(tuple([values[number] for _, number in self._known]), ()):
            budget.spend()
            yield values | {number: term for (_, number), term in zip(self._new, new, strict=True)}


def _plan(alternative: IndexAlternative, found: Sequence[Sequence[Triple]]) -> tuple[list[_Step], list[Expression]]:
    """The tuples in a good order: those with known variables first, then those with few triples.

    Each condition is asked as soon as its variables are known; those without variables come back by themselves.
    """
    waiting = [(condition, {int(v.name) for v in variables_in(condition)}) for condition in alternative.conditions]
    at_once = [condition for condition, needed in waiting if not needed]
    waiting = [(condition, needed) for condition, needed in waiting if needed]
    bound: set[int] = set()
    left = dict(zip(count(), zip(alternative.ends, found, strict=True), strict=False))
    steps = []
    while left:
        place = min(left, key=lambda i: (bound.isdisjoint(left[i][0]) and bool(bound), len(left[i][1])))
        ends, triples = left.pop(place)
        after = bound | {number for number in ends if number is not None}
        conditions = [condition for condition, needed in waiting if needed <= after]
        waiting = [(condition, needed) for condition, needed in waiting if not needed <= after]
        steps.append(_Step(ends, triples, bound, conditions))
        bound = after
    assert not waiting, "a condition mentions a variable of no tuple"
    return steps, at_once


def _choices(steps: list[_Step], place: int, values: Values, holds: Holds, budget: Budget) -> Iterator[Values]:
    if place == len(steps):
        yield values
        return
    step = steps[place]
    for longer in step.extensions(values, budget):
        if step.conditions:
            named = {Variable(str(number)): term for number, term in longer.items()}
            if not all(holds(condition, named) for condition in step.conditions):
                continue
        yield from _choices(steps, place + 1, longer, holds, budget)
