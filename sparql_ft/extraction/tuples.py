"""The index form of a query: what a publication must hold for the query to match (Definition 1 of the RTF paper).

A query becomes alternatives, of which one must hold; an alternative is a conjunction of tuples (S, P, O, {F}).
Variables that occur twice must have one value: the tuples of an alternative hold together iff there is one assignment
of triples to them that agrees on all variables and satisfies the conditions. If that decides the query, the alternative
has no residual; otherwise whoever finds it satisfied still has to evaluate the query (`sparql_ft.evaluate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from sparql_ft.extraction.cover import cover
from sparql_ft.nodes import Compare, Expression, FtExpression, Node, PatternTerm, Wildcard
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = ["Alternative", "JoinVariable", "QueryTuple", "QueryTuples"]

JoinVariable: TypeAlias = Variable | BlankNode  # in tuples, a blank node is a variable that conditions cannot name

_VARIABLES: Final = (Variable, BlankNode)
_TURNED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class QueryTuple(Node):
    """What one triple must be: t(S, P, O, {F}), and conditions on it.

    `text` must hold of the lexical form of the object, which must be a literal. `conditions` are filter expressions
    whose variables all stand in this tuple.
    """

    subject: PatternTerm
    predicate: IRI | Variable | Wildcard
    object: PatternTerm
    text: FtExpression | None = None
    conditions: tuple[Expression, ...] = ()

    def variables(self) -> list[JoinVariable]:
        """Its variables, each as often as it occurs."""
        return [term for term in (self.subject, self.predicate, self.object) if isinstance(term, _VARIABLES)]

    @property
    def comparisons(self) -> tuple[Compare, ...]:
        """The conditions of the form `object < constant`, however they were written, which an index can answer."""
        found = []
        for condition in self.conditions:
            match condition:
                case Compare(_, Variable() as variable, IRI() | Literal()) if variable == self.object:
                    found.append(condition)
                case Compare(operator, IRI() | Literal() as constant, Variable() as variable) if (
                    variable == self.object
                ):
                    found.append(Compare(_TURNED.get(operator, operator), variable, constant))
        return tuple(found)

    @property
    def requires_word(self) -> bool:
        """Whether its text must have some word: `ftNOT "rio"` needs none."""
        return self.text is not None and () not in cover(self.text).sets

    @property
    def is_selective(self) -> bool:
        """Whether it names anything to look it up by: a term, a class, a predicate or a word. `?s ?p ?o` does not."""
        named = any(isinstance(term, IRI | Literal) for term in (self.subject, self.predicate, self.object))
        return named or self.requires_word

    def __str__(self) -> str:
        from sparql_ft.syntax.printer import text_of

        parts = [text_of(self.subject), text_of(self.predicate), text_of(self.object)]
        if self.text is not None:
            parts.append(f"ftcontains({text_of(self.text)})")
        parts.extend(text_of(condition) for condition in self.conditions)
        return f"({', '.join(parts)})"


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to match. Without tuples it looks at every publication, also at an empty one."""

    tuples: tuple[QueryTuple, ...]
    conditions: tuple[Expression, ...] = ()  # filters over the variables of several tuples, or of none
    graphs: tuple[IRI | Variable, ...] = ()  # the publication has a named graph; if IRIs are here, it is called so
    residual: bool = False  # holding together is necessary, but not enough

    @property
    def joins(self) -> tuple[JoinVariable, ...]:
        """The variables that must have one value in several places."""
        counts: dict[JoinVariable, int] = {}
        for each in self.tuples:
            for variable in each.variables():
                counts[variable] = counts.get(variable, 0) + 1
        return tuple([variable for variable, count in counts.items() if count > 1])

    @property
    def is_star(self) -> bool:
        """Whether its tuples share at most the subject, so that each can be decided by itself, subject by subject."""
        return self.is_star_on(self.joins)

    def is_star_on(self, joins: tuple[JoinVariable, ...]) -> bool:
        """The same for somebody who knows the joins."""
        if self.conditions or len(joins) > 1:
            return False
        return not joins or all(
            each.subject == joins[0] and joins[0] not in (each.predicate, each.object) for each in self.tuples
        )


@dataclass(frozen=True, slots=True)
class QueryTuples:
    """The index form of a whole query. Sound: a publication that the query matches satisfies some alternative."""

    alternatives: tuple[Alternative, ...]

    @property
    def residual(self) -> bool:
        """Whether some alternative needs the query evaluated."""
        return any(alternative.residual for alternative in self.alternatives)

    @property
    def looks_at_everything(self) -> bool:
        """Whether some alternative names no term, predicate or word, so that every publication is a candidate."""
        return any(not any(each.is_selective for each in one.tuples) for one in self.alternatives)
