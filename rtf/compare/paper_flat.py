"""The paper's RTF compiled: the tries of `paper_rtf` as flat arrays, and numba loops through them.

So that IBROKER compiled has the paper's algorithm to be compared with, compiled likewise: terms and words become
numbers in Python, by dictionaries, in both; all that comes after is done by the kernel, in both.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from rtf.compare.paper_kernel import ANY, TRIPLE, filter_publication, insert_keys
from rtf.compare.paper_rtf import ANY_TERM, Node, PaperRtf, Row
from rtf.index.keys import term_key
from rtf.mutable.forest import Layout, PathWord
from sparql_ft import Evaluator, Publication, Query, prepare
from sparql_ft.analyser import DEFAULT, analyse
from sparql_ft.extraction.cover import Word
from sparql_ft.terms import Literal

__all__ = ["PaperRtfCompiled"]

Int32s: TypeAlias = npt.NDArray[np.int32]
Table: TypeAlias = tuple[npt.NDArray[np.int64], Int32s]

_DEPTH: Final = 3  # of a leaf: subject, predicate, object


class PaperRtfCompiled:
    """The paper's RTFM or RTFS with the options of `PaperRtf`. Compiled anew whenever queries come, as IBROKER is."""

    def __init__(self, layout: Layout = "rtfs", **options: bool) -> None:
        self.layout = layout
        self.options = {name: options.get(name, False) for name in ("rarest_first", "access_tuples", "equal_once")}
        self._texts: dict[str, str] = {}
        self._flat: _Flat | None = None
        self._tree = lru_cache(4096)(self._parsed)

    def __len__(self) -> int:
        return len(self._texts)

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """Add queries."""
        self._texts.update(queries)
        plain = PaperRtf(self.layout, **self.options)
        plain.register_many(self._texts.items())
        self._flat = _Flat(plain)

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        flat = self._flat
        if flat is None:
            return []
        rows = flat.satisfied(publication)
        is_enough = flat.is_enough[rows] & (len({subject for subject, _, _ in publication.triples}) <= 1)
        found = set(flat.queries[rows[is_enough]].tolist())
        pending = set(flat.queries[rows[~is_enough]].tolist()) - found
        if pending:
            evaluator = Evaluator(publication, max_steps=None)
            found.update(number for number in pending if evaluator.matches(self._tree(flat.names[number])))
        return [flat.names[number] for number in sorted(found)]

    def _parsed(self, id: str) -> Query:
        return prepare(self._texts[id]).query


@dataclass(slots=True)
class _Lists:
    """Lists behind each other, and where each begins."""

    starts: array[int]
    content: array[int]

    @staticmethod
    def of(lists: Iterable[Iterable[int]]) -> _Lists:
        made = _Lists(array("i", [0]), array("i"))
        for some in lists:
            made.content.extend(some)
            made.starts.append(len(made.content))
        return made

    def arrays(self) -> tuple[Int32s, Int32s]:
        return np.array(self.starts, np.int32), np.array(self.content, np.int32)


