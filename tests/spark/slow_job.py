"""A program for test_cluster.py: filters a dump as `rtf filter` does, with a matcher that takes its time.

    python slow_job.py MASTER DUMP INDEX OUT STARTED

Each time publications are matched, a file is made in the folder STARTED. Prints the totals as JSON.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import asdict
from typing import Any

from rtf import Engine
from rtf.pipeline.dump import find_files
from rtf.pipeline.grouping import gathered
from rtf.pipeline.job import Result
from rtf.pipeline.matching import Matching
from rtf.pipeline.reading import read_files
from rtf.pipeline.session import session

PARTITIONS = 24  # publications of each are matched at once


class SlowEngine:
    """An engine that waits a little before each batch, and leaves a trace."""

    def __init__(self, index: str, started: str) -> None:
        self._engine = Engine.load(index)
        self._started = started

    def report_batch(self, columns: Any) -> Any:
        """As the engine does."""
        os.close(tempfile.mkstemp(dir=self._started)[0])
        time.sleep(0.4)
        return self._engine.report_batch(columns)

    def __getitem__(self, id: str) -> Any:
        return self._engine[id]


def main(master: str, dump: str, index: str, out: str, started: str) -> None:
    """Run the job."""
    with session(master, {"spark.executor.memory": "512m"}) as spark:
        blocks = gathered(read_files(spark, find_files(spark, [dump])), PARTITIONS)
        result = Result(blocks, Matching(lambda: SlowEngine(index, started)))  # type: ignore[arg-type, return-value]
        totals = result.totals()
        result.write(out)
    print(json.dumps(asdict(totals)))


if __name__ == "__main__":
    main(*sys.argv[1:])
