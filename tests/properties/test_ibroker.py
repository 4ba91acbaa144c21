"""IBROKER against evaluating every query by itself, on random queries, publications and changes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ibroker_baseline import IBroker
from sparql_ft import Publication, matches
from tests.strategies import publications, texts

COMPILE_AT = (None, 1, 3)  # never, at once, after a few


@given(st.lists(texts, min_size=1, max_size=12), st.lists(publications(), min_size=1, max_size=3))
@settings(max_examples=60)
def test_exactly_the_matching_queries(some: list[str], published: list[Publication]) -> None:
    """Both executions find what matches, and nothing else, and so does the paper to the letter."""
    brokers = [IBroker(max_steps=None, compile_at=compile_at) for compile_at in COMPILE_AT]
    for broker in (*brokers, IBroker(max_steps=None, to_the_letter=True)):
        broker.register_many((str(number), text) for number, text in enumerate(some))
        for publication in published:
            expected = [str(number) for number, text in enumerate(some) if matches(text, publication)]
            assert broker.match_ids(publication) == expected


@given(st.data())
@settings(max_examples=60)
def test_changes(data: st.DataObject) -> None:
    """Whatever is registered, replaced and removed, what is left matches, in order of registration."""
    pool = data.draw(st.lists(texts, min_size=1, max_size=6))
    compile_at, to_the_letter = data.draw(st.sampled_from([(None, True), *((each, False) for each in COMPILE_AT)]))
    broker = IBroker(max_steps=None, compile_at=compile_at, to_the_letter=to_the_letter)
    there: dict[str, str] = {}
    steps = st.tuples(st.sampled_from("abcdef"), st.sampled_from(pool) | st.none())
    for id, text in data.draw(st.lists(steps, max_size=25)):
        if text is None:
            if id in there:
                broker.unregister(id)
                del there[id]
        elif there.get(id) != text:
            broker.register(id, text, replace=True)
            there.pop(id, None)
            there[id] = text
    assert len(broker) == len(there)
    for publication in data.draw(st.lists(publications(), min_size=1, max_size=3)):
        expected = [id for id, text in there.items() if matches(text, publication)]
        assert broker.match_ids(publication) == expected
