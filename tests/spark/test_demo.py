"""`rtf demo`: what a newcomer sees."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rtf.cli import main
from tests.rtf.sample.test_sample import expected

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def headings(printed: str) -> dict[str, int]:
    """The queries in the table, and the number of matches that is told of each."""
    found = re.findall(r"^(\S+) \((?:\w+), (\d+) matches\): \S", printed, re.MULTILINE)
    return {query: int(count) for query, count in found}


def test_demo(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """A table of what each query found, on stdout; on stderr how much it was, and what can be done next."""
    assert main(["demo"]) == 0
    printed = capsys.readouterr()
    matches = {query: len(found) for query, found in expected().items() if found}
    assert headings(printed.out) == matches
    lines = [line for line in printed.out.splitlines() if line.startswith("  ")]
    assert len(lines) == sum(min(3, count) for count in matches.values())
    assert "  Marie Curie             … polonium and radium. She was the «first woman» to win a Nobel " in printed.out
    assert "  Millau Viaduct          The Millau Viaduct is a «cable-stayed» bridge" in printed.out
    assert "  Seven Samurai           minutes = 207\n" in printed.out
    assert "  Mount Etna              «Αίτνα»\n" in printed.out
    assert max(map(len, printed.out.splitlines())) <= 120
    assert not re.search(r"[ \t]$", printed.out, re.MULTILINE)
    assert "\x1b" not in printed.out
    assert f"\n{sum(matches.values())} matches of {len(matches)} queries, " in printed.err
    assert "Still waiting: atlantis." in printed.err
    assert "What next?" in printed.err


def test_all(spark: SparkSession, capsys: pytest.CaptureFixture[str]) -> None:
    """On request, every match has its line."""
    assert main(["demo", "--all"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert len(lines) == sum(map(len, expected().values()))


def test_terminal(spark: SparkSession, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal, words are bold instead of marked, and lines as wide as it is."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["demo"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b[1;33mfirst woman\x1b[0m" in printed
    assert "«" not in printed
    plain = re.sub(r"\x1b\[[0-9;]*m", "", printed)
    assert len(headings(plain)) == sum(map(bool, expected().values()))
    assert 70 < max(map(len, plain.splitlines())) <= 80


def test_no_java(tmp_path: Path) -> None:
    """Without Java there is no Spark, and it is said what to do."""
    command = [sys.executable, "-m", "rtf", "demo"]
    env = os.environ | {"JAVA_HOME": str(tmp_path)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "rtf demo: Spark needs Java, and there is none" in done.stderr
    assert "Traceback" not in done.stderr
