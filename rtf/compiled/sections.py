"""One buffer of numbers with named parts: what the kernel walks, and what a file holds.

The buffer starts with a header, a (start, length) pair for each section in the order of SECTIONS. Everything is an
int32, so that the kernel gets one array instead of ten; bytes are kept four to a number.

What is looked at together stands together, because the time goes into cache misses: a slot of the dictionary holds its
hash, a record all there is to know about an alternative.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "ANY",
    "FIRST_INTERVALS",
    "FIRST_STRING",
    "IRI_KIND",
    "LITERAL_KIND",
    "SECTIONS",
    "SIZES",
    "UNKNOWN",
    "WORDS",
    "WORD_KIND",
    "Int32s",
    "join_sections",
    "section",
]

Int32s = npt.NDArray[np.int32]

# Symbols: what edges of the forest are labelled with.
UNKNOWN: Final = 0  # of what no query mentions
ANY: Final = 1  # of a variable
WORDS: Final = 2  # RTFS: leads from the root to the forest of words
FIRST_STRING: Final = 3  # of the first string of the dictionary

FIRST_INTERVALS: Final = 1 << 30

# Kinds of strings in the dictionary.
IRI_KIND: Final = ord("I")
LITERAL_KIND: Final = ord("L")
WORD_KIND: Final = 128  # in the default reading; those of other readings follow

SECTIONS: Final = (
    "sizes",  # see SIZES
    "string_slots",  # hash table of the dictionary: pairs (part of the hash, place in strings), place 0 is free
    "strings",  # (symbol, kind, length in bytes), then the bytes
    "nodes",  # pairs: where the edges and the ends of node i begin; one more at the end
    "edges",  # symbols, sorted for each node; edge i leads to node i + 1, because nodes are numbered level by level
    "edge_slots",  # hash table of the edges of nodes with many of them: pairs (symbol, edge), edge -1 is free
    "ends",  # tuples that end at a node; negative: minus the symbol of a leaf in the forest of words (RTFS), or, from
    # FIRST_INTERVALS on, where tuples with intervals stand
    "intervals",  # for each line the number of tuples with a low bound and of those without, then these tuples, each
    # with the four bounds of its interval as 32-bit floats; by ascending low bound, or else by descending high bound
    "record_starts",  # of tuple i in records; then of the alternatives without tuples; one more at the end
    "records",  # the alternatives that a tuple is the access tuple of, see `rtf.compiled.records`
)

SIZES: Final = ("symbols", "tuples", "patterns", "alternatives", "queries")


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
