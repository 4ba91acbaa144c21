"""What can be wrong with a query, said so that its writer can mend it.

Every error knows its position (line and column count from 1) and shows the line with a caret under the offending place.
"""

from __future__ import annotations

__all__ = ["QueryError", "QuerySyntaxError", "UnsupportedFeatureError"]

_SHOWN = 120  # characters of an offending line that are shown; programs write queries on one line of many kilobytes


class QueryError(ValueError):
    """A query that cannot be registered. `message` says what is wrong, `hint` what to do about it."""

    def __init__(self, message: str, text: str = "", offset: int = 0, *, hint: str | None = None) -> None:
        super().__init__(message)
        offset = min(max(offset, 0), len(text))
        line_start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
        self.message = message
        self.hint = hint
        self.line = text.count("\n", 0, line_start) + 1
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


def _restore(kind: type[QueryError], args: tuple[object, ...], state: dict[str, object]) -> QueryError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


def _excerpt(text: str, line_start: int, offset: int) -> str:
    """The line around `offset` with a caret under it, cut to a width that fits a terminal."""
    if not text:
        return ""
    line_end = next((i for i in range(line_start, len(text)) if text[i] in "\r\n"), len(text))
    start = line_start if offset - line_start < _SHOWN else offset - _SHOWN // 2
    end = min(line_end, start + _SHOWN)
    lead, tail = ("…" if start > line_start else ""), ("…" if end < line_end else "")
    shown = lead + text[start:end].replace("\t", " ") + tail
    return f"  {shown}\n  {' ' * (len(lead) + offset - start)}^"
