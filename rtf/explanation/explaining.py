"""How an explanation is found: every alternative of the query is tried on the publication, and what fails is asked why.

Whether the query matches is decided by `Verification`, as everywhere; here is only told what it saw. Nothing is
indexed: all triples are tried for all tuples, which is fine for one query and one publication.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from rtf.explanation.explanation import AlternativeExplanation, Binding, Explanation, Reason
from rtf.explanation.tuple_reasons import condition_reason, explain_tuple, one_line, some, with_values
from rtf.index.joins import choices
from rtf.index.tuples import IndexAlternative, index_alternative
from rtf.index.verification import MAX_STEPS, Candidate, Verification
from rtf.match import Highlight, highlights_in
from rtf.registered_query import RegisteredQuery
from rtf.report import MatchReport
from sparql_ft import Alternative, EvaluationLimitError, Evaluator, Publication, Query, prepare
from sparql_ft.evaluation.budget import Budget
from sparql_ft.expressions.evaluation import holds
from sparql_ft.extraction.tuples import JoinVariable
from sparql_ft.nodes import (
    Bind,
    Element,
    Expression,
    Filter,
    FtContains,
    GraphGroup,
    Group,
    InlineData,
    Minus,
    TriplePattern,
    Union,
    Wildcard,
)
from sparql_ft.rewriting import variables_in
from sparql_ft.scope import visible
from sparql_ft.syntax.printer import text_of
from sparql_ft.terms import IRI, Term, Triple, Variable

__all__ = ["explain"]

_SOLUTIONS: Final = 5  # that are told


def explain(
    query: RegisteredQuery, publication: Publication, base: str | None = None, max_steps: int | None = MAX_STEPS
) -> Explanation:
    """Why the query matches the publication or does not, in the same number of steps as an engine may take."""
    prepared = prepare(query.text, base)
    asked = Verification(publication, max_steps)
    tried = [_Tried(alternative, asked, max_steps) for alternative in prepared.tuples.alternatives]
    report = MatchReport(publication.id)
    matches: bool | None
    try:
        matches = asked.is_match([each.candidate for each in tried], prepared.query, report)
    except Exception as error:  # the same that an engine reports
        report.fail([query.id], error)
        matches = None
    rest = None
    if matches is False and any(each.holds and each.form.residual for each in tried):
        indexed = frozenset(_indexed(prepared.tuples.alternatives))
        rest = _rest_reason(prepared.query, indexed, publication, max_steps)
    bindings, highlights = _solutions(prepared.query, publication, max_steps) if matches else ((), ())
    return Explanation(
        query.id,
        publication.id,
        matches,
        tuple(each.explanation(rest) for each in tried),
        bindings,
        highlights,
        report.failures.get(query.id),
        query.text,
    )


class _Tried:
    """One alternative and what the publication has for each of its tuples."""

    def __init__(self, alternative: Alternative, asked: Verification, max_steps: int | None) -> None:
        self.form = index_alternative(alternative)
        self._alternative = alternative
        self._asked = asked
        self._max_steps = max_steps
        self._tuples = [
            explain_tuple(each, stored, asked)
            for each, stored in zip(alternative.tuples, self.form.tuples, strict=True)
        ]
        self.reason = self._graph_reason()
        if self.reason is None and all(each.reason is None for each in self._tuples):
            self.reason = self._join_reason()

    @property
    def candidate(self) -> Candidate:
        """What Verification asks for."""
        return self.form, self._satisfying

    @property
    def holds(self) -> bool:
        """As far as its tuples go."""
        return self.reason is None and all(each.reason is None for each in self._tuples)

    def explanation(self, rest: Reason | None) -> AlternativeExplanation:
        """As a value; `rest` is why the query fails although this holds."""
        reason = rest if self.holds and self.form.residual else self.reason
        return AlternativeExplanation(tuple(self._tuples), reason, self.form.residual)

    def _satisfying(self, place: int) -> Sequence[Triple]:
        """As an index would find them: a tuple that no triple satisfies decides, whatever others cannot tell."""
        if any(each.reason is not None and each.reason.kind != "limit" for each in self._tuples):
            return ()
        each = self._tuples[place]
        if each.reason is not None:
            raise EvaluationLimitError(each.reason.message)
        return each.triples

    def _graph_reason(self) -> Reason | None:
        if not self.form.in_graph:
            return None
        graph = self._asked.publication.graph
        if graph is None:
            return Reason("graph", "the publication has no named graph, which GRAPH asks for")
        wrong = next((name for name in self.form.graphs if name != graph), None)
        if wrong is None:
            return None
        return Reason("graph", f"GRAPH asks for {wrong}, and the publication is the graph {graph}")

    def _join_reason(self) -> Reason | None:
        """Why no choice of triples satisfies all tuples together: the first tuple, or condition, that goes too far."""
        found = [each.triples for each in self._tuples]
        try:
            for size in range(2, len(found) + 1):
                if self._choice(size, found, ()) is None:
                    return self._tuple_reason(size - 1)
            for number in range(len(self.form.conditions)):
                if self._choice(len(found), found, self.form.conditions[: number + 1]) is None:
                    before = self._choice(len(found), found, self.form.conditions[:number]) or {}
                    return self._condition_reason(self._alternative.conditions[number], before)
        except EvaluationLimitError as error:
            return Reason("limit", f"whether its tuples join is not known: {error}")
        return None

    def _choice(
        self, size: int, found: Sequence[Sequence[Triple]], conditions: tuple[Expression, ...]
    ) -> dict[int, Term] | None:
        form: IndexAlternative = replace(
            self.form, tuples=self.form.tuples[:size], ends=self.form.ends[:size], conditions=conditions
        )
        return next(choices(form, found[:size], self._condition_holds, Budget(self._max_steps)), None)

    def _condition_holds(self, condition: Expression, values: Mapping[Variable, Term]) -> bool:
        return holds(condition, values, self._asked.context)

    def _tuple_reason(self, place: int) -> Reason:
        """Tuples before this one join, but not with it."""
        each = self._alternative.tuples[place]
        told = []
        for variable in dict.fromkeys(each.variables()):
            here = self._values(place, variable)
            others = [other for other in range(place) if variable in self._alternative.tuples[other].variables()]
            apart = next((other for other in others if here.isdisjoint(self._values(other, variable))), None)
            if apart is not None:
                there = self._values(apart, variable)
                told.append(
                    f"{variable} is {some(here)} in `{self._said(place)}`, but {some(there)} in `{self._said(apart)}`"
                )
        if told:
            return Reason("join", "the tuples do not join: " + "; ".join(told))
        names = ", ".join(str(v) for v in dict.fromkeys(each.variables()) if v in self._alternative.joins)
        return Reason(
            "join", f"the tuples do not join: `{self._said(place)}` does not agree with those before on {names}"
        )

    def _said(self, place: int) -> str:
        each = self._alternative.tuples[place]
        return " ".join(map(text_of, (each.subject, each.predicate, each.object)))

    def _values(self, place: int, variable: JoinVariable) -> frozenset[Term]:
        each = self._alternative.tuples[place]
        ends = [end for end, term in enumerate((each.subject, each.predicate, each.object)) if term == variable]
        return frozenset(triple[ends[0]] for triple in self._tuples[place].triples)

    def _condition_reason(self, condition: Expression, choice: Mapping[int, Term]) -> Reason:
        names = {
            number: term
            for each, ends in zip(self._alternative.tuples, self.form.ends, strict=True)
            for number, term in zip(ends, (each.subject, each.predicate, each.object), strict=True)
        }
        values = {name: term for number, term in choice.items() if isinstance(name := names[number], Variable)}
        return condition_reason(condition, values, self._asked)


# --- the query as a whole ---------------------------------------------------------------------------------------------


def _rest_reason(
    query: Query, indexed: frozenset[Expression], publication: Publication, max_steps: int | None
) -> Reason:
    """What full SPARQL fails by: a part of the query without which it would have a solution.

    `indexed` are the filters that alternatives have, so that others are rather to be suspected.
    """
    evaluator = Evaluator(publication, max_steps=max_steps)
    parts = sorted(_without_one(query.where), key=lambda pair: _suspicion(pair[0], indexed))
    for element, where in parts:
        without = replace(query, where=where)
        try:
            solution = next(evaluator.solutions(without), None)
        except EvaluationLimitError:
            continue  # another part may tell
        if solution is not None:
            said = one_line(text_of(element))
            mentioned = variables_in(element)
            known = [variable for variable in visible(without) if variable in solution and variable in mentioned]
            values = {variable: solution[variable] for variable in known}
            match element:
                case Filter():
                    return Reason("sparql", f"{said} is not true{with_values(values)}")
                case Minus():
                    return Reason("sparql", f"{said} takes away all solutions{with_values(values, ', as with ')}")
            return Reason("sparql", f"without {said} it would match")
    return Reason("sparql", "its tuples are there, but no solution satisfies the whole of the query")


def _indexed(alternatives: Iterable[Alternative]) -> Iterator[Expression]:
    for alternative in alternatives:
        yield from alternative.conditions
        for each in alternative.tuples:
            yield from each.conditions


def _without_one(group: Group) -> Iterator[tuple[Element, Group]]:
    """Each element of a group, also of groups in it that have to hold, and the group without that element."""
    for place, element in enumerate(group.elements):
        before, after = group.elements[:place], group.elements[place + 1 :]
        yield element, Group((*before, *after))
        inner: Iterator[tuple[Element, Element]]
        match element:
            case Group():
                inner = _without_one(element)
            case GraphGroup():
                inner = ((part, replace(element, group=rest)) for part, rest in _without_one(element.group))
            case Union(groups):
                inner = (
                    (part, Union((*groups[:number], rest, *groups[number + 1 :])))
                    for number, branch in enumerate(groups)
                    for part, rest in _without_one(branch)
                )
            case _:
                continue
        yield from ((part, Group((*before, rest, *after))) for part, rest in inner)


def _suspicion(element: Element, indexed: frozenset[Expression]) -> int:
    """What takes solutions away is asked first, then paths, which need not be tuples; the tuples themselves hold."""
    match element:
        case Filter(FtContains()) | TriplePattern(_, IRI() | Variable() | Wildcard()):
            return 3
        case Filter(expression):
            return 3 if expression in indexed else 0
        case Minus():
            return 0
        case TriplePattern() | Bind() | InlineData():
            return 1
        case _:
            return 2


def _solutions(
    query: Query, publication: Publication, max_steps: int | None
) -> tuple[tuple[Binding, ...], tuple[Highlight, ...]]:
    """Some solutions, with all variables of WHERE, and the words that were found in them."""
    variables = visible(query)
    try:
        solutions = list(islice(Evaluator(publication, max_steps=max_steps).solutions(query), _SOLUTIONS))
    except EvaluationLimitError:  # tuples may decide what is too much for full SPARQL
        return (), ()
    told = (tuple((v.name, solution[v]) for v in variables if v in solution) for solution in solutions)
    return tuple(dict.fromkeys(told)), tuple(highlights_in(query, solutions))
