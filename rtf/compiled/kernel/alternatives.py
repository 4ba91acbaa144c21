"""Tuples that were hit -> the alternatives that hold, and the queries they belong to."""

from __future__ import annotations

from typing import Final

import numpy as np

from rtf.compiled.kernel.arrays import (
    CANDIDATES,
    DONE,
    FULL,
    HITS,
    N_PENDING,
    N_QUERIES,
    RECORD_STARTS,
    RECORDS,
    SERIAL,
    SIZES_AT,
    alive_of,
    bits_of,
    buffer_of,
    counts_of,
    hits_of,
    pending_of,
    queries_of,
    stamps_of,
)
from rtf.compiled.kernel.jit import compiled, entry, prefetch
from rtf.compiled.records import COMPARED, HEAD, IN_GRAPH, PENDING, SEVERAL

__all__ = ["add_tallies", "decide_all"]

_AHEAD: Final = 6  # tuples, when the first record under a tuple is fetched
_FEW_QUERIES: Final = 24  # that match; more are sorted as bits


@compiled
def decide_all(table, graph, has_graph, n_subjects, serial):
    """The alternatives without tuples, and those under each tuple that was hit, subject by subject."""
    buffer, counts, hits, stamps = buffer_of(table), counts_of(table), hits_of(table), stamps_of(table)
    tuples_at, n_tuples = buffer[buffer[SIZES_AT]], buffer[buffer[SIZES_AT] + 1]
    yes, none = np.bool_(True), np.int64(0)  # not constants, for which numba would compile another function
    if not _decide(table, np.int64(n_tuples), graph, has_graph, yes, serial, none):
        return FULL
    place = 0
    while place < counts[HITS]:
        subject = hits[3 * place + 2]
        after = place
        counts[SERIAL] += 1
        subject_serial = counts[SERIAL]
        while after < counts[HITS] and hits[3 * after + 2] == subject:
            stamps[tuples_at + 2 * hits[3 * after] + 1] = subject_serial
            prefetch(buffer, np.int64(buffer[RECORD_STARTS] + hits[3 * after]))
            after += 1
        for hit in range(place, after):
            if hit + _AHEAD < after:
                _prefetch_record(buffer, np.int64(hits[3 * (hit + _AHEAD)]))
            number = np.int64(hits[3 * hit])
            at = tuples_at + 2 * number + 1
            if stamps[at] == -subject_serial:
                continue  # hit twice
            stamps[at] = -subject_serial  # its alternatives are looked at now
            if not _decide(table, number, graph, has_graph, n_subjects > 1, serial, subject_serial):
                return FULL
        place = after
    _sort_queries(table)
    return DONE


@compiled
def _prefetch_record(buffer, number):
    """Have the first record under a tuple fetched."""
    prefetch(buffer, np.int64(buffer[RECORDS] + buffer[buffer[RECORD_STARTS] + number]))


@compiled
def _decide(table, number, graph, has_graph, twice, serial, subject_serial):
    """Which alternatives hold whose access tuple was hit; their queries match. False if a list is full.

    `twice`: an alternative may be looked at again, for another subject.
    """
    buffer, stamps, counts = buffer_of(table), stamps_of(table), counts_of(table)
    sizes = buffer[SIZES_AT]
    tuples_at = buffer[sizes]
    patterns_at = tuples_at + 2 * buffer[sizes + 1]
    alternatives_at = patterns_at + buffer[sizes + 2]
    records, starts = buffer[RECORDS], buffer[RECORD_STARTS] + number
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
                pending = pending_of(table)
                n = counts[N_PENDING]
                if n >= len(pending):
                    return False
                pending[n] = here
                counts[N_PENDING] = n + 1
            continue
        if several:
            stamps[patterns_at + pattern] = serial
        stamps[alternative + 2] += 1
        if not _add_queries(table, behind, buffer[record + 4]):
            return False
    return True


@compiled
def _add_queries(table, start, count):
    """The queries of a pattern match, those that are asked about. False if the list is full."""
    buffer, counts, queries, alive = buffer_of(table), counts_of(table), queries_of(table), alive_of(table)
    n = counts[N_QUERIES]
    if n + count > len(queries):
        return False
    for place in range(start, start + count):
        query = buffer[place]
        if len(alive) == 0 or alive[query]:
            queries[n] = query
            n += 1
    counts[N_QUERIES] = n
    return True


@compiled
def _sort_queries(table):
    """By number, so in order of registration: many by setting a bit for each and reading the bits in order."""
    queries, bits = queries_of(table), bits_of(table)
    n = counts_of(table)[N_QUERIES]
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


@compiled
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


@entry
def add_tallies(stamp):
    """Add what was counted for each alternative to the queries of its pattern."""

    def add_tallies(records, tallies, found):
        _ = stamp
        start = 0
        while start < len(records):
            alternative, packed = records[start], records[start + 2]
            first = start + HEAD + (1 if packed & IN_GRAPH else 0) + records[start + 3]
            for place in range(first, first + records[start + 4]):
                found[records[place], 0] += tallies[alternative, 0]
                found[records[place], 1] += tallies[alternative, 1]
            start += packed >> 4

    return add_tallies
