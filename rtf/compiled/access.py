"""Which tuple of each alternative is looked at first: `rtf.index.selectivity` for all tuples at once, as columns.

The estimate is the same, and a test holds that.
"""

from __future__ import annotations

from array import array
from typing import Final

import numpy as np
import numpy.typing as npt

from rtf.compiled.columns import Columns
from rtf.compiled.sections import ANY, Int32s
from rtf.index.selectivity import PRIOR, Kind, Part, Sample

__all__ = ["access_places", "expected"]

Floats = npt.NDArray[np.float64]
Int64s = npt.NDArray[np.int64]

_KINDS: Final = tuple(Kind)
_SUBJECT, _PREDICATE, _OBJECT, _WORD = map(_KINDS.index, (Kind.SUBJECT, Kind.PREDICATE, Kind.OBJECT, Kind.WORD))


def access_places(columns: Columns, sample: Sample) -> Int32s:
    """For each alternative, where among all tuples its access tuple stands; -1 if it has none.

    The access tuple of a star is one that shares the subject, which tells where to look.
    """
    starts = np.array(columns.tuple_starts)
    numbers = np.array(columns.tuple_numbers)
    sampled, guessed = (each[numbers] for each in expected(columns, sample))
    alternatives = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((np.arange(len(numbers)), guessed, sampled, -np.array(columns.same_subject), alternatives))
    places = np.full(len(starts) - 1, -1, np.int32)
    some = np.diff(starts) > 0
    places[some] = order[starts[:-1][some]]
    return places


def expected(columns: Columns, sample: Sample) -> tuple[Floats, Floats]:
    """How often each tuple may match: by the sample, and by the queries."""
    parts = _Parts(columns)
    uses = np.bincount(np.array(columns.tuple_numbers), minlength=len(columns.tuples))
    distinct, number = np.unique(
        np.column_stack([parts.kinds, parts.predicates, parts.symbols]), axis=0, return_inverse=True
    )
    number = number.reshape(-1)
    in_queries = np.bincount(number, weights=uses[parts.tuples], minlength=len(distinct))
    guesses: Floats = np.array([PRIOR[kind] for kind in _KINDS])[distinct[:, 0]] * (1 + in_queries)
    guessed = parts.estimates(guesses[number], len(columns.tuples))
    if not sample:
        return np.zeros(len(guessed), np.float64), guessed
    keys = [None, None, None, *(key[2:] if key[0] == "W" else key for key in columns.strings)]
    counts: Floats = np.fromiter(
        (
            sample[Part(_KINDS[kind], keys[predicate], str(keys[symbol]))]
            for kind, predicate, symbol in distinct.tolist()
        ),
        np.float64,
        len(distinct),
    )
    return parts.estimates(counts[number], len(columns.tuples)), guessed


class _Parts:
    """What tuples ask for, an entry each: the tuple, the set of words it belongs to (-1: structure), and what it is."""

    def __init__(self, columns: Columns) -> None:
        tuples, sets, kinds, predicates, symbols = (array("q") for _ in range(5))
        n_sets = 0
        for (subject, predicate, object_, paths, _), number in columns.tuples.items():
            under = 0 if predicate == ANY else predicate
            for symbol, kind, below in ((subject, _SUBJECT, 0), (predicate, _PREDICATE, 0), (object_, _OBJECT, under)):
                if symbol != ANY:
                    tuples.append(number)
                    sets.append(-1)
                    kinds.append(kind)
                    predicates.append(below)
                    symbols.append(symbol)
            if () not in paths:
                for path in paths:
                    n = len(path)
                    tuples.extend([number] * n)
                    sets.extend([n_sets] * n)
                    kinds.extend([_WORD] * n)
                    predicates.extend([under] * n)
                    symbols.extend(path)
                    n_sets += 1
        self.tuples, self._sets, self.kinds, self.predicates, self.symbols = (
            np.array(each, np.int64) for each in (tuples, sets, kinds, predicates, symbols)
        )
        self._n_sets = n_sets

    def estimates(self, frequencies: Floats, n_tuples: int) -> Floats:
        """At most as often as its rarest part; of several sets of words one must be there, so theirs add up."""
        is_word = self._sets >= 0
        least = np.full(n_tuples, np.inf)
        np.minimum.at(least, self.tuples[~is_word], frequencies[~is_word])
        of_sets = np.full(self._n_sets, np.inf)
        np.minimum.at(of_sets, self._sets[is_word], frequencies[is_word])
        owner = np.zeros(self._n_sets, np.int64)
        owner[self._sets[is_word]] = self.tuples[is_word]
        words = np.bincount(owner, weights=of_sets, minlength=n_tuples)
        has_words = np.bincount(owner, minlength=n_tuples) > 0
        return np.where(has_words, np.minimum(least, words), least)
