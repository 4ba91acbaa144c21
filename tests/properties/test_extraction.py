"""Extraction alone, before any index: sound for every query, exact where it leaves no residual."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from sparql_ft.evaluation.evaluator import matches
from sparql_ft.expressions.evaluation import Context
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.extraction.cover import Word, cover
from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import Alternative
from sparql_ft.nodes import FtExpression, FtWords, Group, Query
from sparql_ft.publication import Publication
from sparql_ft.rewriting import Leaf, rewrite, variables_in
from sparql_ft.terms import Variable
from tests.grown_queries import grown
from tests.oracles.fulltext_bruteforce import read, satisfies
from tests.oracles.section18 import solutions
from tests.oracles.tuples_bruteforce import is_satisfied
from tests.strategies import full_text, publications, queries


def _no_exists(group: Group, _: object) -> bool:
    raise AssertionError(f"a condition of a tuple asks for a graph pattern: {group}")


CONTEXT = Context(
    now=datetime_literal(datetime(2026, 1, 1, tzinfo=UTC)),
    exists=_no_exists,
    ftcontains=satisfies,
)


def check(query: Query, publication: Publication) -> tuple[bool, list[Alternative]]:
    """Sound: what the query matches, its tuples find. Exact: what they find without residual, the query matches.

    Two judges say whether it matches: the evaluator, and a literal reading of section 18 of the specification.
    """
    found = [one for one in extract(query).alternatives if is_satisfied(one, publication, CONTEXT)]
    matched = matches(query, publication)
    assert matched == bool(solutions(query, publication, CONTEXT)), "the judges disagree"
    if matched:
        assert found, "the query matches, but none of its alternatives holds"
    else:
        assert all(one.residual for one in found), "an alternative without residual holds, but the query does not match"
    return matched, found


@given(queries(), publications())
@settings(max_examples=800)
def test_any_query(query: Query, publication: Publication) -> None:
    """Queries that know nothing of the publication: most do not match, and must not seem to."""
    check(query, publication)


@given(grown())
@settings(max_examples=1200)
def test_queries_that_mostly_match(example: tuple[Query, Publication]) -> None:
    """Queries that were grown from the publication: most match, and must be found."""
    check(*example)


@pytest.mark.slow
@given(grown())
@settings(max_examples=50_000, suppress_health_check=[HealthCheck.too_slow])
def test_many_queries_that_mostly_match(example: tuple[Query, Publication]) -> None:
    """The same, for what is rare."""
    check(*example)


def test_soundness_is_put_to_the_test() -> None:
    """Of the grown queries, many match; and many of these by several tuples, with words or conditions in them."""
    counts: Counter[str] = Counter()

    @given(grown())
    @settings(max_examples=400, phases=[Phase.generate], database=None)
    def count(example: tuple[Query, Publication]) -> None:
        matched, found = check(*example)
        counts["all"] += 1
        if matched:
            counts["match"] += 1
            counts["exactly"] += not extract(example[0]).residual
            counts["by several tuples"] += all(len(one.tuples) > 1 for one in found)
            counts["by words"] += all(any(each.text for each in one.tuples) for one in found)
            counts["by conditions"] += all(any(each.conditions for each in one.tuples) for one in found)
        else:
            counts["no match, and no residual"] += not extract(example[0]).residual

    count()
    assert counts["match"] > 0.4 * counts["all"]
    assert counts["exactly"] > 0.2 * counts["all"]
    assert counts["by several tuples"] > 0.2 * counts["all"]
    assert counts["by words"] > 0.02 * counts["all"]
    assert counts["by conditions"] > 0.02 * counts["all"]
    assert counts["no match, and no residual"] > 0.02 * counts["all"]


# --- the same query, the same tuples --------------------------------------------------------------------------------


@given(grown())
@settings(max_examples=200)
def test_renamed_variables_give_renamed_tuples(example: tuple[Query, Publication]) -> None:
    """Names mean nothing: the order of tuples and alternatives does not depend on them, nor what is decided."""
    query = example[0]
    names: dict[Variable, Variable] = {}
    for variable in sorted(variables_in(query), key=str):
        names[variable] = Variable(f"r{len(names) * 7919 % 1000}")  # in another order than before
    renamed = rewrite(query, lambda term: names[term] if isinstance(term, Variable) else term)

    def rename(term: Leaf) -> Leaf:
        return names.get(term, term) if isinstance(term, Variable) else term  # those of EXISTS have no name

    expected = [
        Alternative(
            rewrite(one.tuples, rename), rewrite(one.conditions, rename), rewrite(one.graphs, rename), one.residual
        )
        for one in extract(query).alternatives
    ]
    assert list(extract(renamed).alternatives) == expected


@given(grown())
@settings(max_examples=100)
def test_the_same_query_gives_the_same_tuples(example: tuple[Query, Publication]) -> None:
    """Fresh names start anew for each query, so that equal queries have equal tuples."""
    query = example[0]
    assert extract(query) == extract(query)


# --- words ------------------------------------------------------------------------------------------------------------


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
