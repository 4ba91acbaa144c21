"""Hashes of texts by numba, many at once.

FNV-1a, byte by byte, and the last step of MurmurHash3, so that also the leading bits are as good as random: buckets
are ranges of hashes. A hash decides what is looked at together, never what is equal.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np

__all__ = ["hash_texts"]

_compiled: Any = numba.njit(cache=True, nogil=True)

_PRIME = np.uint64(0x100000001B3)
_FIRST, _SECOND, _HALF = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)


@_compiled
def hash_texts(data, offsets, found):
    """Hash each text into what is found for it so far."""
    for number in range(len(found)):
        value = found[number]
        for at in range(offsets[number], offsets[number + 1]):
            value = (value ^ np.uint64(data[at])) * _PRIME
        value ^= value >> _HALF
        value *= _FIRST
        value ^= value >> _HALF
        value *= _SECOND
        found[number] = value ^ (value >> _HALF)
