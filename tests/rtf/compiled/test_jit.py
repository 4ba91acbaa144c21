"""Functions of the kernel are kept on disk, but never longer than their sources are what they were."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from rtf.compiled.kernel.jit import source_stamp

INSIDE = """
from rtf.compiled.kernel.jit import compiled

@compiled
def inside():
    return {number}
"""
OUTSIDE = """
import sys
from pathlib import Path

from inside import inside
from rtf.compiled.kernel.jit import entry, source_stamp

def make(stamp):
    def outside():
        _ = stamp
        return inside()
    return outside

outside = entry(make, source_stamp(Path(__file__).parent.glob("*.py")))
print(outside(), sum(outside.stats.cache_hits.values()))
"""


def run(folder: Path) -> list[int]:
    """What the function returns, and how often it was found on disk."""
    command = [sys.executable, str(folder / "outside.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[3])
    return [int(number) for number in done.stdout.split()]


def test_a_change_is_noticed_in_the_functions_that_are_called(tmp_path: Path) -> None:
    """Numba itself looks at the file of the outermost function only."""
    (tmp_path / "outside.py").write_text(OUTSIDE)
    (tmp_path / "inside.py").write_text(INSIDE.format(number=1))
    assert run(tmp_path) == [1, 0]
    assert run(tmp_path) == [1, 1]
    (tmp_path / "inside.py").write_text(INSIDE.format(number=2))
    assert run(tmp_path) == [2, 0]


def test_stamp(tmp_path: Path) -> None:
    """It depends on what is in the files, not on their order, and fits into a number of 64 bits."""
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a")
    other.write_text("b")
    stamp = source_stamp([one, other])
    assert stamp == source_stamp([other, one])
    assert 0 <= stamp < 2**63
    one.write_text("c")
    assert source_stamp([one, other]) != stamp
