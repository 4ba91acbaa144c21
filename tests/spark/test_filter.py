"""`rtf filter`, and what becomes of dumps that are not as they should be."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rtf import Engine, Registry
from rtf.cli import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

P = "<http://e.org/p>"
QUERIES = {
    "rio": 'SELECT ?x ?t WHERE { ?x <http://e.org/p> ?t FILTER ftcontains(?t, "rio") }',
    "any": "ASK { ?x <http://e.org/p> ?y }",
    "two": 'ASK { ?x <http://e.org/p> ?t ; <http://e.org/q> ?v FILTER ftcontains(?t, "rio") }',
    "never": "ASK { ?x <http://e.org/nothing> ?y }",
}
Filter = Callable[..., tuple[int, str]]


@pytest.fixture
def rtf(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Filter:
    """Calls `rtf filter` on files of this folder, which are given with `_` for the dot: exit code and stderr."""
    registry = tmp_path / "q.db"
    with Registry(registry) as made:
        for id, text in QUERIES.items():
            made.register(id, text, owner="ana" if id == "rio" else "bob")

    def call(*args: str, dump: str | None = None, **files: str | bytes) -> tuple[int, str]:
        names = []
        for name, data in files.items():
            path = tmp_path / name.replace("_", ".")
            path.write_bytes(data.encode() if isinstance(data, str) else data)
            names.append(str(path))
        names = names if dump is None else [str(tmp_path / dump)]
        code = main(["filter", *names, "--registry", str(registry), "--out", str(tmp_path / "out"), *args])
        captured = capsys.readouterr()
        assert captured.out == ""
        return code, captured.err

    return call


def matches(folder: Path) -> set[tuple[str, str]]:
    """What was written, as (publication, query)."""
    table = pq.read_table(folder).to_pylist()
    found = {(row["publication"], row["query_id"]) for row in table}
    assert len(found) == len(table)
    return found


def line(subject: str, text: str = "rio", predicate: str = P) -> str:
    """A line of N-Triples."""
    return f'<http://e.org/{subject}> {predicate} "{text}" .\n'


def test_summary(rtf: Filter, tmp_path: Path) -> None:
    """Matches are written, and the summary tells what happened."""
    more = "# a comment\n\n" + line("a", "v", "<http://e.org/q>")
    code, said = rtf(a_nt=line("a") + line("b", "paris"), b_nt=more)
    assert code == 0
    assert matches(tmp_path / "out") == {
        ("http://e.org/a", "rio"),
        ("http://e.org/a", "any"),
        ("http://e.org/a", "two"),
        ("http://e.org/b", "any"),
    }
    assert "read 2 files: 3 triples, 0 bad lines\n  5 lines = 3 triples + 1 blank + 1 comments + 0 bad" in said
    assert "matched 2 publications against 4 queries: 4 matches" in said
    assert "queries with most matches:\n  2  any\n  1  rio\n  1  two\n" in said
    assert "never matched: 1 query: never\n" in said


def test_bad_lines(rtf: Filter, tmp_path: Path) -> None:
    """Bad lines are counted, shown and kept; what is right beside them is matched."""
    bad = tmp_path / "bad"
    code, said = rtf("--bad-lines", str(bad), a_nt=line("a").encode() + b"nonsense\n\xff\xfe\n" + line("b").encode())
    assert code == 0
    assert {publication for publication, _ in matches(tmp_path / "out")} == {"http://e.org/a", "http://e.org/b"}
    assert "4 lines = 2 triples + 0 blank + 0 comments + 2 bad" in said
    assert f"{tmp_path}/a.nt: " in said
    kept = [json.loads(each) for path in bad.glob("*.json") for each in path.read_text().splitlines()]
    assert {row["line"] for row in kept} == {"nonsense", "\\xff\\xfe"}
    assert all(row["file"] == f"{tmp_path}/a.nt" and row["why"] for row in kept)


def test_strict(rtf: Filter, tmp_path: Path) -> None:
    """With --strict a bad line is an error, and nothing is written."""
    code, said = rtf("--strict", a_nt=line("a") + "nonsense\n")
    assert code == 2
    assert "there are 1 bad lines, so nothing was written" in said
    assert "nonsense" in said
    assert not (tmp_path / "out").exists()


def test_empty_file(rtf: Filter, tmp_path: Path) -> None:
    """An empty file has no lines, and that is all."""
    code, said = rtf(a_nt="", b_ttl="")
    assert code == 0
    assert "read 2 files: 0 triples, 0 bad lines" in said
    assert "matched 0 publications" in said
    assert matches(tmp_path / "out") == set()


def test_missing_file(rtf: Filter, tmp_path: Path) -> None:
    """A file that is not there is named, also beside others."""
    for name in ("nowhere.nt", "no*where.nt", "nowhere"):
        code, said = rtf(dump=name)
        assert code == 2
        assert f"{tmp_path}/{name}: there is no such file or folder" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("ending", ["bz2", "gz", "zst"])
@pytest.mark.parametrize("share", [0.6, 0.999])
def test_truncated(rtf: Filter, tmp_path: Path, ending: str, share: float) -> None:
    """A compressed file whose end is missing is an error, wherever it was cut."""
    text = "".join(line(str(number), f"rio {number * 7919 % 10007}") for number in range(2_000)).encode()
    data = bytes(_compress(text, ending))
    code, said = rtf(**{f"a_nt_{ending}": data[: int(len(data) * share)]})
    assert code == 2
    assert f"a.nt.{ending}" in said
    assert "fetch it again" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("ending", ["bz2", "gz", "zst"])
def test_not_compressed(rtf: Filter, ending: str) -> None:
    """A file that is compressed in name only is an error; Spark would take some for empty."""
    code, said = rtf(**{f"a_nt_{ending}": line("a")})
    assert code == 2
    assert f"this is no .{ending} file" in said


@pytest.mark.parametrize("ending", ["", ".bz2", ".gz", ".zst"])
def test_compressed(rtf: Filter, tmp_path: Path, ending: str) -> None:
    """All compressions give the same triples, of lines and of documents."""
    data = bytes(_compress(line("a").encode(), ending.removeprefix(".")))
    turtle = bytes(_compress(b'@prefix e: <http://e.org/> . e:t e:p "rio" .', ending.removeprefix(".")))
    code, said = rtf(**{f"a_ttl{ending.replace('.', '_')}": data, f"b_ttl{ending.replace('.', '_')}": turtle})
    assert (code, "read 2 files: 2 triples, 0 bad lines" in said) == (0, True)
    assert ("http://e.org/a", "rio") in matches(tmp_path / "out")
    assert ("http://e.org/t", "rio") in matches(tmp_path / "out")


def _compress(data: bytes, ending: str) -> bytes:
    match ending:
        case "bz2":
            return bz2.compress(data)
        case "gz":
            return gzip.compress(data)
        case "zst":
            return bytes(pa.compress(data, codec="zstd", asbytes=True))
    return data


def test_windows_line_ends(rtf: Filter, tmp_path: Path) -> None:
    """Lines may end as on Windows, or on old Macs."""
    code, said = rtf(a_nt=line("a").replace("\n", "\r\n") * 2 + "\r\n", b_nt=line("b").replace("\n", "\r"))
    assert code == 0
    assert "4 lines = 3 triples + 1 blank + 0 comments + 0 bad" in said
    assert {publication for publication, _ in matches(tmp_path / "out")} == {"http://e.org/a", "http://e.org/b"}


def test_no_space_before_the_dot(rtf: Filter, tmp_path: Path) -> None:
    """As DBpedia writes it."""
    code, _ = rtf(a_ttl=f'<http://e.org/a> {P} "rio".\n<http://e.org/b> {P} "rio"@en.\n')
    assert code == 0
    assert {query for _, query in matches(tmp_path / "out")} == {"rio", "any"}


def test_blank_nodes(rtf: Filter, tmp_path: Path) -> None:
    """A blank subject is a publication of its file."""
    code, _ = rtf(a_nt=f'_:b {P} "rio" .\n', b_nt=f'_:b {P} "paris" .\n')
    assert code == 0
    assert matches(tmp_path / "out") == {
        (f"_:{tmp_path}/a.nt_b", "rio"),
        (f"_:{tmp_path}/a.nt_b", "any"),
        (f"_:{tmp_path}/b.nt_b", "any"),
    }


def test_many_triples(rtf: Filter, tmp_path: Path) -> None:
    """A subject with 100,000 triples is one publication: the last of them counts."""
    many = "".join(line("a", f"text {number}") for number in range(100_000))
    code, said = rtf(a_nt=line("z") + many + line("a", "rio"), b_nt=line("a", "v", "<http://e.org/q>"))
    assert code == 0
    assert "matched 2 publications" in said
    assert "100,003 lines = 100,003 triples" in said
    assert ("http://e.org/a", "two") in matches(tmp_path / "out")


def test_long_literals(rtf: Filter, tmp_path: Path) -> None:
    """Literals of 5 MB, the searched word at the end of one."""
    long = "x " * (5 << 19)
    assert len(long) > 5_000_000
    code, said = rtf(a_nt=line("a", long + "rio") + line("b", long) + line("c", long + "\\u0072io"))
    assert code == 0
    assert "3 lines = 3 triples" in said
    assert {publication for publication, query in matches(tmp_path / "out") if query == "rio"} == {
        "http://e.org/a",
        "http://e.org/c",
    }


def test_broken_document(rtf: Filter, tmp_path: Path) -> None:
    """A Turtle file that cannot be parsed is told, the exit code is 2, and the other files are matched."""
    code, said = rtf(a_ttl='@prefix e: <http://e.org/> .\ne:t e:p "rio" . nonsense', b_nt=line("b"))
    assert code == 2
    assert "read 2 files: 1 triple, 1 bad line" in said
    assert f"{tmp_path}/a.ttl: line 2, column" in said
    assert {publication for publication, _ in matches(tmp_path / "out")} == {"http://e.org/b"}


def test_unknown_format(rtf: Filter) -> None:
    """Where neither name nor leading lines tell the format, the message says what to do; then it is done."""
    turtle = '@prefix e: <http://e.org/> . e:t e:p "rio" .'
    code, said = rtf(a_dat=turtle)
    assert code == 2
    assert "does not tell the format" in said
    assert "--input-format" in said
    assert rtf("--input-format", "ttl", a_dat=turtle)[0] == 0


def test_formats_and_partitions(rtf: Filter, tmp_path: Path) -> None:
    """JSON Lines and CSV, a folder for each owner or query, with details."""
    options = ("--format", "json", "--partition-by", "owner", "--bindings", "--highlights")
    code, _ = rtf(*options, a_nt=line("a"))
    assert code == 0
    (path,) = (tmp_path / "out" / "owner=ana").glob("*.json")
    row = json.loads(path.read_text(encoding="utf-8"))
    assert row["bindings"] == [
        {"x": {"type": "uri", "value": "http://e.org/a"}, "t": {"type": "literal", "value": "rio"}}
    ]
    assert row["highlights"][0]["spans"] == [[0, 3]]
    code, _ = rtf("--format", "csv", "--partition-by", "query", "--overwrite", "--highlights", a_nt=line("a"))
    assert code == 0
    (path,) = (tmp_path / "out" / "query_id=rio").glob("*.csv")
    head, first = path.read_text(encoding="utf-8").splitlines()
    assert head == "publication,owner,highlights"
    assert first.startswith('http://e.org/a,ana,"[{""variable"":""t""')


def test_output_is_there(rtf: Filter, tmp_path: Path) -> None:
    """What is there is not overwritten, unless that is asked for."""
    (tmp_path / "out").mkdir()
    code, said = rtf(a_nt=line("a"))
    assert code == 2
    assert "is there already" in said
    assert rtf("--overwrite", a_nt=line("a"))[0] == 0


def test_sample(rtf: Filter, tmp_path: Path) -> None:
    """--sample N matches N publications, whole ones, always the same."""
    lines = "".join(line(str(number)) + line(str(number), "v", "<http://e.org/q>") for number in range(50))
    seen = []
    for _ in range(2):
        code, said = rtf("--sample", "7", "--overwrite", a_nt=lines)
        assert (code, "matched 7 publications" in said) == (0, True)
        seen.append(matches(tmp_path / "out"))
    assert seen[0] == seen[1]
    assert len([query for _, query in seen[0] if query == "two"]) == 7


def test_publication_is_a_file(rtf: Filter, tmp_path: Path) -> None:
    """All of a file is one publication, on request, also if it is empty; not if it holds several graphs."""
    with Registry(tmp_path / "q.db") as registry:
        registry.register("empty", "ASK {}")
    graphs = "".join(f'<x:a> {P} "rio" {graph} .\n' for graph in ("", "<x:g>", "<x:g>"))
    files = {"a_nt": line("a") + line("b", "v", "<http://e.org/q>"), "b_nt": "", "c_nq": graphs}
    code, said = rtf("--publication", "file", **files)
    assert code == 2
    assert f"{tmp_path}/c.nq: this file holds 2 graphs, so it is not one publication" in said
    assert "matched 2 publications " in said
    found = {(Path(publication).name, query) for publication, query in matches(tmp_path / "out")}
    assert found == {("a.nt", "rio"), ("a.nt", "any"), ("a.nt", "empty"), ("b.nt", "empty")}


def test_publication_is_a_graph(rtf: Filter, tmp_path: Path) -> None:
    """Each graph is one publication, on request; the default graph of a file has the name of the file."""
    graphs = f'<x:a> {P} "rio" .\n<x:b> <http://e.org/q> "v" .\n<x:a> {P} "rio" <x:g> .\n<x:c> {P} "no" <x:g> .\n'
    code, said = rtf("--publication", "graph", a_nq=graphs)
    assert (code, "matched 2 publications " in said) == (0, True)
    found = {(Path(publication).name, query) for publication, query in matches(tmp_path / "out")}
    assert found == {("a.nq", "rio"), ("a.nq", "any"), ("x:g", "rio"), ("x:g", "any")}


def test_strange_names(rtf: Filter, tmp_path: Path) -> None:
    """Names of files may have spaces, brackets and letters of all kinds."""
    folder = tmp_path / "dump é [1] {x}"
    folder.mkdir()
    (folder / "a b%20*?.nt").write_text(f'_:b {P} "rio" .\n', encoding="utf-8")
    code, _ = rtf(dump="dump é*")
    assert code == 0
    assert {id for id, _ in matches(tmp_path / "out")} == {f"_:{folder}/a b%20*?.nt_b"}


def test_no_queries_and_bad_registry(rtf: Filter, tmp_path: Path) -> None:
    """Without any queries nothing matches; a registry that is not there is an error."""
    code, said = rtf("--owner", "nobody", a_nt=line("a"))
    assert (code, "against 0 queries: 0 matches" in said) == (0, True)
    assert main(["filter", str(tmp_path / "a.nt"), "--registry", "none.db", "--out", "x"]) == 2


def test_failures_are_told(rtf: Filter, tmp_path: Path) -> None:
    """A query that takes too much work on a publication is told, and the others are answered."""
    with Registry(tmp_path / "q.db") as registry:
        registry.register("much", f"ASK {{ ?x {P} ?t FILTER regex(?t, '^(a|a|aa)+$') }}")
    code, said = rtf(a_nt=line("a", "a" * 40 + "b"))
    assert code == 0
    assert "1 answer could not be found:\n    query much on http://e.org/a: " in said
    assert ("http://e.org/a", "any") in matches(tmp_path / "out")


def test_without_java(tmp_path: Path) -> None:
    """Without Java there is one clear message."""
    env = {name: value for name, value in os.environ.items() if name != "JAVA_HOME"} | {"PATH": str(tmp_path)}
    command = [sys.executable, "-m", "rtf", "filter", "a.nt", "--registry", "q.db", "--out", "out"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("rtf filter: Spark needs Java, and there is none on this machine\ninstall a Java")


def test_by_full_path(tmp_path: Path, spark: SparkSession) -> None:
    """The command works when called by its full path, without its environment activated."""
    (tmp_path / "a.nt").write_text(line("a"), encoding="utf-8")
    with Registry(tmp_path / "q.db") as registry:
        registry.register("rio", QUERIES["rio"])
    command = [str(Path(sys.executable).with_name("rtf")), "filter", "a.nt", "--registry", "q.db", "--out", "out"]
    kept = ("JAVA_HOME", "HOME", "LANG")
    env = {name: os.environ[name] for name in kept if name in os.environ} | {"PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert matches(tmp_path / "out") == {("http://e.org/a", "rio")}
    assert (done.stdout, done.stderr.splitlines()[0]) == ("", "read 1 file: 1 triple, 0 bad lines")


def test_progress(rtf: Filter, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks at a terminal sees a bar with what was done so far; all others see none."""
    assert "triples/s" not in rtf(a_nt=line("a"))[1]
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    code, said = rtf("--overwrite", a_nt="".join(line(str(number)) for number in range(20_000)))
    assert code == 0
    assert "1 files, " in said
    assert "triples/s" in said


def test_engine_is_the_same(rtf: Filter, tmp_path: Path) -> None:
    """What is written is what the engine says."""
    engine = Engine()
    engine.register_many(QUERIES.items())
    rtf("--layout", "rtfm", a_nt=line("a") + line("b", "no"))
    assert len(engine) == 4
    found: Any = matches(tmp_path / "out")
    assert found == {("http://e.org/a", "rio"), ("http://e.org/a", "any"), ("http://e.org/b", "any")}
