"""The queries of a frozen segment as flat arrays, so that a file with a million of them is open at once.

Ids are bytes and where each begins, and are found by their hashes, which are sorted. Texts are long and much alike, so
they are compressed, some dozens together. Owners and sets of tags are few, and numbered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rtf.compiled.kernel.octets import hash_strings
from rtf.registered_query import RegisteredQuery

__all__ = ["ARRAYS", "QueryStore"]

ARRAYS: Final = {
    "id_bytes": np.uint8,
    "id_starts": np.int64,
    "id_hashes": np.uint64,  # sorted
    "id_numbers": np.int32,  # beside each hash, the query it belongs to
    "text_bytes": np.uint8,  # blocks of BLOCK texts with a zero behind each, compressed
    "text_starts": np.int64,  # of each block
    "text_sizes": np.int64,  # of each block before it was compressed
    "people": np.int32,  # for each query, which of `labels` it has
    "places": np.int32,
    "labels": np.uint8,  # JSON: pairs of owner and tags
}
BLOCK: Final = 64
_CODEC: Final = pa.Codec("zstd", 9)


class QueryStore:
    """Queries by number, in order of registration."""

    def __init__(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        self.arrays = arrays
        self._named = 0
        self._block = lru_cache(16)(self._read_block)

    @staticmethod
    def of(queries: Sequence[RegisteredQuery]) -> QueryStore:
        """A store of these queries."""
        ids, id_starts = _strings(_encoded(query.id) for query in queries)
        hashes = _hashes(ids, id_starts)
        order = np.argsort(hashes, kind="stable")
        blocks = [
            b"".join(_encoded(query.text).replace(b"\0", _NO_TEXT) + b"\0" for query in block)
            for block in _blocks(queries)
        ]
        texts, text_starts = _strings(_CODEC.compress(block, asbytes=True) for block in blocks)
        labels: dict[tuple[str | None, frozenset[str]], int] = {}
        people = [labels.setdefault((query.owner, query.tags), len(labels)) for query in queries]
        return QueryStore(
            {
                "id_bytes": ids,
                "id_starts": id_starts,
                "id_hashes": hashes[order],
                "id_numbers": order.astype(np.int32),
                "text_bytes": texts,
                "text_starts": text_starts,
                "text_sizes": np.array([len(block) for block in blocks], np.int64),
                "people": np.array(people, np.int32),
                "places": np.array([query.place for query in queries], np.int32),
                "labels": _bytes(json.dumps([[owner, sorted(tags)] for owner, tags in labels]).encode()),
            }
        )

    def __len__(self) -> int:
        return len(self.arrays["people"])

    def __getitem__(self, number: int) -> RegisteredQuery:
        owner, tags = self._labels[self.arrays["people"][number]]
        return RegisteredQuery(self.id(number), self.text(number), owner, tags, int(self.arrays["places"][number]))

    def __iter__(self) -> Iterator[RegisteredQuery]:
        return (self[number] for number in range(len(self)))

    def number(self, id: str) -> int | None:
        """The number of the query with this id."""
        data, starts = _strings([_encoded(id)])
        wanted = _hashes(data, starts)[0]
        first = np.searchsorted(self.arrays["id_hashes"], wanted)
        for place in range(int(first), len(self)):
            if self.arrays["id_hashes"][place] != wanted:
                break
            number = int(self.arrays["id_numbers"][place])
            if self.id(number) == id:
                return number
        return None

    def id(self, number: int) -> str:
        """The id of a query."""
        start, end = self.arrays["id_starts"][number : number + 2]
        return self.arrays["id_bytes"][start:end].tobytes().decode(errors="surrogatepass")

    def ids(self, numbers: npt.NDArray[np.int32]) -> list[str]:
        """The ids of queries."""
        self._named += len(numbers)
        if 8 * self._named < len(self):  # a few names are not worth a list of all
            return [self.id(number) for number in numbers.tolist()]
        found: list[str] = self._ids.take(numbers).tolist()
        return found

    @cached_property
    def id_column(self) -> pa.Array:
        """All ids as an Arrow array over the same memory."""
        starts, data = pa.py_buffer(self.arrays["id_starts"]), pa.py_buffer(self.arrays["id_bytes"])
        return pa.LargeStringArray.from_buffers(len(self), starts, data)

    def owner(self, number: int) -> str | None:
        """The owner of a query."""
        return self._labels[int(self.arrays["people"][number])][0]

    def text(self, number: int) -> str:
        """The text of a query."""
        return self._block(number // BLOCK)[number % BLOCK]

    def with_tags(self, tags: frozenset[str]) -> npt.NDArray[np.uint8]:
        """For each query, whether it has one of these tags."""
        has = np.array([not tags.isdisjoint(each) for _, each in self._labels] or [False], np.uint8)
        chosen: npt.NDArray[np.uint8] = has[self.arrays["people"]]
        return chosen

    def bytes(self) -> dict[str, int]:
        """How large it is, by part."""
        sizes = {"ids": 0, "texts": 0}
        for name, array in self.arrays.items():
            sizes["texts" if name.startswith("text") else "ids"] += array.nbytes
        return sizes

    def _read_block(self, number: int) -> list[str]:
        start, end = self.arrays["text_starts"][number : number + 2]
        data = self.arrays["text_bytes"][start:end]
        block = _CODEC.decompress(pa.py_buffer(data), int(self.arrays["text_sizes"][number]), asbytes=True)
        return [text.replace(_NO_TEXT, b"\0").decode(errors="surrogatepass") for text in block.split(b"\0")]

    @cached_property
    def _ids(self) -> npt.NDArray[np.object_]:
        """All ids as strings, made when many matches are first named: a fifth of a second for a million."""
        names = np.empty(len(self), dtype=object)
        names[:] = [self.id(number) for number in range(len(self))]
        return names

    @cached_property
    def _labels(self) -> list[tuple[str | None, frozenset[str]]]:
        return [(owner, frozenset(tags)) for owner, tags in json.loads(self.arrays["labels"].tobytes())]


_NO_TEXT: Final = b"\xff\xfe"  # stands for a zero: no UTF-8 has it


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _blocks(queries: Sequence[RegisteredQuery]) -> Iterator[list[RegisteredQuery]]:
    iterator = iter(queries)
    while block := list(islice(iterator, BLOCK)):
        yield block


def _bytes(data: bytes) -> npt.NDArray[np.uint8]:
    return np.frombuffer(data, np.uint8)


def _strings(encoded: Iterable[bytes]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    parts = list(encoded)
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(each) for each in parts], out=starts[1:])
    return _bytes(b"".join(parts)), starts


def _hashes(data: npt.NDArray[np.uint8], starts: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
    found = np.empty(len(starts) - 1, np.uint64)
    hash_strings(data, starts, found)
    return found
