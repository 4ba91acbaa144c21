"""The engine against evaluating every query by itself, on random queries, publications and changes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from rtf import Engine
from rtf.columns import columns_of
from rtf.mutable.forest import Layout
from sparql_ft import Publication, evaluate, matches
from sparql_ft.convert import to_rdflib
from tests.strategies import publications, texts

LAYOUTS: tuple[Layout, ...] = ("rtfm", "rtfs")
FREEZE_AT = (None, 1, 3)  # never, at once, after a few


@given(st.lists(texts, min_size=1, max_size=12), st.lists(publications(), min_size=1, max_size=3))
@settings(max_examples=100)
def test_exactly_the_matching_queries(some: list[str], published: list[Publication]) -> None:
    """Both layouts find what matches, nothing else, and give up nothing; also after learning from the publications."""
    for layout, freeze_at in product(LAYOUTS, FREEZE_AT):
        engine = Engine(layout=layout, max_steps=None, freeze_at=freeze_at, background=False)
        engine.register_many((str(number), text) for number, text in enumerate(some))
        for learned in (False, True):
            if learned:
                engine.learn(published)
            for publication in published:
                report = engine.report(publication)
                expected = [str(number) for number, text in enumerate(some) if matches(text, publication)]
                assert (report.query_ids, report.failures) == (expected, {})
        named = [replace(each, id=str(number)) for number, each in enumerate(published)]
        found = engine.match_batch(columns_of(each for each in named if each.triples))
        assert [tuple(row.values()) for row in found.to_pylist()] == [
            (each.id, str(number))
            for each in named
            if each.triples
            for number, text in enumerate(some)
            if matches(text, each)
        ]


@given(texts, publications())
@settings(max_examples=200)
def test_bindings(query: str, publication: Publication) -> None:
    """A match has the bindings that evaluation gives, as rdflib's terms."""
    engine = Engine()
    engine.register("q", query)
    found = engine.match(publication)
    expected = evaluate(query, publication)
    assert [match.query_id for match in found] == (["q"] if matches(query, publication) else [])
    for match in found:
        assert match.bindings == [{name: to_rdflib(term) for name, term in row.items()} for row in expected]


def saved_and_loaded(engine: Engine) -> Engine:
    """The same engine by way of a file."""
    with TemporaryDirectory() as folder:
        engine.save(Path(folder, "index"))
        return Engine.load(Path(folder, "index"), max_steps=None, freeze_at=3, background=False)


@given(st.data())
@settings(max_examples=150)
def test_changes(data: st.DataObject) -> None:
    """Whatever is registered, replaced, removed, saved and loaded, what is left matches as in a new engine.

    Also while segments are being merged.
    """
    layout = data.draw(st.sampled_from(LAYOUTS))
    pool = data.draw(st.lists(texts, min_size=1, max_size=6))
    freeze_at, background = data.draw(st.sampled_from(FREEZE_AT)), data.draw(st.booleans())
    engine = Engine(layout=layout, max_steps=None, freeze_at=freeze_at, background=background)
    there: dict[str, str] = {}
    steps = st.tuples(st.sampled_from("abcdefé/"), st.sampled_from(pool) | st.none())
    for id, text in data.draw(st.lists(steps, max_size=25)):
        if id == "/":
            engine = saved_and_loaded(engine)
        elif text is None:
            if id in there:
                engine.unregister(id)
                del there[id]
        elif there.get(id) != text:
            engine.register(id, text, replace=True)
            there.pop(id, None)
            there[id] = text
    fresh = Engine(layout=layout, max_steps=None, freeze_at=None)
    fresh.register_many(there.items())
    assert [query.id for query in engine] == list(there)
    for publication in data.draw(st.lists(publications(), min_size=1, max_size=3)):
        assert engine.match_ids(publication) == fresh.match_ids(publication)
