"""Imports point one way: sparql_ft <- rtf, sparql_ft <- ibroker_baseline; pyspark is imported in rtf/pipeline alone."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("sparql_ft", "rtf", "ibroker_baseline")
NOT_INSTALLED = {"benchmarks", "datasets", "tests"}
SOURCES = sorted(path.relative_to(ROOT).as_posix() for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def imported(source: str) -> Iterator[str]:
    """The first name of each module that a source imports, wherever in it."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import"
            yield (node.module or "").partition(".")[0]


def forbidden(path: str) -> set[str]:
    """What the source at this path must not import."""
    package = path.partition("/")[0]
    others = (
        NOT_INSTALLED
        | {
            "sparql_ft": {"rtf", "ibroker_baseline"},
            "rtf": {"ibroker_baseline"},
            "ibroker_baseline": {"rtf"},
        }[package]
    )
    if path.startswith("rtf/compare/"):
        others -= {"ibroker_baseline"}
    if not path.startswith("rtf/pipeline/"):
        others |= {"pyspark", "py4j"}
    return others


def test_imported_sees_all_spellings() -> None:
    """The check itself: every form of import, also inside functions."""
    source = "import a.b, c as d\nfrom e.f import g\ndef h():\n    if i:\n        import j\n"
    assert set(imported(source)) == {"a", "c", "e", "j"}


@pytest.mark.parametrize("path", SOURCES)
def test_direction(path: str) -> None:
    """No source imports what stands above or beside its package."""
    assert set(imported((ROOT / path).read_text(encoding="utf-8"))) & forbidden(path) == set()


@pytest.mark.parametrize("module", ["sparql_ft", "rtf", "rtf.cli", "ibroker_baseline"])
def test_no_spark_on_import(module: str) -> None:
    """Whoever does not run Spark does not wait for it: not even a module in between loads it."""
    program = f"import sys, {module}; print(*{{'pyspark', 'py4j', 'pandas'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.split() == []


LARGE = {"rdflib", "nltk", "numba", "numpy", "pandas", "pyarrow", "pyspark", "py4j", "rich"}


def loaded(*args: str) -> list[str]:
    """The large libraries that a command loads; it must succeed."""
    program = f"""
import sys
from rtf.cli import main
code = main({list(args)!r})
print(*{LARGE} & set(sys.modules), file=sys.stderr)
sys.exit(code)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stderr.splitlines()[-1].split()


def test_check_starts_quickly() -> None:
    """`rtf check` of a query without stemming loads none of the large libraries that other commands need."""
    assert loaded("check", "docs/examples/volcanoes.rq") == []


def test_registry_starts_quickly(tmp_path: Path) -> None:
    """Nor do the commands that only look at a registry, nor `rtf match` against a few queries."""
    registry = ("--registry", str(tmp_path / "q.db"))
    assert loaded("register", "docs/examples/volcanoes.rq", *registry) == []
    assert loaded("list", *registry) == []
    assert loaded("match", "docs/examples/news.ttl", "--bindings", *registry) == []
    assert loaded("explain", "volcanoes", "docs/examples/news.ttl", *registry) == []
    assert loaded("unregister", "volcanoes", *registry) == []
