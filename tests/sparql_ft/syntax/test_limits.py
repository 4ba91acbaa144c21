"""Queries that are long, deep, or stand for far more than they say: a result or a QueryError, and soon.

No test looks at a clock. Texts are so long that whoever breaks a limit notices how long the test takes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from sparql_ft import QuerySyntaxError, extract, parse, prepare
from sparql_ft.nodes import Element
from sparql_ft.scope import in_scope
from sparql_ft.syntax import builder
from sparql_ft.syntax.lexer import MAX_CHARACTERS, MAX_DEPTH
from sparql_ft.terms import Variable

TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"


def ask(pattern: str) -> str:
    """A query of the pattern."""
    return f"ASK {{ {pattern} }}"


def search(expression: str) -> str:
    """A query of a full-text expression."""
    return ask(f"?s ?p ?o FILTER ftcontains(?o, {expression})")


def condition(expression: str) -> str:
    """A query of a condition."""
    return ask(f"?s ?p ?o FILTER ({expression})")


# What nests, and how many levels there are around it.
DEEP: dict[str, tuple[Callable[[int], str], int]] = {
    "groups": (lambda n: ask("{" * n + "}" * n), 1),
    "optionals": (lambda n: ask("OPTIONAL {" * n + "?s ?p ?o" + "}" * n), 1),
    "unions": (lambda n: ask("{} UNION {" * n + "}" * n), 1),
    "graphs": (lambda n: ask("GRAPH ?g {" * n + "}" * n), 1),
    "minus": (lambda n: ask("?s ?p ?o MINUS {" * n + "}" * n), 1),
    "exists": (lambda n: ask("FILTER NOT EXISTS {" * n + "?s ?p ?o" + "}" * n), 1),
    "conditions": (lambda n: condition("(" * n + "?o" + ")" * n), 2),
    "negations": (lambda n: condition("!(" * n + "?o" + ")" * n), 2),
    "sums": (lambda n: condition("1 + (" * n + "?o" + ")" * n), 2),
    "calls": (lambda n: condition("STR(" * n + "?o" + ")" * n), 2),
    "lists": (lambda n: condition("?o IN (" * n + "1" + ")" * n), 2),
    "full text": (lambda n: search("(" * n + "'a'" + ")" * n), 2),
    "full text that alternates": (lambda n: search("('a' ftAND 'b' ftOR " * n + "'c'" + ")" * n), 2),
    "ftNOT": (lambda n: search("ftNOT " * n + "'a'"), 2),
    "ftNOT with brackets": (lambda n: search("ftNOT (" * (n // 2) + "'a'" + ")" * (n // 2)), 2),
    "paths": (lambda n: ask("?s " + "(" * n + "<p>" + ")*" * n + " ?o"), 1),
    "inverse paths": (lambda n: ask("?s " + "^(" * n + "<p>" + ")" * n + " ?o"), 1),
    "collections": (lambda n: ask("?s ?p " + "(" * n + "1" + ")" * n), 1),
    "blank node property lists": (lambda n: ask("?s ?p " + "[ ?p " * n + "1" + "]" * n), 1),
}
LONG: dict[str, Callable[[int], str]] = {
    "triples": lambda n: ask("".join(f"?s <p{i}> ?o{i} . " for i in range(n))),
    "properties": lambda n: ask("?s " + " ; ".join(f"<p{i}> {i}" for i in range(n))),
    "objects": lambda n: ask("?s ?p " + " , ".join(f"{i}" for i in range(n))),
    "collection": lambda n: ask("?s ?p (" + " ".join(f"{i}" for i in range(n)) + ")"),
    "blank nodes": lambda n: ask("".join(f"_:x{i} ?p [] . " for i in range(n))),
    "unions": lambda n: ask(" UNION ".join(f"{{ ?s ?p {i} }}" for i in range(n))),
    "optionals": lambda n: ask("".join(f"OPTIONAL {{ ?s ?p {i} }} " for i in range(n))),
    "filters": lambda n: ask("?s ?p ?o " + "".join(f"FILTER (?o != {i}) " for i in range(n))),
    "binds": lambda n: ask("?s ?p ?o " + "".join(f"BIND (?o AS ?x{i}) " for i in range(n))),
    "values": lambda n: ask("VALUES ?x { " + " ".join(f"{i}" for i in range(n)) + " }"),
    "variables of values": lambda n: ask("VALUES (" + " ".join(f"?x{i}" for i in range(n)) + ") { }"),
    "||": lambda n: condition(" || ".join(f"?o = {i}" for i in range(n))),
    "&&": lambda n: condition(" && ".join(f"?o != {i}" for i in range(n))),
    "sum": lambda n: condition(" + ".join(f"{i}" for i in range(n))),
    "IN": lambda n: condition("?o IN (" + ", ".join(f"{i}" for i in range(n)) + ")"),
    "ftOR": lambda n: search(" ftOR ".join(f"'w{i}'" for i in range(n))),
    "ftAND": lambda n: search(" ftAND ".join(f"'w{i}'" for i in range(n))),
    "ftNEAR": lambda n: search(" ftNEAR[0,9] ".join(f"'w{i}'" for i in range(n))),
    "a phrase": lambda n: search("'" + " ".join(f"w{i}" for i in range(n)) + "'"),
    "ftORs of ftANDs": lambda n: search(" ftAND ".join(f"('a{i}' ftOR 'b{i}')" for i in range(n // 2))),
    "a path": lambda n: ask("?s " + "/".join(f"<p{i}>" for i in range(n)) + " ?o"),
    "alternatives of a path": lambda n: ask("?s " + "|".join(f"<p{i}>" for i in range(n)) + " ?o"),
    "a negated set": lambda n: ask("?s !(" + "|".join(f"<p{i}>" for i in range(n)) + ") ?o"),
    "prefixes": lambda n: "".join(f"PREFIX p{i}: <urn:{i}:> " for i in range(n)) + "ASK { ?s p1:x ?o }",
    "projection": lambda n: "SELECT " + " ".join(f"?x{i}" for i in range(n)) + " { ?s ?p ?o }",
    "comments": lambda n: "# comment\n" * n + "ASK { }",
}


def whole(text: str) -> None:
    """Everything that is done with a query: parsed, printed, compared, hashed, extracted."""
    query = parse(text)
    again = parse(str(query))
    assert again == query
    assert hash(again) == hash(query)
    assert extract(again) == extract(query)


@pytest.mark.parametrize("kind", DEEP)
def test_deep_but_allowed(kind: str) -> None:
    """The deepest text that is allowed goes through all of it."""
    make, around = DEEP[kind]
    whole(make(MAX_DEPTH - around))


@pytest.mark.parametrize("kind", DEEP)
def test_one_level_too_deep(kind: str) -> None:
    """The limit is said, and where it is exceeded."""
    make, around = DEEP[kind]
    with pytest.raises(QuerySyntaxError, match=TOO_DEEP) as caught:
        parse(make(MAX_DEPTH - around + 2))
    assert caught.value.column > 1


@pytest.mark.parametrize("kind", DEEP)
@pytest.mark.parametrize("levels", [5_000, 10_000])
def test_far_too_deep(kind: str, levels: int) -> None:
    """10,000 brackets, or 5,000 ftNOTs: no RecursionError."""
    make, _ = DEEP[kind]
    with pytest.raises(QuerySyntaxError, match=TOO_DEEP):
        parse(make(levels))


@pytest.mark.parametrize(
    "text", ["(" * 10_000, "ASK { " * 10_000, "[" * 10_000, "ftNOT " * 10_000, ")" * 10_000, "}" * 10_000]
)
def test_brackets_that_do_not_match(text: str) -> None:
    """Brackets alone are an error like any other."""
    with pytest.raises(QuerySyntaxError):
        parse(text)


@pytest.mark.parametrize("operator", ["!", "-", "+ ", "^"])
def test_operators_that_do_not_repeat(operator: str) -> None:
    """SPARQL has no chains of prefix operators, so there is nothing that could nest."""
    with pytest.raises(QuerySyntaxError, match="unexpected"):
        parse(condition(operator * 5_000 + "?o"))


@pytest.mark.parametrize("kind", ["triples", "unions", "values", "||", "ftOR"])
def test_long(kind: str) -> None:
    """5,000 of what programs repeat go through all of it."""
    whole(LONG[kind](5_000))


@pytest.mark.parametrize("kind", LONG)
def test_rather_long(kind: str) -> None:
    """Several hundred of everything that can be repeated go through all of it."""
    whole(LONG[kind](700))


@pytest.mark.slow
@pytest.mark.parametrize("kind", LONG)
def test_all_that_is_long(kind: str) -> None:
    """5,000 of everything that can be repeated go through all of it."""
    whole(LONG[kind](5_000))


def test_scope_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each BIND asks what is in scope before it; each element is looked at once for all of them."""
    looked_at = []

    def counting(element: Element) -> tuple[Variable, ...]:
        looked_at.append(element)
        return in_scope(element)

    monkeypatch.setattr(builder, "in_scope", counting)
    query = parse(LONG["binds"](200))
    assert looked_at == list(query.where.elements[:-1])


