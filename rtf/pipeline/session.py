"""A Spark session of our own, for the commands. In Python, people bring theirs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final, TypeAlias

from rtf.pipeline.errors import PipelineError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Session: TypeAlias = "SparkSession"
"""For whoever passes a session on, and does not import Spark."""

__all__ = ["Session", "check_java", "session", "start_session"]

_JAVA: Final = 17  # what Spark 4 needs
_LOG: Final = Path(__file__).with_name("log4j2.properties").as_uri()
_SETTINGS: Final = {
    "spark.app.name": "rtf",
    "spark.ui.enabled": "false",  # a port that somebody would have to look at
    "spark.ui.showConsoleProgress": "false",  # there is a progress bar of ours
    "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={_LOG}",
    "spark.sql.files.maxPartitionBytes": "32m",  # of 128m there are so few that some cores are idle at the end
}
_LOCAL: Final = {
    # Nobody else needs to reach it, and the name of a machine may not resolve.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",  # all of Spark there is: both the driver and the only executor
    # Cores are for Python here: with this collector the JVM took about a tenth less CPU (one session of each).
    "spark.driver.extraJavaOptions": f"{_SETTINGS['spark.driver.extraJavaOptions']} -XX:+UseParallelGC",
}


@contextmanager
def session(master: str | None = None, conf: Mapping[str, str] | None = None) -> Iterator[SparkSession]:
    """A session for as long as the block runs; one that is there already is used, and stays."""
    from pyspark.sql import SparkSession

    before = SparkSession.getActiveSession()
    spark = start_session(master, conf) if before is None else before
    try:
        yield spark
    finally:
        if before is None:
            spark.stop()


def start_session(master: str | None = None, conf: Mapping[str, str] | None = None) -> SparkSession:
    """A session, on all cores of this machine unless told otherwise. PipelineError if it cannot start.

    Under spark-submit, master and settings are those of the submission. Spark says nothing unless `conf` has
    spark.log.level.
    """
    settings = dict(conf or {})
    if "PYSPARK_GATEWAY_PORT" not in os.environ:  # not under spark-submit
        check_java()
        master = master or settings.get("spark.master") or "local[*]"
        local = master.startswith("local")
        settings = _SETTINGS | (_LOCAL if local else {}) | settings
        # The command may be called without its environment activated, and `python3` may be another one.
        if local or "spark.pyspark.python" not in settings:
            os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    if master is not None:
        settings["spark.master"] = master
    from pyspark.sql import SparkSession

    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    if settings.get("spark.master", "").startswith("local"):
        threading.Thread(target=_compile, name="rtf-compile", daemon=True).start()
    with TemporaryFile("w+b") as log:
        try:
            with nullcontext() if "spark.log.level" in settings else _stderr_to(log.fileno()):
                return builder.getOrCreate()
        except Exception as error:  # Spark, py4j and the operating system each have their own
            log.seek(0)
            said = log.read().decode(errors="replace")
            message = str(error).strip().splitlines()
            raise PipelineError(
                f"Spark did not start: {message[0] if message else type(error).__name__}\n{said}".rstrip(),
                hint="look at --master and --conf",
            ) from error


def _compile() -> None:
    """Have numba compile what the workers will run, while the JVM starts: else each of them would do it by itself.

    What is compiled is kept on disk, so this takes time once only.
    """
    import pyarrow as pa

    from rtf.columns import columns_of
    from rtf.engine import Engine
    from rtf.pipeline.grouping import complete_publications
    from rtf.pipeline.lines import LineReader
    from rtf.pipeline.packing import Packing
    from sparql_ft import Publication

    line = "<urn:s> <urn:p> <urn:o> ."
    lines = pa.record_batch({"line": [line], "file": ["f.nt"]})
    list(complete_publications(Packing(LineReader(), buckets=1)([lines])))
    engine = Engine(freeze_at=1, background=False)
    engine.register("q", "ASK { ?s ?p 1 }")
    engine.match_batch(columns_of([Publication.parse(line)]))


@contextmanager
def _stderr_to(file: int) -> Iterator[None]:
    """What is written to stderr goes to a file: by the JVM, which says much when it starts, for as long as it lives.

    Whoever wants to see it asks for a level of logging.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        os.dup2(file, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def check_java() -> None:
    """PipelineError if there is no Java that Spark can run on."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home, "bin", "java")) if home else "java"
    advice = (
        f"install a Java runtime of version {_JAVA} or later (Debian: apt-get install openjdk-{_JAVA}-jre-headless), "
        "or set JAVA_HOME to the directory of one"
    )
    found = shutil.which(java)
    if found is None:
        where = f"in JAVA_HOME={home}" if home else "on this machine"
        raise PipelineError(f"Spark needs Java, and there is none {where}", hint=advice)
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False)
    version = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    if said.returncode or version is None:
        raise PipelineError(f"Spark needs Java, but {found} does not work: {said.stderr.strip()}", hint=advice)
    if int(version[1]) < _JAVA:
        raise PipelineError(f"Spark needs Java {_JAVA} or later, but {found} is Java {version[1]}", hint=advice)
