"""Made-up words in the scripts of the world: `translated("Kori bade", "ja")` is コリ バデ.

The words are syllables of a consonant and a vowel, so each script can spell them.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Final

__all__ = ["LANGUAGES", "translated"]

_CONSONANTS: Final = "bcdfgklmnprstv"
_VOWELS: Final = "aeio"


def _letters(consonants: str, vowels: str) -> dict[str, str]:
    """A script of letters: those of the consonants, and those of the vowels, in our order."""
    return dict(zip(_CONSONANTS + _VOWELS, (*consonants.split(), *vowels.split()), strict=True))


def _katakana() -> dict[str, str]:
    rows = {
        "b": "バ ベ ビ ボ",
        "c": "ツァ ツェ ツィ ツォ",
        "d": "ダ デ ディ ド",
        "f": "ファ フェ フィ フォ",
        "g": "ガ ゲ ギ ゴ",
        "k": "カ ケ キ コ",
        "l": "ラ レ リ ロ",
        "m": "マ メ ミ モ",
        "n": "ナ ネ ニ ノ",
        "p": "パ ペ ピ ポ",
        "r": "ラ レ リ ロ",
        "s": "サ セ シ ソ",
        "t": "タ テ ティ ト",
        "v": "ヴァ ヴェ ヴィ ヴォ",
    }
    return {c + vowel: kana for c, row in rows.items() for vowel, kana in zip(_VOWELS, row.split(), strict=True)}


def _hangul() -> dict[str, str]:
    """Blocks are numbered: 588 for each first consonant, 28 for each vowel."""
    leads = dict(zip(_CONSONANTS, (7, 12, 3, 17, 0, 15, 5, 6, 2, 17, 5, 9, 16, 8), strict=True))
    vowels = dict(zip(_VOWELS, (0, 5, 20, 8), strict=True))
    return {c + v: chr(0xAC00 + lead * 588 + vowel * 28) for c, lead in leads.items() for v, vowel in vowels.items()}


_SPELLINGS: Final = {
    "ru": _letters("б ц д ф г к л м н п р с т в", "а е и о"),
    "el": _letters("μπ τσ ντ φ γκ κ λ μ ν π ρ σ τ β", "α ε ι ο"),
    "ar": _letters("ب تس د ف غ ك ل م ن ب ر س ت ف", "ا ي ي و"),
    "hi": _letters("ब च द फ ग क ल म न प र स त व", "ा े ि ो"),
    "ja": _katakana(),
    "ko": _hangul(),
}
LANGUAGES: Final = ("de", "fr", *_SPELLINGS)
"""All languages but English. German and French leave words as they are."""

_WORD: Final = re.compile(r"[^\W\d_]+")
_PIECE: Final = re.compile(f"[{_CONSONANTS}][{_VOWELS}]")


@cache
def _spelt(word: str, language: str) -> str:
    plain = "".join(each for each in unicodedata.normalize("NFD", word.lower()) if not unicodedata.combining(each))
    spelling = _SPELLINGS[language]
    if "ba" in spelling:  # of syllables
        new = _PIECE.sub(lambda found: spelling[found[0]], plain)
    else:
        new = "".join(spelling.get(letter, letter) for letter in plain)
    return new.capitalize() if word[0].isupper() else new


def translated(text: str, language: str) -> str:
    """The text with its words in the script of a language; what is no word stays."""
    if language not in _SPELLINGS:
        return text
    return _WORD.sub(lambda word: _spelt(word[0], language), text)
