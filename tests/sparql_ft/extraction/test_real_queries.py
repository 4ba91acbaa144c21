"""Queries that people have written: nearly all are decided by tuples, and nearly none looks at everything."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from sparql_ft.errors import QueryError
from sparql_ft.extraction.queries import extract
from sparql_ft.extraction.tuples import QueryTuples
from sparql_ft.syntax.parser import parse


def test_real_queries(shared_dir: Callable[[str], Path]) -> None:
    """What is left for full SPARQL is negation, the clock, and paths of any length: 12 of 3421 queries."""
    found: list[QueryTuples] = []
    for line in (shared_dir("queries") / "sparql.jsonl").read_text().splitlines():
        try:
            found.append(extract(parse(json.loads(line)["query"])))
        except QueryError:
            continue  # refused by name, which other tests look at
    assert len(found) > 3000
    assert sum(each.residual for each in found) <= 12
    assert sum(each.looks_at_everything for each in found) <= 2
    assert all(each.alternatives for each in found)
