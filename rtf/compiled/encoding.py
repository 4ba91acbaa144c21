"""Keys as the dictionary of a frozen index has them: a kind, and bytes.

Terms have the keys of `rtf.index.keys`; that of a word is `W`, the number of an analysis as a character, and the word.
"""

from __future__ import annotations

from typing import Final

from rtf.compiled.sections import WORD_KIND

__all__ = ["dictionary_string", "word_key"]

_FIRST: Final = 48  # the character of analysis 0; the others follow


def word_key(number: int, form: str) -> str:
    """The key of a word in the reading of that number."""
    return f"W{chr(_FIRST + number)}{form}"


def dictionary_string(key: str) -> tuple[int, bytes]:
    """A key as the dictionary has it."""
    if key[0] == "W":
        return WORD_KIND + ord(key[1]) - _FIRST, key[2:].encode(errors="surrogatepass")
    return ord(key[0]), key[1:].encode(errors="surrogatepass")
