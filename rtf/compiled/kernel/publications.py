"""Publications, row by row: the terms of each row are found in its cells, and go through the forest.

Terms are in N-Triples syntax. Whatever is not plainly that is UNCLEAR, and read outside.
"""

from __future__ import annotations

import numpy as np

from rtf.compiled.kernel.alternatives import decide_all
from rtf.compiled.kernel.arrays import (
    BOUNDS,
    DONE,
    FULL,
    GRAPH,
    HITS,
    MISSING,
    N_PENDING,
    N_QUERIES,
    NEW_WORDS,
    NEXT,
    NO_ROOM,
    OBJECT,
    PREDICATE,
    SERIAL,
    STATE,
    SUBJECT,
    UNCLEAR,
    WORDS_OF,
    bounds_of,
    buffer_of,
    counts_of,
    ends_of,
    head_of,
    hits_of,
    pending_of,
    put_alive,
    put_bounds,
    put_graphs,
    put_objects,
    put_predicates,
    put_starts,
    put_subjects,
    put_words,
    queries_of,
    raw_of,
    row_graphs_of,
    row_objects_of,
    row_predicates_of,
    row_subjects_of,
    row_words_of,
    starts_of,
    states_of,
    subjects_of,
    taken_hits_of,
    taken_pending_of,
    taken_queries_of,
    text_of,
)
from rtf.compiled.kernel.dictionary import symbol_of
from rtf.compiled.kernel.jit import compiled, entry
from rtf.compiled.kernel.octets import FIRST, finish, has_octet, hash_octets, same_octets, zero_after
from rtf.compiled.kernel.terms import is_iri, literal_head, unescape
from rtf.compiled.kernel.triples import BLANK, walk_triple
from rtf.compiled.sections import IRI_KIND, LITERAL_KIND, UNKNOWN

__all__ = ["match_rows", "split_cells"]

_QUOTE, _BACKSLASH, _LESS, _UNDERSCORE = ord('"'), ord("\\"), ord("<"), ord("_")


@entry
def match_rows(stamp):
    """Match the publications from number `first` on; DONE when all are, else why that of `counts[NEXT]` is not.

    Then what came of those before it has been taken.
    """

    def match_rows(table, alive, subjects, predicates, objects, graphs, words, bounds, starts, first):
        _ = stamp
        put_alive(table, alive)
        put_subjects(table, subjects)
        put_predicates(table, predicates)
        put_objects(table, objects)
        put_graphs(table, graphs)
        put_words(table, words)
        put_bounds(table, bounds)
        put_starts(table, starts)
        return _match_all(table, np.int64(first))

    return match_rows


@entry
def split_cells(stamp):
    """Fill bounds from cells with a zero behind each, row by row: subject, predicate, object, words."""

    def split_cells(data, bounds):
        _ = stamp
        n = len(bounds) // BOUNDS
        position = np.int64(0)
        for row in range(n):
            for column in (SUBJECT, PREDICATE, OBJECT, WORDS_OF):
                bounds[column * n + row] = position
                position = zero_after(data, position)
                bounds[(column + 1) * n + row] = position
                position += 1

    return split_cells


@compiled
def _match_all(table, first):
    counts, starts = counts_of(table), starts_of(table)
    for number in range(first, len(starts) - 1):
        counts[NEXT] = number
        state = _match(table, starts[number], starts[number + 1])
        counts[STATE] = state
        if state in (FULL, NEW_WORDS):
            return state
        if not _take(table, number, state):
            return NO_ROOM
    counts[NEXT] = len(starts) - 1
    return DONE


@compiled
def _take(table, number, state):
    """Take what was found for a publication. False if there is no room."""
    counts, ends = counts_of(table), ends_of(table)
    step = len(ends) // 3
    n_queries, n_pending, n_hits = ends[number], ends[step + number], ends[2 * step + number]
    if state == DONE:
        queries, more = taken_queries_of(table), counts[N_QUERIES]
        if n_queries + more > len(queries):
            return False
        _copy(queries_of(table), queries, n_queries, more)
        n_queries += more
        more = counts[N_PENDING]
        if more:
            pending, hits = taken_pending_of(table), taken_hits_of(table)
            if n_pending + more > len(pending) or n_hits + 3 * counts[HITS] > len(hits):
                return False
            _copy(pending_of(table), pending, n_pending, more)
            n_pending += more
            more = 3 * counts[HITS]
            _copy(hits_of(table), hits, n_hits, more)
            n_hits += more
    states_of(table)[number] = state
    ends[number + 1] = n_queries
    ends[step + number + 1] = n_pending
    ends[2 * step + number + 1] = n_hits
    return True


@compiled
def _copy(source, target, at, count):
    """Slices would do the same, but numba takes a second to compile what they say when lengths differ."""
    for i in range(count):
        target[at + i] = source[i]


