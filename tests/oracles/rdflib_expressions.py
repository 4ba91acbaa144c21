"""Where rdflib 7 leaves SPARQL 1.1 in functions, calculations and the forms of literals."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import rdflib

from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import (
    Arithmetic,
    Bind,
    Call,
    Expression,
    Filter,
    FunctionCall,
    In,
    Sign,
)
from sparql_ft.terms import IRI, XSD, XSD_INTEGER, Literal, Variable
from tests.oracles.divergence import Divergence, some, some_of
from tests.oracles.engines import standard
from tests.oracles.pair import Pair
from tests.oracles.trees import INEXACT, NUMBERS, kind, nodes, variables

__all__ = ["DIVERGENCES"]

_EXACT: Final = frozenset({"integer", "decimal"})
# What each function may be given, so that it does not matter that rdflib does not check it.
_UNCHECKED: Final[dict[str, tuple[frozenset[str], ...]]] = {
    "STRDT": (frozenset({"string"}), frozenset({"IRI"})),
    "IRI": (frozenset({"IRI"}),),
    "URI": (frozenset({"IRI"}),),
    "LANGMATCHES": (frozenset({"string"}),) * 2,
    **dict.fromkeys(("MD5", "SHA1", "SHA256", "SHA384", "SHA512"), (frozenset({"string"}),)),
}
_CASTS: Final = {
    XSD + "string": frozenset({"string", "integer", "boolean", "IRI"}),
    XSD + "boolean": frozenset({"boolean"}),
    XSD + "integer": frozenset({"integer"}),
    XSD + "decimal": _EXACT,
    XSD + "double": frozenset({"integer"}),
    XSD + "float": frozenset({"integer"}),
    XSD + "dateTime": frozenset({"dateTime"}),
}


def _operands(node: Arithmetic) -> tuple[Expression, ...]:
    return (node.first, *(operand for _, operand in node.rest))


def _is_place(argument: object) -> bool:
    return isinstance(argument, Literal) and argument.datatype == XSD_INTEGER and argument.lexical.strip("0").isdigit()


def _unchecked(node: object, pair: Pair) -> bool:
    match node:
        case Call(name, arguments) if name in _UNCHECKED:
            return any(not pair.kinds(a) <= wanted for a, wanted in zip(arguments, _UNCHECKED[name], strict=True))
        case _:
            return False


def _casts(node: object, pair: Pair) -> bool:
    match node:
        case FunctionCall(function, (argument,)) if function.value in _CASTS:
            return not pair.kinds(argument) <= _CASTS[function.value]
        case _:
            return False


@cache
def has_another_value(literal: Literal) -> bool:
    """Whether one of us has no value for it, or the number is longer than Python's contexts keep."""
    if literal.language is not None or not literal.datatype.startswith(XSD):
        return False
    theirs = rdflib.Literal(literal.lexical, datatype=rdflib.URIRef(literal.datatype)).value
    return theirs is None or value_of(literal) is None or len(literal.lexical) > 28


def _calculates_with_another_value(node: object, pair: Pair) -> bool:
    """Such a literal in an expression, or as an operand."""
    match node:
        case Filter() | Bind():
            return any(isinstance(part, Literal) and has_another_value(part) for part in nodes(node))
        case Arithmetic():
            return any("unknown" in pair.kinds(operand) for operand in _operands(node))
        case Sign(_, operand):
            return "unknown" in pair.kinds(operand)
        case _:
            return False


def _given_an_error(node: object) -> bool:
    match node:
        case Call("STR" | "SAMETERM" | "ISIRI" | "ISURI" | "ISBLANK" | "ISLITERAL" | "ISNUMERIC", arguments):
            return not all(isinstance(argument, IRI | Literal | Variable) for argument in arguments)
        case In(operand, options, _):
            return not all(isinstance(part, IRI | Literal | Variable) for part in (operand, *options))
        case _:
            return False


def _text_of_a_blank_node(node: object, pair: Pair) -> bool:
    return isinstance(node, Call) and node.name == "STR" and "blank" in pair.kinds(node.arguments[0])


