"""The pipeline on a real cluster of this machine, whose processes are killed while it works."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import rtf.__main__
from datasets.publications import World
from datasets.queries import queries
from rtf import Engine, Registry
from tests.spark.cluster import Cluster, cluster
from tests.spark.test_watch import check_killed_driver

pytestmark = [pytest.mark.spark, pytest.mark.slow]

SEED, ENTITIES = 5, 1_500


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """The cluster."""
    with cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dump in two files, and queries in a registry and in an index."""
    folder = tmp_path_factory.mktemp("dump")
    world = World(SEED, classes=20, properties=40, vocabulary=500)
    (folder / "dump").mkdir()
    lines = [f"{s} {p} {o} .\n" for each in world.entities(ENTITIES) for s, p, o in each.triples]
    (folder / "dump" / "a.nt").write_text("".join(lines[::2]) + "# comment\nnonsense\n\n", encoding="utf-8")
    (folder / "dump" / "b.nt").write_text("".join(lines[1::2]), encoding="utf-8")
    texts = list(queries(world, 100, SEED, dense=True))
    with Registry(folder / "q.db") as registry:
        registry.register_many(texts)
    engine = Engine()
    engine.register_many(texts)
    engine.save(folder / "index")
    return folder


@pytest.fixture(scope="module")
def expected(folder: Path) -> set[tuple[str, str]]:
    """The matches that the engine finds in this process."""
    engine = Engine.load(folder / "index")
    world = World(SEED, classes=20, properties=40, vocabulary=500)
    return {(each.id, id) for each in world.entities(ENTITIES) for id in engine.match_ids(each)}


def written(folder: Path) -> set[tuple[str, str]]:
    """The matches in a folder, each once."""
    rows = pq.read_table(folder).to_pylist()
    found = {(row["publication"], row["query_id"]) for row in rows}
    assert len(found) == len(rows)
    return found


def test_filter(running: Cluster, folder: Path, tmp_path: Path, expected: set[tuple[str, str]]) -> None:
    """`rtf filter --master` gives what the engine gives."""
    command = [sys.executable, "-m", "rtf", "filter", str(folder / "dump"), "--registry", str(folder / "q.db")]
    command += ["--out", str(tmp_path / "out"), "--master", running.master, "--conf", "spark.executor.memory=512m"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "1 blank + 1 comments + 1 bad" in done.stderr
    assert written(tmp_path / "out") == expected


def test_spark_submit(running: Cluster, folder: Path, tmp_path: Path, expected: set[tuple[str, str]]) -> None:
    """The same by spark-submit, which brings master and settings."""
    assert rtf.__main__.__file__
    command = [str(Path(sys.executable).with_name("spark-submit")), "--master", running.master]
    command += ["--conf", "spark.executor.memory=512m", rtf.__main__.__file__]
    command += ["filter", str(folder / "dump"), "--registry", str(folder / "q.db"), "--out", str(tmp_path / "out")]
    env = os.environ | {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    # Spark's launcher sends what the program says on stderr to stdout.
    assert f"matched {ENTITIES:,} publications against 100 queries" in done.stdout
    assert written(tmp_path / "out") == expected


def test_killed_executor(
    running: Cluster,
    folder: Path,
    tmp_path: Path,
    expected: set[tuple[str, str]],
    wait: Callable[[Callable[[], bool]], None],
) -> None:
    """An executor that is killed while it matches: what it did is done again, and output and counts are the same."""
    started = tmp_path / "started"
    started.mkdir()
    program = Path(__file__).with_name("slow_job.py")
    names = [folder / "dump", folder / "index", tmp_path / "out", started]
    command = [sys.executable, str(program), running.master, *map(str, names)]
    job = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    wait(lambda: len(list(started.iterdir())) >= 5)
    before = running.executors()
    assert len(before) == 2
    os.kill(before[0], signal.SIGKILL)
    wait(lambda: len(set(running.executors()) - set(before)) == 1)  # the worker starts another one
    printed, _ = job.communicate()
    assert job.returncode == 0
    totals = json.loads(printed)
    assert written(tmp_path / "out") == expected
    assert totals["publications"] == ENTITIES
    assert totals["matches"] == len(expected)
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in (folder / "dump").iterdir())
    assert totals["lines"] == lines
    assert (totals["blank"], totals["comments"], totals["bad_lines"]) == (1, 1, 1)


def test_killed_driver(running: Cluster, tmp_path: Path, wait: Callable[[Callable[[], bool]], None]) -> None:
    """The driver of `rtf watch` is killed again and again: nothing is lost, nothing is twice."""
    check_killed_driver(tmp_path, running.master, wait)