class _Flat:
    """What the kernel reads, and the scratch that it writes. For one thread."""

    def __init__(self, plain: PaperRtf) -> None:
        self._terms: dict[PathWord, int] = {ANY_TERM: ANY}
        self._words: dict[PathWord, int] = {}
        nodes, depths = _nodes(plain)
        numbers = {node: number for number, node in enumerate(nodes)}
        kinds = [self._terms if depth < _DEPTH else self._words for depth in depths]
        children = [
            [(contents.setdefault(content, len(contents)), numbers[child]) for content, child in node.children.items()]
            for node, contents in zip(nodes, kinds, strict=True)
        ]
        edges = [(number, content) for number, some in enumerate(children) for content, _ in some]
        child_starts, child_nodes = _Lists.of([child for _, child in some] for some in children).arrays()
        edge_keys, edge_places = _table(edges)
        at_leaves = [(node, leaf, ids) for node in nodes for leaf, ids in node.at_leaf.items()]
        rows = plain.rows
        self.is_enough = np.array([row.is_enough for row in rows], bool)
        self.names = list(plain.ids)
        places = {id: place for place, id in enumerate(self.names)}
        self.queries = np.array([places[row.id] for row in rows], np.int32)
        self._always = np.array([place for place, row in enumerate(rows) if not row.ids], np.int32)
        if not plain.access_tuples:
            self._always = self._always[:0]  # the scan finds them
        self._arrays: tuple[Any, ...] = (
            edge_keys,
            child_nodes[edge_places] if len(child_nodes) else edge_places,
            child_starts,
            np.array([content for _, content in edges], np.int32),
            child_nodes,
            *_Lists.of(node.ids for node in nodes).arrays(),
            *_table([(numbers[node], numbers[leaf]) for node, leaf, _ in at_leaves]),
            *_Lists.of(ids for _, _, ids in at_leaves).arrays(),
            *_Lists.of(row.ids for row in rows).arrays(),
            *_under(plain, rows),
            numbers[plain.words] if plain.layout == "rtfs" else -1,
            not plain.access_tuples,
        )
        self._readings = plain.readings
        self._has_literals = any(isinstance(term, str) and term.startswith("L") for term in self._terms)
        self._scratch: tuple[Any, ...] = (
            np.zeros(plain.tuple_count + 1, np.int64),
            np.zeros(plain.tuple_count + 1, np.int32),
            np.zeros(len(self._words) + 1, np.int64),
            np.zeros(len(nodes) + _DEPTH**2, np.int32),
            np.zeros(2, np.int64),
            np.zeros(len(rows) + 1, np.int32),
        )

    def satisfied(self, publication: Publication) -> Int32s:
        """The rows of the query table all of whose tuples are matched."""
        count = filter_publication(*self._arrays, self._encode(publication), len(publication.triples), *self._scratch)
        found: Int32s = np.concatenate([self._always, self._scratch[-1][:count]])
        return found

    def _encode(self, publication: Publication) -> Int32s:
        terms = self._terms
        head: list[int] = []
        words: list[int] = []
        offset = TRIPLE * len(publication.triples)
        for subject, predicate, value in publication.triples:
            head += (terms.get(term_key(subject), -1), terms.get("I" + predicate.value, -1))
            if isinstance(value, Literal):
                head.append(terms.get(term_key(value), -1) if self._has_literals else -1)
                head.append(offset + len(words))
                words += self._known_words(value.lexical)
                head.append(offset + len(words))
            else:
                head += (terms.get(term_key(value), -1), -1, -1)
        return np.frombuffer(array("i", head + words), np.int32)

    def _known_words(self, lexical: str) -> list[int]:
        found: list[int] = []
        known = self._words
        for analysis in self._readings:
            forms: Sequence[PathWord] = analyse(lexical, analysis)
            if analysis != DEFAULT:
                forms = [Word(str(form), analysis) for form in forms]
            found += [known[word] for word in forms if word in known]
        return found


def _nodes(plain: PaperRtf) -> tuple[list[Node], list[int]]:
    """All nodes, each before those below it, and how deep they stand; a forest of words begins below all leaves."""
    nodes, depths = [plain.root], [0]
    if plain.layout == "rtfs":
        nodes.append(plain.words)
        depths.append(_DEPTH)
    for node, depth in zip(nodes, depths, strict=False):  # which grow
        nodes.extend(node.children.values())
        depths.extend([depth + 1] * len(node.children))
    return nodes, depths


def _table(pairs: Sequence[tuple[int, int]]) -> Table:
    """A hash table from pairs of numbers to their places."""
    size = 1 << (2 * len(pairs) + 1).bit_length()
    keys, values = np.full(size, -1, np.int64), np.zeros(size, np.int32)
    if pairs:
        both = np.array(pairs, np.int64)
        insert_keys(keys, values, both[:, 0] << 32 | both[:, 1])
    return keys, values


def _under(plain: PaperRtf, rows: Sequence[Row]) -> tuple[Int32s, Int32s]:
    """For each tuple the rows of which it is the access tuple."""
    places: Mapping[int, int] = {id(row): place for place, row in enumerate(rows)}
    under = plain.under
    return _Lists.of([places[id(row)] for row in under.get(number, ())] for number in range(plain.tuple_count)).arrays()
