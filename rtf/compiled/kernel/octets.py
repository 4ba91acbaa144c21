"""Bytes, eight at a time: hashing, comparing, looking for one.

The last eight bytes of a longer string are looked at once more rather than one by one, and nothing is read that is not
part of it.
"""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.jit import compiled, entry, load8, load32, load64, store64

__all__ = [
    "FIRST",
    "copy_octets",
    "finish",
    "fragment",
    "has_octet",
    "hash_octets",
    "hash_strings",
    "same_octets",
    "zero_after",
]

FIRST = np.uint64(14695981039346656037)
"""What the hash of a string begins with."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(32)
_ONES = np.uint64(0x0101010101010101)
_HIGHS = np.uint64(0x8080808080808080)


@compiled
def _mixed(h, number):
    h = (h ^ number) * _MIX
    return h ^ (h >> _SHIFT)


@compiled
def _short(data, start, n):
    """Up to seven bytes as one number."""
    if n >= 4:
        return np.uint64(load32(data, start)) | (np.uint64(load32(data, start + n - 4)) << _SHIFT)
    if n > 0:
        first, middle, last = load8(data, start), load8(data, start + (n >> 1)), load8(data, start + n - 1)
        return np.uint64(first) | (np.uint64(middle) << np.uint64(8)) | (np.uint64(last) << np.uint64(16))
    return np.uint64(0)


@compiled
def hash_octets(data, start, end, h):
    """Hash the bytes [start, end), after those that `h` is the hash of. To be finished by `finish`."""
    n = end - start
    h = _mixed(h, np.uint64(n))
    if n < 8:
        return _mixed(h, _short(data, start, n))
    last = end - 8
    while start < last:
        h = _mixed(h, load64(data, start))
        start += 8
    return _mixed(h, load64(data, last))


@compiled
def finish(h):
    """A last mixing step, because the low bits are used as they are."""
    return h * _MIX ^ (h >> np.uint64(29))


@compiled
def fragment(h):
    """The part of a hash that stands in a slot."""
    return np.int32(np.int64(h >> _SHIFT) - 2147483648)


@compiled
def same_octets(one, at, other, start, n):
    """Whether n bytes of one from `at` on are those of the other from `start` on."""
    if n < 8:
        return _short(one, at, n) == _short(other, start, n)
    last = n - 8
    i = np.int64(0)
    while i < last:
        if load64(one, at + i) != load64(other, start + i):
            return False
        i += 8
    return load64(one, at + last) == load64(other, start + last)


@compiled
def copy_octets(data, start, out, at, n):
    """Copy n bytes from `start` on to `at`."""
    if n < 8:
        for k in range(n):
            out[at + k] = data[start + k]
        return
    last = n - 8
    i = np.int64(0)
    while i < last:
        store64(out, at + i, load64(data, start + i))
        i += 8
    store64(out, at + last, load64(data, start + last))


@compiled
def _zeros(number):
    """Not 0 if one of the eight bytes of a number is; its lowest bit is in the first of them."""
    return (number - _ONES) & ~number & _HIGHS


@compiled
def has_octet(data, start, end, octet):
    """Whether a byte is among [start, end)."""
    wanted = np.uint64(octet) * _ONES
    found = np.uint64(0)
    while start + 8 <= end:
        found |= _zeros(load64(data, start) ^ wanted)
        start += 8
    while start < end:
        found |= np.uint64(load8(data, start) == octet)
        start += 1
    return found != 0


@compiled
def zero_after(data, start):
    """Where the next zero is; there is one."""
    end = len(data)
    while start + 8 <= end and _zeros(load64(data, start)) == 0:
        start += 8
    while load8(data, start) != 0:
        start += 1
    return start


@entry
def hash_strings(stamp):
    """The hash of each string."""

    def hash_strings(data, starts, hashes):
        _ = stamp
        for number in range(len(starts) - 1):
            hashes[number] = finish(hash_octets(data, starts[number], starts[number + 1], FIRST))

    return hash_strings
