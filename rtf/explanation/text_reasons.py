"""Why a text does not satisfy a full-text expression, in words for the writer of the query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sparql_ft.analyser import is_pattern, pattern_matches
from sparql_ft.fulltext import Text, ft_matches, word_forms
from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords
from sparql_ft.syntax.printer import text_of

__all__ = ["text_reason"]

_SHOWN: Final = 4  # positions of a word, and operands of ftOR, that are told


def text_reason(expression: FtExpression, text: Text) -> str:
    """What fails first; the expression must not hold of the text."""
    match expression:
        case FtWords():
            return _words_reason(expression, text)
        case FtNear(operands):
            absent = _first_false(operands, text)
            return text_reason(absent, text) if absent is not None else _near_reason(expression, text)
        case FtAnd(operands):
            failing = _first_false(operands, text)
            assert failing is not None, "the expression does not hold"
            return text_reason(failing, text)
        case FtOr(operands):
            reasons = [text_reason(operand, text) for operand in operands[:_SHOWN]]
            more = len(operands) - len(reasons)
            return ", and ".join([*reasons, f"so on ({more} more)"] if more else reasons)
        case FtNot(operand):
            return f"the text satisfies {text_of(operand)}, which ftNOT forbids"


def _first_false(operands: Sequence[FtExpression], text: Text) -> FtExpression | None:
    return next((operand for operand in operands if not ft_matches(operand, text)), None)


def _words_reason(words: FtWords, text: Text) -> str:
    analysis, forms = word_forms(words)
    tokens = text.tokens(analysis)
    for form in forms:
        if is_pattern(form):
            if not any(pattern_matches(form, token) for token in tokens):
                return f'the text lacks a word like "{form}"'
        elif form not in tokens:
            kind = "a word with the stem" if words.stemming else "the word"
            return f'the text lacks {kind} "{form}"{_reading(words)}'
    return f"the text has the words of {text_of(words)}, but not one after the other"


def _reading(words: FtWords) -> str:
    """How the text was read, where that may be why a reader sees the word and we do not."""
    return " (case sensitive)" if words.case_sensitive else ""


def _near_reason(near: FtNear, text: Text) -> str:
    """Every operand occurs, but nowhere so that all the gaps are kept."""
    where = []
    for operand in dict.fromkeys(near.operands):
        starts = [str(start + 1) for start, _ in text.occurrences(operand)]
        shown = ", ".join(starts[:_SHOWN]) + (", …" if len(starts) > _SHOWN else "")
        where.append(f"{text_of(operand)} at word {shown}")
    return f"the words of {text_of(near)} are there, but not at this distance ({'; '.join(where)})"
