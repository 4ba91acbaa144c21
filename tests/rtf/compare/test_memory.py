"""Counting what a matcher holds."""

from __future__ import annotations

import numpy as np

from rtf.compare.memory import size_of
from rtf.compare.systems import SYSTEMS


def test_arrays_count_with_their_data_and_once() -> None:
    """Also when only a view of them is held, or several."""
    data = np.zeros(100_000, np.int32)
    assert 400_000 <= size_of([data]) < 401_000
    assert 400_000 <= size_of([data[:10], data[10:], data]) < 401_000


def test_shared_objects_count_once() -> None:
    """As memory has them once."""
    text = "x" * 10_000
    assert size_of([text, text, (text,)]) < 11_000


def test_every_system_grows() -> None:
    """More queries take more memory, in each system."""
    queries = [(f"q{n}", f'ASK {{ ?x <urn:p{n}> ?t FILTER ftcontains(?t, "word{n}") }}') for n in range(400)]
    for system in SYSTEMS.values():
        matcher = system.make()
        matcher.register_many(queries[:100])
        before = size_of(matcher)
        matcher.register_many(queries[100:])
        assert size_of(matcher) - before > 300 * 30, system.name
