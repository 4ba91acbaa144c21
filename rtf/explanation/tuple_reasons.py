"""Why no triple of a publication satisfies a tuple, or which ones do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rtf.explanation.explanation import Attempt, Reason, TupleExplanation
from rtf.explanation.text_reasons import text_reason
from rtf.index.tuples import IndexTuple
from rtf.index.verification import Verification
from sparql_ft import Publication, QueryTuple
from sparql_ft.expressions.errors import ExpressionError
from sparql_ft.expressions.evaluation import evaluate_expression, holds
from sparql_ft.fulltext import ft_matches
from sparql_ft.nodes import Expression
from sparql_ft.rewriting import variables_in
from sparql_ft.syntax.printer import text_of
from sparql_ft.terms import Literal, Term, Triple, Variable

__all__ = ["condition_reason", "explain_tuple", "one_line", "some", "with_values"]

_VALUES: Final = 3  # of a variable that are told


def explain_tuple(each: QueryTuple, stored: IndexTuple, asked: Verification) -> TupleExplanation:
    """The triples that satisfy a tuple; if there are none, what fails first. `stored` is the same tuple as indexed."""
    fitting = [
        triple
        for triple in asked.publication.triples
        if all(wanted is None or wanted == term for wanted, term in zip(stored.structure, triple, strict=True))
    ]
    if not fitting:
        return TupleExplanation(each, reason=_structure_reason(stored, asked.publication))
    triples: list[Triple] = []
    attempts: list[Attempt] = []
    for triple in fitting:
        try:
            if asked.satisfies(triple, stored):
                triples.append(triple)
            else:
                attempts.append(Attempt(triple, _attempt_reason(each, stored, triple, asked)))
        except Exception as error:  # Verification raises it too, unless another triple satisfies the tuple
            attempts.append(Attempt(triple, Reason("limit", str(error))))
    if triples:
        return TupleExplanation(each, tuple(triples))
    # What cannot be told outweighs what fails: then nobody knows.
    reason = next((attempt.reason for attempt in attempts if attempt.reason.kind == "limit"), attempts[0].reason)
    return TupleExplanation(each, (), reason, tuple(attempts))


def _structure_reason(stored: IndexTuple, publication: Publication) -> Reason:
    """The first of predicate, object and subject that no triple has together with those before."""
    left = list(publication.triples)
    said: list[str] = []
    for place, name in ((1, "predicate"), (2, "object"), (0, "subject")):
        wanted = stored.structure[place]
        if wanted is None:
            continue
        said.append(f"the {name} {wanted}")
        fitting = [triple for triple in left if triple[place] == wanted]
        if not fitting:
            others = frozenset(triple[place] for triple in left)
            seen = f"; there it is {some(others)}" if len(said) > 1 else ""
            return Reason("triple", f"no triple has {' and '.join(said)}{seen}")
        left = fitting
    return Reason("triple", "there is no triple at all")


def _attempt_reason(each: QueryTuple, stored: IndexTuple, triple: Triple, asked: Verification) -> Reason:
    """Why a triple with the structure of a tuple does not satisfy it, in the order in which Verification asks."""
    terms = (each.subject, each.predicate, each.object)
    for place, first in enumerate(stored.same):
        if triple[place] != triple[first]:
            return Reason("same", f"{terms[place]} stands in two places, which differ here")
    if each.text is not None:
        object_ = triple[2]
        if not isinstance(object_, Literal):
            return Reason("literal", f"{object_} is no literal, so no word can be found in it")
        if not ft_matches(each.text, asked.text(object_.lexical)):
            return Reason("text", text_reason(each.text, asked.text(object_.lexical)))
    values = {term: value for term, value in zip(terms, triple, strict=True) if isinstance(term, Variable)}
    failing = (condition for condition in each.conditions if not holds(condition, values, asked.context))
    return condition_reason(next(failing), values, asked)


def condition_reason(condition: Expression, values: Mapping[Variable, Term], asked: Verification) -> Reason:
    """What a condition is with these values, which do not satisfy it."""
    mentioned = variables_in(condition)
    about = with_values({name: term for name, term in values.items() if name in mentioned})
    try:
        evaluate_expression(condition, values, asked.context)
    except ExpressionError as error:
        return Reason("condition", f"{one_line(text_of(condition))} is an error{about}: {error}")
    return Reason("condition", f"{one_line(text_of(condition))} is false{about}")


def with_values(values: Mapping[Variable, Term], lead: str = " for ") -> str:
    """` for ?n = 3, ?m = 4`, or nothing."""
    return lead + ", ".join(f"{name} = {term}" for name, term in values.items()) if values else ""


def some(values: Iterable[Term]) -> str:
    """`a or b`, and not all of them where they are many."""
    shown = sorted(map(str, values))
    more = len(shown) - _VALUES
    return " or ".join(shown[:_VALUES]) + (f" or … ({more} more)" if more > 0 else "")


def one_line(text: str) -> str:
    """Canonical text, which has line breaks between tokens only, on one line."""
    return " ".join(line.strip() for line in text.split("\n"))
