"""What can be said of a query without evaluating it: its nodes, and what kinds of terms an expression can be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Final, TypeAlias

from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import (
    Arithmetic,
    Call,
    Element,
    Exists,
    Expression,
    FunctionCall,
    GraphGroup,
    Group,
    InlineData,
    Node,
    Path,
    PathAlternative,
    PathInverse,
    PathRepeat,
    PathSequence,
    Sign,
    TriplePattern,
    Union,
)
from sparql_ft.terms import IRI, XSD, BlankNode, Literal, Term, Variable

__all__ = [
    "ANYTHING",
    "INEXACT",
    "NUMBERS",
    "STRINGS",
    "UNKNOWN",
    "is_nullable",
    "kind",
    "kinds",
    "nodes",
    "surely_bound",
    "variables",
    "within_exists",
]

STRINGS: Final = frozenset({"string", "tagged"})  # "tagged" has a language
INEXACT: Final = frozenset({"float", "double"})
NUMBERS: Final = frozenset({"integer", "decimal", *INEXACT})
UNKNOWN: Final = frozenset({"unknown"})  # a literal without a value: ill-typed, or of an unknown datatype
ANYTHING: Final = frozenset({*STRINGS, *NUMBERS, *UNKNOWN, "boolean", "dateTime", "other", "IRI", "blank"})

KindsOf: TypeAlias = Callable[[Variable], frozenset[str]]  # what a variable can be

_STRING_CALLS: Final = frozenset(
    "STR LANG ENCODE_FOR_URI MD5 SHA1 SHA256 SHA384 SHA512 STRUUID TZ".split()
)  # "" for TZ too
_STRING_LIKE_CALLS: Final = frozenset("UCASE LCASE SUBSTR STRBEFORE STRAFTER REPLACE CONCAT".split())
_INTEGER_CALLS: Final = frozenset("STRLEN YEAR MONTH DAY HOURS MINUTES".split())
_BOOLEAN_CALLS: Final = frozenset(
    "BOUND SAMETERM ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC LANGMATCHES CONTAINS STRSTARTS STRENDS REGEX".split()
)
_OTHER_CALLS: Final = {
    "DATATYPE": "IRI",
    "IRI": "IRI",
    "URI": "IRI",
    "UUID": "IRI",
    "BNODE": "blank",
    "STRLANG": "tagged",
    "SECONDS": "decimal",
    "RAND": "double",
    "TIMEZONE": "other",
    "NOW": "dateTime",
}


def nodes(node: object) -> Iterator[Node | IRI | Literal | BlankNode | Variable]:
    """All nodes and terms of a tree, itself included."""
    if isinstance(node, tuple):
        for part in node:
            yield from nodes(part)
    elif isinstance(node, Node):
        yield node
        for name in node.__dataclass_fields__:
            yield from nodes(getattr(node, name))
    elif isinstance(node, IRI | Literal | BlankNode | Variable):
        yield node


def variables(node: object) -> set[Variable]:
    """All variables that a tree mentions."""
    return {part for part in nodes(node) if isinstance(part, Variable)}


def surely_bound(elements: tuple[Element, ...]) -> set[Variable]:
    """Variables that have a value in every solution of these elements."""
    found: set[Variable] = set()
    for element in elements:
        match element:
            case TriplePattern():
                found |= variables(element)
            case InlineData(columns, rows):
                found |= {column for place, column in enumerate(columns) if all(row[place] is not None for row in rows)}
            case Group(inner):
                found |= surely_bound(inner)
            case GraphGroup(name, Group(inner)):
                found |= surely_bound(inner) | ({name} if isinstance(name, Variable) else set())
            case Union(groups):
                found |= set.intersection(*(surely_bound(group.elements) for group in groups))
    return found


def within_exists(kind: type[Node]) -> Callable[[object], bool]:
    """Whether a node is an EXISTS with something of a kind in it."""
    return lambda node: isinstance(node, Exists) and any(isinstance(part, kind) for part in nodes(node.group))


def is_nullable(path: Path) -> bool:
    """Whether a path can have no length."""
    match path:
        case PathRepeat(part, operator):
            return operator != "+" or is_nullable(part)
        case PathSequence(parts):
            return all(map(is_nullable, parts))
        case PathAlternative(parts):
            return any(map(is_nullable, parts))
        case PathInverse(part):
            return is_nullable(part)
        case _:
            return False


def kinds(expression: Expression, of: KindsOf) -> frozenset[str]:
    """What the value can be, if there is one; more than that may be said, but never less."""
    match expression:
        case Literal() | IRI():
            return frozenset({kind(expression)})
        case Variable():
            return of(expression)
        case Arithmetic(first, rest):
            found = kinds(first, of).union(*(kinds(operand, of) for _, operand in rest)) & NUMBERS
            return found | {"decimal"} if any(sign == "/" for sign, _ in rest) else found
        case Sign(_, operand):
            return kinds(operand, of) & NUMBERS
        case FunctionCall(IRI(iri), _):
            return frozenset({iri.removeprefix(XSD)}) & ANYTHING
        case Call(name, arguments):
            return _of_call(name, arguments, of)
        case _:
            return frozenset({"boolean"})


@cache
def kind(term: Term) -> str:
    """What a term is."""
    if not isinstance(term, Literal):
        return "IRI" if isinstance(term, IRI) else "blank"
    return _kind(term)


def _kind(literal: Literal) -> str:
    if literal.language is not None:
        return "tagged"
    name = literal.datatype.removeprefix(XSD)
    if value_of(literal) is None:
        return "unknown"
    if name in ANYTHING:
        return name
    return "integer" if name.endswith(("nteger", "ong", "nt", "hort", "yte")) else "other"


def _of_call(name: str, arguments: tuple[Expression, ...], of: KindsOf) -> frozenset[str]:
    if name in _STRING_CALLS:
        return frozenset({"string"})
    if name in _STRING_LIKE_CALLS:
        return (frozenset().union(*(kinds(argument, of) for argument in arguments)) & STRINGS) | {"string"}
    if name in _INTEGER_CALLS:
        return frozenset({"integer"})
    if name in _BOOLEAN_CALLS:
        return frozenset({"boolean"})
    if name in _OTHER_CALLS:
        return frozenset({_OTHER_CALLS[name]})
    if name == "IF":
        return kinds(arguments[1], of) | kinds(arguments[2], of)
    if name == "COALESCE":
        return frozenset().union(*(kinds(argument, of) for argument in arguments))
    if name in ("ABS", "CEIL", "FLOOR", "ROUND"):
        return kinds(arguments[0], of) & NUMBERS
    return ANYTHING
