"""The loops that examine buckets and follow chains, compiled by numba.

`data` is a publication: a row of four numbers for each triple (bucket, subject, the subject's and the object's term),
sorted by bucket and subject; and then for each text its row, the number of its words, and these. What was seen is
stamped with a serial number, so that nothing is cleared between publications.

All of it is one file, because numba's cache notices changes only in the file of the function that is called.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

__all__ = ["BUCKET", "CHAIN", "ENTRY", "NEXT", "WORDS", "examine_buckets"]

# The columns of an entry.
ENTRY: Final = 8
BUCKET, _SUBJECT, _VALUE, WORDS, _SETS, _SHARES, NEXT, CHAIN = range(ENTRY)
# The columns of a triple.
_TRIPLE: Final = 4
_BUCKET, _SUBJECT_NUMBER, _SUBJECT_TERM, _OBJECT_TERM = range(_TRIPLE)
# The columns of what is known of a bucket, and of a word.
_STAMP, _BEGIN, _END = range(3)

_njit: Any = numba.njit  # its annotations do not know all options
_allocating: Any = _njit(cache=True, nogil=True)
_compiled: Any = _njit(cache=True, nogil=True, _nrt=False)  # nothing is made, so nothing counts its users


@_compiled
def _read(data, n_triples, buckets, words, nodes, serial):
    """Note which triples each bucket has, and which each word."""
    for row in range(n_triples):
        bucket = data[row * _TRIPLE + _BUCKET]
        if bucket > 0:
            if buckets[bucket, _STAMP] != serial:
                buckets[bucket, _STAMP] = serial
                buckets[bucket, _BEGIN] = row
            buckets[bucket, _END] = row + 1
    buckets[0, _STAMP] = serial  # ANY has all of them
    buckets[0, _BEGIN] = 0
    buckets[0, _END] = n_triples
    place = n_triples * _TRIPLE
    node = 0
    while place < len(data):
        row, count = data[place], data[place + 1]
        for at in range(place + 2, place + 2 + count):
            word = data[at]
            nodes[node, 0] = row
            nodes[node, 1] = words[word, _BEGIN] if words[word, _STAMP] == serial else -1
            words[word, _STAMP] = serial
            words[word, _BEGIN] = node
            node += 1
        place += 2 + count


@_compiled
def _has_words(entries, entry, words_of, words, nodes, row, serial):
    """Whether the object of a triple has all words of one of the sets of an entry."""
    place = entries[entry, WORDS]
    for _ in range(entries[entry, _SETS]):
        length = words_of[place]
        has_all = True
        for word_place in range(place + 1, place + 1 + length):
            word = words_of[word_place]
            if words[word, _STAMP] != serial:
                has_all = False
                break
            node = words[word, _BEGIN]
            while node >= 0 and nodes[node, 0] != row:
                node = nodes[node, 1]
            if node < 0:
                has_all = False
                break
        if has_all:
            return True
        place += 1 + length
    return False


@_compiled
def _is_as(entries, entry, words_of, data, words, nodes, row, serial):
    """Whether one triple with the attribute of an entry is as it wants."""
    value = entries[entry, _VALUE]
    if value != 0 and data[row * _TRIPLE + _OBJECT_TERM] != value:
        return False
    subject = entries[entry, _SUBJECT]
    if subject != 0 and data[row * _TRIPLE + _SUBJECT_TERM] != subject:
        return False
    return entries[entry, _SETS] == 0 or _has_words(entries, entry, words_of, words, nodes, row, serial)


@_compiled
def _is_satisfied(entries, entry, words_of, data, buckets, words, nodes, subject, serial):
    """Whether some triple, of this subject if it is not -1, is as an entry wants."""
    bucket = entries[entry, BUCKET]
    if buckets[bucket, _STAMP] != serial:
        return False
    for row in range(buckets[bucket, _BEGIN], buckets[bucket, _END]):
        if (subject < 0 or data[row * _TRIPLE + _SUBJECT_NUMBER] == subject) and _is_as(
            entries, entry, words_of, data, words, nodes, row, serial
        ):
            return True
    return False


@_compiled
def _is_satisfied_by(entries, entry, words_of, data, buckets, words, nodes, subject, serial):
    """Whether the rest of a chain, from an entry on, is satisfied where its entries share this subject."""
    while entry >= 0:
        wanted = subject if entries[entry, _SHARES] else -1
        if not _is_satisfied(entries, entry, words_of, data, buckets, words, nodes, wanted, serial):
            return False
        entry = entries[entry, NEXT]
    return True


@_compiled
def _follow(entries, entry, words_of, data, buckets, words, nodes, serial):
    """Whether a chain holds that begins with this entry."""
    while entry >= 0 and not entries[entry, _SHARES]:
        if not _is_satisfied(entries, entry, words_of, data, buckets, words, nodes, -1, serial):
            return False
        entry = entries[entry, NEXT]
    if entry < 0:
        return True
    bucket = entries[entry, BUCKET]  # the first entry with the shared subject: try each that it can be
    if buckets[bucket, _STAMP] != serial:
        return False
    tried = -1
    for row in range(buckets[bucket, _BEGIN], buckets[bucket, _END]):
        subject = data[row * _TRIPLE + _SUBJECT_NUMBER]
        if subject != tried and _is_as(entries, entry, words_of, data, words, nodes, row, serial):
            tried = subject
            after = entries[entry, NEXT]
            if _is_satisfied_by(entries, after, words_of, data, buckets, words, nodes, subject, serial):
                return True
    return False


@_allocating
def examine_buckets(entries, words_of, heads, data, n_triples, buckets, words, serial, found):
    """The chains that hold, into `found`, and how many these are."""
    nodes = np.empty((len(data) - n_triples * _TRIPLE, 2), np.int32)  # for each word the triples that have it: a list
    _read(data, n_triples, buckets, words, nodes, serial)
    n_found = 0
    bucket = 0  # ANY, and then each that a triple has
    row = 0
    while True:
        first, last = buckets[bucket, _BEGIN], buckets[bucket, _END]
        for entry in range(heads[bucket, 0], heads[bucket, 1]):
            # Nearly all entries are turned away here, so what a call would cost is saved.
            value = entries[entry, _VALUE]
            if value != 0:
                begins = False
                for place in range(first, last):
                    if data[place * _TRIPLE + _OBJECT_TERM] == value:
                        begins = True
                        break
                if not begins:
                    continue
            elif entries[entry, _SETS] == 1:
                begins = True
                start = entries[entry, WORDS] + 1
                for place in range(start, start + words_of[start - 1]):
                    if words[words_of[place], _STAMP] != serial:
                        begins = False
                        break
                if not begins:
                    continue
            if _follow(entries, entry, words_of, data, buckets, words, nodes, serial):
                found[n_found] = entries[entry, CHAIN]
                n_found += 1
        while row < n_triples and data[row * _TRIPLE + _BUCKET] <= bucket:
            row += 1
        if row == n_triples:
            return n_found
        bucket = data[row * _TRIPLE + _BUCKET]
