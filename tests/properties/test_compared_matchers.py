"""The simpler matchers of the comparison, and the paper's RTF, against evaluating every query by itself."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rtf.compare.naive import Naive
from rtf.compare.paper_rtf import PaperRtf
from rtf.compare.rarest_term import RarestTerm
from rtf.mutable.forest import Layout
from sparql_ft import Publication, matches
from tests.properties.test_ibroker import texts
from tests.strategies import publications

LAYOUTS: tuple[Layout, ...] = ("rtfm", "rtfs")


def paper_rtf(layout: Layout, options: tuple[bool, bool, bool]) -> PaperRtf:
    """With some of our changes."""
    rarest_first, access_tuples, equal_once = options
    return PaperRtf(layout, rarest_first=rarest_first, access_tuples=access_tuples, equal_once=equal_once)


MATCHERS: list[Callable[[], Naive | RarestTerm | PaperRtf]] = [
    Naive,
    RarestTerm,
    *(
        lambda layout=layout, options=options: paper_rtf(layout, options)  # type: ignore[misc]
        for layout, options in product(LAYOUTS, product((False, True), repeat=3))
    ),
]


@given(st.lists(texts, min_size=1, max_size=12), st.lists(publications(), min_size=1, max_size=3))
@settings(max_examples=60)
def test_exactly_the_matching_queries(some: list[str], published: list[Publication]) -> None:
    """Each of them finds what matches, and nothing else; also queries that come later."""
    numbered = [(str(number), text) for number, text in enumerate(some)]
    expected = [[id for id, text in numbered if matches(text, publication)] for publication in published]
    for make in MATCHERS:
        matcher = make()
        matcher.register_many(numbered[:3])
        matcher.register_many(numbered[3:])
        assert [matcher.match_ids(publication) for publication in published] == expected
