"""A progress bar for a Spark job, on stderr, for somebody who looks at it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from rtf.pipeline.session import Session
    from rtf.pipeline.tally import Tally

__all__ = ["spark_progress"]

_SECONDS: Final = 0.25  # between two looks


@contextmanager
def spark_progress(spark: Session, tally: Tally, files: int) -> Iterator[None]:
    """A bar while the block runs: files, triples, publications, matches, rate, and time left."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.fields[told]}"),
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    done = threading.Event()
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, transient=True) as bar:
        task = bar.add_task("", total=1.0, told=f"{files:,} files")

        def look() -> None:
            from rtf.pipeline.job import tasks_done

            while not done.wait(_SECONDS):
                seconds = max(bar.tasks[0].elapsed or 0, 0.001)
                triples, publications = tally["triples"], tally["publications"]
                told = [f"{files:,} files", f"{triples:,} triples", f"{publications:,} publications"]
                told += [f"{tally['matches']:,} matches", f"{triples / seconds:,.0f} triples/s"]
                bar.update(task, completed=tasks_done(spark), told=", ".join(told))

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
