"""Files of queries: which queries are found in them, where, and what is said of what is none."""

from __future__ import annotations

import io
import json
import tracemalloc
from pathlib import Path
from types import SimpleNamespace

import pytest

from rtf.files import query_files
from rtf.files.query_files import FileProblem, QueryRecord, read_queries


def found(data: bytes | str, name: str = "-") -> list[tuple[object, ...]]:
    """What a file of that name holds: (line, id, text) for queries, (line, message) for problems."""
    raw = data.encode() if isinstance(data, str) else data
    if name == "-":
        return [shown(each) for each in read_queries(["-"], io.BytesIO(raw))]
    Path(name).write_bytes(raw)
    return [shown(each) for each in read_queries([name])]


def shown(each: QueryRecord | FileProblem) -> tuple[object, ...]:
    """Without the source."""
    if isinstance(each, QueryRecord):
        return (each.line, each.id, each.text)
    return (each.line, each.message)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- one query, or several ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["games.rq", "games.sparql", "games.txt", "games"])
def test_one_query(name: str) -> None:
    """The name of the file without its ending is the id, and the text begins at the first line."""
    assert found("# Games.\nASK {}\n", name) == [(1, "games", "# Games.\nASK {}")]


def test_stdin() -> None:
    """A query from stdin is called so."""
    (record,) = read_queries(["-"], io.BytesIO(b"ASK {}"))
    assert record == QueryRecord("<stdin>", 1, "stdin", "ASK {}")
    assert record.place == "<stdin>:1"


