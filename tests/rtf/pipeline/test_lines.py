"""Lines of N-Triples and N-Quads: the kernel and pyoxigraph agree on what is a triple, and on its terms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rtf.pipeline import line_kernel as kernel
from rtf.pipeline.lines import LINE_COUNTS, LINES, LineReader
from rtf.pipeline.rows import BAD, COUNT, TRIPLE
from tests.mutations import mutants

S, P, OBJ, G = "<http://e.org/s>", "<http://e.org/p>", "<http://e.org/o>", "<http://e.org/g>"

CERTAIN = [
    f"{S} {P} {OBJ} .",
    f"{S} {P} {OBJ} {G} .",
    f"{S}\t{P}  {OBJ}\t.",
    f"{S}{P}{OBJ}.",
    f'{S} {P} "BA".',
    f'  {S} {P} "text"@en . # comment',
    f'{S} {P} "a \\"quote\\" \\\\ \\t\\b\\n\\r\\f\\\' \\u00e9 \\U0001F600"@de .',
    f'{S} {P} "1"^^<http://www.w3.org/2001/XMLSchema#integer> .',
    f'{S} {P} "日本 émigré 😀"@zh-Hans .',
    f'{S} {P} "x"@be-tarask .\r',
    f'{S} {P} "" .',
    "<http://dbpedia.org/resource/Rio_(film)?a=1&b='2'#x> <urn:isbn:1> <mailto:a@b.org> .",
    "<http://e.org:8080/%C3%A9/é日> <tag:a,2020:b> <file:///etc/x> .",
    f"_:b1 {P} _:node-2_3 _:g .",
    f"_:1 {P} _:x.",
]
COMMENTS_AND_BLANKS = ["", "   \t", "\r", "# text", "  # text", "#"]
UNUSUAL = [  # valid, but for pyoxigraph to say so
    "<http://e.org/\\u00e9> <http://e.org/p> <http://e.org/\\U0001F600> .",
    f"_:a.b {P} _:é .",
    f'{S} {P} "x"@be-x-old .',
    "<http://user@e.org/> <http://[::1]/> <http://é.org/😀> .",
]
WRONG = [
    "no triple at all",
    f"{S} {P} {OBJ}",
    f"{S} {P} .",
    f"{S} {P} {OBJ} {G} {G} .",
    f'{S} {P} "open .',
    f'{S} {P} "bad \\x escape" .',
    f'{S} {P} "\\uD800" .',
    f'{S} {P} "\\U00110000" .',
    f'{S} {P} "x"@ .',
    f'{S} {P} "x"@e1n-toolongsubtag .',
    f'{S} {P} "x"^^xsd:integer .',
    f"<relative> {P} {OBJ} .",
    f"<http://e.org/a b> {P} {OBJ} .",
    f"<http://e.org/%zz> {P} {OBJ} .",
    f'{S} "p" {OBJ} .',
    f'"s" {P} {OBJ} .',
    f"{S} _:p {OBJ} .",
    f"{S} {P} {OBJ} . {S} {P} {S} .",
    f"{S} {P} {OBJ} . junk",
    "@prefix e: <http://e.org/> .",
    f"<<( {S} {P} {OBJ} )>> {P} {OBJ} .",
]


def scanned(line: str) -> tuple[int, list[bytes]]:
    """What the kernel says of a line: its kind, and its terms."""
    data = line.encode()
    kinds, bounds = np.empty(1, np.int8), np.empty((1, 8), np.int64)
    octets = np.frombuffer(data or b"\0", np.uint8)
    kernel.scan(octets, np.array([0, len(data)], np.int32), kinds, bounds)
    kind = int(kinds[0])
    count = {kernel.TRIPLE: 3, kernel.QUAD: 4}.get(kind, 0)
    pairs = bounds[0].reshape(4, 2)[:count].tolist()
    return kind, [data[start:end] for start, end in pairs]


def parsed(line: str) -> list[ox.Quad] | None:
    """What pyoxigraph says of a line: the statements, or None if it is none."""
    try:
        return list(ox.parse(line.encode(), format=ox.RdfFormat.N_QUADS))
    except SyntaxError:
        return None


def term(text: bytes) -> Any:
    """A term by itself."""
    (quad,) = ox.parse(b"<x:s> <x:p> " + text + b" .", format=ox.RdfFormat.N_TRIPLES)
    return quad.object


def check(line: str) -> None:
    """Whatever the kernel is sure of, pyoxigraph says as well."""
    kind, terms = scanned(line)
    if kind == kernel.UNSURE:
        return
    quads = parsed(line)
    assert quads is not None, line
    if kind in (kernel.BLANK, kernel.COMMENT):
        assert quads == [], line
        return
    (quad,) = quads
    graph = [] if isinstance(quad.graph_name, ox.DefaultGraph) else [quad.graph_name]
    assert [term(each) for each in terms] == [quad.subject, quad.predicate, quad.object, *graph], line


def read(lines: Iterable[str | bytes], file: str = "a.nt", **options: Any) -> list[dict[str, Any]]:
    """The rows of some lines."""
    octets = [line.encode() if isinstance(line, str) else line for line in lines]
    column = pa.array(octets, pa.binary()).view(pa.string())
    batch = pa.record_batch([column, pa.repeat(file, len(octets))], ["line", "file"])
    rows = [row for out in LineReader(**options)([batch]) for row in out.to_pylist()]
    for row in rows:
        if row["kind"] == TRIPLE and row["subject"] is None:  # it is the publication
            row["subject"] = f"<{row['publication']}>"
    return rows


def counts(rows: list[dict[str, Any]]) -> dict[str, int]:
    """The counts among rows."""
    return {row["publication"]: int(row["object"]) for row in rows if row["kind"] == COUNT}


@pytest.mark.parametrize("line", CERTAIN)
def test_certain(line: str) -> None:
    """Usual lines take the fast way, and have the terms that pyoxigraph finds."""
    assert scanned(line)[0] in (kernel.TRIPLE, kernel.QUAD)
    check(line)


@pytest.mark.parametrize("line", COMMENTS_AND_BLANKS)
def test_no_statement(line: str) -> None:
    """Comments and blank lines are told from statements."""
    assert scanned(line)[0] == (kernel.COMMENT if "#" in line else kernel.BLANK)
    check(line)


@pytest.mark.parametrize("line", UNUSUAL)
def test_unusual(line: str) -> None:
    """What the kernel is not sure of is a triple if pyoxigraph says so."""
    assert scanned(line)[0] == kernel.UNSURE
    rows = read([line])
    (quad,) = parsed(line) or []
    (row,) = (row for row in rows if row["kind"] == TRIPLE)
    assert term(row["predicate"].encode()) == quad.predicate
    assert isinstance(quad.object, ox.BlankNode) or term(row["object"].encode()) == quad.object


@pytest.mark.parametrize("line", WRONG)
def test_wrong(line: str) -> None:
    """What is no triple is a bad line, with a reason; the kernel does not let it pass."""
    assert scanned(line)[0] == kernel.UNSURE
    rows = read([line])
    (row,) = (row for row in rows if row["kind"] == BAD)
    assert (row["publication"], row["object"]) == ("a.nt", line)
    assert row["predicate"]


PIECES = st.sampled_from(
    [piece for line in CERTAIN + UNUSUAL + WRONG for piece in line.split(" ")]
    + [" ", "\t", ".", "<", ">", '"', "\\", "@", "^^", "_:", "#", "é", "%", "/", ":", "\\u00", "\\UD8", "\x7f", "\x01"]
)


@given(st.lists(PIECES, max_size=8), st.sampled_from(["", " ", "\t"]))
def test_pieces(pieces: list[str], between: str) -> None:
    """The same for anything that is made of pieces of lines."""
    check(between.join(pieces))


IRI_CHARACTERS = st.text(
    st.one_of(st.sampled_from("/:?#[]@!$&'()*+,;=%09afAF-._~ |^`{}\\\"<"), st.characters(exclude_categories=["Cs"])),
    max_size=12,
)


@given(st.sampled_from(["http://", "http:", "urn:", "h", "", "a+b.c-d:", "//", "http:///"]), IRI_CHARACTERS)
def test_iris(start: str, rest: str) -> None:
    """The same for IRIs of all characters."""
    if "\n" not in rest and "\r" not in rest:
        check(f"<{start}{rest}> <{start}{rest}> <{start}{rest}> .")


@given(
    st.text(
        st.one_of(st.sampled_from("\\\"tbnrfuU0123456789ABCDEFabcdef'x"), st.characters(exclude_categories=["Cs"]))
    ),
    st.text(st.sampled_from("abzAZ019-@^_ "), max_size=12),
)
def test_literals(text: str, language: str) -> None:
    """The same for literals of all characters, and all that looks like a language."""
    if "\n" not in text and "\r" not in text:
        check(f'{S} {P} "{text}" .')
        check(f'{S} {P} "x"@{language} .')
        check(f"_:{language} {P} _:{language}.")


def test_mutated() -> None:
    """The same for lines that are nearly right."""
    tokens = ("<", ">", '"', "\\", "@en", "^^", "_:b", ".", " ", "\t", "#", "é", "%C3", "%", "\\u12", "\\U0000", "\x00")
    lines = list(mutants(CERTAIN + UNUSUAL + COMMENTS_AND_BLANKS, 7, 20_000, tokens))
    for line in lines:
        if "\n" not in line and "\r" not in line.rstrip("\r"):
            check(line)
    assert sum(scanned(line)[0] in (kernel.TRIPLE, kernel.QUAD) for line in lines) > 1_000


@pytest.mark.parametrize("suite", ["rdf-n-triples", "rdf-n-quads"])
def test_w3c(suite: str, shared_dir: Callable[[str], Path]) -> None:
    """The W3C's tests: good files have no bad lines and the triples that pyoxigraph finds, bad files have some."""
    files = sorted(path for path in (shared_dir("w3c") / "rdf11" / suite).iterdir() if path.suffix in {".nt", ".nq"})
    assert len(files) > 60
    for path in files:
        data = path.read_bytes()
        rows = read(data.splitlines(), only_triples=suite == "rdf-n-triples")
        bad = [row["object"] for row in rows if row["kind"] == BAD]
        assert bool(bad) == ("-bad-" in path.name), (path.name, bad)
        if not bad:
            format = ox.RdfFormat.N_TRIPLES if suite == "rdf-n-triples" else ox.RdfFormat.N_QUADS
            quads = list(ox.parse(data, format=format))
            found = {
                (term(row["predicate"].encode()), term(row["object"].encode()))
                for row in rows
                if row["kind"] == TRIPLE and not row["object"].startswith("_:")
            }
            expected = {(quad.predicate, quad.object) for quad in quads if not isinstance(quad.object, ox.BlankNode)}
            assert found == expected, path.name
            assert sum(row["kind"] == TRIPLE for row in rows) == len(quads), path.name


