"""A query as it was registered."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["RegisteredQuery"]


@dataclass(frozen=True, slots=True)
class RegisteredQuery:
    """A query as it was registered. `place` is its place in the order of registration."""

    id: str
    text: str
    owner: str | None
    tags: frozenset[str]
    place: int
