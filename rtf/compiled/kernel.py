"""The loops over the frozen index, compiled by numba.

Everything is a flat array. Nothing is cleared between publications: what was seen is stamped with a serial number,
which grows. Lists have a fixed capacity; where one overflows the kernel says so, and is called again with more.

A publication comes in one of two ways, and goes one way from there, triple by triple (`_walk_triple`): as bytes that
`encoding` made of it, or as rows of columns with terms in N-Triples syntax.

All of it is one file, because numba's cache notices changes only in the file of the function that is called.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numba
import numpy as np

from rtf.compiled.records import HEAD, IN_GRAPH, PENDING, SEVERAL
from rtf.compiled.sections import ANY, IRI_KIND, LITERAL_KIND, SECTIONS, UNKNOWN, WORD_KIND, WORDS

__all__ = [
    "CANDIDATES",
    "COUNTS",
    "DONE",
    "FULL",
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
    "SERIAL",
    "TUPLES",
    "UNCLEAR",
    "Index",
    "Rows",
    "Scratch",
    "Taken",
    "add_tallies",
    "edge_table",
    "find_symbol",
    "hash_strings",
    "match_publication",
    "match_rows",
    "remember",
    "string_table",
]

MANY_EDGES: Final = 8  # nodes with more are looked up in the hash table of edges
LONGEST_WORD: Final = 1024  # bytes; texts with longer ones are read outside

# What comes of a publication: it is done; a list of the scratch is too short; it has to be read outside, as its text is
# not simple, its terms are none, or its subjects are not in order; there is no room to take what was found; it has
# words that the memo lacks.
DONE, FULL, UNCLEAR, NO_ROOM, NEW_WORDS = range(5)

# What `counts` tells afterwards; NEXT is the first publication that is not done.
COUNTS: Final = 10
N_QUERIES, N_PENDING, HITS, NODES_VISITED, TUPLES, CANDIDATES, MISSING, NEXT, _N_LEAVES, SERIAL = range(COUNTS)

_SIZES = 2 * SECTIONS.index("sizes")
_STRING_SLOTS = 2 * SECTIONS.index("string_slots")
_STRINGS = 2 * SECTIONS.index("strings")
_NODES = 2 * SECTIONS.index("nodes")
_EDGES = 2 * SECTIONS.index("edges")
_EDGE_SLOTS = 2 * SECTIONS.index("edge_slots")
_ENDS = 2 * SECTIONS.index("ends")
_RECORD_STARTS = 2 * SECTIONS.index("record_starts")
_RECORDS = 2 * SECTIONS.index("records")

_BLANK, _NO_GRAPH, _SUBJECT, _TEXT = ord("B"), ord("N"), ord("S"), ord("T")
_QUOTE, _BACKSLASH, _LESS, _GREATER, _AT, _UNDERSCORE = ord('"'), ord("\\"), ord("<"), ord(">"), ord("@"), ord("_")

_compiled: Any = numba.njit(cache=True, nogil=True)

_OFFSET = np.uint64(14695981039346656037)
_PRIME = np.uint64(1099511628211)
_MIX_NODE = np.uint64(0x9E3779B97F4A7C15)
_MIX_SYMBOL = np.uint64(0xC2B2AE3D27D4EB4F)


class Index(NamedTuple):
    """What does not change: the sections, the same memory as bytes, and `folding.fold_table`."""

    buffer: Any  # int32
    raw: Any  # uint8
    folded: Any  # int32


class Scratch(NamedTuple):
    """What one thread writes on. `stamps` has parts: symbols; pairs for tuples (in this publication, under this
    subject); patterns; triples for alternatives (pending, how often candidate, how often matched).
    """  # noqa: D205  one sentence would not do

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
    head: Any  # uint8: datatype or language of a literal
    memo_slots: Any  # int32: see `memo`; pairs (part of the hash, place), place 0 is free
    memo_records: Any  # int32: (length in bytes, number of symbols), the symbols, the bytes
    missing: Any  # uint8: words that the memo lacks; `counts[MISSING]` bytes


class Rows(NamedTuple):
    """Columns of terms in N-Triples syntax: bytes, and where each row begins. `starts` are rows of publications."""

    subjects: Any
    subject_starts: Any
    predicates: Any
    predicate_starts: Any
    objects: Any
    object_starts: Any
    graphs: Any
    graph_starts: Any  # empty if no publication has a graph
    starts: Any


class Taken(NamedTuple):
    """What is taken from the scratch after each publication, and where that of each ends."""

    states: Any  # uint8: DONE or UNCLEAR
    queries: Any
    query_ends: Any
    pending: Any
    pending_ends: Any
    hits: Any  # only of publications with something pending
    hit_ends: Any


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
def _find(index, h, kind, head, n_head, data, start, end):
    """The symbol of a string: `n_head` bytes of `head` and the bytes [start, end) of `data`. `h` is not finished."""
    buffer = index.buffer
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
                raw = index.raw
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
    return _find(index, _hash(data, start, end, _seed(kind)), kind, data, 0, data, start, end)


@_compiled
def find_symbol(index, kind, data, length):
    """The same for callers outside: of the first `length` bytes."""
    return _symbol(index, kind, data, 0, length)


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
def _emit(buffer, scratch, node, triple, subject, serial):
    """The tuples at the end of a path are hit, and leaves of the structure noted. False if a list is full."""
    at = buffer[_NODES] + 2 * node + 1
    ends, tuples_at = buffer[_ENDS], buffer[buffer[_SIZES]]
    counts, hits, stamps = scratch.counts, scratch.hits, scratch.stamps
    for place in range(buffer[at], buffer[at + 2]):
        number = buffer[ends + place]
        if number < 0:
            scratch.leaves[counts[_N_LEAVES]] = -number
            counts[_N_LEAVES] += 1
            continue
        n = counts[HITS]
        if 3 * n + 3 > len(hits):
            return False
        hits[3 * n] = number
        hits[3 * n + 1] = triple
        hits[3 * n + 2] = subject
        counts[HITS] = n + 1
        if stamps[tuples_at + 2 * number] != serial:
            stamps[tuples_at + 2 * number] = serial
            counts[TUPLES] += 1
    return True


@_compiled
def _walk_words(buffer, scratch, root, n_words, n_leaves, triple, subject, word_serial, serial):
    """All paths of words from `root`. With leaves (RTFS), tuples stand behind the symbol of their leaf. False: full."""
    n_symbols = buffer[buffer[_SIZES]]
    nodes, edges = buffer[_NODES], buffer[_EDGES]
    stack, stamps, counts = scratch.stack, scratch.stamps, scratch.counts
    top = 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = stack[top]
        begin, end = buffer[nodes + 2 * node], buffer[nodes + 2 * node + 2]
        few = end - begin <= n_words
        for turn in range(end - begin if few else n_words):
            if few:
                symbol = buffer[edges + begin + turn]
                if symbol >= n_symbols or stamps[symbol] != word_serial:
                    continue
                child = begin + turn + 1
            else:
                child = _child(buffer, node, scratch.words[turn])
                if child < 0:
                    continue
            counts[NODES_VISITED] += 1
            if n_leaves == 0:
                if not _emit(buffer, scratch, child, triple, subject, serial):
                    return False
            else:
                for i in range(n_leaves):
                    behind = _child(buffer, child, scratch.leaves[i])
                    if behind >= 0:
                        counts[NODES_VISITED] += 1
                        if not _emit(buffer, scratch, behind, triple, subject, serial):
                            return False
            if buffer[nodes + 2 * child + 2] > buffer[nodes + 2 * child]:
                if top >= len(stack):
                    return False
                stack[top] = child
                top += 1
    return True


# --- texts ------------------------------------------------------------------------------------------------------------


@_compiled
def _add_word(scratch, symbol, serial, n):
    """Note a word of the text at hand, once. The new number of words, -FULL if the list is full."""
    if symbol == UNKNOWN or scratch.stamps[symbol] == serial:
        return n
    scratch.stamps[symbol] = serial
    if n >= len(scratch.words):
        return -FULL
    scratch.words[n] = symbol
    return n + 1


@_compiled
def _read_simple(index, scratch, data, start, end, serial):
    """The words of a text of simple characters, in the default reading: their number, or minus what is wrong.

    A word is folded and hashed byte by byte as it is read. What it is in other readings is known to the memo.
    """
    n = 0
    other_readings = len(scratch.memo_slots) > 0
    token, folded = scratch.token, index.folded
    length = 0
    h = _seed(WORD_KIND)
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
            n = _add_word(scratch, _find(index, h, WORD_KIND, token, 0, token, 0, length), serial, n)
            if other_readings and n >= 0:
                n = _recall(scratch, data, first, first + length, serial, n)
            if n < 0:
                return n
            length = 0
            h = _seed(WORD_KIND)
        first = position
    if length:
        n = _add_word(scratch, _find(index, h, WORD_KIND, token, 0, token, 0, length), serial, n)
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
                    n = _add_word(scratch, records[place + 2 + i], serial, n)
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
def _read_fields(index, scratch, data, position, serial):
    """The words of the `T` fields that begin behind the zero at `position`; see `encoding`."""
    n = 0
    while position + 1 < len(data) and data[position] == 0 and data[position + 1] == _TEXT:
        kind = WORD_KIND + data[position + 2] - 32
        position += 3
        if position >= len(data) or data[position] == 0:
            continue  # no words
        position += 1  # the space before the first word
        start = position
        while True:
            at_end = position >= len(data) or data[position] == 0
            if at_end or data[position] == 32:
                n = _add_word(scratch, _symbol(index, kind, data, start, position), serial, n)
                if n < 0:
                    return n
                start = position + 1
                if at_end:
                    break
            position += 1
    return n


# --- a triple ---------------------------------------------------------------------------------------------------------


@_compiled
def _walk_triple(
    index, scratch, subject_symbol, subject, predicate, triple, kind, head, n_head, data, start, end, fields, serial
):
    r"""A triple through the forest; what it comes to. The object is `head` and [start, end) of `data`.

    For a literal, `head` may be its datatype or language, and \x01; with `fields` it is [start, end) that begins with
    these, and the words may stand in `T` fields behind it.
    """
    buffer = index.buffer
    counts = scratch.counts
    object_ = -1  # looked up where somebody asks for it: texts are long
    counts[_N_LEAVES] = 0
    n_starts = 0
    for s in range(2):
        first = _child(buffer, 0, ANY if s else subject_symbol) if s or subject_symbol else -1
        if first < 0:
            continue
        counts[NODES_VISITED] += 1
        for p in range(2):
            second = _child(buffer, first, ANY if p else predicate) if p or predicate else -1
            if second < 0:
                continue
            counts[NODES_VISITED] += 1
            for o in range(2):
                if o:
                    leaf = _child(buffer, second, ANY)
                elif kind == _BLANK:
                    continue
                else:
                    at = buffer[_NODES] + 2 * second
                    begin = buffer[at]
                    if buffer[at + 2] - begin == 1 and buffer[buffer[_EDGES] + begin] == ANY:
                        continue
                    if object_ < 0:
                        h = _hash(data, start, end, _hash(head, 0, n_head, _seed(kind)))
                        object_ = _find(index, h, kind, head, n_head, data, start, end)
                    leaf = _child(buffer, second, object_) if object_ else -1
                if leaf < 0:
                    continue
                counts[NODES_VISITED] += 1
                if not _emit(buffer, scratch, leaf, triple, subject, serial):
                    return FULL
                if buffer[buffer[_NODES] + 2 * leaf + 2] > buffer[buffer[_NODES] + 2 * leaf]:
                    scratch.leaves[8 + n_starts] = leaf
                    n_starts += 1
    n_leaves = counts[_N_LEAVES]
    if n_starts + n_leaves == 0 or kind != LITERAL_KIND:
        return DONE
    counts[SERIAL] += 1
    word_serial = counts[SERIAL]
    lexical = start
    if fields:
        while data[lexical] != 1:
            lexical += 1
        lexical += 1
    if fields and end + 1 < len(data) and data[end + 1] == _TEXT:
        n_words = _read_fields(index, scratch, data, end, word_serial)
    else:
        n_words = _read_simple(index, scratch, data, lexical, end, word_serial)
    if n_words < 0:
        return -n_words
    for i in range(n_starts):
        if not _walk_words(buffer, scratch, scratch.leaves[8 + i], n_words, 0, triple, subject, word_serial, serial):
            return FULL
    if n_leaves:
        root = _child(buffer, 0, WORDS)
        if not _walk_words(buffer, scratch, root, n_words, n_leaves, triple, subject, word_serial, serial):
            return FULL
    return DONE


# --- a publication as bytes -------------------------------------------------------------------------------------------


@_compiled
def _end_of_field(data, position):
    while position < len(data) and data[position] != 0:
        position += 1
    return position


@_compiled
def match_publication(index, scratch, alive, data):
    """Match a publication that `encoding` made bytes of; what it comes to.

    Afterwards the scratch holds the numbers of the matching queries, in order; the records of the alternatives that
    have to be checked outside; and the hits. `alive` is empty where all queries are.
    """
    serial = _begin(scratch)
    position = _end_of_field(data, 0)
    graph = UNKNOWN
    has_graph = data[0] != _NO_GRAPH
    if data[0] == IRI_KIND:
        graph = _symbol(index, IRI_KIND, data, 1, position)
    subject = 0
    subject_symbol = UNKNOWN
    triple = -1
    while position < len(data):
        position += 1
        if data[position] == _SUBJECT:
            end = _end_of_field(data, position)
            subject_symbol = UNKNOWN
            if data[position + 1] == IRI_KIND:
                subject_symbol = _symbol(index, IRI_KIND, data, position + 2, end)
            subject += 1
            position = end + 1
        triple += 1
        end = _end_of_field(data, position)
        predicate = _symbol(index, IRI_KIND, data, position + 1, end)
        position = end + 1
        end = _end_of_field(data, position)
        kind = data[position]
        state = _walk_triple(
            index, scratch, subject_symbol, subject, predicate, triple,
            kind, data, 0, data, position + 1, end, kind == LITERAL_KIND, serial,
        )  # fmt: skip
        if state != DONE:
            return state
        position = end
        while position + 1 < len(data) and data[position + 1] == _TEXT:
            position = _end_of_field(data, position + 1)
    if scratch.counts[MISSING]:
        return NEW_WORDS
    return _decide_all(index.buffer, scratch, alive, graph, has_graph, subject, serial)


@_compiled
def _begin(scratch):
    counts = scratch.counts
    counts[:NEXT] = 0
    counts[SERIAL] += 1
    return counts[SERIAL]


# --- publications as rows ---------------------------------------------------------------------------------------------


@_compiled
def match_rows(index, scratch, alive, rows, taken, first):
    """Match the publications from number `first` on; DONE when all are, else why that of `counts[NEXT]` is not.

    Then `taken` holds what came of those before it.
    """
    counts = scratch.counts
    for number in range(first, len(rows.starts) - 1):
        counts[NEXT] = number
        state = _match_rows_of(index, scratch, alive, rows, rows.starts[number], rows.starts[number + 1])
        n_queries = taken.query_ends[number]
        n_pending = taken.pending_ends[number]
        n_hits = taken.hit_ends[number]
        if state in (FULL, NEW_WORDS):
            return state
        if state == DONE:
            more = counts[N_QUERIES]
            if n_queries + more > len(taken.queries):
                return NO_ROOM
            taken.queries[n_queries : n_queries + more] = scratch.queries[:more]
            n_queries += more
            more = counts[N_PENDING]
            if more:
                if n_pending + more > len(taken.pending) or n_hits + 3 * counts[HITS] > len(taken.hits):
                    return NO_ROOM
                taken.pending[n_pending : n_pending + more] = scratch.pending[:more]
                n_pending += more
                more = 3 * counts[HITS]
                taken.hits[n_hits : n_hits + more] = scratch.hits[:more]
                n_hits += more
        taken.states[number] = state
        taken.query_ends[number + 1] = n_queries
        taken.pending_ends[number + 1] = n_pending
        taken.hit_ends[number + 1] = n_hits
    counts[NEXT] = len(rows.starts) - 1
    return DONE


@_compiled
def _match_rows_of(index, scratch, alive, rows, begin, end):
    """Match the publication in these rows; what it comes to."""
    serial = _begin(scratch)
    graph = UNKNOWN
    has_graph = False
    if len(rows.graph_starts) and rows.graph_starts[begin + 1] > rows.graph_starts[begin]:
        at, behind = rows.graph_starts[begin], rows.graph_starts[begin + 1]
        has_graph = True
        if _is_iri(rows.graphs, at, behind):
            graph = _symbol(index, IRI_KIND, rows.graphs, at + 1, behind - 1)
        elif behind - at <= 2 or rows.graphs[at] != _UNDERSCORE:
            return UNCLEAR
    subject = 0
    subject_symbol = UNKNOWN
    for row in range(begin, end):
        at, behind = rows.subject_starts[row], rows.subject_starts[row + 1]
        if row == begin or not _same_as_before(rows.subjects, rows.subject_starts, row):
            if _is_iri(rows.subjects, at, behind):
                subject_symbol = _symbol(index, IRI_KIND, rows.subjects, at + 1, behind - 1)
            elif behind - at > 2 and rows.subjects[at] == _UNDERSCORE:
                subject_symbol = UNKNOWN
            else:
                return UNCLEAR
            subject += 1
            if subject > 1 and _stood_before(rows, begin, row):
                return UNCLEAR
        at, behind = rows.predicate_starts[row], rows.predicate_starts[row + 1]
        if not _is_iri(rows.predicates, at, behind):
            return UNCLEAR
        predicate = _symbol(index, IRI_KIND, rows.predicates, at + 1, behind - 1)
        state = _walk_object(
            index, scratch, rows.objects, rows.object_starts[row], rows.object_starts[row + 1],
            subject_symbol, subject, predicate, row - begin, serial,
        )  # fmt: skip
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
    wrong = False
    for i in range(start + 1, end - 1):
        byte = data[i]
        wrong |= (byte <= 32) | (byte == _BACKSLASH) | (byte == _LESS) | (byte == _GREATER) | (byte == _QUOTE)
    return not wrong


@_compiled
def _same_as_before(data, starts, row):
    before, at, behind = starts[row - 1], starts[row], starts[row + 1]
    if at - before != behind - at:
        return False
    return _same_bytes(data, before, at, behind - at)


@_compiled
def _same_bytes(data, one, other, length):
    for i in range(length):  # noqa: SIM110  numba is slower with generators
        if data[one + i] != data[other + i]:
            return False
    return True


@_compiled
def _stood_before(rows, begin, row):
    """Whether the subject of a row is that of an earlier one, with another between them: they must be together."""
    data, starts = rows.subjects, rows.subject_starts
    at, length = starts[row], starts[row + 1] - starts[row]
    if row - begin > 64:
        return True  # not worth looking
    for other in range(begin, row - 1):
        if starts[other + 1] - starts[other] == length and _same_bytes(data, starts[other], at, length):
            return True
    return False


@_compiled
def _walk_object(index, scratch, data, start, end, subject_symbol, subject, predicate, triple, serial):
    """A triple whose object is [start, end) of `data`."""
    if end - start < 2:
        return UNCLEAR
    lead = data[start]
    if lead == _LESS:
        if not _is_iri(data, start, end):
            return UNCLEAR
        return _walk_triple(
            index, scratch, subject_symbol, subject, predicate, triple,
            IRI_KIND, data, 0, data, start + 1, end - 1, False, serial,
        )  # fmt: skip
    if lead == _UNDERSCORE:
        return _walk_triple(
            index, scratch, subject_symbol, subject, predicate, triple,
            _BLANK, data, 0, data, start, end, False, serial,
        )  # fmt: skip
    if lead != _QUOTE:
        return UNCLEAR
    quote = end - 1
    while data[quote] != _QUOTE:  # stops at `start` at the latest
        quote -= 1
    n_head = _literal_head(scratch, data, quote + 1, end)
    if quote == start or n_head < 0:
        return UNCLEAR
    has_escapes, has_others = False, False
    for i in range(start + 1, quote):
        has_escapes |= data[i] == _BACKSLASH
        has_others |= (data[i] <= 2) | (data[i] == _QUOTE)
    if has_escapes:
        length = _unescape(data, start + 1, quote, scratch.text)
        if length < 0:
            return -length
        return _walk_triple(
            index, scratch, subject_symbol, subject, predicate, triple,
            LITERAL_KIND, scratch.head, n_head, scratch.text, 0, length, False, serial,
        )  # fmt: skip
    if has_others:
        return UNCLEAR
    return _walk_triple(
        index, scratch, subject_symbol, subject, predicate, triple,
        LITERAL_KIND, scratch.head, n_head, data, start + 1, quote, False, serial,
    )  # fmt: skip


_STRING_TYPE = np.frombuffer(b"http://www.w3.org/2001/XMLSchema#string", np.uint8)


@_compiled
def _literal_head(scratch, data, start, end):
    """What a key has before the lexical form, for what follows the closing quote; its length, -1 if that is unclear."""
    head = scratch.head
    n = 0
    if end > start:
        if end - start > len(head) - 2:
            return -1
        if data[start] == _AT:
            for i in range(start, end):
                byte = data[i] | 32  # lower case
                if not (97 <= byte <= 122 or 48 <= byte <= 57 or data[i] == 45 or i == start):
                    return -1
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
            return -1
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
            if byte <= 2 or byte == _QUOTE:
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
            if code <= 2 or 0xD800 <= code <= 0xDFFF or code > 0xFFFF:
                return -UNCLEAR
            if code < 0x80:
                out[n] = code
                n += 1
            elif code < 0x800:
                out[n] = 192 | (code >> 6)
                out[n + 1] = 128 | (code & 63)
                n += 2
            else:
                out[n] = 224 | (code >> 12)
                out[n + 1] = 128 | ((code >> 6) & 63)
                out[n + 2] = 128 | (code & 63)
                n += 3
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
    if not _decide(buffer, scratch, alive, n_tuples, graph, has_graph, True, serial, 0):
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
            number = hits[3 * hit]
            at = tuples_at + 2 * number + 1
            if stamps[at] == -subject_serial:
                continue  # hit twice
            stamps[at] = -subject_serial  # its alternatives are looked at now
            if not _decide(buffer, scratch, alive, number, graph, has_graph, n_subjects > 1, serial, subject_serial):
                return FULL
        place = after
    _sort_queries(scratch)
    return DONE


@_compiled
def _decide(buffer, scratch, alive, number, graph, has_graph, twice, serial, subject_serial):
    """Which alternatives hold whose access tuple was hit; their queries match. False if a list is full.

    `twice`: an alternative may be looked at again, for another subject.
    """
    stamps, counts = scratch.stamps, scratch.counts
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
        start += packed >> 3
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
        queries = needs + buffer[record + 3]
        holds = True
        for place in range(needs, queries):
            need = buffer[place]
            at = tuples_at + (need & ~1)
            if need & 1:
                if abs(stamps[at + 1]) != subject_serial:
                    holds = False
                    break
            elif stamps[at] != serial:
                holds = False
                break
        if not holds:
            continue
        if packed & PENDING:
            if stamps[alternative] != serial:
                stamps[alternative] = serial
                n = counts[N_PENDING]
                if n >= len(scratch.pending):
                    return False
                scratch.pending[n] = here
                counts[N_PENDING] = n + 1
            continue
        if several:
            stamps[patterns_at + pattern] = serial
        stamps[alternative + 2] += 1
        n = counts[N_QUERIES]
        if n + buffer[record + 4] > len(scratch.queries):
            return False
        for place in range(queries, queries + buffer[record + 4]):
            query = buffer[place]
            if len(alive) == 0 or alive[query]:
                scratch.queries[n] = query
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
        start += packed >> 3


@_compiled
def _sort_queries(scratch):
    """By number, so in order of registration: many by setting a bit for each and reading the bits in order."""
    n = scratch.counts[N_QUERIES]
    queries, bits = scratch.queries, scratch.bits
    if 8 * n < len(bits):
        queries[:n].sort()
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
    for step in (32, 16, 8, 4, 2, 1):
        if bit >> np.uint64(step):
            bit >>= np.uint64(step)
            number += step
    return number
