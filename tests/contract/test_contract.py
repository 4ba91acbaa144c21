"""What every matcher promises, one promise a test, on readable data."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rtf import DuplicateQueryError, Publication, RegistrationError, UnknownQueryError
from sparql_ft import QuerySyntaxError, UnsupportedFeatureError
from tests.contract.matchers import MATCHERS, Matcher

PREFIXES = "PREFIX : <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> "
TURTLE = "@prefix : <http://example.org/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> . "

GAMES = """
    :rio a :City ; :name "Rio de Janeiro"@pt, "Rio" ; :country :brazil ; :people 6211223 ;
         :founded "1565-03-01"^^xsd:date ;
         :text "The Olympic Games of 2016 were held in Rio; the games were the first in South America." .
    :brazil a :Country ; :name "Brazil" ; :capital :brasilia ; :text "A country in South America." .
    :brasilia a :City ; :name "Brasília" ; :country :brazil ; :people 2817381 .
    [] :mayor :rio ; :name "somebody" .
"""


@pytest.fixture(params=MATCHERS, ids=lambda name: name.replace(" ", "-"))
def matcher(request: pytest.FixtureRequest) -> Matcher:
    """Each of the matchers, empty."""
    make: Callable[[], Matcher] = MATCHERS[request.param]
    return make()


def publication(turtle: str = GAMES, graph: str | None = None) -> Publication:
    """A publication, in a named graph if one is given."""
    if graph is None:
        return Publication.parse(TURTLE + turtle, format="ttl", id="p")
    return Publication.parse(f"{TURTLE} :{graph} {{ {turtle} }}", format="trig", id="p")


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("{ ?x a :City }", True),
        ("{ ?x a :Village }", False),
        ("{ :rio :country :brazil }", True),
        ("{ :brazil :country :rio }", False),
        ("{}", True),
        # one subject has all tuples, or none does
        ('{ ?x a :City ; :text ?t FILTER ftcontains(?t, "olympic") }', True),
        ('{ ?x a :Country ; :text ?t FILTER ftcontains(?t, "olympic") }', False),
        ('{ ?x a :City ; :name "Brazil" }', False),
        # joins of subjects with objects, and of objects
        ("{ ?x :country ?y . ?y a :Country }", True),
        ("{ ?x :country ?y . ?y a :City }", False),
        ("{ ?x :capital ?y . ?y :country ?x }", True),
        ("{ ?x :capital ?y . ?y :capital ?x }", False),
        ("{ ?x :country ?y . ?z :country ?y . FILTER(?x != ?z) }", True),
        ("{ ?x :capital ?y . ?z :capital ?y . FILTER(?x != ?z) }", False),
        ("{ ?x ?p ?x }", False),
        # words
        ('{ ?x ?p ?t FILTER ftcontains(?t, "south america") }', True),
        ('{ ?x ?p ?t FILTER ftcontains(?t, "america south") }', False),
        ('{ ?x ?p ?t FILTER ftcontains(?t, "games" ftNEAR[0,5] "rio") }', True),
        ('{ ?x ?p ?t FILTER ftcontains(?t, "rio" ftNEAR[5,*] "rio") }', False),
        ('{ ?x :name ?t FILTER ftcontains(?t, "brasilia") }', False),
        ('{ ?x :name ?t FILTER ftcontains(?t, "brasilia" using diacritics insensitive) }', True),
        ('{ ?x :text ?t FILTER ftcontains(?t, "game" using stemming ftAND "hold") }', False),
        ('{ ?x :text ?t FILTER ftcontains(?t, "game" using stemming ftAND "ol?mp*" using wildcards) }', True),
        ('{ ?x :text ?t FILTER ftcontains(?t, "games" using case sensitive) }', True),
        ('{ ?x :text ?t FILTER ftcontains(?t, "GAMES" using case sensitive) }', False),
        ('{ ?x :text ?t FILTER ftcontains(?t, ftNOT "country") }', True),
        ('{ ?x :name ?t FILTER ftcontains(?t, ftNOT "rio" ftAND ftNOT "brazil") }', True),
        ('{ ?x :text ?t FILTER ftcontains(?t, ftNOT "in") }', False),
        ('{ ?x :text ?t FILTER ftcontains(?t, ("winter" ftOR "2016") ftAND "held") }', True),
        ('{ ?x :text ?t FILTER(ftcontains(?t, "winter") || ftcontains(?t, "country")) }', True),
        ('{ ?x :name ?t FILTER(!ftcontains(?t, "rio") && !ftcontains(?t, "somebody")) }', True),
        # comparisons
        ("{ ?x :people ?n FILTER(?n > 6000000) }", True),
        ("{ ?x :people ?n FILTER(?n > 6000000.5e1) }", False),
        ("{ ?x :people ?n FILTER(2817381 = ?n) }", True),
        ('{ ?x :founded ?d FILTER(?d < "1600-01-01"^^xsd:date) }', True),
        ('{ ?x :name ?n FILTER(lang(?n) = "pt") }', True),
        ('{ ?x :name ?n FILTER(?n = "Rio de Janeiro") }', False),
        ('{ ?x :name ?n FILTER regex(?n, "^bra", "i") }', True),
        ("{ ?x :people ?n . ?y :people ?m FILTER(?n > 2 * ?m) }", True),
        ("{ ?x :people ?n . ?y :people ?m FILTER(?n > 3 * ?m) }", False),
        # the rest of SPARQL
        ("{ ?x a :City OPTIONAL { ?x :founded ?d } FILTER(!bound(?d)) }", True),
        ("{ ?x a :Country OPTIONAL { ?x :capital ?d } FILTER(!bound(?d)) }", False),
        ("{ { ?x a :Village } UNION { ?x a :Country } }", True),
        ("{ ?x a :City MINUS { ?x :people ?n } }", False),
        ("{ ?x a :City MINUS { ?x :founded ?n } }", True),
        ("{ ?x a :City FILTER NOT EXISTS { ?x :text ?t } }", True),
        ("{ ?x a :City FILTER EXISTS { ?x :text ?t ; :people ?n } }", True),
        ("{ ?x :country/:capital :brasilia }", True),
        ("{ :rio :country/:capital/:capital ?x }", False),
        ("{ :rio (:country|:capital)+ :brasilia }", True),
        ("{ :rio :capital* :rio }", True),
        ("{ :absent :capital* :absent }", True),
        ("{ ?x ^:mayor ?y . ?y :name 'somebody' }", True),
        ("{ ?x !(:name|:text|:people|:founded|:mayor|a) :brasilia }", True),
        ("{ VALUES ?x { :brazil :absent } ?x :capital ?c }", True),
        ("{ VALUES ?x { :rio :absent } ?x :capital ?c }", False),
        ("{ ?x :capital ?c } VALUES ?c { :rio }", False),
        ("{ ?x :people ?n BIND(?n / 2 AS ?half) FILTER(?half > 3000000) }", True),
        ("{ ?x :mayor ?y . FILTER isBlank(?x) }", True),
        ("{ [] :mayor [ a :City ] }", True),
        ("{ * :mayor * }", True),
        ("{ ?g a ?h . GRAPH ?graph { ?x a :City } }", False),
    ],
)
def test_match(matcher: Matcher, where: str, expected: bool) -> None:
    """A query matches iff its WHERE has a solution."""
    matcher.register("q", f"{PREFIXES} ASK {where}")
    assert matcher.match_ids(publication()) == (["q"] if expected else [])


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("{ GRAPH ?g { ?x a :City } }", True),
        ("{ GRAPH :g { ?x a :City } }", True),
        ("{ GRAPH :h { ?x a :City } }", False),
        ("{ GRAPH ?g { ?x a :City } ?y a :Country }", True),
        ("{ GRAPH ?x { ?x a :City } }", False),
        ("{ GRAPH :g { } }", True),
        ("{ ?x a :City }", True),
    ],
)
def test_graph(matcher: Matcher, where: str, expected: bool) -> None:
    """GRAPH sees the publication's own named graph."""
    matcher.register("q", f"{PREFIXES} ASK {where}")
    assert matcher.match_ids(publication(graph="g")) == (["q"] if expected else [])


