"""What a full-text expression means on a text: whether it holds, where its words occur, and which tokens made it true.

Written to be read, one case for each form of expression; an index finds candidates faster, but may never decide
otherwise. The text is a literal's lexical form. Positions count its tokens from 0, the same in every reading of it (see
`analyser`); an occurrence is a pair [start, end) of positions.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from sparql_ft.analyser import (
    DEFAULT,
    STEMMER_LANGUAGES,
    Analysis,
    analyse,
    is_pattern,
    pattern_matches,
    stemmer_language,
    token_spans,
    tokens,
    wildcard_patterns,
)
from sparql_ft.errors import quoted
from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords

__all__ = [
    "Occurrence",
    "Text",
    "check_words",
    "ft_matches",
    "highlight_spans",
    "highlights",
    "occurrences",
    "word_forms",
]

Occurrence: TypeAlias = tuple[int, int]


# --- the words of a query ---------------------------------------------------------------------------------------------


def check_words(words: FtWords) -> str | None:
    """What is wrong with a string and its options, as a message for their writer; None if nothing is."""
    if words.stemming and words.wildcards:
        return "`using stemming` and `using wildcards` do not go together: a pattern has no stem"
    if words.stemming and words.case_sensitive:
        return "`using stemming` and `using case sensitive` do not go together: stems are in lower case"
    if stemmer_language(words.language) is None:
        known = ", ".join(f"{code} ({name.capitalize()})" for code, name in STEMMER_LANGUAGES.items())
        return f'there is no stemmer for the language "{quoted(words.language)}"; there are: {known}'
    if not word_forms(words)[1]:
        return f'the string "{quoted(words.text)}" has no word: it needs a letter or a digit' + (
            ", or a wildcard that is not escaped" if words.wildcards else ""
        )
    return None


def word_forms(words: FtWords) -> tuple[Analysis, tuple[str, ...]]:
    """How a text is to be read for these words, and what its tokens must be, one after the other, in that reading.

    A form with a `*` or a `?` in it is a pattern (`is_pattern`), any other is equal to the token.
    """
    if words.wildcards or words.stemming or words.case_sensitive or words.diacritics_insensitive:
        return _word_forms(words)
    return DEFAULT, tuple(tokens(words.text))


@lru_cache(1 << 14)
def _word_forms(words: FtWords) -> tuple[Analysis, tuple[str, ...]]:
    """The same for words with options."""
    analysis = Analysis(
        case_sensitive=words.case_sensitive,
        diacritics_insensitive=words.diacritics_insensitive,
        language=stemmer_language(words.language) if words.stemming else None,
    )
    read = wildcard_patterns if words.wildcards else analyse
    return analysis, tuple(read(words.text, analysis))


# --- the text ---------------------------------------------------------------------------------------------------------


class Text:
    """A text that is analysed at most once for each way of reading it; for those who ask about it several times."""

    __slots__ = ("_readings", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._readings: dict[Analysis, list[str]] = {}

    def tokens(self, analysis: Analysis = DEFAULT) -> list[str]:
        """Its tokens as the analysis compares them; not to be changed."""
        found = self._readings.get(analysis)
        if found is None:
            found = self._readings[analysis] = analyse(self._text, analysis)
        return found

    def occurrences(self, words: FtWords) -> Iterator[Occurrence]:
        """Where the words stand one after the other, by ascending position. Occurrences may overlap."""
        analysis, forms = word_forms(words)
        tokens = self.tokens(analysis)
        first, rest = forms[0], forms[1:]
        for start in _positions(first, tokens, len(tokens) - len(rest)):
            if all(_fits(form, tokens[start + i]) for i, form in enumerate(rest, 1)):
                yield start, start + len(forms)


def _positions(form: str, tokens: list[str], end: int) -> Iterator[int]:
    """The positions before `end` of tokens that a form fits."""
    if is_pattern(form):
        yield from (i for i in range(end) if pattern_matches(form, tokens[i]))
        return
    i = -1
    try:
        while True:  # list.index compares at the speed of C
            yield (i := tokens.index(form, i + 1, max(end, 0)))
    except ValueError:
        return


def _fits(form: str, token: str) -> bool:
    return pattern_matches(form, token) if is_pattern(form) else form == token


# --- meaning ----------------------------------------------------------------------------------------------------------


def ft_matches(expression: FtExpression, text: str | Text) -> bool:
    """Whether the text satisfies the expression."""
    return _holds(expression, Text(text) if isinstance(text, str) else text)


def occurrences(words: FtWords, text: str) -> list[Occurrence]:
    """Where the words of one string, with its options, occur in the text."""
    return list(Text(text).occurrences(words))


def highlights(expression: FtExpression, text: str) -> list[int]:
    """The positions of the tokens that make the expression true, ascending; none if it is false.

    These are all occurrences of every string that counts: not what stands under ftNOT, nor operands of ftOR that are
    false. ftNEAR marks one choice of occurrences, namely that which ends first, and is densest from there backwards.
    """
    return sorted(_marks(expression, Text(text)) or ())


def highlight_spans(expression: FtExpression, text: str) -> list[tuple[int, int]]:
    """The same as characters [start, end) of the text as written, a span for each token."""
    marked = highlights(expression, text)
    if not marked:
        return []
    spans = token_spans(text)
    return [spans[position] for position in marked]


def _holds(expression: FtExpression, text: Text) -> bool:
    """Truth alone, which may stop early. Calls itself once a level of nesting, not once an operand."""
    match expression:
        case FtWords():
            return next(text.occurrences(expression), None) is not None
        case FtNear():
            return _chain(expression, text) is not None
        case FtNot():
            return not _holds(expression.operand, text)
        case FtAnd():
            return all(_holds(operand, text) for operand in expression.operands)
        case FtOr():
            return any(_holds(operand, text) for operand in expression.operands)


def _marks(expression: FtExpression, text: Text) -> set[int] | None:
    """The marked positions of a true expression; None for a false one."""
    match expression:
        case FtWords():
            return _covered(list(text.occurrences(expression)))
        case FtNear():
            return _covered(_chain(expression, text) or [])
        case FtNot():
            return None if _holds(expression.operand, text) else set()
        case FtAnd():
            union: set[int] = set()
            for operand in expression.operands:
                marks = _marks(operand, text)
                if marks is None:
                    return None
                union |= marks
            return union
        case FtOr():
            true = [marks for operand in expression.operands if (marks := _marks(operand, text)) is not None]
            return set().union(*true) if true else None


def _covered(found: list[Occurrence]) -> set[int] | None:
    return {position for start, end in found for position in range(start, end)} or None


def _chain(near: FtNear, text: Text) -> list[Occurrence] | None:
    """One choice of occurrences, an operand each, that keeps all the gaps; None if there is none.

    Operand by operand, keep the occurrences that some choice for the operands before leads up to, and for each the
    nearest occurrence it can follow. Occurrences of one operand all have the same length, so they ascend by start and
    by end alike: if the nearest one that is far enough is too far, all are. n log n in the number of occurrences.
    """
    first, *others = near.operands
    # reached[i] = what operand i can be: occurrence -> the occurrence of operand i-1 that it follows
    reached: list[dict[Occurrence, Occurrence | None]] = [dict.fromkeys(text.occurrences(first))]
    for operand, (least, most) in zip(others, near.gaps, strict=True):
        before = list(reached[-1])
        if not before:
            return None
        ends = [end for _, end in before]
        following: dict[Occurrence, Occurrence | None] = {}
        for start, end in text.occurrences(operand):
            nearest = bisect_right(ends, start - least) - 1
            if nearest >= 0 and (most is None or start - ends[nearest] <= most):
                following[start, end] = before[nearest]
        reached.append(following)
    link = next(iter(reached[-1]), None)
    chosen: list[Occurrence] = []
    for step in reversed(reached):
        if link is None:
            return None
        chosen.append(link)
        link = step[link]
    return chosen[::-1]
