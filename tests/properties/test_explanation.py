"""Explanations are true: on random queries and publications they say what the engine answers."""

from __future__ import annotations

import json

from hypothesis import given, settings

from rtf import Engine
from sparql_ft import Publication, matches
from tests.strategies import publications, texts


@given(texts, publications())
@settings(max_examples=400)
def test_says_what_the_engine_answers(text: str, publication: Publication) -> None:
    """It matches iff `match_ids` has the id; then some alternative holds, and otherwise each one says what fails."""
    engine = Engine(max_steps=None)
    engine.register("q", text)
    found = engine.explain("q", publication)
    assert found.matches == (engine.match_ids(publication) == ["q"]) == matches(text, publication, max_steps=None)
    assert found.matches == any(each.holds for each in found.alternatives)
    assert bool(found.bindings) == found.matches
    assert json.loads(json.dumps(found.as_json()))["matches"] == found.matches
    assert str(found).startswith("q matches " if found.matches else "q does not match ")


@given(texts, publications())
@settings(max_examples=200)
def test_tuples(text: str, publication: Publication) -> None:
    """A tuple has triples of the publication, or else a reason; each triple that came close has one too."""
    engine = Engine(max_steps=None)
    engine.register("q", text)
    for alternative in engine.explain("q", publication).alternatives:
        for each in alternative.tuples:
            assert (each.reason is None) == bool(each.triples)
            assert {*each.triples, *(attempt.triple for attempt in each.attempts)} <= set(publication.triples)
            assert all(attempt.reason.message for attempt in each.attempts)
