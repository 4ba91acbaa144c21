"""What is in the wheel, and what is not."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from configparser import ConfigParser
from email import message_from_bytes
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = {"rtf", "sparql_ft", "ibroker_baseline"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the tree as it is."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> list[str]:
    """The paths in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def test_only_our_packages(names: list[str]) -> None:
    """A wheel must never overwrite another project's `datasets`, nor bring `tests`."""
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == PACKAGES
    assert len(top) == len(PACKAGES) + 1


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_typed(names: list[str], package: str) -> None:
    """Type checkers use our annotations."""
    assert f"{package}/py.typed" in names


@pytest.mark.parametrize("package", sorted(PACKAGES))
def test_complete(names: list[str], package: str) -> None:
    """Every module of the tree is in the wheel."""
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / package).rglob("*.py")}
    assert modules - set(names) == set()


def test_sample(names: list[str]) -> None:
    """So is the sample."""
    sample = (ROOT / "rtf" / "sample").rglob("*")
    files = {path.relative_to(ROOT).as_posix() for path in sample if path.suffix in (".ttl", ".rq")}
    assert files
    assert files - set(names) == set()


def test_command(wheel: Path) -> None:
    """The wheel installs the command `rtf`."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/entry_points.txt"))
        entry_points = ConfigParser()
        entry_points.read_string(archive.read(path).decode())
    assert dict(entry_points["console_scripts"]) == {"rtf": "rtf.cli:main"}


def test_licence(names: list[str]) -> None:
    """The licence travels with the code."""
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_works_by_itself(wheel: Path, tmp_path: Path) -> None:
    """What is in the wheel is enough to check a query: the tree of the repository is not looked at."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "a.rq").write_text('ASK { ?x ?p ?y FILTER ftcontains(?y, "games" using stemming) }')
    program = "import rtf, sparql_ft, rtf.cli, sys; print(rtf.__file__, sparql_ft.__file__); sys.exit(rtf.cli.main())"
    command = [sys.executable, "-c", program, "check", "a.rq"]
    env = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=True)
    places, *report = done.stdout.splitlines()
    assert places == f"{tmp_path}/rtf/__init__.py {tmp_path}/sparql_ft/__init__.py"
    assert report[:3] == ["a  (a.rq)", "  ?x ?p ?y", "      words  game (en stem)"]


@pytest.mark.slow  # numba compiles anew in the new place
@pytest.mark.spark
def test_demo(wheel: Path, tmp_path: Path) -> None:
    """The demo runs on what is in the wheel, and leaves nothing behind."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    program = "import rtf.sample, rtf.cli, sys; print(rtf.sample.__file__); sys.exit(rtf.cli.main(['demo']))"
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    env = os.environ | {"PYTHONPATH": str(tmp_path), "TMPDIR": str(scratch)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert list(scratch.iterdir()) == []
    place, *table = done.stdout.splitlines()
    assert place == f"{tmp_path}/rtf/sample/__init__.py"
    assert "  Seven Samurai           minutes = 207" in table
    assert " matches of " in done.stderr


def test_metadata(wheel: Path) -> None:
    """What `pip show` tells."""
    with zipfile.ZipFile(wheel) as archive:
        (path,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(path))
    assert (metadata["Name"], metadata["License-Expression"]) == ("rtf-sparql", "Apache-2.0")
    assert metadata["Requires-Python"] == ">=3.11"
    assert metadata["Summary"].startswith("Standing full-text SPARQL queries over RDF")
