"""No blow-up: what would be large is covered by less, which a match still satisfies, and work grows with the text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sparql_ft.evaluation.evaluator import matches
from sparql_ft.expressions.context import Context
from sparql_ft.expressions.values import datetime_literal
from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import QueryTuples
from sparql_ft.extraction.ways import MAX_TUPLES, Way
from sparql_ft.nodes import Query
from sparql_ft.syntax.parser import parse
from tests.oracles.fulltext_bruteforce import satisfies
from tests.oracles.tuples_bruteforce import is_satisfied
from tests.sparql_ft.extraction.shown import shown
from tests.sparql_ft.small import PREFIX, publication

CONTEXT = Context(now=datetime_literal(datetime(2026, 1, 1, tzinfo=UTC)), exists=lambda *_: False, ftcontains=satisfies)


def each(n: int, text: str, between: str = " ") -> str:
    """The text n times, with numbers from 0 for `#`."""
    return between.join(text.replace("#", str(number)) for number in range(n))


def query(pattern: str) -> Query:
    """The pattern of an ASK, as a query."""
    return parse(f"{PREFIX}ASK {{ {pattern} }}")


def size(found: QueryTuples) -> int:
    """The number of tuples in all alternatives."""
    return sum(len(one.tuples) for one in found.alternatives)


def numbers(form: str, n: int) -> str:
    """Triples that have a value for each of n things."""
    return each(n, form, " . ")


# Each multiplies: two branches, n times. The publication is one that the query matches.
N = 20
PRODUCTS: dict[str, tuple[Callable[[int], str], str]] = {
    "UNIONs": (
        lambda n: each(n, "{ ?x :p# 1 } UNION { ?x :q# 2 }"),
        numbers(":a :q# 2", N),
    ),
    "nested UNIONs": (
        lambda n: each(n, "{ { ?x :p# 1 } UNION { { ?x :q# 2 } UNION { ?x :r# 3 } } }"),
        numbers(":a :r# 3", N),
    ),
    "EXISTS with UNIONs": (
        lambda n: "?x :p 1 " + each(n, "FILTER EXISTS { { ?x :p# 1 } UNION { ?x :q# 2 } }"),
        ":a :p 1 . " + numbers(":a :q# 2", N),
    ),
    "|| of words": (
        lambda n: "?x :p ?y; :q ?z " + each(n, 'FILTER(ftcontains(?y, "a#") || ftcontains(?z, "b#"))'),
        f':a :p "none" . :a :q "{each(N, "b#")}"',
    ),
    "|| of words, with &&": (
        lambda n: "?x :p ?y; :q ?z FILTER(" + each(n, '(ftcontains(?y, "a#") || ftcontains(?z, "b#"))', " && ") + ")",
        f':a :p "none" . :a :q "{each(N, "b#")}"',
    ),
    "IN": (
        lambda n: each(n, "?x :p# ?y# FILTER(?y# IN (:a, :b, :c))"),
        numbers(":a :p# :b", N),
    ),
    "VALUES": (
        lambda n: each(n, "VALUES ?y# { :a :b :c } ?x :p# ?y#"),
        numbers(":a :p# :c", N),
    ),
    "paths": (
        lambda n: f"?x {each(n, '(:p|:q)', '/')} ?y",
        ":a :p :b . :b :q :a",
    ),
    "p+ in p+": (
        lambda n: f"?x {'(' * n}:p/:q{')+' * n} ?y",
        ":a :p :b . :b :q :a",
    ),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_are_bounded(name: str) -> None:
    """Two to the twentieth combinations become at most MAX_TUPLES tuples, which a match still satisfies."""
    pattern, triples = PRODUCTS[name]
    found = extract(query(pattern(N)))
    assert 0 < size(found) <= MAX_TUPLES
    assert not found.looks_at_everything
    one_match = publication(triples)
    assert matches(query(pattern(N)), one_match)
    assert any(is_satisfied(one, one_match, CONTEXT) for one in found.alternatives)


# Each grows with n, and nothing may be forgotten.
SUMS: dict[str, Callable[[int], str]] = {
    "branches": lambda n: "?x :p 1 " + each(n, "{ ?x :q# 1 }", " UNION "),
    "branches in branches": lambda n: each(n, "{ { ?x :p# 1 } UNION { ?x :q# 2 } }", " UNION "),
    "rows": lambda n: f"VALUES ?x {{ {each(n, ':v#')} }} ?x :p ?y; :q ?z",
    "alternative paths": lambda n: f"?x {each(n, ':p#', '|')} ?y",
}


@pytest.mark.parametrize("name", SUMS)
def test_sums_are_kept(name: str) -> None:
    """A thousand branches need a thousand alternatives, and they decide the query."""
    found = extract(query(SUMS[name](1000)))
    assert len(found.alternatives) >= 1000
    assert not found.residual


class Work:
    """What was copied into ways while a query was worked on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done = 0
        make = Way.__init__

        def counting(way: Way, *arguments: Any, **named: Any) -> None:
            make(way, *arguments, **named)
            self.done += 1 + len(way.tuples) + len(way.certain) + len(way.maybe) + len(way.bindings)

        monkeypatch.setattr(Way, "__init__", counting)

    def of(self, tree: Query) -> int:
        """For this query."""
        self.done = 0
        extract(tree)
        return self.done


