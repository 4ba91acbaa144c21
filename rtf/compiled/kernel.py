"""The loops over the frozen index, compiled by numba.

Everything is a flat array: `index` holds the sections (see `sections`), `raw` is the same memory as bytes, `data` is a
publication (see `encoding`). Nothing is cleared between publications: what was seen is stamped with a serial number,
which grows. Lists have a fixed capacity; where one overflows the kernel says so, and is called again with more.

All of it is one file, because numba's cache notices changes only in the file of the function that is called.
"""

from __future__ import annotations

from typing import Any, Final

import numba
import numpy as np

from rtf.compiled.sections import SECTIONS

__all__ = [
    "ANY",
    "COUNTS",
    "FIRST_STRING",
    "HIT_TRIPLES",
    "HIT_TUPLES",
    "LISTS",
    "MANY_CHILDREN",
    "PENDING",
    "QUERIES",
    "edge_table",
    "find_string",
    "match_publication",
    "string_table",
]

UNKNOWN: Final = 0  # the symbol of what no query mentions
ANY: Final = 1  # of a variable
FIRST_STRING: Final = 2  # of the first string of the dictionary
MANY_CHILDREN: Final = 8  # nodes with more are looked up in the hash table of edges

# Regions of the array `lists`, each of the same capacity.
LISTS: Final = 7
_WORDS, _STACK, HIT_TUPLES, HIT_TRIPLES, _HIT_SUBJECTS, QUERIES, PENDING = range(LISTS)
# What the array `counts` tells afterwards.
COUNTS: Final = ("queries", "pending", "hits", "visited", "tuples", "candidates", "serial")
_N_QUERIES, _N_PENDING, _N_HITS, _N_VISITED, _N_TUPLES, _N_CANDIDATES, _SERIAL = range(len(COUNTS))

_STRING_SLOTS = 2 * SECTIONS.index("string_slots")
_STRING_HASHES = 2 * SECTIONS.index("string_hashes")
_STRING_STARTS = 2 * SECTIONS.index("string_starts")
_STRING_BYTES = 2 * SECTIONS.index("string_bytes")
_CHILD_STARTS = 2 * SECTIONS.index("child_starts")
_CHILD_SYMBOLS = 2 * SECTIONS.index("child_symbols")
_CHILD_NODES = 2 * SECTIONS.index("child_nodes")
_EDGE_SLOTS = 2 * SECTIONS.index("edge_slots")
_END_STARTS = 2 * SECTIONS.index("end_starts")
_END_TUPLES = 2 * SECTIONS.index("end_tuples")
_LEAF_SYMBOLS = 2 * SECTIONS.index("leaf_symbols")
_UNDER_STARTS = 2 * SECTIONS.index("under_starts")
_UNDER = 2 * SECTIONS.index("under_alternatives")
_ALWAYS = 2 * SECTIONS.index("always")
_NEED_STARTS = 2 * SECTIONS.index("need_starts")
_NEEDS = 2 * SECTIONS.index("needs")
_PATTERNS = 2 * SECTIONS.index("alternative_patterns")
_GRAPHS = 2 * SECTIONS.index("alternative_graphs")
_FLAGS = 2 * SECTIONS.index("alternative_flags")
_QUERY_STARTS = 2 * SECTIONS.index("query_starts")
_QUERY_LIST = 2 * SECTIONS.index("queries")

_compiled: Any = numba.njit(cache=True, nogil=True)

_OFFSET = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_MIX_NODE = np.uint64(0x9E3779B97F4A7C15)
_MIX_SYMBOL = np.uint64(0xC2B2AE3D27D4EB4F)


# --- the dictionary ---------------------------------------------------------------------------------------------------


@_compiled
def _hash(data, start, end, seed):
    """FNV-1a, finished by a mixing step, because its low bits are used as they are."""
    h = seed
    for i in range(start, end):
        h = (h ^ np.uint64(data[i])) * _PRIME
    h ^= h >> np.uint64(32)
    return h * _MIX_NODE


@_compiled
def string_table(raw, starts, slots, hashes):
    """Fill the hash table of the dictionary. `slots` is zero and its length a power of two."""
    mask = np.uint64(len(slots) - 1)
    for number in range(len(starts) - 1):
        h = _hash(raw, starts[number], starts[number + 1], _OFFSET)
        slot = h & mask
        while slots[slot] != 0:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = number + FIRST_STRING
        hashes[slot] = np.int32(np.int64(h >> np.uint64(32)) - 2147483648)


