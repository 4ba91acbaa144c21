"""The owners of queries, as a column beside their ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import pyarrow as pa

from rtf.engine import Engine

__all__ = ["Owners"]


@dataclass(frozen=True)
class Owners:
    """Tells the owner of each query of a matcher; nobody, if the matcher does not know."""

    known: Mapping[str, str | None]

    @staticmethod
    def of(matcher: Any) -> Owners:
        """Those of a matcher, worked out once a process."""
        if not isinstance(matcher, Engine):
            return Owners(_Asked(matcher))
        if matcher not in _of_engines:
            _of_engines[matcher] = Owners(matcher.owners())
        return _of_engines[matcher]

    def column(self, ids: pa.Array) -> pa.Array:
        """The owner of each id."""
        if self._only is not None:
            return pa.repeat(pa.scalar(self._only[0], pa.string()), len(ids))
        encoded = ids.dictionary_encode()
        owners = [self.known[id] for id in encoded.dictionary.to_pylist()]
        return pa.array(owners, pa.string()).take(encoded.indices)

    @cached_property
    def _only(self) -> tuple[str | None] | None:
        """The owner of all queries, if there is only one, which is usual."""
        owners = None if isinstance(self.known, _Asked) else set(self.known.values())
        return (owners.pop(),) if owners is not None and len(owners) == 1 else None


class _Asked(dict[str, str | None]):
    """The owners of a matcher of any kind, each asked for once: `matcher[id].owner`, as the engine has it."""

    def __init__(self, matcher: Any) -> None:
        super().__init__()
        self._matcher = matcher if hasattr(matcher, "__getitem__") else None

    def __missing__(self, id: str) -> str | None:
        self[id] = None if self._matcher is None else self._matcher[id].owner
        return self[id]


_of_engines: WeakKeyDictionary[Engine, Owners] = WeakKeyDictionary()
