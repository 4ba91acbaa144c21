"""Generated entities: the statistics that are promised, and names that are told apart."""

from __future__ import annotations

import unicodedata
from collections import Counter
from statistics import mean, median

import pytest

from datasets.dbpedia import DBpedia
from datasets.publications import ABSTRACT, LABEL, TYPE, World
from datasets.scripts import LANGUAGES, translated
from sparql_ft import Publication
from sparql_ft.analyser import tokens
from sparql_ft.iri import is_valid_iri
from sparql_ft.terms import IRI, Literal

DBPEDIA = DBpedia(1)


@pytest.fixture(scope="module")
def entities() -> list[Publication]:
    """Some thousands."""
    return list(DBPEDIA.entities(4000))


def texts(entities: list[Publication], predicate: IRI) -> list[Literal]:
    """The literals of a property."""
    return [o for each in entities for _, p, o in each if p == predicate and isinstance(o, Literal)]


def test_same_entities() -> None:
    """An entity follows from seed and number alone."""
    assert DBPEDIA.entity(12).triples == next(DBpedia(1).entities(1, 12)).triples
    assert DBPEDIA.entity(12) != DBpedia(2).entity(12)


def test_plain_world_is_as_before() -> None:
    """Benchmark figures depend on what the seeds of `World` give."""
    entity = World(2026).entity(5)
    assert entity.id == "http://dbpedia.org/resource/E5"
    assert [str(o) for _, p, o in entity if p in (TYPE, LABEL)] == [
        "<http://dbpedia.org/ontology/Remikicise>",
        '"Ponoli nicolo"@en',
    ]


def test_size(entities: list[Publication]) -> None:
    """About ten triples an entity, 53 words an abstract on average, most abstracts shorter and some much longer."""
    assert 9.5 < mean(map(len, entities)) < 11.5
    lengths = [len(tokens(each.lexical)) for each in texts(entities, ABSTRACT)]
    assert len(lengths) == len(entities)
    assert 50 < mean(lengths) < 56
    assert median(lengths) < 40
    assert max(lengths) > 500


def test_skew(entities: list[Publication]) -> None:
    """Words, classes and properties are Zipf's: the one of rank r is about r times rarer than the first."""
    words = Counter(word for each in texts(entities, ABSTRACT) for word in tokens(each.lexical))
    classes = Counter(o for each in entities for _, p, o in each if p == TYPE)
    properties = Counter(p for each in entities for _, p, _ in each if p not in (TYPE, LABEL, ABSTRACT))
    for counts in (words, classes, properties):
        ordered = [count for _, count in counts.most_common()]
        for rank in (3, 10, 30):
            assert 0.7 < ordered[0] / ordered[rank - 1] / rank < 1.4
    assert len(words) > 20_000


def test_several_values(entities: list[Publication]) -> None:
    """Some properties of some entities have several values, and many entities several types."""
    several = sum(len({p for _, p, _ in each}) < len(each) for each in entities)
    assert 0.5 < several / len(entities) < 1


def test_languages(entities: list[Publication]) -> None:
    """Each entity has one English label; the others are in all languages, in the script of each."""
    labels = texts(entities, LABEL)
    by_language = {each: [label.lexical for label in labels if label.language == each] for each in ("en", *LANGUAGES)}
    assert len(by_language["en"]) == len(entities)
    scripts = {"ru": "CYRILLIC", "el": "GREEK", "ar": "ARABIC", "hi": "DEVANAGARI", "ja": "KATAKANA", "ko": "HANGUL"}
    for language, script in scripts.items():
        assert len(by_language[language]) > 300
        assert all(any(script in unicodedata.name(c, "") for c in label) for label in by_language[language])


def test_translated() -> None:
    """What is no word stays as it is."""
    assert translated("Kori bade?", "ja") == "コリ バデ?"
    assert translated("Kori Bádé", "ru") == "Кори Баде"
    assert translated("kati", "ko") == "카티"
    assert translated('"ka" 100%', "hi") == '"का" 100%'
    assert translated("Kori", "de") == "Kori"


def test_names() -> None:
    """No two entities are called the same, and every IRI is one."""
    for world in (DBPEDIA, DBpedia(1, uris=True)):
        iris = {world.iri(number).value for number in range(20_000)}
        assert len(iris) == 20_000
        assert all(map(is_valid_iri, list(iris)[::10]))


def test_references(entities: list[Publication]) -> None:
    """Entities refer to entities of the world."""
    known = {DBPEDIA.iri(number) for number in range(100_000)}
    used = {o for each in entities for _, p, o in each if isinstance(o, IRI) and p != TYPE}
    assert used
    assert used <= known


def test_vocabulary_is_large_enough() -> None:
    """Names need words."""
    with pytest.raises(ValueError, match="names are made of 2048 words"):
        DBpedia(1, vocabulary=100)