@compiled
def _match(table, begin, end):
    """Match the publication in these rows; what it comes to."""
    buffer, raw, counts, bounds = buffer_of(table), raw_of(table), counts_of(table), bounds_of(table)
    subjects, predicates, graphs = row_subjects_of(table), row_predicates_of(table), row_graphs_of(table)
    n = len(bounds) // BOUNDS
    iri = np.int64(IRI_KIND)
    for i in range(NEXT):
        counts[i] = 0
    counts[SERIAL] += 1
    serial = counts[SERIAL]
    graph = np.int64(UNKNOWN)
    at, behind = bounds[GRAPH * n + begin], bounds[(GRAPH + 1) * n + begin]
    has_graph = behind > at
    if has_graph:
        if is_iri(graphs, at, behind):
            graph = symbol_of(buffer, raw, iri, graphs, at + 1, behind - 1)
        elif behind - at <= 2 or graphs[at] != _UNDERSCORE:
            return UNCLEAR
    subject = np.int64(0)
    subject_symbol = predicate = np.int64(UNKNOWN)
    for row in range(begin, end):
        at, behind = bounds[SUBJECT * n + row], bounds[(SUBJECT + 1) * n + row]
        if row == begin or not _same_as_before(subjects, bounds, SUBJECT * n + row, n):
            subject += 1
            state = _note_subject(table, subjects, at, behind, subject, serial)
            if state != DONE:
                return state
            subject_symbol = np.int64(UNKNOWN)
            if is_iri(subjects, at, behind):
                subject_symbol = symbol_of(buffer, raw, iri, subjects, at + 1, behind - 1)
            elif behind - at <= 2 or subjects[at] != _UNDERSCORE:
                return UNCLEAR
        if row == begin or not _same_as_before(predicates, bounds, PREDICATE * n + row, n):
            at, behind = bounds[PREDICATE * n + row], bounds[(PREDICATE + 1) * n + row]
            if not is_iri(predicates, at, behind):
                return UNCLEAR
            predicate = symbol_of(buffer, raw, iri, predicates, at + 1, behind - 1)
        state = _walk_row(table, row, n, subject_symbol, subject, predicate, row - begin, serial)
        if state != DONE:
            return state
    if counts[MISSING]:
        return NEW_WORDS
    return decide_all(table, graph, has_graph, subject, serial)


@compiled
def _same_as_before(data, bounds, place, n):
    """Whether a cell, whose start stands at `place` in bounds, is that of the row before."""
    before, at = bounds[place - 1], bounds[place]
    length = bounds[place + n] - at
    return bounds[place + n - 1] - before == length and same_octets(data, before, data, at, length)


@compiled
def _note_subject(table, data, start, end, subject, serial):
    """UNCLEAR if the subject was there before, with others in between."""
    seen = subjects_of(table)
    count = len(seen) // 2
    if 2 * subject > count:
        return FULL
    h = np.int64(finish(hash_octets(data, start, end, FIRST)))
    slot = h & (count - 1)
    while seen[2 * slot] == serial:
        if seen[2 * slot + 1] == h:
            return UNCLEAR
        slot = (slot + 1) & (count - 1)
    seen[2 * slot] = serial
    seen[2 * slot + 1] = h
    return DONE


@compiled
def _walk_row(table, row, n, subject_symbol, subject, predicate, triple, serial):
    """The triple of a row, of which the object is still to be looked at."""
    bounds, words = bounds_of(table), row_words_of(table)
    data, start, end = row_objects_of(table), bounds[OBJECT * n + row], bounds[(OBJECT + 1) * n + row]
    words_at, words_end = bounds[WORDS_OF * n + row], bounds[(WORDS_OF + 1) * n + row]
    if end - start < 2:
        return UNCLEAR
    lead = data[start]
    kind = np.int64(BLANK)
    n_head = np.int64(0)
    if lead == _LESS:
        if not is_iri(data, start, end):
            return UNCLEAR
        kind = np.int64(IRI_KIND)
        start += 1
        end -= 1
    elif lead == _QUOTE:
        kind = np.int64(LITERAL_KIND)
        quote = end - 1
        while data[quote] != _QUOTE:  # stops at `start` at the latest
            quote -= 1
        n_head = literal_head(head_of(table), data, quote + 1, end)
        if n_head < 0:
            return -n_head
        if quote == start:
            return UNCLEAR
        start += 1
        end = quote
        if has_octet(data, start, end, _BACKSLASH):
            text = text_of(table)
            length = unescape(data, start, end, text)
            if length < 0:
                return -length
            data, start, end = text, np.int64(0), length
        elif has_octet(data, start, end, _QUOTE):
            return UNCLEAR
    elif lead != _UNDERSCORE:
        return UNCLEAR
    return walk_triple(
        table, subject_symbol, subject, predicate, triple,
        kind, n_head, data, start, end, words, words_at, words_end, serial,
    )  # fmt: skip
