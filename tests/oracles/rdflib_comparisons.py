"""Where rdflib 7 leaves SPARQL 1.1 in comparisons and logic."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import (
    And,
    Compare,
    Expression,
    Filter,
    In,
    Not,
    Or,
)
from sparql_ft.terms import Literal
from tests.oracles.divergence import Divergence, conditions, mixed_zones, some, some_of
from tests.oracles.pair import Pair, Value, kind_of
from tests.oracles.trees import NUMBERS, STRINGS, kind

__all__ = ["DIVERGENCES"]

_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_EXACT: Final = frozenset({"integer", "decimal"})
_NO_LITERALS: Final = frozenset({"IRI", "blank"})


def _orders(node: object, pair: Pair) -> bool:
    """A comparison of literals that need not have an order."""
    match node:
        case Compare(sign, left, right) if sign in _ORDER:
            return any(_differ_in_order(kind_of(one), kind_of(other)) for one, other in pair.operands(left, right))
        case _:
            return False


def _differ_in_order(one: str, other: str) -> bool:
    both = {one, other}
    return not (both & _NO_LITERALS or both <= _EXACT or both in ({"string"}, {"boolean"}))


def _differ_as_unknown(one: Value, other: Value) -> bool:
    """Literals of which one has no value, and that are not the same term."""
    both = {kind_of(one), kind_of(other)}
    return "unknown" in both and not both & _NO_LITERALS and (one != other or isinstance(one, str))


def _equates(node: object, pair: Pair) -> bool:
    """A comparison with a literal whose value is unknown."""
    match node:
        case Compare("=" | "!=", left, right):
            return any(_differ_as_unknown(*both) for both in pair.operands(left, right))
        case In(operand, options, _):
            return any(_differ_as_unknown(*both) for option in options for both in pair.operands(operand, option))
        case _:
            return False


def _finds(node: object, pair: Pair) -> bool:
    """A list with a literal that has, or may have, the same value in another form."""
    match node:
        case In(operand, options, _):
            return any(_same_value(*both) for option in options for both in pair.operands(operand, option))
        case _:
            return False


def _same_value(one: Value, other: Value) -> bool:
    if isinstance(one, Literal) and isinstance(other, Literal):
        if kind(one) in NUMBERS and kind(other) in NUMBERS:
            return (one == other) != (float(one.lexical) == float(other.lexical))  # of NaN neither
        return one != other and value_of(one) is not None and value_of(one) == value_of(other)
    return (isinstance(one, str) or isinstance(other, str)) and not {kind_of(one), kind_of(other)} & _NO_LITERALS


def _strict_and(pair: Pair) -> bool:
    """`&&` where it matters whether it is false or an error: not in a FILTER, or there below something else."""
    filters = (node for node in pair.tree.nodes if isinstance(node, Filter))
    harmless = {id(part) for node in filters for part in _connected(node.expression)}
    return any(isinstance(node, And) and id(node) not in harmless for node in pair.tree.nodes)


def _connected(expression: Expression) -> Iterator[Expression]:
    yield expression
    if isinstance(expression, And | Or):
        for operand in expression.operands:
            yield from _connected(operand)


DIVERGENCES: Final = [
    Divergence(
        "rdflib",
        "makes `&&` an error if an operand is one, also where another is false",
        "17.2: the table of the logical connectives has `error && false` as false",
        "!(1/0 && false)",
        "true",
        concerns=_strict_and,
    ),
    Divergence(
        "rdflib",
        "orders literals of all types, and those with language tags",
        "17.3, Operator Mapping: `<` is for numbers, strings, booleans and dateTimes of like type",
        '1 < "a"',
        "error",
        concerns=some_of(_orders),
    ),
    Divergence(
        "rdflib",
        "takes a literal of an unknown datatype for different from those of other types",
        "17.4.1.7, RDFterm-equal: a type error if both are literals but not the same term",
        '"a" = "b"^^:datatype',
        "error",
        concerns=some_of(_equates),
    ),
    Divergence(
        "rdflib",
        "looks for the same term in the list of IN, not for the same value",
        "17.4.1.9: IN is `=` with one of the list",
        "1 IN (1.0)",
        "true",
        concerns=some_of(_finds),
    ),
    Divergence(
        "rdflib",
        "has effective boolean values for dates, and true for NaN",
        "17.2.2: NaN is false, and all other types are a type error",
        '!"NaN"^^xsd:double',
        "true",
        concerns=some_of(
            lambda node, pair: any(
                not pair.kinds(part) <= {*STRINGS, *_EXACT, "boolean", "IRI"} for part in conditions(node)
            )
        ),
    ),
    Divergence(
        "rdflib",
        "fails with `!` before a negative number",
        "19.8, productions [118] UnaryExpression and [130] RDFLiteral",
        "!-2.5",
        "false",
        concerns=some(lambda node: isinstance(node, Not) and isinstance(node.operand, Literal)),
    ),
    Divergence(
        "rdflib",
        "compares moments with and without time zone as if all were in UTC",
        "17.3, op:dateTime-less-than on the partial order of XSD part 2, 3.2.7.4",
        '"2024-01-01T00:00:00"^^xsd:dateTime = "2024-01-01T00:00:00Z"^^xsd:dateTime',
        "error",
        concerns=mixed_zones,
    ),
]
