"""A compiled inverted index seen from Python: publications in, numbers of queries out."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np

from ibroker_baseline.arrival import Arrival
from ibroker_baseline.columns import Rows
from ibroker_baseline.compiled.columns import Columns, Int32s
from ibroker_baseline.compiled.kernel import examine_buckets
from ibroker_baseline.entries import Chain, EntryWord, stored_query
from ibroker_baseline.matching import matching
from sparql_ft import PreparedQuery, Publication, prepare
from sparql_ft.analyser import DEFAULT, analyse
from sparql_ft.extraction.cover import Word
from sparql_ft.terms import IRI, Literal, Term

__all__ = ["CompiledIndex"]

_Row: TypeAlias = tuple[int, int, int, int, str]  # bucket, subject, its term, the object's term, its text

_RESTAMP: Final = 2**31 - 2  # serial numbers are int32; past this they begin again
_CACHED: Final = 4096  # queries that are kept prepared


class CompiledIndex:
    """Queries that do not change but can be removed, numbered from 0 in order of registration. For one thread."""

    def __init__(
        self, queries: Iterable[tuple[str, PreparedQuery]], text: Callable[[str], str], base: str | None
    ) -> None:
        columns = Columns()
        self.ids: list[str] = []
        for number, (id, prepared) in enumerate(queries):
            self.ids.append(id)
            for place, chain in enumerate(stored_query(id, number, prepared).chains):
                columns.add(number, place, chain)
        self.alive = np.ones(len(self.ids), bool)
        self._buckets, self._terms, self._words = columns.buckets, columns.terms, columns.words
        self._is_searched = [
            0 in columns.searched or bucket in columns.searched for bucket in range(len(self._buckets))
        ]
        self._has_literals = any(term.startswith('"') for term in self._terms)
        self.readings = tuple(columns.readings)
        self._arrays = columns.arrays()
        self._uses_any = bool((self._arrays.entries[:, 0] == 0).any())
        self._seen_buckets = np.zeros((len(self._buckets), 3), np.int32)
        self._seen_words = np.zeros((max(len(self._words), 1), 2), np.int32)
        self._found = np.empty(len(self._arrays.chains), np.int32)
        self._serial = 0
        self._stored = lru_cache(_CACHED)(
            lambda number: stored_query(self.ids[number], number, prepare(text(self.ids[number]), base))
        )

    @property
    def nbytes(self) -> int:
        """How much its arrays take."""
        arrays = self._arrays
        return sum(each.nbytes for each in (arrays.entries, arrays.words, arrays.heads, arrays.chains, arrays.always))

    def match(self, publication: Publication, max_steps: int | None) -> list[int]:
        """The numbers of the queries that match, ascending."""
        return self._match(self._rows_of(publication), lambda: publication, max_steps)

    def match_rows(self, rows: Rows, max_steps: int | None) -> list[int]:
        """The same for a publication that came as columns; it is read only where chains are followed in Python."""
        if not rows.is_as_written:
            return self.match(rows.read(), max_steps)
        return self._match(self._rows_of_strings(rows), rows.read, max_steps)

    def _match(self, rows: list[_Row], read: Callable[[], Publication], max_steps: int | None) -> list[int]:
        if self._serial >= _RESTAMP:
            self._seen_buckets[:] = self._seen_words[:] = 0
            self._serial = 0
        self._serial += 1
        count = examine_buckets(
            self._arrays.entries,
            self._arrays.words,
            self._arrays.heads,
            self._encode(rows),
            len(rows),
            self._seen_buckets,
            self._seen_words,
            self._serial,
            self._found,
        )
        chains = self._arrays.chains[np.concatenate([self._found[:count], self._arrays.always])]
        chains = chains[self.alive[chains[:, 0]]]
        found = set(chains[chains[:, 2] == 0, 0].tolist())
        pending = chains[chains[:, 2] == 1].tolist()
        if pending:
            arrival = Arrival(read(), self.readings, max_steps)
            candidates: list[Chain] = [
                self._stored(query).chains[place] for query, place, _ in pending if query not in found
            ]
            found.update(query.place for query in matching(arrival, candidates))
        return sorted(found)

    def _rows_of(self, publication: Publication) -> list[_Row]:
        """The triples as numbers, and the texts that are to be searched.

        Those whose attribute no entry has are left out, unless there are entries for any attribute.
        """
        subjects: dict[Term, int] = {}
        rows: list[_Row] = []
        buckets, terms = self._buckets, self._terms
        before: Term | None = None
        number = term = 0
        for subject, predicate, value in publication.triples:
            bucket = buckets.get(f"<{predicate.value}>", 0)
            if not bucket and not self._uses_any:
                continue
            if subject is not before:
                number = subjects.setdefault(subject, len(subjects))
                term = terms.get(str(subject), 0)
                before = subject
            if isinstance(value, IRI):
                rows.append((bucket, number, term, terms.get(f"<{value.value}>", 0), ""))
            elif isinstance(value, Literal):
                symbol = terms.get(str(value), 0) if self._has_literals else 0
                rows.append((bucket, number, term, symbol, value.lexical if self._is_searched[bucket] else ""))
            else:
                rows.append((bucket, number, term, 0, ""))
        return rows

    def _rows_of_strings(self, publication: Rows) -> list[_Row]:
        """The same of terms as they are written."""
        subjects: dict[str, int] = {}
        rows: list[_Row] = []
        buckets, terms = self._buckets, self._terms
        for subject, predicate, value in zip(
            publication.subjects, publication.predicates, publication.objects, strict=True
        ):
            bucket = buckets.get(predicate, 0)
            if not bucket and not self._uses_any:
                continue
            is_text = value.startswith('"') and self._is_searched[bucket]
            lexical = value[1 : value.rindex('"')] if is_text else ""
            number = subjects.setdefault(subject, len(subjects))
            rows.append((bucket, number, terms.get(subject, 0), terms.get(value, 0), lexical))
        return rows

    def _encode(self, rows: list[_Row]) -> Int32s:
        """A publication as the kernel reads it."""
        rows.sort()
        flat = [number for row in rows for number in row[:4]]
        for place, row in enumerate(rows):
            if row[4]:
                words = self._known_words(row[4])
                flat += (place, len(words), *words)
        return np.frombuffer(array("i", flat), np.int32)

    def _known_words(self, lexical: str) -> list[int]:
        """The words of a text that entries have; some perhaps several times, which does no harm."""
        found: list[int] = []
        known = self._words
        for analysis in self.readings:
            forms: Sequence[EntryWord] = analyse(lexical, analysis)
            if analysis != DEFAULT:
                forms = [Word(str(form), analysis) for form in forms]
            found += [known[word] for word in forms if word in known]
        return found
