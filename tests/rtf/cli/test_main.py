"""The command `rtf` as such: help, version, exit codes, readers that go away."""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib.metadata import version
from types import SimpleNamespace

import pytest

from rtf import cli


def command(run: object) -> SimpleNamespace:
    """A module with one command, `do`."""
    return SimpleNamespace(__name__="rtf.cli.do", add_parser=lambda subparsers: subparsers.add_parser("do"), run=run)


def test_no_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a command the help goes to stderr: it is not what was asked for."""
    assert cli.main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("usage: rtf ")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """`rtf --version` names the distribution's version."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"rtf {version('rtf-sparql')}\n"


def test_unknown_command(capsys: pytest.CaptureFixture[str]) -> None:
    """A misspelt command is bad input."""
    with pytest.raises(SystemExit) as stop:
        cli.main(["chekc"])
    assert stop.value.code == 2
    assert "chekc" in capsys.readouterr().err


def test_dispatch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command's exit code is ours."""
    monkeypatch.setattr(cli, "COMMANDS", (command(lambda _: 7),))
    assert cli.main(["do"]) == 7


def test_interrupt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends without a traceback."""

    def run(_: argparse.Namespace) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "COMMANDS", (command(run),))
    assert cli.main(["do"]) == 130


def test_another_broken_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    """A socket that breaks is an error, not a reader that has seen enough."""

    def run(_: argparse.Namespace) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(cli, "COMMANDS", (command(run),))
    with pytest.raises(BrokenPipeError):
        cli.main(["do"])


@pytest.mark.parametrize("size", [10, 1_000_000])
def test_reader_goes_away(size: int) -> None:
    """`rtf … | true` is quiet, whether little or much was written."""
    program = f"""
import sys, types
from rtf import cli
def run(args):
    sys.stdin.readline()
    print("x" * {size})
    return 0
cli.COMMANDS = (types.SimpleNamespace(__name__="do", add_parser=lambda s: s.add_parser("do"), run=run),)
sys.exit(cli.main(["do"]))
"""
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(b"\n")
        process.stdin.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_as_module() -> None:
    """`python -m rtf` is the command."""
    done = subprocess.run([sys.executable, "-m", "rtf", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("rtf ")
