"""The solutions of a pattern on one publication: SPARQL 1.1, sections 18.3 to 18.6.

Every operator of the algebra is a generator over the solutions of its left side, so that the first solution of a query
costs no more than it must. Right sides are what section 18 says that they are: patterns by themselves, whose solutions
are then joined. `PatternEvaluation.join` puts the left side's values into a right side early, but only where that gives
the same; each case says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from sparql_ft.evaluation.algebra import (
    BGP,
    Algebra,
    Extend,
    Filter,
    Graph,
    Join,
    LeftJoin,
    Minus,
    Path,
    Table,
    Union,
)
from sparql_ft.evaluation.bgps import BGPEvaluation
from sparql_ft.evaluation.budget import Budget
from sparql_ft.evaluation.paths import FREE, PathEvaluation, Side
from sparql_ft.evaluation.solutions import Rows, Solution
from sparql_ft.evaluation.triple_index import TripleIndex
from sparql_ft.expressions.evaluation import Context, ExpressionError, evaluate_expression, holds
from sparql_ft.nodes import Expression
from sparql_ft.terms import IRI, BlankNode, Term, Variable

__all__ = ["Dataset", "PatternEvaluation"]

Solutions: TypeAlias = Iterator[Solution]
_NOTHING: Final[Mapping[Variable, Term]] = {}
_CHAIN: Final = 50  # so many operators form one chain of generators; past that, the solutions so far become a list


@dataclass(frozen=True, slots=True)
class Dataset:
    """What a query sees of a publication, and what its evaluation may cost. The active graph is always `index`."""

    index: TripleIndex
    graph: IRI | BlankNode | None
    budget: Budget
    paths: PathEvaluation
    context: Context


class PatternEvaluation:
    """eval(D(G), pattern), for patterns in which the variables of `given` have been substituted by their values (18.6).

    A substituted variable is a term wherever it stands in a triple pattern, a path, GRAPH or an expression, and so is
    no longer part of any solution. Where it cannot be a term (BIND … AS ?v, VALUES ?v), the specification defines
    nothing; here, as in the drafts of SPARQL 1.2, the value it gets there has to be the given one.
    """

    __slots__ = ("_bgps", "_data", "_given", "_rows")

    def __init__(self, data: Dataset, given: Mapping[Variable, Term] = _NOTHING) -> None:
        self._data = data
        self._given = given
        self._rows: dict[int, Rows] = {}  # by the identity of the algebra's nodes, which outlive the evaluation
        self._bgps = BGPEvaluation(data.index, data.budget, given)

    def solutions(self, pattern: Algebra) -> Solutions:
        """The solutions of a pattern by itself."""
        operators: list[Algebra] = []
        while (left := _left(pattern)) is not None:
            operators.append(pattern)
            pattern = left
        found = self.join(iter(({},)), pattern)
        for number, run in enumerate(_runs(reversed(operators)), start=1):
            found = self._apply(run, found)
            if number % _CHAIN == 0:  # generators inside generators are a recursion, and Python's has a limit
                found = iter(list(found))
        return found

    def _apply(self, operator: Algebra | tuple[Extend, ...], left: Solutions) -> Solutions:
        """One operator, or a run of Extends, over the solutions of its left side."""
        match operator:
            case tuple():
                return self._extend(left, operator)
            case Join(_, right):
                return self.join(left, right)
            case LeftJoin(_, right, conditions):
                return self._left_join(left, right, conditions)
            case Minus(_, right):
                return self._minus(left, right)
            case Filter(conditions, _):
                return (solution for solution in left if self._hold(conditions, solution))
            case _:
                raise TypeError(f"{type(operator).__name__} has no left side")

    def join(self, left: Solutions, right: Algebra) -> Solutions:
        """Join(left, right): each of `left`, merged with each solution of `right` that is compatible with it."""
        match right:
            case BGP():  # a triple matches with a variable's value in place, or it does not match compatibly
                for solution in left:
                    yield from self._bgps.solutions(right, solution)
            case Path():  # a `Side` that is known but no constant stands for "a variable, joined to this value"
                for solution in left:
                    yield from self._path(right, solution)
            case Graph():
                yield from self._graph(left, right)
            case Union(parts):  # Join distributes over Union
                for solution in left:
                    for part in parts:
                        self._data.budget.spend()  # empty groups look at no triple
                        yield from self.join(iter((solution,)), part)
            case Join(first, second):  # Join is associative
                yield from self.join(self.join(left, first), second)
            case _:  # filters, OPTIONAL, MINUS and BIND see the variables of their own group only: evaluate, then join
                for solution in left:
                    if not solution and not isinstance(right, Table):
                        yield from self.solutions(right)
                    else:
                        for row in self._materialised(right).compatible(solution):
                            yield {**solution, **row}

    def _left_join(self, left: Solutions, right: Algebra, conditions: tuple[Expression, ...]) -> Solutions:
        """Filter(expr, Join(Ω1, Ω2)) ∪ Diff(Ω1, Ω2, expr): the condition is asked of the merged solution."""
        for solution in left:
            extended = False
            for merged in self.join(iter((solution,)), right):
                if self._hold(conditions, merged):
                    extended = True
                    yield merged
            if not extended:
                yield solution

    def _minus(self, left: Solutions, right: Algebra) -> Solutions:
        """Minus: dropped are the solutions compatible with one of `right` that has a variable in common with them."""
        for solution in left:
            compatible = self._materialised(right).compatible(solution)
            if not any(not solution.keys().isdisjoint(row) for row in compatible):
                yield solution

    def _extend(self, left: Solutions, extends: tuple[Extend, ...]) -> Solutions:
        """Extend: an expression that is an error leaves the variable unbound.

        What follows one another extends one solution, in which BNODE("a") is the same each time (17.4.2.9).
        """
        for solution in left:
            labels: dict[str, BlankNode] = {}
            extended: Solution | None = solution
            for extend in extends:
                if extended is not None:
                    extended = self._extended(extended, extend, labels)
            if extended is not None:
                yield extended

    def _extended(self, solution: Solution, extend: Extend, labels: dict[str, BlankNode]) -> Solution | None:
        try:
            value = evaluate_expression(extend.expression, self._seen(solution), self._data.context, labels)
        except ExpressionError:
            return solution
        if extend.variable not in self._given:
            return {**solution, extend.variable: value}
        return solution if value == self._given[extend.variable] else None

    def _graph(self, left: Solutions, graph: Graph) -> Solutions:
        """Graph: of the dataset's named graphs, of which a publication has one or none.

        For GRAPH ?g it is Join(eval(P), {?g -> name}): ?g is not bound inside the group. Names compare as terms.
        """
        name = self._data.graph
        wanted = self._given.get(graph.name, graph.name) if isinstance(graph.name, Variable) else graph.name
        if name is None:
            return
        if not isinstance(wanted, Variable):
            if wanted == name:
                yield from self.join(left, graph.pattern)
            return
        for solution in self.join(left, graph.pattern):
            if solution.get(wanted, name) == name:
                yield {**solution, wanted: name}

    def _hold(self, conditions: tuple[Expression, ...], solution: Solution) -> bool:
        seen = self._seen(solution)
        return all(holds(condition, seen, self._data.context) for condition in conditions)

    def _seen(self, solution: Solution) -> Mapping[Variable, Term]:
        """What an expression sees: substituted variables are constants there."""
        return {**self._given, **solution} if self._given else solution

    def _materialised(self, pattern: Algebra) -> Rows:
        rows = self._rows.get(id(pattern))
        if rows is None:
            solutions = self._table(pattern) if isinstance(pattern, Table) else self.solutions(pattern)
            rows = self._rows[id(pattern)] = Rows(solutions, self._data.budget)
        return rows

    def _table(self, table: Table) -> Solutions:
        for row in table.rows:
            solution = {v: term for v, term in zip(table.variables, row, strict=True) if term is not None}
            if all(self._given.get(variable, term) == term for variable, term in solution.items()):
                yield {v: term for v, term in solution.items() if v not in self._given}

    def _path(self, path: Path, solution: Solution) -> Solutions:
        sides: list[Side] = []
        free: list[tuple[int, Variable]] = []
        for place, end in enumerate((path.subject, path.object)):
            if not isinstance(end, Variable):
                sides.append(Side(end, constant=True))
            elif end in self._given:
                sides.append(Side(self._given[end], constant=True))
            elif end in solution:
                sides.append(Side(solution[end]))
            else:
                sides.append(FREE)
                free.append((place, end))
        for pair in self._data.paths.pairs(path.path, *sides):
            extended = solution.copy()
            for place, variable in free:
                if extended.setdefault(variable, pair[place]) != pair[place]:
                    break
            else:
                yield extended


def _runs(operators: Iterable[Algebra]) -> Iterator[Algebra | tuple[Extend, ...]]:
    """The operators in their order, neighbouring Extends as one."""
    extends: list[Extend] = []
    for operator in operators:
        if isinstance(operator, Extend):
            extends.append(operator)
            continue
        if extends:
            yield tuple(extends)
            extends = []
        yield operator
    if extends:
        yield tuple(extends)


def _left(pattern: Algebra) -> Algebra | None:
    """The side of an operator that its solutions come from, if it has such a side."""
    match pattern:
        case Join(left, _) | LeftJoin(left, _, _) | Minus(left, _) | Filter(_, left) | Extend(left, _, _):
            return left
        case _:
            return None
