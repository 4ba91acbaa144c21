"""`rtf check`: what is printed where, what is warned of, and the exit code."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from rtf.cli import main

ROOT = Path(__file__).resolve().parents[3]
GOOD = "ASK { ?x a <http://x.org/C> }"
BAD = "ASK { ?x a }"

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Check:
    """Calls `rtf check` in a folder of its own, with these files or this stdin: exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def call(*args: str, stdin: str = "", **files: str) -> tuple[int, str, str]:
        for name, text in files.items():
            Path(name.replace("_", ".")).write_text(text, encoding="utf-8")
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(stdin.encode())))
        code = main(["check", *args])
        return code, *capsys.readouterr()

    return call


# --- right ----------------------------------------------------------------------------------------------------------


def test_examples(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The examples of the documentation as `make demo` shows them, whole. To accept a new layout, write it there."""
    monkeypatch.chdir(ROOT)
    assert main(["check", "docs/examples"]) == 0
    out, err = capsys.readouterr()
    assert out == (Path(__file__).parent / "examples.txt").read_text(encoding="utf-8")
    assert err == "checked 9 queries: 9 ok, 0 warnings, 0 errors\n"


def test_one_file(check: Check) -> None:
    """What it is indexed by on stdout, everything else on stderr."""
    code, out, err = check("classes.rq", classes_rq=GOOD)
    assert code == 0
    assert out == "classes  (classes.rq)\n  ?x a <http://x.org/C>\n  decided   by its tuples alone\n\n"
    assert err == "checked 1 query: 1 ok, 0 warnings, 0 errors\n"


def test_stdin(check: Check) -> None:
    """`-` reads stdin."""
    code, out, _ = check("-", stdin=GOOD)
    assert (code, out.splitlines()[0]) == (0, "stdin  (<stdin>)")


def test_many(check: Check) -> None:
    """Files, several queries in one, JSON Lines and stdin together, in order, each with its place."""
    lines = json.dumps({"id": "d", "text": GOOD})
    code, out, err = check("a.rq", "b.rq", "-", a_rq=GOOD, b_rq=f"# id: b\n{GOOD}\n# id: c\n{GOOD}", stdin=lines)
    heads = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert (code, heads) == (0, ["a  (a.rq)", "b  (b.rq:2)", "c  (b.rq:4)", "d  (<stdin>:1)"])
    assert err == "checked 4 queries: 4 ok, 0 warnings, 0 errors\n"


def test_base(check: Check) -> None:
    """Relative IRIs and bare names meet the base that is given."""
    _, out, _ = check("-", "--base", "http://x.org/", stdin="ASK { <a> type article }")
    assert "  <http://x.org/a> <http://x.org/type> <http://x.org/article>\n" in out


def test_wrong_base(check: Check) -> None:
    """A base that is none is told once, and nothing is checked."""
    code, out, err = check("a.rq", "--base", "x.org", a_rq=GOOD)
    assert (code, out) == (2, "")
    assert err.startswith("rtf check: ")
    assert "x.org" in err
    assert err.count("\n") == 1


# --- wrong ----------------------------------------------------------------------------------------------------------


def test_misspelt(check: Check) -> None:
    """The place in the file, the id, the line with a caret, and the hint."""
    text = '# Games.\nASK {\n  ?x ?p ?y\n  FILTER ftcontains(?y, "olympic" ftNEER "games")\n}'
    code, out, err = check("games.rq", games_rq=text)
    assert (code, out) == (2, "")
    first, line, caret, hint, blank, summary = err.splitlines()
    assert first.startswith("games.rq:4:35: error: games: ")
    assert line == '    FILTER ftcontains(?y, "olympic" ftNEER "games")'
    assert line[caret.index("^") :].startswith("ftNEER")
    assert "ftNEAR" in hint
    assert (blank, summary) == ("", "checked 1 query: 0 ok, 0 warnings, 1 error")


def test_line_of_the_file(check: Check) -> None:
    """With several queries in a file, lines are counted from its beginning, not from that of the query."""
    _, _, err = check("q.rq", q_rq=f"# id: a\n{GOOD}\n# id: b\n\nASK {{\n  ?x a\n}}\n")
    assert err.startswith("q.rq:7:1: error: b: ")


def test_windows_lines(check: Check) -> None:
    """Also with line ends of Windows, which stay out of what is shown."""
    code, _, err = check("-", stdin="# id: a\r\nASK {\r\n  ?x a b c\r\n}\r\n")
    assert code == 2
    assert err.startswith("<stdin>:3:10: error: a: ")
    assert err.splitlines()[1:3] == ["    ?x a b c", "           ^"]


def test_line_in_json(check: Check) -> None:
    """The lines of a JSON string are not those of the file, so both are told."""
    _, _, err = check("q.jsonl", q_jsonl="\n" + json.dumps({"id": "b", "text": "ASK {\n ?x a }"}))
    assert err.startswith("q.jsonl:2: error: b: line 2, column 7 of the query: ")


def test_all_are_reported(check: Check) -> None:
    """Not the first only: whatever is wrong is told, and what is right is shown."""
    code, out, err = check("none.rq", "q.rq", q_rq=f"# id: a\n{BAD}\n# id: b\n{GOOD}\n# id: c\n{BAD}\n# id: d\n")
    assert code == 2
    assert out.splitlines()[0] == "b  (q.rq:4)"
    starts = [paragraph.split(": ")[0] for paragraph in err.split("\n\n")]
    assert starts[:-1] == ["none.rq", "q.rq:2:12", "q.rq:6:12", "q.rq:7"]
    assert err.endswith("checked 3 queries: 1 ok, 0 warnings, 4 errors\n")


@pytest.mark.parametrize(
    ("text", "construct"),
    [
        ("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "COUNT"),
        ("SELECT * { ?s ?p ?o } ORDER BY ?s", "ORDER BY"),
        ("ASK { SERVICE <http://x.org> { ?s ?p ?o } }", "SERVICE"),
    ],
)
def test_unsupported(check: Check, text: str, construct: str) -> None:
    """A construct that is not supported is named."""
    code, out, err = check("-", stdin=text)
    assert (code, out) == (2, "")
    assert construct in err.splitlines()[0]


def test_control_characters(check: Check) -> None:
    """What a file brings cannot write to the terminal, and the caret still points to its place."""
    _, out, err = check("-", stdin="# id: \x1b[31mred\nASK { ?x <http://x.org/\x1bp> '\x07' }\n# id: b\x08\n" + GOOD)
    assert "\x1b" not in out + err
    assert "\x08" not in out + err
    assert "\\x1b[31mred" in err
    assert "b\\x08  (<stdin>:4)" in out
    line, caret = err.splitlines()[1:3]
    assert line[caret.index("^")] in "<\ufffd"


# --- warnings -------------------------------------------------------------------------------------------------------


def test_warning(check: Check) -> None:
    """A warning has a place and the id too, and does not change the exit code."""
    code, out, err = check("q.rq", q_rq="# id: all\nASK { ?s ?p ?o }")
    assert (code, out) == (0, "all  (q.rq:2)\n  ?s ?p ?o\n  decided   by its tuples alone\n\n")
    assert err.startswith("q.rq:2: warning: all: looks at every publication: ")
    assert err.endswith("\n\nchecked 1 query: 1 ok, 1 warning, 0 errors\n")


@pytest.mark.parametrize(("other", "same"), [(GOOD, "the same"), (GOOD + " ", "the same"), (GOOD + "#", "another")])
def test_duplicate_ids(check: Check, other: str, same: str) -> None:
    """An id that was there before is told with its place, and whether the text is the same."""
    code, _, err = check("q.rq", "a.rq", q_rq=f"# id: a\n{GOOD}", a_rq=other)
    assert code == 0
    assert err.startswith(f"a.rq:1: warning: a: this id was there before, with {same} text, at q.rq:2\n")


def test_a_file_twice(check: Check) -> None:
    """The same query of the same file is no duplicate of itself."""
    assert "warning:" not in check("a.rq", "a.rq", a_rq=GOOD)[2]


def test_a_wrong_duplicate(check: Check) -> None:
    """An error and a warning of one query stand together, the error first."""
    _, _, err = check("q.rq", q_rq=f"# id: a\n{GOOD}\n# id: a\n{BAD}")
    paragraph, _ = err.split("\n\n")
    assert [line.split(": ")[1] for line in paragraph.splitlines() if line.startswith("q.rq")] == ["error", "warning"]


# --- formats --------------------------------------------------------------------------------------------------------

MIXED = f"# id: good\n{GOOD}\n# id: bad\n\n{BAD}\n# id: all\nASK {{ ?s ?p ?o }}\n# id: none\n"


def test_json(check: Check) -> None:
    """An object a line for each query or problem, errors and warnings included; stderr has them too."""
    code, out, err = check("q.rq", "--format", "json", q_rq=MIXED)
    good, bad, everything, none = map(json.loads, out.splitlines())
    assert code == 2
    assert (good["id"], good["source"], good["line"], good["error"], good["warnings"]) == ("good", "q.rq", 2, None, [])
    assert good["alternatives"][0]["tuples"][0]["object"] == "<http://x.org/C>"
    error = bad["error"]
    assert (bad["line"], error["kind"], error["line"], error["column"]) == (4, "QuerySyntaxError", 5, 12)
    assert "alternatives" not in bad
    assert error["message"]
    assert everything["warnings"][0].startswith("looks at every publication")
    assert (none["id"], none["line"], none["error"]["kind"]) == (None, 8, "FileProblem")
    assert err.count("error:") == 2


def test_json_position_in_json(check: Check) -> None:
    """Within a JSON string the line of an error is that of the query; `line` beside it is that of the file."""
    _, out, _ = check("-", "--format", "json", stdin="\n" + json.dumps({"id": "b", "text": "ASK {\n ?x a }"}))
    told = json.loads(out)
    assert (told["line"], told["error"]["line"], told["error"]["column"]) == (2, 2, 7)


def test_csv(check: Check) -> None:
    """A row for each tuple of the queries that are right."""
    code, out, _ = check("q.rq", "--format", "csv", q_rq=MIXED)
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 2
    assert [(row["id"], row["line"], row["subject"]) for row in rows] == [("good", "2", "?x"), ("all", "7", "?s")]


def test_csv_of_nothing(check: Check) -> None:
    """The header is there even if no query is."""
    _, out, _ = check("-", "--format", "csv")
    assert out.startswith("id,source,line,")
    assert out.count("\n") == 1


@pytest.mark.parametrize(("form", "expected"), [("table", []), ("csv", []), ("json", ["bad", "all", None])])
def test_quiet(check: Check, form: str, expected: list[object]) -> None:
    """Only errors and warnings: on stderr, and in JSON also on stdout."""
    code, out, err = check("q.rq", "--quiet", "--format", form, q_rq=MIXED)
    assert code == 2
    assert [json.loads(line)["id"] for line in out.splitlines()] == expected
    assert (err.count("error:"), err.count("warning:")) == (2, 1)


# --- progress -------------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A stream that somebody looks at."""

    def isatty(self) -> bool:
        """It is one."""
        return True


@pytest.fixture
def look(check: Check, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str]]:
    """Calls `rtf check` where stderr is a terminal, and perhaps stdout too: what both show."""
    monkeypatch.setenv("TERM", "xterm")

    def call(*args: str, both: bool = False, **files: str) -> tuple[str, str]:
        out, err = Terminal() if both else io.StringIO(), Terminal()
        monkeypatch.setattr("sys.stdout", out)
        monkeypatch.setattr("sys.stderr", err)
        check(*args, **files)
        return out.getvalue(), err.getvalue()

    return call


