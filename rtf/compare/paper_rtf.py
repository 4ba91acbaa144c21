"""RTF as the paper has it, in plain Python, and with what we changed one thing after the other.

The paper (sections 3.1 and 3.2): words in a path as they come in the query, ftOR as separate queries, a tuple id for
each tuple of each query, all ids on the way of a triple marked as matched (figure 4), and then a scan of the query
table. Figure 4 leaves out joins; as in all other matchers here, a query whose tuples do not decide it is evaluated.

The tries are dictionaries, not pygtrie's, so that nothing but the algorithm is compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Final, TypeAlias

from rtf.index.keys import term_key
from rtf.index.selectivity import Sample, Selectivity
from rtf.index.tuples import IndexAlternative, IndexTuple, index_alternative
from rtf.mutable.forest import Layout, PathWord, words_of
from sparql_ft import Evaluator, Publication, Query, prepare
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.fulltext import Text
from sparql_ft.terms import Literal

__all__ = ["ANY_TERM", "MAX_SEPARATE", "Node", "PaperRtf", "Row"]

MAX_SEPARATE: Final = 64  # queries that one becomes by its ftORs; beyond this their words are left to the evaluation

Path: TypeAlias = tuple[PathWord, ...]

ANY_TERM: Final = "?"  # what no term has for a key


class Node:
    """A node of a trie: children(N) by content(N), and tIDs(N); in RTFS's forest of words, those of each leaf."""

    __slots__ = ("at_leaf", "children", "ids")

    def __init__(self) -> None:
        self.children: dict[PathWord, Node] = {}
        self.ids: list[int] = []
        self.at_leaf: dict[Node, list[int]] = {}

    def child(self, content: PathWord) -> Node:
        """The child with this content, made if it is not there."""
        found = self.children.get(content)
        if found is None:
            found = self.children[content] = Node()
        return found


@dataclass(slots=True)
class Row:
    """A row of the query table: a query and the ids of its tuples."""

    id: str
    ids: tuple[int, ...]
    is_enough: bool  # on a publication of one subject


