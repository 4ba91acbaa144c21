"""The meaning of a whole query on one publication.

This is the reference: it decides what a match is, and what its bindings are. It is exact for all of the supported
language (SPARQL 1.1, section 18, with ftcontains), and where it has to give up, it says so: `EvaluationLimitError`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from itertools import count
from typing import Final

from sparql_ft.evaluation.algebra import Algebra, translate, translate_group
from sparql_ft.evaluation.budget import Budget
from sparql_ft.evaluation.paths import PathEvaluation
from sparql_ft.evaluation.patterns import Dataset, PatternEvaluation
from sparql_ft.evaluation.solutions import Solution
from sparql_ft.evaluation.triple_index import TripleIndex
from sparql_ft.expressions.evaluation import Context, EvaluationLimitError
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.fulltext import ft_matches
from sparql_ft.nodes import Form, Group, PatternTerm, Query
from sparql_ft.publication import Publication
from sparql_ft.rewriting import variables_in
from sparql_ft.scope import visible
from sparql_ft.syntax.parser import parse
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Triple, Variable

__all__ = ["MAX_STEPS", "Evaluator", "construct", "evaluate", "matches"]

MAX_STEPS: Final = 5_000_000  # some ten seconds


def evaluate(
    query: Query | str, publication: Publication, *, max_steps: int | None = MAX_STEPS
) -> list[dict[str, Term]]:
    """The projected solutions of a query, as a multiset: names of variables to terms, without those that are unbound.

    SELECT gives its variables, CONSTRUCT all that are in scope, and ASK one empty solution or none.
    """
    return Evaluator(publication, max_steps=max_steps).evaluate(query)


def matches(query: Query | str, publication: Publication, *, max_steps: int | None = MAX_STEPS) -> bool:
    """Whether the query has a solution. Looks for the first one only."""
    return Evaluator(publication, max_steps=max_steps).matches(query)


def construct(query: Query | str, publication: Publication, *, max_steps: int | None = MAX_STEPS) -> list[Triple]:
    """The triples of a CONSTRUCT query, each once, in the order they are made (section 16.2)."""
    return Evaluator(publication, max_steps=max_steps).construct(query)


class Evaluator:
    """Evaluates queries on one publication, whose triples are indexed once for all of them.

    `max_steps` bounds the work for each query; None is no bound. `now` is what NOW() gives.
    """

    def __init__(
        self, publication: Publication, *, max_steps: int | None = MAX_STEPS, now: datetime | None = None
    ) -> None:
        self._publication = publication
        self._index = TripleIndex(publication.triples)
        self._max_steps = max_steps
        self._now = now

    def evaluate(self, query: Query | str) -> list[dict[str, Term]]:
        """The projected solutions; see the function of this name."""
        query = _parsed(query)
        if query.form is Form.ASK:
            return [{}] if self.matches(query) else []
        projection = visible(query) if query.projection is None else query.projection
        projected = [
            {variable.name: solution[variable] for variable in projection if variable in solution}
            for solution in self.solutions(query)
        ]
        if query.modifier == "DISTINCT":
            return list({frozenset(solution.items()): solution for solution in projected}.values())
        return projected  # REDUCED permits duplicates to go, and does not ask for it

    def matches(self, query: Query | str) -> bool:
        """Whether there is a solution; see the function of this name."""
        return next(self.solutions(query), None) is not None

    def construct(self, query: Query | str) -> list[Triple]:
        """The triples of the template; see the function of this name."""
        query = _parsed(query)
        if query.form is not Form.CONSTRUCT:
            raise ValueError(f"construct() wants a CONSTRUCT query, not {query.form.value}")
        blank_nodes = _unused_blank_nodes(self._index)
        triples: dict[Triple, None] = {}
        for solution in self.solutions(query):
            fresh: dict[BlankNode, BlankNode] = {}  # a blank node of the template is a new one for each solution
            for pattern in query.template:
                ends: list[Term | None] = []
                for end in (pattern.subject, pattern.predicate, pattern.object):
                    if isinstance(end, BlankNode) and end not in fresh:
                        fresh[end] = next(blank_nodes)
                    ends.append(_instance(end, solution, fresh))
                match ends:  # an unbound variable or a term in a place where it cannot stand: no triple
                    case IRI() | BlankNode() as s, IRI() as p, IRI() | BlankNode() | Literal() as o:
                        triples[s, p, o] = None
        return list(triples)

    def solutions(self, query: Query | str) -> Iterator[Solution]:
        """All variables that each solution of WHERE binds, projected or not, as they are found."""
        prepared = _prepare(_parsed(query))
        run = _Run(prepared, self._publication, self._index, self._max_steps, self._now)
        try:
            yield from run.solutions()
        except RecursionError:
            raise EvaluationLimitError("the query's patterns are nested too deeply to be evaluated") from None


@dataclass(frozen=True, slots=True)
class _ExistsPattern:
    group: Group  # kept, so that its id stays its own
    pattern: Algebra
    variables: tuple[Variable, ...]


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What a query needs for its evaluation and no publication changes."""

    pattern: Algebra
    base: str | None
    exists: dict[int, _ExistsPattern] = field(default_factory=dict)

    def exists_pattern(self, group: Group) -> _ExistsPattern:
        if id(group) not in self.exists:
            variables = tuple(sorted(variables_in(group), key=str))
            self.exists[id(group)] = _ExistsPattern(group, translate_group(group), variables)
        return self.exists[id(group)]


