"""`rtf watch`: every publication exactly once, queries that come and go, and a driver that is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest

from rtf import Registry
from rtf.cli import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

P = "<http://e.org/p>"
RIO = 'ASK { ?x <http://e.org/p> ?t FILTER ftcontains(?t, "rio") }'
ANY = "ASK { ?x <http://e.org/p> ?t }"
Row = tuple[str, str, int]  # publication, query, index version


class Stream:
    """A folder that is watched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.incoming = folder / "incoming"
        self.incoming.mkdir()
        self.registry = folder / "q.db"
        with Registry(self.registry) as registry:
            registry.register("rio", RIO, owner="ana")

    def add(self, name: str, data: str | bytes) -> None:
        """Put a file there, complete."""
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        path.rename(self.incoming / name)

    def command(self, *args: str) -> list[str]:
        """The arguments of a call."""
        options = {"--registry": self.registry, "--out": self.folder / "out", "--checkpoint": self.folder / "state"}
        return ["watch", str(self.incoming), *(str(each) for pair in options.items() for each in pair), *args]

    def once(self, *args: str) -> int:
        """Match what is there."""
        return main(self.command("--once", *args))

    def rows(self) -> Counter[Row]:
        """All that was written."""
        table = pq.read_table(self.folder / "out").to_pylist()
        return Counter((row["publication"], row["query_id"], row["index_version"]) for row in table)


@pytest.fixture
def stream(spark: SparkSession, tmp_path: Path) -> Stream:
    """A stream with one query."""
    return Stream(tmp_path)


def line(subject: str, text: str = "rio") -> str:
    """A line of N-Triples."""
    return f'<http://e.org/{subject}> {P} "{text}" .\n'


