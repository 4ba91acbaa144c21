"""A second reading of the table of full-text expressions: slow, literal, and without a line of the first one.

Characters are looked at one by one, all choices of occurrences are enumerated. Only the syntax tree is shared.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import pairwise, product

from nltk.stem.snowball import SnowballStemmer

from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords

LANGUAGES = {"en": "english", "de": "german", "fr": "french", "ar": "arabic"}


def runs(text: str, also: str = "") -> list[str]:
    """The maximal runs of characters of the categories L, M and N, and of those in `also`."""
    found, run = [], ""
    for character in text:
        if unicodedata.category(character).startswith(("L", "M", "N")) or character in also:
            run += character
        elif run:
            found.append(run)
            run = ""
    return [*found, run] if run else found


def plain_tokens(text: str) -> list[str]:
    """The definition of tokens(s), word for word."""
    return runs(unicodedata.normalize("NFC", text).casefold())


def read(text: str, words: FtWords, also: str = "") -> list[str]:
    """The words of a text as compared under the options of a string."""
    text = unicodedata.normalize("NFC", text)
    if not words.case_sensitive:
        text = text.casefold()
    found = runs(text, also)
    if words.diacritics_insensitive:
        decomposed = [unicodedata.normalize("NFD", word) for word in found]
        found = ["".join(c for c in word if unicodedata.category(c) != "Mn") for word in decomposed]
    if words.stemming:
        found = [SnowballStemmer(LANGUAGES[words.language]).stem(word) for word in found]
    return found


def asked(words: FtWords) -> list[str]:
    """The words of a query string."""
    if not words.wildcards:
        return read(words.text, words)
    return read(words.text.replace("\\*", " ").replace("\\?", " "), words, "*?")


def covers(pattern: str, token: str) -> bool:
    """Whether a pattern stands for a token, by the definition of its first character."""
    if not pattern:
        return not token
    if pattern[0] == "*":
        return any(covers(pattern[1:], token[i:]) for i in range(len(token) + 1))
    return bool(token) and pattern[0] in ("?", token[0]) and covers(pattern[1:], token[1:])


def places(words: FtWords, text: str) -> list[tuple[int, int]]:
    """All occurrences: first position, and the position after the last."""
    wanted, tokens = asked(words), read(text, words)
    return [
        (start, start + len(wanted))
        for start in range(len(tokens) - len(wanted) + 1)
        if all(covers(pattern, tokens[start + i]) for i, pattern in enumerate(wanted))
    ]


def choices(near: FtNear, text: str) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every choice of one occurrence an operand that keeps all the gaps."""
    for choice in product(*(places(operand, text) for operand in near.operands)):
        between = [after[0] - before[1] for before, after in pairwise(choice)]
        if all(
            least <= gap and (most is None or gap <= most)
            for gap, (least, most) in zip(between, near.gaps, strict=True)
        ):
            yield choice


def satisfies(text: str, expression: FtExpression) -> bool:
    """Whether the text satisfies the expression."""
    if isinstance(expression, FtWords):
        return places(expression, text) != []
    if isinstance(expression, FtNear):
        return any(True for _ in choices(expression, text))
    if isinstance(expression, FtNot):
        return not satisfies(text, expression.operand)
    results = [satisfies(text, operand) for operand in expression.operands]
    assert isinstance(expression, FtAnd | FtOr)
    return False not in results if isinstance(expression, FtAnd) else True in results


def marks(text: str, expression: FtExpression) -> set[int]:
    """The positions to be highlighted: all that make a true expression true, of ftNEAR the choice that ends first.

    Among those, from the last operand backward, the nearest. Nothing under ftNOT, nothing that is false.
    """
    if not satisfies(text, expression) or isinstance(expression, FtNot):
        return set()
    if isinstance(expression, FtAnd | FtOr):
        return {position for operand in expression.operands for position in marks(text, operand)}
    if isinstance(expression, FtNear):
        found = min(choices(expression, text), key=lambda one: (one[-1][0], *(-start for start, _ in one[-2::-1])))
    else:
        found = tuple(places(expression, text))
    return {position for start, end in found for position in range(start, end)}
