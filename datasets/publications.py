"""DBpedia-shaped entities: a class, labels, properties with several values, an abstract; frequencies are skewed.

Everything follows from a seed: entity i of a seed is the same, however many there are.
"""

from __future__ import annotations

import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate

from sparql_ft import Publication
from sparql_ft.terms import IRI, RDF, XSD, Literal, Triple

__all__ = ["ABSTRACT", "LABEL", "TYPE", "World"]

ONTOLOGY, RESOURCE = "http://dbpedia.org/ontology/", "http://dbpedia.org/resource/"
TYPE = IRI(RDF + "type")
LABEL = IRI("http://www.w3.org/2000/01/rdf-schema#label")
ABSTRACT = IRI(ONTOLOGY + "abstract")

_SYLLABLES = [f"{consonant}{vowel}" for consonant in "bcdfgklmnprstv" for vowel in "aeio"]
_LANGUAGES = ("en", "de", "fr", "ja", "ru")


class _Skewed:
    """Choices of decreasing frequency: the one of rank r is drawn in proportion to 1 / r ** exponent."""

    def __init__(self, count: int, exponent: float = 1.0) -> None:
        self._sums = list(accumulate(1 / rank**exponent for rank in range(1, count + 1)))

    def draw(self, rng: random.Random) -> int:
        return min(bisect(self._sums, rng.random() * self._sums[-1]), len(self._sums) - 1)


class World:
    """What entities are made of, and the entities."""

    def __init__(self, seed: int, classes: int = 400, properties: int = 1_200, vocabulary: int = 50_000) -> None:
        self.seed = seed
        rng = random.Random(seed)
        self.vocabulary = _words(vocabulary, rng)
        self.classes = [IRI(f"{ONTOLOGY}{word.capitalize()}") for word in rng.sample(self.vocabulary, classes)]
        self.properties = [IRI(f"{ONTOLOGY}{word}") for word in rng.sample(self.vocabulary, properties)]
        self._class, self._property = _Skewed(classes), _Skewed(properties)
        self._word, self._resource = _Skewed(vocabulary), _Skewed(100_000, 0.8)

    def class_(self, rng: random.Random) -> IRI:
        """A class, by frequency."""
        return self.classes[self._class.draw(rng)]

    def property(self, rng: random.Random) -> IRI:
        """A property, by frequency."""
        return self.properties[self._property.draw(rng)]

    def word(self, rng: random.Random) -> str:
        """A word, by frequency."""
        return self.vocabulary[self._word.draw(rng)]

    def resource(self, rng: random.Random) -> IRI:
        """An entity that others refer to, by frequency."""
        return IRI(f"{RESOURCE}E{self._resource.draw(rng)}")

    def text(self, rng: random.Random, words: int) -> str:
        """Sentences of about that many words."""
        count = max(1, round(rng.gauss(words, words / 3)))
        chosen = [self.word(rng) for _ in range(count)]
        for start in range(0, count, 12):
            chosen[start] = chosen[start].capitalize()
            last = min(start + 11, count - 1)
            chosen[last] += "."
        return " ".join(chosen)

    def entity(self, number: int) -> Publication:
        """Entity `number`."""
        rng = random.Random(self.seed * 1_000_003 + number)
        subject = IRI(f"{RESOURCE}E{number}")
        triples: list[Triple] = [(subject, TYPE, self.class_(rng)) for _ in range(rng.choice((1, 1, 2, 3)))]
        name = self.text(rng, 2).rstrip(".")
        triples += [(subject, LABEL, Literal(name, language=each)) for each in _LANGUAGES[: rng.choice((1, 1, 2, 3))]]
        for _ in range(rng.randint(3, 10)):
            predicate = self.property(rng)
            triples += [(subject, predicate, self._value(predicate, rng)) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        triples.append((subject, ABSTRACT, Literal(self.text(rng, 53), language="en")))
        return Publication(subject.value, tuple(triples))

    def entities(self, count: int, first: int = 0) -> Iterator[Publication]:
        """Some entities."""
        return map(self.entity, range(first, first + count))

    def _value(self, predicate: IRI, rng: random.Random) -> IRI | Literal:
        """A property has values of one kind."""
        kind = sum(predicate.value.encode()) % 8
        if kind < 4:
            return self.resource(rng)
        if kind == 4:
            return Literal(str(rng.randrange(100_000)), XSD + "nonNegativeInteger")
        if kind == 5:
            return Literal(f"{rng.uniform(0, 1000):.2f}", XSD + "double")
        if kind == 6:
            return Literal(f"{rng.randint(1800, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}", XSD + "date")
        return Literal(self.text(rng, 4), language="en")


def _words(count: int, rng: random.Random) -> list[str]:
    """Distinct words, shorter ones more frequent, some of them with letters beyond ASCII."""
    found: dict[str, None] = {}
    while len(found) < count:
        length = 1 + len(found) * 3 // count + rng.randint(0, 2)
        word = "".join(rng.choice(_SYLLABLES) for _ in range(length))
        if rng.random() < 0.02:
            word = word.translate(str.maketrans("aeo", "áéö"))
        found[word] = None
    return list(found)
