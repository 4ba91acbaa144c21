"""What a real dump is made of, counted: classes, properties, words and resources with their frequencies.

It stands in for a `World` where queries are to be drawn from data at hand.
"""

from __future__ import annotations

import bz2
import gzip
import random
from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice
from pathlib import Path
from typing import IO, Final, Generic, TypeVar, cast

import pyoxigraph as ox

from datasets.publications import ABSTRACT, LABEL, TYPE
from sparql_ft.analyser import tokens
from sparql_ft.convert import from_pyoxigraph
from sparql_ft.terms import IRI, Literal, Triple

__all__ = ["Observed", "triples_of"]

T = TypeVar("T")
_TEXTS: Final = (ABSTRACT, LABEL)  # what queries look for words in


class _Counted(Generic[T]):
    """Things, the most frequent first, drawn by frequency."""

    def __init__(self, counts: Counter[T], what: str) -> None:
        if not counts:
            raise ValueError(f"there are no {what} in this data, so no queries can be made of them")
        ordered = counts.most_common()
        self.things = [thing for thing, _ in ordered]
        self._sums = list(accumulate(count for _, count in ordered))

    def draw(self, rng: random.Random) -> T:
        return self.things[bisect(self._sums, rng.randrange(self._sums[-1]))]


class Observed:
    """Classes, properties, words and resources of some triples."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        classes, properties, resources = Counter[IRI](), Counter[IRI](), Counter[IRI]()
        words = Counter[str]()
        for _, predicate, value in triples:
            if predicate in _TEXTS:
                if isinstance(value, Literal):
                    words.update(tokens(value.lexical))
            elif predicate == TYPE:
                if isinstance(value, IRI):
                    classes[value] += 1
            else:
                properties[predicate] += 1
                if isinstance(value, IRI):
                    resources[value] += 1
        self._class, self._property = _Counted(classes, "classes"), _Counted(properties, "properties")
        self._word, self._resource = _Counted(words, "words in labels and abstracts"), _Counted(resources, "resources")
        self.classes, self.properties = self._class.things, self._property.things
        self.vocabulary = self._word.things

    def class_(self, rng: random.Random) -> IRI:
        """A class, by frequency."""
        return self._class.draw(rng)

    def property(self, rng: random.Random) -> IRI:
        """A property, by frequency."""
        return self._property.draw(rng)

    def word(self, rng: random.Random) -> str:
        """A word of the labels and abstracts, by frequency: each occurrence is as likely as any other."""
        return self._word.draw(rng)

    def resource(self, rng: random.Random) -> IRI:
        """An entity that others refer to, by frequency."""
        return self._resource.draw(rng)


def triples_of(path: Path, limit: int | None = None) -> Iterator[Triple]:
    """The triples of a line-based file, plain, .gz or .bz2, as they are read; the first `limit` of them."""
    with _opened(path) as file:
        try:
            for quad in islice(ox.parse(file, format=ox.RdfFormat.N_QUADS), limit):  # triples are quads without a graph
                yield cast(Triple, tuple(from_pyoxigraph(each) for each in quad.triple))
        except SyntaxError as error:
            raise ValueError(f"{path}: {error.msg}") from error


def _opened(path: Path) -> IO[bytes]:
    match path.suffix:
        case ".gz":
            return cast(IO[bytes], gzip.open(path))
        case ".bz2":
            return cast(IO[bytes], bz2.open(path))
        case _:
            return path.open("rb")
