"""A `World` as a reader of dumps meets it: everything that DBpedia's files have and that somebody could trip over.

Names have quotes, question marks, commas, percent signs and letters beyond ASCII, and IRIs are made of them as DBpedia
does it. Labels are in several languages and scripts. Literals are plain strings (codes), numbers, years, dates, sums of
money, lists with line ends, and texts with quotes. Numbers of classes and properties are those of the RTF paper, as is
the mean length of an abstract, 53 words; most are shorter and a few are very long.
"""

from __future__ import annotations

import math
import random
from functools import lru_cache
from itertools import accumulate
from typing import Final
from urllib.parse import quote

from datasets.publications import ABSTRACT, LABEL, RESOURCE, TYPE, World
from datasets.scripts import LANGUAGES, translated
from sparql_ft import Publication
from sparql_ft.terms import IRI, XSD, Literal, Triple

__all__ = ["DBpedia"]

WORDS: Final = 53  # of an abstract, on average
LONGEST: Final = 14_254  # words, in the paper's corpus
_SPREAD: Final = 1.0  # of the logarithm of the number of words
_MEAN_LOG: Final = math.log(WORDS) - _SPREAD**2 / 2
_NAMES: Final = 2048  # words that names are made of
_DATATYPE: Final = "http://dbpedia.org/datatype/"

# What DBpedia percent-encodes in an IRI: what an IRI cannot have, and what would end its path.
_ENCODED: Final = str.maketrans({each: quote(each) for each in '"%<>?[\\]^`{|}#'} | {" ": "_"})
_URI_SAFE: Final = "/:;,@&=+$-_.!~*'()%"


class DBpedia(World):
    """What entities are made of, and the entities.

    With `uris` there is nothing but ASCII in IRIs, the rest is percent-encoded: so the .nt files of older releases.
    """

    def __init__(
        self,
        seed: int,
        classes: int = 529,
        properties: int = 2_300,
        vocabulary: int = 100_000,
        *,
        uris: bool = False,
    ) -> None:
        if vocabulary < _NAMES:
            raise ValueError(f"names are made of {_NAMES} words, but the vocabulary has {vocabulary}")
        super().__init__(seed, classes, properties, vocabulary)
        self.uris = uris
        self._frequency = list(accumulate(1 / rank for rank in range(1, vocabulary + 1)))
        self._names = [word.capitalize() for word in self.vocabulary[:_NAMES]]
        self._kinds = {each: sum(each.value.encode()) % 16 for each in self.properties}
        self.iri = lru_cache(maxsize=100_000)(self._iri)

    def name(self, number: int) -> str:
        """What entity `number` is called in English. No two are called the same."""
        mixed = (number * 2_654_435_761 + self.seed) % 2**32  # odd, so this is one to one
        first, second, third = (self._names[each] for each in (mixed >> 21, mixed >> 10 & 2047, mixed & 1023))
        if number % 7 == 3:
            name = f'{first} "{second}" {third}'
        elif number % 13 == 5:
            name = f"{first}, {second} & {third}"
        elif number % 17 == 7:
            name = f"L'{first} {second}–{third}"
        else:
            name = f"{first} {second} {third}"
        if number % 5 == 2:
            name += f" ({self.vocabulary[mixed % 97]})"
        if number % 11 == 4:
            name += "?"
        if number % 101 == 9:
            name += " 100%"
        if number % 211 == 8:
            name += "\\"
        return name

    def _iri(self, number: int) -> IRI:
        path = self.name(number).translate(_ENCODED)
        return IRI(RESOURCE + (quote(path, safe=_URI_SAFE) if self.uris else path))

    def resource(self, rng: random.Random) -> IRI:
        """An entity that others refer to, by frequency."""
        return self.iri(self._resource.draw(rng))

    def entity(self, number: int) -> Publication:
        """Entity `number`."""
        rng = random.Random(self.seed * 1_000_003 + number)
        subject = self.iri(number)
        triples: list[Triple] = [(subject, TYPE, self.class_(rng)) for _ in range(rng.choice((1, 1, 2, 3)))]
        name = self.name(number)
        languages = rng.sample(LANGUAGES, rng.choice((0, 0, 1, 1, 2, 4)))
        triples.append((subject, LABEL, Literal(name, language="en")))
        triples += [(subject, LABEL, Literal(translated(name, each), language=each)) for each in languages]
        for _ in range(rng.randint(1, 6)):
            predicate = self.property(rng)
            triples += [(subject, predicate, self._value(predicate, rng)) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        triples.append((subject, ABSTRACT, Literal(self._abstract(number, name, languages, rng), language="en")))
        return Publication(subject.value, tuple(triples))

    def _abstract(self, number: int, name: str, languages: list[str], rng: random.Random) -> str:
        """Begins as encyclopaedias do, with the name and what others call it."""
        start = f"{name} ({languages[0]}: {translated(name, languages[0])})" if languages else name
        if number % 97 == 11:
            start += " 𐌲𐌿𐍄"  # outside of the first plane, as Gothic names in Wikipedia
        length = min(round(rng.lognormvariate(_MEAN_LOG, _SPREAD)), LONGEST)
        return f"{start} {self.text_of(max(1, length - len(start.split())), rng)}"

    def text_of(self, count: int, rng: random.Random) -> str:
        """That many words in sentences, some of them in quotes."""
        chosen = rng.choices(self.vocabulary, cum_weights=self._frequency, k=count)
        for start in range(0, count, 12):
            last = min(start + 11, count - 1)
            if last > start and rng.random() < 0.1:
                chosen[start + 1] = f'"{chosen[start + 1]}"'
            chosen[start] = chosen[start].capitalize()
            chosen[last] += "."
        return " ".join(chosen)

    def _value(self, predicate: IRI, rng: random.Random) -> IRI | Literal:
        """A property has values of one kind."""
        match self._kinds[predicate]:
            case 7:
                return Literal(str(int(rng.lognormvariate(8, 3))), XSD + "nonNegativeInteger")
            case 8:
                return Literal(f"{rng.gauss(0, 1000):.4g}", XSD + "double")
            case 9:
                day = f"{rng.randint(1800, 2020)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
                return Literal(day, XSD + "date")
            case 10:
                return Literal(str(rng.randint(1200, 2020)), XSD + "gYear")
            case 11:
                return Literal("".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZ", k=3)))
            case 12:
                return Literal(f"{rng.uniform(0.1, 90):.2f}E{rng.randint(3, 9)}", _DATATYPE + "usDollar")
            case 13:
                return Literal("\n".join(f"* {self.text_of(2, rng)}" for _ in range(rng.randint(2, 4))), language="en")
            case 14 | 15:
                return Literal(self.text_of(rng.randint(1, 9), rng), language="en")
            case _:
                return self.resource(rng)