@pytest.mark.parametrize("kind", DEEP)
def test_in_a_thread(kind: str) -> None:
    """A thread has a stack of its own, which may be smaller."""
    make, around = DEEP[kind]
    with ThreadPoolExecutor(1) as pool:
        pool.submit(whole, make(MAX_DEPTH - around)).result()


@pytest.mark.parametrize("left", [300, 100, 60])
@pytest.mark.parametrize("kind", ["optionals", "conditions", "full text", "blank node property lists"])
def test_deep_in_a_recursion_of_the_caller(kind: str, left: int) -> None:
    """Parsing works where the caller has few frames left, and leaves the recursion limit as it was."""
    make, around = DEEP[kind]
    text = make(MAX_DEPTH - around)
    expected = parse(text)
    limit = sys.getrecursionlimit()

    def descend(frames: int) -> object:
        return parse(text) if frames == 0 else descend(frames - 1)

    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    assert descend(limit - depth - left) == expected
    with pytest.raises(QuerySyntaxError):
        descend_wrong(limit - depth - left)
    assert sys.getrecursionlimit() == limit


def descend_wrong(frames: int) -> object:
    """Parse something wrong, so many calls further down."""
    return parse("ASK { ?s FLITER") if frames == 0 else descend_wrong(frames - 1)


