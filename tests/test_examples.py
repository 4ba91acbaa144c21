"""The queries of docs/examples: what their comments say is what they match."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest

from sparql_ft import Publication, matches, parse

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.rq"))
PREFIXES = """
@prefix : <http://x.org/> . @prefix dbo: <http://dbpedia.org/ontology/> . @prefix dbr: <http://dbpedia.org/resource/> .
@prefix dct: <http://purl.org/dc/terms/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix schema: <http://schema.org/> .
"""

MATCHING = {
    "books-by-nobel-laureates": [
        ':b dbo:author :a ; dbo:abstract "Of the Ocean." . :a dbo:award dbr:Nobel_Prize_in_Literature .',
        """:b dbo:author :a ; dbo:abstract "The sea." . :a dbo:influencedBy :c . :c dbo:influencedBy :d .
        :d dbo:award dbr:Nobel_Prize_in_Literature .""",
    ],
    "composers": [
        ':p a dbo:MusicComposer ; dbo:abstract "Dvořák conducted his symphonies." .',
        ':p a dbo:MusicComposer ; dbo:abstract "conducting Smetana, symphonic" ; dbo:birthPlace :x .',
    ],
    "large-ports": [':t a dbo:Town ; dbo:populationTotal 200000 ; dbo:abstract "With two harbours."@en .'],
    "moon-landings": [
        ':m rdfs:label "Landing on the Moon" .',
        ':m dbo:abstract "Moon: the first manned landing" .',
    ],
    "olympics": [':a <type> <article> ; <title> "Olympic Games" ; <body> "The Olympic Games in Rio" .'],
    "press-releases": [':g { :i dct:publisher :p ; :note "A Press Release, 3 May" }'],
    "same-name": [
        """:f a dbo:Film ; foaf:name "Emma" ; dbo:basedOn :b ; dbo:releaseYear 1996 ; dbo:abstract "From the novel." .
        :b foaf:name "Emma" ."""
    ],
    "volcanoes": [':v rdfs:label "List of VOLCANOES"@en .'],
    "wildfires": [
        ':n a schema:NewsArticle ; schema:headline "Bush fire!" ; schema:articleBody "In Greece" .',
        ':n a schema:NewsArticle ; schema:headline "Forest near Paphos on fire" ; schema:articleBody "Cyprus" .',
    ],
}

OTHERS = {
    "books-by-nobel-laureates": [
        ':b dbo:author :a ; dbo:abstract "The ocean." . :c dbo:award dbr:Nobel_Prize_in_Literature .',
        ':b dbo:author :a ; dbo:abstract "The lake." . :a dbo:award dbr:Nobel_Prize_in_Literature .',
    ],
    "composers": [
        ':p a dbo:MusicComposer ; dbo:abstract "Dvořák conducted." .',
        ':p dbo:abstract "Dvořák conducted his symphonies." .',
    ],
    "large-ports": [
        ':t a dbo:Town ; dbo:populationTotal 100000 ; dbo:abstract "A port."@en .',
        ':t a dbo:Town ; dbo:populationTotal 200000 ; dbo:abstract "A port."@fr .',
        ':t a dbo:Town ; dbo:populationTotal 200000 ; dbo:abstract "An airport."@en .',
    ],
    "moon-landings": [
        ':m dbo:abstract "Landing on the Moon" .',
        ':m dbo:abstract "Moon, and one two three four five words later landing" .',
        ':m rdfs:label "Moon" ; dbo:abstract "Landing" .',
    ],
    "olympics": [
        ':a <type> <article> ; <title> "Olympic Games" ; <body> "Olympic: games one two three Rio" .',
        ':a <type> <article> ; <title> "Olympic" , "Games" ; <body> "The Olympic Games in Rio" .',
    ],
    "press-releases": [
        ':i dct:publisher :p ; :note "A Press Release, 3 May" .',  # no named graph
        ':g { :i dct:publisher :p ; :note "Release the press" }',
    ],
    "same-name": [
        """:f a dbo:Film ; foaf:name "Emma" ; dbo:basedOn :b ; dbo:releaseYear 1996 ; dbo:abstract "From the novel." .
        :b foaf:name "Persuasion" .""",
        """:f a dbo:Film ; foaf:name "Emma" ; dbo:basedOn :b ; dbo:releaseYear 1996 ; dbo:abstract "Novel, remake" .
        :b foaf:name "Emma" .""",
    ],
    "volcanoes": [':v rdfs:label "Volcanology" .'],
    "wildfires": [
        ':n a schema:NewsArticle ; schema:headline "Wildfire" ; schema:articleBody "A drill in Greece" .',
        ':n a schema:NewsArticle ; schema:headline "Fire in the bush" ; schema:articleBody "Greece" .',
    ],
}


def publication(text: str) -> Publication:
    """The publication that the text has in TriG."""
    return Publication.parse(PREFIXES + text, format="trig", id="x")


def test_all_are_tested() -> None:
    """Each example has publications that it matches and others that it does not."""
    assert NAMES == sorted(MATCHING) == sorted(OTHERS)


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in MATCHING for text in MATCHING[name]])
def test_matches(name: str, text: str) -> None:
    """What it is made to find."""
    assert matches(parse((EXAMPLES / f"{name}.rq").read_text(encoding="utf-8")), publication(text))


@pytest.mark.parametrize(("name", "text"), [(name, text) for name in OTHERS for text in OTHERS[name]])
def test_does_not_match(name: str, text: str) -> None:
    """What comes close."""
    assert not matches(parse((EXAMPLES / f"{name}.rq").read_text(encoding="utf-8")), publication(text))


@pytest.mark.parametrize("name", NAMES)
def test_comment(name: str) -> None:
    """A newcomer is told what it finds, and which parts of the language it shows."""
    lines = (EXAMPLES / f"{name}.rq").read_text(encoding="utf-8").splitlines()
    comment = list(takewhile(lambda line: line.startswith("# "), lines))
    shows = [line for line in comment if line.startswith("# Shows: ")]
    assert len(shows) == 1
    assert 0 < comment.index(shows[0]) < len(comment) <= 3
