"""The parts of a text where words were found, cut to a width."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

__all__ = ["Piece", "snippet"]

Piece: TypeAlias = tuple[str, bool]
"""Some text, and whether it was found."""

Span: TypeAlias = tuple[int, int]
"""Characters [start, end)."""

_ELLIPSIS = 3  # characters, with the blanks around it


def snippet(text: str, spans: Iterable[Sequence[int]], width: int) -> list[Piece]:
    """The text in pieces; if it is longer than `width`, only the words around what was found, with ellipses between.

    `spans` are the words that were found; neighbours become one piece. What does not fit is left out from the end. Only
    a word that is longer than the width makes the result longer.
    """
    line = "".join(" " if each.isspace() else each for each in text)  # as long as the text
    found = _joined(line, spans)
    if len(line) <= width:
        return _pieces(line, found, [(0, len(line))])
    if not found:
        return _pieces(line, found, [(0, _word_end(line, width - _ELLIPSIS))])
    while len(found) > 1 and _length(_pieces(line, found, found)) > width:
        found.pop()
    pieces = _pieces(line, found, found)
    for around in range(1, width):  # as much around each as fits
        wider = _pieces(line, found, list(_windows(line, found, around)))
        if _length(wider) > width:
            break
        pieces = wider
    return pieces


def _length(pieces: Iterable[Piece]) -> int:
    return sum(len(text) for text, _ in pieces)


def _joined(line: str, spans: Iterable[Sequence[int]]) -> list[Span]:
    joined: list[Span] = []
    for start, end in sorted((start, end) for start, end in spans):
        if joined and not line[joined[-1][1] : start].strip(" -"):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _windows(line: str, found: Sequence[Span], around: int) -> Iterator[Span]:
    """What was found with that many characters around, to the limits of words; what touches becomes one."""
    window: Span | None = None
    for start, end in found:
        first = 0 if start <= around else _word_start(line, start - around, start)
        last = len(line) if len(line) - end <= around else max(end, _word_end(line, end + around))
        if window is not None and first <= window[1] + _ELLIPSIS:
            first = window[0]
        elif window is not None:
            yield window
        window = first, last
    if window is not None:
        yield window


def _word_start(line: str, place: int, limit: int) -> int:
    """The first place from here on where a word starts, or the limit."""
    space = line.find(" ", max(0, place - 1), limit)
    return limit if space < 0 else space + 1


def _word_end(line: str, place: int) -> int:
    """The last place up to here where a word ends; this one if there is none."""
    space = line.rfind(" ", 0, place + 1)
    return place if space < 0 else space


def _pieces(line: str, found: Sequence[Span], windows: Sequence[Span]) -> list[Piece]:
    pieces: list[Piece] = []
    for number, (first, last) in enumerate(windows):
        pieces.append(("… " if first and not number else " … " if number else "", False))
        place = first
        for start, end in found:
            if first <= start < last:
                pieces += [(line[place:start], False), (line[start:end], True)]
                place = end
        pieces.append((line[place:last], False))
    if windows[-1][1] < len(line):
        pieces.append((" …", False))
    return [piece for piece in pieces if piece[0]]
