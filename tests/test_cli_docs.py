"""The examples of docs/cli.md: what the commands print is what is printed below them."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_docs import FENCE

ROOT = Path(__file__).resolve().parents[1]


def examples() -> list[tuple[str, str]]:
    """Each command after a `$` in a ```console block, and what is printed below it."""
    markdown = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    blocks = [fence[3] for fence in FENCE.finditer(markdown) if fence[2] == "console"]
    found = [re.split(r"^\$ (.*)\n", block, flags=re.MULTILINE)[1:] for block in blocks]
    return [(command, printed) for block in found for command, printed in zip(block[::2], block[1::2], strict=True)]


@pytest.mark.spark
def test_examples(tmp_path: Path) -> None:
    """One after the other in a folder like docs, by a shell; `...` stands for anything."""
    shutil.copytree(ROOT / "docs" / "examples", tmp_path / "examples")
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    checker = doctest.OutputChecker()
    wrong = []
    for command, expected in examples():
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        printed = done.stdout.decode()
        if not checker.check_output(expected, printed, doctest.ELLIPSIS):
            wrong.append(f"$ {command}\nexpected:\n{expected}\nprinted:\n{printed}")
    assert not wrong, "\n".join(wrong)


def test_examples_are_seen() -> None:
    """There are commands to run, and each command of ours is shown."""
    shown = {command.split("rtf ")[1].split()[0] for command, _ in examples() if "rtf " in command}
    expected = {"check", "register", "unregister", "list", "match", "filter", "watch", "explain", "compare", "demo"}
    assert shown == expected