@_compiled
def find_string(data, raw, starts, slots, hashes):
    """The number that `string_table` gave to a string, plus FIRST_STRING; UNKNOWN if it is not in the table."""
    h = _hash(data, 0, len(data), _OFFSET)
    mask = np.uint64(len(slots) - 1)
    fragment = np.int32(np.int64(h >> np.uint64(32)) - 2147483648)
    slot = h & mask
    while slots[slot] != 0:
        if hashes[slot] == fragment:
            number = slots[slot] - FIRST_STRING
            start, end = starts[number], starts[number + 1]
            if end - start == len(data):
                same = True
                for i in range(len(data)):
                    if raw[start + i] != data[i]:
                        same = False
                        break
                if same:
                    return number + FIRST_STRING
        slot = (slot + np.uint64(1)) & mask
    return UNKNOWN


@_compiled
def _symbol(index, raw, data, start, end, seed, skip):
    """The symbol of the bytes [start, end) of `data`, whose first `skip` are in `seed` already but not in `data`."""
    h = _hash(data, start, end, seed)
    first, count = index[_STRING_SLOTS], index[_STRING_SLOTS + 1]
    mask = np.uint64(count - 1)
    slot = h & mask
    fragment = np.int32(np.int64(h >> np.uint64(32)) - 2147483648)
    starts = index[_STRING_STARTS]
    blob = 4 * np.int64(index[_STRING_BYTES])
    while True:
        symbol = index[first + np.int64(slot)]
        if symbol == 0:
            return UNKNOWN
        if index[index[_STRING_HASHES] + np.int64(slot)] == fragment:
            place = starts + symbol - FIRST_STRING
            begin = blob + index[place] + skip
            length = index[place + 1] - index[place] - skip
            if length == end - start:
                same = True
                for i in range(length):
                    if raw[begin + i] != data[start + i]:
                        same = False
                        break
                if same:
                    return symbol
        slot = (slot + np.uint64(1)) & mask


# --- the forest -------------------------------------------------------------------------------------------------------


@_compiled
def _edge_slot(node, symbol, count):
    h = np.uint64(node) * _MIX_NODE + np.uint64(symbol) * _MIX_SYMBOL
    return np.int64((h ^ (h >> np.uint64(29))) & np.uint64(count - 1))


@_compiled
def edge_table(child_starts, child_symbols, child_nodes, slots):
    """Fill the hash table of the edges of nodes with many children; `slots` is all -1, for a power of two of edges."""
    count = len(slots) // 3
    for node in range(len(child_starts) - 1):
        if child_starts[node + 1] - child_starts[node] > MANY_CHILDREN:
            for place in range(child_starts[node], child_starts[node + 1]):
                slot = _edge_slot(node, child_symbols[place], count)
                while slots[3 * slot] != -1:
                    slot = (slot + 1) & (count - 1)
                slots[3 * slot] = node
                slots[3 * slot + 1] = child_symbols[place]
                slots[3 * slot + 2] = child_nodes[place]


@_compiled
def _child(index, node, symbol):
    """The child of a node at a symbol, or -1."""
    starts = index[_CHILD_STARTS]
    begin, end = index[starts + node], index[starts + node + 1]
    if end - begin <= MANY_CHILDREN:
        symbols = index[_CHILD_SYMBOLS]
        for place in range(begin, end):
            if index[symbols + place] == symbol:
                return index[index[_CHILD_NODES] + place]
        return -1
    first, count = index[_EDGE_SLOTS], index[_EDGE_SLOTS + 1] // 3
    slot = _edge_slot(node, symbol, count)
    while True:
        place = first + 3 * slot
        if index[place] == -1:
            return -1
        if index[place] == node and index[place + 1] == symbol:
            return index[place + 2]
        slot = (slot + 1) & (count - 1)