def many(count: int) -> str:
    """That many queries."""
    return "".join(f"# id: {number}\n{GOOD}\n" for number in range(count))


def test_progress(look: Callable[..., tuple[str, str]]) -> None:
    """On a terminal there is a bar, of which nothing is left in the end; stdout, a file, is as ever."""
    out, err = look("q.rq", q_rq=many(3000))
    assert "3,000 queries " in err
    assert "━━━" in err
    assert err.endswith("\x1b[2Kchecked 3,000 queries: 3,000 ok, 0 warnings, 0 errors\n")
    assert (out.count("decided"), "\x1b" in out) == (3000, False)


@pytest.mark.parametrize("name", ["q.rq", "-", "missing.rq", "x" * 5000])
def test_no_progress_for_few(look: Callable[..., tuple[str, str]], name: str) -> None:
    """What takes no time needs no bar."""
    _, err = look(name, q_rq=many(10), stdin=many(10))
    assert "checked " in err
    assert "━" not in err


def test_no_progress_between_results(look: Callable[..., tuple[str, str]]) -> None:
    """Nor is there one where the queries themselves pass by on the same screen."""
    assert look("q.rq", q_rq=many(1500), both=True)[1] == "checked 1,500 queries: 1,500 ok, 0 warnings, 0 errors\n"
    assert "━" in look("q.rq", "--quiet", q_rq=many(1500), both=True)[1]


