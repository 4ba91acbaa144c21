"""The stored tuples: each distinct one once, with a number, and how many alternatives use it."""

from __future__ import annotations

from collections.abc import Iterator

from rtf.index.tuples import IndexTuple

__all__ = ["TupleTable"]


class TupleTable:
    """Numbers for tuples. A number that nothing uses any more is given out again."""

    def __init__(self) -> None:
        self._numbers: dict[IndexTuple, int] = {}
        self._tuples: list[IndexTuple | None] = []
        self._uses: list[int] = []
        self._free: list[int] = []

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number: int) -> IndexTuple:
        each = self._tuples[number]
        if each is None:
            raise KeyError(number)
        return each

    def __iter__(self) -> Iterator[tuple[int, IndexTuple]]:
        return ((number, each) for each, number in self._numbers.items())

    def add(self, each: IndexTuple) -> tuple[int, bool]:
        """The number of a tuple, and whether it is new."""
        number = self._numbers.get(each)
        if number is not None:
            self._uses[number] += 1
            return number, False
        if self._free:
            number = self._free.pop()
            self._tuples[number], self._uses[number] = each, 1
        else:
            number = len(self._tuples)
            self._tuples.append(each)
            self._uses.append(1)
        self._numbers[each] = number
        return number, True

    def discard(self, number: int) -> IndexTuple | None:
        """One use less; the tuple if that was the last one."""
        self._uses[number] -= 1
        if self._uses[number]:
            return None
        each = self[number]
        del self._numbers[each]
        self._tuples[number] = None
        self._free.append(number)
        return each
