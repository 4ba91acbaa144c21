"""The loops of the paper's filtering algorithm (figure 4) over flat arrays, compiled by numba.

A trie is a hash table from (node, content) to child, and for each node the list of its children and of its tuple ids.
What was marked is stamped with a serial number, so that nothing is cleared between publications.

All of it is one file, because numba's cache notices changes only in the file of the function that is called.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

__all__ = ["ANY", "TRIPLE", "filter_publication", "insert_keys"]

ANY: Final = 0  # the content of a node that any term satisfies; -1 is that of a term that no node has
TRIPLE: Final = 5  # numbers a triple: subject, predicate, object, and where its words begin and end (-1: no literal)
_LEAVES: Final = 8  # that a triple can reach: two children at each of three levels
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)

_njit: Any = numba.njit  # its annotations do not know all options
_allocating: Any = _njit(cache=True, nogil=True)
_compiled: Any = _njit(cache=True, nogil=True, _nrt=False)  # nothing is made, so nothing counts its users


@_compiled
def _slot(keys, key):
    """Where a key is in a hash table, or the empty slot where it would be. The table is never full."""
    mask = np.uint64(len(keys) - 1)
    hashed = np.uint64(key) * _MIX
    slot = (hashed ^ (hashed >> np.uint64(32))) & mask
    while keys[slot] != -1 and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@_compiled
def insert_keys(keys, values, new):
    """Number the keys `new` by their places in a hash table of this size."""
    for place in range(len(new)):
        slot = _slot(keys, new[place])
        keys[slot] = new[place]
        values[slot] = place


@_compiled
def _child(keys, values, node, content):
    """The child of a node with this content, or -1."""
    key = (np.int64(node) << 32) | np.int64(content)
    slot = _slot(keys, key)
    return values[slot] if keys[slot] == key else -1


@_compiled
def _mark(starts, ids, place, stamps, serial, marked, n_marked):
    """Mark the tuple ids of a list; how many are marked then."""
    for at in range(starts[place], starts[place + 1]):
        number = ids[at]
        if stamps[number] != serial:
            stamps[number] = serial
            marked[n_marked] = number
            n_marked += 1
    return n_marked


@_allocating
def filter_publication(
    edge_keys,
    edge_children,
    child_starts,
    child_contents,
    child_nodes,
    id_starts,
    ids,
    leaf_keys,
    leaf_lists,
    list_starts,
    list_ids,
    row_starts,
    row_ids,
    under_starts,
    under_rows,
    words_root,
    scans,
    data,
    n_triples,
    stamps,
    marked,
    word_stamps,
    stack,
    serials,
    found,
):
    """The rows of the query table all of whose tuples are matched, into `found`, and how many these are.

    `words_root` is that of the one forest of words, or -1 where words hang below the leaves. With `scans` all rows are
    looked at, otherwise those under the tuples that were marked (of `under_rows`).
    """
    serials[0] += 1
    serial = serials[0]
    n_marked = 0
    leaves = np.empty(_LEAVES, np.int32)
    before = np.empty(_LEAVES, np.int32)
    for triple in range(n_triples):
        base = triple * TRIPLE
        n_leaves = 1
        leaves[0] = 0
        for level in range(3):
            n_before = n_leaves
            before[:n_before] = leaves[:n_before]
            n_leaves = 0
            for at in range(n_before):
                if data[base + level] > ANY:
                    node = _child(edge_keys, edge_children, before[at], data[base + level])
                    if node >= 0:
                        leaves[n_leaves] = node
                        n_leaves += 1
                node = _child(edge_keys, edge_children, before[at], ANY)
                if node >= 0:
                    leaves[n_leaves] = node
                    n_leaves += 1
        for at in range(n_leaves):
            n_marked = _mark(id_starts, ids, leaves[at], stamps, serial, marked, n_marked)
        first, last = data[base + 3], data[base + 4]
        if n_leaves == 0 or first < 0:
            continue
        serials[1] += 1
        this = serials[1]
        n_words = 0  # distinct ones come first
        for at in range(first, last):
            word = data[at]
            if word_stamps[word] != this:
                word_stamps[word] = this
                data[first + n_words] = word
                n_words += 1
        n_pending = 0
        if words_root >= 0:
            stack[0] = words_root
            n_pending = 1
        else:
            for at in range(n_leaves):
                stack[at] = leaves[at]
            n_pending = n_leaves
        while n_pending > 0:
            n_pending -= 1
            node = stack[n_pending]
            # The smaller side is gone through, as Python does with sets.
            n_children = child_starts[node + 1] - child_starts[node]
            over_words = n_words < n_children
            for step in range(n_words if over_words else n_children):
                if over_words:
                    child = _child(edge_keys, edge_children, node, data[first + step])
                    if child < 0:
                        continue
                else:
                    at = child_starts[node] + step
                    if word_stamps[child_contents[at]] != this:
                        continue
                    child = child_nodes[at]
                if words_root < 0:
                    n_marked = _mark(id_starts, ids, child, stamps, serial, marked, n_marked)
                else:
                    for at in range(n_leaves):
                        place = _child(leaf_keys, leaf_lists, child, leaves[at])
                        if place >= 0:
                            n_marked = _mark(list_starts, list_ids, place, stamps, serial, marked, n_marked)
                if child_starts[child + 1] > child_starts[child]:
                    stack[n_pending] = child
                    n_pending += 1
    n_found = 0
    if scans:
        for row in range(len(row_starts) - 1):
            if _is_satisfied(row_starts, row_ids, row, stamps, serial):
                found[n_found] = row
                n_found += 1
    else:
        for at in range(n_marked):
            number = marked[at]
            for place in range(under_starts[number], under_starts[number + 1]):
                if _is_satisfied(row_starts, row_ids, under_rows[place], stamps, serial):
                    found[n_found] = under_rows[place]
                    n_found += 1
    return n_found


@_compiled
def _is_satisfied(row_starts, row_ids, row, stamps, serial):
    """Whether all tuples of a query are marked."""
    for at in range(row_starts[row], row_starts[row + 1]):  # noqa: SIM110  numba has no generators here
        if stamps[row_ids[at]] != serial:
            return False
    return True
