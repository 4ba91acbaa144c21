"""Errors: position, excerpt and caret, and their way to another process."""

from __future__ import annotations

import copy
import pickle

import pytest

from sparql_ft import QueryError, QuerySyntaxError, UnsupportedFeatureError, parse
from sparql_ft.errors import quoted


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends(end: str) -> None:
    """A line ends with LF, CR, or both, as SPARQL has it; the excerpt is the one line."""
    text = end.join(["SELECT *", "", "{", "  ?s ?p %", "}"])
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert str(caught.value) == "line 4, column 9: unexpected character '%'\n    ?s ?p %\n          ^"


def test_mixed_line_ends() -> None:
    """CR LF is one end, LF CR are two."""
    assert QueryError("", "a\r\nb\n\rc\rd", 8).line == 5


def test_tabs_are_one_column() -> None:
    """A tab counts as one character and is shown as one space, so that the caret stays under its token."""
    error = QueryError("wrong", "\t\ta\tb", 4)
    assert str(error) == "line 1, column 5: wrong\n    a b\n      ^"


@pytest.mark.parametrize(
    ("text", "offset", "excerpt"),
    [
        ("日本 x", 3, "  日本 x\n       ^"),
        ("e\u0301te\u0301 x", 6, "  e\u0301te\u0301 x\n      ^"),
        ("é x", 2, "  é x\n    ^"),
        ("\x1b[31m\x85\u2028 x", 8, "  \ufffd[31m\ufffd\ufffd x\n          ^"),
        ("\ud800 x", 2, "  \ufffd x\n    ^"),
        ("a\0b x", 4, "  a\ufffdb x\n      ^"),
    ],
)
def test_caret_under_what_the_terminal_shows(text: str, offset: int, excerpt: str) -> None:
    """Wide characters take two columns, combining ones none, and what cannot be printed is shown as one that can."""
    assert QueryError("wrong", text, offset).excerpt == excerpt


@pytest.mark.parametrize("offset", [0, 10, 119, 120, 500, 999, 1000])
def test_long_lines_are_cut(offset: int) -> None:
    """Programs write queries on one line; what is around the place is shown, and the caret is right."""
    text = "".join(chr(ord("a") + i % 26) for i in range(1000))
    shown, caret = QueryError("wrong", f"first\n{text}\nlast", 6 + offset).excerpt.split("\n")
    assert len(shown) <= 125
    pointed = shown[caret.index("^") :][:1]
    assert pointed == text[offset : offset + 1]
    assert shown.strip("… ") in text
    assert shown.startswith("  …") == (offset >= 120)
    assert shown.endswith("…") == (offset < 930)


def test_a_short_line_of_a_long_text_is_shown_whole() -> None:
    """Only its own line counts."""
    text = "x" * 500 + "\nshort\n" + "y" * 500
    assert QueryError("wrong", text, 503).excerpt == "  short\n    ^"


@pytest.mark.parametrize("offset", [-5, 0, 3, 4, 100])
def test_offsets_outside_of_the_text(offset: int) -> None:
    """A place outside is the nearest one inside."""
    error = QueryError("wrong", "abc", offset)
    assert (error.line, error.column) == (1, min(max(offset, 0), 3) + 1)


def test_without_text() -> None:
    """Some errors have no place; there is nothing to show then."""
    assert str(QueryError("wrong", hint="Do it right.")) == "line 1, column 1: wrong\nDo it right."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a", "a"),
        ("a" * 40, "a" * 40),
        ("a" * 41, "a" * 39 + "…"),
        ("a\nb\t\x1b", "a\\nb\\t\\x1b"),
        ("\ud800", "\\ud800"),
    ],
)
def test_quoted(text: str, shown: str) -> None:
    """Messages stay short, on one line, and can be printed."""
    assert quoted(text) == shown


@pytest.mark.parametrize(
    "text", ["ASK { ?s ?p ftNEER", "ASK { ?s dbo:p 1 }", "ASK { } LIMIT 3", "ASK { ?s ?p '\ud800' }"]
)
@pytest.mark.parametrize("copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_pickle(text: str, copied: object) -> None:
    """Spark sends errors between processes; all they say arrives, and can be written as UTF-8."""
    with pytest.raises(QueryError) as caught:
        parse(text)
    error = caught.value
    assert callable(copied)
    again = copied(error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)
    assert again.args == error.args
    assert str(error).encode("utf-8").decode("utf-8") == str(again)


def test_kinds_of_errors() -> None:
    """Both are ValueErrors, and one kind to catch."""
    assert issubclass(QuerySyntaxError, QueryError)
    assert issubclass(UnsupportedFeatureError, QueryError)
    assert issubclass(QueryError, ValueError)
    assert not issubclass(UnsupportedFeatureError, QuerySyntaxError)
