"""The paper's experiments, small: every figure is there, and systems are compared on it."""

from __future__ import annotations

import pytest

from benchmarks.compare_paper import HALF, QUICK, SHARES, Paper, Plan, shown
from rtf.compare.experiments import Effort
from rtf.compare.on_spark import shown_jobs
from rtf.compare.results import FIGURES, Results, conditions_of
from rtf.compare.systems import ABLATION
from rtf.pipeline.errors import PipelineError

EFFORT = Effort(1, {"fast": 3, "slow": 2, "slowest": 1})
TINY = Plan((30, 30), (30, 60), dense_batches=(20,), growth=90, effort=EFFORT, growth_effort=EFFORT, spark=(60, 8, 4))


def test_all_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each figure has points of the systems and sizes that it is about."""

    def no_java() -> None:
        raise PipelineError("Spark needs Java, and there is none on this machine")

    monkeypatch.setattr("benchmarks.compare_paper.session", no_java)
    results = Results(conditions_of("tiny", "", 1, quick=True, seed=3))
    told: list[str] = []
    paper = Paper(TINY, 3, results, told.append)
    paper.database()
    paper.shares()
    paper.dense()
    paper.spark()
    paper.growth()
    assert {point.figure for point in results.points} == set(FIGURES) - {"spark"}
    assert "There is no comparison inside Spark: Spark needs Java, and there is none on this machine" in results.notes
    assert len(told) == shown(TINY) - shown_jobs()
    assert {(point.x, point.system) for point in results.of("growth")} == {
        (size, system) for size in (30, 60, 90) for system in ("RTFS compiled", "IBROKER compiled")
    }
    assert {point.series for point in results.of("7a")} == {*SHARES, HALF}
    for figure in ("7a", "7b"):
        assert {point.x for point in results.of(figure)} == {30, 60, 90}
    assert {point.x for point in results.of("6a")} == {30, 60}
    assert [point.system for point in results.of("ablation")] == [system.name for system in ABLATION]
    assert {point.x for point in results.of("5b")} == {60}


def test_quick_is_smaller() -> None:
    """What `--quick` does is a small part of the whole."""
    for batches in (QUICK.batches, QUICK.share_batches, QUICK.dense_batches):
        assert sum(batches) <= 5_000
    assert QUICK.growth <= 20_000