def test_stdin_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless told otherwise, `-` is sys.stdin."""
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"ASK {}")))
    assert [shown(each) for each in read_queries(["-"])] == [(1, "stdin", "ASK {}")]


def test_several_queries() -> None:
    """A line `# id:` starts a query, whose text begins in the line after it. The first may follow comments."""
    text = "# My queries.\n\n# id: one\nASK {}\n\n# id: two\n# Two.\nASK {\n}\n"
    assert found(text) == [(4, "one", "ASK {}"), (7, "two", "# Two.\nASK {\n}")]


@pytest.mark.parametrize("line", ["#id:x", "# ID : x", "#\tId:\tx  ", "# id: x\r"])
def test_spellings_of_the_id_line(line: str) -> None:
    """Case and blanks do not count."""
    assert found(f"{line}\nASK {{}}\n") == [(2, "x", "ASK {}")]


@pytest.mark.parametrize("line", [" # id: x", "# identity: x", "## id: x", "# the id: x", "ASK # id: x"])
def test_no_id_line(line: str) -> None:
    """Other comments start no query, nor does a line that is not at the left margin."""
    assert found(f"{line}\nASK {{}}") == [(1, "stdin", f"{line}\nASK {{}}")]


def test_an_id_may_have_blanks() -> None:
    """Everything up to the end of the line is the id."""
    assert found("# id: the first of May: all of it \nASK {}") == [(2, "the first of May: all of it", "ASK {}")]


def test_text_before_the_first_id() -> None:
    """It belongs to no query, and is not dropped in silence."""
    (problem, query) = found("# head\n\nPREFIX a: <urn:a>\n# id: one\nASK {}")
    assert problem == (3, "this stands before the first `# id:` line, so it belongs to no query")
    assert query == (5, "one", "ASK {}")


def test_id_without_query() -> None:
    """An id with nothing below it, or with comments only, is a mistake; the others are read."""
    text = "# id: one\n# id: two\nASK {}\n# id: three\n\n# nothing\n"
    assert found(text) == [
        (1, "there is no query under `# id: one`"),
        (3, "two", "ASK {}"),
        (4, "there is no query under `# id: three`"),
    ]


def test_id_line_without_id() -> None:
    """What is under it has no name, so it is not read as a query of another one."""
    text = "# id: one\nASK {}\n# id:\nASK {}\n# id: two\nASK {}"
    assert found(text) == [
        (2, "one", "ASK {}"),
        (3, "`# id:` starts a query, but its id is missing"),
        (6, "two", "ASK {}"),
    ]


# --- JSON Lines -----------------------------------------------------------------------------------------------------


def test_json_lines() -> None:
    """An object a line; blank lines and other fields are passed over, numbers are ids too."""
    text = '{"id": "a", "text": "ASK {}", "note": 3}\n\n{"id": 7, "query": "ASK {\\n}"}\n'
    (first, second) = read_queries(["-"], io.BytesIO(text.encode()))
    assert first == QueryRecord("<stdin>", 1, "a", "ASK {}", quoted=True)
    assert second == QueryRecord("<stdin>", 3, "7", "ASK {\n}", quoted=True)


@pytest.mark.parametrize(
    ("fields", "owner", "tags"),
    [
        ('"owner": "ana", "tags": ["b", "a"]', "ana", ("b", "a")),
        ('"owner": 3, "tags": []', "3", ()),
        ('"owner": null, "tags": null', None, ()),
    ],
)
def test_json_owner_and_tags(fields: str, owner: str | None, tags: tuple[str, ...]) -> None:
    """They are optional; null is none."""
    (found,) = read_queries(["-"], io.BytesIO(f'{{"id": "a", "text": "ASK {{}}", {fields}}}'.encode()))
    assert isinstance(found, QueryRecord)
    assert (found.owner, found.tags) == (owner, tags)


@pytest.mark.parametrize("fields", ['"owner": ["ana"]', '"tags": "sport"', '"tags": [1]', '"owner": true'])
def test_json_wrong_owner_and_tags(fields: str) -> None:
    """What is no owner, or no array of tags, is not passed over."""
    (found,) = read_queries(["-"], io.BytesIO(f'{{"id": "a", "text": "ASK {{}}", {fields}}}'.encode()))
    assert isinstance(found, FileProblem)
    assert fields.split('"')[1] in found.message


@pytest.mark.parametrize("name", ["q.jsonl", "q.ndjson", "q.json", "q", "-"])
def test_json_is_recognised(name: str) -> None:
    """By its ending, or by its first character where the ending says nothing."""
    assert found('\n {"id": "a", "text": "ASK {}"}', name) == [(2, "a", "ASK {}")]


def test_an_ending_decides() -> None:
    """A *.rq file is a query and a *.jsonl file is JSON, whatever they begin with."""
    assert found("{}", "q.rq") == [(1, "q", "{}")]
    assert found("ASK {}", "q.jsonl") == [(1, "column 1 is not JSON: Expecting value")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "a", "text": "ASK {}"', "column 29 is not JSON: Expecting ',' delimiter"),
        ("[1]", "not a JSON object; write one object a line, with `id` and `text`"),
        ('{"text": "ASK {}"}', "there is no `id`"),
        ('{"id": "", "text": "ASK {}"}', "`id` must be a string that is not empty"),
        ('{"id": " ", "text": "ASK {}"}', "`id` must be a string that is not empty"),
        ('{"id": true, "text": "ASK {}"}', "`id` must be a string that is not empty"),
        ('{"id": null, "text": "ASK {}"}', "`id` must be a string that is not empty"),
        ('{"id": "a"}', "there is no `text`"),
        ('{"id": "a", "text": null}', "`text` must be a string"),
        ('{"id": "a", "query": ["ASK {}"]}', "`text` must be a string"),
        (
            '{"id": "a", "text": "ASK {}", "query": "ASK { }"}',
            "`text` and `query` mean the same, but have different values here; leave one out",
        ),
        ('{"id": "a", "text": "\\ud83d"}', "half a surrogate pair (\\ud800 to \\udfff) is no character"),
    ],
)
def test_wrong_json(line: str, message: str) -> None:
    """What is wrong with a line is said in its place, and the next line is read."""
    good = '{"id": "good", "text": "ASK {}"}'
    assert found(f"{good}\n{line}\n{good}", "q.jsonl") == [(1, "good", "ASK {}"), (2, message), (3, "good", "ASK {}")]


def test_deep_json() -> None:
    """JSON that is nested too deeply is an error like others."""
    text = "[" * 100_000 + '\n{"id": 1, "text": ""}'
    assert found(text, "q.jsonl") == [(1, "this is JSON, but nested too deeply"), (2, "1", "")]


def test_same_text_twice() -> None:
    """`text` and `query` may both be there if they agree."""
    assert found('{"id": "a", "text": "ASK {}", "query": "ASK {}"}') == [(1, "a", "ASK {}")]


# --- bytes ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["rq", "jsonl"])
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "there is no query in it"),
        (b" \n\r\n", "there is no query in it"),
        (b"\xef\xbb\xbf", "there is no query in it"),
        ("ASK {}".encode("utf-16"), "this is UTF-16; save it as UTF-8"),
        (b"\xfe\xff\x00A", "this is UTF-16; save it as UTF-8"),
        ("ASK {}".encode("utf-16-le"), "this is no UTF-8 text: it has NUL bytes, as UTF-16 and binary files do"),
        (b"\x7fELF\x00\x01\n", "this is no UTF-8 text: it has NUL bytes, as UTF-16 and binary files do"),
    ],
)
def test_no_text(data: bytes, message: str, ending: str) -> None:
    """A file as a whole that cannot be read."""
    assert found(data, f"q.{ending}") == [(None, message)]


def test_only_comments() -> None:
    """A comment is no query."""
    assert found("# to be written\n", "q.rq") == [(None, "there is no query in it, only comments")]


def test_bom() -> None:
    """The mark that Windows editors put at the beginning is no part of the text; elsewhere it is."""
    assert found("\ufeffASK {}", "q.rq") == [(1, "q", "ASK {}")]
    assert found("\ufeff# id: a\nASK {}\n# id: b\n\ufeffASK {}", "q.rq") == [
        (2, "a", "ASK {}"),
        (4, "b", "\ufeffASK {}"),
    ]
    assert found('\ufeff{"id": "a", "text": "ASK {}"}', "q") == [(1, "a", "ASK {}")]


def test_windows_line_ends() -> None:
    """They stay in the text, where they are white space, and out of the ids."""
    assert found("# id: a\r\nASK {\r\n}\r\n# id: b\r\nASK {}\r\n") == [(2, "a", "ASK {\r\n}"), (5, "b", "ASK {}")]


def test_other_encodings() -> None:
    """Bytes that are not UTF-8 are told with their place, once a query; the queries beside it are read."""
    text = "# id: a\nASK {}\n# id: b\nASK { <s> <p> 'café', 'été' }\n# à\n# id: c\nASK {}".encode("latin-1")
    assert found(text) == [
        (2, "a", "ASK {}"),
        (4, "column 19 is not UTF-8 (byte 0xe9); save the file as UTF-8"),
        (7, "c", "ASK {}"),
    ]


def test_id_in_another_encoding() -> None:
    """Such a line still starts a query, so that the one before it is complete."""
    text = "# id: a\nASK {}\n# id: é\nASK {}\n# id: c\nASK {}".encode("latin-1")
    assert found(text) == [
        (2, "a", "ASK {}"),
        (3, "column 7 is not UTF-8 (byte 0xe9); save the file as UTF-8"),
        (6, "c", "ASK {}"),
    ]


def test_head_in_another_encoding() -> None:
    """What is wrong before the first id is told once."""
    text = "# é\nASK {}\n# id: c\nASK {}".encode("latin-1")
    assert [line for line, *_ in found(text)] == [1, 4]


def test_json_in_another_encoding() -> None:
    """The same of JSON Lines."""
    text = '{"id": "é", "text": ""}\n{"id": "c", "text": "ASK {}"}'.encode("latin-1")
    message = "column 9 is not UTF-8 (byte 0xe9); save the file as UTF-8"
    assert found(text) == [(1, message), (2, "c", "ASK {}")]


# --- files and folders ----------------------------------------------------------------------------------------------


def test_folder(folder: Path) -> None:
    """A folder stands for the query files in it and below, in the order of their paths."""
    (folder / "q" / "b").mkdir(parents=True)
    (folder / "q" / "odd.rq").mkdir()
    for name in ("c.rq", "b/d.sparql", "a.rq", "notes.txt", "e.jsonl"):
        (folder / "q" / name).write_text("ASK {}")
    assert [each.place for each in read_queries(["q"])] == ["q/a.rq:1", "q/b/d.sparql:1", "q/c.rq:1"]


def test_folder_without_queries(folder: Path) -> None:
    """An empty folder is more likely a mistake than nothing to do."""
    (folder / "q").mkdir()
    assert list(read_queries(["q"])) == [FileProblem("q", None, "there is no *.rq or *.sparql file in this folder")]


def test_missing_file() -> None:
    """The other files are read all the same."""
    Path("b.rq").write_text("ASK {}")
    (problem, query) = read_queries(["a.rq", "b.rq"])
    assert problem == FileProblem("a.rq", None, "no such file or directory")
    assert problem.place == "a.rq"
    assert query == QueryRecord("b.rq", 1, "b", "ASK {}")


@pytest.mark.parametrize("blanks", [1, 5000])
def test_query_in_place_of_a_file(blanks: int) -> None:
    """Whoever puts the query itself on the command line is told what to do, however long it is."""
    ((_, message),) = (shown(each) for each in read_queries([f"ASK {{{' ' * blanks}}}"]))
    assert str(message).endswith("; to check a text that is no file, pipe it into `rtf check -`")


# --- size -----------------------------------------------------------------------------------------------------------


def test_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query longer than any that parses is told once, and the next is read."""
    monkeypatch.setattr(query_files, "_MAX_SIZE", 20)
    text = "# id: a\n" + "ASK {}\n" * 10 + "# id: b\nASK {}"
    assert found(text) == [(2, query_files._TOO_LONG), (13, "b", "ASK {}")]