def test_counts() -> None:
    """Every line is counted as one thing."""
    rows = read(CERTAIN + UNUSUAL + WRONG + COMMENTS_AND_BLANKS + [b"\xff\xfe"])
    told = counts(rows)
    assert told[LINES] == sum(told[name] for name in LINE_COUNTS)
    assert [told[name] for name in LINE_COUNTS] == [len(CERTAIN) + len(UNUSUAL), 3, 3, len(WRONG) + 1]


def test_wrong_encoding() -> None:
    """A line that is no UTF-8 is a bad line; those beside it are not."""
    good = f'{S} {P} "é" .'
    rows = read([good, f'{S} {P} "é" .'.encode("latin-1"), good])
    assert [row["kind"] for row in rows].count(TRIPLE) == 2
    (bad,) = (row for row in rows if row["kind"] == BAD)
    assert "no UTF-8" in bad["predicate"]
    assert bad["object"] == f'{S} {P} "\\xe9" .'


def test_escapes_of_subjects() -> None:
    """A subject is one publication, however it is written; its id has no escapes."""
    rows = read(["<http://e.org/\\u00e9> <http://e.org/p> <http://e.org/o> .", f"<http://e.org/é> {P} {OBJ} ."])
    assert {(row["publication"], row["subject"]) for row in rows if row["kind"] == TRIPLE} == {
        ("http://e.org/é", "<http://e.org/é>")
    }


