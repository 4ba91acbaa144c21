"""The comparison inside Spark: all systems find the same there, and are timed only if they do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from benchmarks.compare_paper import Paper
from datasets.publications import World
from datasets.queries import queries
from rtf.compare.agreement import DisagreementError
from rtf.compare.on_spark import NO_MATCHING, SPARK_SYSTEMS, compare_on_spark, shown_jobs
from rtf.compare.results import Results, conditions_of
from sparql_ft import Publication
from tests.benchmarks.test_compare_paper import TINY

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

WORLD = World(5, classes=10, properties=20, vocabulary=300)
QUERIES = list(queries(WORLD, 60, 5, dense=True))
PUBLISHED = list(WORLD.entities(12, first=1_000))


def test_jobs(spark: SparkSession, tmp_path: Path) -> None:
    """Of each system, the slow ones on a part; what was found is told, and was found by all."""
    told: list[str] = []
    jobs = list(compare_on_spark(spark, QUERIES, PUBLISHED, 5, 1, tmp_path, told.append))
    assert [job.system for job in jobs if job.publications == 12] == list(SPARK_SYSTEMS)
    assert [job.system for job in jobs if job.publications == 5] == [NO_MATCHING, "paper's RTFS", "IBROKER"]
    assert len(told) == shown_jobs()
    assert all(job.first > 0 and 0 < job.seconds.low <= job.seconds.high for job in jobs)
    for job in jobs:
        assert (job.agreed is None) == (job.system == NO_MATCHING)
        if job.agreed is not None:
            assert job.agreed.publications == job.publications
            assert job.agreed.matches > 0


def test_a_job_that_loses_matches(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is named, and nothing is timed."""
    from rtf.compare import on_spark

    right = on_spark._sources

    def wrong(*args: object) -> object:
        sources = right(*args)  # type: ignore[arg-type]
        return sources | {"IBROKER compiled": sources[NO_MATCHING]}

    monkeypatch.setattr(on_spark, "_sources", wrong)
    with pytest.raises(DisagreementError, match=r"^IBROKER compiled loses q"):
        list(compare_on_spark(spark, QUERIES, PUBLISHED, 5, 1, tmp_path))


def test_publications_of_the_dump_are_those_in_hand(spark: SparkSession, tmp_path: Path) -> None:
    """Written and read again, whatever is in their terms."""
    odd = Publication.parse('<urn:é> <urn:p> "a\\tb\\n\\"c\\" \\\\ 😀"@DE , "1"^^<urn:t> .', format="ttl")
    texts = [("tab", r'ASK { ?x <urn:p> "a\tb\n\"c\" \\ 😀"@de }'), ("one", 'ASK { ?x <urn:p> "1"^^<urn:t> }')]
    jobs = list(compare_on_spark(spark, texts, [odd], 1, 1, tmp_path))
    assert {job.agreed.matches for job in jobs if job.agreed is not None} == {2}


@pytest.mark.usefixtures("spark")
def test_in_the_report() -> None:
    """`make compare` has it as a figure, with the first jobs in a note."""
    results = Results(conditions_of("tiny", "", 1, quick=True, seed=3))
    Paper(TINY, 3, results, lambda _: None).spark()
    assert {point.system for point in results.of("spark") if point.x == TINY.spark[1]} == set(SPARK_SYSTEMS)
    (note,) = results.notes
    assert note.startswith("Inside Spark: 60 queries")