@_compiled
def _emit(index, node, triple, subject, stamps, tuples_at, serial, lists, capacity, counts):
    """The tuples at the end of a path are hit. False if a list is full."""
    starts = index[_END_STARTS]
    for place in range(index[starts + node], index[starts + node + 1]):
        number = index[index[_END_TUPLES] + place]
        n = counts[_N_HITS]
        if n >= capacity:
            return False
        lists[HIT_TUPLES * capacity + n] = number
        lists[HIT_TRIPLES * capacity + n] = triple
        lists[_HIT_SUBJECTS * capacity + n] = subject
        counts[_N_HITS] = n + 1
        if stamps[tuples_at + number] != serial:
            stamps[tuples_at + number] = serial
            counts[_N_TUPLES] += 1
    return True


@_compiled
def _add_word(symbol, stamps, serial, lists, capacity, n):
    """Note a word of the text at hand, once. The new number of words, -1 if the list is full."""
    if symbol == UNKNOWN or stamps[symbol] == serial:
        return n
    stamps[symbol] = serial
    if n >= capacity:
        return -1
    lists[_WORDS * capacity + n] = symbol
    return n + 1


@_compiled
def _read_simple(index, raw, folded, data, start, end, stamps, serial, lists, capacity):
    """The words of a text of simple characters, in the default reading.

    It is folded in place: the key of the literal has been looked up by now, and nobody reads it again.
    """
    n = 0
    seed = (((_OFFSET ^ np.uint64(87)) * _PRIME) ^ np.uint64(32)) * _PRIME  # W, analysis 0
    position = start
    while position <= end:
        lead = data[position] if position < end else 0
        if lead < 128:
            width = 1
            code = folded[lead]
            if code:
                data[position] = code
        elif lead < 224:
            width = 2
            code = folded[((lead & 31) << 6) | (data[position + 1] & 63)]
            if code:
                data[position] = 192 | (code >> 6)
                data[position + 1] = 128 | (code & 63)
        else:
            width = 3
            code = folded[((lead & 15) << 12) | ((data[position + 1] & 63) << 6) | (data[position + 2] & 63)]
            if code:
                data[position] = 224 | (code >> 12)
                data[position + 1] = 128 | ((code >> 6) & 63)
                data[position + 2] = 128 | (code & 63)
        if not code:
            if position > start:
                symbol = _symbol(index, raw, data, start, position, seed, 2)
                n = _add_word(symbol, stamps, serial, lists, capacity, n)
                if n < 0:
                    return n
            start = position + width
        position += width
    return n


@_compiled
def _read_words(index, raw, folded, data, lexical, end, stamps, serial, lists, capacity):
    """The words of a literal that queries mention; its lexical form is [lexical, end), and `T` fields may follow.

    Their number, or -1 if the list is full.
    """
    n = 0
    if not (end + 2 < len(data) and data[end + 1] == 84 and data[end + 2] == 32):  # no T field of analysis 0 follows
        n = _read_simple(index, raw, folded, data, lexical, end, stamps, serial, lists, capacity)
        if n < 0:
            return n
    position = end
    while position + 1 < len(data) and data[position] == 0 and data[position + 1] == 84:  # T
        seed = (((_OFFSET ^ np.uint64(87)) * _PRIME) ^ np.uint64(data[position + 2])) * _PRIME
        position += 3
        if position >= len(data) or data[position] == 0:
            continue  # no words
        position += 1  # the space before the first word
        start = position
        while True:
            at_end = position >= len(data) or data[position] == 0
            if at_end or data[position] == 32:
                symbol = _symbol(index, raw, data, start, position, seed, 2)
                n = _add_word(symbol, stamps, serial, lists, capacity, n)
                if n < 0:
                    return n
                start = position + 1
                if at_end:
                    break
            position += 1
    return n


