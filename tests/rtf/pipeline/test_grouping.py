"""Rows are distributed over buckets, and publications found in them: wherever batches end, however hashes collide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtf.pipeline import grouping, packing
from rtf.pipeline.blocks import BLOCK, KindBlocks, Unpacked, blocks, unpacked
from rtf.pipeline.counting import Counted
from rtf.pipeline.grouping import complete_publications
from rtf.pipeline.packing import LeastHashes, Packing, hashes
from rtf.pipeline.rows import BAD, COUNT, FAILURE, FILE, INPUT, MATCH, TRIPLE, output_schema, rows

IDS = ["", "a", "b", "http://e.org/é", "http://e.org/ab", "http://e.org/a", "b" * 300]
KINDS = st.sampled_from([TRIPLE] * 6 + [BAD, COUNT, FILE])
ROWS = st.lists(st.tuples(KINDS, st.sampled_from(IDS), st.sampled_from([None, None, "", "g", "a"])), max_size=60)
Row = dict[str, Any]
Key = tuple[str, str | None]


def numbered(found: Iterable[tuple[int, str, str | None]]) -> list[Row]:
    """Rows of INPUT, each with its number as the object."""
    names = ("kind", "publication", "graph")
    return [
        dict(zip(names, row, strict=True)) | {"object": str(number), "subject": None, "predicate": None}
        for number, row in enumerate(found)
    ]


def cut(found: list[Row], cuts: Iterable[int]) -> list[pa.RecordBatch]:
    """The same in batches, some of which may be empty, and none of which begins where its buffers do."""
    table = pa.RecordBatch.from_pylist([*found, *found], schema=INPUT)
    edges = sorted([0, len(found), *(each for each in cuts if each < len(found))])
    return [table.slice(start, end - start) for start, end in pairwise(edges)]


def by_bucket(batches: Iterable[pa.RecordBatch], size: int = 3) -> Iterator[pa.RecordBatch]:
    """What Spark does: blocks sorted by bucket, so many of them in a batch."""
    found = sorted((row for batch in batches for row in batch.to_pylist()), key=lambda row: int(row["key"]))
    for start in range(0, len(found), size):
        yield pa.RecordBatch.from_pylist(found[start : start + size], schema=BLOCK)


def as_they_are(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """A reader of what is read already."""
    return iter(batches)


def publications(found: Iterable[pa.RecordBatch | pa.Table]) -> tuple[list[tuple[Key, set[str]]], list[Row]]:
    """Runs of rows with one publication, with the objects of each; and the rows of other kinds."""
    runs: list[tuple[Key, set[str]]] = []
    others: list[Row] = []
    for some in found:
        if isinstance(some, pa.RecordBatch):
            others += some.to_pylist()
            continue
        previous = None
        for row in some.to_pylist():
            key = (row["publication"], row["graph"])
            if key != previous:
                runs.append((key, set()))
            previous = key
            runs[-1][1].add(row["object"])
    return runs, others


def check(found: list[Row], runs: list[tuple[Key, set[str]]], others: list[Row]) -> None:
    """Each publication is one run with all of its rows, as the obvious grouping has it; other rows are as they were."""
    wanted: dict[Key, set[str]] = defaultdict(set)
    for row in found:
        if row["kind"] == TRIPLE:
            wanted[row["publication"], row["graph"]].add(row["object"])
    assert dict(runs) == wanted
    assert len(runs) == len(wanted)
    by_number = {row["object"]: row for row in found if row["kind"] != TRIPLE}
    assert {row["object"]: row for row in others} == by_number
    assert len(others) == len(by_number)


@given(ROWS, st.lists(st.integers(0, 60), max_size=6), st.integers(1, 9), st.sampled_from([1, 500, 1 << 20]))
def test_publications(found: list[tuple[int, str, str | None]], cuts: list[int], buckets: int, together: int) -> None:
    """Every publication comes out once, with all of its rows next to each other; other rows come out as they are."""
    some = numbered(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "_TOGETHER", together)
        patch.setattr(grouping, "_ENOUGH", together)
        packed = list(Packing(as_they_are, buckets)(cut(some, cuts)))
        check(some, *publications(complete_publications(by_bucket(packed))))
    keys = {key for batch in packed for key in batch.column("key").to_pylist()}
    assert keys <= set(range(buckets))


@given(ROWS, st.lists(st.integers(0, 60), max_size=6))
def test_collisions(found: list[tuple[int, str, str | None]], cuts: list[int]) -> None:
    """Publications with one hash are told apart all the same."""

    def bad(rows: pa.RecordBatch, **_: bool) -> packing.Hashes:
        return np.array([len(row["publication"]) % 3 << 61 for row in rows.to_pylist()], np.int64)

    some = numbered(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "hashes", bad)
        patch.setattr(grouping, "hashes", bad)
        packed = list(Packing(as_they_are, 4)(cut(some, cuts)))
        check(some, *publications(complete_publications(by_bucket(packed))))


@given(ROWS)
def test_hashes(found: list[tuple[int, str, str | None]]) -> None:
    """One hash a publication, whatever is beside it in a batch; no graph is not a graph with an empty name."""
    some = numbered(found)
    together = hashes(pa.RecordBatch.from_pylist(some, schema=INPUT), whole_files=False).tolist()
    alone = [hashes(pa.RecordBatch.from_pylist([row], schema=INPUT), whole_files=False)[0] for row in some]
    assert together == alone
    keys = {(row["publication"], row["graph"]) for row in some}
    assert len(set(together)) == len(keys)
    assert all(0 <= each < 1 << 63 for each in together)
    files = hashes(pa.RecordBatch.from_pylist(some, schema=INPUT), whole_files=True).tolist()
    assert len(set(files)) == len({row["publication"] for row in some})


def test_hashes_are_spread() -> None:
    """Names that hardly differ come into all buckets, about as many into each."""
    some = numbered((TRIPLE, f"http://e.org/{number}", None) for number in range(20_000))
    (packed,) = Packing(as_they_are, 20)([pa.RecordBatch.from_pylist(some, schema=INPUT)])
    assert packed.column("key").to_pylist() == list(range(20))
    assert all(850 < count < 1_150 for count in packed.column("count").to_pylist())


def test_large_publication() -> None:
    """The rows of one publication may come in many blocks, of many tasks."""
    some = numbered((TRIPLE, "one" if number % 3 else f"other{number}", None) for number in range(3_000))
    packed = [
        each
        for start in range(0, 3_000, 100)
        for each in Packing(as_they_are, 8)([pa.RecordBatch.from_pylist(some[start : start + 100], schema=INPUT)])
    ]
    check(some, *publications(complete_publications(by_bucket(packed, 7))))


def test_memory_is_flat(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket is handed on before the blocks of the next but one are looked at."""
    monkeypatch.setattr(grouping, "_ENOUGH", 1)
    some = numbered((TRIPLE, f"p{number}", None) for number in range(5_000))
    (packed,) = Packing(as_they_are, 50)([pa.RecordBatch.from_pylist(some, schema=INPUT)])
    taken = 0

    def one_by_one() -> Iterator[pa.RecordBatch]:
        nonlocal taken
        for number in range(packed.num_rows):
            taken += packed.column("count")[number].as_py()
            yield packed.slice(number, 1)

    given_, largest = 0, max(packed.column("count").to_pylist())
    for table in complete_publications(one_by_one()):
        given_ += table.num_rows
        assert taken - given_ <= largest
    assert given_ == 5_000


