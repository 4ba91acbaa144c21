"""Columns -> the buffer that the kernel walks: the trie forest in one of its layouts, and the query table.

A trie is built from its paths as a sorted matrix: rows that begin alike share nodes, so a node begins where a row first
differs from the one before. Words in a path go rarest first.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rtf.compiled.columns import MAX_PATH, Columns
from rtf.compiled.encoding import to_bytes
from rtf.compiled.kernel import FIRST_STRING, MANY_CHILDREN, edge_table, string_table
from rtf.compiled.sections import Int32s, join_sections, section_bytes
from rtf.index.selectivity import Selectivity
from rtf.mutable.forest import Layout

__all__ = ["freeze"]


def freeze(columns: Columns, layout: Layout, selectivity: Selectivity) -> Int32s:
    """The buffer for all queries of the columns. `selectivity` tells which tuple of each is to be looked at first."""
    parts = _dictionary(columns)
    symbols = len(columns.strings) + FIRST_STRING
    forest = _forest(columns, layout, symbols)
    parts |= forest.sections()
    parts |= _query_table(columns, selectivity)
    parts["sizes"] = np.array(
        [symbols, symbols, len(columns.tuples), len(columns.patterns), 0, forest.word_root], np.int32
    )
    return join_sections(parts)


def _dictionary(columns: Columns) -> dict[str, Int32s]:
    keys = [to_bytes([key]) for key in columns.strings]
    starts = np.zeros(len(keys) + 1, np.int32)
    np.cumsum([len(key) for key in keys], out=starts[1:])
    blob = b"".join(keys)
    slots = np.zeros(_power_of_two(2 * len(keys) + 2), np.int32)
    hashes = np.zeros(len(slots), np.int32)
    string_table(np.frombuffer(blob or b"\0", np.uint8), starts, slots, hashes)
    return {
        "string_slots": slots,
        "string_hashes": hashes,
        "string_starts": starts,
        "string_bytes": section_bytes(blob),
    }


def _power_of_two(least: int) -> int:
    return 1 << max(least - 1, 1).bit_length()


# --- the forest -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Forest:
    """Edges (parent, symbol, child) and the tuples at the ends of paths."""

    nodes: int
    edges: Int32s  # three columns
    ends: Int32s  # two columns: node, tuple
    leaf_symbols: Int32s
    word_root: int

    def sections(self) -> dict[str, Int32s]:
        """As the kernel wants them: children and ends by node, and a hash table for nodes with many children."""
        edges = self.edges[np.lexsort((self.edges[:, 1], self.edges[:, 0]))]
        ends = self.ends[np.lexsort((self.ends[:, 1], self.ends[:, 0]))]
        child_starts = _starts(edges[:, 0], self.nodes)
        symbols, nodes = np.ascontiguousarray(edges[:, 1]), np.ascontiguousarray(edges[:, 2])
        degrees = np.diff(child_starts)
        slots = np.full(3 * _power_of_two(2 * int(degrees[degrees > MANY_CHILDREN].sum()) + 2), -1, np.int32)
        edge_table(child_starts, symbols, nodes, slots)
        return {
            "child_starts": child_starts,
            "child_symbols": symbols,
            "child_nodes": nodes,
            "edge_slots": slots,
            "end_starts": _starts(ends[:, 0], self.nodes),
            "end_tuples": np.ascontiguousarray(ends[:, 1]),
            "leaf_symbols": self.leaf_symbols,
        }


def _forest(columns: Columns, layout: Layout, symbols: int) -> _Forest:
    structures, words, tuples = _paths(columns, symbols)
    if layout == "rtfm":
        nodes, edges, at = _trie(np.hstack([structures, words]), first=0)
        return _Forest(nodes, edges, np.column_stack([at, tuples]), np.zeros(nodes, np.int32), word_root=0)
    nodes, edges, leaves = _trie(structures, first=0)
    has_words = words[:, 0] >= 0
    leaf_symbols = np.zeros(nodes, np.int32)
    leaf_symbols[leaves[has_words]] = symbols + leaves[has_words]
    behind = np.hstack([words[has_words], np.full((int(has_words.sum()), 1), -1, np.int32)])
    length = (behind >= 0).sum(axis=1)
    behind[np.arange(len(behind)), length] = symbols + leaves[has_words]
    total, word_edges, at = _trie(behind, first=nodes)
    ends = np.vstack(
        [
            np.column_stack([leaves[~has_words], tuples[~has_words]]),
            np.column_stack([at, tuples[has_words]]),
        ]
    )
    leaf_symbols = np.concatenate([leaf_symbols, np.zeros(total - nodes, np.int32)])
    return _Forest(total, np.vstack([edges, word_edges]), ends.astype(np.int32), leaf_symbols, word_root=nodes)


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


def _trie(paths: Int32s, first: int) -> tuple[int, Int32s, Int32s]:
    """The trie of the rows of a matrix, which end in -1s: number of nodes, edges, and the node that ends each row.

    The root is node `first`, the others follow. The number counts those before `first` too.
    """
    order = np.lexsort(paths.T[::-1])
    rows = paths[order]
    differs = np.ones(rows.shape, bool)
    differs[1:] = rows[1:] != rows[:-1]
    begins = np.logical_or.accumulate(differs, axis=1) & (rows >= 0)  # a node that the row before does not have
    numbers = np.cumsum(begins.ravel()).reshape(begins.shape) + first
    # the node of row i at depth d is the last one that began there
    nodes = np.maximum.accumulate(np.where(begins, numbers, 0), axis=0)
    parents = np.hstack([np.full((len(rows), 1), first), nodes[:, :-1]])
    edges = np.column_stack([parents[begins], rows[begins], numbers[begins]]).astype(np.int32)
    length = (rows >= 0).sum(axis=1)
    at = np.empty(len(rows), np.int32)
    at[order] = np.where(length > 0, nodes[np.arange(len(rows)), np.maximum(length - 1, 0)], first)
    return first + 1 + int(begins.sum()), edges, at


def _starts(sorted_keys: Int32s, count: int) -> Int32s:
    """Where the entries of each key begin, and one more."""
    return np.searchsorted(sorted_keys, np.arange(count + 1)).astype(np.int32)


# --- the query table --------------------------------------------------------------------------------------------------


def _access_places(columns: Columns, selectivity: Selectivity) -> Int32s:
    """For each alternative, where among all tuples its access tuple stands; -1 if it has none.

    The access tuple of a star is one that shares the subject, which tells where to look.
    """
    expected = columns.expected(selectivity)
    numbers, same, starts = columns.tuple_numbers, columns.same_subject, columns.tuple_starts
    places = np.empty(len(starts) - 1, np.int32)
    for alternative in range(len(places)):
        tuples = range(starts[alternative], starts[alternative + 1])
        places[alternative] = min(tuples, key=lambda place: (-same[place], expected[numbers[place]]), default=-1)
    return places


def _query_table(columns: Columns, selectivity: Selectivity) -> dict[str, Int32s]:
    starts = np.array(columns.tuple_starts, np.int32)
    numbers = np.array(columns.tuple_numbers, np.int32)
    same = np.array(columns.same_subject, np.int32)
    alternatives = np.arange(len(starts) - 1, dtype=np.int32)
    accesses = _access_places(columns, selectivity)
    some = accesses >= 0
    access = numbers[accesses[some]]
    order = np.argsort(access, kind="stable")
    is_other = np.ones(len(numbers), bool)
    is_other[accesses[some]] = False
    others = np.concatenate([[0], np.cumsum(is_other)])
    queries = [np.array(each, np.int32) for each in columns.pattern_queries]
    return {
        "under_starts": _starts(access[order], len(columns.tuples)),
        "under_alternatives": alternatives[some][order],
        "always": alternatives[~some],
        "need_starts": others[starts].astype(np.int32),
        "needs": (2 * numbers + same)[is_other],
        "alternative_patterns": np.array(columns.alternative_patterns, np.int32),
        "alternative_graphs": np.array(columns.graphs, np.int32),
        "alternative_flags": np.array(columns.flags, np.int32),
        "alternative_places": np.array(columns.alternative_places, np.int32),
        "tuple_starts": starts,
        "tuple_numbers": numbers,
        "query_starts": np.concatenate([[0], np.cumsum([len(each) for each in queries])]).astype(np.int32),
        "queries": np.concatenate([np.zeros(0, np.int32), *queries]),
    }
