"""The SPARQL algebra of a query: SPARQL 1.1, section 18.2.2, followed step by step.

Blank nodes and wildcards of the patterns become variables whose names no query can write (`_:b0`, `*0`; those that
sequence paths need are `/0`), so that nothing later has to know of them but the projection, which leaves them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, TypeAlias

from sparql_ft import nodes
from sparql_ft.nodes import Expression, PathInverse, PathSequence
from sparql_ft.terms import IRI, BlankNode, Literal, Term, Variable

__all__ = [
    "BGP",
    "Algebra",
    "End",
    "Extend",
    "Filter",
    "Graph",
    "Join",
    "LeftJoin",
    "Minus",
    "Path",
    "Pattern",
    "Table",
    "Union",
    "translate",
    "translate_group",
]

End: TypeAlias = Term | Variable
Pattern: TypeAlias = tuple[End, End, End]


@dataclass(frozen=True, slots=True)
class BGP:
    """A basic graph pattern. The empty one is Z, whose only solution binds nothing."""

    patterns: tuple[Pattern, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """Path(X, path, Y): a property path that is no triple pattern (18.2.2.4)."""

    subject: End
    path: nodes.Path
    object: End


@dataclass(frozen=True, slots=True)
class Join:
    """Two patterns side by side."""

    left: Algebra
    right: Algebra


@dataclass(frozen=True, slots=True)
class LeftJoin:
    """OPTIONAL; a solution of `right` extends one of `left` if all of `conditions` hold of the two merged."""

    left: Algebra
    right: Algebra
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Filter:
    """The solutions of a group for which all its FILTERs hold."""

    conditions: tuple[Expression, ...]
    pattern: Algebra


@dataclass(frozen=True, slots=True)
class Union:
    """UNION of two patterns or more."""

    parts: tuple[Algebra, ...]


@dataclass(frozen=True, slots=True)
class Minus:
    """MINUS."""

    left: Algebra
    right: Algebra


@dataclass(frozen=True, slots=True)
class Graph:
    """GRAPH."""

    name: Variable | IRI
    pattern: Algebra


@dataclass(frozen=True, slots=True)
class Extend:
    """BIND."""

    pattern: Algebra
    variable: Variable
    expression: Expression


@dataclass(frozen=True, slots=True)
class Table:
    """VALUES; None is UNDEF."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[IRI | Literal | None, ...], ...]


Algebra: TypeAlias = BGP | Path | Join | LeftJoin | Filter | Union | Minus | Graph | Extend | Table

Z: Final = BGP()


def translate(query: nodes.Query) -> Algebra:
    """The algebra of a query's WHERE, with the VALUES clause after it joined on (18.2.4.3)."""
    pattern = translate_group(query.where)
    if query.values is not None:
        pattern = _join(pattern, Table(query.values.variables, query.values.rows))
    return pattern


def translate_group(group: nodes.Group) -> Algebra:
    """The algebra of a group graph pattern, such as that of an EXISTS.

    EXISTS inside an expression stays syntax (18.2.2.2 has it translated as well): its pattern is evaluated with the
    solution at hand put in, so its translation is left to the evaluation, which asks for each one once.
    """
    pattern, conditions = _Translation().group(group)
    return _filter(pattern, conditions)


