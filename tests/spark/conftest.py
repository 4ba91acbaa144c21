"""One Spark session for all tests that need one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session as the commands have it, on two cores."""
    from rtf.pipeline.session import start_session

    settings = {
        "spark.sql.shuffle.partitions": "4",  # tests are small, and each task costs
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    session = start_session("local[2]", settings)
    yield session
    session.stop()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own, which is the current one; but for Spark, whose process is already running elsewhere."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def wait() -> Callable[[Callable[[], bool]], None]:
    """Waits until something holds."""

    def until(holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 240
        while not holds():
            assert time.monotonic() < deadline, "waited too long"
            time.sleep(0.1)

    return until
