"""Property paths on the triples of one publication: SPARQL 1.1, section 18.4.

The definitions there tell an end that is a term from one that is a variable: `:a :p* ?y` has the solution ?y = :a even
if :a is in no triple, whereas `?x :p* ?y` starts at the nodes of the graph only. A variable stays one in this sense
when a value for it is known from the rest of the pattern, because a pattern is evaluated by itself and then joined.
Hence the three kinds of `Side`.

How often a pair is a solution is part of the meaning (9.3): alternatives, sequences and negated property sets count
every way in which they hold, `?`, `*` and `+` count a pair once.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

from sparql_ft.evaluation.budget import Budget
from sparql_ft.evaluation.triple_index import TripleIndex
from sparql_ft.nodes import (
    Path,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
)
from sparql_ft.terms import IRI, Term

__all__ = ["FREE", "PathEvaluation", "Side"]

Pairs: TypeAlias = Iterator[tuple[Term, Term]]


@dataclass(frozen=True, slots=True)
class Side:
    """An end of a path: a term of the query (`constant`), a variable of which only one value is of interest, or any."""

    term: Term | None = None
    constant: bool = False


FREE: Final = Side()


class PathEvaluation:
    """Evaluates paths on one set of triples, and remembers what is reached from where."""

    __slots__ = ("_budget", "_index", "_reached")

    def __init__(self, index: TripleIndex, budget: Budget) -> None:
        self._index = index
        self._budget = budget
        self._reached: dict[tuple[int, Term, bool], tuple[PathRepeat, Collection[Term]]] = {}

    def pairs(self, path: Path, x: Side, y: Side) -> Pairs:
        """eval(Path(X, path, Y)) as pairs of terms for X and Y; of a known variable, those that have its value."""
        match path:
            case IRI():  # "Evaluation of Predicate Property Path"
                for subject, _, object_ in self._index.find(x.term, path, y.term):
                    self._budget.spend()
                    yield subject, object_
            case PathInverse(part):  # eval(Path(X, inv(P), Y)) = eval(Path(Y, P, X))
                for o, s in self.pairs(part, y, x):
                    yield s, o
            case PathAlternative(parts):  # Union(eval(Path(X, P, Y)), eval(Path(X, Q, Y)))
                for part in parts:
                    yield from self.pairs(part, x, y)
            case PathSequence(parts):
                yield from self._sequence(parts, x, y)
            case PathNegated(forward, inverse):
                # 18.2.2.3: !(p|^q) is alt(NPS({p}), inv(NPS({q}))); of the two sets only those that were written,
                # and !() is NPS({}).
                if forward or not inverse:
                    yield from self._negated(forward, x, y)
                if inverse:
                    for o, s in self._negated(inverse, y, x):
                        yield s, o
            case PathRepeat():
                yield from self._repeat(path, x, y)

    def _negated(self, excluded: tuple[IRI, ...], x: Side, y: Side) -> Pairs:
        """NegatedPropertySet: the triples with another predicate.

        The definition, { μ | ∃ triple(μ(X), p, μ(Y)) in G … p ∉ S }, leaves the multiplicity open. Every triple counts
        here, as 9.3 lets only `?`, `*` and `+` drop duplicates, and as the oracles have it.
        """
        for s, p, o in self._index.find(x.term, None, y.term):
            self._budget.spend()
            if p not in excluded:
                yield s, o

    def _sequence(self, parts: tuple[Path, ...], x: Side, y: Side) -> Pairs:
        """Join(eval(Path(X, P, ?V)), eval(Path(?V, Q, Y))) without ?V, from the end that is known."""
        if len(parts) == 1:
            yield from self.pairs(parts[0], x, y)
        elif x.term is not None or y.term is None:
            for s, middle in self.pairs(parts[0], x, FREE):
                for _, o in self._sequence(parts[1:], Side(middle), y):
                    yield s, o
        else:
            for middle, o in self.pairs(parts[-1], FREE, y):
                for s, _ in self._sequence(parts[:-1], x, Side(middle)):
                    yield s, o

    def _repeat(self, path: PathRepeat, x: Side, y: Side) -> Pairs:
        """ZeroOrOnePath, ZeroOrMorePath and OneOrMorePath: distinct pairs."""
        forward = x.constant or (not y.constant and (x.term is not None or y.term is None))
        known = x if forward else y  # backward is eval(Path(Y, ZeroOrMorePath(inv(P)), X)), and alike for the others
        starts: Iterable[Term]
        if known.term is None:  # two variables: from every node of the graph …
            starts = self._index.nodes
        elif known.constant or known.term in self._index.nodes:  # … or from the one node that is of interest
            starts = (known.term,)
        else:
            starts = ()
        for start in starts:
            ends = self._ends(path, start, forward)
            wanted = (y if forward else x).term
            for end in ends if wanted is None else (wanted,):
                self._budget.spend()
                if end in ends:
                    yield (start, end) if forward else (end, start)

    def _ends(self, path: PathRepeat, start: Term, forward: bool) -> Collection[Term]:
        """What `path` reaches from the term `start`, forward or backward, each once."""
        key = (id(path), start, forward)
        if key not in self._reached:  # the path goes with the result, so that its id stays its own
            self._reached[key] = (path, self._reach(path, start, forward))
        return self._reached[key][1]

    def _reach(self, path: PathRepeat, start: Term, forward: bool) -> dict[Term, None]:
        if path.operator == "?":  # the start itself, or one step
            return dict.fromkeys((start, *self._step(path.part, start, forward)))
        # ALP, with a list of nodes to visit in place of its recursion: `*` visits the start, `+` what one step reaches.
        visited: dict[Term, None] = {}
        pending = [start] if path.operator == "*" else list(self._step(path.part, start, forward))
        while pending:
            node = pending.pop()
            if node not in visited:
                self._budget.spend()
                visited[node] = None
                pending.extend(self._step(path.part, node, forward))
        return visited

    def _step(self, path: Path, start: Term, forward: bool) -> Iterator[Term]:
        if forward:
            return (o for _, o in self.pairs(path, Side(start, constant=True), FREE))
        return (s for s, _ in self.pairs(path, FREE, Side(start, constant=True)))
