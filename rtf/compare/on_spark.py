"""The comparison inside Spark: one dump, filtered on the executors by one system after the other.

A job reads the dump, groups it, matches it and throws the matches away. Both RTF and IBROKER are handed columns, and in
jobs of their own one publication after the other (`ONE_BY_ONE`), so that the price of handing over can be told from
that of matching. The job without matching is the floor of all of them.
"""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from ibroker_baseline import IBroker
from rtf.columns import BatchReport, PublicationColumns
from rtf.compare.agreement import Agreed, agree
from rtf.compare.experiments import Queries, Show
from rtf.compare.measure import Spread, spreads
from rtf.compare.systems import SYSTEMS, Matcher
from rtf.engine import Engine
from sparql_ft import Publication

if TYPE_CHECKING:
    import pyarrow as pa

    from rtf.pipeline.matchers import MatcherSource
    from rtf.pipeline.session import Session

__all__ = ["NO_MATCHING", "ONE_BY_ONE", "SPARK_SYSTEMS", "Job", "compare_on_spark", "shown_jobs"]

NO_MATCHING: Final = "no matching"
ONE_BY_ONE: Final = ", one by one"
_RTF, _IBROKER = "RTFS compiled", "IBROKER compiled"
_FAST: Final = (NO_MATCHING, _RTF, _IBROKER, _RTF + ONE_BY_ONE, _IBROKER + ONE_BY_ONE)
_SLOW: Final = (NO_MATCHING, "paper's RTFS", "IBROKER")  # plain Python: on a part of the dump
SPARK_SYSTEMS: Final[Mapping[str, str]] = {
    NO_MATCHING: "reading, grouping and handing over as columns, and nothing else",
    _RTF: "our engine, shipped as a file; it is given columns",
    _IBROKER: "IBROKER over flat arrays, shipped as texts; it is given columns",
    _RTF + ONE_BY_ONE: "the same engine, given publications that were parsed for it",
    _IBROKER + ONE_BY_ONE: "the same IBROKER, given publications that were parsed for it",
}


@dataclass(frozen=True, slots=True)
class Job:
    """What was measured of the jobs of one system on so many publications."""

    system: str
    publications: int
    seconds: Spread  # of the whole job
    first: float  # seconds of the first job, which also brings the queries to the executors and the matches back
    agreed: Agreed | None  # None: nothing was matched


class _Nothing:
    """Matches nothing."""

    def match_ids(self, _: Publication) -> list[str]:
        """See `Matcher`."""
        return []

    def report_batch(self, columns: pa.Table) -> BatchReport:
        """See `Engine.report_batch`."""
        batch = PublicationColumns(columns)
        return BatchReport(len(batch), batch.triples)


class _OneByOne:
    """A matcher that is given publications instead of columns."""

    def __init__(self, matcher: Any) -> None:
        self.match_ids = matcher.match_ids


@dataclass(frozen=True)
class _Source:
    """Makes a matcher on an executor, once a Python process: jobs take turns, and the pipeline keeps but a few."""

    comparison: str
    name: str
    make: Callable[[], Any]
    one_by_one: bool = False

    def __call__(self) -> Any:
        made = _made.get(self.comparison)
        if made is None:  # whatever is there is of an earlier comparison
            _made.clear()
            made = _made[self.comparison] = {}
        if self.name not in made:
            matcher = self.make()
            made[self.name] = _OneByOne(matcher) if self.one_by_one else matcher
        return made[self.name]


@dataclass(frozen=True)
class _Registering:
    """A system that registers the queries where it is: for those that cannot travel."""

    system: str
    queries: Any  # a broadcast of them

    def __call__(self) -> Matcher:
        matcher = SYSTEMS[self.system].make()
        matcher.register_many(self.queries.value)
        return matcher


_made: dict[str, dict[str, Any]] = {}