@lru_cache(maxsize=1024)
def _prepare(query: Query) -> _Prepared:
    return _Prepared(translate(query), query.base)


class _Run:
    """One evaluation of one query on one publication."""

    def __init__(
        self,
        prepared: _Prepared,
        publication: Publication,
        index: TripleIndex,
        max_steps: int | None,
        now: datetime | None,
    ) -> None:
        budget = Budget(max_steps)
        context = Context(
            now=datetime_literal(now or datetime.now(UTC)),
            exists=self._exists,
            ftcontains=lambda text, expression: ft_matches(expression, text),
            base=prepared.base,
        )
        self._prepared = prepared
        self._data = Dataset(index, publication.graph, budget, PathEvaluation(index, budget), context)
        self._existing: dict[tuple[int, tuple[Term | None, ...]], bool] = {}

    def solutions(self) -> Iterator[Solution]:
        return PatternEvaluation(self._data).solutions(self._prepared.pattern)

    def _exists(self, group: Group, solution: Mapping[Variable, Term]) -> bool:
        """exists(P): whether substitute(P, μ) has a solution in the active graph (18.6).

        The active graph is the publication's triples, inside GRAPH and outside. A blank node that is put in stands for
        itself; the specification's text would make it a variable, which nobody intends.
        """
        exists = self._prepared.exists_pattern(group)
        key = (id(group), tuple(solution.get(variable) for variable in exists.variables))
        if key not in self._existing:
            given = {variable: solution[variable] for variable in exists.variables if variable in solution}
            found = PatternEvaluation(self._data, given).solutions(exists.pattern)
            self._existing[key] = next(found, None) is not None
        return self._existing[key]


def _parsed(query: Query | str) -> Query:
    return parse(query) if isinstance(query, str) else query


def _instance(end: PatternTerm | object, solution: Solution, fresh: Mapping[BlankNode, BlankNode]) -> Term | None:
    match end:
        case Variable():
            return solution.get(end)
        case BlankNode():
            return fresh[end]
        case IRI() | Literal():
            return end
        case _:
            raise TypeError(f"{end} cannot stand in a CONSTRUCT template")


def _unused_blank_nodes(index: TripleIndex) -> Iterator[BlankNode]:
    candidates = (BlankNode(f"c{number}") for number in count())
    return (node for node in candidates if node not in index.nodes)