@pytest.mark.parametrize(
    "text",
    [
        "ASK {" + " " * 999_990 + "}",
        "ASK { #" + "x" * 999_990 + "\n}",
        search('"' + "ab " * 333_000 + '"'),
        ask("?s ?p '" + "x" * 999_000 + "'"),
        ask("<urn:" + "x" * 999_000 + "> ?p ?o"),
        ask("?" + "x" * 999_000 + " ?p ?o"),
        ask("?s ?p " + " , ".join(f"'{'y' * 95}{i:04}'" for i in range(8_000))),
    ],
    ids=["spaces", "a comment", "a phrase", "a literal", "an IRI", "a variable", "many literals"],
)
def test_a_megabyte(text: str) -> None:
    """A query of a million characters is a query."""
    assert 800_000 < len(text) <= MAX_CHARACTERS
    whole(text)


def test_more_than_a_megabyte() -> None:
    """One character more than the limit is refused, whatever it is."""
    text = "ASK {" + " " * (MAX_CHARACTERS - 6) + "}"
    assert parse(text) == parse("ASK {}")
    with pytest.raises(QuerySyntaxError) as caught:
        parse(f"{text} ")
    assert caught.value.message == "the query has 1,000,001 characters; the limit is 1,000,000"
    assert caught.value.hint == "A standing query of this size is better registered as several queries."
    with pytest.raises(QuerySyntaxError, match="the query has 1,100,000 characters"):
        parse("(" * 1_100_000)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "a." * 500_000,
        "a:" * 500_000,
        "<" * 1_000_000,
        '"' * 1_000_000,
        "'" * 999_999,
        '"' + "\\" * 999_998,
        "\\u0041" * 160_000,
        "'" + "\\u0041" * 160_000 + "' %",
        "#" * 1_000_000,
        "@" * 1_000_000,
        "1" * 1_000_000,
        "." * 1_000_000,
        "selectdistinct " * 60_000,
        "ASK { ?s ?p " + "x" * 900_000,
        "ASK { FILTER (" + "x" * 900_000 + "(1)) }",
        "PREFIX a: <urn:a> " * 50_000,
        "ASK { ?s a" + "/a" * 49_000,
        "ASK { " + "?s ?p ?o . " * 24_000 + "FLITER",
        search("'a' " * 10_000),
        search('"' + "." * 900_000 + '"'),
        search("'a' using stemming " + "using stemming " * 30_000 + " %"),
    ],
    ids=lambda text: text[:20],
)
def test_a_megabyte_of_nonsense(text: str) -> None:
    """What is no query is refused in time that grows with its length, and the message stays short."""
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert len(str(caught.value)) < 700


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            f"PREFIX a: <urn:{'x' * 400_000}> ASK {{ {'?s a:b a:c . ' * 2_000} }}",
            "without prefixes and BASE, the query has more than 1,000,000 characters",
        ),
        (
            f"BASE <http://a/{'x' * 400_000}/> ASK {{ {'?s b <c> . ' * 2_000} }}",
            "without prefixes and BASE, the query has more than 1,000,000 characters",
        ),
        (
            ask(f"<urn:{'x' * 400_000}> ?p 0 {'; ?p 1 ' * 2_000}"),
            "without abbreviations, the query has more than 1,000,000 characters",
        ),
        (
            ask(f"?{'x' * 400_000} ?p 0 {', 1 ' * 2_000}"),
            "without abbreviations, the query has more than 1,000,000 characters",
        ),
        (
            ask(f"?s ?p ({'1 ' * 20_000})"),
            "without abbreviations, the query has more than 1,000,000 characters",
        ),
        (
            ask("{" * 62 + "?s ?p ?o . " * 8_000 + "}" * 62),
            "without abbreviations: the query has 1,104,073 characters; the limit is 1,000,000",
        ),
        (
            ask("?s ?p 0 " + " , 1" * 30_000),
            "without abbreviations: the query has more than 100,000 words and symbols",
        ),
        (
            condition("!(" * 62 + "- 1" + ")" * 62),
            f"without abbreviations: {TOO_DEEP}",
        ),
        (
            ask(
                "{" * 40
                + "?s ?p ?o FILTER <urn:sparql-ft:contains>(?o, '"
                + '"a" ftAND (' * 30
                + '"b"'
                + ")" * 30
                + "')"
                + "}" * 40
            ),
            f"without abbreviations: {TOO_DEEP}",
        ),
    ],
    ids=[
        "a prefix",
        "the base",
        "a subject",
        "a variable",
        "a collection",
        "indentation",
        "dots",
        "a sign",
        "portable",
    ],
)
def test_texts_that_stand_for_more_than_they_say(text: str, message: str) -> None:
    """Canonical text keeps the limits, too: it can always be parsed, and never takes all memory to print."""
    with pytest.raises(QuerySyntaxError) as caught:
        parse(text)
    assert caught.value.message == message
    with pytest.raises(QuerySyntaxError, match=message):
        prepare(text)


def test_shapes_keep_the_limits() -> None:
    """A text of a shape seen before, with longer constants, is refused like any other."""
    texts = [ask(f"<urn:{'x' * length}> <urn:p> 1{' ; <urn:p> 1' * 500}") for length in (1, 2, 3, 4, 5_000)]
    for text in texts[:-1]:
        assert prepare(text).query == parse(text)
    with pytest.raises(QuerySyntaxError, match="without abbreviations"):
        prepare(texts[-1])
