"""A set of queries that can change at any time: their tuples in a trie forest, their alternatives under one tuple each.

Queries that match the same publications because they are the same but for names of variables, projection or form are
one *pattern* with several ids. An alternative hangs on its *access tuple*, the one that is expected to match least
often: it is looked at only where that one has matched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rtf.index.selectivity import Sample, Selectivity
from rtf.index.tuples import IndexAlternative, IndexTuple, index_alternative
from rtf.mutable.forest import Layout, forest
from rtf.mutable.tuple_table import TupleTable
from rtf.stats import TALLY
from sparql_ft import PreparedQuery, Query

__all__ = ["Pattern", "Segment", "StoredAlternative"]


@dataclass(eq=False, slots=True)
class Pattern:
    """What one or several queries are, as far as matching goes. `query` is there where tuples do not decide."""

    query: Query | None
    alternatives: tuple[StoredAlternative, ...] = ()
    ids: dict[str, None] = field(default_factory=dict)
    tally: list[float] = field(default_factory=lambda: [0.0] * len(TALLY))


@dataclass(eq=False, slots=True)
class StoredAlternative:
    """An alternative and the numbers of its tuples; `access` is one of them, or None if it has no tuples."""

    pattern: Pattern
    form: IndexAlternative
    numbers: tuple[int, ...]
    access: int | None


class Segment:
    """The queries of one engine that are not frozen. Not safe to change while a publication is matched against it."""

    def __init__(self, layout: Layout, sample: Sample) -> None:
        self.forest = forest(layout)
        self.tuples = TupleTable()
        self.unchecked: set[int] = set()  # tuples that the forest decides alone
        self.under: dict[int | None, dict[StoredAlternative, None]] = {None: {}}  # access tuple -> alternatives
        self._patterns: dict[object, Pattern] = {}
        self._keys: dict[str, object] = {}  # id -> key of its pattern
        self._selectivity = Selectivity(sample)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, id: object) -> bool:
        return id in self._keys

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        return iter(self._keys)

    @property
    def patterns(self) -> Iterable[Pattern]:
        """All of them, each once."""
        return self._patterns.values()

    def add(self, id: str, prepared: PreparedQuery) -> None:
        """Store a query under an id that is not there yet."""
        forms = tuple(dict.fromkeys(index_alternative(each) for each in prepared.tuples.alternatives))
        query = prepared.query if any(form.residual for form in forms) else None
        key = (forms, None if query is None else (query.where, query.values, query.base))
        pattern = self._patterns.get(key)
        if pattern is None:
            pattern = self._patterns[key] = Pattern(query)
            pattern.alternatives = tuple(self._store(pattern, form) for form in forms)
        pattern.ids[id] = None
        self._keys[id] = key

    def remove(self, id: str) -> None:
        """Forget a query."""
        key = self._keys.pop(id)
        pattern = self._patterns[key]
        del pattern.ids[id]
        if not pattern.ids:
            del self._patterns[key]
            for stored in pattern.alternatives:
                self._forget(stored)

    def choose_access(self) -> None:
        """Choose all access tuples anew, after selectivity was learned."""
        stored = [each for alternatives in self.under.values() for each in alternatives]
        self.under = {None: {}}
        for each in stored:
            each.access = self._access(each.form, each.numbers)
            self.under.setdefault(each.access, {})[each] = None

    def _store(self, pattern: Pattern, form: IndexAlternative) -> StoredAlternative:
        numbers = tuple(self._number(each) for each in form.tuples)
        stored = StoredAlternative(pattern, form, numbers, self._access(form, numbers))
        self.under.setdefault(stored.access, {})[stored] = None
        return stored

    def _access(self, form: IndexAlternative, numbers: tuple[int, ...]) -> int | None:
        if not numbers:
            return None
        return min(zip(form.tuples, numbers, strict=True), key=lambda pair: self._selectivity.expected(pair[0]))[1]

    def _number(self, each: IndexTuple) -> int:
        number, is_new = self.tuples.add(each)
        self._selectivity.count(each)
        if is_new:
            self.forest.insert(number, each)
            if each.is_decided_by_words:
                self.unchecked.add(number)
        return number

    def _forget(self, stored: StoredAlternative) -> None:
        alternatives = self.under[stored.access]
        del alternatives[stored]
        if not alternatives and stored.access is not None:
            del self.under[stored.access]
        for number in stored.numbers:
            each = self.tuples[number]
            self._selectivity.count(each, -1)
            if self.tuples.discard(number) is not None:
                self.forest.remove(number, each)
                self.unchecked.discard(number)