class PaperRtf:
    """The paper's RTFM or RTFS; each of the options is one of our changes.

    `rarest_first`: words in a path by frequency, the rarest first. `access_tuples`: each query is looked at only where
    its most selective tuple has matched, instead of the scan. `equal_once`: equal tuples of several queries have one
    id.
    """

    def __init__(
        self,
        layout: Layout = "rtfs",
        *,
        rarest_first: bool = False,
        access_tuples: bool = False,
        equal_once: bool = False,
    ) -> None:
        self.layout = layout
        self.rarest_first = rarest_first
        self.access_tuples = access_tuples
        self.equal_once = equal_once
        self.root = Node()
        self.words = Node()  # RTFS: the one forest of words
        self._texts: dict[str, str] = {}
        self._places: dict[str, int] = {}
        self._table: list[Row] = []
        self.under: dict[int, list[Row]] = {}
        self._always: list[Row] = []
        self._known: dict[tuple[IndexTuple, Path], int] = {}
        self.tuple_count = 0  # of tuples
        self.readings: dict[Analysis, None] = {}
        self._frequencies: Counter[PathWord] = Counter()
        self._selectivity = Selectivity(Sample())
        self._tree = lru_cache(4096)(self._parsed)

    def __len__(self) -> int:
        return len(self._texts)

    @property
    def ids(self) -> Iterable[str]:
        """The ids of the queries, in order of registration."""
        return self._texts.keys()

    @property
    def rows(self) -> list[Row]:
        """The query table, whichever way its rows are found."""
        if not self.access_tuples:
            return self._table
        return self._always + [row for some in self.under.values() for row in some]

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """Add queries."""
        new: list[tuple[str, IndexAlternative, tuple[Path, ...], bool]] = []
        for id, text in queries:
            self._texts[id] = text
            self._places[id] = len(self._places)
            for alternative in prepare(text).tuples.alternatives:
                form = index_alternative(alternative)
                separate, is_whole = _separate(form)
                is_enough = is_whole and form.is_star and not form.residual and not form.in_graph
                is_enough = is_enough and all(each.is_decided_by_words for each in form.tuples)
                new += [(id, form, some, is_enough) for some in separate]
        for _, form, paths, _ in new:
            for each, path in zip(form.tuples, paths, strict=True):
                self._frequencies.update(path)
                if self.access_tuples:
                    self._selectivity.count(each)
        for id, form, paths, is_enough in new:
            ids = tuple(self._insert(each, path) for each, path in zip(form.tuples, paths, strict=True))
            row = Row(id, ids, is_enough)
            if not self.access_tuples:
                self._table.append(row)
            elif not ids:
                self._always.append(row)
            else:
                pairs = zip(ids, form.tuples, strict=True)
                access = min(pairs, key=lambda pair: self._selectivity.expected(pair[1]))[0]
                self.under.setdefault(access, []).append(row)

    def match_ids(self, publication: Publication) -> list[str]:
        """The ids of the queries that match, in order of registration."""
        marked = self._marked(publication)
        subjects = {subject for subject, _, _ in publication.triples}
        evaluator: Evaluator | None = None
        found: dict[str, bool] = {}
        for row in self._satisfied(marked):
            if not found.get(row.id, False):
                if row.is_enough and len(subjects) <= 1:
                    found[row.id] = True
                elif row.id not in found:  # not yet evaluated
                    evaluator = evaluator or Evaluator(publication, max_steps=None)
                    found[row.id] = evaluator.matches(self._tree(row.id))
        return sorted((id for id, matches in found.items() if matches), key=self._places.__getitem__)

    def _satisfied(self, marked: set[int]) -> Iterator[Row]:
        """The rows all of whose tuples are marked: by a scan, or by their access tuples."""
        if not self.access_tuples:
            for row in self._table:
                for number in row.ids:
                    if number not in marked:
                        break
                else:
                    yield row
            return
        yield from self._always
        for access in marked & self.under.keys():
            for row in self.under[access]:
                for number in row.ids:
                    if number not in marked:
                        break
                else:
                    yield row

    def _marked(self, publication: Publication) -> set[int]:
        """Every triple through the trie forest: the ids of all tuples that it satisfies."""
        marked: set[int] = set()
        for subject, predicate, value in publication.triples:
            leaves = [self.root]
            for key in (term_key(subject), term_key(predicate), term_key(value)):
                leaves = [
                    child for node in leaves for content in (key, ANY_TERM) if (child := node.children.get(content))
                ]
            for leaf in leaves:
                marked.update(leaf.ids)
            if leaves and isinstance(value, Literal):
                words = words_of(Text(value.lexical), self.readings.keys())
                if self.layout == "rtfm":
                    for leaf in leaves:
                        for node in _walk(leaf, words):
                            marked.update(node.ids)
                else:
                    for node in _walk(self.words, words):
                        for leaf in leaves:
                            marked.update(node.at_leaf.get(leaf, ()))
        return marked

    def _insert(self, each: IndexTuple, path: Path) -> int:
        if self.rarest_first:
            path = tuple(sorted(path, key=lambda word: (self._frequencies[word], str(word))))
        if self.equal_once and (each, path) in self._known:
            return self._known[each, path]
        number = self.tuple_count
        self.tuple_count += 1
        if self.equal_once:
            self._known[each, path] = number
        leaf = self.root
        for term in each.structure:
            leaf = leaf.child(ANY_TERM if term is None else term_key(term))
        node = leaf if self.layout == "rtfm" else self.words
        for word in path:
            node = node.child(word)
            self.readings[DEFAULT if isinstance(word, str) else word.analysis] = None
        if self.layout == "rtfm" or not path:
            (node if path else leaf).ids.append(number)
        else:
            node.at_leaf.setdefault(leaf, []).append(number)
        return number

    def _parsed(self, id: str) -> Query:
        return prepare(self._texts[id]).query


def _walk(root: Node, words: frozenset[PathWord]) -> Iterator[Node]:
    """The nodes below one whose words, and those above them, are all in a text."""
    pending = [root]
    while pending:
        node = pending.pop()
        for word in node.children.keys() & words:
            child = node.children[word]
            yield child
            if child.children:
                pending.append(child)


def _separate(form: IndexAlternative) -> tuple[list[tuple[Path, ...]], bool]:
    """The words of each tuple, for each of the queries that the ftORs of one make; whether that is all of them."""
    sets: list[list[Path]] = [
        [()]
        if each.words is None
        else [tuple(word.form if word.analysis == DEFAULT else word for word in some) for some in each.words.sets]
        for each in form.tuples
    ]
    is_whole = True
    count = 1
    for place in sorted(range(len(sets)), key=lambda place: len(sets[place])):
        count *= len(sets[place])
        if count > MAX_SEPARATE:
            sets[place] = [()]
            is_whole = False
    return list(product(*sets)), is_whole
