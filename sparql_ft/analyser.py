r"""The one analyser: how a text, of a query or of a publication, becomes words.

tokens(s) is every maximal run of characters of the Unicode categories L, M and N in `NFC(s).casefold()`, by the
`unicodedata` of the running Python. A token's position is its index in that list. An `Analysis` names a way of reading
that departs from it; its options apply in the order case, diacritics, stemming:

- case sensitive: the tokens of `NFC(s)`;
- diacritics insensitive: each token after NFD, less its characters of category Mn. It is compared as it is then, not
  brought back to NFC. A token of nothing but marks becomes the empty string: it keeps its position, and equals another
  such token;
- a stemmer's language: each token after that stemmer. No stop words.

An analysis changes tokens one by one, never their number: folding makes no separator of a word character and no word
character of a separator. So positions mean the same in every reading, and spans can be told once for all. Folding may
leave NFC (U+01F0 folds to j and a combining caron); this is no matter, as both sides are folded by the same function.

Wildcards stand for characters of a token as the analysis leaves it: `?` is one code point of it. "stra?e" therefore
does not find Straße, which is folded to "strasse"; "stra??e" does. A wildcard composes with nothing, so NFC works on
what stands to its left and to its right separately: "e?" does not find é. `\*` and `\?` are separators, as any other
`\` is, and as every `*` and `?` is in a string without wildcards; a second backslash takes nothing back.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import groupby
from typing import Final
from unicodedata import category, combining, decomposition, normalize

__all__ = [
    "DEFAULT",
    "STEMMER_LANGUAGES",
    "Analysis",
    "analyse",
    "composing_characters",
    "is_pattern",
    "pattern_matches",
    "stemmer_language",
    "token_spans",
    "tokens",
    "wildcard_patterns",
]

STEMMER_LANGUAGES: Final = {
    "ar": "arabic",
    "da": "danish",
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fi": "finnish",
    "fr": "french",
    "hu": "hungarian",
    "it": "italian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
}
"""The languages that can be stemmed: ISO 639-1 code -> the name of NLTK's Snowball stemmer (also the English name)."""

_CODES: Final = {name: code for code, name in STEMMER_LANGUAGES.items()} | {"nb": "no", "nn": "no"}
_CACHED_STEMS: Final = 1 << 18  # about 40 MB when full; the vocabulary of a dump has a long tail that need not stay


@dataclass(frozen=True, slots=True)
class Analysis:
    """A way of reading a text. `language` is the code of a stemmer, None where nothing is stemmed."""

    case_sensitive: bool = False
    diacritics_insensitive: bool = False
    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None and self.language not in STEMMER_LANGUAGES:
            raise ValueError(f"no stemmer for {self.language!r}; there are {', '.join(STEMMER_LANGUAGES)}")


DEFAULT: Final = Analysis()


def stemmer_language(name: str) -> str | None:
    """The code of a language given by code or English name, in any case; None if there is no stemmer for it."""
    key = name.lower()
    return key if key in STEMMER_LANGUAGES else _CODES.get(key)


# --- reading --------------------------------------------------------------------------------------------------------

_ASCII_WORD: Final = re.compile("[0-9A-Za-z]+")
_ASTRAL: Final = re.compile("[\U00010000-\U0010ffff]")


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    if text.isascii():  # NFC changes nothing here, and lower() is casefold()
        return _ASCII_WORD.findall(text.lower())
    folded = normalize("NFC", text).casefold()
    return _words_of(folded).findall(folded)


def analyse(text: str, analysis: Analysis = DEFAULT) -> list[str]:
    """The tokens of a text as the analysis compares them; position by position those of `tokens`."""
    if not analysis.case_sensitive:
        words = tokens(text)
    elif text.isascii():
        words = _ASCII_WORD.findall(text)
    else:
        composed = normalize("NFC", text)
        words = _words_of(composed).findall(composed)
    return _after_splitting(words, analysis)


def _after_splitting(words: list[str], analysis: Analysis) -> list[str]:
    """The options that work on a word alone."""
    if analysis.diacritics_insensitive:
        words = [_without_marks(word) for word in words]
    if analysis.language is not None:
        words = [_stem(word, analysis.language) for word in words]
    return words


def _without_marks(word: str) -> str:
    if word.isascii():
        return word
    return "".join(c for c in normalize("NFD", word) if category(c) != "Mn")


@lru_cache(_CACHED_STEMS)
def _stem(word: str, language: str) -> str:
    # NLTK takes half a second to import, and most queries are not stemmed.
    from nltk.stem.snowball import SnowballStemmer

    # A new stemmer for every word: the Arabic one remembers what it did to the word before, and no two threads may
    # share one. Building it costs a tenth of a stemming.
    stem: str = SnowballStemmer(STEMMER_LANGUAGES[language]).stem(word)
    return stem


