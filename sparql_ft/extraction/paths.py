"""Triple patterns and property paths -> ways.

The nodes inside a path are blank nodes in the tuples: variables that nothing else mentions.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from sparql_ft.extraction.tuples import QueryTuple
from sparql_ft.extraction.ways import Way, conjunction, conjunction_of_all, fresh_node, size, with_residual
from sparql_ft.nodes import (
    WILDCARD,
    Path,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
    PatternTerm,
    TriplePattern,
    Wildcard,
)
from sparql_ft.terms import IRI, Variable

__all__ = ["triple_ways"]

_MAX_STEPS: Final = 16


def triple_ways(triple: TriplePattern) -> list[Way]:
    """The ways for a triple pattern to have a solution.

    Sound and exact for a plain pattern: its solution is a triple of the publication (18.3.1).
    """
    predicate = triple.predicate
    if isinstance(predicate, IRI | Variable | Wildcard):
        return _tuple(triple.subject, predicate, triple.object)
    return _path(triple.subject, predicate, triple.object)


def _tuple(subject: PatternTerm, predicate: IRI | Variable | Wildcard, object_: PatternTerm) -> list[Way]:
    each = QueryTuple(subject, predicate, object_)
    return [Way((each,), certain=frozenset(v for v in each.variables() if isinstance(v, Variable)))]


def _path(start: PatternTerm, path: Path, end: PatternTerm) -> list[Way]:
    match path:
        case IRI():
            return _tuple(start, path, end)
        case PathInverse(part):  # exact: the same edges, seen from the other end (18.4, inv)
            return _path(end, part, start)
        case PathSequence(parts):  # exact: a solution passes through some node between the parts (18.4, seq)
            stops = [start, *(fresh_node() for _ in parts[1:]), end]
            steps = [_path(a, part, b) for part, (a, b) in zip(parts, pairwise(stops), strict=True)]
            return conjunction_of_all(steps)
        case PathAlternative(parts):  # exact: a solution is one of a part (18.4, alt)
            return [way for part in parts for way in _path(start, part, end)]
        case PathNegated(forward, inverse):
            # Sound: there is an edge between the ends, this way or that way round; which edge, the residual says.
            ways = _tuple(start, WILDCARD, end) if forward or not inverse else []
            if inverse:
                ways = [*ways, *_tuple(end, WILDCARD, start)]
            return with_residual(ways)
        case PathRepeat(part, "+"):
            # Sound: the first step leaves the start, the last one reaches the end, and both are steps of the part.
            first = _path(start, part, fresh_node())
            # One is enough where they are long: `(((p+)+)+)+` would double with every level.
            last = _path(fresh_node(), part, end) if size(first) <= _MAX_STEPS else _unseen(end)
            return with_residual(conjunction(first, last))
        case PathRepeat():
            # `*` and `?` also hold where start and end are one node, so that no edge is required.
            return _unseen(start, end)


def _unseen(*ends: PatternTerm) -> list[Way]:
    """Ends that no tuple shows."""
    return [Way(residual=True, maybe=frozenset(end for end in ends if isinstance(end, Variable)))]