def test_queries_come_and_go(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    """A change of the registry takes effect in the next micro-batch, and rows tell which version they met."""
    stream.add("a.nt", line("a"))
    assert stream.once() == 0
    assert (
        "batch 0, index version 1: 1 files, 1 triples, 0 bad lines, 1 publications, 1 matches"
        in capsys.readouterr().err
    )
    with Registry(stream.registry) as registry:
        registry.register("any", ANY)
    stream.add("b.nt", line("b") + line("c", "paris"))
    assert stream.once() == 0
    with Registry(stream.registry) as registry:
        registry.unregister("rio")
    stream.add("d.ttl", '@prefix e: <http://e.org/> . e:d e:p "rio" .')
    assert stream.once() == 0
    stream.add("e.nt", line("e"))
    assert stream.once() == 0
    assert stream.rows() == Counter(
        {
            ("http://e.org/a", "rio", 1): 1,
            ("http://e.org/b", "rio", 2): 1,
            ("http://e.org/b", "any", 2): 1,
            ("http://e.org/c", "any", 2): 1,
            ("http://e.org/d", "any", 3): 1,
            ("http://e.org/e", "any", 3): 1,
        }
    )


def test_nothing_new(stream: Stream) -> None:
    """A file is matched once, however often the command is started."""
    stream.add("a.nt", line("a"))
    for _ in range(3):
        assert stream.once() == 0
    assert stream.rows() == Counter({("http://e.org/a", "rio", 1): 1})


def test_repeated_batch(stream: Stream) -> None:
    """A batch that was not committed is repeated against the queries it had met, and overwrites its output."""
    stream.add("a.nt", line("a"))
    assert stream.once() == 0
    with Registry(stream.registry) as registry:
        registry.register("any", ANY)
    (stream.folder / "state" / "commits" / "0").unlink()  # as if the driver had been killed after writing
    (stream.folder / "state" / "commits" / ".0.crc").unlink()
    stream.add("b.nt", line("b"))
    assert stream.once() == 0
    assert stream.rows() == Counter(
        {("http://e.org/a", "rio", 1): 1, ("http://e.org/b", "rio", 2): 1, ("http://e.org/b", "any", 2): 1}
    )


def test_unreadable_files(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    """A damaged file is told and left out; the stream goes on. Bad lines are kept on request."""
    import gzip

    text = "".join(line(str(number), f"rio {number * 7919 % 10007}") for number in range(2_000))
    stream.add("cut.nt.gz", gzip.compress(text.encode())[:-500])
    stream.add("no.nt.bz2", b"no bzip2")
    stream.add("broken.ttl", "@prefix nonsense")
    stream.add("a.nt", line("a") + "nonsense\n")
    assert stream.once("--bad-lines", str(stream.folder / "bad")) == 0
    said = capsys.readouterr().err
    assert f"{stream.incoming}/cut.nt.gz was left out" in said
    assert f"{stream.incoming}/no.nt.bz2 was left out: this is no .bz2 file" in said
    assert set(stream.rows()) == {("http://e.org/a", "rio", 1)}
    kept = [
        json.loads(each) for path in (stream.folder / "bad").rglob("*.json") for each in path.read_text().splitlines()
    ]
    assert {Path(row["file"]).name for row in kept} == {"cut.nt.gz", "no.nt.bz2", "broken.ttl", "a.nt"}


def test_any_source(stream: Stream) -> None:
    """Any source of Spark with a column `value` will do: here its text files, a line a row."""
    stream.add("a.txt", line("a") + "\n# comment\n" + line("b", "no"))
    assert stream.once("--source-format", "text", "--option", "maxFilesPerTrigger=1") == 0
    assert stream.rows() == Counter({("http://e.org/a", "rio", 1): 1})


def test_messages(spark: SparkSession, stream: Stream) -> None:
    """A source with the columns of Kafka: what `--option` says reaches it, and messages are bytes, of several lines."""
    from pyspark.sql import SparkSession
    from pyspark.sql.datasource import DataSource, SimpleDataSourceStreamReader

    class Reader(SimpleDataSourceStreamReader):
        """Five messages, as many at a time as there are."""

        def __init__(self, topic: str) -> None:
            self._topic = topic

        # Spark chose the names of methods
        def initialOffset(self) -> dict[str, int]:  # noqa: N802
            return {"number": 0}

        def read(self, start: dict[str, int]) -> tuple[Iterator[tuple[bytes, bytes, str]], dict[str, int]]:
            return self.readBetweenOffsets(start, {"number": 5}), {"number": 5}

        def readBetweenOffsets(  # noqa: N802
            self, start: dict[str, int], end: dict[str, int]
        ) -> Iterator[tuple[bytes, bytes, str]]:
            subject = f"<http://e.org/{self._topic}"
            triples = [f'{subject}{number}> <http://e.org/p> "rio" .\r\n' * 2 for number in range(5)]
            some = triples[start["number"] : end["number"]]
            return iter([(b"key", each.encode(), self._topic) for each in some])

    class Messages(DataSource):
        """What Spark is told of it."""

        @classmethod
        def name(cls) -> str:
            return "messages"

        def schema(self) -> str:
            return "key binary, value binary, topic string"

        def simpleStreamReader(self, schema: object) -> Reader:  # noqa: ARG002, N802
            return Reader(self.options["subscribe"])

    # The command uses the active session, which is a streaming query's copy of ours if there was one before.
    (SparkSession.getActiveSession() or spark).dataSource.register(Messages)
    command = ["watch", *stream.command("--once", "--source-format", "messages", "--option", "subscribe=news")[2:]]
    for _ in range(2):  # the second time there is nothing new
        assert main(command) == 0
    assert stream.rows() == Counter({(f"http://e.org/news{number}", "rio", 1): 1 for number in range(5)})


def test_wrong_source(stream: Stream, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be watched is said."""
    assert main(["watch", *stream.command()[2:]]) == 2
    assert "which folder?" in capsys.readouterr().err
    assert stream.once("--source-format", "nowhere") == 2
    assert "nowhere" in capsys.readouterr().err


def check_killed_driver(tmp_path: Path, master: str, wait: Callable[[Callable[[], bool]], None]) -> None:
    """The driver is killed again and again while files arrive and queries change: nothing is lost, nothing is twice."""
    stream = Stream(tmp_path)
    command = [sys.executable, "-m", "rtf", *stream.command("--every", "0.2", "--master", master)]
    command += ["--option", "maxFilesPerTrigger=2"]
    with (tmp_path / "log").open("ab") as log:
        count = 0
        for attempt in range(4):
            process = subprocess.Popen(command, stderr=log, start_new_session=True)
            done = len(list(tmp_path.glob("out/batch=*/_SUCCESS")))
            for _ in range(10):
                stream.add(f"{count}.nt", line(f"{count}") + line(f"{count}-other", "no"))
                count += 1
            if attempt == 1:
                with Registry(stream.registry) as registry:
                    registry.register("any", ANY)
            wait(lambda done=done: len(list(tmp_path.glob("out/batch=*/_SUCCESS"))) > done)  # type: ignore[misc]
            time.sleep(0.3 * attempt)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        stream_command = [sys.executable, "-m", "rtf", *stream.command("--once", "--master", master)]
        subprocess.run(stream_command, stderr=log, check=True)
    rows = stream.rows()
    assert set(rows.values()) == {1}
    assert {id for id, query, _ in rows if query == "rio"} == {f"http://e.org/{number}" for number in range(count)}
    versions = {version for _, _, version in rows}
    assert versions == {1, 2}
    assert all(version == 2 for _, query, version in rows if query == "any")
    second = {id for id, query, version in rows if query == "rio" and version == 2}
    assert 0 < len(second) < count
    assert {id for id, query, _ in rows if query == "any"} == second | {f"{id}-other" for id in second}
