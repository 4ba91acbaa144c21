"""Publications are cut out of sorted rows, wherever batches end, and however hashes collide."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from rtf.pipeline.grouping import HASH, complete_publications
from rtf.pipeline.rows import BAD, INPUT, TRIPLE

SCHEMA = INPUT.append(pa.field(HASH, pa.int64()))

# Few hashes for many publications, so that they collide: a publication is (id, graph), and its hash a number.
PUBLICATIONS = st.tuples(st.sampled_from("abcdef"), st.sampled_from([None, "g", "h"]))
ROWS = st.lists(st.tuples(st.sampled_from([TRIPLE, TRIPLE, TRIPLE, BAD]), PUBLICATIONS), max_size=40)


def hash_of(publication: tuple[str, str | None]) -> int:
    """A bad hash."""
    return "abcdef".index(publication[0]) // 3 + (publication[1] == "g") - 1


@given(ROWS, st.lists(st.integers(0, 40), max_size=6), st.randoms(use_true_random=False))
def test_whole_publications(rows: list[tuple[int, tuple[str, str | None]]], cuts: list[int], random: Any) -> None:
    """Every publication comes out once, with all of its rows next to each other; other rows come out as they are."""
    random.shuffle(rows)
    numbered = [
        {"kind": kind, "publication": each[0], "graph": each[1], "object": str(number), HASH: hash_of(each)}
        for number, (kind, each) in enumerate(rows)
    ]
    table = pa.Table.from_pylist(sorted(numbered, key=lambda row: row[HASH]), schema=SCHEMA)
    edges = sorted({0, len(rows), *(cut for cut in cuts if cut < len(rows))})
    batches = [
        batch
        for start, end in pairwise(edges)
        for batch in table.slice(start, end - start).combine_chunks().to_batches()
    ]
    seen: list[tuple[str, str | None]] = []
    triples: list[str] = []
    others: list[str] = []
    for some in complete_publications(batches):
        found = some.to_pylist()
        if isinstance(some, pa.RecordBatch):
            others += [row["object"] for row in found]
            continue
        previous = None
        for row in found:
            key = (row["publication"], row["graph"])
            if key != previous:
                seen.append(key)
            previous = key
            triples.append(row["object"])
    wanted = [(number, each) for number, (kind, each) in enumerate(rows) if kind == TRIPLE]
    assert sorted(triples, key=int) == [str(number) for number, _ in wanted]
    assert sorted(seen, key=str) == sorted({each for _, each in wanted}, key=str)
    assert sorted(others, key=int) == [str(number) for number, (kind, _) in enumerate(rows) if kind == BAD]


def test_memory_is_flat() -> None:
    """Publications are handed on as soon as they are complete: of many batches no more than two are kept."""
    taken = 0

    def batches() -> Any:
        nonlocal taken
        for number in range(50):
            taken += 1
            rows = [{"kind": TRIPLE, "publication": f"p{number}{half}", HASH: 2 * number + half} for half in (0, 1)]
            yield pa.RecordBatch.from_pylist(rows, schema=SCHEMA)

    given_ = 0
    for some in complete_publications(batches()):
        given_ += some.num_rows
        assert 2 * taken - given_ <= 2
    assert given_ == 100
