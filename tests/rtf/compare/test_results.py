"""Results to and from files, and two runs side by side."""

from __future__ import annotations

from pathlib import Path

import pytest

from rtf.compare.measure import Spread
from rtf.compare.page import page, ratios
from rtf.compare.plots import plots
from rtf.compare.report import write_report
from rtf.compare.results import Point, Results, ResultsError, changes, conditions_of


def results(factor: float = 1.0) -> Results:
    """Some points of each kind of figure."""
    conditions = conditions_of("made up", "none", 3, quick=True, seed=1)
    found = Results(conditions, notes=["a note with <brackets>"])
    for x in (20_000, 100_000):
        for number, name in enumerate(("IBROKER", "RTFS", "IBROKER compiled", "RTFS compiled", "naive")):
            value = factor * x / 10 ** (number + 2)
            found.add(Point.of("5a", name, x, Spread(value, 0.9 * value, 1.1 * value), 50))
            found.add(Point("6a", name, x, value, value, value))
    found.add(Point.of("7a", "RTFS compiled", 20_000, Spread(1, 1, 2), 50, "FT 0 %"))
    found.add(Point.of("5b", "RTFS", 100_000, Spread(3, 2, 4), 50))
    found.add(Point.of("5b KB", "RTFS", 100_000, Spread(3, 2, 4), 50))
    return found


def test_round_trip(tmp_path: Path) -> None:
    """What is written is read."""
    results().save(tmp_path / "r.json")
    assert Results.load(tmp_path / "r.json") == results()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("no JSON", "no results of `rtf compare`"),
        ("[]", "no results of `rtf compare`"),
        ('{"schema": 0}', "of another version"),
        ('{"schema": 1, "conditions": {}, "notes": [], "points": [{"x": 1}]}', "no results of `rtf compare`"),
    ],
)
def test_other_files(tmp_path: Path, content: str, message: str) -> None:
    """A file with anything else is refused by name."""
    path = tmp_path / "r.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ResultsError, match=message) as caught:
        Results.load(path)
    assert str(path) in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    """So is one that is not there."""
    with pytest.raises(ResultsError, match="no such file"):
        Results.load(tmp_path / "r.json")


def test_changes() -> None:
    """Values of two runs with their ratio, and whether the rounds overlap."""
    now, before = results(2.0), results()
    now.add(Point("6b", "RTFS", 1, 1, 1, 1))  # not in both
    found = list(changes(now, before))
    assert len(found) == len(before.points)
    assert {(round(change.ratio, 3), change.is_clear) for change in found if change.now.figure == "5a"} == {(2.0, True)}
    assert not any(change.is_clear for change in changes(results(1.05), before) if change.now.figure == "5a")


def test_ratios_are_of_like_with_like() -> None:
    """IBROKER over RTF, both plain and both compiled, at the most queries."""
    found = {(slower, faster): (x, round(ratio, 6)) for _, slower, faster, x, ratio in ratios(results())}
    assert found["IBROKER", "RTFS"] == (100_000, 10.0)
    assert found["IBROKER compiled", "RTFS compiled"] == (100_000, 10.0)
    assert ("IBROKER", "RTFS compiled") not in found


def test_ratios_to_the_slowest_are_of_their_publications() -> None:
    """Not of what other systems took on more of them."""
    found = results()
    for name, value in (("naive", 700.0), ("IBROKER", 7.0), ("IBROKER to the letter", 70.0), ("paper's RTFS", 1.0)):
        found.add(Point.of("few", name, 100_000, Spread(value, value, value), 2))
    told = {(slower, faster): round(ratio, 6) for _, slower, faster, _, ratio in ratios(found)}
    assert told["naive", "IBROKER"] == 100.0
    assert told["IBROKER to the letter", "paper's RTFS"] == 70.0


def test_report(tmp_path: Path) -> None:
    """A page that needs nothing else, with plots, the paper's values, and conditions; JSON and PNGs beside it."""
    path = write_report(results(), tmp_path / "new", list(changes(results(), results())))
    text = path.read_text(encoding="utf-8")
    assert {each.name for each in path.parent.iterdir()} == {
        "report.html",
        "results.json",
        *(f"figure-{figure}.png" for figure in ("5a", "5b", "6a", "7a")),
    }
    assert text.count("data:image/png;base64,") == 4
    assert "http" not in text
    assert "3,384 (RTFS is 94 times faster, RTFM 92 times)" in text
    assert "a note with &lt;brackets&gt;" in text
    assert "Against an earlier run" in text
    for condition in ("made up", "numba", "cores", "commit"):
        assert condition in text
    assert (path.parent / "figure-5a.png").read_bytes().startswith(b"\x89PNG")


def test_page_of_little() -> None:
    """Figures that were not measured are not shown."""
    few = Results(conditions_of("w", "e", 1, quick=True, seed=None), [Point("6a", "RTFS", 10, 1, 1, 1)])
    assert list(plots(few)) == ["6a"]
    assert "Filtering time" not in page(few, plots(few))
