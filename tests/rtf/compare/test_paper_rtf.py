"""The paper's RTF, plain and compiled, with and without our changes: it finds what evaluating each query finds."""

from __future__ import annotations

from itertools import product

import pytest

from datasets.publications import World
from datasets.queries import queries
from rtf.compare.naive import Naive
from rtf.compare.paper_flat import PaperRtfCompiled
from rtf.compare.paper_rtf import MAX_SEPARATE, PaperRtf
from rtf.mutable.forest import Layout
from sparql_ft import Publication

WORLD = World(5, classes=10, properties=20, vocabulary=300)
WORKLOAD = list(queries(WORLD, 150, 5, dense=True))
PUBLISHED = list(WORLD.entities(8, first=1_000))

MANY = " ftOR ".join(f'"w{number}"' for number in range(MAX_SEPARATE + 2))
# What the paper's workload has not: what tuples do not decide, what is required of nothing, words in other readings.
ODD = [
    ("all", "ASK {}"),
    ("any", "ASK { ?s ?p ?o }"),
    ("join", "ASK { ?x <urn:p> ?v . ?y <urn:q> ?v }"),
    ("phrase", 'ASK { ?x <urn:t> ?t FILTER ftcontains(?t, "big red") }'),
    ("or", 'ASK { ?x <urn:t> ?t FILTER ftcontains(?t, "red" ftOR "blue") }'),
    ("both", 'ASK { ?x <urn:t> ?t FILTER ftcontains(?t, "red" ftAND "big") }'),
    ("not", 'ASK { ?x <urn:t> ?t FILTER ftcontains(?t, ftNOT "red") }'),
    ("stem", 'ASK { ?x <urn:t> ?t FILTER ftcontains(?t, "balls" using stemming) }'),
    ("literal", 'ASK { ?x <urn:t> "red"@en }'),
    ("subject", "ASK { <urn:a> <urn:p> ?v }"),
    ("two", "ASK { { ?x <urn:p> ?v } UNION { ?x <urn:q> ?v } }"),
    ("minus", "ASK { ?x <urn:p> ?v MINUS { ?x <urn:q> ?v } }"),
    (
        "many",
        f"ASK {{ ?x <urn:t> ?t FILTER ftcontains(?t, {MANY}) }}",
    ),
]
ODD_PUBLISHED = [
    Publication.parse(text, format="ttl", id="urn:publication")
    for text in (
        '<urn:a> <urn:p> <urn:v> ; <urn:t> "a big red ball" , "blue"@de .',
        "<urn:a> <urn:p> <urn:v> . <urn:b> <urn:q> <urn:v> .",
        '<urn:c> <urn:t> "red"@en , "Balls w65" ; <urn:q> _:b .',
        '_:b <urn:t> "red big" .',
        "",
    )
]
OPTIONS = [
    dict(zip(("rarest_first", "access_tuples", "equal_once"), some, strict=True))
    for some in product((False, True), repeat=3)
]


@pytest.mark.parametrize("layout", ["rtfm", "rtfs"])
@pytest.mark.parametrize("kind", [PaperRtf, PaperRtfCompiled])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda some: "+".join(name for name in some if some[name]) or "paper")
def test_as_naive(layout: Layout, kind: type[PaperRtf | PaperRtfCompiled], options: dict[str, bool]) -> None:
    """Registered in two parts, asked about each publication twice: nothing is left behind by the one before."""
    for texts, published in ((WORKLOAD, PUBLISHED), (ODD, ODD_PUBLISHED)):
        matcher, naive = kind(layout, **options), Naive()
        naive.register_many(texts)
        for part in (texts[:5], texts[5:]):
            matcher.register_many(part)
        assert len(matcher) == len(texts)
        expected = [naive.match_ids(each) for each in published]
        assert [matcher.match_ids(each) for each in published] == expected
        assert [matcher.match_ids(each) for each in reversed(published)] == expected[::-1]
        assert sum(map(len, expected)) > len(published)


def test_nothing_registered() -> None:
    """Nothing matches."""
    assert PaperRtfCompiled().match_ids(PUBLISHED[0]) == []