def _has_an_own_pattern(node: object) -> bool:
    """Any pattern but a few letters, which mean the same everywhere."""
    match node:
        case Call("REGEX", (_, Literal(pattern))):
            return not pattern.isalnum()
        case Call("REGEX" | "REPLACE"):
            return True
        case _:
            return False


def _shows_a_computed_decimal(node: object, pair: Pair) -> bool:
    """Constants in a BIND are harmless: comparisons of expressions take values for what they are."""
    match node:
        case Call("STR" | "SAMETERM", arguments) | FunctionCall(_, arguments):
            return any("decimal" in pair.values(argument) for argument in arguments)
        case Bind(expression, _):
            return bool(variables(expression)) and "decimal" in pair.values(expression)
        case _:
            return False


def _rounds_a_decimal(node: object, pair: Pair) -> bool:
    match node:
        case Call("CEIL" | "FLOOR" | "ROUND", (argument,)):
            return "decimal" in pair.kinds(argument)
        case _:
            return False


DIVERGENCES: Final = [
    Divergence(
        "rdflib",
        "counts places from the end of a string where SUBSTR starts before it, and fails where a place is no integer",
        "17.4.3.3, SUBSTR; F&O 7.4.3, fn:substring",
        'SUBSTR("abc", 0)',
        '"abc"',
        concerns=some(
            lambda node: (
                isinstance(node, Call) and node.name == "SUBSTR" and not all(map(_is_place, node.arguments[1:]))
            )
        ),
    ),
    Divergence(
        "rdflib",
        "reads patterns as Python's `re` does: `$` matches before a last newline, flags that do not exist are ignored",
        "17.4.3.14 and 17.4.3.15; F&O 7.6.1 and 7.6.2",
        'REGEX("a", "a", "z")',
        "error",
        concerns=some(_has_an_own_pattern),
    ),
    Divergence(
        "rdflib",
        "does not check the arguments of STRDT, IRI, LANGMATCHES and hashes, and does not resolve what IRI() is given",
        "17.4.2.8, IRI: resolved against the base; 17.4.2.10, STRDT: a simple literal and an IRI",
        'STRDT("a", 1)',
        "error",
        concerns=some_of(_unchecked),
    ),
    Divergence(
        "rdflib",
        "makes literals with any language tag, also an empty one, or fails",
        "17.4.2.11, STRLANG: a simple literal and a language tag",
        'STRLANG("a", "")',
        "error",
        concerns=some(lambda node: isinstance(node, Call) and node.name == "STRLANG"),
    ),
    Divergence(
        "rdflib",
        "makes products decimals, whatever their operands are, and sums of floats doubles",
        "17.3, Operator Mapping: op:numeric-multiply of two xsd:integers is an xsd:integer",
        "2 * 2",
        "4 (xsd:integer)",
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, Arithmetic)
                and not (
                    all(sign in "+-" for sign, _ in node.rest)
                    and all(
                        pair.kinds(part) & NUMBERS <= _EXACT for part in (node.first, *(part for _, part in node.rest))
                    )
                )
            )
        ),
    ),
    Divergence(
        "rdflib",
        "writes decimals that it computes with all the zeros that Python keeps",
        "17.4.2.5, STR: the lexical form; XSD 1.1 part 2, 3.3.3.2: canonical representation",
        "STR(0.5 + 0.5)",
        '"1"',
        concerns=some_of(_shows_a_computed_decimal),
    ),
    Divergence(
        "rdflib",
        "makes floats doubles when their sign changes, and writes `inf` and `nan`",
        "17.3, op:numeric-unary-minus: of an xsd:float an xsd:float; XSD part 2, 3.2.4.1: INF and NaN",
        '-("1.5"^^xsd:float)',
        "-1.5E0 (xsd:float)",
        concerns=some_of(
            lambda node, pair: (
                (isinstance(node, Sign) and bool(pair.kinds(node.operand) & INEXACT))
                or (
                    isinstance(node, Call)
                    and node.name in ("ABS", "CEIL", "FLOOR", "ROUND")
                    and bool(pair.kinds(node.arguments[0]) & INEXACT)
                )
            )
        ),
    ),
    Divergence(
        "rdflib",
        "calculates with what CEIL, FLOOR and ROUND make of a decimal as with an integer",
        "17.4.4.3, CEIL: an xsd:decimal for an xsd:decimal; 17.3, op:numeric-unary-plus keeps the type",
        "+(CEIL(0.5))",
        "1 (xsd:decimal)",
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, Sign | Arithmetic | Call | FunctionCall)
                and any(_rounds_a_decimal(part, pair) for part in nodes(node) if part is not node)
            )
        ),
    ),
    Divergence(
        "rdflib",
        "calculates with dates and durations, or fails",
        "17.3: `+` and `-` are for numbers (17.3.1 allows more)",
        '"2024-01-01T00:00:00"^^xsd:dateTime - "2024-01-01T00:00:00"^^xsd:dateTime',
        "error",
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, Arithmetic)
                and any(
                    pair.kinds(part) & {"dateTime", "other"} for part in (node.first, *(part for _, part in node.rest))
                )
            )
        ),
    ),
    Divergence(
        "rdflib",
        "takes a tab within a string for spaces",
        "19.8, production [157] STRING_LITERAL2: any character but a quote, a backslash and the ends of lines",
        'STRLEN("\t\t")',
        "2 (xsd:integer)",
        concerns=lambda pair: "\t" in standard(pair.query),
    ),
    Divergence(
        "rdflib",
        "writes a number with a sign in the query anew: here -0 as 0",
        "RDF 1.1 Concepts, 3.3: two literals are term-equal if their lexical forms are, character by character",
        "STR(-0)",
        '"-0"',
        concerns=some(
            lambda node: (
                isinstance(node, Literal)
                and kind(node) in NUMBERS
                and re.match(r"\+|-(0|.*[^0-9])", node.lexical) is not None
            )
        ),
    ),
    Divergence(
        "rdflib",
        "takes values from Python where XSD has none (here space around a number), and fails where Python has none",
        "17.3, op:numeric-add: an operand without a value is a type error",
        '1 + " 1 "^^xsd:integer',
        "error",
        concerns=some_of(_calculates_with_another_value),
    ),
    Divergence(
        "rdflib",
        "takes an argument that is an error for a value",
        "17.2: functions and operators produce an error if an argument is one, with few exceptions",
        "isIRI(1/0)",
        "error",
        concerns=some(_given_an_error),
    ),
    Divergence(
        "rdflib",
        "takes parts of times, and zones of dates, for errors",
        "17.3.1: results in place of errors are allowed for types other than xsd:dateTime, and given here",
        'HOURS("12:00:00Z"^^xsd:time)',
        "12 (xsd:integer)",
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, Call)
                and node.name in ("HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ")
                and "other" in pair.kinds(node.arguments[0])
            )
        ),
    ),
    Divergence(
        "rdflib",
        "matches no language tag with an empty range",
        "17.4.3.13, langMatches: RFC 4647, section 3.3.1, a range matches a tag that it equals",
        'langMatches("", "")',
        "true",
        concerns=some(lambda node: isinstance(node, Call) and node.name == "LANGMATCHES"),
    ),
    Divergence(
        "rdflib",
        "has a STR of blank nodes",
        "17.4.2.5, STR: of a literal or an IRI",
        "STR(BNODE())",
        "error",
        concerns=some_of(_text_of_a_blank_node),
    ),
    Divergence(
        "rdflib",
        "has no value for CONCAT() and fails with COALESCE()",
        "17.4.3.12, CONCAT: fn:concat of nothing is the empty string",
        "CONCAT()",
        '""',
        concerns=some(lambda node: node in (Call("CONCAT", ()), Call("COALESCE", ()))),
    ),
    Divergence(
        "rdflib",
        "casts between few types: not from decimals to integers, nor between booleans and numbers",
        "17.5: the table casts between all numeric types and booleans",
        "xsd:integer(1.5)",
        "1 (xsd:integer)",
        concerns=some_of(_casts),
    ),
]
