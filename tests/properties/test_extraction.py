"""Extraction alone, before any index: sound for every query, exact where it leaves no residual."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from sparql_ft.evaluation.evaluator import matches
from sparql_ft.expressions.evaluation import Context
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.extraction.cover import Word, cover
from sparql_ft.extraction.queries import extract
from sparql_ft.nodes import FtExpression, FtWords, Group, Query
from sparql_ft.publication import Publication
from tests.oracles.fulltext_bruteforce import read, satisfies
from tests.oracles.tuples_bruteforce import is_satisfied
from tests.strategies import full_text, publications, queries


def _no_exists(group: Group, _: object) -> bool:
    raise AssertionError(f"a condition of a tuple asks for a graph pattern: {group}")


CONTEXT = Context(
    now=datetime_literal(datetime(2026, 1, 1, tzinfo=UTC)),
    exists=_no_exists,
    ftcontains=satisfies,
)


@given(queries(), publications())
@settings(max_examples=1500)
def test_a_match_satisfies_some_alternative(query: Query, publication: Publication) -> None:
    """Sound: what the query matches, its tuples find. Exact: what they find without residual, the query matches."""
    found = [one for one in extract(query).alternatives if is_satisfied(one, publication, CONTEXT)]
    if matches(query, publication):
        assert found, "the query matches, but none of its alternatives holds"
    else:
        assert all(one.residual for one in found), "an alternative without residual holds, but the query does not match"


def _has(text: str, word: Word) -> bool:
    analysis = word.analysis
    words = FtWords(
        "",
        stemming=analysis.language is not None,
        language=analysis.language or "en",
        case_sensitive=analysis.case_sensitive,
        diacritics_insensitive=analysis.diacritics_insensitive,
    )
    return word.form in read(text, words)


@given(full_text(), st.text(alphabet="abcrioolympicgames ,.éß", max_size=40))
@settings(max_examples=1000)
def test_a_text_that_matches_has_the_words_of_a_cover(expression: FtExpression, text: str) -> None:
    """Sound: the words of some set are there. Exact where the cover says so."""
    found = cover(expression)
    covered = any(all(_has(text, word) for word in words) for words in found.sets)
    if satisfies(text, expression):
        assert covered
    elif found.exact:
        assert not covered