@given(ROWS, st.integers(1, 5), st.booleans())
def test_sample(found: list[tuple[int, str, str | None]], count: int, whole_files: bool) -> None:
    """The publications with the least hashes are chosen, complete; what readers report is kept."""
    some = numbered(found)
    batches = cut(some, [5, 10, 11])
    tasks = [LeastHashes(as_they_are, count, whole_files)([batch]) for batch in batches]
    all_least = sorted({each for task in tasks for batch in task for each in batch.column(0).to_pylist()})
    last = max(all_least[:count], default=-1)
    packed = Packing(as_they_are, 3, whole_files, last)(batches)
    kept = [row for batch in packed for _, rows in unpacked(batch, INPUT) for row in rows.to_pylist()]

    def chosen(rows: Iterable[Row]) -> set[Any]:
        parts = (row for row in rows if row["kind"] in (TRIPLE, FILE))
        return {row["publication"] if whole_files else (row["publication"], row["graph"]) for row in parts}

    assert len(chosen(kept)) == min(count, len(chosen(some)))
    wanted = [row for row in some if row["kind"] in (BAD, COUNT) or chosen([row]) <= chosen(kept)]
    assert sorted(int(row["object"]) for row in kept) == [int(row["object"]) for row in wanted]


def test_blocks() -> None:
    """What goes into a block comes out again: slices, nulls, nothing at all; also with wide offsets."""
    schema = pa.schema([("kind", pa.int8()), ("text", pa.string())])
    some = pa.record_batch([pa.array([1, 1, 1, 1], pa.int8()), pa.array(["a", None, "", "é" * 1000])], schema=schema)
    pieces = [(7, some), (7, some.slice(1, 2)), (-3, some.slice(2, 0))]
    batch = blocks(pieces)
    assert batch.column("count").to_pylist() == [4, 2, 0]
    wide = batch.set_column(3, "rows", batch.column("rows").cast(pa.large_binary()))
    for each in (batch, wide):
        assert [(key, rows.to_pylist()) for key, rows in unpacked(each, schema)] == [
            (key, rows.to_pylist()) for key, rows in pieces
        ]
    (first, *_) = Unpacked(schema, ("text",))([batch])
    assert first.to_pydict() == {"text": ["a", None, "", "é" * 1000]}


def test_counts() -> None:
    """Rows of OUTPUT are counted by kind, matches by query, and counts are summed up."""
    schema = output_schema(bindings=False, highlights=False)
    text = pa.string()
    matches = rows(schema, MATCH, 3, {"query_id": pa.array(["q", "r", "q"], text)})
    counts = rows(schema, COUNT, 2, {"publication": pa.array(["x", "y"]), "number": pa.array([4, 5], pa.int64())})
    others = [rows(schema, BAD, 2, {}), rows(schema, FAILURE, 1, {}), rows(schema, MATCH, 0, {})]
    packed = KindBlocks(as_they_are)([matches, counts, *others, counts, matches])
    found = {(row["kind"], row["name"]): row["number"] for out in Counted(schema)(packed) for row in out.to_pylist()}
    assert found == {
        (MATCH, "q"): 4,
        (MATCH, "r"): 2,
        (COUNT, "x"): 8,
        (COUNT, "y"): 10,
        (BAD, None): 2,
        (FAILURE, None): 1,
    }