@pytest.mark.parametrize(
    ("grouping", "expected"),
    [
        ("subject", ["http://e.org/s", "http://e.org/g", "_:a.nt_b", "_:a.nt_g"]),
        ("graph", ["a.nt", "http://e.org/g", "a.nt", "_:a.nt_g"]),
        ("file", ["a.nt", "a.nt", "a.nt", "a.nt"]),
    ],
)
def test_publications(grouping: str, expected: list[str]) -> None:
    """To which publication a triple belongs."""
    lines = [f"{S} {P} {OBJ} .", f"{S} {P} {OBJ} {G} .", f"_:b {P} {OBJ} .", f"{S} {P} _:b _:g ."]
    rows = [row for row in read(lines, grouping=grouping) if row["kind"] == TRIPLE]
    assert [row["publication"] for row in rows] == expected
    assert [row["graph"] is not None for row in rows] == [False, True, False, True]


def test_blank_nodes_of_two_files() -> None:
    """A label is another node in another file, also where it is an object, on the fast way and on the slow one."""
    lines = [f"{S} {P} _:b .", f'_:b {P} "x"@be-x-old .', f"_:b.c {P} _:b .", f"_:b.c {P} {OBJ} _:b ."]
    one, other = ([row for row in read(lines, file) if row["kind"] == TRIPLE] for file in ("one.nt", "two.nt"))
    nodes = [{row[name] for row in rows for name in ("subject", "object", "graph")} for rows in (one, other)]
    assert {each for each in nodes[0] & nodes[1] if each and each.startswith("_:")} == set()
    assert len([each for each in nodes[0] if each and each.startswith("_:")]) == 2
    assert {"_:one.nt_b", "_:one.nt_b.c"} <= {row["publication"] for row in one}