@dataclass(slots=True)
class _Translation:
    """One run over a query; it numbers the variables that it invents."""

    _numbers: Iterator[int] = field(default_factory=count)

    def group(self, group: nodes.Group) -> tuple[Algebra, tuple[Expression, ...]]:
        """18.2.2.6: (G, FS), the pattern of a group and its filters, which hold for the whole of it (18.2.2.2).

        The two stay apart, because an OPTIONAL makes its group's own filters the condition of the LeftJoin, but not
        those of a group further in: `OPTIONAL { { … FILTER(…) } }` filters before the join. (The simplification of
        Join(Z, A) to A comes after the translation in the specification, 18.2.2.8, and must not blur this.)
        """
        filters: list[Expression] = []
        triples: list[nodes.TriplePattern] = []  # 18.2.2.5: adjacent ones, FILTERs between, form one BGP
        pattern: Algebra = Z
        for element in group.elements:
            match element:
                case nodes.Filter(expression):
                    filters.append(expression)
                    continue
                case nodes.TriplePattern():
                    triples.append(element)
                    continue
            pattern = _join(pattern, self._triples(triples))
            triples = []
            match element:
                case nodes.OptionalGroup(inner):
                    pattern = LeftJoin(pattern, *self.group(inner))
                case nodes.Minus(inner):
                    pattern = Minus(pattern, self._whole(inner))
                case nodes.Bind(expression, variable):
                    pattern = Extend(pattern, variable, expression)
                case nodes.GraphGroup(name, inner):
                    pattern = _join(pattern, Graph(name, self._whole(inner)))
                case nodes.Union(inners):
                    pattern = _join(pattern, Union(tuple(self._whole(inner) for inner in inners)))
                case nodes.InlineData(variables, rows):
                    pattern = _join(pattern, Table(variables, rows))
                case nodes.Group():
                    pattern = _join(pattern, self._whole(element))
        return _join(pattern, self._triples(triples)), tuple(filters)

    def _whole(self, group: nodes.Group) -> Algebra:
        return _filter(*self.group(group))

    def _triples(self, triples: list[nodes.TriplePattern]) -> Algebra:
        """The BGP of neighbouring triple patterns, with their paths joined on after it.

        The order they were written in means nothing, Join being commutative. A blank node may stand in triples and
        paths alike and is one variable in all of them; the syntax keeps its label out of other BGPs.
        """
        patterns: list[Pattern] = []
        paths: list[Path] = []
        for triple in triples:
            subject, object_ = self._end(triple.subject), self._end(triple.object)
            match triple.predicate:
                case Variable() | nodes.Wildcard() as predicate:
                    patterns.append((subject, self._end(predicate), object_))
                case path:
                    self._path(subject, path, object_, patterns, paths)
        algebra: Algebra = BGP(tuple(patterns))
        for joined in paths:
            algebra = _join(algebra, joined)
        return algebra

    def _path(self, subject: End, path: nodes.Path, object_: End, patterns: list[Pattern], paths: list[Path]) -> None:
        """18.2.2.4: links, inverses and sequences become triple patterns; what is none stays a Path."""
        match path:
            case IRI():  # X link(iri) Y -> X iri Y
                patterns.append((subject, path, object_))
            case PathInverse(part):  # X inv(P) Y -> Y P X
                self._path(object_, part, subject, patterns, paths)
            case PathSequence(parts):  # X seq(P, Q) Y -> X P ?V . ?V Q Y
                ends = [subject, *(self._fresh("/") for _ in parts[1:]), object_]
                for start, part, end in zip(ends, parts, ends[1:]):  # noqa: B905 - ends is longer by one
                    self._path(start, part, end, patterns, paths)
            case _:
                paths.append(Path(subject, path, object_))

    def _end(self, term: nodes.PatternTerm) -> End:
        match term:
            case nodes.Wildcard():
                return self._fresh("*")
            case BlankNode():
                return Variable(str(term))
            case _:
                return term

    def _fresh(self, kind: str) -> Variable:
        return Variable(f"{kind}{next(self._numbers)}")


def _join(left: Algebra, right: Algebra) -> Algebra:
    """Join(left, right), with the simplification of 18.2.2.8: Z is the identity of Join."""
    if right == Z:
        return left
    return right if left == Z else Join(left, right)


def _filter(pattern: Algebra, conditions: tuple[Expression, ...]) -> Algebra:
    """18.2.2.7: Filter(FS, G). The conditions are one conjunction, which an error fails as `false` does."""
    return Filter(conditions, pattern) if conditions else pattern
