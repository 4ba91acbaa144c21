"""IBROKER and RTF on real queries and real entities: the same matches."""

from __future__ import annotations

import bz2
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from ibroker_baseline import IBroker
from rtf import Engine
from sparql_ft import Publication, QueryError, prepare

ENTITIES = 300


def real_queries(folder: Path) -> list[tuple[str, str]]:
    """Those that can be registered, every fifth of them."""
    found = {}
    lines = (folder / "sparql.jsonl").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines[::5]):
        text = json.loads(line)["query"]
        try:
            prepare(text)
        except QueryError:
            continue
        found[str(number)] = text
    return list(found.items())


def test_the_same_matches(shared_dir: Callable[[str], Path]) -> None:
    """Of both executions and of the engine, on entities of DBpedia."""
    queries = real_queries(shared_dir("queries"))
    with bz2.open(shared_dir("dbpedia") / "entities.nt.bz2") as file:
        published = Publication.parse_many(b"".join(islice(file, 20_000)))[:ENTITIES]
    engine = Engine(max_steps=None)
    plain, compiled = IBroker(max_steps=None, compile_at=None), IBroker(max_steps=None)
    for matcher in (engine, plain, compiled):
        matcher.register_many(queries)
    assert (plain.compiled, compiled.compiled) == (0, len(queries))
    matches = 0
    for publication in published:
        expected = engine.match_ids(publication)
        assert compiled.match_ids(publication) == expected
        assert plain.match_ids(publication) == expected
        matches += len(expected)
    assert matches > ENTITIES  # some queries ask for little