@_compiled
def _walk_words(
    index,
    root,
    n_words,
    leaves,
    n_leaves,
    triple,
    subject,
    stamps,
    tuples_at,
    word_serial,
    serial,
    lists,
    capacity,
    counts,
):
    """All paths of words from `root`. With leaves (RTFS), tuples stand behind the symbol of their leaf. False: full."""
    n_symbols = index[index[0] + 1]
    child_starts = index[_CHILD_STARTS]
    top = 1
    lists[_STACK * capacity] = root
    while top > 0:
        top -= 1
        node = lists[_STACK * capacity + top]
        begin, end = index[child_starts + node], index[child_starts + node + 1]
        few = end - begin <= n_words
        for turn in range(end - begin if few else n_words):
            if few:
                symbol = index[index[_CHILD_SYMBOLS] + begin + turn]
                if symbol >= n_symbols or stamps[symbol] != word_serial:
                    continue
                child = index[index[_CHILD_NODES] + begin + turn]
            else:
                child = _child(index, node, lists[_WORDS * capacity + turn])
                if child < 0:
                    continue
            counts[_N_VISITED] += 1
            if n_leaves == 0 and not _emit(
                index, child, triple, subject, stamps, tuples_at, serial, lists, capacity, counts
            ):
                return False
            for i in range(n_leaves):
                behind = _child(index, child, leaves[i])
                if behind >= 0:
                    counts[_N_VISITED] += 1
                    if not _emit(index, behind, triple, subject, stamps, tuples_at, serial, lists, capacity, counts):
                        return False
            if index[child_starts + child + 1] > index[child_starts + child]:
                if top >= capacity:
                    return False
                lists[_STACK * capacity + top] = child
                top += 1
    return True


@_compiled
def _end_of_field(data, position):
    while position < len(data) and data[position] != 0:
        position += 1
    return position


# --- a publication ----------------------------------------------------------------------------------------------------


@_compiled
def match_publication(index, raw, folded, alive, data, stamps, lists, capacity, counts):
    """Match a publication; `folded` is `folding.fold_table`.

    False if a list was too short; then nothing counts, and `stamps` are as good as before.

    Afterwards the lists hold the numbers of the matching queries, in order; of the alternatives that have to be checked
    outside; and the hits (tuple, triple).
    """
    sizes = index[0]
    n_symbols, n_tuples, n_patterns = index[sizes + 1], index[sizes + 2], index[sizes + 3]
    structure_root, word_root = index[sizes + 4], index[sizes + 5]
    tuples_at = n_symbols
    subjects_at = tuples_at + n_tuples
    patterns_at = subjects_at + n_tuples
    pending_at = patterns_at + n_patterns
    counts[:_SERIAL] = 0
    serial = counts[_SERIAL] + 1
    counts[_SERIAL] = serial
    word_serial = serial
    leaves = np.empty(8, np.int32)
    starts = np.empty(8, np.int32)

    # Walk: every triple through the forest.
    position = _end_of_field(data, 0)
    graph = 0
    has_graph = data[0] == 73  # I
    if has_graph:
        graph = _symbol(index, raw, data, 0, position, _OFFSET, 0)
    n_subjects = 0
    subject_symbol = UNKNOWN
    triple = -1
    while position < len(data):
        position += 1
        if data[position] == 83:  # S
            end = _end_of_field(data, position)
            subject_symbol = _symbol(index, raw, data, position + 1, end, _OFFSET, 0)
            n_subjects += 1
            position = end + 1
        triple += 1
        end = _end_of_field(data, position)
        predicate = _symbol(index, raw, data, position, end, _OFFSET, 0)
        position = end + 1
        end = _end_of_field(data, position)
        object_ = _symbol(index, raw, data, position, end, _OFFSET, 0)
        n_starts, n_leaves = 0, 0
        for s in range(2):
            first = _child(index, structure_root, ANY if s else subject_symbol) if s or subject_symbol else -1
            if first < 0:
                continue
            counts[_N_VISITED] += 1
            for p in range(2):
                second = _child(index, first, ANY if p else predicate) if p or predicate else -1
                if second < 0:
                    continue
                counts[_N_VISITED] += 1
                for o in range(2):
                    leaf = _child(index, second, ANY if o else object_) if o or object_ else -1
                    if leaf < 0:
                        continue
                    counts[_N_VISITED] += 1
                    if not _emit(index, leaf, triple, n_subjects, stamps, tuples_at, serial, lists, capacity, counts):
                        return False
                    if index[index[_LEAF_SYMBOLS] + leaf] != 0:
                        leaves[n_leaves] = index[index[_LEAF_SYMBOLS] + leaf]
                        n_leaves += 1
                    elif index[index[_CHILD_STARTS] + leaf + 1] > index[index[_CHILD_STARTS] + leaf]:
                        starts[n_starts] = leaf
                        n_starts += 1
        if n_starts + n_leaves > 0 and data[position] == 76:  # L
            lexical = position
            while data[lexical] != 1:
                lexical += 1
            word_serial += 1
            counts[_SERIAL] = word_serial
            n_words = _read_words(index, raw, folded, data, lexical + 1, end, stamps, word_serial, lists, capacity)
            if n_words < 0:
                return False
            for i in range(n_starts):
                if not _walk_words(
                    index, starts[i], n_words, leaves, 0, triple, n_subjects,
                    stamps, tuples_at, word_serial, serial, lists, capacity, counts,
                ):  # fmt: skip
                    return False
            if n_leaves and not _walk_words(
                index, word_root, n_words, leaves, n_leaves, triple, n_subjects,
                stamps, tuples_at, word_serial, serial, lists, capacity, counts,
            ):  # fmt: skip
                return False
        position = end
        while position + 1 < len(data) and data[position + 1] == 84:  # T
            position = _end_of_field(data, position + 1)

    # Decide: the alternatives under each tuple that was hit, subject by subject.
    for turn in range(index[_ALWAYS + 1]):
        alternative = index[index[_ALWAYS] + turn]
        if not _decide(
            index, alternative, graph, has_graph, alive, stamps, tuples_at, subjects_at, patterns_at, pending_at,
            serial, 0, lists, capacity, counts,
        ):  # fmt: skip
            return False
    place = 0
    while place < counts[_N_HITS]:
        subject = lists[_HIT_SUBJECTS * capacity + place]
        after = place
        subject_serial = counts[_SERIAL] + 1
        counts[_SERIAL] = subject_serial
        while after < counts[_N_HITS] and lists[_HIT_SUBJECTS * capacity + after] == subject:
            stamps[subjects_at + lists[HIT_TUPLES * capacity + after]] = subject_serial
            after += 1
        for hit in range(place, after):
            number = lists[HIT_TUPLES * capacity + hit]
            if stamps[subjects_at + number] == -subject_serial:
                continue  # hit twice
            stamps[subjects_at + number] = -subject_serial  # its alternatives are looked at now
            for under in range(index[index[_UNDER_STARTS] + number], index[index[_UNDER_STARTS] + number + 1]):
                if not _decide(
                    index, index[index[_UNDER] + under], graph, has_graph, alive,
                    stamps, tuples_at, subjects_at, patterns_at, pending_at,
                    serial, subject_serial, lists, capacity, counts,
                ):  # fmt: skip
                    return False
        place = after
    found = lists[QUERIES * capacity : QUERIES * capacity + counts[_N_QUERIES]]
    found.sort()
    return True


