"""Texts -> the symbols of their words.

A text of simple characters (see `rtf.compiled.folding`) is folded as a whole first, and the edges of its words are
noted; then all words are hashed, and only then looked up, so that the memory they stand in is fetched meanwhile.
"""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.arrays import (
    FULL,
    MISSING,
    UNCLEAR,
    buffer_of,
    counts_of,
    folded_of,
    hashes_of,
    letters_of,
    memo_octets_of,
    memo_records_of,
    memo_slots_of,
    missing_of,
    raw_of,
    stamps_of,
    word_edges_of,
    words_of,
)
from rtf.compiled.kernel.dictionary import find, insert, prefetch_slot, seed, symbol_of
from rtf.compiled.kernel.jit import compiled, entry, load8
from rtf.compiled.kernel.octets import FIRST, finish, fragment, hash_octets, same_octets
from rtf.compiled.sections import UNKNOWN, WORD_KIND

__all__ = ["read_fields", "read_simple", "remember"]

_LONGEST_WORD = 1024  # bytes, where there are other readings; texts with longer ones are read outside


@compiled
def _add_word(table, symbol, serial, n):
    """Note a word of the text at hand, once. The new number of words, -FULL if the list is full."""
    stamps, words = stamps_of(table), words_of(table)
    if symbol == UNKNOWN or stamps[symbol] == serial:
        return n
    stamps[symbol] = serial
    if n >= len(words):
        return np.int64(-FULL)
    words[n] = symbol
    return n + 1


@compiled
def read_simple(table, data, start, end, serial):
    """The words of a text of simple characters: their number, or minus what is wrong."""
    buffer, raw, letters = buffer_of(table), raw_of(table), letters_of(table)
    edges, hashes = word_edges_of(table), hashes_of(table)
    if end - start >= len(letters):
        return np.int64(-FULL)
    n_edges = _fold(folded_of(table), letters, edges, data, start, end)
    if n_edges < 0:
        return n_edges
    kind = np.int64(WORD_KIND)
    first = seed(kind)
    for i in range(n_edges // 2):
        h = finish(hash_octets(letters, np.int64(edges[2 * i]), np.int64(edges[2 * i + 1]), first))
        hashes[i] = h
        prefetch_slot(buffer, h)
    other_readings = len(memo_slots_of(table)) > 0
    n = np.int64(0)
    for i in range(n_edges // 2):
        at, behind = np.int64(edges[2 * i]), np.int64(edges[2 * i + 1])
        symbol = find(buffer, raw, hashes[i], kind, letters, np.int64(0), letters, at, behind)
        n = _add_word(table, symbol, serial, n)
        if other_readings and n >= 0:
            n = _recall(table, data, start + at, start + behind, serial, n)
        if n < 0:
            return n
    return n


@compiled
def _fold(folded, letters, edges, data, start, end):
    """Fold all letters, and note where words begin and end: how many edges there are, or minus what is wrong.

    A letter takes as many bytes as before. Edges are written at each letter, and kept where there is one: there is
    nothing that a processor could guess wrong.
    """
    n = np.int64(0)
    inside = np.int64(0)
    position = start
    while position < end:
        lead = load8(data, position)
        at = position - start
        if lead < 128:
            code = folded[lead]
            letters[at] = code
            position += 1
        else:
            if lead < 224:
                width = 2
            elif lead < 240:
                width = 3
            else:
                return np.int64(-UNCLEAR)
            if position + width > end:
                return np.int64(-UNCLEAR)
            if width == 2:
                code = folded[((lead & 31) << 6) | (data[position + 1] & 63)]
            else:
                code = folded[((lead & 15) << 12) | ((data[position + 1] & 63) << 6) | (data[position + 2] & 63)]
            if code < 0:
                return np.int64(-UNCLEAR)
            if width == 2:
                letters[at] = 192 | (code >> 6)
            else:
                letters[at] = 224 | (code >> 12)
                letters[at + 1] = 128 | ((code >> 6) & 63)
            letters[at + width - 1] = 128 | (code & 63)
            position += width
        is_letter = np.int64(code != 0)
        edges[n] = at
        n += is_letter ^ inside
        inside = is_letter
    edges[n] = end - start
    return n + inside


@compiled
def _recall(table, data, start, end, serial, n):
    """Note what a word, as it stands in the text, is in other readings; if that is not known, that it is missing."""
    slots, records, raw = memo_slots_of(table), memo_records_of(table), memo_octets_of(table)
    if end - start > _LONGEST_WORD:
        return np.int64(-UNCLEAR)
    h = finish(hash_octets(data, start, end, FIRST))
    wanted, mask = fragment(h), np.uint64(len(slots) // 2 - 1)
    slot = np.int64(h & mask)
    while slots[2 * slot + 1] != 0:
        if slots[2 * slot] == wanted:
            place = slots[2 * slot + 1]
            count = records[place + 1]
            first = np.int64(4 * (place + 2 + count))
            if records[place] == end - start and same_octets(raw, first, data, start, end - start):
                for i in range(count):
                    n = _add_word(table, np.int64(records[place + 2 + i]), serial, n)
                    if n < 0:
                        return n
                return n
        slot = np.int64(np.uint64(slot + 1) & mask)
    counts, missing = counts_of(table), missing_of(table)
    at = counts[MISSING]
    if at + 2 + end - start <= len(missing):
        missing[at] = (end - start) & 255
        missing[at + 1] = (end - start) >> 8
        for i in range(end - start):
            missing[at + 2 + i] = data[start + i]
        counts[MISSING] = at + 2 + end - start
    return n


@entry
def remember(stamp):
    """Put words into the hash table of the memo; there is a power of two of slots, and room. `raw` are the records."""

    def remember(slots, records, raw, places):
        _ = stamp
        for place in places:
            first = np.int64(4 * (place + 2 + records[place + 1]))
            insert(slots, finish(hash_octets(raw, first, first + records[place], FIRST)), place)

    return remember


@compiled
def read_fields(table, data, position, end, serial):
    """The words that somebody else has read; see `rtf.compiled.rows`."""
    buffer, raw = buffer_of(table), raw_of(table)
    n = np.int64(0)
    kind = np.int64(WORD_KIND)
    while position < end:
        if data[position] == 1:
            kind = np.int64(WORD_KIND + data[position + 1] - 48)
            position += 2
            continue
        start = position + 1  # behind the space
        position = start
        while position < end and data[position] != 32 and data[position] != 1:
            position += 1
        n = _add_word(table, symbol_of(buffer, raw, kind, data, start, position), serial, n)
        if n < 0:
            return n
    return n
