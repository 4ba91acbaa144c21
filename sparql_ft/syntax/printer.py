"""Canonical text: every syntax tree printed so that it parses back to an equal one.

One form for everything: absolute IRIs, one triple a line, two spaces a level, keywords in their usual case, and
brackets only where they change the tree.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from sparql_ft.nodes import (
    And,
    Arithmetic,
    Bind,
    Call,
    Compare,
    Exists,
    Filter,
    Form,
    FtAnd,
    FtContains,
    FtNear,
    FtNot,
    FtOr,
    FtWords,
    FunctionCall,
    GraphGroup,
    Group,
    In,
    InlineData,
    Minus,
    Not,
    OptionalGroup,
    Or,
    PathAlternative,
    PathInverse,
    PathNegated,
    PathRepeat,
    PathSequence,
    Query,
    Sign,
    TriplePattern,
    Union,
    Wildcard,
)
from sparql_ft.terms import (
    IRI,
    RDF,
    XSD_BOOLEAN,
    XSD_DECIMAL,
    XSD_DOUBLE,
    XSD_INTEGER,
    BlankNode,
    Literal,
    Variable,
)

__all__ = ["text_of"]

_BARE_NUMBER: Final = {
    XSD_INTEGER: re.compile(r"[+-]?[0-9]+"),
    XSD_DECIMAL: re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    XSD_DOUBLE: re.compile(r"[+-]?(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+"),
}
_MIXED_CASE: Final = {
    "SAMETERM": "sameTerm",
    "ISIRI": "isIRI",
    "ISURI": "isURI",
    "ISBLANK": "isBLANK",
    "ISLITERAL": "isLITERAL",
    "ISNUMERIC": "isNUMERIC",
    "LANGMATCHES": "langMatches",
}
_TYPE: Final = IRI(RDF + "type")


def text_of(node: Any) -> str:
    """The canonical text of a node, a term or a variable."""
    return _PRINTERS[type(node)](node)


def _literal(node: Literal) -> str:
    bare = _BARE_NUMBER.get(node.datatype)
    if (bare and bare.fullmatch(node.lexical)) or (node.datatype == XSD_BOOLEAN and node.lexical in ("true", "false")):
        return node.lexical
    return str(node)


# --- full text: a string binds strongest, then ftNEAR, ftNOT, ftAND, ftOR ---------------------------------------------

_FT_STRENGTH: Final = {FtWords: 4, FtNear: 3, FtNot: 2, FtAnd: 1, FtOr: 0}


def _ft_operand(node: Any, at_least: int) -> str:
    text = text_of(node)
    return text if _FT_STRENGTH[type(node)] >= at_least else f"({text})"


def _ft_words(node: FtWords) -> str:
    options = (
        (node.wildcards, "wildcards"),
        (node.stemming, "stemming"),
        (node.stemming and node.language != "en", f"language {Literal(node.language)}"),
        (node.case_sensitive, "case sensitive"),
        (node.diacritics_insensitive, "diacritics insensitive"),
    )
    return " using ".join([str(Literal(node.text)), *(text for chosen, text in options if chosen)])


def _ft_near(node: FtNear) -> str:
    parts = [text_of(node.operands[0])]
    for (least, most), operand in zip(node.gaps, node.operands[1:], strict=True):
        parts.append(f"ftNEAR[{least},{'*' if most is None else most}] {text_of(operand)}")
    return " ".join(parts)


def _ft_and(node: FtAnd) -> str:
    return " ftAND ".join(_ft_operand(operand, 2) for operand in node.operands)


def _ft_or(node: FtOr) -> str:
    return " ftOR ".join(_ft_operand(operand, 1) for operand in node.operands)


# --- triples and paths: an IRI binds strongest, then * + ?, then ^, /, | ----------------------------------------------

_PATH_STRENGTH: Final = {PathNegated: 4, PathRepeat: 3, PathInverse: 2, PathSequence: 1, PathAlternative: 0}


def _path_part(node: Any, at_least: int) -> str:
    text = text_of(node)
    return text if _PATH_STRENGTH.get(type(node), 4) >= at_least else f"({text})"


def _path_negated(node: PathNegated) -> str:
    return "!(" + "|".join([*map(str, node.forward), *(f"^{iri}" for iri in node.inverse)]) + ")"


def _triple(node: TriplePattern) -> str:
    predicate = "a" if node.predicate == _TYPE else text_of(node.predicate)
    return f"{text_of(node.subject)} {predicate} {text_of(node.object)} ."


# --- expressions ------------------------------------------------------------------------------------------------------

_STRENGTH: Final = {Or: 0, And: 1, Compare: 2, In: 2, Arithmetic: 3, Not: 5, Sign: 5}  # 4: a product; 6: all others


def _strength(node: Any) -> int:
    if isinstance(node, Arithmetic):
        return 3 if node.rest[0][0] in "+-" else 4
    return _STRENGTH.get(type(node), 6)


def _operand(node: Any, at_least: int) -> str:
    text = text_of(node)
    return text if _strength(node) >= at_least else f"({text})"


def _arithmetic(node: Arithmetic) -> str:
    inner = _strength(node) + 1
    return " ".join([_operand(node.first, inner), *(f"{sign} {_operand(part, inner)}" for sign, part in node.rest)])


def _in(node: In) -> str:
    return f"{_operand(node.operand, 3)} {'NOT IN' if node.negated else 'IN'} {_arguments(node.options)}"


def _sign(node: Sign) -> str:
    # Brackets around a number keep the sign from becoming a part of it.
    text = _operand(node.operand, 6)
    return f"{node.operator}({text})" if isinstance(node.operand, Literal) else f"{node.operator}{text}"


def _arguments(arguments: tuple[Any, ...]) -> str:
    return f"({', '.join(map(text_of, arguments))})"


def _exists(node: Exists) -> str:
    return f"{'NOT EXISTS' if node.negated else 'EXISTS'} {text_of(node.group)}"


# --- graph patterns ---------------------------------------------------------------------------------------------------


def _filter(node: Filter) -> str:
    text = text_of(node.expression)
    # [69] Constraint: calls stand alone, everything else in brackets.
    alone = isinstance(node.expression, Call | FunctionCall | Exists | FtContains)
    return f"FILTER {text}" if alone else f"FILTER ({text})"


def _group(node: Group) -> str:
    if not node.elements:
        return "{}"
    lines = "\n".join(text_of(element) for element in node.elements)
    return "{\n" + _indented(lines) + "\n}"


_LINE_START: Final = re.compile("^", re.MULTILINE)


def _indented(lines: str) -> str:
    # Canonical text has line breaks between tokens only: strings are escaped.
    return _LINE_START.sub("  ", lines)


def _inline_data(node: InlineData) -> str:
    rows = " ".join(f"({' '.join('UNDEF' if value is None else text_of(value) for value in row)})" for row in node.rows)
    return f"VALUES ({' '.join(map(str, node.variables))}) {{ {rows} }}"


def _query(node: Query) -> str:
    if node.form is Form.SELECT:
        variables = "*" if node.projection is None else " ".join(map(str, node.projection))
        head = " ".join(part for part in ("SELECT", node.modifier, variables) if part)
    elif node.form is Form.ASK:
        head = "ASK"
    else:
        head = f"CONSTRUCT {_group(Group(node.template))}"
    base = "" if node.base is None else f"BASE <{node.base}>\n"
    text = f"{base}{head} WHERE {text_of(node.where)}"
    return text if node.values is None else f"{text}\n{text_of(node.values)}"


_PRINTERS: Final[dict[type, Callable[[Any], str]]] = {
    IRI: str,
    BlankNode: str,
    Variable: str,
    Literal: _literal,
    Wildcard: lambda _: "*",
    FtWords: _ft_words,
    FtNear: _ft_near,
    FtNot: lambda node: f"ftNOT {_ft_operand(node.operand, 2)}",
    FtAnd: _ft_and,
    FtOr: _ft_or,
    PathSequence: lambda node: "/".join(_path_part(part, 2) for part in node.parts),
    PathAlternative: lambda node: "|".join(_path_part(part, 1) for part in node.parts),
    PathInverse: lambda node: f"^{_path_part(node.part, 3)}",
    PathRepeat: lambda node: f"{_path_part(node.part, 4)}{node.operator}",
    PathNegated: _path_negated,
    TriplePattern: _triple,
    Or: lambda node: " || ".join(_operand(operand, 1) for operand in node.operands),
    And: lambda node: " && ".join(_operand(operand, 2) for operand in node.operands),
    Compare: lambda node: f"{_operand(node.left, 3)} {node.operator} {_operand(node.right, 3)}",
    In: _in,
    Arithmetic: _arithmetic,
    Not: lambda node: f"!{_operand(node.operand, 6)}",
    Sign: _sign,
    Call: lambda node: f"{_MIXED_CASE.get(node.name, node.name)}{_arguments(node.arguments)}",
    FunctionCall: lambda node: f"{node.function}{_arguments(node.arguments)}",
    Exists: _exists,
    FtContains: lambda node: f"ftcontains({node.variable}, {text_of(node.expression)})",
    Filter: _filter,
    OptionalGroup: lambda node: f"OPTIONAL {text_of(node.group)}",
    Minus: lambda node: f"MINUS {text_of(node.group)}",
    GraphGroup: lambda node: f"GRAPH {text_of(node.name)} {text_of(node.group)}",
    Union: lambda node: " UNION ".join(map(text_of, node.groups)),
    Bind: lambda node: f"BIND({text_of(node.expression)} AS {node.variable})",
    InlineData: _inline_data,
    Group: _group,
    Query: _query,
}
