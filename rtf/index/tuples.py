"""Tuples as they are stored: without the names of variables, so that what many queries have in common is there once.

A query's alternative becomes the tuples it needs, and how their variables join. Nothing is lost but names: the stored
form of an alternative holds of a publication iff the alternative does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeAlias

from sparql_ft import Alternative, QueryTuple
from sparql_ft.extraction.cover import Cover, cover
from sparql_ft.extraction.tuples import JoinVariable
from sparql_ft.nodes import Expression, FtExpression
from sparql_ft.rewriting import Leaf, rewrite, variables_in
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = ["PLACES", "Ends", "IndexAlternative", "IndexTuple", "Structure", "index_alternative"]

Structure: TypeAlias = tuple[IRI | None, IRI | None, IRI | Literal | None]
Ends: TypeAlias = tuple[int | None, int | None, int | None]

PLACES: Final = (Variable("s"), Variable("p"), Variable("o"))
"""What the conditions of a tuple call its subject, predicate and object."""


@dataclass(frozen=True, slots=True)
class IndexTuple:
    """What one triple must be. None in `structure` is anything."""

    structure: Structure
    same: tuple[int, int, int] = (0, 1, 2)  # for each place the first that must hold the same term
    text: FtExpression | None = None
    conditions: tuple[Expression, ...] = ()  # over PLACES
    words: Cover | None = field(init=False, compare=False, repr=False)  # that its text must have

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", None if self.text is None else cover(self.text))

    @property
    def is_decided_by_words(self) -> bool:
        """Whether a triple with its structure and its words satisfies it."""
        return self.same == (0, 1, 2) and not self.conditions and (self.words is None or self.words.exact)


@dataclass(frozen=True, slots=True)
class IndexAlternative:
    """One way to match: tuples, and numbers for the variables that they share.

    `ends[i]` are the variables at the places of tuple i; None is one that nothing else mentions.
    """

    tuples: tuple[IndexTuple, ...]
    ends: tuple[Ends, ...]
    conditions: tuple[Expression, ...]  # their variables are called by their numbers
    graphs: tuple[IRI, ...]  # what the publication's graph must be called
    in_graph: bool  # whether it must have one
    residual: bool
    is_star: bool  # decided by its tuples, subject by subject


def index_alternative(alternative: Alternative) -> IndexAlternative:
    """An alternative as it is stored. Shared variables are numbered as they first occur: renaming changes nothing."""
    joins = alternative.joins
    shared: set[JoinVariable] = set(joins)
    for condition in alternative.conditions:
        shared.update(variables_in(condition))
    numbers: dict[JoinVariable, int] = {}
    if shared:
        for each in alternative.tuples:
            for variable in each.variables():
                if variable in shared:
                    numbers.setdefault(variable, len(numbers))

    def number(term: Leaf) -> Leaf:
        return Variable(str(numbers[term])) if isinstance(term, Variable) and term in numbers else term

    return IndexAlternative(
        tuple([_index_tuple(each) for each in alternative.tuples]),
        tuple([_ends(each, numbers) for each in alternative.tuples]),
        rewrite(alternative.conditions, number) if alternative.conditions else (),
        tuple([name for name in alternative.graphs if isinstance(name, IRI)]) if alternative.graphs else (),
        bool(alternative.graphs),
        alternative.residual,
        alternative.is_star_on(joins),
    )


def _ends(each: QueryTuple, numbers: dict[JoinVariable, int]) -> Ends:
    subject, predicate, object_ = each.subject, each.predicate, each.object
    return (
        numbers.get(subject) if isinstance(subject, _VARIABLES) else None,
        numbers.get(predicate) if isinstance(predicate, _VARIABLES) else None,
        numbers.get(object_) if isinstance(object_, _VARIABLES) else None,
    )


def _index_tuple(each: QueryTuple) -> IndexTuple:
    terms = (each.subject, each.predicate, each.object)
    subject, predicate, object_ = (term if isinstance(term, _CONSTANTS) else None for term in terms)
    assert not isinstance(subject, Literal), "extraction leaves out tuples that no triple can be"
    assert not isinstance(predicate, Literal), "extraction leaves out tuples that no triple can be"
    same = (0, 1, 2)
    if (subject is None) + (predicate is None) + (object_ is None) > 1:
        variables = [term if isinstance(term, _VARIABLES) else place for place, term in enumerate(terms)]
        same = (0, variables.index(variables[1]), variables.index(variables[2]))
    conditions: tuple[Expression, ...] = ()
    if each.conditions:
        names: dict[Leaf, Leaf] = {
            term: PLACES[same[place]] for place, term in enumerate(terms) if isinstance(term, Variable)
        }
        conditions = rewrite(each.conditions, lambda term: names.get(term, term))
    return IndexTuple((subject, predicate, object_), same, each.text, conditions)


_VARIABLES: Final = (Variable, BlankNode)
_CONSTANTS: Final = (IRI, Literal)
