"""Many queries of one shape: parsed once, then only their constants are filled in.

Queries written by programs differ in IRIs, names, strings and numbers alone. A text is cut at these; what is left, with
the kinds of the constants and which of them are the same, is its shape. When a shape is seen again, a text of it with
markers for constants goes through the full parser, the places of the markers are found in the result, and a function is
generated that builds that result for other constants. Nothing about the language is known here: a shape in which a
marker ends up anywhere but as a whole IRI, literal or string of words gets no function, and constants for which the
result could be another (the same term spelt twice, a string without a word, a relative or wrong IRI) take the full
parser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from sparql_ft.errors import QueryError
from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import QueryTuples
from sparql_ft.fulltext import check_words
from sparql_ft.iri import is_valid_iri
from sparql_ft.nodes import FtWords, Query
from sparql_ft.syntax.lexer import STRING, lex
from sparql_ft.syntax.parser import parse
from sparql_ft.syntax.written_out import surely_short
from sparql_ft.terms import IRI, Literal

Tree = TypeVar("Tree", Query, QueryTuples)

__all__ = ["PreparedQuery", "Shapes", "prepare"]


class PreparedQuery:
    """A query and its index form. Most of those who index queries never ask for the query itself, so it can wait."""

    __slots__ = ("_query", "tuples")

    def __init__(self, query: Query | Callable[[], Query], tuples: QueryTuples) -> None:
        self._query = query
        self.tuples = tuples

    @property
    def query(self) -> Query:
        """The query."""
        if not isinstance(self._query, Query):
            self._query = self._query()
        return self._query

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PreparedQuery):
            return NotImplemented
        return (self.query, self.tuples) == (other.query, other.tuples)

    def __hash__(self) -> int:
        return hash((self.query, self.tuples))


_PROLOGUE: Final = re.compile(r"\s*(?:(?:PREFIX\s+[^\s:]*:|BASE)\s*<[^<>\s]*>\s*)*", re.IGNORECASE)
# Constants as the lexer sees them, where their neighbours leave no doubt. What is not recognised counts as shape. A
# string with quotes in it is none: it may be full text in the portable spelling, whose words are the constants. Nor is
# the name of a function, which may be ft:contains, whatever comment stands behind it.
_CONSTANT: Final = re.compile(
    r"""( <[^<>"{}|^`\\\x00-\x20]*+> (?!\s*+[(\#])
        | "[^"'\\\n\r\ud800-\udfff]++" | '[^"'\\\n\r\ud800-\udfff]++'
        | (?<=[\s(,=<>]) [+-]?+ [0-9]++ (?:\.[0-9]++)? (?=[\s),;}])
        | (?<=[\s(,|/^!{]) (?:[A-Za-z][A-Za-z0-9_-]*+)? : [A-Za-z0-9_]++ (?=[\s),;|/*+}]|\.\s) (?!\s*+[(\#]) )""",
    re.VERBOSE,
)
_MAX_SHAPES: Final = 4096
_MAX_LENGTH: Final = 10_000  # of a text whose shape is kept: longer ones hardly come twice, and need much memory

Key: TypeAlias = tuple[str | None, str, str, tuple[int, ...]]


class Shapes:
    """The shapes seen so far. Safe to use from several threads: at worst, two do the same work."""

    def __init__(self) -> None:
        self._templates: dict[Key, _Template | None] = {}
        self._seen: dict[Key, None] = {}  # once; templates are made for what comes again
        self.filled = 0  # texts that needed no parser

    def prepare(self, text: str, base: str | None = None) -> PreparedQuery:
        """Exactly what parsing the text and extracting its tuples gives, errors included."""
        if "\\" in text or _DIGITS in text or len(text) > _MAX_LENGTH:
            return _prepare(text, base)
        head = _PROLOGUE.match(text)
        assert head is not None  # it may be empty
        pieces = _CONSTANT.split(text[head.end() :])
        constants = pieces[1::2]
        distinct = dict.fromkeys(constants)
        same: tuple[int, ...] = ()
        if len(distinct) < len(constants):
            numbers = {constant: number for number, constant in enumerate(distinct)}
            same = tuple([numbers[constant] for constant in constants])
        pieces[1::2] = [_kind(constant) for constant in constants]
        key = (base, head[0], "\\".join(pieces), same)
        template = self._templates.get(key)
        if template is not None:
            filled = template.fill(list(distinct))
            if filled is not None:
                self.filled += 1
                return filled
        result = _prepare(text, base)
        if template is None and key not in self._templates:
            self._learn(key, text, head.end(), list(distinct))
        return result

    def _learn(self, key: Key, text: str, start: int, distinct: list[str]) -> None:
        if key not in self._seen:
            if len(self._seen) >= _MAX_SHAPES:
                self._seen.clear()
            self._seen[key] = None
            return
        if len(self._templates) >= _MAX_SHAPES:
            self._templates.clear()
        self._templates[key] = _template(key[0], text, start, distinct)


prepare: Final = Shapes().prepare
"""Parse a text and extract its tuples, quickly where texts of its shape came before."""


def _prepare(text: str, base: str | None) -> PreparedQuery:
    query = parse(text, base)
    return PreparedQuery(query, extract(query))


def _kind(constant: str) -> str:
    """What is the same in all texts of a shape about a constant: its kind, sign and prefix."""
    first = constant[0]
    if first in "<\"'":
        return first
    if ":" in constant:
        return constant[: constant.index(":") + 1]
    sign = first if first in "+-" else ""
    return f"{sign}1.0" if "." in constant else f"{sign}1"


class _Template:
    """The result for a shape, as a function of its constants."""

    def __init__(
        self,
        tuples: Callable[[Sequence[str]], QueryTuples],
        query: Callable[[Sequence[str]], Query],
        namespaces: list[str | None],
        words: list[tuple[int, FtWords]],
        fixed: frozenset[str],
        tokens: list[str],
    ) -> None:
        self._tuples = tuples
        self._query = query
        self._namespaces = namespaces  # of the constants that are prefixed names
        self._words = words  # the constants that are strings of words, with their options
        self._fixed = fixed  # what stands in the result beside the constants
        self._tokens = len(tokens)  # of every text of the shape
        self._longest = max(map(len, [*fixed, *tokens]))

    def fill(self, constants: list[str]) -> PreparedQuery | None:
        """The result for other constants; None where it could be another than the parser's."""
        values: list[str] = []
        for constant, namespace in zip(constants, self._namespaces, strict=True):
            if namespace is not None:
                values.append(namespace + constant[constant.index(":") + 1 :])
                continue
            first = constant[0]
            if first == "<":
                value = constant[1:-1]
                if not is_valid_iri(value):
                    return None
                values.append(value)
            else:
                values.append(constant[1:-1] if first in "\"'" else constant)
        if not surely_short(self._tokens, max([self._longest, *map(len, values)])):
            return None
        for number, words in self._words:
            if not values[number].isalnum() and check_words(_with_text(words, values[number])) is not None:
                return None
        if len(set(values)) < len(values) or not self._fixed.isdisjoint(values):
            return None
        return PreparedQuery(partial(self._query, values), self._tuples(values))


def _with_text(words: FtWords, text: str) -> FtWords:
    return FtWords(
        text, words.wildcards, words.stemming, words.language, words.case_sensitive, words.diacritics_insensitive
    )


# --- making a template ------------------------------------------------------------------------------------------------

_DIGITS: Final = "7391824650"  # what has them in it is not given to a template
_MARK: Final = f"marker{_DIGITS}"  # one word in every reading


def _marker(constant: str, number: int) -> str:
    """A constant of the same kind that is found again, and the same in every reading."""
    kind = _kind(constant)
    if kind == "<":
        return f"<urn:{_MARK}.{number}.>"
    if kind in ('"', "'"):
        return f"{kind}{_MARK}x{number}x{kind}"
    if kind.endswith(":"):
        return f"{kind}{_MARK}x{number}x"
    return kind.replace("1", f"{_DIGITS}{number:06}")


def _template(base: str | None, text: str, start: int, distinct: list[str]) -> _Template | None:
    """The template of the shape of a text, if its constants are nothing but values."""
    tokens = lex(text)
    places = set(tokens.offsets())
    for offset, token, kind in zip(tokens.offsets(), tokens.texts, tokens.kinds, strict=False):
        if kind == STRING:
            places.update(range(offset, offset + len(token)))  # full text in the portable spelling
    if any(start + match.start() not in places for match in _CONSTANT.finditer(text[start:])):
        return None  # part of a comment, or of another token
    markers = {constant: _marker(constant, number) for number, constant in enumerate(distinct)}
    try:
        result = _prepare(text[:start] + _CONSTANT.sub(lambda match: markers[match[0]], text[start:]), base)
    except QueryError:
        return None
    leaves: dict[str, FtWords | None] = {}
    for owner, name, value in _strings((result.query, result.tuples)):
        if (type(owner), name) in _PLACES:
            leaves[value] = owner if isinstance(owner, FtWords) else leaves.get(value)
        elif _MARK in value:
            return None
    numbers: dict[str, int] = {}
    namespaces: list[str | None] = []
    for number, marker in enumerate(markers.values()):
        value, namespace = _expected(marker, leaves)
        if value not in leaves:
            return None
        numbers[value] = number
        namespaces.append(namespace)
    if any(_MARK in leaf and leaf not in numbers for leaf in leaves):
        return None
    words = [(number, owner) for value, number in numbers.items() if (owner := leaves[value]) is not None]
    return _Template(
        _builder(result.tuples, numbers),
        _builder(result.query, numbers),
        namespaces,
        words,
        frozenset(leaves.keys() - numbers.keys()),
        tokens.texts,
    )


def _expected(marker: str, leaves: dict[str, FtWords | None]) -> tuple[str, str | None]:
    """What a marker should have become, and the namespace that was put before it."""
    if marker[0] in "<\"'":
        return marker[1:-1], None
    if ":" not in marker:
        return marker, None
    local = marker[marker.index(":") + 1 :]
    value = next((leaf for leaf in leaves if leaf.endswith(local)), "")
    return value, value[: -len(local)]


_PLACES: Final = frozenset({(IRI, "value"), (Literal, "lexical"), (FtWords, "text")})


def _strings(tree: Any) -> Iterator[tuple[Any, str, str]]:
    """Every string in a tree: the node it belongs to, the name of its field, and the string."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif is_dataclass(node):
            for each in fields(node):
                value = getattr(node, each.name)
                if isinstance(value, str):
                    yield node, each.name, value
                else:
                    pending.append(value)


def _builder(result: Tree, numbers: dict[str, int]) -> Callable[[Sequence[str]], Tree]:
    """A function from the values of the constants to the tree, whose parts without constants are made once, here.

    Generated code, because a tree of fifty nodes is built in the time in which a general walk has visited ten of them.
    """
    constants: dict[str, Any] = {}
    lines: list[str] = []
    names: dict[Any, str] = {}  # equal nodes are built once

    def constant(value: Any) -> str:
        name = f"c{len(constants)}"
        constants[name] = value
        return name

    def variable(expression: str) -> str:
        lines.append(f" v{len(lines)} = {expression}")
        return f"v{len(lines) - 1}"

    def build(node: Any) -> str | None:
        """The name of a node in the generated function; None where it holds no constant of the text."""
        if isinstance(node, tuple):
            parts = [build(part) for part in node]
            if not any(parts):
                return None
            return f"({', '.join(part or constant(old) for part, old in zip(parts, node, strict=True))},)"
        if not is_dataclass(node):
            return None
        if node in names:
            return names[node]
        arguments = []
        filled = False
        for each in fields(node):
            value = getattr(node, each.name)
            number = numbers.get(value) if (type(node), each.name) in _PLACES else None
            argument = build(value) if number is None else f"values[{number}]"
            filled = filled or argument is not None
            arguments.append(argument or constant(value))
        if not filled:
            return None
        names[node] = variable(f"{constant(type(node))}({', '.join(arguments)})")
        return names[node]

    whole = build(result) or constant(result)
    source = "\n".join(
        [f"def fill(values, {', '.join(f'{name}={name}' for name in constants)}):", *lines, f" return {whole}"]
    )
    scope = dict(constants)
    exec(source, scope)
    return scope["fill"]  # type: ignore[no-any-return]
