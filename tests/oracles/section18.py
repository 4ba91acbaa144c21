"""A second reading of SPARQL 1.1, section 18: multisets of solutions, straight from the syntax tree.

Operator by operator, nothing is ordered, indexed, streamed or pushed down; `substitute` rewrites the pattern, and paths
are the definitions of 18.4. Only the syntax tree and the value of expressions are shared with what is tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import count, product
from typing import TypeAlias

from sparql_ft.expressions.evaluation import Context, ExpressionError, evaluate_expression, holds
from sparql_ft.nodes import (
    Bind,
    Element,
    Expression,
    Filter,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    OptionalGroup,
    Path,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
    Query,
    TriplePattern,
    Union,
    Wildcard,
)
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Variable

Solution: TypeAlias = dict[Variable, Term]
Omega: TypeAlias = list[Solution]
End: TypeAlias = Term | Variable


def solutions(query: Query, publication: Publication, context: Context) -> Omega:
    """All solutions of WHERE and the VALUES clause, also for variables that no query can name."""
    reading = _Reading(publication, context)
    omega = reading.group(query.where, {})
    return omega if query.values is None else join(omega, reading.table(query.values, {}))


def compatible(a: Solution, b: Solution) -> bool:
    """Whether they agree on every variable that both have."""
    return all(b[v] == a[v] for v in a if v in b)


def join(left: Omega, right: Omega) -> Omega:
    """{ merge(μ1, μ2) | μ1 in Ω1, μ2 in Ω2, compatible }."""
    return [{**a, **b} for a, b in product(left, right) if compatible(a, b)]


class _Reading:
    """`given` are the variables that EXISTS has substituted: constants to every pattern and expression inside."""

    def __init__(self, publication: Publication, context: Context) -> None:
        self._triples = list(dict.fromkeys(publication.triples))
        self._graph = publication.graph
        self._nodes = list(dict.fromkeys(node for s, _, o in self._triples for node in (s, o)))
        self._fresh = (Variable(f"fresh {number}") for number in count())
        self._context = replace(context, exists=self.exists)

    def exists(self, group: Group, solution: Mapping[Variable, Term]) -> bool:
        return bool(self.group(group, dict(solution)))

    def group(self, group: Group, given: Solution) -> Omega:
        omega, filters = self._group(group, given)
        return [solution for solution in omega if self._hold(filters, solution, given)]

    def _group(self, group: Group, given: Solution) -> tuple[Omega, list[Expression]]:
        omega: Omega = [{}]
        filters: list[Expression] = []
        for element in group.elements:
            match element:
                case Filter(expression):
                    filters.append(expression)
                case OptionalGroup(inner):
                    right, conditions = self._group(inner, given)
                    omega = self._left_join(omega, right, conditions, given)
                case Minus(inner):
                    right = self.group(inner, given)
                    omega = [a for a in omega if not any(compatible(a, b) and set(a) & set(b) for b in right)]
                case Bind(expression, variable):
                    omega = [b for a in omega for b in self._extend(a, expression, variable, given)]
                case _:
                    omega = join(omega, self._pattern(element, given))
        return omega, filters

    def _left_join(self, left: Omega, right: Omega, conditions: list[Expression], given: Solution) -> Omega:
        result = []
        for a in left:
            merged = [{**a, **b} for b in right if compatible(a, b)]
            result += [solution for solution in merged if self._hold(conditions, solution, given)] or [a]
        return result

    def _extend(self, a: Solution, expression: Expression, variable: Variable, given: Solution) -> Omega:
        try:
            value = evaluate_expression(expression, {**given, **a}, self._context)
        except ExpressionError:
            return [a]
        if variable in given:
            return [a] if given[variable] == value else []
        return [{**a, variable: value}]

    def _hold(self, conditions: Iterable[Expression], solution: Solution, given: Solution) -> bool:
        return all(holds(condition, {**given, **solution}, self._context) for condition in conditions)

    def _pattern(self, element: Element, given: Solution) -> Omega:
        match element:
            case TriplePattern(subject, predicate, object_):
                ends = self._end(subject, given), self._end(object_, given)
                if isinstance(predicate, Variable | Wildcard):
                    return self._triple(ends[0], self._end(predicate, given), ends[1])
                return self._path(ends[0], predicate, ends[1])
            case Group():
                return self.group(element, given)
            case Union(groups):
                return [solution for group in groups for solution in self.group(group, given)]
            case GraphGroup(name, group):
                if self._graph is None:
                    return []
                end = self._end(name, given)
                if isinstance(end, Variable):
                    return join(self.group(group, given), [{end: self._graph}])
                return self.group(group, given) if end == self._graph else []
            case InlineData():
                return self.table(element, given)
            case _:
                raise TypeError(element)

    def table(self, data: InlineData, given: Solution) -> Omega:
        rows = [{v: t for v, t in zip(data.variables, row, strict=True) if t is not None} for row in data.rows]
        return [{v: t for v, t in row.items() if v not in given} for row in rows if compatible(row, given)]

    def _end(self, term: object, given: Solution) -> End:
        match term:
            case Variable():
                return given.get(term, term)
            case BlankNode():
                return Variable(f"blank {term.label}")
            case Wildcard():
                return next(self._fresh)
            case IRI() | Literal():
                return term
            case _:
                raise TypeError(term)

    def _triple(self, *pattern: End) -> Omega:
        result = []
        for triple in self._triples:
            solution: Solution = {}
            for end, term in zip(pattern, triple, strict=True):
                if isinstance(end, Variable):
                    if solution.setdefault(end, term) != term:
                        break
                elif end != term:
                    break
            else:
                result.append(solution)
        return result

    # --- 18.4 -------------------------------------------------------------------------------------------------------

    def _path(self, x: End, path: Path, y: End) -> Omega:
        match path:
            case IRI():
                return self._triple(x, path, y)
            case PathInverse(part):
                return self._path(y, part, x)
            case PathAlternative(parts):
                return [solution for part in parts for solution in self._path(x, part, y)]
            case PathSequence(parts):
                omega: Omega = [{}]
                ends = [x, *(next(self._fresh) for _ in parts[1:]), y]
                for start, part, end in zip(ends, parts, ends[1:], strict=False):
                    omega = join(omega, self._path(start, part, end))
                return [project(solution, x, y) for solution in omega]
            case PathNegated(forward, inverse):
                omega = []
                if forward or not inverse:
                    omega += self._negated(x, forward, y)
                if inverse:
                    omega += self._negated(y, inverse, x)
                return omega
            case PathRepeat(part, "?"):
                return self._zero_or_one(x, part, y)
            case PathRepeat(part, operator):
                return self._more(x, part, operator, y)
            case _:
                raise TypeError(path)

    def _negated(self, x: End, excluded: tuple[IRI, ...], y: End) -> Omega:
        predicate = next(self._fresh)
        return [project(s, x, y) for s in self._triple(x, predicate, y) if s[predicate] not in excluded]

    def _zero_or_one(self, x: End, part: Path, y: End) -> Omega:
        one = self._path(x, part, y)
        if isinstance(x, Variable) and isinstance(y, Variable):
            return distinct([{x: node, y: node} for node in self._nodes] + one)
        if isinstance(x, Variable):
            return distinct([{x: y}, *one])
        if isinstance(y, Variable):
            return distinct([{y: x}, *one])
        return [{}] if x == y or one else []

    def _more(self, x: End, part: Path, operator: str, y: End) -> Omega:
        if isinstance(x, Variable) and isinstance(y, Variable):
            pairs = [(start, end) for start in self._nodes for end in self._reached(start, part, operator)]
            return [{x: start, y: end} for start, end in pairs if x != y or start == end]
        if isinstance(x, Variable):
            return self._more(y, PathInverse(part), operator, x)
        ends = self._reached(x, part, operator)
        if isinstance(y, Variable):
            return [{y: end} for end in ends]
        return [{}] if y in ends else []

    def _reached(self, start: Term, part: Path, operator: str) -> list[Term]:
        visited: list[Term] = []
        for node in [start] if operator == "*" else self._step(start, part):
            self._alp(node, part, visited)
        return visited

    def _alp(self, node: Term, part: Path, visited: list[Term]) -> None:
        if node not in visited:
            visited.append(node)
            for following in self._step(node, part):
                self._alp(following, part, visited)

    def _step(self, node: Term, part: Path) -> list[Term]:
        variable = next(self._fresh)
        return [solution[variable] for solution in self._path(node, part, variable)]


def project(solution: Solution, *ends: End) -> Solution:
    """What a solution says of the ends that are variables."""
    return {end: solution[end] for end in ends if isinstance(end, Variable)}


def distinct(omega: Omega) -> Omega:
    """Each solution once."""
    return [dict(items) for items in {frozenset(solution.items()): None for solution in omega}]
