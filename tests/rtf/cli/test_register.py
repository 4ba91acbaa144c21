"""`rtf register`: what gets into the registry, and that nothing does if anything is wrong."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rtf.registry.registry import Registry
from tests.rtf.cli.conftest import Rtf

DB = ("--registry", "q.db")
GOOD = "ASK { ?x a <http://x.org/C> }"
OTHER = "ASK { ?x a <http://x.org/D> }"
BAD = "ASK { ?x a }"


def stored() -> list[tuple[str, str, str | None, list[str]]]:
    """What is in the registry."""
    with Registry("q.db", read_only=True) as registry:
        return [(query.id, query.text, query.owner, sorted(query.tags)) for query in registry]


def test_files(rtf: Rtf) -> None:
    """The id is the name of the file, or what `# id:` says; the registry is made."""
    code, out, err = rtf("register", "a.rq", "b.rq", *DB, a_rq=GOOD, b_rq=f"# id: c\n{GOOD}\n# id: d\n{OTHER}")
    assert (code, out, err) == (0, "", "registered 3 queries: 3 new, 0 changed, 0 as before\n")
    assert stored() == [("a", GOOD, None, []), ("c", GOOD, None, []), ("d", OTHER, None, [])]


def test_owner_and_tags(rtf: Rtf) -> None:
    """They hold for all queries of the call; JSON Lines may say more about one."""
    lines = [
        {"id": "a", "text": GOOD},
        {"id": "b", "text": GOOD, "owner": "bob", "tags": ["x"]},
    ]
    rtf("register", "-", *DB, "--owner", "ana", "--tags", "news, sport", stdin="\n".join(map(json.dumps, lines)))
    assert stored() == [("a", GOOD, "ana", ["news", "sport"]), ("b", GOOD, "bob", ["news", "sport", "x"])]


def test_base(rtf: Rtf) -> None:
    """The base stays with the query."""
    assert rtf("register", "a.rq", *DB, "--base", "http://x.org/", a_rq="ASK { ?x type article }")[0] == 0
    assert stored()[0][1] == "BASE <http://x.org/>\nASK { ?x type article }"


def test_wrong_base(rtf: Rtf) -> None:
    """A base that is none is told, and no registry is made."""
    code, _, err = rtf("register", "a.rq", *DB, "--base", "x.org", a_rq=GOOD)
    assert (code, err.startswith("rtf register: the base <x.org>"), Path("q.db").exists()) == (2, True, False)


def test_again(rtf: Rtf) -> None:
    """The same queries once more change nothing."""
    rtf("register", "a.rq", *DB, a_rq=GOOD)
    assert rtf("register", "a.rq", *DB)[2] == "registered 1 query: 0 new, 0 changed, 1 as before\n"


def test_replace(rtf: Rtf) -> None:
    """Another text under an old id must be asked for."""
    rtf("register", "a.rq", *DB, a_rq=GOOD)
    code, _, err = rtf("register", "a.rq", *DB, a_rq=OTHER)
    assert code == 2
    assert err == (
        "a.rq:1: error: a: the registry has another query of this id; choose another id, or add --replace\n\n"
        "rtf register: 1 error, so nothing was registered\n"
    )
    assert stored() == [("a", GOOD, None, [])]
    code, _, err = rtf("register", "a.rq", *DB, "--replace", "--owner", "ana")
    assert (code, err) == (0, "registered 1 query: 0 new, 1 changed, 0 as before\n")
    assert stored() == [("a", OTHER, "ana", [])]


def test_all_errors_at_once(rtf: Rtf) -> None:
    """Whatever is wrong is told with its place, and nothing is registered."""
    code, out, err = rtf(
        "register", "a.rq", "none.rq", "b.rq", *DB, a_rq=f"# id: a\n{GOOD}\n# id: bad\n{BAD}", b_rq=f"# id: a\n{OTHER}"
    )
    assert (code, out, stored()) == (2, "", [])
    paragraphs = err.split("\n\n")
    assert paragraphs[0].startswith("a.rq:4:12: error: bad: ")
    assert paragraphs[1:] == [
        "none.rq: error: no such file or directory",
        "b.rq:2: error: a: this id was there before, with another text, at a.rq:2",
        "rtf register: 3 errors, so nothing was registered\n",
    ]


@pytest.mark.parametrize("tags", ["a,,b", "", " "])
def test_wrong_tags(rtf: Rtf, tags: str) -> None:
    """A tag cannot be empty."""
    code, _, err = rtf("register", "a.rq", *DB, "--tags", tags, a_rq=GOOD)
    assert (code, "has an empty tag; write tags as in: sport,news" in err) == (2, True)


def test_wrong_tag_in_json(rtf: Rtf) -> None:
    """Nor have a comma."""
    code, _, err = rtf("register", "-", *DB, stdin=json.dumps({"id": "a", "text": GOOD, "tags": ["x,y"]}))
    assert (code, err.splitlines()[0]) == (
        2,
        "<stdin>:1: error: a: 'x,y' cannot be a tag: a tag has a character that is not blank, and no comma",
    )


def test_no_registry(rtf: Rtf) -> None:
    """What is no registry is told once, whatever the queries are."""
    code, _, err = rtf("register", "a.rq", "--registry", "a.rq", a_rq=GOOD * 99)
    assert (code, err.startswith("rtf register: a.rq: this is no registry; "), err.count("\n")) == (2, True, 1)


def test_registry_is_required(rtf: Rtf) -> None:
    """There is no default: nobody writes by accident."""
    code, _, err = rtf("register", "a.rq", a_rq=GOOD)
    assert (code, "required: --registry" in err) == (2, True)


def test_progress(rtf: Rtf, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal there is a bar, of which nothing is left in the end."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    rtf("register", "a.rq", *DB, a_rq="".join(f"# id: {number}\n{GOOD}\n" for number in range(1500)))
    assert "1,500 queries " in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2Kregistered 1,500 queries: 1,500 new, 0 changed, 0 as before\n")
