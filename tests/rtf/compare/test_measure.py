"""Timing, with a clock that the tasks themselves put forward."""

from __future__ import annotations

import gc
from collections.abc import Callable

from rtf.compare.measure import Spread, interleaved, spreads


class Clock:
    """Stands still unless a task takes its time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.log: list[str] = []

    def __call__(self) -> float:
        """The time."""
        return self.now

    def task(self, name: str, *seconds: float) -> Callable[[], None]:
        """A task that takes so long, round by round."""
        left = list(seconds)

        def run() -> None:
            self.log.append(name)
            self.now += left.pop(0)

        return run


def test_every_task_has_its_own_times() -> None:
    """Medians and spread stand under the name of the task that took them, and rounds take turns."""
    clock = Clock()
    found = spreads({"a": clock.task("a", 1, 5, 2), "b": clock.task("b", 10, 30, 20)}, 3, clock)
    assert found == {"a": Spread(2, 1, 5), "b": Spread(20, 10, 30)}
    assert "".join(clock.log) == "ababab"


def test_fewer_rounds_for_some() -> None:
    """A task that takes long can have fewer rounds."""
    clock = Clock()
    found = spreads({"slow": clock.task("s", 100), "fast": clock.task("f", 3, 1, 2)}, {"slow": 1, "fast": 3}, clock)
    assert found == {"slow": Spread(100, 100, 100), "fast": Spread(2, 1, 3)}
    assert "".join(clock.log) == "sfff"


def test_units() -> None:
    """A spread in another unit."""
    assert Spread(2, 1, 5).times(1000) == Spread(2000, 1000, 5000)


def test_garbage_is_not_collected_in_between() -> None:
    """Nobody pays for another's garbage, and afterwards all is as before."""
    seen: list[bool] = []
    interleaved({"a": lambda: seen.append(gc.isenabled())}, 2)
    assert (seen, gc.isenabled()) == ([False, False], True)
