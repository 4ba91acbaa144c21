"""`prepare` on texts as programs write them: many of one shape, with every kind of constant, in any order.

Whatever came before, the result is that of the full parser, errors included.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from sparql_ft import shapes as module
from sparql_ft.errors import QueryError
from sparql_ft.extraction.queries import extract
from sparql_ft.shapes import PreparedQuery, Shapes
from sparql_ft.syntax.parser import parse

CONSTANTS = {
    "iri": [
        "<http://e/a>", "<http://e/b>", "<http://e/c#d>", "<urn:x>", "<urn:y>", "<relative>", "<#f>", "<>", "<http://e/é>",
        "<http://e/a/../b>", "<HTTP://e/a>", "<http://e/%41>", "<http://e/%zz>", "<http://[::1]/>", "<http://[::/>",
        "<http://e/'q'>", "<urn:sparql-ft:contains>", "e:a", "e:b", ":a", "e:select", "e:1", "e:_", "e:a-b", "e:a.b",
        "e:", "f:a", "undeclared:a", "name", "a", "e:\\-", "<http://e/a>#comment 'it\n", "<urn:7391824650000001>",
        "e:marker7391824650x0x", "<http://e/\\u0041>", "<a b>",
    ],
    "string": [
        '"rio"', "'rio'", '"Rio"', '"RIO"', '"olympic games"', '"x  y"', '"..."', '""', "''", '"é"', '"e\u0301"', '"ß"',
        '"ss"', '"a\'b"', "'say \"rio\"'", '"#"', '"<http://e/a>"', '"?x"', '"{ }"', '"""long"""', "'''it's'''", '"*"',
        '"ri*"', '"running"', '"run"', '"a\\nb"', '"\\u0041"', '"a\nb"', '"\x00"', '"\ud800"', '"http://e/a"', '"1"',
        '"marker7391824650x1x"', '"²"', '"\u0308"', '"//"', '"rio', '"a" "b"',
    ],
    "tail": ["", "", "", "@en", "@EN-us", "^^<http://t>", "^^e:t", "^^<http://www.w3.org/2001/XMLSchema#string>"],
    "number": ["1", "2", "01", "10", "1.5", "-1", "+1", "1e5", ".5", "1.", "7391824650000000", "-0", "1 .", "- 1"],
    "using": [
        "", "", "using stemming", "using wildcards", "using case sensitive", "using diacritics insensitive",
        'using language "de" using stemming', "using language 'xx'", "using stemming using wildcards",
    ],
    "portable": ["'\"rio\"'", "'\"rio\" ftAND \"games\"'", "'\"a b\" ftOR ftNOT \"c\"'", "'rio'", "'\"\"'"],
}  # fmt: skip

USUAL = {"iri": "<http://e/n{}>", "string": '"word{}"', "number": "{}"}
HEADS = [
    "PREFIX e: <http://e/> PREFIX : <urn:> ",
    "PREFIX e: <http://e/> PREFIX f: <http://e/> PREFIX e: <http://other/> ",
    "BASE <http://b/c> PREFIX e: <x/> PREFIX : <#> ",
    '# a comment, it\'s "odd" <\nPREFIX e: <http://e/>\nPREFIX : <urn:> ',
    "",
]
PARTS = [
    "?x {iri} ?y .",
    "?x {iri} {iri}, {string}{tail} ; {iri} {number} .",
    "?x a {iri}.",
    "?x {iri}/{iri}* ?y.",
    "?x ({iri}|^{iri})+ ?z .",
    "?x {iri}?/!{iri} ?z .",
    "FILTER(?y > {number} && ?y != {string}{tail})",
    "FILTER(?y -{number} < {number}||?y IN ({iri},{number} , {string}))",
    "FILTER ftcontains(?y, {string} {using})",
    "FILTER ftcontains(?y, {string} {using} ftAND ({string} ftOR {string} {using}))",
    "FILTER ftcontains(?y, {string} ftNEAR[{number},3] {string})",
    "FILTER({iri}(?y, {portable}))",
    "FILTER(<urn:sparql-ft:contains>(?y, {portable}))",
    "FILTER({iri} # it's\n (?y, {string}))",
    "FILTER regex(?y, {string}, 'i')",
    "FILTER EXISTS {{ ?x {iri} ?z . FILTER(?z = {iri}) }}",
    "OPTIONAL {{ ?x {iri} ?l FILTER(lang(?l) = {string}) }}",
    "VALUES ?x {{ {iri} {iri} }}",
    "VALUES (?x ?w) {{ ({iri} {string}) (UNDEF {number}) }}",
    "BIND({string} AS ?b{bind})",
    "{{ ?x {iri} 1 }} UNION {{ ?x {iri} {number} }}",
    "GRAPH {iri} {{ ?x {iri} ?y }}",
    "?x {iri} [ {iri} {string} ] . # {string} {iri}\n",
]


def template(rng: random.Random) -> str:
    """What a program has written down: a query with holes."""
    parts = [part.replace("{bind}", str(place)) for place, part in enumerate(rng.choices(PARTS, k=rng.randint(1, 4)))]
    form = rng.choice(["ASK", "SELECT *", "SELECT ?x WHERE", "CONSTRUCT {{ ?x {iri} {string} }} WHERE"])
    tail = rng.choice(["", "", " VALUES ?x {{ {iri} }}"])
    return rng.choice(HEADS) + form + " {{ ?x ?p ?y . " + rng.choice([" ", "\n", ""]).join(parts) + " }}" + tail


def text(form: str, rng: random.Random) -> str:
    """The holes filled: mostly with new constants of the usual kind, with a few that come again, and with odd ones."""

    def constant(kind: str) -> str:
        luck = rng.random()
        if luck < 0.75 and kind in USUAL:
            return USUAL[kind].format(rng.randrange(10_000))
        return rng.choice(CONSTANTS[kind] if luck > 0.95 else CONSTANTS[kind][:3])

    result, rest = "", form
    while "{" in rest:
        before, rest = rest.split("{", 1)
        result += before
        if rest.startswith("{"):
            result, rest = result + "{", rest[1:]
        else:
            kind, rest = rest.split("}", 1)
            result += constant(kind)
    return (result + rest).replace("}}", "}")


def full_parse(text: str) -> PreparedQuery:
    """What `prepare` must give, without it."""
    query = parse(text)
    return PreparedQuery(query, extract(query))


def outcome(function: Callable[[str], PreparedQuery], text: str) -> object:
    """The result, or what the error says."""
    try:
        return function(text)
    except QueryError as error:
        return type(error), str(error)


def check(seed: int, templates: int, times: int) -> tuple[int, int]:
    """Compare the texts of several templates, mixed. How many were queries, and how many of these needed no parser."""
    rng, shapes, queries = random.Random(seed), Shapes(), 0
    forms = [template(rng) for _ in range(templates)]
    for _ in range(templates * times):
        one = text(rng.choice(forms), rng)
        expected = outcome(full_parse, one)
        assert outcome(shapes.prepare, one) == expected, one
        queries += isinstance(expected, PreparedQuery)
    return queries, shapes.filled


def test_texts_of_programs() -> None:
    """Thirty programs, forty texts each. Most are queries, and a good part of them is filled in."""
    queries, filled = check(1, 30, 40)
    assert queries > 600
    assert filled > 0.25 * queries


@pytest.mark.slow
def test_many_texts_of_programs() -> None:
    """100,000 texts of a thousand programs."""
    for seed in range(100):
        check(seed, 10, 100)


def test_several_threads() -> None:
    """Threads that use the same shapes do not disturb each other."""
    rng, shapes = random.Random(3), Shapes()
    forms = [template(rng) for _ in range(8)]
    texts = [text(rng.choice(forms), rng) for _ in range(600)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: outcome(shapes.prepare, one), texts))
    assert found == [outcome(full_parse, one) for one in texts]
    assert shapes.filled > 0


def test_shapes_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are more than are kept, those that come again are learnt again."""
    monkeypatch.setattr(module, "_MAX_SHAPES", 3)
    check(4, 10, 30)
    shapes = Shapes()
    for round_ in range(3):
        for name in "abcdefgh":
            for number in range(4):
                one = f"ASK {{ ?x <urn:{round_}{number}> ?{name} }}"
                assert shapes.prepare(one) == full_parse(one)
    assert 0 < shapes.filled < 3 * 8 * 4
    assert len(shapes._templates) <= 3
    assert len(shapes._seen) <= 3