def test_graph_without_one(matcher: Matcher) -> None:
    """GRAPH sees nothing where the publication has no named graph."""
    matcher.register("q", "ASK { GRAPH ?g { } }")
    assert matcher.match_ids(publication()) == []


def test_empty_publication(matcher: Matcher) -> None:
    """A query that requires nothing matches a publication without triples."""
    matcher.register_many(
        [("all", "ASK {}"), ("optional", "ASK { OPTIONAL { ?s ?p ?o } }"), ("some", "ASK { ?s ?p ?o }")]
    )
    assert matcher.match_ids(publication("")) == ["all", "optional"]


def test_order(matcher: Matcher) -> None:
    """Each id once, in order of registration, whatever the order of triples or of alternatives."""
    for id in ("z", "b", "y", "a"):
        matcher.register(id, PREFIXES + "ASK { { ?x a :City } UNION { ?x a :Country } UNION { ?x :capital ?y } }")
    matcher.unregister("y")
    matcher.register("c", PREFIXES + "ASK { ?x a :Country }")
    matcher.register("y", PREFIXES + "ASK { ?x a :City }")
    assert matcher.match_ids(publication()) == ["z", "b", "a", "c", "y"]


def test_same_again(matcher: Matcher) -> None:
    """The same id with the same text changes nothing, its place in the order included."""
    for id in ("a", "b", "a"):
        matcher.register(id, "ASK {}")
    assert matcher.match_ids(publication()) == ["a", "b"]
    assert len(matcher) == 2


