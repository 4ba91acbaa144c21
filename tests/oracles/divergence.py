"""A known divergence of an oracle from SPARQL 1.1: the record, and what the conditions of the lists are made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from sparql_ft import parse
from sparql_ft.expressions.temporal_values import Moment
from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import And, Bind, Call, Exists, Expression, Filter, Not, Or, Query
from sparql_ft.publication import Publication
from sparql_ft.terms import IRI, XSD, XSD_BOOLEAN, XSD_STRING, Literal, Term
from tests.oracles.engines import Multiset, projected
from tests.oracles.pair import Pair
from tests.oracles.trees import nodes
from tests.sparql_ft.small import publication

__all__ = ["PREFIXES", "Concern", "Divergence", "conditions", "mixed_zones", "rebinds", "some", "some_of"]

Concern: TypeAlias = Callable[[Pair], bool]
PREFIXES = "PREFIX : <urn:x:>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"


@dataclass(frozen=True)
class Divergence:
    """What an oracle does, which clause says otherwise, and which queries are affected."""

    oracle: str
    does: str
    clause: str
    query: str  # a pattern `{ … }`, or an expression
    answer: str  # the specification's: a value, "error", "nothing", or solutions such as `o=:b s=:a`
    data: str = ""
    graph: str | None = None
    concerns: Concern = lambda _: True
    counts: bool = False  # only the number of equal solutions differs

    def example(self) -> tuple[Query, Publication]:
        """The query and the publication that show it."""
        text = self.query if self.query.startswith("{") else f"{{ BIND({self.query} AS ?v) }}"
        return projected(parse(f"{PREFIXES}SELECT * {text}")), publication(self.data, self.graph)

    def shown(self, found: Multiset) -> str:
        """Solutions in the notation of `answer`."""
        if self.query.startswith("{"):
            rows = (" ".join(f"{name}={_short(term)}" for name, term in sorted(row)) for row in found.elements())
            return ", ".join(sorted(rows)) or "nothing"
        (row,) = found.elements()
        return " ".join(_short(term) for _, term in row) or "error"


def _short(term: Term) -> str:
    match term:
        case Literal(lexical, datatype) if datatype == XSD_BOOLEAN:
            return lexical
        case Literal(lexical, datatype, None) if datatype != XSD_STRING:
            return f"{lexical} ({datatype.replace(XSD, 'xsd:')})"
        case IRI(iri):
            return iri.replace("urn:x:", ":")
        case _:
            return str(term)


def some(condition: Callable[[object], bool]) -> Concern:
    """Queries that have a node of which the condition holds."""
    return lambda pair: pair.tree.has(condition)


def some_of(condition: Callable[[object, Pair], bool]) -> Concern:
    """The same where the condition asks what variables can stand for."""
    return lambda pair: any(condition(node, pair) for node in pair.tree.larger)


def conditions(node: object) -> tuple[Expression, ...]:
    """The parts of a node whose effective boolean value is asked for."""
    match node:
        case Filter(expression) | Not(expression) | Call("IF", (expression, _, _)):
            return (expression,)
        case And(operands) | Or(operands):
            return operands
        case _:
            return ()


def mixed_zones(pair: Pair) -> bool:
    """Whether there are moments with a time zone, and others without."""
    moments = [value_of(literal) for literal in pair.literals()]
    zones = {moment.offset is None for moment in moments if isinstance(moment, Moment)}
    return len(zones) > 1


def rebinds(pair: Pair) -> bool:
    """Whether there is a BIND within EXISTS whose variable is mentioned elsewhere, too."""
    return any(
        isinstance(node, Exists)
        and any(
            isinstance(part, Bind)
            and pair.tree.nodes.count(part.variable) > sum(each == part.variable for each in nodes(node))
            for part in nodes(node.group)
        )
        for node in pair.tree.nodes
    )
