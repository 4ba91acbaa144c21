"""Extraction alone, before any index: sound for every query, exact where it leaves no residual."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime
from random import Random

import pytest
from hypothesis import given, settings
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
from sparql_ft.syntax.parser import parse
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
    example = (
        f"{query}\non\n{publication.graph}: {' '.join(str(term) for each in publication.triples for term in each)}"
    )
    matched = matches(query, publication)
    assert matched == bool(solutions(query, publication, CONTEXT)), f"the judges disagree:\n{example}"
    if matched:
        assert found, f"the query matches, but none of its alternatives holds:\n{example}"
    else:
        assert all(one.residual for one in found), f"an alternative without residual holds, but no match:\n{example}"
    return matched, found


@given(queries(), publications())
@settings(max_examples=500)
def test_any_query(query: Query, publication: Publication) -> None:
    """Queries that know nothing of the publication."""
    check(query, publication)


def check_grown(seed: int, times: int) -> Counter[str]:
    """Check queries on what they were grown from, and on what they may just miss. What was put to the test."""
    rng, counts = Random(seed), Counter[str]()
    for _ in range(times):
        query, publications = grown(rng)
        exact = not extract(query).residual
        for publication in publications:
            matched, found = check(query, publication)
            counts["checks"] += 1
            counts["match"] += matched
            counts["match, without residual"] += matched and exact
            counts["match by several tuples"] += matched and all(len(one.tuples) > 1 for one in found)
            counts["match by words"] += matched and all(any(each.text for each in one.tuples) for one in found)
            counts["match by conditions"] += matched and all(
                any(each.conditions for each in one.tuples) for one in found
            )
            counts["no match, without residual"] += exact and not matched
    return counts


def test_queries_that_mostly_match() -> None:
    """Queries that were grown from a publication must be found; and many matches and near misses are among them."""
    counts = check_grown(1, 3_000)
    checks = counts["checks"]
    assert counts["match"] > 0.4 * checks
    assert counts["match, without residual"] > 0.2 * checks
    assert counts["match by several tuples"] > 0.2 * checks
    assert counts["match by words"] > 0.02 * checks
    assert counts["match by conditions"] > 0.05 * checks
    assert counts["no match, without residual"] > 0.1 * checks


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_queries_that_mostly_match(seed: int) -> None:
    """The same, ten times as often, for what is rare."""
    assert check_grown(seed, 5_000)["match"] > 0


# --- the same query, the same tuples --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_renamed_variables_give_renamed_tuples(seed: int) -> None:
    """Names mean nothing: the order of tuples and alternatives does not depend on them, nor what is decided."""
    rng = Random(seed)
    for _ in range(10):
        check_renamed(grown(rng)[0])


def check_renamed(query: Query) -> None:
    """Rename all variables before, or after."""
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


def test_the_same_query_gives_the_same_tuples() -> None:
    """Fresh names start anew for each query, so that equal queries have equal tuples."""
    rng = Random(3)
    for query in [grown(rng)[0] for _ in range(100)]:
        assert extract(query) == extract(query)


TANGLED = """PREFIX : <urn:x:> ASK {
  ?x :p/:q+/:r ?y ; :s [ :t ?a ] . VALUES (?x ?y) { (:a :b) (UNDEF :c) }
  { ?y :u ?b } UNION { ?b :v ?y GRAPH ?g { ?b :w ?c } }
  FILTER EXISTS { ?y :k ?k1 ; :l ?l1 ; :m ?m1 . ?k1 :n ?n1 FILTER(?m1 != ?n1) FILTER EXISTS { ?l1 :o ?o1, ?x, ?p1 } }
  FILTER(?b IN (:d, :e, "f") || ftcontains(?a, "w") || EXISTS { ?a :z ?z1 . ?z1 :z ?z2 })
}"""


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_another_process_gives_the_same_tuples(seed: str) -> None:
    """The order of sets, which differs from process to process, is nowhere to be seen."""
    program = "import sys; from sparql_ft import extract, parse; print(repr(extract(parse(sys.argv[1]))))"
    command = [sys.executable, "-c", program, TANGLED]
    run = subprocess.run(
        command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == repr(extract(parse(TANGLED)))


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
