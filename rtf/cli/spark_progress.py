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
    from rich.table import Column

    from rtf.pipeline.job import tasks_done

    columns = (
        TextColumn("{task.fields[told]}", table_column=Column(no_wrap=False)),  # or numbers would be cut off
        BarColumn(bar_width=10),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    done = threading.Event()
    with Progress(*columns, console=Console(stderr=True), redirect_stdout=False, transient=True) as bar:
        task = bar.add_task("", total=1.0, told=f"{files:,} files")

        def tell() -> None:
            seconds = max(bar.tasks[0].elapsed or 0, 0.001)
            triples, publications = tally["triples"], tally["publications"]
            told = (
                f"{files:,} files, {triples:,} triples, {triples / seconds:,.0f} triples/s\n"
                f"{publications:,} publications, {tally['matches']:,} matches"
            )
            bar.update(task, completed=tasks_done(spark), told=told)

        def look() -> None:
            while not done.wait(_SECONDS):
                tell()

        thread = threading.Thread(target=look, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()
            tell()  # also after a job that was done before the first look
