"""An alternative as the kernel reads it: one run of numbers with all there is to know about it.

    alternative, pattern, flags + 16 * length of the record, number of needs, number of queries,
    [with IN_GRAPH: the symbol of the graph, or -1 where any will do,]
    needs: the other tuples, 2 * tuple, + 1 if the subject must be that of the access tuple,
    queries of the pattern, ascending,
    [with PENDING or COMPARED: its place among the alternatives of its query, and all its tuples in their order]

Records stand behind each other under their access tuple. Alternatives and patterns are numbered as they stand there.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Final

import numpy as np

from rtf.compiled.access import access_places
from rtf.compiled.columns import COMPARED, NO_GRAPH, PENDING, Columns
from rtf.compiled.sections import Int32s
from rtf.index.selectivity import Sample

__all__ = ["COMPARED", "HEAD", "IN_GRAPH", "PENDING", "SEVERAL", "Record", "read_record", "record_sections"]

HEAD: Final = 5
IN_GRAPH: Final = 2
SEVERAL: Final = 4  # the pattern has other alternatives


@dataclass(frozen=True, slots=True)
class Record:
    """What a record with PENDING or COMPARED says."""

    alternative: int
    pattern: int
    place: int
    tuples: list[int]
    queries: list[int]


def read_record(records: Int32s, start: int) -> Record:
    """The record that begins there."""
    alternative, pattern, packed, needs, queries = records[start : start + HEAD].tolist()
    length, flags = packed >> 4, packed & 15
    assert flags & (PENDING | COMPARED)
    first = start + HEAD + bool(flags & IN_GRAPH) + needs
    place, *tuples = records[first + queries : start + length].tolist()
    return Record(alternative, pattern, place, tuples, records[first : first + queries].tolist())


def record_sections(columns: Columns, sample: Sample) -> dict[str, Int32s]:
    """The sections `record_starts` and `records`."""
    starts, numbers, same = columns.tuple_starts, columns.tuple_numbers, columns.same_subject
    accesses = access_places(columns, sample)
    count = len(columns.tuples)
    under = np.array([count if place < 0 else numbers[place] for place in accesses.tolist()], np.int32)
    alternatives_of = np.bincount(np.array(columns.alternative_patterns, np.int32), minlength=len(columns.patterns))
    patterns: dict[int, int] = {}
    flat = array("i")
    lengths = np.zeros(count + 2, np.int64)
    for new, alternative in enumerate(np.argsort(under, kind="stable").tolist()):
        access = int(accesses[alternative])
        places = range(starts[alternative], starts[alternative + 1])
        needs = [2 * numbers[place] + same[place] for place in places if place != access]
        pattern, graph = columns.alternative_patterns[alternative], columns.graphs[alternative]
        queries = columns.pattern_queries[pattern]
        flags = SEVERAL if alternatives_of[pattern] > 1 else 0
        body = [*needs, *queries]
        if graph != NO_GRAPH:
            flags |= IN_GRAPH
            body.insert(0, graph)
        if columns.flags[alternative]:
            flags |= columns.flags[alternative]
            body += [columns.alternative_places[alternative], *(numbers[place] for place in places)]
        length = HEAD + len(body)
        number = patterns.setdefault(pattern, len(patterns))
        flat.extend([new, number, flags + 16 * length, len(needs), len(queries), *body])
        lengths[under[alternative] + 1] += length
    return {"record_starts": np.cumsum(lengths).astype(np.int32), "records": np.array(flat, np.int32)}
