"""The arrays that the kernel writes on, and those it takes results to; they grow when it says that one is full."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rtf.compiled.folding import fold_table
from rtf.compiled.kernel.arrays import ARRAYS, COUNTS, DONE, MISSING, SERIAL, UNCLEAR
from rtf.compiled.kernel.dictionary import find_symbol
from rtf.compiled.memo import Memo
from rtf.compiled.sections import SIZES, Int32s, section
from sparql_ft.analyser import Analysis

__all__ = ["ScratchSpace", "TakenSpace"]

AnyArray: TypeAlias = npt.NDArray[Any]

_CAPACITY: Final = 4096  # of each list, to begin with
_TEXT: Final = 1 << 16  # bytes of a literal, to begin with
_MISSING: Final = 1 << 14  # bytes of new words of a publication; more are asked for in turn
_SUBJECTS: Final = 1 << 12  # in the table of a publication's subjects, to begin with; half of them can be used
_HEAD: Final = 1024  # bytes of a datatype, to begin with
_RESTAMP: Final = 2**31 - 2**28  # serial numbers are int32; past this they begin again
_TAKEN: Final = ("states", "ends", "taken_queries", "taken_pending", "taken_hits")
_FIRST_TAKEN: Final = 2 * list(ARRAYS).index(_TAKEN[0])


def _addresses(arrays: Mapping[str, AnyArray], names: Sequence[str]) -> npt.NDArray[np.int64]:
    """A table as the kernel reads it: the address and the length of each array, none where there is no such array."""
    table = np.zeros(2 * len(names), np.int64)
    for place, name in enumerate(names):
        array = arrays.get(name)
        if array is not None:
            assert array.dtype == ARRAYS[name], name
            assert array.flags.c_contiguous, name
            table[2 * place : 2 * place + 2] = array.ctypes.data, array.size
    return table


class ScratchSpace:
    """What one thread uses for one index."""

    def __init__(self, buffer: Int32s, analyses: Sequence[Analysis]) -> None:
        self.one = TakenSpace(1)  # for publications that come one by one
        self.verified: dict[int, list[float]] = {}  # query -> how often it matched, how often verified, seconds
        sizes = dict(zip(SIZES, section(buffer, "sizes").tolist(), strict=True))
        self._alternatives_at = sizes["symbols"] + 2 * sizes["tuples"] + sizes["patterns"]
        self._memo = Memo(self._find, analyses)
        self._arrays: dict[str, AnyArray] = {
            "buffer": buffer,
            "raw": buffer.view(np.uint8),
            "floats": buffer.view(np.float32),
            "folded": fold_table(),
            "stamps": np.zeros(self._alternatives_at + 3 * sizes["alternatives"], np.int32),
            "counts": np.zeros(COUNTS, np.int64),
            "leaves": np.empty(24, np.int32),
            "bits": np.zeros(sizes["queries"] // 64 + 1, np.uint64),
            "missing": np.empty(_MISSING, np.uint8),
        }
        self._sizes = {
            **dict.fromkeys(("words", "stack", "queries", "pending"), _CAPACITY),
            "hits": 3 * _CAPACITY,
            "text": _TEXT,
            "head": _HEAD,
            "subjects": 2 * _SUBJECTS,
        }
        self._make_lists()

    @property
    def counts(self) -> npt.NDArray[np.int64]:
        """What the kernel counted for the last publication, and its state."""
        return self._arrays["counts"]

    def _make_lists(self) -> None:
        """The arrays of which nobody knows how long they must be."""
        sizes = self._sizes
        # Every other byte of a text may be a word.
        derived = {"letters": sizes["text"], "word_edges": sizes["text"] + 1, "hashes": sizes["text"] // 2 + 1}
        self._arrays |= {name: np.zeros(size, ARRAYS[name]) for name, size in (sizes | derived).items()}
        self._tell()

    def _tell(self) -> None:
        """Tell the kernel where everything is."""
        records = self._memo.records
        self._arrays["memo_slots"] = self._memo.slots
        self._arrays |= {"memo_records": records, "memo_octets": records.view(np.uint8)}
        self.table = _addresses(self._arrays, list(ARRAYS))

    def _find(self, kind: int, data: bytes) -> int:
        return int(find_symbol(self.table, kind, np.frombuffer(data or b"\0", np.uint8), len(data)))

    def learn(self) -> None:
        """Look up the words that were missing."""
        self._memo.learn(self._arrays["missing"][: self.counts[MISSING]])
        self._tell()

    @property
    def tallies(self) -> Int32s:
        """What the kernel counted: for each alternative, how often it was candidate, and how often it matched."""
        counted: Int32s = self._arrays["stamps"][self._alternatives_at :].reshape(-1, 3)[:, 1:]
        return counted

    def count(self, query: int, seconds: float, *, holds: bool) -> None:
        """A query was verified: whether it matched, and how long it took."""
        rows = self.verified.setdefault(query, [0, 0, 0.0])
        rows[0] += holds
        rows[1] += 1
        rows[2] += seconds

    def grow(self) -> None:
        """Make room for longer lists."""
        self._sizes = {name: 4 * size for name, size in self._sizes.items()}
        self._make_lists()

    def refresh(self) -> None:
        """Begin with serial numbers anew before they are too large."""
        if self.counts[SERIAL] > _RESTAMP:
            stamps = self._arrays["stamps"]
            self._arrays["subjects"][:] = 0
            stamps[: self._alternatives_at] = 0
            stamps[self._alternatives_at :: 3] = 0
            self.counts[SERIAL] = 0

    def take_to(self, taken: TakenSpace) -> None:
        """Where the kernel is to take what it finds."""
        self.table[_FIRST_TAKEN : _FIRST_TAKEN + 2 * len(_TAKEN)] = taken.addresses


class TakenSpace:
    """What the kernel found for the publications of one batch."""

    def __init__(self, publications: int) -> None:
        self._states = np.zeros(publications, np.uint8)
        self._ends = np.zeros((3, publications + 1), np.int64)
        self._queries = np.empty(max(_CAPACITY, 8 * publications), np.int32)
        self._pending = np.empty(_CAPACITY, np.int32)
        self._hits = np.empty(3 * _CAPACITY, np.int32)
        self._tell()

    def _tell(self) -> None:
        arrays = (self._states, self._ends.reshape(-1), self._queries, self._pending, self._hits)
        self.addresses = _addresses(dict(zip(_TAKEN, arrays, strict=True)), _TAKEN)

    def grow(self, done: int) -> None:
        """Make room for more; what was taken from the first `done` publications stays."""
        self._queries, self._pending, self._hits = (
            np.concatenate([old[: ends[done]], np.empty(2 * len(old) - int(ends[done]), np.int32)])
            for old, ends in zip((self._queries, self._pending, self._hits), self._ends, strict=True)
        )
        self._tell()

    def first(self, count: int) -> Int32s:
        """The first so many matching queries."""
        return self._queries[:count].copy()

    def matches(self) -> tuple[npt.NDArray[np.int64], Int32s]:
        """Pairs of publication and query."""
        ends = self._ends[0]
        return np.repeat(np.arange(len(ends) - 1), np.diff(ends)), self._queries[: ends[-1]].copy()

    def unfinished(self) -> Iterator[int]:
        """The publications of which not all is known."""
        left = (self._states != DONE) | (np.diff(self._ends[1]) > 0)
        return iter(np.flatnonzero(left).tolist())

    def is_unclear(self, publication: int) -> bool:
        """Whether the kernel could not read it."""
        return bool(self._states[publication] == UNCLEAR)

    def of(self, publication: int) -> tuple[list[int], list[int], Int32s]:
        """The queries that match, the records that are pending, and the hits."""
        queries, pending, hits = (
            each[slice(*ends[publication : publication + 2])]
            for each, ends in zip((self._queries, self._pending, self._hits), self._ends, strict=True)
        )
        return queries.tolist(), pending.tolist(), hits
