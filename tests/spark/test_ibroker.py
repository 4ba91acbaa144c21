"""The same dump filtered by RTF and by IBROKER on the executors: the same matches."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from datasets.publications import World
from datasets.queries import queries
from ibroker_baseline import IBroker
from rtf import Engine
from rtf.pipeline import match

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

SEED = 6


def found(frame: DataFrame) -> Counter[tuple[str, str]]:
    """The matches of a DataFrame."""
    return Counter((row["publication"], row["query_id"]) for row in frame.collect())


def test_rtf_and_ibroker(spark: SparkSession) -> None:
    """Compiled IBROKER travels as its texts, RTF as a file; both find what RTF finds in this process."""
    world = World(SEED, classes=20, properties=40, vocabulary=500)
    texts = list(queries(world, 300, SEED, dense=True))
    published = list(world.entities(60, first=1_000))
    rows = [(each.id, str(s), str(p), str(o)) for each in published for s, p, o in each.triples]
    dump = spark.createDataFrame(rows, "publication string, subject string, predicate string, object string")
    engine, broker = Engine(), IBroker(compile_at=1)
    for matcher in (engine, broker):
        matcher.register_many(texts)
    expected = Counter((each.id, id) for each in published for id in engine.match_ids(each))
    assert sum(expected.values()) > len(published)
    assert found(match(dump, engine)) == expected
    assert found(match(dump, broker)) == expected