@_compiled
def _decide(
    index, alternative, graph, has_graph, alive, stamps, tuples_at, subjects_at, patterns_at, pending_at,
    serial, subject_serial, lists, capacity, counts,
):  # fmt: skip
    """Whether an alternative holds whose access tuple was hit; if so, its queries match. False if a list is full."""
    pattern = index[index[_PATTERNS] + alternative]
    if stamps[patterns_at + pattern] == serial:
        return True
    counts[_N_CANDIDATES] += 1
    wanted = index[index[_GRAPHS] + alternative]
    if wanted != 0 and not (has_graph and wanted in (-1, graph)):
        return True
    for place in range(index[index[_NEED_STARTS] + alternative], index[index[_NEED_STARTS] + alternative + 1]):
        need = index[index[_NEEDS] + place]
        if need & 1:
            if abs(stamps[subjects_at + (need >> 1)]) != subject_serial:
                return True
        elif stamps[tuples_at + (need >> 1)] != serial:
            return True
    if index[index[_FLAGS] + alternative] != 0:
        if stamps[pending_at + alternative] != serial:
            stamps[pending_at + alternative] = serial
            n = counts[_N_PENDING]
            if n >= capacity:
                return False
            lists[PENDING * capacity + n] = alternative
            counts[_N_PENDING] = n + 1
        return True
    stamps[patterns_at + pattern] = serial
    for place in range(index[index[_QUERY_STARTS] + pattern], index[index[_QUERY_STARTS] + pattern + 1]):
        query = index[index[_QUERY_LIST] + place]
        if alive[query]:
            n = counts[_N_QUERIES]
            if n >= capacity:
                return False
            lists[QUERIES * capacity + n] = query
            counts[_N_QUERIES] = n + 1
    return True