def test_shapes_of_long_texts_are_not_kept() -> None:
    """They would need much memory, and hardly come again."""
    shapes = Shapes()
    for name in "abc":
        shapes.prepare(f"ASK {{ ?x <urn:{name}> ?y . {'?x <urn:p> ?y . ' * 1000} }}")
    assert not shapes._seen
    assert shapes.filled == 0


ASK = "ASK {{ ?x <urn:p> ?y . {} }}"
SEQUENCES = {
    "a function with a comment behind its name": [
        ASK.format(f"FILTER(<urn:{name}> # c\n (?y, '\"x\"'))") for name in ("f", "g", "h", "sparql-ft:contains")
    ],
    "a name like a marker": [
        f"PREFIX p: <urn:p:> ASK {{ ?x p:marker7391824650x0x? ?y . ?y p:{name} ?z }}" for name in "abcd"
    ],
    "a number like a marker": [f"ASK {{ ?x <urn:p> {number} . ?x <urn:q> 7391824650000001. }}" for number in (1, 2, 3)],
    "a character between pieces": [
        f"ASK {{ ?x {one} ?y }}" for one in ("<urn:a>", "<urn:b>", "<urn:c>", "\0<\0", "\\<\\")
    ],
    "half of a character": [f'ASK {{ ?x <urn:p> "{one}" }}' for one in ("a", "b", "c", "\ud800", "d\udfff")],
    "the same IRI, spelt twice": [
        f"PREFIX e: <http://e/> ASK {{ ?x e:{one} 1 . ?x <http://e/{other}> 1 }}"
        for one, other in ("ab", "cd", "ef", "gg")
    ],
    "words that are the same when folded": [
        ASK.format(f'FILTER ftcontains(?y, "{one}" ftAND "{other}")')
        for one, other in (("a", "b"), ("c", "d"), ("e", "f"), ("rio", "RIO"), ("ß", "ss"), ("é", "e\u0301"))
    ],
    "values that contradict each other": [
        ASK.format(f"FILTER(?y = <urn:{one}>) FILTER(?y = <urn:{other}>)")
        for one, other in ("ab", "cd", "ef", "gg", "hi")
    ],
}


@pytest.mark.parametrize("name", SEQUENCES)
def test_sequences(name: str) -> None:
    """Texts that have fooled it, or might."""
    shapes = Shapes()
    for one in SEQUENCES[name]:
        assert outcome(shapes.prepare, one) == outcome(full_parse, one), one
