"""Basic graph patterns on the triples of one publication: SPARQL 1.1, section 18.3."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush

from sparql_ft.evaluation.algebra import BGP, End, Pattern
from sparql_ft.evaluation.budget import Budget
from sparql_ft.evaluation.solutions import Solution
from sparql_ft.evaluation.triple_index import TripleIndex
from sparql_ft.terms import Term, Variable

__all__ = ["BGPEvaluation"]


class BGPEvaluation:
    """Matches triple patterns, in which the variables of `given` stand for their values."""

    __slots__ = ("_bgps", "_budget", "_given", "_index", "_orders")

    def __init__(self, index: TripleIndex, budget: Budget, given: Mapping[Variable, Term]) -> None:
        self._index = index
        self._budget = budget
        self._given = given
        # By the identity of the algebra's nodes, which outlive the evaluation.
        self._bgps: dict[int, _Substituted] = {}
        self._orders: dict[tuple[int, frozenset[Variable]], list[Pattern]] = {}

    def solutions(self, bgp: BGP, solution: Solution) -> Iterator[Solution]:
        """`solution`, extended in every way in which the patterns match; `stack` holds the matches of each so far."""
        order = self._order(bgp, solution)
        if order is None:
            return
        if not order:
            yield solution
            return
        stack = [self._triple(order[0], solution)]
        while stack:
            extended = next(stack[-1], None)
            if extended is None:
                stack.pop()
            elif len(stack) == len(order):
                yield extended
            else:
                stack.append(self._triple(order[len(stack)], extended))

    def _triple(self, pattern: Pattern, solution: Solution) -> Iterator[Solution]:
        ends = [solution.get(end) if isinstance(end, Variable) else end for end in pattern]
        free = [(place, end) for place, end in enumerate(pattern) if isinstance(end, Variable) and ends[place] is None]
        for triple in self._index.find(*ends):
            self._budget.spend()
            if not free:
                yield solution
                continue
            extended = solution.copy()
            for place, variable in free:  # a variable may stand twice in a pattern
                if extended.setdefault(variable, triple[place]) != triple[place]:
                    break
            else:
                yield extended

    def _order(self, bgp: BGP, solution: Solution) -> list[Pattern] | None:
        """The patterns, those with the fewest unknown terms first; None if one of them matches nothing whatever.

        Among equals one that shares a variable with what is known comes first, then the one with fewer triples.
        """
        substituted = self._bgps.get(id(bgp))
        if substituted is None:
            substituted = self._bgps[id(bgp)] = self._substitute(bgp)
        if substituted.hopeless:
            return None
        bound = substituted.variables.intersection(solution)
        order = self._orders.get((id(bgp), bound))
        if order is None:
            order = self._orders[id(bgp), bound] = substituted.ordered(bound)
        return order

    def _substitute(self, bgp: BGP) -> _Substituted:
        patterns = tuple((self._substituted(s), self._substituted(p), self._substituted(o)) for s, p, o in bgp.patterns)
        return _Substituted(patterns, self._index)

    def _substituted(self, end: End) -> End:
        return self._given.get(end, end) if isinstance(end, Variable) else end


class _Substituted:
    """A basic graph pattern with the given values put in, ready to be ordered."""

    __slots__ = ("_patterns", "_triples", "_users", "_variables", "hopeless", "variables")

    def __init__(self, patterns: tuple[Pattern, ...], index: TripleIndex) -> None:
        constants = ([None if isinstance(end, Variable) else end for end in pattern] for pattern in patterns)
        self._patterns = patterns
        self._triples = [len(index.find(*terms)) for terms in constants]
        self._variables = [frozenset(end for end in pattern if isinstance(end, Variable)) for pattern in patterns]
        self._users: dict[Variable, list[int]] = {}  # variable -> numbers of the patterns it stands in
        for number, variables in enumerate(self._variables):
            for variable in variables:
                self._users.setdefault(variable, []).append(number)
        self.hopeless = 0 in self._triples
        self.variables = frozenset(self._users)

    def ordered(self, bound: Iterable[Variable]) -> list[Pattern]:
        """The cheapest first, again and again. Costs only fall, as variables become known: the last entry counts."""
        known = set(bound)
        heap = [(self._cost(number, known), number) for number in range(len(self._patterns))]
        heapify(heap)
        order: dict[int, Pattern] = {}
        while heap:
            _, number = heappop(heap)
            if number in order:
                continue
            order[number] = self._patterns[number]
            new = self._variables[number] - known
            known |= new
            for user in {user for variable in new for user in self._users[variable]}.difference(order):
                heappush(heap, (self._cost(user, known), user))
        return list(order.values())

    def _cost(self, number: int, known: set[Variable]) -> tuple[int, bool, int]:
        variables = self._variables[number]
        return len(variables - known), variables.isdisjoint(known), self._triples[number]
