"""`rtf match`: publications of files and stdin against a registry."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.rtf.cli.conftest import Rtf

DB = ("--registry", "q.db")
QUERIES = """\
# id: rio
PREFIX : <http://x.org/>
SELECT ?x ?t { ?x :text ?t FILTER ftcontains(?t, "rio" ftOR "olympic games") }
# id: pairs
ASK { ?a ?p ?b . ?b ?q ?c }
# id: everything
ASK {}
"""
TURTLE = """\
PREFIX : <http://x.org/>
:a :text "In Rio: the Olympic Games"@en ; :next :b .
:b :text "Elsewhere" .
"""
RDF_XML = """\
<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x="http://x.org/">
  <r:Description r:about="http://x.org/a"><x:text>rio</x:text></r:Description>
</r:RDF>"""


@pytest.fixture(autouse=True)
def registry(rtf: Rtf) -> None:
    """A registry of three queries."""
    rtf("register", "q.rq", *DB, "--owner", "ana", "--tags", "x", q_rq=QUERIES)


def pairs(out: str) -> list[tuple[str, str]]:
    """Query and publication of each line."""
    return [(row["query_id"], row["publication"]) for row in map(json.loads, out.splitlines())]


# --- right ----------------------------------------------------------------------------------------------------------


def test_json_lines(rtf: Rtf) -> None:
    """A line for each match, publication by publication, queries in order of registration."""
    code, out, err = rtf("match", "t.ttl", *DB, t_ttl=TURTLE)
    assert (code, err) == (0, "matched 2 publications against 3 queries: 3 matches, 0 warnings\n")
    assert out.splitlines()[0] == '{"query_id": "rio", "publication": "http://x.org/a", "owner": "ana"}'
    assert pairs(out) == [
        ("rio", "http://x.org/a"),
        ("everything", "http://x.org/a"),
        ("everything", "http://x.org/b"),
    ]


def test_bindings_and_highlights(rtf: Rtf) -> None:
    """On request, with terms as in SPARQL's JSON, and words as characters of the text."""
    _, out, _ = rtf("match", "t.ttl", *DB, "--bindings", "--highlights", t_ttl=TURTLE)
    row = json.loads(out.splitlines()[0])
    literal = {"type": "literal", "value": "In Rio: the Olympic Games", "xml:lang": "en"}
    assert row["bindings"] == [{"x": {"type": "uri", "value": "http://x.org/a"}, "t": literal}]
    assert row["highlights"] == [
        {
            "variable": "t",
            "literal": literal,
            "words": ["Rio", "Olympic", "Games"],
            "positions": [1, 3, 4],
            "spans": [[3, 6], [12, 19], [20, 25]],
        }
    ]


@pytest.mark.parametrize("option", ["--bindings", "--highlights"])
def test_one_of_both(rtf: Rtf, option: str) -> None:
    """Only what was asked for is there."""
    row = json.loads(rtf("match", "t.ttl", *DB, option, t_ttl=TURTLE)[1].splitlines()[0])
    assert list(row) == ["query_id", "publication", "owner", option.removeprefix("--")]


def test_table(rtf: Rtf) -> None:
    """The whole table. To accept a new layout, write it there."""
    _, out, _ = rtf("match", "t.ttl", *DB, "--bindings", "--highlights", "--format", "table", t_ttl=TURTLE)
    assert out == Path(__file__).with_name("match.txt").read_text(encoding="utf-8")


def test_csv(rtf: Rtf) -> None:
    """Bindings are JSON in a cell."""
    _, out, _ = rtf("match", "t.ttl", *DB, "--bindings", "--format", "csv", t_ttl=TURTLE)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["query_id"], row["publication"], row["owner"]) for row in rows][:2] == [
        ("rio", "http://x.org/a", "ana"),
        ("everything", "http://x.org/a", "ana"),
    ]
    assert json.loads(rows[0]["bindings"])[0]["x"]["value"] == "http://x.org/a"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("d.nt", '<http://x.org/a> <http://x.org/text> "rio" .\n'),
        ("d.nq", '<http://x.org/a> <http://x.org/text> "rio" .\n'),
        ("d.TTL", '<http://x.org/a> <http://x.org/text> "rio" .\n'),
        ("d.trig", '<http://x.org/a> <http://x.org/text> "rio" .\n'),
        ("d.jsonld", '{"@id": "http://x.org/a", "http://x.org/text": "rio"}'),
        ("d.rdf", RDF_XML),
    ],
)
def test_formats_by_ending(rtf: Rtf, name: str, data: str) -> None:
    """The ending tells the format."""
    Path(name).write_text(data)
    assert ("rio", "http://x.org/a") in pairs(rtf("match", name, *DB)[1])