@pytest.mark.parametrize("size", [20, 21, 22, 41, 42, 43, 100])
def test_too_long_a_line(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are numbered as they stand, however many reads one takes."""
    monkeypatch.setattr(query_files, "_MAX_SIZE", 20)
    text = f"# id: a\n{'é'.ljust(size - 1, '#')}\n# id: b\nASK {{}}"
    assert found(text) == [(2, query_files._TOO_LONG), (4, "b", "ASK {}")]
    assert found(f"{'1'.ljust(size)}\n1\n", "q.jsonl")[0] == (1, query_files._TOO_LONG)
    assert found(f"{'1'.ljust(size)}\n1\n", "q.jsonl")[1][0] == 2


def test_advance() -> None:
    """Every byte is told once, so that a progress bar ends where it should."""
    sizes: list[int] = []
    data = b"\xef\xbb\xbf# id: a\nASK {}\r\n\xff\n"
    list(read_queries(["-"], io.BytesIO(data), sizes.append))
    assert sum(sizes) == len(data)


@pytest.mark.parametrize("ending", ["rq", "jsonl"])
def test_streams(folder: Path, ending: str) -> None:
    """Of a large file, one query at a time is in memory."""
    text = "ASK { ?s ?p '" + "x" * 1000 + "' }"
    line = f"# id: 1\n{text}\n" if ending == "rq" else json.dumps({"id": "1", "text": text}) + "\n"
    (folder / f"q.{ending}").write_text(line * 5000)
    tracemalloc.start()
    try:
        count = sum(isinstance(each, QueryRecord) for each in read_queries([f"q.{ending}"]))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count == 5000
    assert peak < 500_000 < 5000 * len(line)
