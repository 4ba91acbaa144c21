"""How things are timed here: against each other, in one run, in interleaved rounds, as medians.

The machine is shared and noisy, so only ratios of things that were measured together mean anything; absolute figures
stand beside them with machine, seed and commit.
"""

from __future__ import annotations

import gc
import os
import platform
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

__all__ = ["Spread", "commit", "conditions", "interleaved", "processor", "spreads", "table"]

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class Spread:
    """A median, and the least and the greatest of the rounds."""

    median: float
    low: float
    high: float

    @staticmethod
    def of(values: Sequence[float]) -> Spread:
        """That of some rounds."""
        return Spread(median(values), min(values), max(values))

    def times(self, factor: float) -> Spread:
        """The same in another unit."""
        return Spread(self.median * factor, self.low * factor, self.high * factor)


def interleaved(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median seconds of each task. Every round runs all of them, so that a slow minute slows all of them."""
    return {name: spread.median for name, spread in spreads(tasks, rounds).items()}


def spreads(
    tasks: Mapping[str, Callable[[], object]],
    rounds: int | Mapping[str, int],
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Spread]:
    """The same with how far the rounds lie apart. Tasks may have different numbers of rounds.

    Garbage is collected before each task and not during it: a task is not to pay for the objects of the others.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        counts = dict.fromkeys(tasks, rounds) if isinstance(rounds, int) else rounds
        for number in range(max(counts.values())):
            for name, task in tasks.items():
                if number >= counts[name]:
                    continue
                gc.collect(0)
                start = clock()
                task()
                seconds[name].append(clock() - start)
    finally:
        if was_enabled:
            gc.enable()
    return {name: Spread.of(values) for name, values in seconds.items()}


def conditions(seed: int, rounds: int) -> str:
    """What a figure depends on besides the code: a sentence to stand under a table."""
    machine = f"{processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"Medians of {rounds} interleaved rounds, seed {seed}, commit {commit()}, on {machine}."


def commit() -> str:
    """The commit of the sources, where they are a repository."""
    command = ["git", "describe", "--always", "--dirty", "--abbrev=10"]
    try:
        run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    except OSError:  # there is no git
        return "unknown"
    return run.stdout.strip() or "unknown"


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table, its first column text and the others figures."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
