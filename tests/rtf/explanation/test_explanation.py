"""Explanations: what is said about a match, and about each way not to match."""

from __future__ import annotations

import json
import re
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from rtf import Engine, Ontology, UnknownQueryError
from rtf.explanation.explanation import Explanation
from sparql_ft import Publication

PREFIXES = "PREFIX : <http://x.org/>\n"


def explained(query: str, turtle: str, **options: object) -> Explanation:
    """The explanation of a query, on a publication in TriG; both have the prefix `:`."""
    engine = Engine(**options)  # type: ignore[arg-type]
    engine.register("q", PREFIXES + query)
    return engine.explain("q", Publication.parse(PREFIXES + turtle, format="trig", id="p"))


def reasons(found: Explanation) -> list[tuple[str, str]]:
    """Kind and message of everything that fails, in order."""
    alternatives = found.alternatives
    all_of_them = [
        reason for one in alternatives for reason in (*(each.reason for each in one.tuples), one.reason) if reason
    ]
    return [(reason.kind, reason.message) for reason in all_of_them]


# --- what fails -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "turtle", "kind", "message"),
    [
        ("?x :p :o", ":a :q :o .", "triple", "no triple has the predicate :p"),
        (
            "?x :p :o",
            ":a :p :b ; :q :o .",
            "triple",
            "no triple has the predicate :p and the object :o; there it is :b",
        ),
        (
            ":s :p ?y",
            ":a :p 1 . :b :p 1 .",
            "triple",
            "no triple has the predicate :p and the subject :s; there it is :a or :b",
        ),
        ("?x ?p ?y", "", "triple", "there is no triple at all"),
        ("?x :p ?x", ":a :p :b .", "same", "?x stands in two places, which differ here"),
        (
            '?x :p ?y FILTER ftcontains(?y, "a")',
            ":a :p :b .",
            "literal",
            ":b is no literal, so no word can be found in it",
        ),
        (
            "?x :p ?y FILTER (?y > 5)",
            ":a :p 3 .",
            "condition",
            '?y > 5 is false for ?y = "3"^^xsd:integer',
        ),
        ("?x :p ?y FILTER (?y > 5)", ":a :p :b .", "condition", "?y > 5 is an error for ?y = :b: "),
        ("GRAPH ?g { ?x :p ?y }", ":a :p 1 .", "graph", "the publication has no named graph, which GRAPH asks for"),
        (
            "GRAPH :g { ?x :p ?y }",
            ":h { :a :p 1 }",
            "graph",
            "GRAPH asks for :g, and the publication is the graph :h",
        ),
        (
            "?x :p ?y . ?y :q ?z",
            ":a :p :b . :c :q :d .",
            "join",
            "the tuples do not join: ?y is :c in `?y :q ?z`, but :b in `?x :p ?y`",
        ),
        (
            "?x :p ?n . ?x :q ?m . ?n :r ?m",
            ":a :p :b ; :q :c . :d :p :e ; :q :f . :b :r :f .",
            "join",
            "the tuples do not join: `?n :r ?m` does not agree with those before on ?n, ?m",
        ),
        (
            "?x :p ?a ; :q ?b FILTER (?a < ?b)",
            ':x :p "2" ; :q "1" .',
            "condition",
            '?a < ?b is false for ?a = "2", ?b = "1"',
        ),
        (
            "?x :p ?a FILTER NOT EXISTS { ?x :q ?b }",
            ":x :p 1 ; :q 2 .",
            "sparql",
            "FILTER NOT EXISTS { ?x :q ?b . } is not true for ?x = :x",
        ),
        (
            "?x :p ?a MINUS { ?x :q ?b }",
            ":x :p 1 ; :q 2 .",
            "sparql",
            "MINUS { ?x :q ?b . } takes away all solutions, as with ?x = :x",
        ),
        (
            "?x :p ?a . ?x :q+ :c",
            ":x :p 1 ; :q :b . :y :q :c .",
            "sparql",
            "without ?x :q+ :c . it would match",
        ),
    ],
)
def test_what_fails(query: str, turtle: str, kind: str, message: str) -> None:
    """One thing is wrong, and it is named (here with short names)."""
    found = explained(f"ASK {{ {query} }}", turtle)
    assert found.matches is False
    ((told_kind, told),) = reasons(found)
    told = re.sub(r"<http://x\.org/(\w+)>", r":\1", told).replace(
        "<http://www.w3.org/2001/XMLSchema#integer>", "xsd:integer"
    )
    assert (told_kind, told[: len(message)]) == (kind, message)
    assert told == message or message.endswith(": ")


