"""No time is taken of a system that is wrong: the check that comes before, itself checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from rtf.compare.agreement import Agreed, DisagreementError, agree
from rtf.compare.naive import Naive
from sparql_ft import Publication

TEXTS = {
    "city": "ASK { ?x a <urn:City> }",
    "river": "ASK { ?x a <urn:River> }",
    "any": "ASK { ?x ?p ?o }",
}
CITY = Publication.parse("<urn:rio> a <urn:City> .", format="ttl")
RIVER = Publication.parse("<urn:amazon> a <urn:River> .", format="ttl")


class Changed:
    """The naive matcher, with its answers changed."""

    def __init__(self, change: Callable[[list[str]], list[str]]) -> None:
        self._naive = Naive()
        self._naive.register_many(TEXTS.items())
        self._change = change

    def __len__(self) -> int:
        return len(self._naive)

    def register_many(self, queries: Iterable[tuple[str, str]]) -> None:
        """See `Matcher`."""
        self._naive.register_many(queries)

    def match_ids(self, publication: Publication) -> list[str]:
        """See `Matcher`."""
        return self._change(self._naive.match_ids(publication))


def right() -> Changed:
    """A system without a fault."""
    return Changed(lambda ids: ids)


def asked(**others: Changed) -> Agreed:
    """What `agree` says of these and a right one."""
    matchers = {"right": right(), **others}
    return agree(matchers, TEXTS, {name: [CITY, RIVER] for name in matchers})


def test_agreement() -> None:
    """Systems that agree pass, and it is told how much was compared."""
    assert asked(other=right()) == Agreed(publications=2, matches=4)


def test_a_lost_match() -> None:
    """A system that loses a match is named, with the query and the publication."""
    with pytest.raises(DisagreementError) as caught:
        asked(loser=Changed(lambda ids: [id for id in ids if id != "river"]))
    assert str(caught.value) == "loser loses river on urn:amazon; nothing is timed"


def test_an_invented_match() -> None:
    """So is one that invents a match."""
    with pytest.raises(DisagreementError) as caught:
        asked(liar=Changed(lambda ids: sorted({*ids, "river"}, key=list(TEXTS).index)))
    assert str(caught.value) == "liar invents river on urn:rio; nothing is timed"


def test_the_majority_may_be_wrong() -> None:
    """Who is wrong is found by evaluating the query, not by counting heads."""
    wrong = [Changed(lambda ids: [id for id in ids if id != "any"]) for _ in range(2)]
    with pytest.raises(DisagreementError) as caught:
        asked(first=wrong[0], second=wrong[1])
    assert (caught.value.system, caught.value.lost) == ("first", ("any",))


def test_all_but_nothing() -> None:
    """Systems that lose everything do not agree by being equally silent where one is right."""
    with pytest.raises(DisagreementError, match="silent loses city, any on urn:rio"):
        asked(silent=Changed(lambda _: []))


@pytest.mark.parametrize("change", [lambda ids: ids + ids[:1], lambda ids: ids[::-1]])
def test_twice_or_out_of_order(change: Callable[[list[str]], list[str]]) -> None:
    """Each id once, in order of registration."""
    with pytest.raises(DisagreementError, match="twice or not in order"):
        asked(other=Changed(change))


def test_slow_systems_are_asked_less() -> None:
    """A system is asked about its own publications only."""
    slow = Changed(lambda ids: [id for id in ids if id != "river"])  # wrong on the second
    assert agree({"right": right(), "slow": slow}, TEXTS, {"right": [CITY, RIVER], "slow": [CITY]}).matches == 4
