"""The queries of tests/fixtures/queries, each with its canonical text beside it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["FIXTURES", "canonical_of"]

FIXTURES = sorted(
    path
    for path in (Path(__file__).parent / "fixtures" / "queries").glob("*.rq")
    if not path.name.endswith(".canonical.rq")
)


def canonical_of(path: Path) -> str:
    """The canonical text of a fixture, with the line end of its file."""
    return path.with_suffix(".canonical.rq").read_text(encoding="utf-8")
