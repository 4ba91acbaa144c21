"""What conftest.py promises to all tests."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SPARK_TESTS = """
import os, pathlib, pytest, time

@pytest.mark.spark
@pytest.mark.parametrize("number", range(6))
def test_which_worker(number):
    time.sleep(0.05)
    pathlib.Path(__file__).with_name(os.environ["PYTEST_XDIST_WORKER"]).touch()
"""


def test_spark_tests_share_a_worker(tmp_path: Path) -> None:
    """All tests marked `spark` run in one process, though there are two: a second session would cost half a minute."""
    (tmp_path / "test_spark.py").write_text(SPARK_TESTS, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest"]
    command += ["-p", "no:cacheprovider", "-n", "2", "--dist", "loadgroup", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(list(tmp_path.glob("gw*"))) == 1


def test_missing_shared_data(shared_dir: Callable[[str], Path]) -> None:
    """A test that lacks its data is skipped, and says what is missing."""
    with pytest.raises(pytest.skip.Exception, match=r"\.\./shared/no-such-folder beside the repository is missing"):
        shared_dir("no-such-folder")
