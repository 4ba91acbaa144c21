"""Hashes of texts by numba, many at once.

A hash decides what is looked at together, never what is equal. The last step is that of MurmurHash3, so that also the
leading bits are as good as random: buckets are ranges of hashes.
"""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.jit import entry
from rtf.compiled.kernel.octets import hash_octets

__all__ = ["hash_texts"]

_FIRST, _SECOND, _HALF = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53), np.uint64(33)


@entry
def hash_texts(stamp):
    """Hash each text into what is found for it so far."""

    def hash_texts(data, offsets, found):
        _ = stamp
        for number in range(len(found)):
            value = hash_octets(data, np.int64(offsets[number]), np.int64(offsets[number + 1]), found[number])
            value ^= value >> _HALF
            value *= _FIRST
            value ^= value >> _HALF
            value *= _SECOND
            found[number] = value ^ (value >> _HALF)

    return hash_texts
