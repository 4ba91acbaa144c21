"""The loops over the frozen index, compiled by numba.

Everything is a flat array. Nothing is cleared between publications: what was seen is stamped with a serial number,
which grows. Lists have a fixed capacity; where one overflows the kernel says so, and is called again with more.

What is only read is read-only: numba compiles a function anew for each kind of array, and that takes seconds.

Publications come as rows of columns with terms in N-Triples syntax (see `rows`), and go through the forest triple by
triple (`_walk_triple`).

All of it is one file, because numba's cache notices changes only in the file of the function that is called.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from rtf.compiled.records import COMPARED, HEAD, IN_GRAPH, PENDING, SEVERAL
from rtf.compiled.sections import ANY, FIRST_INTERVALS, IRI_KIND, LITERAL_KIND, SECTIONS, UNKNOWN, WORD_KIND, WORDS
from rtf.index.intervals import Line

__all__ = [
    "CANDIDATES",
    "COUNTS",
    "DONE",
    "FULL",
    "GRAPH",
    "HITS",
    "LONGEST_WORD",
    "MANY_EDGES",
    "MISSING",
    "NEW_WORDS",
    "NEXT",
    "NODES_VISITED",
    "NO_ROOM",
    "N_PENDING",
    "N_QUERIES",
    "OBJECT",
    "PREDICATE",
    "SERIAL",
    "SUBJECT",
    "TUPLES",
    "UNCLEAR",
    "WORDS_OF",
    "Index",
    "Rows",
    "Scratch",
    "Taken",
    "add_tallies",
    "edge_table",
    "find_symbol",
    "hash_strings",
    "match_rows",
    "remember",
    "split_cells",
    "string_table",
]

_FEW_QUERIES: Final = 24  # that match; more are sorted as bits
LINES: Final = len(Line)
MANY_EDGES: Final = 8  # nodes with more are looked up in the hash table of edges
LONGEST_WORD: Final = 1024  # bytes; texts with longer ones are read outside

# Where the bounds of columns stand in `Rows.bounds`.
SUBJECT, PREDICATE, OBJECT, GRAPH, WORDS_OF = range(0, 10, 2)

# What comes of a publication: it is done; a list of the scratch is too short; it has to be read outside, as its text is
# not simple, its terms are none, or its subjects are not in order; there is no room to take what was found; it has
# words that the memo lacks.
DONE, FULL, UNCLEAR, NO_ROOM, NEW_WORDS = range(5)

# What `counts` tells afterwards; NEXT is the first publication that is not done.
COUNTS: Final = 11
N_QUERIES, N_PENDING, HITS, NODES_VISITED, TUPLES, CANDIDATES, MISSING, NEXT = range(8)
_N_LEAVES, _N_INTERVALS, SERIAL = range(8, COUNTS)

_SIZES = 2 * SECTIONS.index("sizes")
_STRING_SLOTS = 2 * SECTIONS.index("string_slots")
_STRINGS = 2 * SECTIONS.index("strings")
_NODES = 2 * SECTIONS.index("nodes")
_EDGES = 2 * SECTIONS.index("edges")
_EDGE_SLOTS = 2 * SECTIONS.index("edge_slots")
_ENDS = 2 * SECTIONS.index("ends")
_INTERVALS = 2 * SECTIONS.index("intervals")
_RECORD_STARTS = 2 * SECTIONS.index("record_starts")
_RECORDS = 2 * SECTIONS.index("records")

_BLANK = ord("B")
_QUOTE, _BACKSLASH, _LESS, _GREATER, _AT, _UNDERSCORE = ord('"'), ord("\\"), ord("<"), ord(">"), ord("@"), ord("_")

_compiled: Any = numba.njit(cache=True, nogil=True)

_OFFSET = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_MIX_NODE = np.uint64(0x9E3779B97F4A7C15)
_MIX_SYMBOL = np.uint64(0xC2B2AE3D27D4EB4F)


class Index(NamedTuple):
    """What does not change: the sections, the same memory as bytes and as floats, and `folding.fold_table`."""

    buffer: Any  # int32
    raw: Any  # uint8
    floats: Any  # float32
    folded: Any  # int32


class Scratch(NamedTuple):
    """What one thread writes on.

    `stamps` has parts: symbols; pairs for tuples (in this publication, negative if some hit is not sure; under this
    subject); patterns; triples for alternatives (pending, how often candidate, how often matched).
    """

    stamps: Any  # int32
    counts: Any  # int64
    words: Any  # int32: the symbols of the words of a text
    stack: Any  # int32
    leaves: Any  # int32
    hits: Any  # int32: triples (tuple, number of the triple, number of its subject)
    queries: Any  # int32
    pending: Any  # int32: where the records begin
    bits: Any  # uint64, one bit for each query, all zero between publications
    token: Any  # uint8: a word, folded
    text: Any  # uint8: a literal without escapes
    unescaped: Any  # the same memory, read-only
    head: Any  # uint8: datatype or language of a literal
    memo_slots: Any  # int32: see `memo`; pairs (part of the hash, place), place 0 is free
    memo_records: Any  # int32: (length in bytes, number of symbols), the symbols, the bytes
    missing: Any  # uint8: words that the memo lacks; `counts[MISSING]` bytes
    subjects: Any  # int64: a hash table of the subjects of a publication: pairs (serial, hash)


class Rows(NamedTuple):
    """Columns of terms in N-Triples syntax.

    `bounds` has two rows for each column, where its cells begin and where they end: SUBJECT, PREDICATE, OBJECT, GRAPH
    and WORDS_OF tell which. An empty cell is none. The words of a literal stand there in all readings if somebody else
    has read it: a byte 1 and a character for the reading, from `0` on, then each word after a space.
    """

    subjects: Any  # uint8
    predicates: Any
    objects: Any
    graphs: Any
    words: Any
    bounds: Any  # int64
    starts: Any  # int64: the rows at which publications begin, and one more


class Taken(NamedTuple):
    """What is taken from the scratch after each publication; `ends` tells where that of each ends, in each list."""

    states: Any  # uint8: DONE or UNCLEAR
    ends: Any  # int64: queries, pending, hits
    queries: Any
    pending: Any
    hits: Any  # only of publications with something pending


# --- the dictionary ---------------------------------------------------------------------------------------------------


@_compiled
def _seed(kind):
    return (_OFFSET ^ np.uint64(kind)) * _PRIME


@_compiled
def _hash(data, start, end, h):
    """FNV-1a, to be finished by `_finish`."""
    for i in range(start, end):
        h = (h ^ np.uint64(data[i])) * _PRIME
    return h


@_compiled
def _finish(h):
    """A mixing step, because the low bits are used as they are."""
    h ^= h >> np.uint64(32)
    return h * _MIX_NODE


@_compiled
def _fragment(h):
    return np.int32(np.int64(h >> np.uint64(32)) - 2147483648)


@_compiled
def hash_strings(data, starts, hashes):
    """The hash of each string."""
    for number in range(len(starts) - 1):
        hashes[number] = _finish(_hash(data, starts[number], starts[number + 1], _OFFSET))


@_compiled
def string_table(strings, raw, places, slots):
    """Fill the hash table of the dictionary. `slots` is zero, and there is a power of two of them."""
    mask = np.uint64(len(slots) // 2 - 1)
    for place in places:
        begin = 4 * (place + 3)
        h = _finish(_hash(raw, begin, begin + strings[place + 2], _seed(strings[place + 1])))
        slot = np.int64(h & mask)
        while slots[2 * slot + 1] != 0:
            slot = np.int64(np.uint64(slot + 1) & mask)
        slots[2 * slot] = _fragment(h)
        slots[2 * slot + 1] = place


@_compiled
def _find(buffer, raw, h, kind, head, n_head, data, start, end):
    """The symbol of a string: `n_head` bytes of `head` and the bytes [start, end) of `data`. `h` is not finished."""
    h = _finish(h)
    first, mask = buffer[_STRING_SLOTS], np.uint64(buffer[_STRING_SLOTS + 1] // 2 - 1)
    fragment = _fragment(h)
    slot = np.int64(h & mask)
    while True:
        place = buffer[first + 2 * slot + 1]
        if place == 0:
            return UNKNOWN
        if buffer[first + 2 * slot] == fragment:
            record = buffer[_STRINGS] + place
            length = end - start
            if buffer[record + 1] == kind and buffer[record + 2] == n_head + length:
                begin = 4 * np.int64(record + 3)
                same = True
                for i in range(n_head):
                    if raw[begin + i] != head[i]:
                        same = False
                        break
                begin += n_head
                if same:
                    for i in range(length):
                        if raw[begin + i] != data[start + i]:
                            same = False
                            break
                if same:
                    return buffer[record]
        slot = np.int64(np.uint64(slot + 1) & mask)


@_compiled
def _symbol(index, kind, data, start, end):
    """The symbol of the bytes [start, end)."""
    return _find(
        index.buffer, index.raw, _hash(data, start, end, _seed(kind)), kind, data, np.int64(0), data, start, end
    )


@_compiled
def find_symbol(index, kind, data, length):
    """The same for callers outside: of the first `length` bytes."""
    return _symbol(index, np.int64(kind), data, np.int64(0), np.int64(length))


# --- the forest -------------------------------------------------------------------------------------------------------


@_compiled
def _edge_slot(node, symbol, count):
    h = np.uint64(node) * _MIX_NODE + np.uint64(symbol) * _MIX_SYMBOL
    return np.int64((h ^ (h >> np.uint64(29))) & np.uint64(count - 1))


@_compiled
def edge_table(nodes, edges, slots):
    """Fill the hash table of the edges of nodes with many; `slots` is all -1, and there is a power of two of them."""
    count = len(slots) // 2
    for node in range(len(nodes) // 2 - 1):
        if nodes[2 * node + 2] - nodes[2 * node] > MANY_EDGES:
            for edge in range(nodes[2 * node], nodes[2 * node + 2]):
                slot = _edge_slot(node, edges[edge], count)
                while slots[2 * slot + 1] != -1:
                    slot = (slot + 1) & (count - 1)
                slots[2 * slot] = edges[edge]
                slots[2 * slot + 1] = edge


@_compiled
def _child(buffer, node, symbol):
    """The node behind the edge with a symbol, or -1."""
    at = buffer[_NODES] + 2 * node
    begin, end = buffer[at], buffer[at + 2]
    if end - begin <= MANY_EDGES:
        edges = buffer[_EDGES]
        for edge in range(begin, end):
            if buffer[edges + edge] == symbol:
                return edge + 1
        return -1
    first, count = buffer[_EDGE_SLOTS], buffer[_EDGE_SLOTS + 1] // 2
    slot = _edge_slot(node, symbol, count)
    while True:
        place = first + 2 * slot
        edge = buffer[place + 1]
        if edge == -1:
            return -1
        if buffer[place] == symbol and begin <= edge < end:
            return edge + 1
        slot = (slot + 1) & (count - 1)


@_compiled
def _emit(buffer, stamps, counts, hits, leaves, node, triple, subject, serial):
    """The tuples at the end of a path are hit, and leaves of the structure noted. False if a list is full."""
    at = buffer[_NODES] + 2 * node + 1
    ends, tuples_at = buffer[_ENDS], buffer[buffer[_SIZES]]
    for place in range(buffer[at], buffer[at + 2]):
        number = buffer[ends + place]
        if number <= -FIRST_INTERVALS:
            leaves[16 + counts[_N_INTERVALS]] = -number - FIRST_INTERVALS
            counts[_N_INTERVALS] += 1
        elif number < 0:
            leaves[counts[_N_LEAVES]] = -number
            counts[_N_LEAVES] += 1
        elif not _hit(stamps, counts, hits, tuples_at, number, triple, subject, serial, serial):
            return False
    return True


@_compiled
def _hit(stamps, counts, hits, tuples_at, number, triple, subject, serial, stamp):
    """A tuple is hit; `stamp` is the serial number, or minus that if it is not sure. False if the list is full."""
    n = counts[HITS]
    if 3 * n + 3 > len(hits):
        return False
    hits[3 * n] = number
    hits[3 * n + 1] = triple
    hits[3 * n + 2] = subject
    counts[HITS] = n + 1
    before = stamps[tuples_at + 2 * number]
    if abs(before) != serial:
        stamps[tuples_at + 2 * number] = stamp
        counts[TUPLES] += 1
    elif stamp < before:  # one that is not sure spoils it for all
        stamps[tuples_at + 2 * number] = stamp
    return True


@_compiled
def _emit_intervals(index, scratch, at, line, value, triple, subject, serial):
    """The tuples are hit in whose intervals a value may be. With a value of no line, all of them. False: full."""
    buffer, floats = index.buffer, index.floats
    tuples_at = buffer[buffer[_SIZES]]
    stamps, counts, hits = scratch.stamps, scratch.counts, scratch.hits
    place = at + 2 * LINES
    for group in range(2 * LINES):
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
                    if not _hit(stamps, counts, hits, tuples_at, buffer[place], triple, subject, serial, stamp):
                        return False
                place += 5
        place = behind
    return True


@_compiled
def _walk_words(buffer, scratch, root, n_words, n_leaves, triple, subject, word_serial, serial):
    """All paths of words from `root`. With leaves (RTFS), tuples stand behind the symbol of their leaf. False: full."""
    n_symbols = buffer[buffer[_SIZES]]
    nodes, edges = buffer[_NODES], buffer[_EDGES]
    stamps, counts, hits, leaves = scratch.stamps, scratch.counts, scratch.hits, scratch.leaves
    stack, words = scratch.stack, scratch.words
    top = 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = np.int64(stack[top])
        begin, end = buffer[nodes + 2 * node], buffer[nodes + 2 * node + 2]
        few = end - begin <= n_words
        for turn in range(end - begin if few else n_words):
            if few:
                symbol = buffer[edges + begin + turn]
                if symbol >= n_symbols or stamps[symbol] != word_serial:
                    continue
                child = begin + turn + 1
            else:
                child = _child(buffer, node, np.int64(words[turn]))
                if child < 0:
                    continue
            counts[NODES_VISITED] += 1
            if n_leaves == 0:
                if not _emit(buffer, stamps, counts, hits, leaves, child, triple, subject, serial):
                    return False
            else:
                for i in range(n_leaves):
                    behind = _child(buffer, child, np.int64(leaves[i]))
                    if behind >= 0:
                        counts[NODES_VISITED] += 1
                        if not _emit(buffer, stamps, counts, hits, leaves, behind, triple, subject, serial):
                            return False
            if buffer[nodes + 2 * child + 2] > buffer[nodes + 2 * child]:
                if top >= len(stack):
                    return False
                stack[top] = child
                top += 1
    return True


# --- texts ------------------------------------------------------------------------------------------------------------


@_compiled
def _add_word(stamps, words, symbol, serial, n):
    """Note a word of the text at hand, once. The new number of words, -FULL if the list is full."""
    if symbol == UNKNOWN or stamps[symbol] == serial:
        return n
    stamps[symbol] = serial
    if n >= len(words):
        return -FULL
    words[n] = symbol
    return n + 1


@_compiled
def _read_simple(index, scratch, data, start, end, serial):
    """The words of a text of simple characters, in the default reading: their number, or minus what is wrong.

    A word is folded and hashed byte by byte as it is read. What it is in other readings is known to the memo.
    """
    n = np.int64(0)
    kind = np.int64(WORD_KIND)
    none = np.int64(0)
    other_readings = len(scratch.memo_slots) > 0
    buffer, raw, folded = index.buffer, index.raw, index.folded
    stamps, words, token = scratch.stamps, scratch.words, scratch.token
    length = np.int64(0)
    h = _seed(kind)
    position = first = start
    while position < end:
        lead = data[position]
        if lead < 128:
            position += 1
            code = folded[lead]
            if code:
                if length >= LONGEST_WORD:
                    return -UNCLEAR
                token[length] = code
                length += 1
                h = (h ^ np.uint64(code)) * _PRIME
                continue
        else:
            if lead < 224:
                code = folded[((lead & 31) << 6) | (data[position + 1] & 63)]
                width = 2
            elif lead < 240:
                code = folded[((lead & 15) << 12) | ((data[position + 1] & 63) << 6) | (data[position + 2] & 63)]
                width = 3
            else:
                return -UNCLEAR
            position += width
            if code < 0:
                return -UNCLEAR
            if code:
                if length + width > LONGEST_WORD:
                    return -UNCLEAR
                if width == 2:
                    token[length] = 192 | (code >> 6)
                else:
                    token[length] = 224 | (code >> 12)
                    token[length + 1] = 128 | ((code >> 6) & 63)
                token[length + width - 1] = 128 | (code & 63)
                h = _hash(token, length, length + width, h)
                length += width
                continue
        if length:
            n = _add_word(stamps, words, _find(buffer, raw, h, kind, token, none, token, none, length), serial, n)
            if other_readings and n >= 0:
                n = _recall(scratch, data, first, first + length, serial, n)
            if n < 0:
                return n
            length = np.int64(0)
            h = _seed(kind)
        first = position
    if length:
        n = _add_word(stamps, words, _find(buffer, raw, h, kind, token, none, token, none, length), serial, n)
        if other_readings and n >= 0:
            n = _recall(scratch, data, first, first + length, serial, n)
    return n


@_compiled
def _recall(scratch, data, start, end, serial, n):
    """Note what a word, as it stands in the text, is in other readings; if that is not known, that it is missing."""
    slots, records = scratch.memo_slots, scratch.memo_records
    h = _finish(_hash(data, start, end, _OFFSET))
    fragment, mask = _fragment(h), np.uint64(len(slots) // 2 - 1)
    slot = np.int64(h & mask)
    while slots[2 * slot + 1] != 0:
        if slots[2 * slot] == fragment:
            place = slots[2 * slot + 1]
            count = records[place + 1]
            if records[place] == end - start and _same_packed(records, place + 2 + count, data, start, end):
                for i in range(count):
                    n = _add_word(scratch.stamps, scratch.words, records[place + 2 + i], serial, n)
                    if n < 0:
                        return n
                return n
        slot = np.int64(np.uint64(slot + 1) & mask)
    at = scratch.counts[MISSING]
    if at + 2 + end - start <= len(scratch.missing):
        scratch.missing[at] = (end - start) & 255
        scratch.missing[at + 1] = (end - start) >> 8
        for i in range(end - start):
            scratch.missing[at + 2 + i] = data[start + i]
        scratch.counts[MISSING] = at + 2 + end - start
    return n


@_compiled
def _same_packed(records, place, data, start, end):
    for i in range(end - start):  # noqa: SIM110  numba is slower with generators
        if (records[place + i // 4] >> (8 * (i % 4))) & 255 != data[start + i]:
            return False
    return True


@_compiled
def remember(slots, records, places):
    """Put words into the hash table of the memo; there is a power of two of slots, and room."""
    mask = np.uint64(len(slots) // 2 - 1)
    for place in places:
        h = _OFFSET
        first = place + 2 + records[place + 1]
        for i in range(records[place]):
            h = (h ^ np.uint64((records[first + i // 4] >> (8 * (i % 4))) & 255)) * _PRIME
        h = _finish(h)
        slot = np.int64(h & mask)
        while slots[2 * slot + 1] != 0:
            slot = np.int64(np.uint64(slot + 1) & mask)
        slots[2 * slot] = _fragment(h)
        slots[2 * slot + 1] = place


@_compiled
def _read_fields(index, scratch, data, position, end, serial):
    """The words that somebody else has read; see `Rows`."""
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
        n = _add_word(scratch.stamps, scratch.words, _symbol(index, kind, data, start, position), serial, n)
        if n < 0:
            return n
    return n


# --- values -----------------------------------------------------------------------------------------------------------

_XSD = np.frombuffer(b"http://www.w3.org/2001/XMLSchema#", np.uint8)
_TYPES = np.frombuffer(b"integer decimal double float nonNegativeInteger positiveInteger date dateTime ", np.uint8)
_DATE, _DATE_TIME = 6, 7  # of these types
_MOST_DIGITS = 15  # an integer of so many is exact as a 64-bit float, and so is a power of ten up to 22


@_compiled
def _on_line(head, n_head, data, start, end):
    """The line of a literal and where it is on it (see `rtf.index.intervals`); -1 and NaN if that is not sure."""
    kind = _type_number(head, n_head)
    if kind < 0:
        return np.int64(-1), np.float32(np.nan)
    if kind >= _DATE:
        day = _day(data, start, end, kind == _DATE_TIME)
        if day < 0:
            return np.int64(-1), np.float32(np.nan)
        return np.int64(kind - _DATE + 1), np.float32(day)
    mantissa = np.int64(0)
    digits = 0
    behind = 0  # digits behind the point
    exponent = 0
    has_point = False
    i = start
    is_negative = i < end and data[i] == 45
    if i < end and (data[i] == 45 or data[i] == 43):
        i += 1
    first = i
    while i < end:
        byte = data[i]
        if 48 <= byte <= 57:
            mantissa = 10 * mantissa + byte - 48
            digits += 1
            behind += has_point
        elif byte == 46 and not has_point and 1 <= kind <= 3:
            has_point = True
        elif byte in (101, 69) and kind in (2, 3) and digits:
            exponent, i = _exponent(data, i + 1, end)
            if i < 0:
                return np.int64(-1), np.float32(np.nan)
            break
        else:
            return np.int64(-1), np.float32(np.nan)
        i += 1
        if digits > _MOST_DIGITS:
            return np.int64(-1), np.float32(np.nan)
    exponent -= behind
    too_small = kind >= 4 and (is_negative or (kind == 5 and mantissa == 0))
    if first == end or digits == 0 or exponent > 15 or exponent < -22 or too_small:
        return np.int64(-1), np.float32(np.nan)
    value = np.float64(mantissa)
    for _ in range(exponent):
        value *= 10.0
    power = 1.0
    for _ in range(-exponent):
        power *= 10.0
    value /= power
    return np.int64(0), np.float32(-value if is_negative else value)


@_compiled
def _exponent(data, i, end):
    """The exponent that is all that is left, and where it ends; -1 there if it is none, or a large one."""
    is_negative = i < end and data[i] == 45
    if i < end and (data[i] == 45 or data[i] == 43):
        i += 1
    if i >= end or end - i > 2:
        return 0, -1
    exponent = 0
    while i < end:
        if not 48 <= data[i] <= 57:
            return 0, -1
        exponent = 10 * exponent + data[i] - 48
        i += 1
    return (-exponent if is_negative else exponent), i


@_compiled
def _type_number(head, n_head):
    """Which of _TYPES a datatype is, or -1."""
    if n_head <= len(_XSD):
        return -1
    for i in range(len(_XSD)):
        if head[i] != _XSD[i]:
            return -1
    number = 0
    place = 0
    while place < len(_TYPES):
        i = len(_XSD)
        same = True
        while _TYPES[place] != 32:
            same = same and i < n_head and head[i] == _TYPES[place]
            i += 1
            place += 1
        if same and i == n_head:
            return number
        number += 1
        place += 1
    return -1


@_compiled
def _day(data, start, end, has_time):
    """The number of the day of `yyyy-mm-dd`, with a time `Thh:mm:ss` or `Thh:mm:ssZ`; -1 if it is not written so."""
    if end - start != 10 and not has_time:
        return -1
    if has_time and not _is_time(data, start + 10, end):
        return -1
    for i in range(10):
        byte = data[start + i]
        if i in (4, 7):
            if byte != 45:
                return -1
        elif not 48 <= byte <= 57:
            return -1
    year = 1000 * data[start] + 100 * data[start + 1] + 10 * data[start + 2] + data[start + 3] - 1111 * 48
    month = 10 * data[start + 5] + data[start + 6] - 11 * 48
    day = 10 * data[start + 8] + data[start + 9] - 11 * 48
    if not 1 <= month <= 12 or not 1 <= day <= 28 or year < 1:
        return -1  # or it would depend on the month
    if month <= 2:
        year -= 1
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * ((month + 9) % 12) + 2) // 5 + day - 1


@_compiled
def _is_time(data, start, end):
    if end - start not in (9, 10) or (end - start == 10 and data[end - 1] != 90):  # Z
        return False
    for i in range(9):
        byte = data[start + i]
        if i % 3 == 0:
            if byte != (58 if i else 84):  # T and colons
                return False
        elif not 48 <= byte <= (57 if i % 3 == 2 else 53 if i > 1 else 49):  # up to 19:59:59
            return False
    return True


# --- a triple ---------------------------------------------------------------------------------------------------------


@_compiled
def _walk_triple(
    index, scratch, subject_symbol, subject, predicate, triple,
    kind, n_head, data, start, end, words, words_at, words_end, serial,
):  # fmt: skip
    """A triple through the forest; what it comes to.

    The key of the object is `n_head` bytes of `scratch.head` and [start, end) of `data`. Its words are those of
    [words_at, words_end) of `words`, if there is anything.
    """
    head = scratch.head
    buffer = index.buffer
    stamps, counts, hits, leaves = scratch.stamps, scratch.counts, scratch.hits, scratch.leaves
    any_symbol = np.int64(ANY)
    object_ = np.int64(-1)  # looked up where somebody asks for it: texts are long
    counts[_N_LEAVES] = 0
    counts[_N_INTERVALS] = 0
    n_starts = np.int64(0)
    for s in range(2):
        first = _child(buffer, np.int64(0), any_symbol if s else subject_symbol) if s or subject_symbol else -1
        if first < 0:
            continue
        counts[NODES_VISITED] += 1
        for p in range(2):
            second = _child(buffer, first, any_symbol if p else predicate) if p or predicate else -1
            if second < 0:
                continue
            counts[NODES_VISITED] += 1
            for o in range(2):
                if o:
                    leaf = _child(buffer, second, any_symbol)
                elif kind == _BLANK:
                    continue
                else:
                    at = buffer[_NODES] + 2 * second
                    begin = buffer[at]
                    if buffer[at + 2] - begin == 1 and buffer[buffer[_EDGES] + begin] == ANY:
                        continue
                    if object_ < 0:
                        h = _hash(data, start, end, _hash(head, 0, n_head, _seed(kind)))
                        object_ = _find(buffer, index.raw, h, kind, head, n_head, data, start, end)
                    leaf = _child(buffer, second, object_) if object_ else -1
                if leaf < 0:
                    continue
                counts[NODES_VISITED] += 1
                if not _emit(buffer, stamps, counts, hits, leaves, leaf, triple, subject, serial):
                    return FULL
                if buffer[buffer[_NODES] + 2 * leaf + 2] > buffer[buffer[_NODES] + 2 * leaf]:
                    leaves[8 + n_starts] = leaf
                    n_starts += 1
    if counts[_N_INTERVALS] and kind == LITERAL_KIND:
        line, value = _on_line(head, n_head - 1, data, start, end)
        for i in range(counts[_N_INTERVALS]):
            at = buffer[_INTERVALS] + leaves[16 + i]
            if not _emit_intervals(index, scratch, at, line, value, triple, subject, serial):
                return FULL
    n_leaves = counts[_N_LEAVES]
    if n_starts + n_leaves == 0 or kind != LITERAL_KIND:
        return DONE
    counts[SERIAL] += 1
    word_serial = counts[SERIAL]
    if words_end > words_at:
        n_words = _read_fields(index, scratch, words, words_at, words_end, word_serial)
    else:
        n_words = _read_simple(index, scratch, data, start, end, word_serial)
    if n_words < 0:
        return -n_words
    for i in range(n_starts):
        if not _walk_words(
            buffer, scratch, np.int64(leaves[8 + i]), n_words, np.int64(0), triple, subject, word_serial, serial
        ):
            return FULL
    if n_leaves:
        root = _child(buffer, np.int64(0), np.int64(WORDS))
        if not _walk_words(buffer, scratch, root, n_words, n_leaves, triple, subject, word_serial, serial):
            return FULL
    return DONE


@_compiled
def _begin(scratch):
    counts = scratch.counts
    for i in range(NEXT):
        counts[i] = 0
    counts[SERIAL] += 1
    return counts[SERIAL]


# --- publications ---------------------------------------------------------------------------------------------


@_compiled
def match_rows(index, scratch, alive, rows, taken, first):
    """Match the publications from number `first` on; DONE when all are, else why that of `counts[NEXT]` is not.

    Then `taken` holds what came of those before it.
    """
    counts = scratch.counts
    for number in range(first, len(rows.starts) - 1):
        counts[NEXT] = number
        state = _match_rows_of(index, scratch, alive, rows, rows.starts[number], rows.starts[number + 1])
        n_queries, n_pending, n_hits = taken.ends[0, number], taken.ends[1, number], taken.ends[2, number]
        if state in (FULL, NEW_WORDS):
            return state
        if state == DONE:
            more = counts[N_QUERIES]
            if n_queries + more > len(taken.queries):
                return NO_ROOM
            _copy(scratch.queries, taken.queries, n_queries, more)
            n_queries += more
            more = counts[N_PENDING]
            if more:
                if n_pending + more > len(taken.pending) or n_hits + 3 * counts[HITS] > len(taken.hits):
                    return NO_ROOM
                _copy(scratch.pending, taken.pending, n_pending, more)
                n_pending += more
                more = 3 * counts[HITS]
                _copy(scratch.hits, taken.hits, n_hits, more)
                n_hits += more
        taken.states[number] = state
        taken.ends[0, number + 1] = n_queries
        taken.ends[1, number + 1] = n_pending
        taken.ends[2, number + 1] = n_hits
    counts[NEXT] = len(rows.starts) - 1
    return DONE


@_compiled
def split_cells(data, bounds):
    """Fill bounds from cells with a zero behind each, row by row: subject, predicate, object, words."""
    position = 0
    for row in range(bounds.shape[1]):
        for column in (SUBJECT, PREDICATE, OBJECT, WORDS_OF):
            bounds[column, row] = position
            while data[position] != 0:
                position += 1
            bounds[column + 1, row] = position
            position += 1


@_compiled
def _copy(source, target, at, count):
    """Slices would do the same, but numba takes a second to compile what they say when lengths differ."""
    for i in range(count):
        target[at + i] = source[i]


@_compiled
def _match_rows_of(index, scratch, alive, rows, begin, end):
    """Match the publication in these rows; what it comes to."""
    serial = _begin(scratch)
    graph = np.int64(UNKNOWN)
    has_graph = False
    if rows.bounds[GRAPH + 1, begin] > rows.bounds[GRAPH, begin]:
        at, behind = rows.bounds[GRAPH, begin], rows.bounds[GRAPH + 1, begin]
        has_graph = True
        if _is_iri(rows.graphs, at, behind):
            graph = _symbol(index, np.int64(IRI_KIND), rows.graphs, at + 1, behind - 1)
        elif behind - at <= 2 or rows.graphs[at] != _UNDERSCORE:
            return UNCLEAR
    subject = np.int64(0)
    subject_symbol = np.int64(UNKNOWN)
    for row in range(begin, end):
        at, behind = rows.bounds[SUBJECT, row], rows.bounds[SUBJECT + 1, row]
        if row == begin or not _same_as_before(rows, row):
            subject += 1
            state = _note_subject(scratch, rows.subjects, at, behind, subject, serial)
            if state != DONE:
                return state
            subject_symbol = np.int64(UNKNOWN)
            if _is_iri(rows.subjects, at, behind):
                subject_symbol = _symbol(index, np.int64(IRI_KIND), rows.subjects, at + 1, behind - 1)
            elif behind - at <= 2 or rows.subjects[at] != _UNDERSCORE:
                return UNCLEAR
        at, behind = rows.bounds[PREDICATE, row], rows.bounds[PREDICATE + 1, row]
        if not _is_iri(rows.predicates, at, behind):
            return UNCLEAR
        predicate = _symbol(index, np.int64(IRI_KIND), rows.predicates, at + 1, behind - 1)
        state = _walk_object(index, scratch, rows, row, subject_symbol, subject, predicate, row - begin, serial)
        if state != DONE:
            return state
    if scratch.counts[MISSING]:
        return NEW_WORDS
    return _decide_all(index.buffer, scratch, alive, graph, has_graph, subject, serial)


@_compiled
def _is_iri(data, start, end):
    """Whether this is an IRI in angle brackets, without escapes."""
    if end - start < 3 or data[start] != _LESS or data[end - 1] != _GREATER:
        return False
    has_escapes = False
    for i in range(start + 1, end - 1):
        has_escapes |= data[i] == _BACKSLASH
    return not has_escapes


@_compiled
def _same_as_before(rows, row):
    """Whether a row has the subject of the row before."""
    before, at = rows.bounds[SUBJECT, row - 1], rows.bounds[SUBJECT, row]
    length = rows.bounds[SUBJECT + 1, row] - at
    if rows.bounds[SUBJECT + 1, row - 1] - before != length:
        return False
    for i in range(length):  # noqa: SIM110  numba is slower with generators
        if rows.subjects[before + i] != rows.subjects[at + i]:
            return False
    return True


@_compiled
def _note_subject(scratch, data, start, end, subject, serial):
    """UNCLEAR if the subject was there before, with others in between."""
    table = scratch.subjects
    count = len(table) // 2
    if 2 * subject > count:
        return FULL
    h = np.int64(_finish(_hash(data, start, end, _OFFSET)))
    slot = h & (count - 1)
    while table[2 * slot] == serial:
        if table[2 * slot + 1] == h:
            return UNCLEAR
        slot = (slot + 1) & (count - 1)
    table[2 * slot] = serial
    table[2 * slot + 1] = h
    return DONE


@_compiled
def _walk_object(index, scratch, rows, row, subject_symbol, subject, predicate, triple, serial):
    """The triple of a row, of which the object is still to be looked at."""
    data, start, end = rows.objects, rows.bounds[OBJECT, row], rows.bounds[OBJECT + 1, row]
    if end - start < 2:
        return UNCLEAR
    lead = data[start]
    kind = np.int64(_BLANK)
    n_head = np.int64(0)
    words_at, words_end = rows.bounds[WORDS_OF, row], rows.bounds[WORDS_OF + 1, row]
    if lead == _LESS:
        if not _is_iri(data, start, end):
            return UNCLEAR
        kind = np.int64(IRI_KIND)
        start += 1
        end -= 1
    elif lead == _QUOTE:
        kind = np.int64(LITERAL_KIND)
        quote = end - 1
        while data[quote] != _QUOTE:  # stops at `start` at the latest
            quote -= 1
        n_head = _literal_head(scratch, data, quote + 1, end)
        if n_head < 0:
            return -n_head
        if quote == start:
            return UNCLEAR
        start += 1
        end = quote
        has_escapes, has_others = False, False
        for i in range(start, end):
            has_escapes |= data[i] == _BACKSLASH
            has_others |= data[i] == _QUOTE
        if has_escapes:
            length = _unescape(data, start, end, scratch.text)
            if length < 0:
                return -length
            data, start, end = scratch.unescaped, np.int64(0), length
        elif has_others:
            return UNCLEAR
    elif lead != _UNDERSCORE:
        return UNCLEAR
    return _walk_triple(
        index, scratch, subject_symbol, subject, predicate, triple,
        kind, n_head, data, start, end, rows.words, words_at, words_end, serial,
    )  # fmt: skip


_STRING_TYPE = np.frombuffer(b"http://www.w3.org/2001/XMLSchema#string", np.uint8)


@_compiled
def _literal_head(scratch, data, start, end):
    """What a key has before the lexical form: its length, or minus what is wrong. [start, end) is behind the quote."""
    head = scratch.head
    n = 0
    if end > start:
        if end - start > len(head) - 2:
            return -FULL
        if data[start] == _AT:
            for i in range(start, end):
                byte = data[i] | 32  # lower case
                if not (97 <= byte <= 122 or 48 <= byte <= 57 or data[i] == 45 or i == start):
                    return -UNCLEAR
                head[n] = data[i] if data[i] < 65 else byte
                n += 1
            head[0] = _AT
        elif end - start > 4 and data[start] == 94 and data[start + 1] == 94 and _is_iri(data, start + 2, end):
            is_string = end - start - 4 == len(_STRING_TYPE)
            for i in range(start + 3, end - 1):
                head[n] = data[i]
                is_string = is_string and data[i] == _STRING_TYPE[n]
                n += 1
            if is_string:
                n = 0
        else:
            return -UNCLEAR
    head[n] = 1
    return n + 1


@_compiled
def _unescape(data, start, end, out):
    """The bytes [start, end) without their escapes, in `out`: how many, or minus what is wrong."""
    n = 0
    if end - start > len(out):
        return -FULL
    i = start
    while i < end:
        byte = data[i]
        if byte != _BACKSLASH:
            if byte == _QUOTE:
                return -UNCLEAR
            out[n] = byte
            n += 1
            i += 1
            continue
        if i + 1 >= end:
            return -UNCLEAR
        letter = data[i + 1]
        i += 2
        if letter in (117, 85):  # u, U
            digits = 4 if letter == 117 else 8
            if i + digits > end:
                return -UNCLEAR
            code = 0
            for k in range(i, i + digits):
                digit = data[k]
                if 48 <= digit <= 57:
                    code = 16 * code + digit - 48
                elif 65 <= digit <= 70:
                    code = 16 * code + digit - 55
                elif 97 <= digit <= 102:
                    code = 16 * code + digit - 87
                else:
                    return -UNCLEAR
            i += digits
            if 0xD800 <= code <= 0xDFFF or code > 0x10FFFF:
                return -UNCLEAR
            if code < 0x80:
                out[n] = code
                n += 1
            elif code < 0x800:
                out[n] = 192 | (code >> 6)
                out[n + 1] = 128 | (code & 63)
                n += 2
            elif code < 0x10000:
                out[n] = 224 | (code >> 12)
                out[n + 1] = 128 | ((code >> 6) & 63)
                out[n + 2] = 128 | (code & 63)
                n += 3
            else:
                out[n] = 240 | (code >> 18)
                out[n + 1] = 128 | ((code >> 12) & 63)
                out[n + 2] = 128 | ((code >> 6) & 63)
                out[n + 3] = 128 | (code & 63)
                n += 4
            continue
        if letter == 116:  # t
            plain = 9
        elif letter == 98:  # b
            plain = 8
        elif letter == 110:  # n
            plain = 10
        elif letter == 114:  # r
            plain = 13
        elif letter == 102:  # f
            plain = 12
        elif letter in (_QUOTE, 39, _BACKSLASH):
            plain = letter
        else:
            return -UNCLEAR
        out[n] = plain
        n += 1
    return n


# --- alternatives -----------------------------------------------------------------------------------------------------


@_compiled
def _decide_all(buffer, scratch, alive, graph, has_graph, n_subjects, serial):
    """The alternatives without tuples, and those under each tuple that was hit, subject by subject."""
    counts, hits, stamps = scratch.counts, scratch.hits, scratch.stamps
    sizes = buffer[_SIZES]
    tuples_at, n_tuples = buffer[sizes], buffer[sizes + 1]
    queries, pending = scratch.queries, scratch.pending
    yes, none = np.bool_(True), np.int64(0)  # not constants, for which numba would compile another function
    always = np.int64(n_tuples)
    if not _decide(buffer, stamps, counts, queries, pending, alive, always, graph, has_graph, yes, serial, none):
        return FULL
    place = 0
    while place < counts[HITS]:
        subject = hits[3 * place + 2]
        after = place
        counts[SERIAL] += 1
        subject_serial = counts[SERIAL]
        while after < counts[HITS] and hits[3 * after + 2] == subject:
            stamps[tuples_at + 2 * hits[3 * after] + 1] = subject_serial
            after += 1
        for hit in range(place, after):
            number = np.int64(hits[3 * hit])
            at = tuples_at + 2 * number + 1
            if stamps[at] == -subject_serial:
                continue  # hit twice
            stamps[at] = -subject_serial  # its alternatives are looked at now
            if not _decide(
                buffer, stamps, counts, queries, pending, alive, number, graph, has_graph, n_subjects > 1,
                serial, subject_serial,
            ):  # fmt: skip
                return FULL
        place = after
    _sort_queries(scratch)
    return DONE


@_compiled
def _decide(buffer, stamps, counts, queries, pending, alive, number, graph, has_graph, twice, serial, subject_serial):
    """Which alternatives hold whose access tuple was hit; their queries match. False if a list is full.

    `twice`: an alternative may be looked at again, for another subject.
    """
    sizes = buffer[_SIZES]
    tuples_at = buffer[sizes]
    patterns_at = tuples_at + 2 * buffer[sizes + 1]
    alternatives_at = patterns_at + buffer[sizes + 2]
    records, starts = buffer[_RECORDS], buffer[_RECORD_STARTS] + number
    start, last = buffer[starts], buffer[starts + 1]
    while start < last:
        record = records + start
        pattern, packed = buffer[record + 1], buffer[record + 2]
        here = start
        start += packed >> 4
        several = twice or packed & SEVERAL != 0
        if several and stamps[patterns_at + pattern] == serial:
            continue
        alternative = alternatives_at + 3 * buffer[record]
        counts[CANDIDATES] += 1
        stamps[alternative + 1] += 1
        needs = record + HEAD
        if packed & IN_GRAPH:
            wanted = buffer[needs]
            needs += 1
            if not has_graph or (wanted >= 0 and wanted != graph):
                continue
        behind = needs + buffer[record + 3]
        holds = True
        for place in range(needs, behind):
            need = buffer[place]
            at = tuples_at + (need & ~1)
            if need & 1:
                if abs(stamps[at + 1]) != subject_serial:
                    holds = False
                    break
            elif abs(stamps[at]) != serial:
                holds = False
                break
        if not holds:
            continue
        is_pending = packed & PENDING != 0
        if packed & COMPARED:
            is_pending = stamps[tuples_at + 2 * number] == -serial
            for place in range(needs, behind):
                is_pending |= stamps[tuples_at + (buffer[place] & ~1)] == -serial
        if is_pending:
            if stamps[alternative] != serial:
                stamps[alternative] = serial
                n = counts[N_PENDING]
                if n >= len(pending):
                    return False
                pending[n] = here
                counts[N_PENDING] = n + 1
            continue
        if several:
            stamps[patterns_at + pattern] = serial
        stamps[alternative + 2] += 1
        n = counts[N_QUERIES]
        if n + buffer[record + 4] > len(queries):
            return False
        for place in range(behind, behind + buffer[record + 4]):
            query = buffer[place]
            if len(alive) == 0 or alive[query]:
                queries[n] = query
                n += 1
        counts[N_QUERIES] = n
    return True


@_compiled
def add_tallies(records, tallies, found):
    """Add what was counted for each alternative to the queries of its pattern."""
    start = 0
    while start < len(records):
        alternative, packed = records[start], records[start + 2]
        first = start + HEAD + (1 if packed & IN_GRAPH else 0) + records[start + 3]
        for place in range(first, first + records[start + 4]):
            found[records[place], 0] += tallies[alternative, 0]
            found[records[place], 1] += tallies[alternative, 1]
        start += packed >> 4


@_compiled
def _sort_queries(scratch):
    """By number, so in order of registration: many by setting a bit for each and reading the bits in order."""
    n = scratch.counts[N_QUERIES]
    queries, bits = scratch.queries, scratch.bits
    if n <= _FEW_QUERIES:
        for i in range(1, n):
            query = queries[i]
            place = i
            while place > 0 and queries[place - 1] > query:
                queries[place] = queries[place - 1]
                place -= 1
            queries[place] = query
        return
    for i in range(n):
        query = queries[i]
        bits[query >> 6] |= np.uint64(1) << np.uint64(query & 63)
    found = 0
    for word in range(len(bits)):
        left = bits[word]
        if left:
            bits[word] = 0
            first = 64 * word
            while left:
                low = left & (~left + np.uint64(1))
                queries[found] = first + _bit_number(low)
                found += 1
                left ^= low


@_compiled
def _bit_number(bit):
    """The number of the only bit of a number."""
    number = 0
    step = 32
    while step:
        if bit >> np.uint64(step):
            bit >>= np.uint64(step)
            number += step
        step >>= 1
    return number
