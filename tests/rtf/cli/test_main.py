"""The command `rtf` as such: help, version, exit codes, readers that go away."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import pytest

from rtf import cli

NAMES = [each.__name__.rpartition(".")[2] for each in cli.COMMANDS]


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


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("chekc", "did you mean check?"),
        ("olympics.rq", f"the commands are: {', '.join(NAMES)}"),
    ],
)
def test_unknown_command(capsys: pytest.CaptureFixture[str], name: str, advice: str) -> None:
    """A misspelt command is bad input, and the right one is told."""
    with pytest.raises(SystemExit) as stop:
        cli.main([name])
    assert stop.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith(f"rtf: error: there is no command '{name}'; {advice}\n")


@pytest.mark.parametrize("args", [["--help"], *([name, "--help"] for name in NAMES)])
def test_help(capsys: pytest.CaptureFixture[str], args: list[str]) -> None:
    """Help that was asked for is data, and fits on a screen of 120 columns."""
    with pytest.raises(SystemExit) as stop:
        cli.main(args)
    assert stop.value.code == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: rtf ")
    assert max(map(len, out.splitlines())) <= 120
    assert err == ""


@pytest.mark.parametrize("name", NAMES)
def test_help_has_examples(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Each command shows how it is called."""
    with pytest.raises(SystemExit):
        cli.main([name, "--help"])
    assert f"rtf {name} " in capsys.readouterr().out.partition("examples:\n")[2]


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


@pytest.mark.parametrize(
    ("redirections", "code", "stdout", "stderr"),
    [
        (">&-", 0, "", "checked 1 query"),
        ("2>&-", 0, "a  (a.rq)", ""),
        (">&- 2>&-", 0, "", ""),
        ("- <&-", 2, "a  (a.rq)", "<stdin>: error: there is no query in it"),
        (">/dev/full", 1, "", "rtf: cannot write: no space left on device"),
    ],
)
def test_streams_of_no_use(tmp_path: Path, redirections: str, code: int, stdout: str, stderr: str) -> None:
    """Streams that are closed or full end in no traceback."""
    (tmp_path / "a.rq").write_text("ASK { ?x a <c> }")
    command = f"{sys.executable} -m rtf check a.rq {redirections}"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False)
    assert (done.stdout.partition("\n")[0], done.stderr[: len(stderr)]) == (stdout, stderr)


@pytest.mark.parametrize("redirections", ["2>&1", "2>&1 >/dev/null"])
def test_reader_of_stderr_goes_away(tmp_path: Path, redirections: str) -> None:
    """The same if it is stderr that nobody reads any more."""
    (tmp_path / "a.rq").write_text("# id: a\nASK { ?x a }\n" * 3000)
    command = f"({sys.executable} -m rtf check a.rq {redirections}; echo $? >code) | head -1"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("a.rq:2:12: error: a: ")
    assert (done.stderr, (tmp_path / "code").read_text()) == ("", "141\n")


def test_ctrl_c(tmp_path: Path) -> None:
    """Ctrl-C while reading ends at once, quietly, with what was found until then on stdout."""
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "rtf", "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write("# id: a\nASK { ?x a <c> }\n# id: b\n")
        process.stdin.flush()
        assert process.stdout.readline() == "a  (<stdin>:2)\n"
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == ""
    assert process.returncode == 130


def test_output_is_utf_8(tmp_path: Path) -> None:
    """In any locale, and also where the name of a file is no text."""
    name = os.fsdecode(b"caf\xe9.rq")
    (tmp_path / name).write_text("# id: häfen\nASK { ?x a <c> }", encoding="utf-8")
    locale = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    command = [sys.executable, "-m", "rtf", "check", "--format", "json", name]
    done = subprocess.run(command, cwd=tmp_path, env=locale, capture_output=True, check=True)
    told = json.loads(done.stdout.decode())
    assert (told["id"], told["source"]) == ("häfen", name)


def test_called_by_its_path(tmp_path: Path) -> None:
    """The command needs no activated environment, nor any environment variable."""
    rtf = Path(sys.executable).with_name("rtf")
    done = subprocess.run([rtf, "--version"], cwd=tmp_path, env={}, capture_output=True, text=True, check=True)
    assert done.stdout == f"rtf {version('rtf-sparql')}\n"


def test_as_module() -> None:
    """`python -m rtf` is the command."""
    done = subprocess.run([sys.executable, "-m", "rtf", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("rtf ")