@pytest.mark.parametrize("files", [[], ["-"]])
def test_stdin(rtf: Rtf, files: list[str]) -> None:
    """Without a file, or with -, stdin is read; its format must be told."""
    assert ("rio", "http://x.org/a") in pairs(rtf("match", *files, *DB, "--input-format", "ttl", stdin=TURTLE)[1])
    code, _, err = rtf("match", *files, *DB, stdin=TURTLE)
    assert (code, err.splitlines()[:2]) == (
        2,
        [
            "<stdin>: error: stdin does not tell the format",
            "  add --input-format, which is one of nt, nq, ttl, trig, jsonld, xml",
        ],
    )


TRIG = 'PREFIX : <http://x.org/> :a :p 1 . _:b :p 2 . :g { :c :p :d . :d :p 3 } :h { :e :p "rio" }'


@pytest.mark.parametrize(
    ("grouping", "expected"),
    [
        ("subject", ["http://x.org/a", "_:d.trig_b", "http://x.org/g", "http://x.org/h"]),
        ("graph", ["d.trig", "http://x.org/g", "http://x.org/h"]),
    ],
)
def test_what_is_a_publication(rtf: Rtf, grouping: str, expected: list[str]) -> None:
    """Each subject and named graph, or each graph."""
    _, out, _ = rtf("match", "d.trig", *DB, "--publication", grouping, d_trig=TRIG)
    assert [publication for query, publication in pairs(out) if query == "everything"] == expected
    assert [publication for query, publication in pairs(out) if query == "pairs"] == ["http://x.org/g"]


def test_a_file_is_a_publication(rtf: Rtf) -> None:
    """With all of its subjects, so that they join; an empty one too; one with several graphs is none."""
    code, out, err = rtf(
        "match", "t.ttl", "e.nt", "d.trig", *DB, "--publication", "file", t_ttl=TURTLE, e_nt="", d_trig=TRIG
    )
    assert pairs(out) == [("rio", "t.ttl"), ("pairs", "t.ttl"), ("everything", "t.ttl"), ("everything", "e.nt")]
    assert (code, err.splitlines()[:2]) == (
        2,
        [
            "d.trig: error: this file holds 3 graphs, so it is not one publication",
            "  add `--publication graph`, which makes a publication of each",
        ],
    )


def test_base(rtf: Rtf) -> None:
    """Relative IRIs of the data meet the base that is given."""
    _, out, _ = rtf("match", "t.ttl", *DB, "--base", "http://y.org/", t_ttl="<a> <b> <c> .")
    assert pairs(out) == [("everything", "http://y.org/a")]


@pytest.mark.parametrize(
    ("options", "count"),
    [(["--owner", "ana"], 3), (["--owner", "bob"], 0), (["--tags", "x,y"], 3), (["--tag", "y"], 0)],
)
def test_some_queries(rtf: Rtf, options: list[str], count: int) -> None:
    """Those of an owner, or with one of some tags."""
    assert f"against {count} queries" in rtf("match", "t.ttl", *DB, *options, t_ttl=TURTLE)[2]


@pytest.mark.parametrize("layout", ["rtfm", "rtfs"])
def test_layouts(rtf: Rtf, layout: str) -> None:
    """The answers are the same."""
    assert len(pairs(rtf("match", "t.ttl", *DB, "--layout", layout, t_ttl=TURTLE)[1])) == 3