@pytest.mark.parametrize(
    ("expression", "text", "message"),
    [
        ('"Rio"', "Olympic Games", 'the text lacks the word "rio"'),
        ('"rio" using case sensitive', "Rio", 'the text lacks the word "rio" (case sensitive)'),
        ('"games" using stemming', "a play", 'the text lacks a word with the stem "game"'),
        ('"olymp*" using wildcards', "Rio", 'the text lacks a word like "olymp*"'),
        ('"olympic games"', "Olympic Rio", 'the text lacks the word "games"'),
        (
            '"olympic games"',
            "games, Olympic",
            'the text has the words of "olympic games", but not one after the other',
        ),
        ('"a" ftAND "b" ftAND "c"', "a c", 'the text lacks the word "b"'),
        ('"a" ftOR "b"', "c", 'the text lacks the word "a", and the text lacks the word "b"'),
        ('"a" ftOR "b" ftOR "c" ftOR "d" ftOR "e" ftOR "f"', "x", "so on (2 more)"),
        ('"a" ftAND ftNOT ("b" ftOR "c")', "a c", 'the text satisfies "b" ftOR "c", which ftNOT forbids'),
        ('"a" ftNEAR[0,2] "b"', "a", 'the text lacks the word "b"'),
        (
            '"a" ftNEAR[0,1] "b"',
            "b a a x x b",
            'the words of "a" ftNEAR[0,1] "b" are there, but not at this distance ("a" at word 2, 3; "b" at word 1, 6)',
        ),
        ('"a" ftNEAR[0,0] "b"', "b " * 6 + "a", '"b" at word 1, 2, 3, 4, …'),
    ],
)
def test_why_a_text_fails(expression: str, text: str, message: str) -> None:
    """The word that is missing, or what is wrong with the words that are there."""
    found = explained(f"ASK {{ ?x :p ?t FILTER ftcontains(?t, {expression}) }}", f':a :p "{text}" .')
    ((kind, told),) = reasons(found)
    assert (found.matches, kind) == (False, "text")
    assert message in told


def test_each_triple_that_came_close() -> None:
    """Each has a reason of its own, in the order of the publication."""
    found = explained('ASK { ?x :p ?t FILTER ftcontains(?t, "a" ftAND "b") }', ':a :p "b", "a", :c ; :q "a b" .')
    (tuple_,) = found.alternatives[0].tuples
    assert [attempt.reason.message for attempt in tuple_.attempts] == [
        'the text lacks the word "a"',
        'the text lacks the word "b"',
        "<http://x.org/c> is no literal, so no word can be found in it",
    ]


def test_alternatives() -> None:
    """Of a UNION each branch is told about."""
    found = explained("ASK { { ?x :p 1 } UNION { ?x :q 2 } }", ":a :q 2 .")
    assert found.matches
    assert [each.holds for each in found.alternatives] == [False, True]


def test_never() -> None:
    """A query without alternatives cannot match anything."""
    found = explained("ASK { ?x :p ?y VALUES ?y { } }", ":a :p 1 .")
    assert (found.matches, found.alternatives) == (False, ())
    assert str(found).splitlines()[1] == "  it can never match: no triples can satisfy all of its conditions"


def test_no_answer() -> None:
    """A query that takes too many steps has no answer, and it is said why; the engine reports the same."""
    turtle = ":a " + " ; ".join(f":p{number} {number}" for number in range(30)) + " ."
    query = "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?c + ?f + ?i < 0) }"
    found = explained(query, turtle, max_steps=1000)
    assert found.matches is None
    assert found.failure == "the query takes more than 1,000 steps on this publication"
    assert str(found).startswith("q has no answer on p: the query takes more than 1,000 steps")


# --- what matches ---------------------------------------------------------------------------------------------------


def test_how_it_matches() -> None:
    """The triples of each tuple, some solutions, and the words that were found."""
    found = explained('SELECT ?x { ?x :p ?t FILTER ftcontains(?t, "rio") }', ':a :p "In Rio." . :b :p "rio", "x" .')
    assert found.matches
    assert [len(each.triples) for each in found.alternatives[0].tuples] == [2]
    assert [{name: str(term) for name, term in binding} for binding in found.bindings] == [
        {"x": "<http://x.org/a>", "t": '"In Rio."'},
        {"x": "<http://x.org/b>", "t": '"rio"'},
    ]
    assert [(each.variable, each.positions, each.spans) for each in found.highlights] == [
        ("t", (1,), ((3, 6),)),
        ("t", (0,), ((0, 3),)),
    ]


