"""From text to tree: what fixtures cannot show."""

from __future__ import annotations

import ast
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sparql_ft import QuerySyntaxError, parse
from sparql_ft.nodes import (
    WILDCARD,
    Arithmetic,
    Filter,
    FtAnd,
    FtContains,
    FtNear,
    FtNot,
    FtOr,
    FtWords,
    PathRepeat,
    TriplePattern,
)
from sparql_ft.syntax import grammar
from sparql_ft.terms import IRI, XSD_INTEGER, Literal, Variable
from tests.query_fixtures import FIXTURES

X, Y, Z = (FtWords(name) for name in "xyz")


PARTS = ("full text (ours)", "expressions [110-128]")  # of the grammar: ours, and the one after it


def triple(text: str, base: str | None = None) -> TriplePattern:
    """The one triple of a pattern."""
    (found,) = parse(f"ASK {{ {text} }}", base=base).where.elements
    assert isinstance(found, TriplePattern)
    return found


def words(text: str) -> object:
    """The tree of a full-text expression."""
    _, condition = parse(f"ASK {{ ?s ?p ?o FILTER ftcontains(?o, {text}) }}").where.elements
    assert isinstance(condition, Filter)
    assert isinstance(condition.expression, FtContains)
    return condition.expression.expression


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("'x' ftOR 'y' ftAND 'z'", FtOr((X, FtAnd((Y, Z))))),
        ("('x' ftOR 'y') ftAND 'z'", FtAnd((FtOr((X, Y)), Z))),
        ("'x' ftAND 'y' ftNEAR[0,2] 'z'", FtAnd((X, FtNear((Y, Z), ((0, 2),))))),
        ("ftNOT 'x' ftNEAR[1,*] 'y'", FtNot(FtNear((X, Y), ((1, None),)))),
        ("ftNOT 'x' ftAND 'y'", FtAnd((FtNot(X), Y))),
        ("ftNOT ('x' ftAND 'y')", FtNot(FtAnd((X, Y)))),
        ("'x' ftNEAR[0,0] 'y' ftNEAR[1,5] 'z'", FtNear((X, Y, Z), ((0, 0), (1, 5)))),
        ("'x' ftAND 'y' ftAND 'z'", FtAnd((X, Y, Z))),
        ("'x' ftAND ('y' ftAND 'z')", FtAnd((X, FtAnd((Y, Z))))),
    ],
)
def test_binding_strength_of_full_text(text: str, tree: object) -> None:
    """String and options, ftNEAR, ftNOT, ftAND, ftOR; brackets override."""
    assert words(text) == tree


def test_options_belong_to_their_string() -> None:
    """The other operands of ftNEAR and ftAND stay as they are."""
    found = words("'x' ftNEAR[0,1] 'y' using stemming ftAND 'z' using case sensitive")
    assert found == FtAnd((FtNear((X, FtWords("y", stemming=True)), ((0, 1),)), FtWords("z", case_sensitive=True)))


@pytest.mark.parametrize(
    ("text", "predicate", "object_"),
    [
        ("?s <urn:p> *", IRI("urn:p"), WILDCARD),
        ("?s <urn:p>*", IRI("urn:p"), WILDCARD),
        ("?s <urn:p> * .", IRI("urn:p"), WILDCARD),
        ("?s <urn:p> * ?o", PathRepeat(IRI("urn:p"), "*"), Variable("o")),
        ("?s <urn:p>* *", PathRepeat(IRI("urn:p"), "*"), WILDCARD),
        ("?s <urn:p> * 1", PathRepeat(IRI("urn:p"), "*"), Literal("1", XSD_INTEGER)),
        ("?s * *", WILDCARD, WILDCARD),
        ("?s ?p *", Variable("p"), WILDCARD),
        ("?s name *", IRI("urn:name"), WILDCARD),
        ("?s name * thing", PathRepeat(IRI("urn:name"), "*"), IRI("urn:thing")),
    ],
)
def test_star_is_an_operator_if_an_object_follows(text: str, predicate: object, object_: object) -> None:
    """After a predicate, `*` repeats the path if an object follows, else it is the object."""
    assert triple(text) == TriplePattern(Variable("s"), predicate, object_)  # type: ignore[arg-type]