def test_ontology(rtf: Rtf) -> None:
    """What follows from an ontology is matched."""
    rtf("register", "a.rq", "--registry", "animals.db", a_rq="ASK { ?x a <http://x.org/Animal> }")
    sub = "<http://x.org/Cat> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.org/Animal> ."
    args = ("match", "t.ttl", "--registry", "animals.db")
    cat = "<http://x.org/tom> a <http://x.org/Cat> ."
    assert pairs(rtf(*args, t_ttl=cat)[1]) == []
    assert pairs(rtf(*args, "--ontology", "o.ttl", o_ttl=sub)[1]) == [("a", "http://x.org/tom")]


# --- wrong ----------------------------------------------------------------------------------------------------------


def test_broken_files(rtf: Rtf) -> None:
    """Each is told, with file, line and what to do; the others are matched."""
    Path("folder").mkdir()
    Path("z.nt.gz").write_bytes(b"\x1f\x8b")
    names = ("b.nt", "none.nt", "folder", "o.foo", "z.nt.gz", "t.ttl")
    broken = '<http://x.org/a> <http://x.org/p> "x" .\n<a> <b> "c" .\n'
    code, out, err = rtf("match", *names, *DB, b_nt=broken, o_foo="", t_ttl=TURTLE)
    assert (code, len(pairs(out))) == (2, 3)
    first, *lines, summary = err.splitlines()
    assert first.startswith("b.nt:2:1: error: ")
    assert lines == [
        "  IRIs are absolute in nt; relative ones can stand in ttl",
        "none.nt: error: no such file or directory",
        "folder: error: this is a folder",
        "  name the files in it",
        "o.foo: error: the ending '.foo' does not tell the format",
        "  add --input-format, which is one of nt, nq, ttl, trig, jsonld, xml",
        "z.nt.gz: error: this file is compressed",
        "  decompress it first, as in: zcat z.nt.gz | rtf match - --input-format nt",
    ]
    assert summary.endswith(": 3 matches, 0 warnings; 5 of the files could not be read")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--registry", "none.db"], "rtf match: none.db: there is no such file; "),
        (["--registry", "q.rq"], "rtf match: q.rq: this is no registry; "),
        ([*DB, "--ontology", "none.ttl"], "rtf match: none.ttl: no such file or directory\n"),
        ([*DB, "--ontology", "q.rq"], "rtf match: q.rq: unknown format '.rq'\n"),
        ([*DB, "--ontology", "t.ttl"], "rtf match: line 1, column 1: t.ttl: "),
    ],
)
def test_nothing_to_match_with(rtf: Rtf, options: list[str], told: str) -> None:
    """Without queries, or without the ontology, nothing is read."""
    code, out, err = rtf("match", "t.ttl", *options, t_ttl="}", q_rq=QUERIES * 10)
    assert (code, out, err[: len(told)]) == (2, "", told)


def test_queries_without_an_answer(rtf: Rtf) -> None:
    """A query that takes too much work on a publication is told on stderr, and the others are answered."""
    hard = "ASK { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER (?c + ?f + ?i < 0) }"
    rtf("register", "hard.rq", *DB, hard_rq=hard)
    numbers = "<http://x.org/n> <http://x.org/p> " + ", ".join(map(str, range(100))) + " ."
    code, out, err = rtf("match", "n.ttl", *DB, n_ttl=numbers)
    assert (code, pairs(out)) == (0, [("everything", "http://x.org/n")])
    warning, summary = err.splitlines()
    assert warning.startswith("rtf match: warning: query hard has no answer on http://x.org/n: ")
    assert summary.endswith("4 queries: 1 match, 1 warning")


def test_no_spark_and_no_java() -> None:
    """It works without them: neither is loaded, and no Java is looked for."""
    program = (
        "import sys\nfrom rtf.cli import main\n"
        "code = main(['match', 't.nt', '--registry', 'q.db'])\n"
        "print(*{'pyspark', 'py4j', 'pandas', 'rdflib'} & set(sys.modules), file=sys.stderr)\nsys.exit(code)"
    )
    Path("t.nt").write_text('<http://x.org/a> <http://x.org/text> "rio" .\n')
    done = subprocess.run([sys.executable, "-c", program], env={}, capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[1:] == [""]
    assert pairs(done.stdout) == [("rio", "http://x.org/a"), ("everything", "http://x.org/a")]
