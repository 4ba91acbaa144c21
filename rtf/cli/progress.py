"""A progress bar on stderr, for somebody who looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

__all__ = ["Progress", "progress", "size_of", "steps_bar"]

_MANY: Final = 1000  # things; fewer take no time worth a progress bar


class Progress:
    """No progress bar."""

    def advance(self, size: int) -> None:
        """So much more is done, in the unit of the total."""

    def show(self, count: int) -> None:
        """That many things were dealt with."""


@contextmanager
def progress(things: str, total: int | None, *, beside_data: bool) -> Iterator[Progress]:
    """A bar if somebody looks at stderr, unless data passes by on the same screen (`beside_data`)."""
    if not sys.stderr.isatty() or (sys.stdout.isatty() and beside_data):
        yield Progress()
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (TextColumn(f"{{task.fields[count]:,}} {things}"), BarColumn(), TimeRemainingColumn())
    # stdout must stay as it is: it may be a file, and rich would redirect it to the screen.
    with RichProgress(*columns, console=Console(stderr=True), redirect_stdout=False, transient=True) as rich:
        task = rich.add_task("", total=total, count=0, visible=False)

        class Bar(Progress):
            size = 0

            def advance(self, size: int) -> None:
                self.size += size

            def show(self, count: int) -> None:
                if count >= _MANY and count % 100 == 0:
                    rich.update(task, completed=self.size, count=count, visible=True)

        yield Bar()


@contextmanager
def steps_bar(total: int) -> Iterator[Callable[[str], None]]:
    """A bar for so many steps that each say what they are, if somebody looks at stderr."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as RichProgress

    columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with RichProgress(*columns, console=Console(stderr=True), redirect_stdout=False, transient=True) as rich:
        task = rich.add_task("", total=total)

        def show(what: str) -> None:
            rich.update(task, advance=1, description=what)

        yield show


def size_of(names: Iterable[str]) -> int | None:
    """How many bytes there are to read, if that is known."""
    paths = [Path(name) for name in names]
    try:
        return sum(path.stat().st_size for path in paths) if all(path.is_file() for path in paths) else None
    except OSError:  # whoever reads it says why
        return None
