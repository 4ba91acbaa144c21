"""IBROKER as section 3.3 of the RTF paper has it to the letter, to show what our kinder reading saves it.

A bucket lists the entries of all its queries, not only of those that begin there; every triple is compared with every
one of them; and NextToMatch leads to a bucket, in which the entry of the query has still to be found.
"""

from __future__ import annotations

from collections.abc import Iterator

from ibroker_baseline.arrival import Arrival
from ibroker_baseline.entries import Chain, Entry
from ibroker_baseline.plain import PlainIndex

__all__ = ["LiteralIndex"]


class LiteralIndex(PlainIndex):
    """The same inverted index with longer lists, scanned more often."""

    def __init__(self) -> None:
        super().__init__()
        self._lists: dict[str, dict[Entry, None]] = {}  # attribute -> entries, whether they begin a chain or not

    def add(self, chain: Chain) -> None:
        """Store a chain."""
        super().add(chain)
        for entry in chain:
            self._lists.setdefault(entry.attribute, {})[entry] = None

    def remove(self, chain: Chain) -> None:
        """Forget a chain."""
        super().remove(chain)
        for entry in chain:
            bucket = self._lists[entry.attribute]
            del bucket[entry]
            if not bucket:
                del self._lists[entry.attribute]

    def candidates(self, arrival: Arrival) -> Iterator[Chain]:
        """The chains whose entries all have their value or words in the publication, each on its own."""
        yield from self._always
        found: dict[Chain, None] = {}
        for attribute, arrived in arrival.arrived.items():
            for triple in arrived.triples:
                for entry in self._lists.get(attribute, ()):
                    if entry is entry.chain.head and arrival.is_as(entry, triple) and self._follows(entry, arrival):
                        found[entry.chain] = None
        yield from found

    def _follows(self, entry: Entry, arrival: Arrival) -> bool:
        """Whether the bucket of each further entry has arrived with what that entry wants."""
        while entry.next_to_match is not None:
            after = self._in_bucket(entry.next_to_match)
            arrived = arrival.arrived.get(after.attribute)
            if arrived is None or not any(arrival.is_as(after, triple) for triple in arrived.triples):
                return False
            entry = after
        return True

    def _in_bucket(self, wanted: Entry) -> Entry:
        """The entry of a query in the bucket that NextToMatch names: found by looking through its list."""
        for entry in self._lists[wanted.attribute]:
            if entry is wanted:
                return entry
        raise AssertionError("every entry stands in the list of its attribute")
