"""The engine, with many queries at once, against pyoxigraph and rdflib evaluating each query on each publication.

Queries are grown from publications, so that many match and many just miss, and all queries of an engine meet all
publications. Where an oracle is known to leave the specification (`tests.oracles.divergences`), it is not asked.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from rtf import Engine
from rtf.mutable.forest import Layout
from sparql_ft import Publication, Query, QueryError, parse
from sparql_ft.convert import from_rdflib
from tests.grown_queries import grown
from tests.oracles.divergences import concerned
from tests.oracles.engines import multiset, projected, pyoxigraph_solutions, rdflib_solutions

ORACLES = {"pyoxigraph": pyoxigraph_solutions, "rdflib": rdflib_solutions}
AT_ONCE = 10  # queries in an engine


def world(rng: Random) -> tuple[list[Query], list[Publication]]:
    """Some queries, and some publications of which each has something to do with one of them."""
    queries: list[Query] = []
    publications: list[Publication] = []
    while len(queries) < AT_ONCE:
        query, some = grown(rng)
        try:
            query = parse(str(projected(query)))
        except QueryError:  # it looks for words where no literal can be
            continue
        queries.append(query)
        publications.append(rng.choice(some))
    return queries, publications


def compare(seed: int, pairs: int) -> Counter[str]:
    """Compare so many answers with both oracles; what was compared."""
    rng, counts = Random(seed), Counter[str]()
    while counts["pairs"] < pairs:
        queries, publications = world(rng)
        layout: Layout = rng.choice(("rtfm", "rtfs"))
        engine = Engine(layout=layout, max_steps=None, freeze_at=rng.choice((None, 1, 4)), background=False)
        engine.register_many((str(number), str(query)) for number, query in enumerate(queries))
        for publication in publications:
            found = {match.query_id: match for match in engine.match(publication)}
            assert engine.report(publication).failures == {}
            for number, query in enumerate(queries):
                match = found.get(str(number))
                rows = [] if match is None else match.bindings
                ours = multiset({name: from_rdflib(term) for name, term in row.items()} for row in rows)
                check(query, publication, ours, is_match=match is not None, counts=counts)
    return counts


def check(query: Query, publication: Publication, ours: Counter, *, is_match: bool, counts: Counter[str]) -> None:  # type: ignore[type-arg]
    """One query on one publication: match iff there is a solution, and equal bindings."""
    for name, solutions in ORACLES.items():
        known = concerned(name, query, publication)
        if not all(entry.counts for entry in known):
            counts[f"not asked {name}"] += 1
            continue
        theirs = solutions(query, publication)
        example = f"{name} disagrees:\n{query}\non {publication.graph}\n{publication.triples}"
        assert is_match == bool(theirs), example
        assert (set(ours) == set(theirs)) if known else (ours == theirs), example
        counts[name] += 1
        counts["matches"] += is_match
    counts["pairs"] += 1


def test_a_few_thousand_pairs() -> None:
    """Matches and near misses, all answered as the oracles do."""
    counts = compare(1, 1_500)
    assert counts["matches"] > 200
    assert counts["pyoxigraph"] > counts["pairs"] / 6
    assert counts["rdflib"] > counts["pairs"] / 6


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_many_pairs(seed: int) -> None:
    """Twenty times 10,000 pairs."""
    assert compare(seed, 10_000)["matches"] > 500
