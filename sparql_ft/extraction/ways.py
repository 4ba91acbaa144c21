"""Ways for a pattern to have a solution, while its tuples are being collected: what `extraction` computes with.

A list of ways is a disjunction. It is *sound* for a pattern: whenever the pattern has a solution over a publication,
some way in the list has all its tuples satisfied by that solution. It is *exact* where a satisfied way without residual
implies a solution. Every function here preserves soundness; what would cost exactness sets `residual`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, TypeAlias

from sparql_ft.extraction.tuples import Alternative, QueryTuple
from sparql_ft.nodes import Call, Expression, FtContains, Node
from sparql_ft.rewriting import Leaf, parts_of, rewrite
from sparql_ft.terms import IRI, BlankNode, Literal, Variable

__all__ = [
    "MAX_TUPLES",
    "Constant",
    "Way",
    "alternatives",
    "conjunction",
    "conjunction_of_all",
    "fresh_node",
    "fresh_variable",
    "is_too_large",
    "size",
    "with_residual",
]

Constant: TypeAlias = IRI | Literal

# Conjunctions of disjunctions multiply. Beyond this many tuples in all ways together, one factor is indexed and the
# others are left to the residual: 20 UNIONs of two branches have a million combinations, but two branches cover them.
MAX_TUPLES: Final = 256
# A thousand rows of VALUES are a thousand ways whatever we do; but each carries at most this many tuples.
MAX_TUPLES_OF_MANY: Final = 8


@dataclass(frozen=True, slots=True)
class Way:
    """One way. All variables of its tuples are bound in the solution that it speaks of."""

    tuples: tuple[QueryTuple, ...] = ()
    conditions: tuple[Expression, ...] = ()
    graphs: tuple[IRI | Variable, ...] = ()
    residual: bool = False
    certain: frozenset[Variable] = frozenset()  # bound by a tuple or in `bindings`
    maybe: frozenset[Variable] = frozenset()  # in scope, but perhaps unbound, or bound to what no tuple shows
    bindings: Mapping[Variable, Constant] = field(default_factory=dict)  # variables that can have one value only

    @property
    def scope(self) -> frozenset[Variable]:
        """All variables that its solutions may bind."""
        return self.certain | self.maybe | self.graph_variables

    @property
    def graph_variables(self) -> frozenset[Variable]:
        """Variables bound to the name of the publication's graph."""
        return frozenset(name for name in self.graphs if isinstance(name, Variable))

    def bound_to(self, values: Mapping[Variable, Constant]) -> Way | None:
        """This way with variables that can have one value only, or None if they cannot have it.

        Exact for variables that are certain: a solution with that value is one whose tuples hold it.
        """
        if any(self.bindings.get(variable, value) != value for variable, value in values.items()):
            return None
        return replace(self, bindings={**self.bindings, **values}, certain=self.certain | values.keys())


_FRESH: Final = "exists."  # a dot cannot stand in the name of a variable
_numbers = count()  # only told apart while a query is worked on; `alternatives` counts from 0 again


def fresh_node() -> BlankNode:
    """A node inside a path."""
    return BlankNode(f"path.{next(_numbers)}")


def fresh_variable() -> Variable:
    """A variable that is local to an EXISTS."""
    return Variable(f"{_FRESH}{next(_numbers)}")


def conjunction(left: Sequence[Way], right: Sequence[Way]) -> list[Way]:
    """The ways of a join: a solution of it is a solution of both sides, which agree on all variables that both bind.

    Exact unless a variable may be unbound on one side: then it need not agree, and no tuple says whether it does.
    """
    if is_too_large(left, right):
        return with_residual(left if _weakness(left) <= _weakness(right) else right)
    return [way for a in left for b in right if (way := _both(a, b)) is not None]


def conjunction_of_all(parts: Sequence[Sequence[Way]]) -> list[Way]:
    """The ways of a join of any number of patterns; of none, the one of the empty pattern (18.5, Z).

    Halves of halves, because what each step copies is as long as its result.
    """
    match len(parts):
        case 0:
            return [Way()]
        case 1:
            return list(parts[0])
        case count_:
            middle = count_ // 2
            return conjunction(conjunction_of_all(parts[:middle]), conjunction_of_all(parts[middle:]))


def is_too_large(left: Sequence[Way], right: Sequence[Way]) -> bool:
    """Whether their conjunction would have too many tuples."""
    product = size(left) * len(right) + size(right) * len(left)
    if product <= MAX_TUPLES:
        return False
    if len(left) > 1 and len(right) > 1:
        return True
    most = max(len(left), len(right))
    return most > 1 and product > MAX_TUPLES_OF_MANY * most


