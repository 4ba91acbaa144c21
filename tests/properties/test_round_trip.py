"""`parse(str(query)) == query` for generated queries: of the whole language, and of all that can be in a token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from sparql_ft import Query, parse
from sparql_ft.fulltext import check_words
from sparql_ft.iri import is_valid_iri
from sparql_ft.nodes import (
    WILDCARD,
    And,
    Arithmetic,
    Bind,
    Call,
    Compare,
    Expression,
    Filter,
    Form,
    FtAnd,
    FtContains,
    FtExpression,
    FtNear,
    FtNot,
    FtOr,
    FtWords,
    FunctionCall,
    Group,
    In,
    InlineData,
    Node,
    Not,
    Or,
    Sign,
    TriplePattern,
)
from sparql_ft.rewriting import parts_of
from sparql_ft.signatures import ARITY
from sparql_ft.terms import IRI, XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_DOUBLE, XSD_INTEGER, Literal, Variable
from tests.strategies import paths, queries

# --- the whole language -----------------------------------------------------------------------------------------------


def searched(node: object) -> Iterator[Variable]:
    """The variables that ftcontains looks at."""
    if isinstance(node, FtContains):
        yield node.variable
    elif isinstance(node, Node | tuple):
        for part in parts_of(node):
            yield from searched(part)


def registrable(query: Query) -> Query:
    """The query with a triple for each variable that ftcontains looks at, since one that is no object is refused."""
    triples = [TriplePattern(WILDCARD, WILDCARD, variable) for variable in dict.fromkeys(searched(query))]
    return replace(query, where=Group((*triples, Group(query.where.elements))))


@given(queries(depth=4).map(registrable))
@settings(max_examples=250)
def test_queries(query: Query) -> None:
    """Generated queries print as text that parses back to them, and that prints as itself."""
    text = str(query)
    again = parse(text)
    assert again == query
    assert hash(again) == hash(query)
    assert str(again) == text


# --- tokens -----------------------------------------------------------------------------------------------------------

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
WORD = st.sampled_from("a 7 é 日 word ß".split())
VARIABLES = st.from_regex(r"[a-z_0-9é日][A-Za-z0-9_·é]{0,4}", fullmatch=True).map(Variable)
IRIS = st.builds(lambda host, rest: f"{host}{rest}", st.sampled_from(["urn:x:", "http://a.b/", "s:"]), TEXT).filter(
    is_valid_iri
).map(IRI) | st.sampled_from(
    [IRI("urn:p"), IRI(XSD + "integer"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")]
)
NUMBERS = st.from_regex(r"[+-]?[0-9]{0,2}\.?[0-9]{0,2}([eE][+-]?[0-9])?", fullmatch=True)
DATATYPES = st.sampled_from([XSD_INTEGER, XSD_DECIMAL, XSD_DOUBLE, XSD_BOOLEAN, XSD + "string", "urn:t"])
LITERALS = st.one_of(
    TEXT.map(Literal),
    st.builds(Literal, NUMBERS | TEXT | st.sampled_from(["true", "false", "TRUE"]), DATATYPES),
    st.builds(lambda text, tag: Literal(text, language=tag), TEXT, st.sampled_from(["en", "de-AT", "x-1"])),
)


def in_a_query(expression: Expression) -> Query:
    """A query with the expression as a condition, as a value and as an argument."""
    triples = [TriplePattern(WILDCARD, WILDCARD, variable) for variable in dict.fromkeys(searched(expression))]
    target = Variable("a_name_that_is_not_generated")
    uses = (Filter(expression), Bind(Call("STR", (expression,)), target))
    return Query(Form.ASK, Group((*triples, *uses)))


@given(
    st.lists(
        st.tuples(VARIABLES | IRIS | LITERALS, VARIABLES | IRIS, VARIABLES | IRIS | LITERALS), min_size=1, max_size=4
    )
)
@settings(max_examples=250)
def test_terms(triples: list[tuple[Variable | IRI | Literal, Variable | IRI, Variable | IRI | Literal]]) -> None:
    """Whatever a term is made of, it is the same term after printing, in a triple and in VALUES."""
    patterns = tuple(TriplePattern(*triple) for triple in triples)
    constants = tuple((term,) for triple in triples for term in triple if not isinstance(term, Variable))
    query = Query(Form.ASK, Group((*patterns, InlineData((Variable("x"),), (*constants, (None,))))))
    assert parse(str(query)) == query


@given(st.lists(paths(), min_size=1, max_size=3))
@settings(max_examples=200)
def test_paths(several: list[object]) -> None:
    """Brackets stand in paths where they are needed."""
    patterns = tuple(TriplePattern(WILDCARD, path, WILDCARD) for path in several)  # type: ignore[arg-type]
    query = Query(Form.ASK, Group(patterns))
    assert parse(str(query)) == query


# --- expressions ------------------------------------------------------------------------------------------------------


def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """Every operator and kind of call around smaller expressions, in combinations that nobody would write."""
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    some = st.lists(inner, max_size=3).map(tuple)
    calls = [
        st.builds(
            Call, st.just(name), st.lists(inner, min_size=least, max_size=least if most is None else most).map(tuple)
        )
        for name, (least, most) in ARITY.items()
        if name not in ("BOUND", "IRI", "URI")  # which take a variable, and ask for the base
    ]
    return st.one_of(
        several.map(And),
        several.map(Or),
        st.builds(Compare, st.sampled_from("= != < <= > >=".split()), inner, inner),
        st.builds(In, inner, some, st.booleans()),
        *(
            st.builds(
                Arithmetic, inner, st.lists(st.tuples(st.sampled_from(signs), inner), min_size=1, max_size=3).map(tuple)
            )
            for signs in ("+-", "*/")
        ),
        inner.map(Not),
        st.builds(Sign, st.sampled_from("+-"), inner),
        st.one_of(calls),
        st.builds(FunctionCall, IRIS, some),
    )


@given(st.recursive(VARIABLES | IRIS | LITERALS, larger, max_leaves=8))
@settings(max_examples=400)
def test_expressions(expression: Expression) -> None:
    """Brackets stand in expressions where they are needed, whatever is nested in what."""
    query = in_a_query(expression)
    assert parse(str(query)) == query


# --- full text --------------------------------------------------------------------------------------------------------


@st.composite
def strings_of_words(draw: st.DrawFn) -> FtWords:
    """A string with a word and whatever else, and options that go together."""
    text = draw(TEXT) + draw(WORD) + draw(TEXT)
    stemming = draw(st.booleans())
    return FtWords(
        text,
        wildcards=not stemming and draw(st.booleans()),
        stemming=stemming,
        language=draw(st.sampled_from(["en", "de", "ar"])) if stemming else "en",
        case_sensitive=not stemming and draw(st.booleans()),
        diacritics_insensitive=draw(st.booleans()),
    )


WORDS = strings_of_words().filter(lambda words: check_words(words) is None)
NEAR = st.builds(
    lambda first, others: FtNear(
        (first, *(words for words, _, _ in others)), tuple((m, n and m + n) for _, m, n in others)
    ),
    WORDS,
    st.lists(st.tuples(WORDS, st.integers(0, 9), st.none() | st.integers(1, 9)), min_size=1, max_size=3),
)


def larger_ft(inner: st.SearchStrategy[FtExpression]) -> st.SearchStrategy[FtExpression]:
    """Every operator around smaller expressions."""
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(inner.map(FtNot), several.map(FtAnd), several.map(FtOr))


@given(st.recursive(WORDS | NEAR, larger_ft, max_leaves=6))
@settings(max_examples=150)
def test_full_text(expression: FtExpression) -> None:
    """Full text prints as text that parses back to it; so does the portable spelling of it."""
    query = in_a_query(FtContains(Variable("o"), expression))
    assert parse(str(query)) == query
    call = FunctionCall(IRI("urn:sparql-ft:contains"), (Variable("o"), Literal(str(expression))))
    portable = replace(query, where=Group((query.where.elements[0], Filter(call))))
    assert parse(str(portable)).where.elements == query.where.elements[:2]
