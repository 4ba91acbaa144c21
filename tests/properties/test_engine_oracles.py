"""The engine, with many queries at once, against pyoxigraph and rdflib evaluating each query on each publication.

Queries are grown from publications, so that many match and many just miss, and all queries of an engine meet all
publications, one by one and as columns. Where an oracle is known to leave the specification
(`tests.oracles.divergences`), it is not asked; pairs that no oracle is asked about do not count.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from rtf import Engine
from rtf.columns import columns_of
from rtf.mutable.forest import Layout
from sparql_ft import Publication, Query, QueryError, parse
from sparql_ft.convert import from_rdflib
from sparql_ft.terms import BlankNode, Literal
from tests.grown_queries import grown
from tests.oracles.divergences import concerned
from tests.oracles.engines import Multiset, multiset, projected, pyoxigraph_solutions, rdflib_solutions
from tests.oracles.pair import Pair
from tests.strategies import ODD
from tests.unusual_literals import ODD_FORMS, UNICODE

ORACLES = {"pyoxigraph": pyoxigraph_solutions, "rdflib": rdflib_solutions}
AT_ONCE = 10  # queries in an engine
FEATURES = {
    *("several values", "shared objects", "links", "blank nodes", "languages", "odd forms", "Unicode", "its own graph"),
    *("TriplePattern", "Wildcard", "PathSequence", "PathAlternative", "PathInverse", "PathRepeat", "PathNegated"),
    *("Filter", "OptionalGroup", "Minus", "GraphGroup", "Union", "Bind", "InlineData", "Group", "Exists"),
    *("And", "Or", "Not", "Compare", "In", "Arithmetic", "Sign", "Call", "FunctionCall"),
    *("FtContains", "FtWords", "FtNear", "FtNot", "FtAnd", "FtOr"),
}
# rdflib logs each literal that is no value of its type, with a traceback: thousands of them.
pytestmark = pytest.mark.usefixtures("silent_rdflib")


@pytest.fixture
def silent_rdflib() -> Iterator[None]:
    """Without rdflib's warnings."""
    logger = logging.getLogger("rdflib.term")
    before = logger.level
    logger.setLevel(logging.ERROR)
    yield
    logger.setLevel(before)


def world(rng: Random) -> tuple[list[Query], list[Publication]]:
    """Some queries, and some publications of which two have something to do with each of them."""
    queries: list[Query] = []
    publications: list[Publication] = []
    while len(queries) < AT_ONCE:
        query, some = grown(rng)
        query = projected(query)
        if rng.random() < 0.2:
            query = replace(query, modifier="DISTINCT")
        if rng.random() < 0.2:
            query = replace(query, projection=tuple(rng.sample(query.projection or (), 1)))
        try:
            query = parse(str(query))
        except QueryError:  # it looks for words where no literal can be
            continue
        queries.append(query)
        publications += rng.sample(some, 2)
    return queries, [replace(each, id=f"urn:x:publication{number}") for number, each in enumerate(publications)]


def answers(engine: Engine, publications: list[Publication]) -> dict[str, dict[str, Multiset]]:
    """The solutions of the queries that match, for each publication; by all ways to ask for them."""
    found = {}
    for publication in publications:
        matches = engine.match(publication)
        assert engine.match_ids(publication) == [match.query_id for match in matches]
        found[publication.id] = {
            match.query_id: multiset({name: from_rdflib(term) for name, term in row.items()} for row in match.bindings)
            for match in matches
        }
    columns = columns_of(publications)
    assert engine.report_batch(columns).failures == []
    batch = engine.match_batch(columns)
    rows = zip(batch["publication"].to_pylist(), batch["query_id"].to_pylist(), strict=True)
    assert list(rows) == [(id, query_id) for id, matches in found.items() for query_id in matches]
    return found


def compare(seed: int, pairs: int) -> Counter[Any]:
    """Ask an oracle, or both, about so many pairs; what was asked."""
    rng, counts = Random(seed), Counter[Any]()
    while counts["asked"] < pairs:
        queries, publications = world(rng)
        layout: Layout = rng.choice(("rtfm", "rtfs"))
        engine = Engine(layout=layout, max_steps=None, freeze_at=rng.choice((None, 1, 4)), background=False)
        engine.register_many((str(number), str(query)) for number, query in enumerate(queries))
        found = answers(engine, publications)
        for number, query in enumerate(queries):
            for publication in publications:
                ours = found[publication.id].get(str(number))
                counts["matches"] += ours is not None
                counts["pairs"] += 1
                counts["asked"] += check(query, publication, ours, counts)
    return counts


def check(query: Query, publication: Publication, ours: Multiset | None, counts: Counter[Any]) -> bool:
    """One query on one publication: match iff there is a solution, and equal bindings. Whether there was an oracle."""
    asked, pair = False, Pair(query, publication)
    for name, solutions in ORACLES.items():
        known = concerned(name, pair)
        if not all(entry.counts for entry in known):
            continue
        theirs = solutions(query, publication)
        example = f"{name} disagrees:\n{query}\non {publication.graph}\n{publication.triples}\n{ours}\n{theirs}"
        assert (ours is not None) == bool(theirs), example
        if ours is not None:
            assert (set(ours) == set(theirs)) if known else (ours == theirs), example
        counts[name] += 1
        asked = True
    if asked:
        counts.update(("asked", feature) for feature in (*pair.tree.types, *features(publication)))
    return asked


def features(publication: Publication) -> set[str]:
    """What a publication has that is easy to get wrong."""
    subjects = {subject for subject, _, _ in publication.triples}
    objects = [object_ for _, _, object_ in publication.triples]
    has = {
        "several values": len({triple[:2] for triple in publication.triples}) < len(publication),
        "shared objects": len(set(objects)) < len(objects),
        "links": not subjects.isdisjoint(objects),
        "blank nodes": any(isinstance(term, BlankNode) for term in (*subjects, *objects)),
        "languages": any(isinstance(term, Literal) and term.language for term in objects),
        "odd forms": not {*ODD, *ODD_FORMS}.isdisjoint(objects),
        "Unicode": not set(UNICODE).isdisjoint(objects),
        "its own graph": publication.graph is not None,
    }
    return {feature for feature, is_there in has.items() if is_there}


def check_counts(counts: Counter[Any]) -> None:
    """Most pairs were asked of an oracle, more than half of each, and they had everything in them."""
    assert counts["asked"] > counts["pairs"] * 2 / 3
    assert counts["matches"] > counts["pairs"] / 10
    assert counts["pyoxigraph"] > counts["pairs"] / 2
    assert counts["rdflib"] > counts["pairs"] / 2
    assert {feature for feature in FEATURES if not counts["asked", feature]} == set()


def test_a_few_thousand_pairs() -> None:
    """Matches and near misses, all answered as the oracles do."""
    check_counts(compare(1, 2_000))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 42))
def test_many_pairs(seed: int) -> None:
    """Forty times 5,000 pairs that an oracle was asked about."""
    counts = compare(seed, 5_000)
    assert counts["asked"] >= 5_000
    check_counts(counts)
