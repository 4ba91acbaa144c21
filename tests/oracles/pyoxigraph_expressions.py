"""Where pyoxigraph 0.5 leaves SPARQL 1.1 in expressions."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

import pyoxigraph as ox

from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import (
    Arithmetic,
    Call,
    Compare,
    FunctionCall,
    In,
    InlineData,
    Query,
    Sign,
    TriplePattern,
)
from sparql_ft.publication import Publication
from sparql_ft.terms import XSD, XSD_DECIMAL, XSD_INTEGER, XSD_STRING, Literal, Variable
from tests.oracles.divergence import Divergence, conditions, literals, mixed_zones, some
from tests.oracles.trees import INEXACT, UNKNOWN, kinds, nodes

__all__ = ["DIVERGENCES"]

_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_TEMPORAL: Final = frozenset({"dateTime", "other"})


@cache
def is_rewritten(literal: Literal) -> bool:
    """Whether another literal comes back for it; asking pyoxigraph is the shortest way to know."""
    (row,) = ox.Store().query(f"SELECT ?v {{ BIND({literal} AS ?v) }}")
    return str(row["v"]) != str(literal)


def _rewrites(query: Query, publication: Publication) -> bool:
    """A literal that is rewritten, where more than its value matters."""
    if any(is_rewritten(triple[2]) for triple in publication.triples if isinstance(triple[2], Literal)):
        return True
    return any(
        _looks_at_form(node) and any(isinstance(part, Literal) and is_rewritten(part) for part in nodes(node))
        for node in nodes(query)
    )


def _looks_at_form(node: object) -> bool:
    match node:
        case TriplePattern() | InlineData() | Call("STR" | "SAMETERM" | "DATATYPE"):
            return True
        case FunctionCall(function, _):
            return function.value == XSD_STRING
        case _:
            return False


def _is_long(literal: object) -> bool:
    return (
        isinstance(literal, Literal)
        and literal.datatype in (XSD_INTEGER, XSD_DECIMAL)
        and sum(map(str.isdigit, literal.lexical)) > 18
    )


def _divides(node: object) -> bool:
    """A division of exact numbers that need not end after a few digits."""
    if not isinstance(node, Arithmetic):
        return False
    divisors = [operand for sign, operand in node.rest if sign == "/"]
    return any(
        not (isinstance(divisor, Literal) and (kinds(divisor) <= INEXACT or divisor.lexical in ("1", "2", "10", "40")))
        for divisor in divisors
    )


def _replaces(node: object) -> bool:
    match node:
        case Call("REPLACE", (_, _, Literal(replacement), _)) if "$" in replacement:
            return True
        case Call("REPLACE", (_, Literal(pattern), Literal(replacement), *_)):
            # What follows a group's number may become part of its name in Rust; with the flag q there are no groups.
            return "*" in pattern or re.search(r"\\|\$(?![0-9])|\$[0-9]\w", replacement) is not None
        case Call("REPLACE"):
            return True
        case _:
            return False


def _may_be_nan(node: object) -> bool:
    match node:
        case Compare(sign, left, right) if sign in _ORDER:
            return any(kinds(side) & INEXACT and _is_nan_or_computed(side) for side in (left, right))
        case _:
            return False


def _is_nan_or_computed(side: object) -> bool:
    return not isinstance(side, Literal | Variable) or side == Literal("NaN", getattr(side, "datatype", ""))


def _same_without_order(node: object) -> bool:
    match node:
        case Compare(sign, left, right) if sign in _ORDER:
            return bool(kinds(left) & kinds(right) & {"tagged", "IRI", "blank", *UNKNOWN})
        case _:
            return False


def _repeats_repetitions(node: object) -> bool:
    match node:
        case Call("REGEX" | "REPLACE", (_, Literal(pattern), *_)):
            return re.search(r"[*+?}]\??[*+{]|[*+}]\?\?", pattern) is not None
        case Call("REGEX" | "REPLACE"):
            return True
        case _:
            return False


DIVERGENCES: Final = [
    Divergence(
        "pyoxigraph",
        "rewrites literals to a canonical form and type of its own: here 01 to 1; xsd:int to xsd:integer, 1.5E0 to 1.5",
        "RDF 1.1 Concepts, 3.3: two literals are term-equal if their lexical forms are, character by character",
        'STR("01"^^xsd:integer)',
        '"01"',
        concerns=_rewrites,
    ),
    Divergence(
        "pyoxigraph",
        "does not know the ranges of the types derived from xsd:integer: here a byte is 300",
        '17.4.2.4, isNumeric: its example is "1200"^^xsd:byte, which is not valid',
        'isNumeric("300"^^xsd:byte)',
        "false",
        concerns=lambda query, publication: any(
            literal.datatype.startswith(XSD) and value_of(literal) is None and literal.lexical.isdigit()
            for literal in literals(query, publication)
        ),
    ),
    Divergence(
        "pyoxigraph",
        "computes doubles without exponent, where the canonical form has one",
        "17.4.2.5, STR: the lexical form; XSD 1.1 part 2, 3.3.5.2: canonical representation",
        "STR(1.5e0 + 0)",
        '"1.5E0"',
        concerns=some(
            lambda node: (
                isinstance(node, Call | FunctionCall)
                and _looks_at_form(node)
                and any(kinds(argument) & INEXACT and not isinstance(argument, Variable) for argument in node.arguments)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "has no effective boolean value for strings with a language tag",
        "17.2.2: a plain literal, with language tag or without, is false if it is empty and true otherwise",
        '!"a"@en',
        "false",
        concerns=some(lambda node: any("tagged" in kinds(part) for part in conditions(node))),
    ),
    Divergence(
        "pyoxigraph",
        "has no effective boolean value for ill-typed numbers and booleans",
        "17.2.2: if the lexical form is not valid for its datatype, the EBV is false",
        '!"one"^^xsd:integer',
        "true",
        concerns=some(lambda node: any("unknown" in kinds(part) for part in conditions(node))),
    ),
    Divergence(
        "pyoxigraph",
        "wants an effective boolean value of what is compared with no options: `x IN ()`",
        "17.4.1.9: IN is true if the term is found in the list, and otherwise false unless a comparison is an error",
        ":a IN ()",
        "false",
        concerns=some(lambda node: isinstance(node, In) and not node.options),
    ),
    Divergence(
        "pyoxigraph",
        "orders a term and itself, also where the type has no order",
        "17.3, Operator Mapping: `<=` is for numbers, strings, booleans and dateTimes; anything else is a type error",
        '"a"@en <= "a"@en',
        "error",
        concerns=some(_same_without_order),
    ),
    Divergence(
        "pyoxigraph",
        "does not order booleans",
        "17.3, Operator Mapping: `A < B` for xsd:boolean is op:boolean-less-than",
        "false < true",
        "true",
        concerns=some(
            lambda node: (
                isinstance(node, Compare)
                and node.operator in _ORDER
                and "boolean" in kinds(node.left) & kinds(node.right)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "makes comparisons with NaN errors",
        "17.3 and F&O 6.3.2, op:numeric-less-than: false if an argument is NaN",
        '"NaN"^^xsd:double < 1',
        "false",
        concerns=some(_may_be_nan),
    ),
    Divergence(
        "pyoxigraph",
        "decides `=` between moments with and without time zone, though 14 hours either way could make them equal",
        "17.3, op:dateTime-equal on the partial order of XSD part 2, 3.2.7.4",
        '"2024-01-01T00:00:00"^^xsd:dateTime = "2024-01-01T00:00:00Z"^^xsd:dateTime',
        "error",
        concerns=mixed_zones,
    ),
    Divergence(
        "pyoxigraph",
        "calculates in 64 bits: integers beyond are errors",
        "17.3: xsd:integer has no bounds (XSD part 2, 3.3.13)",
        "9223372036854775808 > 1",
        "true",
        concerns=some(_is_long),
    ),
    Divergence(
        "pyoxigraph",
        "casts floats to decimals with digits that they do not have",
        "17.5 and F&O 17.1.3.3: the xsd:decimal value that is numerically closest",
        'xsd:decimal("-16777176"^^xsd:float)',
        "-16777176 (xsd:decimal)",
        concerns=some(
            lambda node: (
                isinstance(node, FunctionCall)
                and node.function.value == XSD_DECIMAL
                and any(kinds(argument) & INEXACT for argument in node.arguments)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "has 18 digits after the point, and overflows in 0 / 0.5",
        "17.3, op:numeric-divide: 0 divided by what is not 0 is 0",
        "0 / 0.5",
        "0 (xsd:decimal)",
        concerns=some(_divides),
    ),
    Divergence(
        "pyoxigraph",
        "calculates with dates and durations",
        "17.3: `+` and `-` are for numbers (17.3.1 allows more)",
        '"2024-01-01T00:00:00"^^xsd:dateTime - "2024-01-01T00:00:00"^^xsd:dateTime',
        "error",
        concerns=some(
            lambda node: (
                (isinstance(node, Sign) and bool(kinds(node.operand) & _TEMPORAL))
                or (
                    isinstance(node, Arithmetic)
                    and all(kinds(part) & _TEMPORAL for part in (node.first, *(operand for _, operand in node.rest)))
                )
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "reads patterns as Rust does: quantifiers may follow quantifiers, `^` matches after a last newline",
        "17.4.3.14 and F&O 5.6.1: a piece is an atom and at most one quantifier",
        'REGEX("a", "a**")',
        "error",
        concerns=some(_repeats_repetitions),
    ),
    Divergence(
        "pyoxigraph",
        "replaces what matches the empty string, and takes any `$` and `\\` in a replacement, also with the flag q",
        "17.4.3.15 and F&O 7.6.3, fn:replace: err:FORX0003, err:FORX0004",
        'REPLACE("a", "b*", "c")',
        "error",
        concerns=some(_replaces),
    ),
    Divergence(
        "pyoxigraph",
        "checks language tags by BCP 47, of which a single letter is none",
        "17.4.2.11 STRLANG; 19.8, production [145] LANGTAG",
        'STRLANG("a", "x")',
        '"a"@x',
        concerns=some(
            lambda node: (
                isinstance(node, Call)
                and node.name == "STRLANG"
                and not (isinstance(node.arguments[1], Literal) and len(node.arguments[1].lexical) != 1)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "casts every literal to xsd:string: those with a language tag, of unknown datatypes, and ill-typed ones",
        "17.5: the table casts from numbers, booleans, dateTimes, simple literals, strings and IRIs",
        'xsd:string("a"@en)',
        "error",
        concerns=some(
            lambda node: (
                isinstance(node, FunctionCall)
                and node.function.value == XSD_STRING
                and any(kinds(argument) & {"tagged", "unknown", "other"} for argument in node.arguments)
            )
        ),
    ),
]
