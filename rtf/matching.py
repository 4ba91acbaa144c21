"""One publication against one segment: which patterns match it.

Filtering is apart from verification. The forest gives the tuples that triples satisfy; an alternative is looked at only
if its access tuple is among them; it is decided by its tuples, subject by subject, where these share nothing else, by
joining their triples where they do, and by evaluating the query where tuples do not tell all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from rtf.forest import PathWord, words_of
from rtf.index_tuples import PLACES, IndexTuple
from rtf.joins import joined, star_holds
from rtf.segment import Pattern, Segment, StoredAlternative
from sparql_ft import EvaluationLimitError, Evaluator, Publication
from sparql_ft.evaluation.budget import Budget
from sparql_ft.expressions.context import Context
from sparql_ft.expressions.evaluation import holds
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.fulltext import Text, ft_matches
from sparql_ft.nodes import Expression, FtExpression, Group
from sparql_ft.terms import Literal, Term, Triple, Variable

__all__ = ["MAX_STEPS", "MatchReport", "Matching"]

MAX_STEPS: Final = 100_000  # for one query on one publication: some tenths of a second


@dataclass(slots=True)
class MatchReport:
    """What happened to one publication. `failures` tells why queries have no answer: neither matched nor not."""

    publication: str
    query_ids: list[str] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)  # query id -> why
    triples: int = 0
    tuples: int = 0  # stored tuples that some triple satisfies
    candidates: int = 0  # patterns whose access tuple is among them
    verified: int = 0  # patterns that had to be evaluated as SPARQL
    matched: int = 0  # patterns; a pattern may be several queries
    nodes_visited: int = 0  # of the forest


class Matching:
    """The matching of one publication. `wanted` tells which patterns to look at."""

    def __init__(
        self,
        segment: Segment,
        publication: Publication,
        report: MatchReport,
        *,
        max_steps: int | None = MAX_STEPS,
        wanted: Callable[[Pattern], bool] | None = None,
    ) -> None:
        self._segment = segment
        self._publication = publication
        self._report = report
        self._max_steps = max_steps
        self._wanted = wanted
        self._texts: dict[str, Text] = {}
        self._evaluator: Evaluator | None = None
        self._failed: dict[int, str] = {}  # tuples of which it is not known whether some triple satisfies them
        self._context = Context(now=_LONG_AGO, exists=_no_exists, ftcontains=self._ftcontains)

    def patterns(self) -> Iterator[Pattern]:
        """The patterns that match, each once."""
        report = self._report
        visited = self._segment.forest.visited
        found = self._found()
        report.triples += len(self._publication.triples)
        report.tuples += len(found)
        report.nodes_visited += self._segment.forest.visited - visited
        candidates: dict[Pattern, list[StoredAlternative]] = {}
        for access in (None, *found, *(number for number in self._failed if number not in found)):
            for stored in self._segment.under.get(access, ()):
                candidates.setdefault(stored.pattern, []).append(stored)
        for pattern, alternatives in candidates.items():
            if self._wanted is not None and not self._wanted(pattern):
                continue
            report.candidates += 1
            pattern.candidates += 1
            try:
                matches = self._is_match(pattern, alternatives, found)
            except Exception as error:  # whatever it is, the other queries are answered
                report.failures.update(dict.fromkeys(pattern.ids, _reason(error)))
                continue
            if matches:
                report.matched += 1
                pattern.matched += 1
                yield pattern

    # --- triples ------------------------------------------------------------------------------------------------------

    def _found(self) -> dict[int, list[Triple]]:
        """The tuples that triples satisfy: number -> those triples."""
        segment, found = self._segment, dict[int, list[Triple]]()
        for triple in self._publication.triples:
            for number in dict.fromkeys(segment.forest.find(triple, lambda: self._words(triple))):  # noqa: B023  used at once
                try:
                    if number in segment.unchecked or self._satisfies(triple, segment.tuples[number]):
                        found.setdefault(number, []).append(triple)
                except Exception as error:  # the failure of whatever query depends on this tuple
                    self._failed[number] = _reason(error)
        return found

    def _words(self, triple: Triple) -> frozenset[PathWord]:
        object_ = triple[2]
        if not isinstance(object_, Literal):
            return frozenset()
        return words_of(self._text(object_.lexical), self._segment.forest.readings)

    def _text(self, lexical: str) -> Text:
        text = self._texts.get(lexical)
        if text is None:
            text = self._texts[lexical] = Text(lexical)
        return text

    def _satisfies(self, triple: Triple, each: IndexTuple) -> bool:
        """What the forest does not decide."""
        if any(triple[place] != triple[first] for place, first in enumerate(each.same)):
            return False
        if each.text is not None:
            object_ = triple[2]
            if not isinstance(object_, Literal) or not ft_matches(each.text, self._text(object_.lexical)):
                return False
        if not each.conditions:
            return True
        values: dict[Variable, Term] = dict(zip(PLACES, triple, strict=True))
        return all(self._holds(condition, values) for condition in each.conditions)

    def _holds(self, condition: Expression, values: Mapping[Variable, Term]) -> bool:
        return holds(condition, values, self._context)

    def _ftcontains(self, lexical: str, expression: FtExpression) -> bool:
        return ft_matches(expression, self._text(lexical))

    # --- patterns -----------------------------------------------------------------------------------------------------

    def _is_match(
        self, pattern: Pattern, alternatives: list[StoredAlternative], found: Mapping[int, list[Triple]]
    ) -> bool:
        undecided = False
        for stored in alternatives:
            if self._holds_together(stored, found):
                if not stored.form.residual:
                    return True
                undecided = True
        return undecided and self._evaluate(pattern)

    def _holds_together(self, stored: StoredAlternative, found: Mapping[int, list[Triple]]) -> bool:
        """Whether an alternative holds; with residual, whether it may."""
        form, graph = stored.form, self._publication.graph
        if form.in_graph and (graph is None or any(name != graph for name in form.graphs)):
            return False
        if any(number not in found and number not in self._failed for number in stored.numbers):
            return False
        for number in stored.numbers:
            if number in self._failed:
                raise EvaluationLimitError(self._failed[number])
        triples = [found[number] for number in stored.numbers]
        if form.is_star:
            return star_holds(form, triples)
        return form.residual or joined(form, triples, self._holds, Budget(self._max_steps))

    def _evaluate(self, pattern: Pattern) -> bool:
        assert pattern.query is not None, "an alternative has a residual, so the query was kept"
        self._report.verified += 1
        if self._evaluator is None:
            self._evaluator = Evaluator(self._publication, max_steps=self._max_steps)
        return self._evaluator.matches(pattern.query)


_LONG_AGO: Final = datetime_literal(datetime(1970, 1, 1, tzinfo=UTC))  # no condition of a tuple asks for the time


def _reason(error: Exception) -> str:
    return str(error) if isinstance(error, EvaluationLimitError) else f"{type(error).__name__}: {error}"


def _no_exists(group: Group, _: Mapping[Variable, Term]) -> bool:
    raise AssertionError(f"a condition of a tuple asks for a graph pattern: {group}")
