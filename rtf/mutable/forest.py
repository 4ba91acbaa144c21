"""Trie forests: from a triple to the stored tuples that it may satisfy.

A tuple's path is its structure (subject, predicate, object; ANY for a variable), then the words that its text must
have, rarest first, so that most walks end at the first word. A text with ftOR has a path for each set of words. The
numbers of the tuples stand at the ends of their paths, tIDs(N) in the paper.

The two layouts differ in where words hang. RTFM: one trie, each structural leaf continues with words of its own. RTFS:
structure alone in one trie, and one forest of words that all leaves share; a node of it says which leaf has which
tuples there.

What a walk finds has the structure and the words. The rest (positions, ftNOT, conditions, repeated variables) is
checked by whoever walks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any, Final, Literal, TypeAlias

import pygtrie

from rtf.index.tuples import IndexTuple, Structure
from sparql_ft.analyser import DEFAULT, Analysis
from sparql_ft.extraction.cover import Word
from sparql_ft.fulltext import Text
from sparql_ft.terms import IRI, Term, Triple

__all__ = ["ANY", "Forest", "Layout", "PathWord", "Rtfm", "Rtfs", "forest", "words_of"]

Layout: TypeAlias = Literal["rtfm", "rtfs"]
PathWord: TypeAlias = str | Word  # plain text in the default reading, which nearly all have
Words: TypeAlias = AbstractSet[PathWord]
Path: TypeAlias = tuple[PathWord, ...]

ANY: Final = "?"  # no term is a plain string


def words_of(text: Text, analyses: AbstractSet[Analysis]) -> frozenset[PathWord]:
    """The words of a text in each of these readings."""
    found: set[PathWord] = set()
    for analysis in analyses:
        forms = text.tokens(analysis)
        found.update(forms if analysis == DEFAULT else (Word(form, analysis) for form in forms))
    return frozenset(found)


def forest(layout: Layout) -> Forest:
    """An empty forest."""
    return _LAYOUTS[layout]()


class Forest(ABC):
    """What both layouts share: the structural trie, the paths of tuples, and the readings that their words need."""

    def __init__(self) -> None:
        self._structures = _Structures()
        self._paths: dict[int, list[Path]] = {}
        self._frequencies: Counter[PathWord] = Counter()
        self._readings: Counter[Analysis] = Counter()
        self.visited = 0  # nodes, in all walks so far

    @property
    def readings(self) -> AbstractSet[Analysis]:
        """The ways in which a text has to be read."""
        return self._readings.keys()

    def insert(self, number: int, each: IndexTuple) -> None:
        """Store a tuple under a number of its own."""
        leaf = self._structures.leaf(each.structure)
        self._paths[number] = list(self._word_paths(each))
        for path in self._paths[number]:
            if not path:
                leaf.tuples[number] = None
                continue
            leaf.counted += 1
            self._frequencies.update(path)
            self._readings.update(_reading(word) for word in path)
            self._add(leaf, path, number)

    def remove(self, number: int, each: IndexTuple) -> None:
        """Take a tuple out again."""
        leaf = self._structures.leaf(each.structure)
        for path in self._paths.pop(number):
            if not path:
                del leaf.tuples[number]
                continue
            leaf.counted -= 1
            _subtract(self._frequencies, path)
            _subtract(self._readings, [_reading(word) for word in path])
            self._discard(leaf, path, number)
        if not leaf.tuples and not leaf.counted:
            self._structures.drop(each.structure)

    def find(self, triple: Triple, words: Callable[[], Words]) -> Iterator[int]:
        """The tuples that have the triple's structure, and their words in its object; some perhaps twice.

        `words` gives the words of the object, none if that is no literal; it is called only where a word matters.
        """
        below: list[_Leaf] = []
        for leaf in self._structures.walk(triple, self._visit):
            yield from leaf.tuples
            if leaf.counted:
                below.append(leaf)
        if below:
            found = words()
            if found:
                yield from self._find_words(below, found)

    @property
    def word_count(self) -> int:
        """How many distinct words the paths have."""
        return len(self._frequencies)

    def _visit(self) -> None:
        self.visited += 1

    @abstractmethod
    def _find_words(self, leaves: list[_Leaf], words: Words) -> Iterator[int]:
        """The tuples at these leaves whose words are all among these."""

    @abstractmethod
    def _add(self, leaf: _Leaf, path: Path, number: int) -> None:
        """Put a tuple at the end of its words."""

    @abstractmethod
    def _discard(self, leaf: _Leaf, path: Path, number: int) -> None:
        """The opposite of `_add`."""

    def _word_paths(self, each: IndexTuple) -> Iterator[Path]:
        found = each.words
        if found is None:
            yield ()
            return
        for words in found.sets:
            plain = [word.form if word.analysis == DEFAULT else word for word in words]
            yield tuple(sorted(plain, key=lambda word: (self._frequencies[word], str(word))))


def _subtract(counter: Counter[Any], items: Iterable[object]) -> None:
    """Count down; what is no longer there is forgotten."""
    for item in items:
        counter[item] -= 1
        if not counter[item]:
            del counter[item]


def _reading(word: PathWord) -> Analysis:
    return word.analysis if isinstance(word, Word) else DEFAULT


def _key(structure: Structure) -> tuple[Term | str, Term | str, Term | str]:
    subject, predicate, object_ = structure
    return subject or ANY, predicate or ANY, object_ or ANY


class _Structures:
    """The structural trie: subject, predicate, object -> a leaf, made when it is first needed."""

    __slots__ = ("_trie",)

    def __init__(self) -> None:
        self._trie: Any = pygtrie.Trie()

    def leaf(self, structure: Structure) -> _Leaf:
        """The leaf of a structure."""
        leaf: _Leaf = self._trie.setdefault(_key(structure), _Leaf())
        return leaf

    def drop(self, structure: Structure) -> None:
        """Remove a leaf."""
        del self._trie[_key(structure)]

    def walk(self, triple: Triple, visit: Callable[[], None]) -> Iterator[_Leaf]:
        """The leaves of the structures that a triple has, eight at most. A blank node is nothing a query can name."""
        subject, predicate, object_ = triple
        paths: list[tuple[Term | str, ...]] = [()]
        for choices in ((subject, ANY) if isinstance(subject, IRI) else (ANY,), (predicate, ANY), (object_, ANY)):
            paths = [longer for path in paths for term in choices if self._trie.has_node(longer := (*path, term))]
            for _ in paths:
                visit()
        return (self._trie[path] for path in paths)


class _Leaf:
    """The end of a structure: the tuples that need no word, and, for RTFM, the words below it."""

    __slots__ = ("counted", "tuples", "words")

    def __init__(self) -> None:
        self.tuples: dict[int, None] = {}
        self.words = _Words()
        self.counted = 0  # tuples with words, wherever these hang


class _Words:
    """Tries of words: path -> what stands at its end, to be walked by the words of a text."""

    __slots__ = ("_first", "_trie")

    def __init__(self) -> None:
        self._trie: Any = pygtrie.Trie()
        self._first: Counter[PathWord] = Counter()  # the roots, to be intersected with the words of a text at once

    def end(self, path: Path) -> dict[Any, Any]:
        """What stands at the end of a path; an empty dictionary at first."""
        if path not in self._trie:
            self._trie[path] = {}
            self._first[path[0]] += 1
        end: dict[Any, Any] = self._trie[path]
        return end

    def drop(self, path: Path) -> None:
        """Remove an end."""
        del self._trie[path]
        self._first[path[0]] -= 1
        if not self._first[path[0]]:
            del self._first[path[0]]

    def walk(self, words: Words, visit: Callable[[], None]) -> Iterator[dict[Any, Any]]:
        """The ends of the paths whose words are all among these."""
        pending: list[Path] = [(word,) for word in self._first.keys() & words]
        while pending:
            path = pending.pop()
            visit()
            kind = self._trie.has_node(path)
            if kind & pygtrie.Trie.HAS_VALUE:
                yield self._trie[path]
            if kind & pygtrie.Trie.HAS_SUBTRIE:
                pending.extend(longer for word in words if self._trie.has_node(longer := (*path, word)))


class Rtfm(Forest):
    """Multiple tries of words, below each structural leaf its own."""

    def _add(self, leaf: _Leaf, path: Path, number: int) -> None:
        leaf.words.end(path)[number] = None

    def _discard(self, leaf: _Leaf, path: Path, number: int) -> None:
        end = leaf.words.end(path)
        del end[number]
        if not end:
            leaf.words.drop(path)

    def _find_words(self, leaves: list[_Leaf], words: Words) -> Iterator[int]:
        for leaf in leaves:
            for end in leaf.words.walk(words, self._visit):
                yield from end


class Rtfs(Forest):
    """A single forest of words, shared by all structural leaves."""

    def __init__(self) -> None:
        super().__init__()
        self._words = _Words()  # path -> leaf -> tuples

    def _add(self, leaf: _Leaf, path: Path, number: int) -> None:
        self._words.end(path).setdefault(leaf, {})[number] = None

    def _discard(self, leaf: _Leaf, path: Path, number: int) -> None:
        end = self._words.end(path)
        del end[leaf][number]
        if not end[leaf]:
            del end[leaf]
        if not end:
            self._words.drop(path)

    def _find_words(self, leaves: list[_Leaf], words: Words) -> Iterator[int]:
        for end in self._words.walk(words, self._visit):
            for leaf in leaves:
                yield from end.get(leaf, ())


_LAYOUTS: Final[dict[Layout, type[Forest]]] = {"rtfm": Rtfm, "rtfs": Rtfs}
