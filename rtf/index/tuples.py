"""Tuples as they are stored: without the names of variables, so that what many queries have in common is there once.

A query's alternative becomes the tuples it needs, and how their variables join. Nothing is lost but names: the stored
form of an alternative holds of a publication iff the alternative does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
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
    """An alternative as it is stored."""
    shared = dict.fromkeys(alternative.joins)
    for condition in alternative.conditions:
        shared.update(dict.fromkeys(sorted(variables_in(condition), key=str)))
    numbers = dict(zip(_in_order(alternative, shared), count(), strict=False))

    def number(term: Leaf) -> Leaf:
        return Variable(str(numbers[term])) if isinstance(term, Variable) and term in numbers else term

    return IndexAlternative(
        tuple(_index_tuple(each) for each in alternative.tuples),
        tuple(_ends(each, numbers) for each in alternative.tuples),
        rewrite(alternative.conditions, number),
        tuple(name for name in alternative.graphs if isinstance(name, IRI)),
        bool(alternative.graphs),
        alternative.residual,
        alternative.is_star,
    )


def _in_order(alternative: Alternative, shared: dict[JoinVariable, None]) -> Iterator[JoinVariable]:
    """The shared variables as they first occur in the tuples, so that renaming a query changes nothing."""
    seen = dict.fromkeys(variable for each in alternative.tuples for variable in each.variables())
    return (variable for variable in seen if variable in shared)


def _ends(each: QueryTuple, numbers: dict[JoinVariable, int]) -> Ends:
    def number(term: object) -> int | None:
        return numbers.get(term) if isinstance(term, Variable | BlankNode) else None

    return number(each.subject), number(each.predicate), number(each.object)


def _index_tuple(each: QueryTuple) -> IndexTuple:
    terms = (each.subject, each.predicate, each.object)
    variables = [term if isinstance(term, Variable | BlankNode) else place for place, term in enumerate(terms)]
    same = tuple(variables.index(variable) for variable in variables)
    names: dict[Leaf, Leaf] = {
        term: PLACES[same[place]] for place, term in enumerate(terms) if isinstance(term, Variable)
    }
    subject, predicate, object_ = (term if isinstance(term, IRI | Literal) else None for term in terms)
    assert not isinstance(subject, Literal), "extraction leaves out tuples that no triple can be"
    assert not isinstance(predicate, Literal), "extraction leaves out tuples that no triple can be"
    return IndexTuple(
        (subject, predicate, object_),
        (same[0], same[1], same[2]),
        each.text,
        rewrite(each.conditions, lambda term: names.get(term, term)),
    )
