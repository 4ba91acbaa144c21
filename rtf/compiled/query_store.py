"""The queries of a frozen segment as flat arrays, so that a file with a million of them is open at once.

Ids and texts are bytes and where each begins; owners and sets of tags are few, and numbered. An id is found by a hash
table like that of the dictionary.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rtf.compiled.kernel import FIRST_STRING, find_string, string_table
from rtf.registered_query import RegisteredQuery

__all__ = ["ARRAYS", "QueryStore"]

ARRAYS = {
    "id_bytes": np.uint8,
    "id_starts": np.int64,
    "id_slots": np.int32,
    "id_hashes": np.int32,
    "text_bytes": np.uint8,
    "text_starts": np.int64,
    "people": np.int32,  # for each query, which of `labels` it has
    "places": np.int64,
    "labels": np.uint8,  # JSON: pairs of owner and tags
}


class QueryStore:
    """Queries by number, in order of registration."""

    def __init__(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.arrays = arrays

    @staticmethod
    def of(queries: Sequence[RegisteredQuery]) -> QueryStore:
        """A store of these queries."""
        ids, id_starts = _strings(query.id for query in queries)
        texts, text_starts = _strings(query.text for query in queries)
        labels: dict[tuple[str | None, frozenset[str]], int] = {}
        people = [labels.setdefault((query.owner, query.tags), len(labels)) for query in queries]
        slots = np.zeros(1 << max(2 * len(queries) + 1, 1).bit_length(), np.int32)
        hashes = np.zeros(len(slots), np.int32)
        string_table(ids, id_starts, slots, hashes)
        return QueryStore(
            {
                "id_bytes": ids,
                "id_starts": id_starts,
                "id_slots": slots,
                "id_hashes": hashes,
                "text_bytes": texts,
                "text_starts": text_starts,
                "people": np.array(people, np.int32),
                "places": np.array([query.place for query in queries], np.int64),
                "labels": _bytes(json.dumps([[owner, sorted(tags)] for owner, tags in labels]).encode()),
            }
        )

    def __len__(self) -> int:
        return len(self.arrays["people"])

    def __getitem__(self, number: int) -> RegisteredQuery:
        owner, tags = self._labels[self.arrays["people"][number]]
        place = int(self.arrays["places"][number])
        return RegisteredQuery(self._string("id", number), self.text(number), owner, tags, place)

    def __iter__(self) -> Iterator[RegisteredQuery]:
        return (self[number] for number in range(len(self)))

    def number(self, id: str) -> int | None:
        """The number of the query with this id."""
        symbol: int = find_string(
            _bytes(id.encode(errors="surrogatepass")),
            self.arrays["id_bytes"],
            self.arrays["id_starts"],
            self.arrays["id_slots"],
            self.arrays["id_hashes"],
        )
        return symbol - FIRST_STRING if symbol >= FIRST_STRING else None

    def ids(self, numbers: list[int]) -> list[str]:
        """The ids of queries."""
        found: list[str] = self._ids[numbers].tolist()
        return found

    def text(self, number: int) -> str:
        """The text of a query."""
        return self._string("text", number)

    def with_tags(self, tags: frozenset[str]) -> npt.NDArray[np.uint8]:
        """For each query, whether it has one of these tags."""
        has = np.array([not tags.isdisjoint(each) for _, each in self._labels] or [False], np.uint8)
        chosen: npt.NDArray[np.uint8] = has[self.arrays["people"]]
        return chosen

    def _string(self, kind: str, number: int) -> str:
        start, end = self.arrays[f"{kind}_starts"][number : number + 2]
        return self.arrays[f"{kind}_bytes"][start:end].tobytes().decode(errors="surrogatepass")

    @cached_property
    def _ids(self) -> npt.NDArray[np.object_]:
        """All ids as strings, made when matches are first named: a fifth of a second for a million."""
        names = np.empty(len(self), dtype=object)
        names[:] = [self._string("id", number) for number in range(len(self))]
        return names

    @cached_property
    def _labels(self) -> list[tuple[str | None, frozenset[str]]]:
        return [(owner, frozenset(tags)) for owner, tags in json.loads(self.arrays["labels"].tobytes())]


def _bytes(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def _strings(texts: Iterable[str]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    encoded = [text.encode(errors="surrogatepass") for text in texts]
    starts = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(each) for each in encoded], out=starts[1:])
    return _bytes(b"".join(encoded)), starts
