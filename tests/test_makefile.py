"""The Makefile says what is missing on a machine, before it starts anything long."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """What make looks at, without a virtual environment."""
    for name in ("Makefile", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def make(clone: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """Call it there, as if from a shell and not from another make."""
    command = ["env", "-u", "MAKEFLAGS", "-u", "MAKELEVEL", "-u", "MFLAGS", "make", *args]
    return subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)


def python(clone: Path, text: str) -> str:
    """A Python that does what the text says; its path."""
    path = clone / "python"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("target", ["demo", "test", "check"])
def test_old_python(clone: Path, target: str) -> None:
    """A Python that is too old is named, and how to name another one."""
    old = python(clone, "case $1 in --version) echo Python 3.9.2;; *) exit 1;; esac")
    done = make(clone, target, f"PYTHON={old}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        f"Python 3.11 or later is needed, but {old} is Python 3.9.2.\nName another one: make PYTHON="
    )
    assert not (clone / ".venv").exists()


def test_python_without_venv(clone: Path) -> None:
    """On Debian, venv is a package of its own, which is named."""
    done = make(clone, "demo", f"PYTHON={python(clone, 'case $1 in -m) exit 1;; esac')}")
    assert done.returncode == 2
    assert "apt-get install python3-venv" in done.stderr


def test_help(clone: Path) -> None:
    """`make` alone lists every target, in order, each with a line of explanation."""
    done = make(clone)
    (phony,) = re.findall(r"^\.PHONY: (.*)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    listed = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert sorted(name for _, name, _ in listed) == sorted(phony.split())
    assert (done.returncode, done.stderr) == (0, "")


def test_clean(clone: Path) -> None:
    """What was made is removed, and nothing else."""
    for name in (".venv/bin", "dist", ".hypothesis", "rtf/__pycache__", "docs"):
        (clone / name).mkdir(parents=True)
    assert make(clone, "clean").returncode == 0
    assert sorted(path.name for path in clone.iterdir()) == ["Makefile", "docs", "pyproject.toml", "rtf"]
    assert list((clone / "rtf").iterdir()) == []


def test_no_benchmarks(clone: Path) -> None:
    """`make bench` without a benchmark is an error that says so. The environment counts as made here."""
    (clone / ".venv").mkdir()
    (clone / ".venv" / "installed").touch()
    done = make(clone, "bench")
    assert done.returncode == 2
    assert done.stderr.startswith("there is no benchmarks/bench_*.py yet\n")
