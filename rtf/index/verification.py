"""One publication, asked about candidates: do triples satisfy a tuple, tuples an alternative, all of it a query.

This is the half of matching that knows exactly; the forests only say where it pays to ask. Texts are analysed once, and
the work for one question is bounded: `EvaluationLimitError` says that there is no answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Final, TypeAlias

from rtf.index.joins import joined, star_holds
from rtf.index.tuples import PLACES, IndexAlternative, IndexTuple
from rtf.report import MatchReport
from sparql_ft import Evaluator, Publication, Query
from sparql_ft.evaluation.budget import Budget
from sparql_ft.expressions.context import Context
from sparql_ft.expressions.evaluation import holds
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.fulltext import Text, ft_matches
from sparql_ft.nodes import Expression, FtExpression, Group
from sparql_ft.terms import Literal, Term, Triple, Variable

__all__ = ["MAX_STEPS", "Candidate", "Satisfying", "Verification"]

MAX_STEPS: Final = 30_000  # for one query on one publication: half a second at worst

_LONG_AGO: Final = datetime_literal(datetime(1970, 1, 1, tzinfo=UTC))  # no condition of a tuple asks for the time


Satisfying: TypeAlias = Callable[[int], Sequence[Triple]]
"""The triples that satisfy tuple i of an alternative; none if it fails there."""

Candidate: TypeAlias = tuple[IndexAlternative, Satisfying]


class Verification:
    """A publication to be asked."""

    def __init__(self, publication: Publication, max_steps: int | None = MAX_STEPS) -> None:
        self.publication = publication
        self._max_steps = max_steps
        self._texts: dict[str, Text] = {}
        self._evaluator: Evaluator | None = None

    @cached_property
    def context(self) -> Context:
        """What the conditions of tuples may depend on; most publications are asked about none."""
        return Context(now=_LONG_AGO, exists=_no_exists, ftcontains=self._ftcontains)

    def text(self, lexical: str) -> Text:
        """A lexical form, to be analysed at most once."""
        text = self._texts.get(lexical)
        if text is None:
            text = self._texts[lexical] = Text(lexical)
        return text

    def satisfies(self, triple: Triple, each: IndexTuple) -> bool:
        """Whether a triple that has the structure of a tuple satisfies it."""
        if any(triple[place] != triple[first] for place, first in enumerate(each.same)):
            return False
        if each.text is not None:
            object_ = triple[2]
            if not isinstance(object_, Literal) or not ft_matches(each.text, self.text(object_.lexical)):
                return False
        if not each.conditions:
            return True
        values: dict[Variable, Term] = dict(zip(PLACES, triple, strict=True))
        return all(self._holds(condition, values) for condition in each.conditions)

    def is_match(self, candidates: Iterable[Candidate], query: Query | None, report: MatchReport) -> bool:
        """Whether one of these alternatives of a query holds. The query is evaluated where they do not tell all.

        An alternative that fails is no answer, but another one may be.
        """
        report.checked += 1
        undecided = False
        failure: Exception | None = None
        for form, satisfying in candidates:
            try:
                if self._is_in_graph(form) and self._holds_together(form, satisfying):
                    if not form.residual:
                        return True
                    undecided = True
            except Exception as error:  # raised below, unless it does not matter
                failure = error
        if undecided:
            assert query is not None, "an alternative has a residual, so the query was kept"
            report.verified += 1
            return self._matches(query)
        if failure is not None:
            raise failure
        return False

    def _is_in_graph(self, form: IndexAlternative) -> bool:
        graph = self.publication.graph
        return not form.in_graph or (graph is not None and all(name == graph for name in form.graphs))

    def _holds_together(self, form: IndexAlternative, satisfying: Satisfying) -> bool:
        """Whether an alternative holds; with a residual, whether it may."""
        found = []
        for place in range(len(form.tuples)):
            triples = satisfying(place)
            if not triples:
                return False
            found.append(triples)
        if form.is_star:
            return star_holds(form, found)
        return form.residual or joined(form, found, self._holds, Budget(self._max_steps))

    def _matches(self, query: Query) -> bool:
        if self._evaluator is None:
            self._evaluator = Evaluator(self.publication, max_steps=self._max_steps)
        return self._evaluator.matches(query)

    def _holds(self, condition: Expression, values: Mapping[Variable, Term]) -> bool:
        return holds(condition, values, self.context)

    def _ftcontains(self, lexical: str, expression: FtExpression) -> bool:
        return ft_matches(expression, self.text(lexical))


def _no_exists(group: Group, _: Mapping[Variable, Term]) -> bool:
    raise AssertionError(f"a condition of a tuple asks for a graph pattern: {group}")
