"""What an expression may depend on besides the solution it is evaluated for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from sparql_ft.nodes import FtExpression, Group
from sparql_ft.terms import BlankNode, Literal, Term, Variable
from sparql_ft.xpath_regex import DEFAULT_TIMEOUT

__all__ = ["Context"]


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of an evaluation. One for a whole query, except for `bnodes`."""

    now: Literal  # NOW() is the same throughout a query (section 17.4.5.1)
    exists: Callable[[Group, Mapping[Variable, Term]], bool]
    ftcontains: Callable[[str, FtExpression], bool]  # gets the lexical form
    base: str | None = None  # for IRI(); None is the default base
    regex_timeout: float = DEFAULT_TIMEOUT  # seconds for one call of REGEX or REPLACE
    bnodes: dict[str, BlankNode] = field(default_factory=dict)  # what BNODE("x") gave in this solution

    def for_solution(self) -> Context:
        """The same context for another solution: BNODE("x") gives another node there (section 17.4.2.9)."""
        return replace(self, bnodes={})
