"""The sample: readable, right in form, and matched as a person would match it.

matches.txt says which entities each query finds. It was gone through by hand, and is checked against the plain
evaluation of each query on each entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from rtf import Engine, Publication
from rtf.sample import DUMP, OWNERS, QUERIES
from sparql_ft import matches, parse
from sparql_ft.analyser import tokens
from sparql_ft.terms import IRI, Literal, Triple

RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
FILES = sorted(DUMP.iterdir())
QUERY_FILES = sorted(QUERIES.rglob("*.rq"))


def expected() -> dict[str, set[str]]:
    """Query -> entities, from matches.txt."""
    found: dict[str, set[str]] = {}
    for line in Path(__file__).with_name("matches.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("  "):
            found[next(reversed(found))].add(line.strip())
        else:
            found[line.split()[1]] = set()
    return found


@pytest.fixture(scope="module")
def entities() -> list[Publication]:
    """The entities, each of the triples of all files."""
    subjects: dict[str, list[Triple]] = {}
    for file in FILES:
        for publication in Publication.parse_many(file.read_bytes(), "nt"):
            subjects.setdefault(publication.id, []).extend(publication.triples)
    return [Publication(id, tuple(triples)) for id, triples in subjects.items()]


@pytest.mark.parametrize("file", QUERY_FILES, ids=lambda file: file.stem)
def test_matches(file: Path, entities: list[Publication]) -> None:
    """The plain evaluation of a query finds what was expected of it."""
    query = parse(file.read_text(encoding="utf-8"))
    found = {entity.id.removeprefix(RESOURCE) for entity in entities if matches(query, entity)}
    assert found == expected()[file.stem]


def test_engine(entities: list[Publication]) -> None:
    """So does the engine, with all queries at once."""
    engine = Engine()
    engine.register_many((file.stem, file.read_text(encoding="utf-8")) for file in QUERY_FILES)
    found: dict[str, set[str]] = {file.stem: set() for file in QUERY_FILES}
    for entity in entities:
        for id in engine.match_ids(entity):
            found[id].add(entity.id.removeprefix(RESOURCE))
    assert found == expected()


def test_owners() -> None:
    """Each owner has a folder of queries, and no two queries have the same name."""
    assert {folder.name for folder in QUERIES.iterdir()} == set(OWNERS)
    assert {file.parent.parent for file in QUERY_FILES} == {QUERIES}
    assert len({file.stem for file in QUERY_FILES}) == len(QUERY_FILES) == len(expected())


def test_queries_are_explained() -> None:
    """The first line of each query says what it finds, and another one which part of the language it shows."""
    for file in QUERY_FILES:
        lines = file.read_text(encoding="utf-8").splitlines()
        comment = list(takewhile(lambda line: line.startswith("# "), lines))
        assert comment[0].endswith("."), file
        assert len(comment) == 2, file
        assert comment[1].startswith("# Shows: "), file


def test_language_is_shown() -> None:
    """Together the queries show the language."""
    texts = "\n".join(file.read_text(encoding="utf-8") for file in QUERY_FILES)
    for word in (
        *("ftAND", "ftOR", "ftNOT", "ftNEAR", "using stemming", "using wildcards", "using case sensitive"),
        *("using diacritics insensitive", "ft:contains", "OPTIONAL", "UNION", "MINUS", "NOT EXISTS", "VALUES", "BIND"),
        *("CONSTRUCT", "dbo:country|dbo:location", "lang(", "?thing * ?text"),
    ):
        assert word in texts, word


def test_files() -> None:
    """Line by line as DBpedia's: triples between two comments, and no blank between a plain string and the dot."""
    for file in FILES:
        first, *lines, last = file.read_text(encoding="utf-8").splitlines()
        assert first.startswith("# started ")
        assert last.startswith("# completed ")
        assert lines
        for line in lines:
            assert re.fullmatch(r'<[^>]*> <[^>]*> (<[^>]*> |"([^"\\]|\\.)*"(@[a-z]+ |\^\^<[^>]*> |))\.', line), line


def values(entity: Publication, predicate: str) -> Iterator[object]:
    """The values of a property."""
    return (o for _, p, o in entity if p.value == predicate)


def test_entities(entities: list[Publication]) -> None:
    """Each has a class, an English label and one abstract to read; nothing is there twice."""
    assert 150 < len(entities) < 300
    abstracts = set()
    for entity in entities:
        types = list(values(entity, "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"))
        labels = list(values(entity, "http://www.w3.org/2000/01/rdf-schema#label"))
        (abstract,) = values(entity, f"{ONTOLOGY}abstract")
        assert types
        assert len([label for label in labels if isinstance(label, Literal) and label.language == "en"]) == 1
        assert isinstance(abstract, Literal)
        assert 15 <= len(tokens(abstract.lexical)) <= 50, abstract
        assert abstract.lexical[-1] in '."', abstract
        abstracts.add(abstract)
    assert len(abstracts) == len(entities)
    lines = [line for file in FILES for line in file.read_text(encoding="utf-8").splitlines() if line[0] == "<"]
    assert len(lines) == len(set(lines)) == sum(map(len, entities))


def test_dates_and_heights(entities: list[Publication]) -> None:
    """Nobody dies before birth, and nothing is higher than Everest."""
    for entity in entities:
        dates = {
            name: value.lexical
            for name in ("birthDate", "deathDate", "launchDate", "landingDate")
            for value in values(entity, ONTOLOGY + name)
            if isinstance(value, Literal)
        }
        assert dates.get("birthDate", "0") < dates.get("deathDate", "9"), entity
        assert dates.get("launchDate", "0") <= dates.get("landingDate", "9"), entity
        for value in values(entity, f"{ONTOLOGY}elevation"):
            assert isinstance(value, Literal)
            assert 0 <= float(value.lexical) <= 8849


def test_ontology(entities: list[Publication], request: pytest.FixtureRequest) -> None:
    """Classes and properties are those of DBpedia's ontology, where that is at hand."""
    import bz2

    shared = request.getfixturevalue("shared_dir")
    ontology = bz2.decompress((shared("dbpedia") / "dbpedia_ontology.owl.bz2").read_bytes()).decode()
    known = set(re.findall(r'rdf:about="(http://dbpedia\.org/ontology/[^"]*)"', ontology))
    used = {t.value for entity in entities for _, p, o in entity for t in (p, o) if isinstance(t, IRI)}
    assert {iri for iri in used if iri.startswith(ONTOLOGY)} <= known
