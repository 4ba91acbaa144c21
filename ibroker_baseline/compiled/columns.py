"""Chains -> flat arrays: the lists of all buckets behind each other, what begins there first in each."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ibroker_baseline.compiled.kernel import BUCKET, CHAIN, ENTRY, NEXT, WORDS
from ibroker_baseline.entries import ANY, Chain, Entry, EntryWord
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.extraction.cover import Word

__all__ = ["Arrays", "Columns", "Int32s"]

Int32s = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Arrays:
    """What the kernel reads; `Columns` says what the numbers are."""

    entries: Int32s  # a row each, sorted by bucket, those that begin a chain first
    words: Int32s  # for each entry its sets of words: length, words, length, words, …
    heads: Int32s  # for each bucket, where its entries begin that begin a chain, and where these end
    chains: Int32s  # a row each: query, its place among the chains of the query, whether it must be checked outside
    always: Int32s  # chains without entries


class Columns:
    """Numbers for attributes, terms and words, and the entries as rows of them. 0 stands for "any" among terms."""

    def __init__(self) -> None:
        self.buckets: dict[str, int] = {ANY: 0}  # attribute -> bucket
        self.terms: dict[str, int] = {}
        self.words: dict[EntryWord, int] = {}
        self.searched: set[int] = set()  # buckets with words
        self.readings: dict[Analysis, None] = {}
        self._entries = array("i")
        self._words = array("i")
        self._lengths = array("i")  # for each entry, how much of `_words` is its own
        self._chains = array("i")
        self._first = array("b")  # for each entry, whether it begins a chain

    def add(self, query: int, place: int, chain: Chain) -> None:
        """Add a chain: that of this number of the query of that number."""
        number = len(self._chains) // 3
        is_decided = chain.is_star and chain.is_enough and not chain.in_graph
        for entry in chain:
            self._first.append(entry is chain.head)
            is_last = entry.next_to_match is None
            self._add_entry(entry, number, shares=chain.is_star and bool(entry.variables), is_last=is_last)
            is_decided = is_decided and entry.text is None and not entry.conditions
        self._chains.extend((query, place, not is_decided))

    def arrays(self) -> Arrays:
        """All of it, laid out."""
        entries = np.array(self._entries, np.int32).reshape(-1, ENTRY)
        first = np.array(self._first, bool)
        order = np.lexsort((np.arange(len(entries)), ~first, entries[:, BUCKET]))
        places = np.empty(len(entries) + 1, np.int32)
        places[order] = np.arange(len(entries))
        places[-1] = -1  # where NEXT is -1
        rows = entries[order]
        rows[:, NEXT] = places[rows[:, NEXT]]
        bucket_numbers = np.arange(len(self.buckets))
        begins = np.searchsorted(rows[:, BUCKET], bucket_numbers)
        counts = np.bincount(rows[:, BUCKET][first[order]], minlength=len(self.buckets))
        chains = np.array(self._chains, np.int32).reshape(-1, 3)
        has_entries = np.zeros(len(chains), bool)
        has_entries[rows[:, CHAIN]] = True
        return Arrays(
            rows,
            self._words_in(rows, np.array(self._lengths, np.int32)[order]),
            np.column_stack([begins, begins + counts]).astype(np.int32),
            chains,
            np.flatnonzero(~has_entries).astype(np.int32),
        )

    def _add_entry(self, entry: Entry, chain: int, *, shares: bool, is_last: bool) -> None:
        bucket = self.buckets.setdefault(entry.attribute, len(self.buckets))
        if entry.words:
            self.searched.add(bucket)
        start = len(self._words)
        for words in entry.words:
            self._words.append(len(words))
            self._words.extend(sorted(self._word(word) for word in words))
        self._lengths.append(len(self._words) - start)
        number = len(self._entries) // ENTRY
        self._entries.extend(
            (
                bucket,
                self._term(entry.subject),
                self._term(entry.value),
                start,
                len(entry.words),
                shares,
                -1 if is_last else number + 1,
                chain,
            )
        )

    def _term(self, term: str | None) -> int:
        return 0 if term is None else self.terms.setdefault(term, len(self.terms) + 1)

    def _word(self, word: EntryWord) -> int:
        self.readings[word.analysis if isinstance(word, Word) else DEFAULT] = None
        return self.words.setdefault(word, len(self.words))

    def _words_in(self, rows: Int32s, lengths: Int32s) -> Int32s:
        """The words in the order of the rows, which are told where theirs begin, so that a scan reads both in order."""
        starts = np.cumsum(lengths) - lengths
        within = np.arange(int(lengths.sum())) - np.repeat(starts, lengths)
        found: Int32s = np.array(self._words, np.int32)[np.repeat(rows[:, WORDS], lengths) + within]
        rows[:, WORDS] = starts
        return found
