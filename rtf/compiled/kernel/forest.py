"""The trie forest: from a node along edges, and what is hit at the end of a path."""

from __future__ import annotations

from typing import Final

import numpy as np

from rtf.compiled.kernel.arrays import (
    EDGE_SLOTS,
    EDGES,
    ENDS,
    HITS,
    INTERVALS,
    N_INTERVALS,
    N_LEAVES,
    NODES,
    NODES_VISITED,
    SIZES_AT,
    TUPLES,
    buffer_of,
    counts_of,
    floats_of,
    hits_of,
    leaves_of,
    stack_of,
    stamps_of,
    words_of,
)
from rtf.compiled.kernel.jit import compiled, entry, prefetch
from rtf.compiled.sections import FIRST_INTERVALS
from rtf.index.intervals import Line

__all__ = ["INTERVALS_AT", "MANY_EDGES", "STARTS_AT", "child", "edge_table", "emit", "emit_intervals", "walk_words"]

MANY_EDGES: Final = 8  # nodes with more are looked up in the hash table of edges
STARTS_AT, INTERVALS_AT = 8, 16  # in `leaves`: leaves of the structure; nodes where words begin; places of intervals
_LINES: Final = len(Line)
_MIX_NODE = np.uint64(0x9E3779B97F4A7C15)
_MIX_SYMBOL = np.uint64(0xC2B2AE3D27D4EB4F)


@compiled
def _edge_slot(node, symbol, count):
    h = np.uint64(node) * _MIX_NODE + np.uint64(symbol) * _MIX_SYMBOL
    return np.int64((h ^ (h >> np.uint64(29))) & np.uint64(count - 1))


