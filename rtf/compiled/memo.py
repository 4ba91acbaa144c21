"""What a word of a text is in the readings that the kernel cannot make itself: remembered, because words come again.

An analysis changes words one by one, so what the kernel needs to know of a word is which symbols it has in the other
readings (stems, without diacritics, in its own case). It asks for a word that it has not seen; the analyser answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from rtf.compiled.encoding import dictionary_string, word_key
from rtf.compiled.kernel.texts import remember
from rtf.compiled.sections import UNKNOWN, Int32s
from sparql_ft.analyser import Analysis, analyse

__all__ = ["Memo"]

_SLOTS: Final = 1 << 12  # to begin with
_MOST: Final = 1 << 21  # words; then all is forgotten, as the vocabulary of a dump has a long tail


class Memo:
    """The words seen so far by one thread. `slots` is empty where the default reading is the only one."""

    def __init__(self, find: Callable[[int, bytes], int], analyses: Sequence[Analysis]) -> None:
        self._find = find  # the symbol of a string of some kind
        self._readings = list(enumerate(analyses))[1:]
        self._forget()

    def _forget(self) -> None:
        self.slots: Int32s = np.zeros(2 * _SLOTS if self._readings else 0, np.int32)
        self.records: Int32s = np.zeros(16 * _SLOTS if self._readings else 0, np.int32)
        self._used = 1  # of records; place 0 is none
        self._places: list[int] = []

    def learn(self, missing: npt.NDArray[np.uint8]) -> None:
        """Look up words; each is its length in two bytes, and the word."""
        position = 0
        if len(self._places) > _MOST:
            self._forget()
        while position < len(missing):
            length = int(missing[position]) + 256 * int(missing[position + 1])
            self._add(missing[position + 2 : position + 2 + length].tobytes())
            position += 2 + length

    def _add(self, word: bytes) -> None:
        text = word.decode()
        symbols = []
        for number, analysis in self._readings:
            for form in analyse(text, analysis):  # one
                kind, data = dictionary_string(word_key(number, form))
                symbol = self._find(kind, data)
                if symbol != UNKNOWN:
                    symbols.append(symbol)
        padded = word + bytes(-len(word) % 4)
        record = np.concatenate(
            [np.array([len(word), len(symbols), *symbols], np.int32), np.frombuffer(padded, np.int32)]
        )
        while self._used + len(record) > len(self.records):
            self.records = np.concatenate([self.records, np.zeros(len(self.records), np.int32)])
        self.records[self._used : self._used + len(record)] = record
        self._places.append(self._used)
        self._used += len(record)
        if 4 * len(self._places) > len(self.slots):
            self.slots = np.zeros(2 * len(self.slots), np.int32)
            remember(self.slots, self.records, self.records.view(np.uint8), np.array(self._places))
        else:
            remember(self.slots, self.records, self.records.view(np.uint8), np.array(self._places[-1:]))
