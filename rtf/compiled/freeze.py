"""Columns -> the buffer that the kernel walks: the dictionary, the trie forest in one of its layouts, and the records.

A trie is built from its paths as a sorted matrix: rows that begin alike share nodes, so a node begins where a row first
differs from the one before. Words in a path go rarest first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from rtf.compiled.columns import MAX_PATH, Columns
from rtf.compiled.encoding import dictionary_string
from rtf.compiled.kernel.dictionary import string_table
from rtf.compiled.kernel.forest import MANY_EDGES, edge_table
from rtf.compiled.records import record_sections
from rtf.compiled.sections import FIRST_INTERVALS, FIRST_STRING, WORDS, Int32s, join_sections
from rtf.index.intervals import Interval, Line
from rtf.index.selectivity import Sample
from rtf.mutable.forest import Layout

__all__ = ["freeze"]


def freeze(columns: Columns, layout: Layout, sample: Sample) -> Int32s:
    """The buffer for all queries of the columns. `sample` tells which tuple of each is to be looked at first."""
    symbols = len(columns.strings) + FIRST_STRING
    alternatives = len(columns.alternative_patterns)
    return join_sections(
        {
            "sizes": np.array(
                [symbols, len(columns.tuples), len(columns.patterns), alternatives, columns.count], np.int32
            ),
            **_dictionary(columns),
            **_forest(columns, layout, symbols).sections(),
            **record_sections(columns, sample),
        }
    )


_HEAD: Final = bytes(12)  # room for symbol, kind and length


def _dictionary(columns: Columns) -> dict[str, Int32s]:
    """The strings, each with its symbol, kind and length before it, and a hash table of them."""
    keys = [dictionary_string(key) for key in columns.strings]
    lengths = np.array([len(data) for _, data in keys], np.int64)
    sizes = 3 + (lengths + 3) // 4
    places = (1 + np.cumsum(sizes) - sizes).astype(np.int32)  # no string at place 0
    whole = b"".join([_HEAD + data + bytes(-len(data) % 4) for _, data in keys])
    strings = np.frombuffer(bytearray(4) + whole, np.int32)
    strings[places] = np.arange(FIRST_STRING, FIRST_STRING + len(keys))
    strings[places + 1] = [kind for kind, _ in keys]
    strings[places + 2] = lengths
    slots = np.zeros(2 * _power_of_two(3 * len(places) // 2 + 2), np.int32)
    string_table(strings, strings.view(np.uint8), places, slots)
    return {"string_slots": slots, "strings": strings}


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()


# --- the forest -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Trie:
    """Nodes are numbered level by level, so that the children of a node follow each other; edge i leads to node i + 1.

    `parents[i]` and `symbols[i]` are those of edge i.
    """

    parents: Int32s
    symbols: Int32s
    ends: Int32s  # two columns: node, what ends there
    intervals: Int32s  # the section

    def sections(self) -> dict[str, Int32s]:
        """As the kernel wants them, with a hash table for nodes with many edges."""
        count = len(self.parents) + 1
        ends = self.ends[np.lexsort((self.ends[:, 1], self.ends[:, 0]))]
        nodes = np.empty((count + 1, 2), np.int32)
        nodes[:, 0] = np.searchsorted(self.parents, np.arange(count + 1))
        nodes[:, 1] = np.searchsorted(ends[:, 0], np.arange(count + 1))
        degrees = np.diff(nodes[:, 0])
        many = int(degrees[degrees > MANY_EDGES].sum())
        slots = np.full(2 * _power_of_two(3 * many // 2 + 2), -1, np.int32)
        flat = nodes.ravel()
        edge_table(flat, self.symbols, slots)
        return {
            "nodes": flat,
            "edges": self.symbols,
            "edge_slots": slots,
            "ends": np.ascontiguousarray(ends[:, 1]),
            "intervals": self.intervals,
        }


def _forest(columns: Columns, layout: Layout, symbols: int) -> _Trie:
    """RTFM: each path is structure, then words. RTFS: structure; and behind WORDS, words and the symbol of a leaf."""
    structures, words, tuples = _paths(columns, symbols)
    if layout == "rtfm":
        return _trie(np.hstack([structures, words]), tuples, columns.intervals)
    has_words = words[:, 0] >= 0
    plain, searched = structures[~has_words], structures[has_words]
    leaves, leaf_of = np.unique(searched, axis=0, return_inverse=True)
    leaf_symbols = (symbols + leaf_of.reshape(-1)).astype(np.int32)
    width = words.shape[1] + 2
    behind = np.full((len(searched), width), -1, np.int32)
    behind[:, 0] = WORDS
    behind[:, 1:-1] = words[has_words]
    behind[np.arange(len(behind)), (behind >= 0).sum(axis=1)] = leaf_symbols
    paths = np.vstack([_widened(plain, width), _widened(leaves, width), behind])
    ends = np.concatenate([tuples[~has_words], -(symbols + np.arange(len(leaves))), tuples[has_words]])
    return _trie(paths, ends.astype(np.int32), columns.intervals)


def _widened(paths: Int32s, width: int) -> Int32s:
    wide = np.full((len(paths), max(width, paths.shape[1])), -1, np.int32)
    wide[:, : paths.shape[1]] = paths
    return wide


def _paths(columns: Columns, symbols: int) -> tuple[Int32s, Int32s, Int32s]:
    """A row for each path of each tuple: structure, words (rarest first, then -1), and the number of the tuple."""
    structures: list[tuple[int, int, int]] = []
    sets: list[tuple[int, ...]] = []
    tuples: list[int] = []
    for (subject, predicate, object_, paths, _), number in columns.tuples.items():
        for path in paths:
            structures.append((subject, predicate, object_))
            sets.append(path)
            tuples.append(number)
    lengths = np.array([len(path) for path in sets], np.int64)
    flat = np.fromiter((word for path in sets for word in path), np.int32, int(lengths.sum()))
    frequencies = np.bincount(flat, minlength=symbols)
    rows = np.repeat(np.arange(len(sets)), lengths)
    order = np.lexsort((flat, frequencies[flat], rows))  # within its row, by frequency
    places = np.arange(len(flat)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    kept = places < MAX_PATH
    words = np.full((len(sets), min(MAX_PATH, int(lengths.max(initial=1))) or 1), -1, np.int32)
    words[rows[kept], places[kept]] = flat[order][kept]
    return np.array(structures, np.int32).reshape(-1, 3), words, np.array(tuples, np.int32)


def _trie(paths: Int32s, ends: Int32s, intervals: Mapping[int, Interval]) -> _Trie:
    """The trie of the rows of a matrix, which end in -1s, with what ends at the last node of each row."""
    order = np.lexsort(paths.T[::-1])
    rows, ends = paths[order], ends[order]
    differs = np.ones(rows.shape, bool)
    differs[1:] = rows[1:] != rows[:-1]
    begins = np.logical_or.accumulate(differs, axis=1) & (rows >= 0)  # a node that the row before does not have
    first = 1
    nodes = np.zeros((len(rows), rows.shape[1] + 1), np.int32)  # of row i at depth d; the root at depth 0
    parents, symbols = [], []
    for depth in range(rows.shape[1]):
        new = begins[:, depth]
        count = int(new.sum())
        numbers = np.zeros(len(rows), np.int32)
        numbers[new] = np.arange(first, first + count)
        nodes[:, depth + 1] = np.maximum.accumulate(numbers)
        parents.append(nodes[new, depth])
        symbols.append(rows[new, depth])
        first += count
    length = (rows >= 0).sum(axis=1)
    at = nodes[np.arange(len(rows)), length]
    ends, section = _with_intervals(np.column_stack([at, ends]).astype(np.int32), intervals)
    return _Trie(
        np.concatenate([*parents, np.zeros(0, np.int32)]),
        np.concatenate([*symbols, np.zeros(0, np.int32)]),
        ends,
        section,
    )


def _with_intervals(ends: Int32s, intervals: Mapping[int, Interval]) -> tuple[Int32s, Int32s]:
    """Ends with one entry for all tuples with intervals at a node, and the section with these tuples."""
    if not intervals:
        return ends, np.zeros(0, np.int32)
    compared = np.isin(ends[:, 1], list(intervals))
    at_nodes: dict[int, list[int]] = {}
    for node, number in ends[compared].tolist():
        at_nodes.setdefault(node, []).append(number)
    words: list[int] = []
    entries = []
    for node, numbers in at_nodes.items():
        entries.append((node, -(FIRST_INTERVALS + len(words))))
        groups = []
        for line in Line:
            on_line = [(intervals[number], number) for number in numbers if intervals[number].line == line]
            low = sorted(
                (pair for pair in on_line if pair[0].low_maybe > -math.inf), key=lambda pair: pair[0].low_maybe
            )
            high = sorted(
                (pair for pair in on_line if pair[0].low_maybe == -math.inf), key=lambda pair: -pair[0].high_maybe
            )
            groups += [low, high]
        words += [len(group) for group in groups]
        for interval, number in (pair for group in groups for pair in group):
            bounds = (interval.low_maybe, interval.low_sure, interval.high_maybe, interval.high_sure)
            words += [number, *np.array(bounds, np.float32).view(np.int32).tolist()]
    return np.vstack([ends[~compared], np.array(entries, np.int32)]), np.array(words, np.int32)
