"""The dictionary: terms and words as bytes -> their symbols."""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.arrays import STRING_SLOTS, STRINGS, buffer_of, raw_of
from rtf.compiled.kernel.jit import compiled, entry, prefetch
from rtf.compiled.kernel.octets import FIRST, finish, fragment, hash_octets, same_octets
from rtf.compiled.sections import LITERAL_KIND, UNKNOWN

__all__ = ["find", "find_symbol", "insert", "prefetch_slot", "seed", "string_table", "symbol_of"]

_MIX = np.uint64(1099511628211)


@compiled
def seed(kind):
    """What the hash of a string of some kind begins with."""
    return (FIRST ^ np.uint64(kind)) * _MIX


@compiled
def insert(slots, h, place):
    """Put a place into a hash table of pairs (part of the hash, place); place 0 is free. `h` is finished."""
    mask = np.uint64(len(slots) // 2 - 1)
    slot = np.int64(h & mask)
    while slots[2 * slot + 1] != 0:
        slot = np.int64(np.uint64(slot + 1) & mask)
    slots[2 * slot] = fragment(h)
    slots[2 * slot + 1] = place


@entry
def string_table(stamp):
    """Fill the hash table of the dictionary. `slots` is zero, and there is a power of two of them."""

    def string_table(strings, raw, places, slots):
        _ = stamp
        for place in places:
            begin = np.int64(4 * (place + 3))
            end = begin + strings[place + 2]
            h = seed(strings[place + 1])
            if strings[place + 1] == LITERAL_KIND:  # its head is hashed by itself, as the kernel meets it
                head = begin
                while raw[head] != 1:
                    head += 1
                h = hash_octets(raw, begin, head + 1, h)
                begin = head + 1
            h = finish(hash_octets(raw, begin, end, h))
            insert(slots, h, place)

    return string_table


@compiled
def prefetch_slot(buffer, h):
    """Have the slot fetched that `find` will begin with."""
    mask = np.uint64(buffer[STRING_SLOTS + 1] // 2 - 1)
    prefetch(buffer, np.int64(buffer[STRING_SLOTS] + 2 * np.int64(h & mask)))


@compiled
def find(buffer, raw, h, kind, head, n_head, data, start, end):
    """The symbol of a string: `n_head` bytes of `head` and the bytes [start, end) of `data`. `h` is finished."""
    first, mask = buffer[STRING_SLOTS], np.uint64(buffer[STRING_SLOTS + 1] // 2 - 1)
    wanted = fragment(h)
    slot = np.int64(h & mask)
    while True:
        place = buffer[first + 2 * slot + 1]
        if place == 0:
            return np.int64(UNKNOWN)
        if buffer[first + 2 * slot] == wanted:
            record = buffer[STRINGS] + place
            length = end - start
            if buffer[record + 1] == kind and buffer[record + 2] == n_head + length:
                begin = 4 * np.int64(record + 3)
                if same_octets(raw, begin, head, np.int64(0), n_head) and same_octets(
                    raw, begin + n_head, data, start, length
                ):
                    return np.int64(buffer[record])
        slot = np.int64(np.uint64(slot + 1) & mask)


@compiled
def symbol_of(buffer, raw, kind, data, start, end):
    """The symbol of the bytes [start, end)."""
    h = finish(hash_octets(data, start, end, seed(kind)))
    return find(buffer, raw, h, kind, data, np.int64(0), data, start, end)


@entry
def find_symbol(stamp):
    """The same for callers outside: of the first `length` bytes. Literals are not found."""

    def find_symbol(table, kind, data, length):
        _ = stamp
        return symbol_of(buffer_of(table), raw_of(table), np.int64(kind), data, np.int64(0), np.int64(length))

    return find_symbol
