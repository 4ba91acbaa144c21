"""What the tests of commands share."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rtf.cli import main

Rtf = Callable[..., tuple[int, str, str]]


@pytest.fixture
def rtf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Rtf:
    """Calls a command in a folder of its own, with these files or this stdin: exit code, stdout and stderr.

    A file is given by its name with `_` for the dot, as in `a_rq="ASK {}"`.
    """
    monkeypatch.chdir(tmp_path)

    def call(*args: str, stdin: str = "", **files: str) -> tuple[int, str, str]:
        for name, text in files.items():
            Path(name.replace("_", ".")).write_text(text, encoding="utf-8")
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin.encode())))
        try:
            code = main(args)
        except SystemExit as stop:  # argparse
            code = int(stop.code or 0)
        return code, *capsys.readouterr()

    return call
