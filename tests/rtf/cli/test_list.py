"""`rtf list`: the queries of a registry, in three formats."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tests.rtf.cli.conftest import Rtf

DB = ("--registry", "q.db")
A = "ASK { ?x a <http://x.org/A> }"
LONG = "# " + "long " * 30 + "\n" + A


@pytest.fixture(autouse=True)
def registry(rtf: Rtf, monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry of three queries of one moment."""
    monkeypatch.setattr("rtf.registry.registration.now", lambda: "2026-01-31T12:00:00Z")
    rtf("register", "a.rq", *DB, "--owner", "ana", "--tags", "sport,news", a_rq=A)
    rtf("register", "longer-id.rq", *DB, "--owner", "bob", "--tags", "news", **{"longer-id_rq": LONG})
    rtf("register", "-", *DB, stdin='{"id": "c\\u001b", "text": "ASK {}"}')
    rtf("unregister", "a", "--disable", *DB)


def test_table(rtf: Rtf) -> None:
    """The whole table. Texts are on one line, and cut; control characters are shown."""
    code, out, err = rtf("list", *DB)
    assert (code, err) == (0, "3 queries\n")
    cut = "# long long long long long long long long long long long lo…"
    assert out.splitlines() == [
        "id         owner  tags        created               enabled  text",
        "a          ana    news,sport  2026-01-31T12:00:00Z  no       ASK { ?x a <http://x.org/A> }",
        f"longer-id  bob    news        2026-01-31T12:00:00Z  yes      {cut}",
        "c\\x1b                         2026-01-31T12:00:00Z  yes      ASK {}",
    ]


def test_json(rtf: Rtf) -> None:
    """An object a line, with the whole text."""
    code, out, _ = rtf("list", *DB, "--format", "json")
    first, second, _ = map(json.loads, out.splitlines())
    assert code == 0
    assert first == {
        "id": "a",
        "owner": "ana",
        "tags": ["news", "sport"],
        "created": "2026-01-31T12:00:00Z",
        "enabled": False,
        "text": A,
    }
    assert second["text"] == LONG


def test_json_can_be_registered(rtf: Rtf) -> None:
    """What it prints, `rtf register` reads."""
    printed = rtf("list", *DB, "--format", "json")[1]
    assert rtf("register", "-", "--registry", "copy.db", stdin=printed)[0] == 0
    copied = rtf("list", "--registry", "copy.db", "--format", "json")[1]
    assert copied == printed.replace('"enabled": false', '"enabled": true')


def test_csv(rtf: Rtf) -> None:
    """A row for each."""
    rows = list(csv.DictReader(io.StringIO(rtf("list", *DB, "--format", "csv")[1])))
    assert [(row["id"], row["owner"], row["tags"], row["enabled"]) for row in rows] == [
        ("a", "ana", "news,sport", "no"),
        ("longer-id", "bob", "news", "yes"),
        ("c\x1b", "", "", "yes"),
    ]
    assert rows[1]["text"] == LONG


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--owner", "ana"], ["a"]),
        (["--tag", "news"], ["a", "longer-id"]),
        (["--tags", "sport,cooking"], ["a"]),
        (["--owner", "bob", "--tags", "sport"], []),
    ],
)
def test_some(rtf: Rtf, options: list[str], expected: list[str]) -> None:
    """Of an owner, or with one of some tags; how many there are in all is told."""
    code, out, err = rtf("list", *DB, *options, "--format", "json")
    assert (code, [json.loads(line)["id"] for line in out.splitlines()]) == (0, expected)
    assert err == f"{len(expected)} of 3 queries\n"


def test_nothing(rtf: Rtf) -> None:
    """A table of nothing is empty; CSV has its header all the same."""
    assert rtf("list", *DB, "--owner", "nobody")[1] == ""
    assert rtf("list", *DB, "--owner", "nobody", "--format", "csv")[1] == "id,owner,tags,created,enabled,text\n"


def test_many(rtf: Rtf) -> None:
    """Rows after the first thousand are printed as they come; a wide one does not move the others."""
    queries = "".join(f"# id: {number}\n{A}\n" for number in range(1000, 2100)) + f"# id: {'w' * 30}\n{A}\n"
    rtf("register", "many.rq", "--registry", "many.db", many_rq=queries)
    lines = rtf("list", "--registry", "many.db")[1].splitlines()
    assert len(lines) == 1102
    assert {line.index("2026-") for line in lines[1:-1]} == {len("1099  owner  tags  ")}
    assert lines[-1].startswith("w" * 30 + "  ")


@pytest.mark.parametrize("name", ["missing.db", "a.rq", "."])
def test_no_registry(rtf: Rtf, name: str) -> None:
    """What is no registry is told."""
    code, out, err = rtf("list", "--registry", name, a_rq=A * 99)
    assert (code, out, err.startswith(f"rtf list: {name}: "), err.count("\n")) == (2, "", True, 1)
