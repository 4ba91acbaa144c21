"""What an expression may depend on besides the solution it is evaluated for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sparql_ft.expressions.xpath_regex import DEFAULT_TIMEOUT
from sparql_ft.nodes import FtExpression, Group
from sparql_ft.terms import Literal, Term, Variable

__all__ = ["Context"]


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of an evaluation, the same for a whole query."""

    now: Literal  # NOW() is the same throughout a query (section 17.4.5.1)
    exists: Callable[[Group, Mapping[Variable, Term]], bool]
    ftcontains: Callable[[str, FtExpression], bool]  # gets the lexical form
    base: str | None = None  # for IRI(); None is the default base
    regex_timeout: float = DEFAULT_TIMEOUT  # seconds for one call of REGEX or REPLACE