EITHER = 'ftcontains(?y, "a#") || ftcontains(?z, "b#")'
LONG = {
    "triples": lambda n: each(n, "?x# :p ?y# ."),
    "paths": lambda n: each(n, "?x# :p/:q ?y# ."),
    "a sequence": lambda n: f"?x {each(n, ':p', '/')} ?y",
    "groups": lambda n: each(n, "{ ?x# :p ?y# }"),
    "OPTIONALs": lambda n: "?x :p ?y " + each(n, "OPTIONAL { ?x :p ?y# }"),
    "BINDs": lambda n: "?x :p ?y " + each(n, "BIND(?y + # AS ?y#)"),
    "MINUS": lambda n: "?x :p ?y " + each(n, "MINUS { ?z# :p ?y }"),
    "rows and triples": lambda n: f"VALUES ?x {{ {each(n, ':v#')} }} {each(n, '?x :p# ?y# .')}",
    "triples and rows": lambda n: f"{each(n, '?x :p# ?y# .')} VALUES ?x {{ {each(n, ':v#')} }}",
    "triples and branches": lambda n: each(n, "?x :p# ?y# .") + each(n, "{ ?x :q# 1 }", " UNION "),
    "conditions": lambda n: "?x :p ?y " + each(n, "FILTER(?y > #)"),
    "words": lambda n: "?x :p ?y " + each(n, 'FILTER ftcontains(?y, "w#")'),
    "|| of many words": lambda n: f"?x :p ?y; :q ?z FILTER({each(n, EITHER, ' || ')})",
    "values of IN": lambda n: f"?x :p ?y FILTER(?y IN ({each(n, ':v#', ', ')}))",
    **SUMS,
    **{name: pattern for name, (pattern, _) in PRODUCTS.items() if name != "p+ in p+"},  # too deep
    "triples with conditions": lambda n: each(n, "?x# :p ?y# FILTER(?y# > #)"),
}


@pytest.mark.parametrize("name", LONG)
def test_work_grows_with_the_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A query that is four times as long takes about four times the work, where quadratic would be sixteen."""
    short, long = query(LONG[name](100)), query(LONG[name](400))
    work = Work(monkeypatch)
    assert work.of(long) < 6 * work.of(short)


def test_many_conditions_on_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five hundred FILTERs on five hundred branches are not 250,000 steps; the residual has the rest."""
    tree = query(each(500, "{ ?x :q# ?y }", " UNION ") + each(500, "FILTER(?y > #)"))
    assert Work(monkeypatch).of(tree) < 200_000
    found = extract(tree)
    assert len(found.alternatives) == 500
    assert all(one.residual for one in found.alternatives)


def test_the_best_factor_is_kept() -> None:
    """Where not all can be indexed: words and terms before predicates, and these before nothing."""
    words = each(20, '{ ?x :title ?t# FILTER ftcontains(?t#, "w#") }', " UNION ")
    predicates = each(10, "{ ?x :p# ?y# }", " UNION ")
    nothing = "{ ?x ?p ?y } UNION { ?y ?p ?x }" + each(20, " UNION { ?x ?p# ?y# }")
    for pattern in (f"{words} {predicates}", f"{predicates} {words}", f"{nothing} {words}"):
        assert len(shown(f"{{ {pattern} }}")) == 20
        assert all("ftcontains" in one for one in shown(f"{{ {pattern} }}"))
    assert all(":p" in one for one in shown(f"{{ {nothing} {predicates} {nothing} }}"))


def test_rows_keep_their_values() -> None:
    """Rows with more tuples than each can carry are still indexed by their values."""
    rows = f"VALUES ?x {{ {each(300, ':v#')} }}"
    triples = each(20, "?x :p# ?y# .")
    for pattern in (f"{rows} {triples}", f"{triples} {rows}"):
        found = shown(f"{{ {pattern} }}")
        assert len(found) == 300
        assert all(one.startswith("(:v") and one.endswith("~") for one in found)