def with_residual(ways: Iterable[Way]) -> list[Way]:
    """The same tuples, with less said about what they decide."""
    return [way if way.residual else replace(way, residual=True) for way in ways]


def _both(a: Way, b: Way) -> Way | None:
    joined = a.bound_to(b.bindings)
    if joined is None:
        return None
    # A graph's name is the same wherever it is bound, but no tuple shows it.
    unclear = (a.maybe or b.maybe or a.graphs or b.graphs) and (
        a.maybe & b.scope
        or b.maybe & a.scope
        or a.graph_variables & (b.scope - b.graph_variables)
        or b.graph_variables & (a.scope - a.graph_variables)
    )
    return Way(
        (*a.tuples, *b.tuples),
        (*a.conditions, *b.conditions),
        (*a.graphs, *b.graphs),
        a.residual or b.residual or bool(unclear),
        joined.certain | b.certain,
        a.maybe | b.maybe,
        joined.bindings,
    )


def size(ways: Iterable[Way]) -> int:
    """The number of tuples in all of them."""
    return sum(len(way.tuples) for way in ways)


def _weakness(ways: Sequence[Way]) -> tuple[int, int]:
    """How poor an index of these ways would be: first how little the worst of them says, then how many there are."""
    return max(min((_vagueness(each, way) for each in way.tuples), default=2) for way in ways), len(ways)


def _vagueness(each: QueryTuple, way: Way) -> int:
    """0 for what has a text or a term beside its predicate, 1 for a predicate alone, 2 for what names nothing."""
    ends = (each.subject, each.object)
    # Whether a text requires a word is not asked: the tuples of a query are to depend on its form alone (`shapes`).
    if each.text is not None or any(isinstance(end, IRI | Literal) or end in way.bindings for end in ends):
        return 0
    return 1 if each.is_selective or each.predicate in way.bindings else 2


def alternatives(ways: Iterable[Way]) -> tuple[Alternative, ...]:
    """The ways as the index sees them: values put in for variables, tuples that stand twice once.

    Exact: a variable with one value is that value. A way with a tuple that no triple can be is left out, and so is one
    whose graph would have a literal for a name.
    """
    return tuple(dict.fromkeys(_alternative(way) for way in ways if not _is_impossible(way)))


def _is_impossible(way: Way) -> bool:
    def value(term: object) -> object:
        return way.bindings.get(term, term) if isinstance(term, Variable) else term

    return any(
        isinstance(value(each.subject), Literal) or isinstance(value(each.predicate), Literal) for each in way.tuples
    ) or any(isinstance(value(name), Literal) for name in way.graphs)


def _alternative(way: Way) -> Alternative:
    values: dict[Leaf, Leaf] = {variable: value for variable, value in way.bindings.items()}  # noqa: C416  a wider type

    def settle(term: Leaf) -> Leaf:
        if term in values:
            return values[term]
        if isinstance(term, BlankNode):
            values[term] = BlankNode(f"b{len(values)}")
        elif isinstance(term, Variable) and term.name.startswith(_FRESH):
            values[term] = Variable(f"{_FRESH}{len(values)}")
        else:
            return term
        return values[term]

    # A value cannot be put in where the grammar has a variable; that is rare enough for the residual.
    lost = [each for each in way.conditions if _needs_variable(each, way.bindings)]
    tuples = tuple(
        replace(each, conditions=tuple(c for c in each.conditions if not _needs_variable(c, way.bindings)))
        if way.bindings and each.conditions
        else each
        for each in way.tuples
    )
    return Alternative(
        tuple(dict.fromkeys(rewrite(tuples, settle))),
        rewrite(tuple(each for each in way.conditions if each not in lost), settle),
        tuple(dict.fromkeys(rewrite(way.graphs, settle))),
        way.residual or bool(lost) or tuples != way.tuples,
    )


def _needs_variable(condition: Expression, bindings: Mapping[Variable, Constant]) -> bool:
    """Whether the condition mentions a variable with a value in ftcontains or BOUND, which take no value."""
    pending: list[object] = [condition]
    while pending and bindings:
        part = pending.pop()
        if isinstance(part, FtContains) and part.variable in bindings:
            return True
        if isinstance(part, Call) and part.name == "BOUND" and part.arguments[0] in bindings:
            return True
        if isinstance(part, Node | tuple):
            pending.extend(parts_of(part))
    return False
