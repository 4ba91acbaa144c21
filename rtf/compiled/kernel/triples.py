"""A triple through the forest: its structure, then the words or the value of its object."""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.arrays import (
    DONE,
    EDGES,
    FULL,
    N_INTERVALS,
    N_LEAVES,
    NODES,
    NODES_VISITED,
    SERIAL,
    buffer_of,
    counts_of,
    head_of,
    leaves_of,
    raw_of,
)
from rtf.compiled.kernel.dictionary import find, seed
from rtf.compiled.kernel.forest import INTERVALS_AT, STARTS_AT, child, emit, emit_intervals, walk_words
from rtf.compiled.kernel.jit import compiled
from rtf.compiled.kernel.octets import finish, hash_octets
from rtf.compiled.kernel.texts import read_fields, read_simple
from rtf.compiled.kernel.values import on_line
from rtf.compiled.sections import ANY, LITERAL_KIND, WORDS

__all__ = ["BLANK", "walk_triple"]

BLANK = ord("B")
"""The kind of an object that no query names."""


@compiled
def walk_triple(
    table, subject_symbol, subject, predicate, triple,
    kind, n_head, data, start, end, words, words_at, words_end, serial,
):  # fmt: skip
    """A triple through the forest; what it comes to.

    The key of the object is `n_head` bytes of `head` and [start, end) of `data`. Its words are those of
    [words_at, words_end) of `words`, if there is anything.
    """
    buffer, counts, leaves = buffer_of(table), counts_of(table), leaves_of(table)
    n_starts = _walk_structure(
        table, subject_symbol, subject, predicate, triple, kind, n_head, data, start, end, serial
    )  # fmt: skip
    if n_starts < 0 or kind != LITERAL_KIND:
        return FULL if n_starts < 0 else DONE
    if counts[N_INTERVALS]:
        line, value = on_line(head_of(table), n_head - 1, data, start, end)
        for i in range(counts[N_INTERVALS]):
            place = np.int64(leaves[INTERVALS_AT + i])
            if not emit_intervals(table, place, line, value, triple, subject, serial):
                return FULL
    n_leaves = counts[N_LEAVES]
    if n_starts + n_leaves == 0:
        return DONE
    counts[SERIAL] += 1
    word_serial = counts[SERIAL]
    if words_end > words_at:
        n_words = read_fields(table, words, words_at, words_end, word_serial)
    else:
        n_words = read_simple(table, data, start, end, word_serial)
    if n_words < 0:
        return -n_words
    none = np.int64(0)  # not a constant, for which numba would compile another function
    for i in range(n_starts):
        root = np.int64(leaves[STARTS_AT + i])
        if not walk_words(table, root, n_words, none, triple, subject, word_serial, serial):
            return FULL
    if n_leaves:
        root = np.int64(child(buffer, none, np.int64(WORDS)))
        if not walk_words(table, root, n_words, n_leaves, triple, subject, word_serial, serial):
            return FULL
    return DONE


@compiled
def _walk_structure(table, subject_symbol, subject, predicate, triple, kind, n_head, data, start, end, serial):
    """The paths of subject, predicate and object. How many of them words begin behind, or -1 if a list is full."""
    buffer, counts, leaves = buffer_of(table), counts_of(table), leaves_of(table)
    root, any_symbol = np.int64(0), np.int64(ANY)
    object_ = np.int64(-1)  # looked up where somebody asks for it: texts are long
    counts[N_LEAVES] = 0
    counts[N_INTERVALS] = 0
    n_starts = np.int64(0)
    for s in range(2):
        first = np.int64(child(buffer, root, any_symbol if s else subject_symbol)) if s or subject_symbol else root - 1
        if first < 0:
            continue
        counts[NODES_VISITED] += 1
        for p in range(2):
            second = np.int64(child(buffer, first, any_symbol if p else predicate)) if p or predicate else root - 1
            if second < 0:
                continue
            counts[NODES_VISITED] += 1
            for o in range(2):
                if o:
                    leaf = np.int64(child(buffer, second, any_symbol))
                elif kind == BLANK:
                    continue
                else:
                    at = buffer[NODES] + 2 * second
                    begin = buffer[at]
                    if buffer[at + 2] - begin == 1 and buffer[buffer[EDGES] + begin] == ANY:
                        continue
                    if object_ < 0:
                        head = head_of(table)
                        h = seed(kind)
                        if n_head:
                            h = hash_octets(head, root, n_head, h)
                        h = finish(hash_octets(data, start, end, h))
                        object_ = find(buffer, raw_of(table), h, kind, head, n_head, data, start, end)
                    leaf = np.int64(child(buffer, second, object_)) if object_ else root - 1
                if leaf < 0:
                    continue
                counts[NODES_VISITED] += 1
                if not emit(table, leaf, triple, subject, serial):
                    return np.int64(-1)
                if buffer[buffer[NODES] + 2 * leaf + 2] > buffer[buffer[NODES] + 2 * leaf]:
                    leaves[STARTS_AT + n_starts] = leaf
                    n_starts += 1
    return n_starts