def _words_of(text: str, wildcards: str = "") -> re.Pattern[str]:
    """The pattern of a word that will do for this text.

    `re` keeps the classes of the lower 65,536 characters as a bitmap, but tries the hundreds of ranges above one by
    one, at every space. So texts that have no character there, nearly all, go by a pattern that knows none: ten times
    as fast.
    """
    if text.isascii():
        return _word_pattern(0x80, wildcards)
    return _word_pattern(0x10000 if _ASTRAL.search(text) is None else sys.maxunicode + 1, wildcards)


@cache
def _word_pattern(end: int, wildcards: str) -> re.Pattern[str]:
    r"""Runs of word characters below the code point `end`, and of the given wildcards; `\w` has `_`, and lacks M."""
    return re.compile(f"[{wildcards}{_ranges(c for c in range(end) if category(chr(c))[0] in 'LMN')}]+")


def _ranges(code_points: Iterable[int]) -> str:
    """Code points in ascending order, as the inside of a character class."""
    runs = (list(run) for _, run in groupby(enumerate(code_points), lambda pair: pair[1] - pair[0]))
    return "".join(f"\\U{run[0][1]:08x}-\\U{run[-1][1]:08x}" for run in runs)


# --- wildcards ------------------------------------------------------------------------------------------------------


def wildcard_patterns(text: str, analysis: Analysis = DEFAULT) -> list[str]:
    """The words of a string `using wildcards`, as the analysis compares them.

    No token has a `*` or a `?` in it, so these stand for themselves: a word with one of them is a pattern for
    `pattern_matches`, any other is a form to be equal to.
    """
    composed = normalize("NFC", re.sub(r"\\[*?]", " ", text))
    folded = composed if analysis.case_sensitive else composed.casefold()
    words: list[str] = _words_of(folded, "*?").findall(folded)
    return [re.sub(r"\*+", "*", word) for word in _after_splitting(words, analysis)]


def is_pattern(form: str) -> bool:
    """Whether a word of a query string has a wildcard in it."""
    return "*" in form or "?" in form


def pattern_matches(pattern: str, token: str) -> bool:
    """Whether a pattern covers a whole token, in time that grows with the product of their lengths at worst."""
    return _pattern_regex(pattern).fullmatch(token) is not None


@lru_cache(1 << 14)
def _pattern_regex(pattern: str) -> re.Pattern[str]:
    """Each piece between two stars is taken where it first fits and not tried again (an atomic group).

    A later place would leave less room for what follows, so this loses nothing; plain `.*` would try all of them, which
    is exponential in the number of stars. The last piece has to stand at the end.
    """
    first, *rest = (re.escape(piece).replace(r"\?", ".") for piece in pattern.split("*"))
    if not rest:
        return re.compile(first, re.DOTALL)
    *middle, last = rest
    return re.compile(f"{first}{''.join(f'(?>.*?{piece})' for piece in middle)}.*{last}", re.DOTALL)


# --- where a token stood --------------------------------------------------------------------------------------------


def token_spans(text: str) -> list[tuple[int, int]]:
    """Where each token, in whatever reading, came from: the characters [start, end) of the text as written.

    NFC and folding change lengths. Both work piece by piece: folding on each character alone, NFC on each segment, that
    is a character together with those after it that may combine with it. So every folded character is traced back to
    its character, or, in a segment that NFC changes, to the whole segment; a token spans what its characters came from.
    Each span alone reads as its token, and spans are disjoint, as a segment has no separator except in front.
    """
    if text.isascii():
        return [match.span() for match in _ASCII_WORD.finditer(text)]
    folded: list[str] = []
    origins: list[tuple[int, int]] = []  # of each folded character
    for start, end in _pieces(text):
        piece = normalize("NFC", text[start:end]).casefold()
        folded.append(piece)
        origins += [(start, end)] * len(piece)
    whole = "".join(folded)
    return [(origins[m.start()][0], origins[m.end() - 1][1]) for m in _words_of(whole).finditer(whole)]


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """The smallest spans of a text that NFC treats independently: segments it changes, characters of the others."""
    for match in _segment_pattern().finditer(text):
        start, end = match.span()
        if normalize("NFC", match[0]) == match[0]:
            yield from ((i, i + 1) for i in range(start, end))
        else:
            yield start, end


@cache
def _segment_pattern() -> re.Pattern[str]:
    """A character and those after it that may combine with what stands before them."""
    return re.compile(f"(?s:.)[{_ranges(sorted(map(ord, composing_characters())))}]*")


@cache
def composing_characters() -> frozenset[str]:
    """The characters that NFC may combine with what stands before them.

    These are the ones whose decomposition begins with a combining character (one of a combining class other than 0) or
    with the second half of some composition; the latter include the vowels and final consonants of Hangul, which
    Unicode composes by arithmetic and `decomposition` does not list.
    """
    everything = list(map(chr, range(sys.maxunicode + 1)))
    canonical = {c: parts.split() for c in everything if (parts := decomposition(c)) and not parts.startswith("<")}
    joining = {chr(int(parts[1], 16)) for parts in canonical.values() if len(parts) > 1}
    joining.update(map(chr, (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))))
    joining.update(c for c in everything if combining(c))
    joining |= {c for c in canonical if normalize("NFD", c)[0] in joining}
    return frozenset(joining)