def test_names_of_files() -> None:
    """A file is called as people call it, where that is known."""
    rows = read([f"_:b {P} {OBJ} ."], "file:///tmp/a.nt", names={"file:/tmp/a.nt": "a.nt"})
    assert rows[0]["publication"] == "_:a.nt_b"
    assert read([f"_:b {P} {OBJ} ."], "file:///tmp/a.nt")[0]["publication"] == "_:file:/tmp/a.nt_b"


def test_several_files_in_a_batch() -> None:
    """A batch may have lines of several files, one after the other."""
    lines = pa.array([f"_:b {P} {OBJ} ."] * 4)
    batch = pa.record_batch([lines, pa.array(["a", "a", "b", "a"])], ["line", "file"])
    found = [row["publication"] for out in LineReader()([batch]) for row in out.to_pylist() if row["kind"] == TRIPLE]
    assert found == ["_:a_b", "_:a_b", "_:b_b", "_:a_b"]


def test_only_triples() -> None:
    """In N-Triples a graph is an error; in N-Quads it is not."""
    line = f"{S} {P} {OBJ} {G} ."
    assert read([line], only_triples=True)[0]["kind"] == BAD
    assert read([line])[0]["kind"] == TRIPLE


def test_sliced_batches() -> None:
    """Arrow's slices share their buffers with what they were cut from."""
    lines = pa.array([f'{S} {P} "{number}" .' for number in range(10)])
    whole = pa.record_batch([lines, pa.repeat("a", 10)], ["line", "file"])
    cuts = [0, 3, 4, 10]
    batches = [whole.slice(start, end - start) for start, end in pairwise(cuts)]
    found = [row["object"] for out in LineReader()(batches) for row in out.to_pylist() if row["kind"] == TRIPLE]
    assert found == [f'"{number}"' for number in range(10)]


def test_real_lines(shared_dir: Callable[[str], Path]) -> None:
    """Nearly all lines of real dumps take the fast way, and no line of them is bad."""
    import bz2

    unsure = total = 0
    for path in sorted((shared_dir("dbpedia") / "2015-10").iterdir()):
        lines = bz2.decompress(path.read_bytes()).splitlines()
        rows = read(lines)
        assert [row["object"] for row in rows if row["kind"] == BAD] == []
        total += len(lines)
        unsure += sum(scanned(line.decode())[0] == kernel.UNSURE for line in lines)
    assert total > 5_000
    assert unsure < total / 100
