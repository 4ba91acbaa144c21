"""A finished comparison on disk: the page, the results as JSON, and the plots as PNGs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rtf.compare.page import page
from rtf.compare.plots import plots
from rtf.compare.results import Change, Results

__all__ = ["write_report"]


def write_report(results: Results, folder: Path, compared: Sequence[Change] = ()) -> Path:
    """Write everything to a folder; the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = plots(results)
    for figure, image in drawn.items():
        (folder / f"figure-{figure}.png").write_bytes(image)
    results.save(folder / "results.json")
    path = folder / "report.html"
    path.write_text(page(results, drawn, compared), encoding="utf-8")
    return path