def test_no_progress_in_a_file(check: Check) -> None:
    """A log has no bar in it."""
    assert check("q.rq", q_rq=many(1500))[2] == "checked 1,500 queries: 1,500 ok, 0 warnings, 0 errors\n"


def test_errors_beside_the_bar(look: Callable[..., tuple[str, str]]) -> None:
    """They are seen as ever."""
    assert "q.rq:3002:12: error: wrong: " in look("q.rq", q_rq=many(1500) + f"# id: wrong\n{BAD}\n")[1]


@pytest.mark.slow
def test_a_hundred_thousand(tmp_path: Path) -> None:
    """Of so many queries only the ids stay in memory: the file has 110 MB, the process never has as much more."""
    query = f"ASK {{ ?x ?p ?y FILTER ftcontains(?y, 'sea') }} # {'x' * 1000}\n"
    with (tmp_path / "q.rq").open("w") as file:
        file.writelines(f"# id: {number}\n{query}" for number in range(100_000))
    program = (
        "import resource, sys\n"
        "from rtf.cli import main\n"
        "code = main(['check', 'q.rq', '--format', 'csv'])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    summary, kilobytes = done.stderr.splitlines()
    assert summary == "checked 100,000 queries: 100,000 ok, 0 warnings, 0 errors"
    assert done.stdout.count("\n") == 100_001
    assert int(kilobytes) < 110_000
