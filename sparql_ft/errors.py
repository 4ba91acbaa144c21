"""What can be wrong with a query, or with a set of queries, said so that its writer can mend it.

Every error of a query knows its position (line and column count from 1) and shows the line with a caret under the
offending place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

__all__ = [
    "DuplicateQueryError",
    "QueryError",
    "QuerySyntaxError",
    "RegistrationError",
    "UnknownQueryError",
    "UnsupportedFeatureError",
    "quoted",
]

_SHOWN = 120  # characters of an offending line that are shown; programs write queries on one line of many kilobytes
_QUOTED = 40  # characters of an offending word or string that a message repeats
_LINE_END = re.compile(r"[\r\n]|\Z")


class QueryError(ValueError):
    """A query that cannot be registered. `message` says what is wrong, `hint` what to do about it."""

    def __init__(self, message: str, text: str = "", offset: int = 0, *, hint: str | None = None) -> None:
        super().__init__(message)
        offset = min(max(offset, 0), len(text))
        line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
        self.message = message
        self.hint = hint
        # A line ends with LF, with CR, or with both, which is one end.
        ends = text.count("\n", 0, line_start) + text.count("\r", 0, line_start) - text.count("\r\n", 0, line_start)
        self.line = ends + 1
        self.column = offset - line_start + 1
        self.excerpt = _excerpt(text, line_start, offset)

    def __str__(self) -> str:
        lines = [f"line {self.line}, column {self.column}: {self.message}"]
        if self.excerpt:
            lines.append(self.excerpt)
        if self.hint:
            lines.append(self.hint)
        return "\n".join(lines)

    def __reduce__(self) -> tuple[object, ...]:
        # Exceptions are pickled by their `args`; ours carry more, and Spark sends them between processes.
        return (_restore, (type(self), self.args, self.__dict__))


class QuerySyntaxError(QueryError):
    """The text is not a query of this language. `expected` lists what could have stood at the position."""

    def __init__(
        self,
        message: str,
        text: str = "",
        offset: int = 0,
        *,
        hint: str | None = None,
        expected: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, text, offset, hint=hint)
        self.expected = expected


class UnsupportedFeatureError(QueryError):
    """The text is SPARQL, but uses a `construct` that a standing query cannot have."""

    def __init__(self, construct: str, text: str = "", offset: int = 0, *, hint: str | None = None) -> None:
        super().__init__(f"{construct} is not supported in a standing query", text, offset, hint=hint)
        self.construct = construct


# --- a set of queries, each with an id: the same errors from every matcher --------------------------------------------


class DuplicateQueryError(ValueError):
    """The id belongs to a query with another text."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:
        return f"there is a query {self.id!r} already, with another text; choose another id, or pass replace=True"


class UnknownQueryError(KeyError):
    """No query has this id."""

    def __init__(self, id: str) -> None:
        super().__init__(id)
        self.id = id

    def __str__(self) -> str:
        return f"there is no query {self.id!r}"


class RegistrationError(ValueError):
    """Of many queries some cannot be registered, so none was. `errors` tells which and why."""

    def __init__(self, errors: Mapping[str, QueryError | DuplicateQueryError], total: int) -> None:
        super().__init__(errors, total)
        self.errors = dict(errors)
        self.total = total

    def __str__(self) -> str:
        lines = [f"{len(self.errors)} of {self.total} queries cannot be registered; none was"]
        lines += [f"{id}: {error}" for id, error in self.errors.items()]
        return "\n".join(lines)


# --- messages ---------------------------------------------------------------------------------------------------------


def _restore(kind: type[QueryError], args: tuple[object, ...], state: dict[str, object]) -> QueryError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def quoted(text: str) -> str:
    """A part of a query as messages repeat it: on one line, and not all of it where it is long."""
    if len(text) > _QUOTED:
        text = text[: _QUOTED - 1] + "…"
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def _excerpt(text: str, line_start: int, offset: int) -> str:
    """The line around `offset` with a caret under it, cut to a width that fits a terminal."""
    if not text:
        return ""
    start = line_start if offset - line_start < _SHOWN else offset - _SHOWN // 2
    line_end = _LINE_END.search(text, start)
    assert line_end is not None  # the text ends
    end = min(line_end.start(), start + _SHOWN)
    before = ("…" if start > line_start else "") + _plain(text[start:offset])
    after = _plain(text[offset:end]) + ("…" if end < line_end.start() else "")
    return f"  {before}{after}\n  {' ' * sum(map(_width, before))}^"


def _plain(text: str) -> str:
    """The text with one visible character for each that is none."""
    return "".join(c if c.isprintable() else " " if c == "\t" else "\ufffd" for c in text)


def _width(character: str) -> int:
    """How many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
