"""One buffer of numbers with named parts: what the kernel walks, and what a file holds.

The buffer starts with a header, a (start, length) pair for each section in the order of SECTIONS. Everything is an
int32, so that the kernel gets one array instead of thirty; bytes are kept four to a number.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = ["SECTIONS", "Int32s", "join_sections", "section", "section_bytes"]

Int32s = npt.NDArray[np.int32]

SECTIONS: Final = (
    "sizes",  # counts that the kernel needs, see freeze.SIZES
    "string_slots",  # hash table of the dictionary: symbol, or 0; a power of two
    "string_hashes",  # beside each slot, 32 more bits of the hash
    "string_starts",  # of symbol i in string_bytes; one more at the end
    "string_bytes",
    "child_starts",  # of node i in child_symbols and child_nodes, which are sorted by symbol; one more at the end
    "child_symbols",
    "child_nodes",
    "edge_slots",  # hash table of the edges of nodes with many children: (node, symbol, child), or node -1
    "end_starts",  # of node i in end_tuples; one more at the end
    "end_tuples",
    "leaf_symbols",  # RTFS: of node i, the symbol that stands for it in the forest of words, or 0
    "under_starts",  # of tuple i in under_alternatives: those it is the access tuple of
    "under_alternatives",
    "always",  # alternatives without a tuple
    "need_starts",  # of alternative i in needs; one more at the end
    "needs",  # its other tuples: 2 * tuple, + 1 if the subject must be that of the access tuple
    "alternative_patterns",
    "alternative_graphs",  # 0: no matter; -1: there must be one; else its symbol
    "alternative_flags",  # 1: what the tuples say must be checked outside of the kernel
    "alternative_places",  # which alternative of its query it is
    "tuple_starts",  # of alternative i in tuple_numbers; one more at the end
    "tuple_numbers",  # all its tuples, in their order
    "query_starts",  # of pattern i in queries; one more at the end
    "queries",
)


def join_sections(parts: dict[str, Int32s]) -> Int32s:
    """The buffer with these sections."""
    assert set(parts) == set(SECTIONS), set(parts) ^ set(SECTIONS)
    header = np.empty(2 * len(SECTIONS), np.int32)
    start = len(header)
    for number, name in enumerate(SECTIONS):
        header[2 * number : 2 * number + 2] = start, len(parts[name])
        start += len(parts[name])
    if start >= 2**31:
        raise OverflowError("the index is larger than 8 GB; split the queries over several engines")
    return np.concatenate([header, *(parts[name].astype(np.int32, copy=False) for name in SECTIONS)])


def section(buffer: Int32s, name: str) -> Int32s:
    """A section of the buffer, without copying."""
    number = SECTIONS.index(name)
    start, length = int(buffer[2 * number]), int(buffer[2 * number + 1])
    return buffer[start : start + length]


def section_bytes(data: bytes) -> Int32s:
    """Bytes as int32s, padded."""
    return np.frombuffer(data + bytes(-len(data) % 4), np.int32)
