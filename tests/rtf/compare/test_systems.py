"""What is measured under a name is what the name says."""

from __future__ import annotations

from itertools import permutations

import pytest

from rtf.compare.systems import ABLATION, SYSTEMS, MislabelledError, System, made

ALL = {system.name: system for system in (*SYSTEMS.values(), *ABLATION)}


def test_swapped_labels_are_caught() -> None:
    """Each system recognises itself, and is not taken for any other."""
    matchers = made(ALL.values())
    for name, matcher in matchers.items():
        matcher.register_many([("q", "ASK { ?x ?p ?o }")])
        ALL[name].check(matcher)
    for one, other in permutations(ALL, 2):
        with pytest.raises(MislabelledError, match=f"this is no {one}".replace("+", r"\+")):
            ALL[one].check(matchers[other])


def test_compiled_means_compiled() -> None:
    """An engine that has not compiled its queries is not measured as one that has."""
    compiled, plain = SYSTEMS["RTFS compiled"], SYSTEMS["RTFS"]
    mislabelled = System(compiled.name, compiled.what, plain.make, compiled.is_it)
    matcher = mislabelled.make()
    matcher.register_many([("q", "ASK {}")])
    with pytest.raises(MislabelledError):
        mislabelled.check(matcher)


def test_ablation_goes_from_the_paper_to_ours() -> None:
    """One change a step, IBROKER first; the steps of RTFS are all compiled."""
    assert [system.name for system in ABLATION] == [
        "IBROKER to the letter",
        "IBROKER",
        "paper's RTFS",
        "IBROKER compiled",
        "paper's RTFS compiled",
        "+ rarest first",
        "+ access tuples",
        "+ equal tuples once",
        "RTFS compiled",
    ]