def test_a_few_solutions() -> None:
    """Of many solutions some are enough."""
    found = explained("SELECT * { ?x :p ?y }", " ".join(f":a{number} :p {number} ." for number in range(100)))
    assert (found.matches, len(found.bindings), len(found.alternatives[0].tuples[0].triples)) == (True, 5, 100)
    assert "… and 97 triples more" in str(found)


def test_ontology() -> None:
    """What follows from an ontology is there for an explanation, too."""
    ontology = Ontology(
        Publication.parse(
            PREFIXES + "PREFIX r: <http://www.w3.org/2000/01/rdf-schema#> :Cat r:subClassOf :Animal .", format="ttl"
        ).triples
    )
    found = explained("ASK { ?x a :Animal }", ":tom a :Cat .", ontology=ontology)
    assert found.matches
    assert str(found).splitlines()[-1] == "         :tom a :Animal"


def test_base() -> None:
    """Names in the query are relative to the engine's base."""
    assert explained("ASK { ?x type article }", ":a :type :article .", base="http://x.org/").matches


def test_unknown() -> None:
    """There is nothing to say about a query that is not there."""
    with pytest.raises(UnknownQueryError):
        Engine().explain("q", Publication.from_triples([]))


# --- as a value -----------------------------------------------------------------------------------------------------

QUERY = """SELECT ?town {
  { ?town a :Town ; :text ?t FILTER ftcontains(?t, "port" ftNEAR[0,3] "sea") }
  UNION { ?town a :Town ; :people ?n FILTER (?n > 1000000) FILTER NOT EXISTS { ?town :old true } }
}"""
TOWNS = """
:ostend a :Town ; :text "A port at the northern sea", "Sea, sun and, in between, a large old port" ; :people 71000 .
:paris a :Town ; :people 2100000 ; :old true .
"""


@pytest.mark.parametrize(("name", "towns"), [("matches", TOWNS), ("fails", TOWNS.replace("A port", "A town"))])
def test_as_text(name: str, towns: str) -> None:
    """The whole text. To accept a new layout, write it there."""
    expected = (Path(__file__).parent / "texts" / f"{name}.txt").read_text(encoding="utf-8")
    assert f"{explained(QUERY, towns)}\n" == expected


def test_as_json() -> None:
    """For programs: terms as in SPARQL's JSON, tuples and triples in canonical text."""
    told = json.loads(
        json.dumps(explained("ASK { ?x :p ?t FILTER ftcontains(?t, 'b') }", ':a :p "B"@en, 1 .').as_json())
    )
    assert (told["query_id"], told["publication"], told["matches"], told["failure"]) == ("q", "p", True, None)
    assert told["bindings"] == [
        {
            "x": {"type": "uri", "value": "http://x.org/a"},
            "t": {"type": "literal", "value": "B", "xml:lang": "en"},
        }
    ]
    (highlight,) = told["highlights"]
    assert (highlight["words"], highlight["positions"], highlight["spans"]) == (["B"], [0], [[0, 1]])
    (alternative,) = told["alternatives"]
    assert (alternative["holds"], alternative["reason"], alternative["residual"]) == (True, None, False)
    (each,) = alternative["tuples"]
    assert each["triples"] == ['<http://x.org/a> <http://x.org/p> "B"@en']
    assert (each["tuple"], each["reason"]) == ('(?x, <http://x.org/p>, ?t, ftcontains("b"))', None)
    told = explained("ASK { ?x :p ?t FILTER ftcontains(?t, 'b') }", ":a :p 1 .").as_json()
    (each,) = told["alternatives"][0]["tuples"]  # type: ignore[index]
    assert each["reason"] == each["attempts"][0]["reason"] == {"kind": "text", "message": 'the text lacks the word "b"'}


def test_is_a_value() -> None:
    """Equal explanations are equal, can be members of sets, and do not change."""
    first, second = (explained("ASK { ?x :p ?y }", ":a :p 1 .") for _ in range(2))
    assert first == second
    assert len({first, second}) == 1
    with pytest.raises(FrozenInstanceError):
        first.matches = False  # type: ignore[misc]


def test_long_texts_and_control_characters() -> None:
    """A long literal is cut, its found words are shown, and nothing in it reaches a terminal."""
    text = "x " * 300 + "\\u001B[31m rio " + "y " * 300
    shown = str(explained('ASK { ?x :p ?t FILTER ftcontains(?t, "rio") }', f':a :p "{text}" .'))
    assert max(map(len, shown.splitlines())) < 200
    assert "\x1b" not in shown
    assert "[rio]" in shown
