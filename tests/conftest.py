"""What all tests share.

HYPOTHESIS_PROFILE chooses how hard property tests try: `default` draws the same examples in each run, so that a red
test was made red by the change at hand; `thorough` draws many and new ones each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import shared

# No deadline: a first call may import NLTK or compile with numba, and machines differ.
settings.register_profile("default", deadline=None, derandomize=True)
settings.register_profile(
    "thorough",
    deadline=None,
    max_examples=10_000,
    suppress_health_check=[HealthCheck.too_slow],  # slow generators are accepted when many examples are asked for
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture(scope="session")
def shared_dir() -> Callable[[str], Path]:
    """`shared_dir("w3c")`: the path of ../shared/w3c, or the test is skipped with a message that names it."""
    return shared.shared_dir


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give all Spark tests to one worker process: a session is slow to start, and large."""
    for item in items:
        if item.get_closest_marker("spark") is not None:
            item.add_marker(pytest.mark.xdist_group("spark"))
