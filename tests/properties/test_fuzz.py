"""Whatever the text: a query, or one of the two documented errors with a place in the text; and nothing else."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sparql_ft import Query, QueryError, QuerySyntaxError, UnsupportedFeatureError, parse, prepare
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, KIND_OF_SYMBOL
from tests.mutations import LANGUAGE, mutants
from tests.query_fixtures import FIXTURES, canonical_of
from tests.strategies import queries

TEXTS = [
    text for path in FIXTURES for text in (path.read_text(encoding="utf-8"), canonical_of(path).replace("\n", "\r\n"))
]
TOKENS = sorted({*LANGUAGE, *KIND_OF_KEYWORD, *KIND_OF_SYMBOL})


def outcome(text: str) -> str:
    """The kind of result that a text has, which must be one of three, and sound."""
    try:
        query = parse(text)
    except (QuerySyntaxError, UnsupportedFeatureError) as error:
        check_error(error, text)
        return type(error).__name__
    assert parse(str(query)) == query
    assert prepare(text).query == query
    return "Query"


def check_error(error: QueryError, text: str) -> None:
    """It says something that can be printed, of a place in the text."""
    assert error.message
    assert error.message in str(error)
    assert str(error).encode("utf-8")
    lines = re.split(r"\r\n|\r|\n", text)
    assert 1 <= error.line <= len(lines)
    assert 1 <= error.column <= len(lines[error.line - 1]) + 1


@given(st.text(max_size=60))
@settings(max_examples=300)
def test_arbitrary_text(text: str) -> None:
    """Any characters at all, half ones among them."""
    assert outcome(text) in ("QuerySyntaxError", "UnsupportedFeatureError", "Query")


@given(st.lists(st.sampled_from(TOKENS), max_size=25), st.sampled_from(["", " ", "\n"]))
@settings(max_examples=500)
def test_sequences_of_tokens(tokens: list[str], between: str) -> None:
    """Tokens of the language in any order, with and without spaces."""
    assert outcome(between.join(tokens)) in ("QuerySyntaxError", "UnsupportedFeatureError", "Query")
    assert outcome(f"ASK {{ {between.join(tokens)} }}") in ("QuerySyntaxError", "UnsupportedFeatureError", "Query")


@given(queries(), st.integers(0, 2**32))
@settings(max_examples=150)
def test_mutations_of_generated_queries(query: Query, seed: int) -> None:
    """Generated queries with a few characters or tokens changed."""
    for text in mutants([str(query)], seed, 3):
        assert outcome(text) in ("QuerySyntaxError", "UnsupportedFeatureError", "Query")


def test_mutations_of_fixtures() -> None:
    """The fixtures with a few characters or tokens changed, and spliced; all three results come about."""
    found = Counter(map(outcome, mutants(TEXTS, seed=1, count=1_500)))
    assert set(found) == {"Query", "QuerySyntaxError", "UnsupportedFeatureError"}
    assert found["Query"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 20))
def test_hundred_thousand_mutations(seed: int) -> None:
    """Ten times ten thousand."""
    found = Counter(map(outcome, mutants(TEXTS, seed, count=10_000)))
    assert set(found) == {"Query", "QuerySyntaxError", "UnsupportedFeatureError"}