class _Found:
    """What a job found, as a matcher."""

    def __init__(self, pairs: Iterable[tuple[str, str]], order: Mapping[str, int]) -> None:
        self._ids: defaultdict[str, list[str]] = defaultdict(list)
        for publication, id in pairs:
            self._ids[publication].append(id)
        for ids in self._ids.values():
            ids.sort(key=order.__getitem__)
        self._count = len(order)

    def __len__(self) -> int:
        return self._count

    def register_many(self, _: Iterable[tuple[str, str]]) -> None:
        """See `Matcher`."""
        raise TypeError("what a job found does not change")

    def match_ids(self, publication: Publication) -> list[str]:
        """See `Matcher`."""
        return self._ids.get(publication.id, [])


def shown_jobs() -> int:
    """How often `compare_on_spark` calls `show`."""
    return 1 + len(_FAST) + len(_SLOW) + 2


def compare_on_spark(
    spark: Session,
    queries: Queries,
    publications: Sequence[Publication],
    part: int,
    rounds: int,
    folder: Path,
    show: Show = lambda _: None,
) -> Iterator[Job]:
    """Time the jobs of each system in turns, after all have found the same. DisagreementError if they do not.

    The publications are written to `folder` as the dump; the first `part` of them are the dump of plain Python.
    """
    show(f"Spark: registering {len(queries):,} queries")
    engine, broker = Engine("rtfs", max_steps=None), IBroker(max_steps=None, compile_at=1)
    engine.register_many(queries)
    broker.register_many(queries)
    sources = _sources(spark, engine, broker, queries)
    texts = dict(queries)
    for names, some in ((_FAST, publications), (_SLOW, publications[:part])):
        path = folder / f"dump-{len(some)}.nt"
        path.write_text("".join(f"{s} {p} {o} .\n" for each in some for s, p, o in each.triples), encoding="utf-8")
        yield from _jobs(spark, {name: sources[name] for name in names}, texts, some, path, engine, rounds, show)


def _sources(spark: Session, engine: Engine, broker: IBroker, queries: Queries) -> dict[str, _Source]:
    from rtf.pipeline.matchers import shipped

    shared = spark.sparkContext.broadcast(list(queries))
    makers: dict[str, Callable[[], Any]] = {
        NO_MATCHING: _Nothing,
        _RTF: shipped(spark, engine),
        _IBROKER: shipped(spark, broker),
        **{name: _Registering(name, shared) for name in _SLOW if name != NO_MATCHING},
    }
    comparison = uuid.uuid4().hex
    sources = {name: _Source(comparison, name, make) for name, make in makers.items()}
    for name in (_RTF, _IBROKER):
        sources[name + ONE_BY_ONE] = _Source(comparison, name + ONE_BY_ONE, sources[name], one_by_one=True)
    return sources


def _jobs(
    spark: Session,
    sources: Mapping[str, MatcherSource],
    texts: Mapping[str, str],
    publications: Sequence[Publication],
    dump: Path,
    engine: Engine,
    rounds: int,
    show: Show,
) -> Iterator[Job]:
    from rtf.pipeline import match, read

    order = {id: place for place, id in enumerate(texts)}
    triples = read(spark, str(dump))
    parts = 2 * spark.sparkContext.defaultParallelism
    frames = {name: match(triples, source, partitions=parts) for name, source in sources.items()}
    found: dict[str, Matcher] = {"RTF in this process": engine}
    first = {}
    for name, frame in frames.items():
        show(f"Spark: {len(publications):,} publications, first job with {name}")
        start = perf_counter()
        rows = frame.select("publication", "query_id").collect()
        first[name] = perf_counter() - start
        if name != NO_MATCHING:
            found[name] = _Found(((row[0], row[1]) for row in rows), order)
    agreed = agree(found, texts, dict.fromkeys(found, publications))
    show(f"Spark: {len(publications):,} publications, timing")
    tasks = {name: frame.write.format("noop").mode("overwrite").save for name, frame in frames.items()}
    for name, spread in spreads(tasks, rounds).items():
        yield Job(name, len(publications), spread, first[name], None if name == NO_MATCHING else agreed)
