"""Kills processes that write to a registry, and looks at what is left. test_registry.py runs it in its own process.

Each child registers batches of queries and tells when one is committed. It is killed with SIGKILL: by itself after so
many steps of SQLite's machine, so that every part of a transaction is met, or by its parent at some moment. Then the
registry must open, be sound, hold all batches that were told as committed, and of each batch all or nothing.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from rtf.registry.registry import Registry

BATCH = 12
TEXT = "ASK { ?x a <http://x.org/C> } # " + "x" * 3000  # a batch takes several pages


def write(path: Path, told: int, number: int, steps: int | None) -> None:
    """Register batches until killed; `steps` is when to kill oneself."""
    registry = Registry(path)
    registry._connection.execute("PRAGMA main.cache_size = 1")  # so that pages are written before all are changed
    if steps is not None:
        left = iter(range(steps))
        kill = lambda: next(left, None) is None and os.kill(os.getpid(), signal.SIGKILL)  # noqa: E731
        registry._connection.set_progress_handler(kill, 1)
    while True:
        registry.register_many((f"{number}-{place}", TEXT) for place in range(BATCH))
        if number > 3:  # the oldest go, so that pages are freed and used again
            registry.unregister(*(f"{number - 3}-{place}" for place in range(BATCH) if f"{number - 3}-0" in registry))
        os.write(told, f"{number}\n".encode())
        number += 1


def run(path: Path, first: int, steps: int | None, wait: float) -> list[int]:
    """Start a child, have it killed, and return the numbers of the batches it told as committed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            write(path, writing, first, steps)
        finally:
            os._exit(1)  # an error: the parent sees that it was no SIGKILL
    os.close(writing)
    if steps is None:
        time.sleep(wait)
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the child ended by itself"
    with os.fdopen(reading) as pipe:
        return [int(line) for line in pipe.read().split()]


def check(path: Path, committed: list[int]) -> tuple[int, bool]:
    """The highest number of a batch that is there, and whether SQLite had something to clean up."""
    interrupted = Path(f"{path}-journal").exists()
    with Registry(path) as registry:
        assert registry._connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        batches = Counter(int(query.id.partition("-")[0]) for query in registry)
    assert set(batches.values()) <= {BATCH}, f"a batch is not whole: {batches}"
    last = max(batches, default=0)
    assert not committed or last >= committed[-1], f"a committed batch is lost: {committed[-1]} of {batches}"
    return last, interrupted


def main() -> None:
    """Kill at chosen steps, then at some moments."""
    path = Path(sys.argv[1])
    chance = random.Random(1)
    last = interrupted = committed = 0
    plans: list[tuple[int | None, float]] = [(steps, 0) for steps in range(0, 3000, 60)]
    plans += [(None, chance.uniform(0.002, 0.06)) for _ in range(60)]
    for steps, wait in plans:
        told = run(path, last + 1, steps, wait)
        last, was_interrupted = check(path, told)
        committed += len(told)
        interrupted += was_interrupted
    print(json.dumps({"kills": len(plans), "committed": committed, "interrupted": interrupted}))


if __name__ == "__main__":
    main()
