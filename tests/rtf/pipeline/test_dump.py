"""What a file is, by its leading lines; what is in a compressed one."""

from __future__ import annotations

import bz2
import gzip

import pyarrow as pa
import pytest

from rtf.pipeline.documents import decompressed
from rtf.pipeline.dump import looks_like_lines, path_key
from sparql_ft import PublicationError

TRIPLE = '<http://e.org/s> <http://e.org/p> "o" .\n'


@pytest.mark.parametrize(
    "head",
    [
        TRIPLE,
        f"# started 2015-10-01\n\n{TRIPLE}",
        TRIPLE.replace(" .", "."),
        TRIPLE.replace("\n", "\r\n") * 3,
        TRIPLE.replace(" .", " <http://e.org/g> ."),
        f"{TRIPLE * 3}nonsense\n",
        TRIPLE * 5_000,  # cut off in the middle of a line
    ],
)
def test_lines(head: str) -> None:
    """N-Triples and N-Quads, also with comments, blank lines and some bad ones."""
    assert looks_like_lines(head.encode()[:65_536])


@pytest.mark.parametrize(
    "head",
    [
        "",
        "# only a comment\n",
        f"@prefix e: <http://e.org/> .\n{TRIPLE * 9}",
        f"PREFIX e: <http://e.org/>\n{TRIPLE * 9}",
        f"{TRIPLE * 9}@base <http://e.org/> .\n",
        "<http://e.org/s> <http://e.org/p> 1 ;\n  <http://e.org/q> 2 .\n",
        '{"@id": "http://e.org/s"}',
        "<rdf:RDF>\n</rdf:RDF>\n",
    ],
)
def test_documents(head: str) -> None:
    """What is Turtle, or something else."""
    assert not looks_like_lines(head.encode())


def test_decompressed() -> None:
    """The ending tells how."""
    data = TRIPLE.encode()
    assert decompressed(data, "a.nt") == data
    assert decompressed(gzip.compress(data), "a.nt.gz") == data
    assert decompressed(bz2.compress(data), "a.nt.bz2") == data
    assert decompressed(pa.compress(data, codec="zstd", asbytes=True), "a.nt.zst") == data


@pytest.mark.parametrize("ending", ["gz", "bz2", "zst"])
@pytest.mark.parametrize("cut", [1, 20])
def test_damaged(ending: str, cut: int) -> None:
    """A file whose end is missing is an error, and so is one of another kind."""
    data = (TRIPLE * 100).encode()
    packed = {"gz": gzip.compress, "bz2": bz2.compress}.get(ending, lambda it: pa.compress(it, "zstd", asbytes=True))
    for wrong in (packed(data)[:-cut], data):
        with pytest.raises(PublicationError, match="cannot be decompressed"):
            decompressed(wrong, f"a.ttl.{ending}")


def test_path_key() -> None:
    """Spark writes the path of a local file in two ways."""
    assert path_key("file:///tmp/a%20b") == path_key("file:/tmp/a%20b") == "file:/tmp/a%20b"
    assert path_key("hdfs://host/a") == "hdfs://host/a"
