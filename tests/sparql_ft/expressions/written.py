"""Expressions and their values as they are written, for tables that are read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from sparql_ft.expressions.evaluation import Context, ExpressionError, evaluate_expression
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.nodes import Bind, Expression, Group
from sparql_ft.syntax.parser import parse
from sparql_ft.terms import XSD, XSD_BOOLEAN, XSD_INTEGER, Literal, Term, Variable
from tests.oracles.fulltext_bruteforce import satisfies

PREFIXES = "PREFIX : <urn:x:>\nPREFIX xsd: <http://www.w3.org/2001/XMLSchema#>\n"


def expression_of(text: str) -> Expression:
    """The tree of an expression."""
    # ftcontains wants a variable that can be a literal.
    literals = "".join(f"?s ?p ?{name} . " for name in sorted(set(re.findall(r"ftcontains\(\?(\w+)", text))))
    element = parse(f"{PREFIXES}SELECT * {{ {literals} BIND({text} AS ?result) }}").where.elements[-1]
    assert isinstance(element, Bind)
    return element.expression


def _no_exists(group: Group, _: object) -> bool:
    raise AssertionError(f"no graph to look for {group} in")


CONTEXT = Context(now=datetime_literal(datetime(2026, 1, 1, tzinfo=UTC)), exists=_no_exists, ftcontains=satisfies)


def value(text: str, context: Context = CONTEXT, **bound: str) -> str:
    """What an expression comes to: `7`, `true`, `"a"`, `"a"@en`, `1.5 (decimal)`, `:a`, or `error`."""
    solution: Mapping[Variable, Term] = {
        Variable(name): evaluate_expression(expression_of(term), {}, context) for name, term in bound.items()
    }
    try:
        return shown(evaluate_expression(expression_of(text), solution, context))
    except ExpressionError:
        return "error"


def shown(term: Term) -> str:
    """A term in the notation of `value`."""
    if isinstance(term, Literal) and term.datatype in (XSD_BOOLEAN, XSD_INTEGER):
        return term.lexical
    if isinstance(term, Literal) and term.datatype.startswith(XSD) and term.datatype != XSD + "string":
        return f"{term.lexical} ({term.datatype.removeprefix(XSD)})"
    return str(term).replace("<urn:x:", ":").rstrip(">") if str(term).startswith("<urn:x:") else str(term)