@entry
def edge_table(stamp):
    """Fill the hash table of the edges of nodes with many; `slots` is all -1, and there is a power of two of them."""

    def edge_table(nodes, edges, slots):
        _ = stamp
        count = len(slots) // 2
        for node in range(len(nodes) // 2 - 1):
            if nodes[2 * node + 2] - nodes[2 * node] > MANY_EDGES:
                for edge in range(nodes[2 * node], nodes[2 * node + 2]):
                    slot = _edge_slot(node, edges[edge], count)
                    while slots[2 * slot + 1] != -1:
                        slot = (slot + 1) & (count - 1)
                    slots[2 * slot] = edges[edge]
                    slots[2 * slot + 1] = edge

    return edge_table


@compiled
def child(buffer, node, symbol):
    """The node behind the edge with a symbol, or -1."""
    at = buffer[NODES] + 2 * node
    begin, end = buffer[at], buffer[at + 2]
    if end - begin <= MANY_EDGES:
        edges = buffer[EDGES]
        for edge in range(begin, end):
            if buffer[edges + edge] == symbol:
                return edge + 1
        return -1
    first, count = buffer[EDGE_SLOTS], buffer[EDGE_SLOTS + 1] // 2
    slot = _edge_slot(node, symbol, count)
    while True:
        place = first + 2 * slot
        edge = buffer[place + 1]
        if edge == -1:
            return -1
        if buffer[place] == symbol and begin <= edge < end:
            return edge + 1
        slot = (slot + 1) & (count - 1)


@compiled
def emit(table, node, triple, subject, serial):
    """The tuples at the end of a path are hit, and leaves of the structure noted. False if a list is full."""
    buffer, leaves, counts = buffer_of(table), leaves_of(table), counts_of(table)
    at = buffer[NODES] + 2 * node + 1
    ends = buffer[ENDS]
    for place in range(buffer[at], buffer[at + 2]):
        number = buffer[ends + place]
        if number <= -FIRST_INTERVALS:
            leaves[INTERVALS_AT + counts[N_INTERVALS]] = -number - FIRST_INTERVALS
            counts[N_INTERVALS] += 1
        elif number < 0:
            leaves[counts[N_LEAVES]] = -number
            counts[N_LEAVES] += 1
        elif not _hit(table, np.int64(number), triple, subject, serial, serial):
            return False
    return True


@compiled
def _hit(table, number, triple, subject, serial, stamp):
    """A tuple is hit; `stamp` is the serial number, or minus that if it is not sure. False if the list is full."""
    hits, counts, stamps, buffer = hits_of(table), counts_of(table), stamps_of(table), buffer_of(table)
    n = counts[HITS]
    if 3 * n + 3 > len(hits):
        return False
    hits[3 * n] = number
    hits[3 * n + 1] = triple
    hits[3 * n + 2] = subject
    counts[HITS] = n + 1
    at = buffer[buffer[SIZES_AT]] + 2 * number
    before = stamps[at]
    if abs(before) != serial:
        stamps[at] = stamp
        counts[TUPLES] += 1
    elif stamp < before:  # one that is not sure spoils it for all
        stamps[at] = stamp
    return True


@compiled
def emit_intervals(table, place, line, value, triple, subject, serial):
    """The tuples are hit in whose intervals a value may be. With a value of no line, all of them. False: full."""
    buffer, floats, counts = buffer_of(table), floats_of(table), counts_of(table)
    at = buffer[INTERVALS] + place
    place = at + 2 * _LINES
    for group in range(2 * _LINES):
        behind = place + 5 * buffer[at + group]
        is_low = group % 2 == 0
        if line < 0 or line == group // 2:
            while place < behind:
                counts[NODES_VISITED] += 1
                if value < floats[place + 1] or value > floats[place + 3]:  # never if it is NaN
                    if is_low == (value < floats[place + 1]):
                        break  # so are all others of the group
                else:
                    stamp = serial if floats[place + 2] <= value <= floats[place + 4] else -serial
                    if not _hit(table, np.int64(buffer[place]), triple, subject, serial, stamp):
                        return False
                place += 5
        place = behind
    return True


@compiled
def _prefetch_children(buffer, node, words, n_words):
    """Have fetched what `child` will look at for each word."""
    first, count = buffer[EDGE_SLOTS], buffer[EDGE_SLOTS + 1] // 2
    for turn in range(n_words):
        prefetch(buffer, first + 2 * _edge_slot(node, np.int64(words[turn]), count))


@compiled
def walk_words(table, root, n_words, n_leaves, triple, subject, word_serial, serial):
    """All paths of words from `root`. With leaves (RTFS), tuples stand behind the symbol of their leaf. False: full."""
    buffer, stamps, counts = buffer_of(table), stamps_of(table), counts_of(table)
    leaves, stack, words = leaves_of(table), stack_of(table), words_of(table)
    n_symbols = buffer[buffer[SIZES_AT]]
    nodes, edges = buffer[NODES], buffer[EDGES]
    top = 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = np.int64(stack[top])
        begin, end = buffer[nodes + 2 * node], buffer[nodes + 2 * node + 2]
        few = end - begin <= n_words
        if not few and end - begin > MANY_EDGES:
            _prefetch_children(buffer, node, words, n_words)
        for turn in range(end - begin if few else n_words):
            if few:
                symbol = buffer[edges + begin + turn]
                if symbol >= n_symbols or stamps[symbol] != word_serial:
                    continue
                behind = np.int64(begin + turn + 1)
            else:
                behind = np.int64(child(buffer, node, np.int64(words[turn])))
                if behind < 0:
                    continue
            counts[NODES_VISITED] += 1
            if n_leaves == 0:
                if not emit(table, behind, triple, subject, serial):
                    return False
            else:
                for i in range(n_leaves):
                    leaf = np.int64(child(buffer, behind, np.int64(leaves[i])))
                    if leaf >= 0:
                        counts[NODES_VISITED] += 1
                        if not emit(table, leaf, triple, subject, serial):
                            return False
            if buffer[nodes + 2 * behind + 2] > buffer[nodes + 2 * behind]:
                if top >= len(stack):
                    return False
                stack[top] = behind
                top += 1
    return True
