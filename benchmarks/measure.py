"""How things are timed here: against each other, in one run, in interleaved rounds, as medians.

The machine is shared and noisy, so only ratios of things that were measured together mean anything; absolute figures
stand beside them with machine, seed and commit.
"""

from __future__ import annotations

import os
import platform
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median

__all__ = ["conditions", "interleaved", "table"]

ROOT = Path(__file__).resolve().parents[1]


def interleaved(tasks: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The median seconds of each task. Every round runs all of them, so that a slow minute slows all of them."""
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            seconds[name].append(time.perf_counter() - start)
    return {name: median(values) for name, values in seconds.items()}


def conditions(seed: int, rounds: int) -> str:
    """What a figure depends on besides the code: a sentence to stand under a table."""
    run = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--abbrev=10"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    commit = run.stdout.strip() or "unknown"
    machine = f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return f"Medians of {rounds} interleaved rounds, seed {seed}, commit {commit}, on {machine}."


def _processor() -> str:
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
