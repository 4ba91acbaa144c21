"""Which texts the kernel can read by itself, and how it folds their characters.

Reading a text in the default way is `NFC(s).casefold()` and its runs of letters, marks and numbers. For a *simple*
character that is a matter of the character alone: NFC leaves it as it is and combines it with nothing, and it folds to
one character that takes as many bytes in UTF-8. A text of nothing else is read by a table; all others are read by
`analyser.tokens`. A property test holds that both agree.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final
from unicodedata import category, combining, normalize

import numpy as np

from rtf.compiled.sections import Int32s
from sparql_ft.analyser import composing_characters

__all__ = ["fold_table", "is_simple"]

END: Final = 0x10000  # the table ends here, and so do simple characters


@cache
def fold_table() -> Int32s:
    """For each code point below END: what it folds to, 0 for what is no part of a word, -1 for what is not simple."""
    table = np.zeros(END, np.int32)
    composing = composing_characters()
    for code in range(1, END):
        character = chr(code)
        if 0xD800 <= code <= 0xDFFF:
            table[code] = -1
            continue
        folded = character.casefold()
        if (
            character in composing
            or combining(character)
            or normalize("NFC", character) != character
            or len(folded) != 1
            or len(folded.encode()) != len(character.encode())
        ):
            table[code] = -1
        elif category(folded)[0] in "LMN":
            table[code] = ord(folded)
    return table


@cache
def _not_simple() -> re.Pattern[str]:
    codes = np.flatnonzero(fold_table() == -1)
    breaks = np.flatnonzero(np.diff(codes) != 1)
    starts, ends = codes[[0, *(breaks + 1)]], codes[[*breaks, len(codes) - 1]]
    ranges = "".join(f"\\u{start:04x}-\\u{end:04x}" for start, end in zip(starts, ends, strict=True))
    return re.compile(f"[{ranges}\\U00010000-\\U0010ffff]")


def is_simple(text: str) -> bool:
    """Whether the kernel reads a text rightly."""
    return text.isascii() or _not_simple().search(text) is None
