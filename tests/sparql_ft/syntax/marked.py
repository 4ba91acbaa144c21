"""Wrong queries with a mark `▲` where the error should point, and what its text should be as a whole."""

from __future__ import annotations

from sparql_ft import QueryError, parse

__all__ = ["complaint", "complaint_of", "refusal"]


def refusal(marked: str) -> QueryError:
    """The error that parsing the text, without its mark, raises."""
    try:
        query = parse(marked.replace("▲", ""))
    except QueryError as error:
        return error
    raise AssertionError(f"it was parsed: {query}")


def complaint(marked: str) -> str:
    """What a user gets to read."""
    return str(refusal(marked))


def complaint_of(marked: str, message: str, hint: str | None = None) -> str:
    """What a user should get to read, for a text of one line."""
    column = marked.index("▲")
    lines = [
        f"line 1, column {column + 1}: {message}",
        f"  {marked.replace('▲', '')}",
        f"  {' ' * column}^",
        *([] if hint is None else [hint]),
    ]
    return "\n".join(lines)
