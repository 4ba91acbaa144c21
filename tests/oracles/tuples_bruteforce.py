"""Whether an alternative of tuples holds of a publication, by trying every triple for every tuple."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from sparql_ft.expressions.evaluation import Context, holds
from sparql_ft.extraction.tuples import Alternative, QueryTuple
from sparql_ft.nodes import Expression, Wildcard
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Triple, Variable
from tests.oracles.fulltext_bruteforce import satisfies

Assignment: TypeAlias = Mapping[Variable | BlankNode, Term]


def is_satisfied(alternative: Alternative, publication: Publication, context: Context) -> bool:
    """Whether triples can be chosen that agree on all variables and satisfy all conditions."""
    if alternative.graphs and publication.graph is None:
        return False
    if any(isinstance(name, IRI) and name != publication.graph for name in alternative.graphs):
        return False
    return any(
        all(_is_true(condition, assignment, context) for condition in alternative.conditions)
        for assignment in _assignments(alternative.tuples, publication.triples, {}, context)
    )


def _assignments(
    tuples: tuple[QueryTuple, ...], triples: tuple[Triple, ...], assignment: Assignment, context: Context
) -> Iterator[Assignment]:
    if not tuples:
        yield assignment
        return
    for triple in triples:
        longer = _matched(tuples[0], triple, assignment, context)
        if longer is not None:
            yield from _assignments(tuples[1:], triples, longer, context)


def _matched(each: QueryTuple, triple: Triple, assignment: Assignment, context: Context) -> Assignment | None:
    longer = dict(assignment)
    for wanted, term in zip((each.subject, each.predicate, each.object), triple, strict=True):
        if isinstance(wanted, Variable | BlankNode):
            if longer.setdefault(wanted, term) != term:
                return None
        elif not isinstance(wanted, Wildcard) and wanted != term:
            return None
    if each.text is not None and not (isinstance(triple[2], Literal) and satisfies(triple[2].lexical, each.text)):
        return None
    return longer if all(_is_true(condition, longer, context) for condition in each.conditions) else None


def _is_true(condition: Expression, assignment: Assignment, context: Context) -> bool:
    return holds(condition, {v: term for v, term in assignment.items() if isinstance(v, Variable)}, context)
