"""The first publications of a dump."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from rtf.compare.sample import first_publications
from rtf.files.publication_files import UnreadableFile
from sparql_ft import Publication

LINES = "".join(f'<urn:s{n}> <urn:p> "{k}" .\n' for n in range(90) for k in range(3)).encode()


@pytest.fixture(autouse=True)
def few_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are read in small pieces, so that small ones are read in several."""
    monkeypatch.setattr("rtf.compare.sample._LINES", 100)


def ids(path: Path, count: int, format: str | None = None) -> list[str]:
    """What is found in a file."""
    found = list(first_publications([str(path)], count, format, "subject", None))
    assert all(isinstance(each, Publication) for each in found), found
    return [each.id for each in found if isinstance(each, Publication)]


@pytest.mark.parametrize(("ending", "compress"), [("nt", bytes), ("nt.gz", gzip.compress), ("nt.bz2", bz2.compress)])
def test_leading_lines(tmp_path: Path, ending: str, compress: Callable[[bytes], bytes]) -> None:
    """As many as asked for, each whole, from plain and compressed files; all of them if there are not more."""
    path = tmp_path / f"dump.{ending}"
    path.write_bytes(compress(LINES))
    for count in (1, 34, 89, 90):  # the first 100 lines end within s33
        found = list(first_publications([str(path)], count, None, "subject", None))
        assert [each.id for each in found if isinstance(each, Publication)] == [f"urn:s{n}" for n in range(count)]
        assert {len(each) for each in found if isinstance(each, Publication)} == {3}
    assert len(ids(path, 100)) == 90


def test_no_more_is_read_than_needed(tmp_path: Path) -> None:
    """What is wrong far behind does no harm."""
    path = tmp_path / "dump.nt"
    path.write_bytes(LINES + b"this is no line\n")
    assert len(ids(path, 10)) == 10
    (problem,) = first_publications([str(path)], 95, None, "subject", None)
    assert isinstance(problem, UnreadableFile)
    assert problem.line == 271


def test_several_files_and_formats(tmp_path: Path) -> None:
    """File after file, of any format; a format for all of them can be given."""
    (tmp_path / "a.ttl").write_text("<urn:a> a <urn:c> .", encoding="utf-8")
    (tmp_path / "b.dump").write_bytes(LINES)
    names = [str(tmp_path / "a.ttl"), str(tmp_path / "b.dump")]
    found = list(first_publications(names[:1], 3, None, "subject", None))
    assert [each.id for each in found if isinstance(each, Publication)] == ["urn:a"]
    assert ids(tmp_path / "b.dump", 2, "nt") == ["urn:s0", "urn:s1"]
    (problem, _) = first_publications(names, 3, None, "subject", None)
    assert isinstance(problem, UnreadableFile)


def test_a_subject_in_several_files(tmp_path: Path) -> None:
    """It is one publication, as it is for `rtf filter`; grouped by file there are several."""
    (tmp_path / "labels.nt").write_text('<urn:a> <urn:l> "A" .\n<urn:b> <urn:l> "B" .\n', encoding="utf-8")
    (tmp_path / "types.nt").write_text('<urn:b> <urn:a> <urn:t> .\n<urn:a> <urn:l> "A" .\n', encoding="utf-8")
    names = [str(tmp_path / "labels.nt"), str(tmp_path / "types.nt")]
    together = first_publications(names, 9, None, "subject", None)
    found = {each.id: len(each) for each in together if isinstance(each, Publication)}
    assert found == {"urn:a": 1, "urn:b": 2}
    assert len(list(first_publications(names, 9, None, "file", None))) == 2
    assert len(list(first_publications(names, 1, None, "subject", None))) == 1


def test_damaged_archive(tmp_path: Path) -> None:
    """Said as what it is."""
    (tmp_path / "a.nt.gz").write_bytes(gzip.compress(LINES)[:-20])
    (problem,) = first_publications([str(tmp_path / "a.nt.gz")], 90, None, "subject", None)
    assert isinstance(problem, UnreadableFile)
    assert "end-of-stream" in problem.message
