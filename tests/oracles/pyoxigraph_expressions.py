"""Where pyoxigraph 0.5 leaves SPARQL 1.1 in expressions."""

from __future__ import annotations

import re
from typing import Final

from sparql_ft.expressions.values import value_of
from sparql_ft.nodes import Arithmetic, Bind, Call, Compare, Expression, FunctionCall, In, Sign
from sparql_ft.terms import XSD, XSD_DECIMAL, XSD_INTEGER, XSD_STRING, Literal
from tests.oracles.divergence import Divergence, conditions, mixed_zones, some, some_of
from tests.oracles.engines import kept, rewritten
from tests.oracles.pair import Pair, Value, kind_of
from tests.oracles.trees import INEXACT, UNKNOWN, kind

__all__ = ["DIVERGENCES"]

_ORDER: Final = frozenset({"<", "<=", ">", ">="})
_TEMPORAL: Final = frozenset({"dateTime", "other"})


def _rewrites(pair: Pair) -> bool:
    """Literals that become one; or one that is rewritten, where a form is asked for or such a literal is computed."""
    literals = kept(pair.query, pair.publication)
    if len({rewritten(literal) for literal in literals}) < len(literals):
        return True
    changed = {kind(literal) for literal in literals if rewritten(literal) != literal}
    return any(
        any(_has_another_form(value) for argument in _asked_for_form(node) for value in pair.values(argument))
        or any(value in changed for expression in _kept_values(node) for value in pair.values(expression))
        for node in pair.tree.nodes
    )


def _has_another_form(value: Value) -> bool:
    return isinstance(value, Literal) and rewritten(value) != value


def _asked_for_form(node: object) -> tuple[Expression, ...]:
    """The arguments whose lexical form or datatype is asked for."""
    match node:
        case Call("STR" | "DATATYPE", arguments):
            return arguments
        case FunctionCall(function, arguments) if function.value == XSD_STRING:
            return arguments
        case _:
            return ()


def _kept_values(node: object) -> tuple[Expression, ...]:
    """What may be computed, and then is a value of a variable or compared as a term."""
    match node:
        case Bind(expression, _):
            return (expression,)
        case Call("SAMETERM", arguments):
            return arguments
        case _:
            return ()


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
        not (isinstance(divisor, Literal) and (kind(divisor) in INEXACT or divisor.lexical in ("1", "2", "10", "40")))
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


def _may_be_nan(node: object, pair: Pair) -> bool:
    match node:
        case Compare(sign, left, right) if sign in _ORDER:
            return any(kind_of(value) in INEXACT and _is_nan_or_computed(value) for value in pair.values(left)) or any(
                kind_of(value) in INEXACT and _is_nan_or_computed(value) for value in pair.values(right)
            )
        case _:
            return False


def _is_nan_or_computed(value: Value) -> bool:
    return not isinstance(value, Literal) or value.lexical == "NaN"


def _same_without_order(node: object, pair: Pair) -> bool:
    match node:
        case Compare(sign, left, right) if sign in _ORDER:
            return any(
                one == other and kind_of(one) in {"tagged", "IRI", "blank", *UNKNOWN}
                for one, other in pair.operands(left, right)
            )
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
        concerns=lambda pair: any(
            literal.datatype.startswith(XSD) and value_of(literal) is None and literal.lexical.isdigit()
            for literal in pair.literals()
        ),
    ),
    Divergence(
        "pyoxigraph",
        "computes doubles without exponent, where the canonical form has one",
        "17.4.2.5, STR: the lexical form; XSD 1.1 part 2, 3.3.5.2: canonical representation",
        "STR(1.5e0 + 0)",
        '"1.5E0"',
        concerns=some_of(
            lambda node, pair: any(
                value in INEXACT
                for argument in (*_asked_for_form(node), *_kept_values(node))
                for value in pair.values(argument)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "has no effective boolean value for strings with a language tag",
        "17.2.2: a plain literal, with language tag or without, is false if it is empty and true otherwise",
        '!"a"@en',
        "false",
        concerns=some_of(lambda node, pair: any("tagged" in pair.kinds(part) for part in conditions(node))),
    ),
    Divergence(
        "pyoxigraph",
        "has no effective boolean value for ill-typed numbers and booleans",
        "17.2.2: if the lexical form is not valid for its datatype, the EBV is false",
        '!"one"^^xsd:integer',
        "true",
        concerns=some_of(lambda node, pair: any("unknown" in pair.kinds(part) for part in conditions(node))),
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
        concerns=some_of(_same_without_order),
    ),
    Divergence(
        "pyoxigraph",
        "does not order booleans",
        "17.3, Operator Mapping: `A < B` for xsd:boolean is op:boolean-less-than",
        "false < true",
        "true",
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, Compare)
                and node.operator in _ORDER
                and "boolean" in pair.kinds(node.left) & pair.kinds(node.right)
            )
        ),
    ),
    Divergence(
        "pyoxigraph",
        "makes comparisons with NaN errors",
        "17.3 and F&O 6.3.2, op:numeric-less-than: false if an argument is NaN",
        '"NaN"^^xsd:double < 1',
        "false",
        concerns=some_of(_may_be_nan),
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
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, FunctionCall)
                and node.function.value == XSD_DECIMAL
                and any(pair.kinds(argument) & INEXACT for argument in node.arguments)
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
        concerns=some_of(
            lambda node, pair: (
                (isinstance(node, Sign) and bool(pair.kinds(node.operand) & _TEMPORAL))
                or (
                    isinstance(node, Arithmetic)
                    and all(
                        pair.kinds(part) & _TEMPORAL for part in (node.first, *(operand for _, operand in node.rest))
                    )
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
        concerns=some_of(
            lambda node, pair: (
                isinstance(node, FunctionCall)
                and node.function.value == XSD_STRING
                and any(pair.kinds(argument) & {"tagged", "unknown", "other"} for argument in node.arguments)
            )
        ),
    ),
]
