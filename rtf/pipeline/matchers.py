"""How a matcher reaches the executors: an index as a file that is mapped once a Python process, or any object.

A matcher has `match_ids(publication)`. One that also has `report_batch(columns)`, as rtf.Engine does, is given many
publications at once.
"""

from __future__ import annotations

import atexit
import os
import pickle
import shutil
import tempfile
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from rtf.engine import Engine
from rtf.index.verification import MAX_STEPS
from rtf.ontology import Ontology
from rtf.pipeline.errors import PipelineError
from sparql_ft import Publication

if TYPE_CHECKING:
    from os import PathLike

    from pyspark.sql import SparkSession

__all__ = ["Matcher", "MatcherSource", "shipped"]


class Matcher(Protocol):
    """What tells which queries match a publication."""

    def match_ids(self, publication: Publication, /) -> list[str]:
        """The ids of the queries that match."""


MatcherSource: TypeAlias = Callable[[], Matcher]
"""What a Python process on an executor calls to get its matcher."""


@dataclass(frozen=True)
class _IndexFile:
    """An index that was shipped as a file of this name."""

    name: str
    ontology: Ontology | None
    max_steps: int | None

    def __call__(self) -> Engine:
        from pyspark import SparkFiles

        # The file is written once and read by its own job; damage on the way is Spark's to notice.
        return Engine.load(SparkFiles.get(self.name), self.ontology, verify=False, max_steps=self.max_steps)


@dataclass(frozen=True)
class _Pickled:
    """A matcher as bytes. By cloudpickle, which also knows classes of a notebook, as Spark's own pickler does not."""

    broadcast: Any

    def __call__(self) -> Matcher:
        matcher: Matcher = pickle.loads(self.broadcast.value)
        return matcher


@dataclass(frozen=True)
class _OnceAProcess:
    """Keeps what a source makes for the tasks that come after, in the same Python process."""

    name: str
    source: MatcherSource

    def __call__(self) -> Matcher:
        if self.name not in _made:
            while len(_made) >= _KEPT:  # a stream goes on with new queries
                del _made[next(iter(_made))]
            _made[self.name] = self.source()
        return _made[self.name]


_KEPT: Final = 2
_made: dict[str, Matcher] = {}


def shipped(
    spark: SparkSession,
    index: Engine | str | PathLike[str] | Matcher | MatcherSource,
    ontology: Ontology | None = None,
) -> MatcherSource:
    """Make a matcher known to the executors.

    `index` is an engine, the path of one that was saved, any other object with `match_ids` that can be pickled, or a
    function without arguments that makes one on each executor. An engine brings its ontology; a path does not.
    """
    return _OnceAProcess(uuid.uuid4().hex, _source(spark, index, ontology))


def _source(
    spark: SparkSession, index: Engine | str | PathLike[str] | Matcher | MatcherSource, ontology: Ontology | None
) -> MatcherSource:
    if isinstance(index, Engine):
        return _index_file(spark, index.save, ontology or index.ontology, index.max_steps)
    if isinstance(index, str | os.PathLike):
        path = Path(index)
        if not path.is_file():
            raise PipelineError(f"{path}: there is no such index", hint="make one with Engine.save(path)")
        return _index_file(spark, lambda target: shutil.copyfile(path, target), ontology, MAX_STEPS)
    if hasattr(index, "match_ids"):
        from pyspark import cloudpickle

        dumps: Any = cloudpickle.dumps
        return _Pickled(spark.sparkContext.broadcast(dumps(index)))
    if callable(index):
        return index
    raise TypeError(f"{index!r} is no matcher: give an Engine, the path of a saved one, or an object with match_ids")


def _index_file(
    spark: SparkSession, write: Callable[[Path], object], ontology: Ontology | None, max_steps: int | None
) -> _IndexFile:
    """Ship what `write` writes, under a name of its own: Spark never replaces a file that it has shipped."""
    name = f"rtf-{uuid.uuid4().hex}.index"
    folder = Path(tempfile.mkdtemp(prefix="rtf-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # executors may ask for it as long as the session lives
    write(folder / name)
    spark.sparkContext.addFile(str(folder / name))
    return _IndexFile(name, ontology, max_steps)
