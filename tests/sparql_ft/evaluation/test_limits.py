"""Work is bounded: what would take for ever is given up after so many steps, whatever it consists of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from sparql_ft.evaluation.evaluator import evaluate, matches
from sparql_ft.expressions.evaluation import EvaluationLimitError
from sparql_ft.nodes import Form, Query
from sparql_ft.publication import Publication
from tests.sparql_ft.small import PREFIX, publication
from tests.strategies import publications, queries

CHAIN = publication(" . ".join(f":n{i} :p :n{i + 1}" for i in range(30)), graph=":g")
STEPS = 20_000
ENDLESS = {
    "product": "?a :p ?b . ?c :p ?d . ?e :p ?f . ?g :p ?h",
    "pure variables": "?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l",
    "wildcards": "* * * . * * * . * * * . * * *",
    "nested repetitions": "?a (:p*)* ?b . ?c ((:p*)+)? ?d . ?e (:p*)* ?f",
    "repetitions that are known already": "?a :p* ?b . ?c :p* ?d . ?e :p* ?f . ?g :p* ?h",
    "sequence of repetitions": "?a " + "/".join([":p*"] * 12) + " ?b",
    "sequence of alternatives": ":n0 " + "/".join(["(:p|:p)"] * 29) + " ?b",
    "alternatives of nothing": ":n0 " + "/".join(["(:q?|:q?)"] * 40) + " ?b",
    "negated property sets": "?a !:q ?b . ?c !() ?d . ?e !^:q ?f . ?g (!:q|!:q) ?h",
    "empty unions": " ".join(["{} UNION {}"] * 40),
    "empty unions in OPTIONAL": " ".join(["OPTIONAL { {} UNION {} }"] * 40),
    "empty unions in GRAPH": " ".join(["GRAPH ?g { {} UNION {} }"] * 40),
    "VALUES": " ".join(f"VALUES ?v{i} {{ 1 2 }}" for i in range(40)),
    "VALUES with UNDEF": " ".join("VALUES (?x ?y) { (UNDEF UNDEF) (UNDEF UNDEF) }" for i in range(40)),
    "groups": "{ ?a :p ?b FILTER(true) } { ?c :p ?d FILTER(true) } { ?e :p ?f FILTER(true) } { ?g :p ?h FILTER(true) }",
    "MINUS": "?a :p ?b . ?c :p ?d MINUS { ?x :p ?y . ?z :p ?a . ?u :p ?v }",
    "EXISTS": "FILTER EXISTS { ?a ?b ?c FILTER EXISTS { ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(?a = ?l && false) } }",
    "EXISTS in BIND": "BIND(EXISTS { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l FILTER(false) } AS ?x)",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_endless_patterns(name: str) -> None:
    """None has a solution that the FILTER keeps, so all would be gone through; none is."""
    with pytest.raises(EvaluationLimitError, match="more than 20,000 steps"):
        matches(f"{PREFIX}ASK {{ {ENDLESS[name]} FILTER(false) }}", CHAIN, max_steps=STEPS)


def test_repeated_paths_are_remembered() -> None:
    """What a repetition reaches from a node is found once, so that a long chain takes two steps a pair, not more."""
    pairs = 31 * 32 // 2
    query = PREFIX + "SELECT * { ?a :p* ?b . ?b :p* ?a }"
    assert len(evaluate(query, CHAIN, max_steps=10 * pairs)) == 31


@given(queries(), publications())
@settings(max_examples=400)
def test_every_solution_takes_a_step(query: Query, publication: Publication) -> None:
    """So that no number of solutions escapes the limit: n of them take n - 1 steps at least."""
    query = Query(Form.SELECT, query.where, values=query.values)
    count = len(evaluate(query, publication))
    if count > 1:
        with pytest.raises(EvaluationLimitError):
            evaluate(query, publication, max_steps=count - 2)