@pytest.mark.parametrize("after", ["; ?q ?o", ", ?o", "FILTER (true)", "OPTIONAL { }", "}  UNION { ?s ?p ?o", "{ }"])
def test_star_before_the_end_of_a_triple(after: str) -> None:
    """Whatever ends a triple makes `*` its object."""
    query = parse(f"ASK {{ {{ ?s <urn:p> * {after} }} }}")
    assert "<urn:p> * ." in str(query)


@pytest.mark.parametrize(
    ("prologue", "base", "iri"),
    [
        ("", None, "urn:type"),
        ("", "http://example.org/a/b", "http://example.org/a/type"),
        ("BASE <http://x.org/>", None, "http://x.org/type"),
        ("BASE <http://x.org/>", "http://example.org/", "http://x.org/type"),
        ("BASE <c/>", "http://example.org/a/b", "http://example.org/a/c/type"),
    ],
)
def test_base(prologue: str, base: str | None, iri: str) -> None:
    """The base is that of the text, or of the call, or the default; for bare names as for relative IRIs."""
    found = parse(f"{prologue} ASK {{ type <type> ?o }}", base=base).where.elements[0]
    assert found == TriplePattern(IRI(iri), IRI(iri), Variable("o"))


@pytest.mark.parametrize("base", ["", "relative", "no scheme:", "http://a:b/"])
def test_base_of_the_call_that_is_none(base: str) -> None:
    """It matters where something is relative, and is a syntax error there."""
    assert parse("ASK { <urn:a> a <urn:b> }", base=base)
    with pytest.raises(QuerySyntaxError, match="IRI"):
        parse("ASK { <a> a <b> }", base=base)


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("1 -1", (("-", Literal("1", XSD_INTEGER)),)),
        ("1-1", (("-", Literal("1", XSD_INTEGER)),)),
        ("1 +1+2", (("+", Literal("1", XSD_INTEGER)), ("+", Literal("2", XSD_INTEGER)))),
        ("1 - -1", (("-", Literal("-1", XSD_INTEGER)),)),
    ],
)
def test_sign_of_a_number_after_an_operand(text: str, links: object) -> None:
    """[116]: `1 -1` is a subtraction, though `-1` is one token."""
    (condition,) = parse(f"ASK {{ FILTER ({text}) }}").where.elements
    assert condition == Filter(Arithmetic(Literal("1", XSD_INTEGER), links))  # type: ignore[arg-type]


def test_many_threads() -> None:
    """The grammar serves one parse at a time; results and errors do not mix."""
    texts = [path.read_text(encoding="utf-8") for path in FIXTURES] + [f"ASK {{ ?s ?p {'x ' * n}" for n in range(2, 30)]

    def result(text: str) -> str:
        try:
            return str(parse(text))
        except QuerySyntaxError as error:
            return str(error)

    expected = [result(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(3):
            assert list(pool.map(result, texts)) == expected


def test_every_rule_names_its_production() -> None:
    """Each rule of the grammar says which production of SPARQL 1.1 it implements, or that it is ours."""
    source = Path(grammar.__file__).read_text(encoding="utf-8")
    lines = source.splitlines()
    first, after = (next(n for n, line in enumerate(lines) if line.startswith(f"# --- {part} ")) for part in PARTS)
    ours = range(first, after)
    unnamed = []
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.Assign | ast.AugAssign) or "rule(" not in ast.unparse(statement):
            continue
        text = "\n".join(lines[statement.lineno - 1 : statement.end_lineno])
        if not re.search(r"# .*\[\d+[\]\-,]|# ours", text) and statement.lineno not in ours:
            unnamed.append(text.splitlines()[0])
    assert unnamed == []
