"""`rtf explain`: a query of a registry or of a file, on the publications of a file."""

from __future__ import annotations

import json

import pytest

from tests.rtf.cli.conftest import Rtf

DB = ("--registry", "q.db")
QUERY = 'PREFIX : <http://x.org/>\nASK { ?x :text ?t FILTER ftcontains(?t, "rio") }'
TURTLE = 'PREFIX : <http://x.org/>\n:a :text "In Rio" .\n:b :text "Elsewhere" .\n'
TEXT = """\
rio matches http://x.org/a
  with ?x = :a, ?t = "In Rio"
  found in ?t: In [Rio]
  yes  ?x :text ?t  with "rio"
         :a :text "In Rio"

rio does not match http://x.org/b
  no   ?x :text ?t  with "rio"
         :b :text "Elsewhere"
           the text lacks the word "rio"

"""


def test_by_id(rtf: Rtf) -> None:
    """The query of a registry, on each publication; whether it matches or not, the exit code is 0."""
    rtf("register", "rio.rq", *DB, rio_rq=QUERY)
    assert rtf("explain", "rio", "t.ttl", *DB, t_ttl=TURTLE) == (0, TEXT, "")


def test_by_file(rtf: Rtf) -> None:
    """A query that is not registered."""
    assert rtf("explain", "rio.rq", "t.ttl", rio_rq=QUERY, t_ttl=TURTLE) == (0, TEXT, "")


def test_stdin(rtf: Rtf) -> None:
    """Publications may come from stdin."""
    assert rtf("explain", "rio.rq", "-", "--input-format", "ttl", rio_rq=QUERY, stdin=TURTLE)[1] == TEXT


def test_only(rtf: Rtf) -> None:
    """One publication of many; one that is not there is told."""
    args = ("explain", "rio.rq", "t.ttl", "--only")
    assert rtf(*args, "http://x.org/b", rio_rq=QUERY, t_ttl=TURTLE)[1] == TEXT[TEXT.index("rio does") :]
    code, out, err = rtf(*args, "http://x.org/c")
    assert (code, out, err) == (2, "", "rtf explain: there is no publication http://x.org/c in t.ttl\n")


def test_publication(rtf: Rtf) -> None:
    """A whole file can be one publication."""
    args = ("explain", "rio.rq", "t.ttl", "--publication", "file")
    assert rtf(*args, rio_rq=QUERY, t_ttl=TURTLE)[1].startswith("rio matches t.ttl\n")


def test_json(rtf: Rtf) -> None:
    """An object a line."""
    _, out, _ = rtf("explain", "rio.rq", "t.ttl", "--format", "json", rio_rq=QUERY, t_ttl=TURTLE)
    assert [(told["publication"], told["matches"]) for told in map(json.loads, out.splitlines())] == [
        ("http://x.org/a", True),
        ("http://x.org/b", False),
    ]


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["rio", "t.ttl", *DB], "rtf explain: there is no query 'rio'; `rtf list` shows what there is\n"),
        (["rio", "t.ttl", "--registry", "none.db"], "rtf explain: none.db: there is no such file; "),
        (["rio", "t.ttl"], "rio: error: no such file or directory\n\nto name a query of a registry, add --registry\n"),
        (["bad.rq", "t.ttl"], "bad.rq:1:12: error: bad: "),
        (["good.rq", "none.ttl"], "none.ttl: error: no such file or directory\n"),
        (["good.rq", "bad.ttl"], "bad.ttl:1:1: error: "),
        (["good.rq", "empty.ttl"], "rtf explain: there is no publication in empty.ttl\n"),
    ],
)
def test_wrong(rtf: Rtf, args: list[str], told: str) -> None:
    """What is wrong with the query or the file is told, and nothing is explained."""
    rtf("register", "good.rq", *DB, good_rq="ASK {}")
    code, out, err = rtf("explain", *args, t_ttl=TURTLE, bad_rq="ASK { ?x a }", bad_ttl="}", empty_ttl="")
    assert (code, out, err[: len(told)]) == (2, "", told)
