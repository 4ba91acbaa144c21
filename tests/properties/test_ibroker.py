"""IBROKER against evaluating every query by itself, on random queries, publications and changes."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ibroker_baseline import IBroker
from sparql_ft import Publication, QueryError, matches, parse
from tests.strategies import publications, queries


def is_registrable(text: str) -> bool:
    """Generated trees may look for words where no literal can be, which is refused."""
    try:
        parse(text)
    except QueryError:
        return False
    return True


texts = queries().map(str).filter(is_registrable)


@given(st.lists(texts, min_size=1, max_size=12), st.lists(publications(), min_size=1, max_size=3))
@settings(max_examples=100)
def test_exactly_the_matching_queries(some: list[str], published: list[Publication]) -> None:
    """It finds what matches, and nothing else."""
    broker = IBroker(max_steps=None)
    broker.register_many((str(number), text) for number, text in enumerate(some))
    for publication in published:
        expected = [str(number) for number, text in enumerate(some) if matches(text, publication)]
        assert broker.match_ids(publication) == expected
