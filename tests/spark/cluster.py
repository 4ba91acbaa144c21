"""A Spark cluster on this machine: a standalone master and two workers, each a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Cluster", "cluster"]


@dataclass(frozen=True)
class Cluster:
    """The address of the master, and the processes of the workers."""

    master: str
    workers: tuple[int, ...]

    def executors(self) -> list[int]:
        """The processes of the executors that run now: JVMs that a worker started."""
        found = []
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and b"CoarseGrainedExecutorBackend" in (folder / "cmdline").read_bytes():
                    parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                    if parent in self.workers:
                        found.append(int(folder.name))
            except (FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
                continue
        return found


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A cluster for as long as the block runs, with a core and a gigabyte a worker."""
    import pyspark

    run = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    master = f"spark://127.0.0.1:{port}"
    env = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(Path(pyspark.__file__).parent)}
    env |= {"PYSPARK_PYTHON": sys.executable, "SPARK_DAEMON_MEMORY": "256m"}
    with ExitStack() as stack:

        def start(name: str, *args: str) -> int:
            log = stack.enter_context((folder / f"{name}.log").open("wb"))
            class_ = f"org.apache.spark.deploy.{args[0]}"
            command = [run, class_, "--host", "127.0.0.1", "--webui-port", "0", *args[1:]]
            process = subprocess.Popen(command, env=env, stdout=log, stderr=log, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.terminate)
            return process.pid

        start("master", "master.Master", "--port", str(port))
        _wait_for(folder / "master.log", b"I have been elected leader")
        options = ("--cores", "1", "--memory", "1g", "--work-dir")
        workers = tuple(
            start(f"worker{number}", "worker.Worker", *options, str(folder / f"work{number}"), master)
            for number in range(2)
        )
        for number in range(2):
            _wait_for(folder / f"worker{number}.log", b"Successfully registered with master")
        yield Cluster(master, workers)


def _wait_for(log: Path, text: bytes) -> None:
    deadline = time.monotonic() + 120
    while text not in log.read_bytes():
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.1)
