"""`rtf unregister`: queries go, all of them or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtf.registry.registry import Registry
from tests.rtf.cli.conftest import Rtf

DB = ("--registry", "q.db")
QUERIES = "# id: a\nASK { ?x a <c> }\n# id: b\nASK { ?x a <d> }\n# id: c\nASK {}"


@pytest.fixture(autouse=True)
def registry(rtf: Rtf) -> None:
    """A registry of three queries."""
    rtf("register", "q.rq", *DB, q_rq=QUERIES)


def stored() -> dict[str, bool]:
    """The ids, and whether they are enabled."""
    with Registry("q.db", read_only=True) as registry:
        return {query.id: query.enabled for query in registry}


def test_some(rtf: Rtf) -> None:
    """Those that are named; naming one twice does no harm."""
    assert rtf("unregister", "a", "c", "a", *DB) == (0, "", "removed 2 queries\n")
    assert stored() == {"b": True}


def test_disable(rtf: Rtf) -> None:
    """They stay, and to register them again enables them."""
    assert rtf("unregister", "a", *DB, "--disable") == (0, "", "disabled 1 query\n")
    assert stored() == {"a": False, "b": True, "c": True}
    assert rtf("register", "q.rq", *DB)[2] == "registered 3 queries: 0 new, 1 changed, 2 as before\n"
    assert stored() == {"a": True, "b": True, "c": True}


@pytest.mark.parametrize(("option", "done"), [([], "removed"), (["--disable"], "disabled")])
def test_unknown(rtf: Rtf, option: list[str], done: str) -> None:
    """All that are not there are told, and the others stay as they are."""
    code, out, err = rtf("unregister", "a", "x", "y\x1b", *DB, *option)
    assert (code, out) == (2, "")
    assert err == (
        "rtf unregister: there is no query x\n"
        "rtf unregister: there is no query y\\x1b\n"
        f"rtf unregister: nothing was {done}\n"
    )
    assert stored() == {"a": True, "b": True, "c": True}


def test_missing_registry(rtf: Rtf) -> None:
    """A misspelt name makes no registry."""
    code, _, err = rtf("unregister", "a", "--registry", "p.db")
    assert (code, err) == (2, "rtf unregister: p.db: there is no such file; `rtf register` makes a registry\n")
    assert not Path("p.db").exists()
