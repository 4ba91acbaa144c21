"""The W3C's syntax tests, of SPARQL 1.0 and 1.1, and the queries of its evaluation tests."""

from __future__ import annotations

import re

import pytest

from sparql_ft import UnsupportedFeatureError, parse
from tests.shared import shared_dir
from tests.w3c.manifests import evaluation_tests
from tests.w3c.syntax_manifests import SyntaxTest, outcome, syntax_tests

TESTS = {test.name: test for test in syntax_tests(shared_dir("w3c"))}
POSITIVE = [name for name, test in TESTS.items() if test.positive]
NEGATIVE = [name for name, test in TESTS.items() if not test.positive]
QUERIES = {test.name: SyntaxTest(test.name, test.query, positive=True) for test in evaluation_tests(shared_dir("w3c"))}

# What is outside of the fragment, seen without a parser: the words of these constructs, where no string, IRI, variable,
# name or comment has them.
NO_KEYWORDS = re.compile(
    r"#[^\n]*|'''.*?'''|\"\"\".*?\"\"\"|'[^'\n]*'|\"[^\"\n]*\"|<[^<>\s]*>|[?$]\w+|[\w.-]*:[\w.:-]*", re.DOTALL
)
OUTSIDE = re.compile(
    r"\b(?:ORDER|GROUP|HAVING|LIMIT|OFFSET|DESCRIBE|SERVICE|FROM|COUNT|SUM|MIN|MAX|AVG|SAMPLE|GROUP_CONCAT)\b"
    r"|SELECT[^{]*\bAS\b|\{\s*SELECT\b",
    re.IGNORECASE,
)


def is_outside(text: str) -> bool:
    """Whether a text has a construct that is not supported."""
    return OUTSIDE.search(NO_KEYWORDS.sub(" ", text)) is not None


@pytest.mark.parametrize("name", POSITIVE)
def test_positive(name: str) -> None:
    """Inside the fragment: it parses, and prints as the same query. Outside: it is unsupported, by name."""
    found = outcome(TESTS[name])
    if is_outside(TESTS[name].text()):
        assert found.verdict == "unsupported", found.why
        assert found.construct
    else:
        assert found.verdict == "passed", found.why


@pytest.mark.parametrize("name", NEGATIVE)
def test_negative(name: str) -> None:
    """What is no SPARQL is refused."""
    found = outcome(TESTS[name])
    assert found.verdict == "passed", found.why


@pytest.mark.parametrize("name", QUERIES)
def test_queries_of_evaluation_tests(name: str) -> None:
    """They are SPARQL, too."""
    found = outcome(QUERIES[name])
    assert found.verdict == ("unsupported" if is_outside(QUERIES[name].text()) else "passed"), found.why


@pytest.mark.parametrize(
    "name", [name for name in [*POSITIVE, *QUERIES] if is_outside({**TESTS, **QUERIES}[name].text())]
)
def test_unsupported_constructs_are_where_the_error_says(name: str) -> None:
    """The place of the error begins with the word that the construct is named after."""
    test = {**TESTS, **QUERIES}[name]
    with pytest.raises(UnsupportedFeatureError) as caught:
        parse(test.text(), base=test.query.as_uri())
    error = caught.value
    line = re.split(r"\r\n|\r|\n", test.text())[error.line - 1]
    there = line[error.column - 1 :].upper()
    words = {"a sub-select": "SELECT", "(expression AS ?variable) in SELECT": "("}
    named = words.get(error.construct, error.construct.removeprefix("the aggregate ").split()[0])
    assert there.startswith(named)


def test_there_are_tests() -> None:
    """The manifests were read: the numbers of the suites that lie beside the project."""
    assert len(POSITIVE) > 200
    assert len(NEGATIVE) > 75
    assert len(QUERIES) > 300
