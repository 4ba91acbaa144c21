"""Parts of a text around words that were found."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtf.cli.snippets import snippet

TEXT = "The quick brown fox jumps over the lazy dog and runs back home through the dark wood"


def spans(text: str, *words: str) -> list[tuple[int, int]]:
    """Where the words are."""
    return [found.span() for word in words for found in re.finditer(rf"\b{word}\b", text)]


def shown(text: str, words: str, width: int) -> str:
    """The snippet, with marks."""
    pieces = snippet(text, spans(text, *words.split()), width)
    return "".join(f"«{piece}»" if found else piece for piece, found in pieces)


@pytest.mark.parametrize(
    ("words", "width", "expected"),
    [
        ("fox", 100, TEXT.replace("fox", "«fox»")),
        ("quick brown", 100, TEXT.replace("quick brown", "«quick brown»")),
        ("dog", 25, "… the lazy «dog» and runs …"),
        ("The", 20, "«The» quick brown …"),
        ("wood", 20, "… the dark «wood»"),
        ("fox wood", 40, "… brown «fox» jumps over … the dark «wood»"),
        ("quick fox dog wood", 30, "… «quick» … «fox» … «dog» … «wood»"),
        ("quick fox dog wood", 22, "… «quick» … «fox» … «dog» …"),
        ("", 20, "The quick brown …"),
    ],
)
def test_snippet(words: str, width: int, expected: str) -> None:
    """All of it if it fits, else what surrounds the words."""
    assert shown(TEXT, words, width) == expected


def test_neighbours() -> None:
    """Words that follow each other are one, also with a hyphen or a line end between; a comma separates."""
    assert shown("a cable-stayed\nbridge, long", "cable stayed bridge long", 50) == "a «cable-stayed bridge», «long»"


@given(st.text("ab ,\n", max_size=80), st.integers(10, 60), st.data())
def test_any(text: str, width: int, data: st.DataObject) -> None:
    """No snippet is wider than asked for if words are short, all pieces are from the text, the first word is shown."""
    words = [found.span() for found in re.finditer("[ab]+", text) if len(found[0]) <= 4]
    chosen = data.draw(st.lists(st.sampled_from(words), unique=True)) if words else []
    pieces = snippet(text, chosen, width)
    line = text.replace("\n", " ")
    plain = "".join(piece for piece, _ in pieces)
    assert all(part.strip() in line for part in plain.split("…"))
    found = [piece for piece, is_found in pieces if is_found]
    if chosen:
        start, end = min(chosen)
        assert found[0].startswith(line[start:end])
    else:
        assert not found
    if len(line) <= width:
        assert plain == line
    elif all(end - start <= 4 for start, end in chosen[:1]) and not re.search("[^ ]{5}", line):
        assert len(plain) <= width
