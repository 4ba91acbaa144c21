"""The inverted index in plain Python: a hash table of attributes, and in each bucket the list of what begins there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ibroker_baseline.arrival import Arrival
from ibroker_baseline.entries import Chain, Entry, readings
from sparql_ft.analyser import Analysis

__all__ = ["PlainIndex"]


class PlainIndex:
    """Chains that can be added and removed at any time.

    A bucket lists the first entries of chains; the others are reached by NextToMatch alone, so listing them too would
    only take memory and time.
    """

    def __init__(self) -> None:
        self._buckets: dict[str, dict[Entry, None]] = {}  # attribute -> entries
        self._always: dict[Chain, None] = {}  # chains without an entry
        self._readings: Counter[Analysis] = Counter()

    @property
    def readings(self) -> AbstractSet[Analysis]:
        """The ways in which entries read a text."""
        return self._readings.keys()

    def add(self, chain: Chain) -> None:
        """Store a chain."""
        self._readings.update(readings(chain))
        if chain.head is None:
            self._always[chain] = None
        else:
            self._buckets.setdefault(chain.head.attribute, {})[chain.head] = None

    def remove(self, chain: Chain) -> None:
        """Forget a chain."""
        for analysis in readings(chain):
            self._readings[analysis] -= 1
            if not self._readings[analysis]:
                del self._readings[analysis]
        if chain.head is None:
            del self._always[chain]
            return
        bucket = self._buckets[chain.head.attribute]
        del bucket[chain.head]
        if not bucket:
            del self._buckets[chain.head.attribute]

    def candidates(self, arrival: Arrival) -> Iterator[Chain]:
        """The chains to be followed: those that begin with an attribute of the publication and what it has there."""
        yield from self._always
        for attribute, arrived in arrival.arrived.items():
            yield from arrived.beginning(self._buckets.get(attribute, ()))
