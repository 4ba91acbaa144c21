"""The words that a text must have for a full-text expression to hold: what a trie path is made of.

A cover is a disjunction of word sets. It is sound: a text that satisfies the expression has all words of some set. It
is exact where having them is also enough, as for ftAND and ftOR of single words; otherwise (phrases, ftNEAR, wildcards,
ftNOT) the expression is checked on the texts that the words let through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sparql_ft.analyser import Analysis, is_pattern
from sparql_ft.fulltext import word_forms
from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords

__all__ = ["Cover", "Word", "cover"]

# ftAND of ftORs multiplies. Beyond this many words in all sets together, and twice those of its operands, the best
# operand is indexed alone.
MAX_WORDS: Final = 256


@dataclass(frozen=True, slots=True)
class Word:
    """A token as it is compared in one way of reading a text."""

    form: str
    analysis: Analysis


@dataclass(frozen=True, slots=True)
class Cover:
    """Word sets, of which one must be in the text. An empty set is in every text."""

    sets: tuple[tuple[Word, ...], ...]
    exact: bool


_EVERYTHING: Final = Cover(((),), exact=False)


def cover(expression: FtExpression) -> Cover:
    """The words that an expression requires.

    >>> from sparql_ft.nodes import FtAnd, FtOr, FtWords
    >>> found = cover(FtAnd((FtWords("Rio"), FtOr((FtWords("olympic games"), FtWords("sports"))))))
    >>> [[word.form for word in words] for words in found.sets], found.exact
    ([['rio', 'olympic', 'games'], ['rio', 'sports']], False)
    """
    return _cover(expression, positive=True)


def _cover(expression: FtExpression, *, positive: bool) -> Cover:
    """Of the expression, or of its negation: De Morgan's laws bring every ftNOT down to the strings."""
    match expression:
        case FtNot(operand):
            return _cover(operand, positive=not positive)
        case FtAnd(operands) | FtOr(operands):
            covers = [_cover(operand, positive=positive) for operand in operands]
            return _all(covers) if isinstance(expression, FtAnd) == positive else _any(covers)
        case _ if not positive:
            return _EVERYTHING  # the absence of a word is nothing to look up
        case FtWords():
            return _words((expression,))
        case FtNear(operands):
            return _words(operands)


def _words(operands: Sequence[FtWords]) -> Cover:
    """All words of all strings must be there; a single one, without a wildcard, is all there is to it."""
    readings = [(analysis, form) for analysis, forms in map(word_forms, operands) for form in forms]
    words = dict.fromkeys(Word(form, analysis) for analysis, form in readings if not is_pattern(form))
    return Cover((tuple(words),), exact=len(readings) == 1 and len(words) == 1)


def _any(covers: Sequence[Cover]) -> Cover:
    sets = tuple(dict.fromkeys(words for each in covers for words in each.sets))
    if () in sets:
        return _EVERYTHING
    return Cover(sets, all(each.exact for each in covers))


def _all(covers: Sequence[Cover]) -> Cover:
    """Sets multiply; where that would be too much, the best of the covers stands for all.

    Covers of one set come first and together, because each step copies its result.
    """
    single = [each for each in covers if len(each.sets) == 1]
    common = dict.fromkeys(word for each in single for word in each.sets[0])
    result = Cover((tuple(common),), all(each.exact for each in single))
    for each in covers:
        if len(each.sets) == 1:
            continue
        words, more = sum(map(len, result.sets)), sum(map(len, each.sets))
        if words * len(each.sets) + more * len(result.sets) > max(MAX_WORDS, 2 * (words + more)):
            result = Cover(min(result.sets, each.sets, key=_weakness), exact=False)
        else:
            product = (tuple(dict.fromkeys((*a, *b))) for a in result.sets for b in each.sets)
            result = Cover(tuple(dict.fromkeys(product)), result.exact and each.exact)
    return result


def _weakness(sets: tuple[tuple[Word, ...], ...]) -> tuple[bool, int]:
    return () in sets, len(sets)
