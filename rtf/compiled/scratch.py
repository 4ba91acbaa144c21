"""The arrays that the kernel writes on, and those it takes results to; they grow when it says that one is full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from rtf.compiled.kernel import COUNTS, DONE, LONGEST_WORD, MISSING, SERIAL, UNCLEAR, Index, Scratch, Taken
from rtf.compiled.memo import Memo
from rtf.compiled.rows import read_only
from rtf.compiled.sections import SIZES, Int32s, section
from sparql_ft.analyser import Analysis

__all__ = ["ScratchSpace", "TakenSpace"]

_CAPACITY: Final = 4096  # of each list, to begin with
_TEXT: Final = 1 << 16  # bytes of a literal with escapes, to begin with
_MISSING: Final = 1 << 14  # bytes of new words of a publication; more are asked for in turn
_SUBJECTS: Final = 1 << 12  # in the table of a publication's subjects, to begin with; half of them can be used
_HEAD: Final = 1024  # bytes of a datatype, to begin with
_RESTAMP: Final = 2**31 - 2**28  # serial numbers are int32; past this they begin again


class ScratchSpace:
    """What one thread uses for one index."""

    def __init__(self, index: Index, analyses: Sequence[Analysis]) -> None:
        buffer = index.buffer
        self._memo = Memo(index, analyses)
        self.one = TakenSpace(1)  # for publications that come one by one
        self.verified: dict[int, list[float]] = {}  # query -> how often it matched, how often verified, seconds
        sizes = dict(zip(SIZES, section(buffer, "sizes").tolist(), strict=True))
        self._alternatives_at = sizes["symbols"] + 2 * sizes["tuples"] + sizes["patterns"]
        self.scratch = Scratch(
            stamps=np.zeros(self._alternatives_at + 3 * sizes["alternatives"], np.int32),
            counts=np.zeros(COUNTS, np.int64),
            words=np.empty(_CAPACITY, np.int32),
            stack=np.empty(_CAPACITY, np.int32),
            leaves=np.empty(24, np.int32),
            hits=np.empty(3 * _CAPACITY, np.int32),
            queries=np.empty(_CAPACITY, np.int32),
            pending=np.empty(_CAPACITY, np.int32),
            bits=np.zeros(sizes["queries"] // 64 + 1, np.uint64),
            token=np.empty(LONGEST_WORD, np.uint8),
            text=(text := np.empty(_TEXT, np.uint8)),
            unescaped=read_only(text),
            head=np.empty(_HEAD, np.uint8),
            memo_slots=self._memo.slots,
            memo_records=self._memo.records,
            missing=np.empty(_MISSING, np.uint8),
            subjects=np.zeros(2 * _SUBJECTS, np.int64),
        )

    def learn(self) -> None:
        """Look up the words that were missing."""
        self._memo.learn(self.scratch.missing[: self.scratch.counts[MISSING]])
        self.scratch = self.scratch._replace(memo_slots=self._memo.slots, memo_records=self._memo.records)

    @property
    def tallies(self) -> Int32s:
        """What the kernel counted: for each alternative, how often it was candidate, and how often it matched."""
        counted: Int32s = self.scratch.stamps[self._alternatives_at :].reshape(-1, 3)[:, 1:]
        return counted

    def count(self, query: int, seconds: float, *, holds: bool) -> None:
        """A query was verified: whether it matched, and how long it took."""
        rows = self.verified.setdefault(query, [0, 0, 0.0])
        rows[0] += holds
        rows[1] += 1
        rows[2] += seconds

    def grow(self) -> None:
        """Make room for longer lists."""
        lists = ("words", "stack", "hits", "queries", "pending", "text", "head", "subjects")
        old = self.scratch._asdict()
        new = {name: np.zeros(4 * len(old[name]), old[name].dtype) for name in lists}
        self.scratch = self.scratch._replace(**new, unescaped=read_only(new["text"]))

    def refresh(self) -> None:
        """Begin with serial numbers anew before they are too large."""
        if self.scratch.counts[SERIAL] > _RESTAMP:
            self.scratch.subjects[:] = 0
            self.scratch.stamps[: self._alternatives_at] = 0
            self.scratch.stamps[self._alternatives_at :: 3] = 0
            self.scratch.counts[SERIAL] = 0


class TakenSpace:
    """What the kernel found for the publications of one batch."""

    def __init__(self, publications: int) -> None:
        self.taken = Taken(
            states=np.zeros(publications, np.uint8),
            ends=np.zeros((3, publications + 1), np.int64),
            queries=np.empty(max(_CAPACITY, 8 * publications), np.int32),
            pending=np.empty(_CAPACITY, np.int32),
            hits=np.empty(3 * _CAPACITY, np.int32),
        )

    def grow(self, done: int) -> None:
        """Make room for more; what was taken from the first `done` publications stays."""
        old = self.taken._asdict()
        more = {}
        for name, ends in zip(("queries", "pending", "hits"), self.taken.ends, strict=True):
            used = int(ends[done])
            more[name] = np.empty(2 * len(old[name]), np.int32)
            more[name][:used] = old[name][:used]
        self.taken = self.taken._replace(**more)

    def first(self) -> Int32s:
        """The queries that match the first publication."""
        found: Int32s = self.taken.queries[: self.taken.ends[0, 1]].copy()
        return found

    def matches(self) -> tuple[npt.NDArray[np.int64], Int32s]:
        """Pairs of publication and query."""
        ends = self.taken.ends[0]
        return np.repeat(np.arange(len(ends) - 1), np.diff(ends)), self.taken.queries[: ends[-1]].copy()

    def unfinished(self) -> Iterator[int]:
        """The publications of which not all is known."""
        left = (self.taken.states != DONE) | (np.diff(self.taken.ends[1]) > 0)
        return iter(np.flatnonzero(left).tolist())

    def is_unclear(self, publication: int) -> bool:
        """Whether the kernel could not read it."""
        return bool(self.taken.states[publication] == UNCLEAR)

    def of(self, publication: int) -> tuple[list[int], list[int], Int32s]:
        """The queries that match, the records that are pending, and the hits."""
        queries, pending, hits = (
            each[slice(*ends[publication : publication + 2])]
            for each, ends in zip(
                (self.taken.queries, self.taken.pending, self.taken.hits), self.taken.ends, strict=True
            )
        )
        return queries.tolist(), pending.tolist(), hits
