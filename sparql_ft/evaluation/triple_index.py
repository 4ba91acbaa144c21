"""The triples of one publication, to be found by any of their terms."""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from typing import Final, TypeAlias

from sparql_ft.terms import Term, Triple

__all__ = ["TripleIndex"]

_Key: TypeAlias = tuple[Term | None, Term | None, Term | None]
_NONE: Final[tuple[Triple, ...]] = ()


class TripleIndex:
    """A set of triples (none is given twice), found by any of their three terms. They come back in the order given.

    For each combination of known places there is a table from terms to triples, made when it is first asked for.
    """

    __slots__ = ("_nodes", "_tables", "triples")

    def __init__(self, triples: tuple[Triple, ...]) -> None:
        self.triples = triples
        self._nodes: dict[Term, None] | None = None
        self._tables: dict[tuple[bool, bool, bool], dict[_Key, list[Triple]]] = {}

    @property
    def nodes(self) -> KeysView[Term]:
        """nodes(G) of section 18.1.7: the subjects and objects, as an ordered set."""
        if self._nodes is None:
            self._nodes = {node: None for s, _, o in self.triples for node in (s, o)}
        return self._nodes.keys()

    def find(self, subject: Term | None, predicate: Term | None, object_: Term | None) -> Sequence[Triple]:
        """The triples with these terms; None stands for any."""
        known = (subject is not None, predicate is not None, object_ is not None)
        if known == (False, False, False):
            return self.triples
        table = self._tables.get(known)
        if table is None:
            table = self._tables[known] = self._table(*known)
        return table.get((subject, predicate, object_), _NONE)

    def _table(self, subject: bool, predicate: bool, object_: bool) -> dict[_Key, list[Triple]]:
        table: dict[_Key, list[Triple]] = {}
        for triple in self.triples:
            key = (
                triple[0] if subject else None,
                triple[1] if predicate else None,
                triple[2] if object_ else None,
            )
            table.setdefault(key, []).append(triple)
        return table
