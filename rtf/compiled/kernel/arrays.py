"""The arrays that the kernel looks at, and what stands where in them.

A caller has a table of their addresses and lengths (see `rtf.compiled.scratch`); `stamps_of(table)` is an array.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rtf.compiled.kernel.jit import accessor, put
from rtf.compiled.sections import SECTIONS

__all__ = ["ARRAYS", "COUNTS", "DONE", "FULL", "GRAPH", "NEW_WORDS", "NO_ROOM", "OBJECT", "PREDICATE", "SUBJECT"]

ARRAYS: Final[dict[str, Any]] = {
    # what does not change: the sections as numbers, as bytes and as floats, and `folding.fold_table`
    "buffer": np.int32,
    "raw": np.uint8,
    "floats": np.float32,
    "folded": np.int32,
    # What one thread writes on. `stamps` has parts: symbols; pairs for tuples (in this publication, negative if some
    # hit is not sure; under this subject); patterns; triples for alternatives (pending, how often candidate, how often
    # matched).
    "stamps": np.int32,
    "counts": np.int64,
    "words": np.int32,  # the symbols of the words of a text
    "stack": np.int32,
    "leaves": np.int32,
    "hits": np.int32,  # triples (tuple, number of the triple, number of its subject)
    "queries": np.int32,
    "pending": np.int32,  # where the records begin
    "bits": np.uint64,  # one bit for each query, all zero between publications
    "text": np.uint8,  # a literal without escapes
    "letters": np.uint8,  # a literal folded
    "word_edges": np.int32,  # where the words in `letters` begin and end
    "hashes": np.uint64,  # of these words
    "head": np.uint8,  # datatype or language of a literal
    "memo_slots": np.int32,  # see `memo`; pairs (part of the hash, place), place 0 is free
    "memo_records": np.int32,  # (length in bytes, number of symbols), the symbols, the bytes
    "memo_octets": np.uint8,  # the same memory
    "missing": np.uint8,  # words that the memo lacks; `counts[MISSING]` bytes
    "subjects": np.int64,  # a hash table of the subjects of a publication: pairs (serial, hash)
    # the publications, see `rtf.compiled.rows`, and which queries are asked about, empty if it is all
    "row_subjects": np.uint8,
    "row_predicates": np.uint8,
    "row_objects": np.uint8,
    "row_graphs": np.uint8,
    "row_words": np.uint8,
    "bounds": np.int64,
    "starts": np.int64,
    "alive": np.uint8,
    # what is taken from the scratch after each publication; `ends` are where that of each ends, in each of three lists
    "states": np.uint8,  # DONE or UNCLEAR
    "ends": np.int64,  # queries, pending, hits
    "taken_queries": np.int32,
    "taken_pending": np.int32,
    "taken_hits": np.int32,  # only of publications with something pending
}
_PLACES: Final = {name: place for place, name in enumerate(ARRAYS)}


def _of(name: str) -> Any:
    return accessor(_PLACES[name], ARRAYS[name])


buffer_of, raw_of, floats_of, folded_of = map(_of, ("buffer", "raw", "floats", "folded"))
stamps_of, counts_of, words_of, stack_of, leaves_of = map(_of, ("stamps", "counts", "words", "stack", "leaves"))
hits_of, queries_of, pending_of, bits_of = map(_of, ("hits", "queries", "pending", "bits"))
text_of, letters_of, word_edges_of, hashes_of = map(_of, ("text", "letters", "word_edges", "hashes"))
head_of = _of("head")
memo_slots_of, memo_records_of, memo_octets_of = map(_of, ("memo_slots", "memo_records", "memo_octets"))
missing_of, subjects_of = map(_of, ("missing", "subjects"))
row_subjects_of, row_predicates_of, row_objects_of = map(_of, ("row_subjects", "row_predicates", "row_objects"))
row_graphs_of, row_words_of, bounds_of, starts_of = map(_of, ("row_graphs", "row_words", "bounds", "starts"))
alive_of, states_of, ends_of = map(_of, ("alive", "states", "ends"))
taken_queries_of, taken_pending_of, taken_hits_of = map(_of, ("taken_queries", "taken_pending", "taken_hits"))

put_subjects, put_predicates, put_objects, put_graphs, put_words, put_bounds, put_starts, put_alive = (
    put(_PLACES[name])
    for name in (
        *("row_subjects", "row_predicates", "row_objects", "row_graphs", "row_words", "bounds", "starts"),
        "alive",
    )
)

# The columns of rows: `bounds` has two parts for each, where its cells begin and where they end.
SUBJECT, PREDICATE, OBJECT, GRAPH, WORDS_OF = range(0, 10, 2)
BOUNDS: Final = 10

# What comes of a publication: it is done; a list of the scratch is too short; it has to be read outside, as its text is
# not simple, its terms are none, or its subjects are not in order; there is no room to take what was found; it has
# words that the memo lacks.
DONE, FULL, UNCLEAR, NO_ROOM, NEW_WORDS = range(5)

# What `counts` tells afterwards, of the last publication; NEXT is the first that is not done.
COUNTS: Final = 12
N_QUERIES, N_PENDING, HITS, NODES_VISITED, TUPLES, CANDIDATES, MISSING, STATE, NEXT = range(9)
N_LEAVES, N_INTERVALS, SERIAL = range(9, COUNTS)

# Where the start and the length of a section stand in the buffer.
SIZES_AT: Final = 2 * SECTIONS.index("sizes")
STRING_SLOTS: Final = 2 * SECTIONS.index("string_slots")
STRINGS: Final = 2 * SECTIONS.index("strings")
NODES: Final = 2 * SECTIONS.index("nodes")
EDGES: Final = 2 * SECTIONS.index("edges")
EDGE_SLOTS: Final = 2 * SECTIONS.index("edge_slots")
ENDS: Final = 2 * SECTIONS.index("ends")
INTERVALS: Final = 2 * SECTIONS.index("intervals")
RECORD_STARTS: Final = 2 * SECTIONS.index("record_starts")
RECORDS: Final = 2 * SECTIONS.index("records")