def test_same_id_other_text(matcher: Matcher) -> None:
    """The same id with another text is an error, and the old query stays; unless it is to be replaced."""
    matcher.register("a", PREFIXES + "ASK { ?x a :City }")
    with pytest.raises(DuplicateQueryError, match="'a'"):
        matcher.register("a", PREFIXES + "ASK { ?x a :Village }")
    assert matcher.match_ids(publication()) == ["a"]
    matcher.register("a", PREFIXES + "ASK { ?x a :Village }", replace=True)
    assert matcher.match_ids(publication()) == []


def test_unregister(matcher: Matcher) -> None:
    """A query that was removed matches nothing; one that shares everything with it stays."""
    text = PREFIXES + 'ASK { ?x :text ?t FILTER ftcontains(?t, "olympic" ftAND "games") }'
    matcher.register_many([("a", text), ("b", text), ("c", text.replace("?t", "?u"))])
    matcher.unregister("a")
    matcher.unregister("c")
    assert ("a" in matcher, "b" in matcher, len(matcher)) == (False, True, 1)
    assert matcher.match_ids(publication()) == ["b"]
    matcher.unregister("b")
    assert matcher.match_ids(publication()) == []
    with pytest.raises(UnknownQueryError, match="'b'"):
        matcher.unregister("b")


def test_many_or_none(matcher: Matcher) -> None:
    """One error refuses all, and all errors are told."""
    matcher.register("there", "ASK {}")
    with pytest.raises(RegistrationError) as caught:
        matcher.register_many(
            [("good", "ASK {}"), ("bad", "ASK {"), ("sorted", "SELECT * {} ORDER BY ?x"), ("there", "ASK { ?s ?p ?o }")]
        )
    assert {id: type(error) for id, error in caught.value.errors.items()} == {
        "bad": QuerySyntaxError,
        "sorted": UnsupportedFeatureError,
        "there": DuplicateQueryError,
    }
    assert (len(matcher), "good" in matcher) == (1, False)
    assert str(caught.value).startswith("3 of 4 queries cannot be registered; none was\nbad: line 1")


def test_a_wrong_query_changes_nothing(matcher: Matcher) -> None:
    """Errors of the language come out as they are."""
    with pytest.raises(QuerySyntaxError):
        matcher.register("a", "ASK { ?x }")
    with pytest.raises(UnsupportedFeatureError):
        matcher.register("a", "DESCRIBE ?x")
    assert len(matcher) == 0
    assert "a" not in matcher


def test_literals_are_terms(matcher: Matcher) -> None:
    """Constants in patterns compare as terms: lexical form, datatype, and language in lower case."""
    texts = {
        "same": ":s :p 1",
        "other spelling": ":s :p 01",
        "other type": ":s :p 1.0",
        "language": ':s :q "x"@EN',
        "no language": ':s :q "x"',
        "value": ":s :p ?v FILTER(?v = 1.0)",
    }
    matcher.register_many([(id, f"{PREFIXES} ASK {{ {text} }}") for id, text in texts.items()])
    assert matcher.match_ids(publication(':s :p 1 ; :q "x"@en .')) == ["same", "language", "value"]
    assert matcher.match_ids(publication(':s :p 01 ; :q "x" .')) == ["other spelling", "no language", "value"]
