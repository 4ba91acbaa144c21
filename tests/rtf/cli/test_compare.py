"""`rtf compare`: a comparison on data of one's own."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from rtf.compare.naive import Naive
from rtf.compare.systems import SYSTEMS, System
from sparql_ft import Publication
from tests.rtf.cli.conftest import Rtf

QUERIES = """\
# id: rio
PREFIX : <http://x.org/>
SELECT ?x ?t { ?x :text ?t FILTER ftcontains(?t, "rio" ftOR "olympic games") }
# id: cities
PREFIX : <http://x.org/> ASK { ?x a :City }
# id: everything
ASK {}
"""
TURTLE = """\
PREFIX : <http://x.org/>
:a a :City ; :text "In Rio: the Olympic Games"@en .
:b a :City .
:c :text "Elsewhere" .
"""
DATA = ("--dump", "t.ttl", "--queries", "q.rq", "--quick", "--rounds", "1")
FEW = (*DATA, "--systems", "RTFS,IBROKER")
FILES = {"q_rq": QUERIES, "t_ttl": TURTLE}


def test_report(rtf: Rtf) -> None:
    """The figures on stdout, the report in a folder, where it is on stderr."""
    code, out, err = rtf("compare", *DATA, "--out", "new", "--format", "json", **FILES)
    assert (code, err) == (0, "rtf compare: wrote new/report.html\n")
    rows = [json.loads(line) for line in out.splitlines()]
    assert {row["system"] for row in rows if row["figure"] == "5a"} == set(SYSTEMS)
    assert {row["queries"] for row in rows} == {3}
    assert all(0 < row["low"] <= row["median"] <= row["high"] for row in rows)
    results = json.loads(Path("new/results.json").read_text(encoding="utf-8"))
    assert "6 matches on 3 publications, the same by all systems." in results["notes"]
    assert "6 matches on 3 publications" in Path("new/report.html").read_text(encoding="utf-8")


def test_against_an_earlier_run(rtf: Rtf) -> None:
    """A second run tells what changed, and so do two runs without measuring."""
    assert rtf("compare", *FEW, "--out", "first", **FILES)[0] == 0
    code, out, _ = rtf("compare", *FEW, "--out", "second", "--against", "first/results.json", "--format", "json")
    assert code == 0
    rows = [json.loads(line) for line in out.splitlines()]
    assert all(row["before"] > 0 and row["now / before"] is not None for row in rows)
    assert "Against an earlier run" in Path("second/report.html").read_text(encoding="utf-8")
    code, again, err = rtf(
        *("compare", "--results", "second/results.json", "--against", "first/results.json", "--format", "json")
    )
    assert (code, again, err) == (0, out, "")


def test_a_wrong_system(rtf: Rtf, monkeypatch: pytest.MonkeyPatch) -> None:
    """Systems that disagree are a bug: the exit code is 1, and nothing is written."""

    class Silent(Naive):
        def match_ids(self, _: Publication) -> list[str]:
            return []

    wrong = System("RTFS", "finds nothing", Silent, lambda _: True)
    monkeypatch.setattr("rtf.compare.own.MEASURED", (SYSTEMS["naive"], wrong))
    code, out, err = rtf("compare", *DATA, "--out", "new", **FILES)
    assert (code, out) == (1, "")
    assert err == "rtf compare: RTFS loses rio, cities, everything on http://x.org/a; nothing is timed\n"
    assert not Path("new").exists()


def test_queries_that_cannot_be_registered(rtf: Rtf) -> None:
    """They are named and left out; the others are compared."""
    queries = QUERIES + "# id: sorted\nSELECT * { ?s ?p ?o } ORDER BY ?s\n"
    code, out, err = rtf("compare", *FEW, "--out", "new", "--format", "csv", q_rq=queries, t_ttl=TURTLE)
    assert code == 0
    assert out.startswith("figure,system,queries,median,low,high,unit,publications\n5a,RTFS,3,")
    assert err.startswith("q.rq:9: left out: ORDER BY is not supported in a standing query\n")
    assert "rtf compare: 1 query was left out; `rtf check` tells more\n" in err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((), "give --dump and --queries"),
        (("--dump", "t.ttl"), "give --dump and --queries"),
        (("--results", "r.json"), "with --results give --against"),
        ((*DATA, "--systems", "RTFS,IBROKR"), "no system 'IBROKR'; there are: naive, rarest term"),
        ((*DATA, "--rounds", "0"), "must be at least 1"),
        ((*DATA, "--against", "q.rq"), "no results of `rtf compare`"),
        (("--dump", "absent.nt", "--queries", "q.rq"), "absent.nt cannot be read"),
        (("--dump", "empty.nt", "--queries", "q.rq"), "there is no publication"),
        (("--dump", "t.ttl", "--queries", "absent.rq"), "there is no query"),
    ],
)
def test_bad_input(rtf: Rtf, args: tuple[str, ...], message: str) -> None:
    """Bad input is said, with what to do, and the exit code is 2."""
    code, out, err = rtf("compare", *args, empty_nt="", **FILES)
    assert (code, out) == (2, "")
    assert message in err


def test_progress(rtf: Rtf, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal there is a bar that tells what is being done, and nothing of it is left in the end."""
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    assert rtf("compare", *FEW, **FILES)[0] == 0
    assert "3 queries: timing" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2Krtf compare: wrote comparison/report.html\n")
