"""Results -> one HTML page that needs nothing else: plots, tables, the conditions, and the paper's values."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from rtf.compare.figures import PAPER
from rtf.compare.results import FIGURES, Change, Point, Results
from rtf.compare.systems import ABLATION, SYSTEMS

__all__ = ["page", "ratios"]

_STYLE: Final = """
body { font: 15px/1.5 Georgia, serif; max-width: 62em; margin: 2em auto; padding: 0 1em; color: #111; }
h1, h2 { font-weight: normal; line-height: 1.2; } h2 { margin-top: 2.2em; border-bottom: 1px solid #bbb; }
table { border-collapse: collapse; font-size: 13px; margin: 1em 0; }
td, th { padding: .2em .7em; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums; }
td:first-child, th:first-child { text-align: left; } th { font-weight: normal; border-bottom: 1px solid #555; }
img { max-width: 100%; } .spread { color: #666; font-size: 11px; } .left td { text-align: left; }
"""

_PAIRS: Final = (
    ("the paper's algorithms, both in plain Python", "IBROKER", "paper's RTFM"),
    ("the paper's algorithms, both in plain Python", "IBROKER", "paper's RTFS"),
    ("both in plain Python", "IBROKER", "RTFM"),
    ("both in plain Python", "IBROKER", "RTFS"),
    ("both compiled", "IBROKER compiled", "RTFM compiled"),
    ("both compiled", "IBROKER compiled", "RTFS compiled"),
    ("the zero line", "naive", "IBROKER"),
    ("the bar", "rarest term", "RTFS compiled"),
)
_LETTER: Final = (("both as the paper has them to the letter, plain Python", "IBROKER to the letter", "paper's RTFS"),)


def ratios(results: Results) -> list[tuple[str, str, str, int, float]]:
    """How many times faster one system is than another: why both, slower, faster, queries, ratio."""
    found = []
    for figure, pairs in (("5a", _PAIRS), ("ablation", _LETTER)):
        queries = max((point.x for point in results.of(figure)), default=0)
        for why, slower, faster in pairs:
            one, other = results.value(figure, slower, queries), results.value(figure, faster, queries)
            if one is not None and other is not None:
                found.append((why, slower, faster, queries, one / other))
    return found


def page(results: Results, plots: Mapping[str, bytes], compared: Iterable[Change] = ()) -> str:
    """The page."""
    parts = [
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>RTF and IBROKER compared</title>",
        f"<style>{_STYLE}</style></head><body><h1>RTF and IBROKER compared</h1>",
        _conditions(results),
        _in_short(results),
    ]
    for figure, what in FIGURES.items():
        points = results.of(figure)
        if not points or figure == "5b KB":
            continue
        number = f"Figure {figure}: " if figure[0].isdigit() else ""
        parts.append(f"<h2>{escape(number + what.title)}</h2>")
        if figure in plots:
            data = base64.b64encode(plots[figure]).decode()
            parts.append(f"<img alt='{escape(what.title)}' src='data:image/png;base64,{data}'>")
        parts.append(_table(points, what.y))
        if figure == "5b":
            parts.append(_table(results.of("5b KB"), FIGURES["5b KB"].y))
    parts += [_paper(results), _systems(results), _notes(results), _changes(list(compared)), "</body></html>"]
    return "\n".join(part for part in parts if part)


def _conditions(results: Results) -> str:
    rows = []
    for name, value in results.conditions.items():
        if value is None:
            continue
        told = ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
        rows.append([name, told])
    return _rows([], rows, "left")


def _in_short(results: Results) -> str:
    rows = [
        [f"{slower} / {faster}", why, f"{queries:,}", f"{ratio:,.1f}"]
        for why, slower, faster, queries, ratio in ratios(results)
    ]
    if not rows:
        return ""
    return (
        "<h2>In short: how many times faster</h2>"
        + _rows(["time of", "", "queries", "ratio"], rows)
        + ("<p>The paper reports 92 (RTFM) and 94 (RTFS) at 100,000 queries, both in C++.</p>")
    )


def _table(points: list[Point], unit: str) -> str:
    """A row for each number of queries, a column for each system."""
    columns = list(dict.fromkeys((point.system, point.series) for point in points))
    values = {point.key[1:]: point for point in points}
    head = ["queries", *(f"{system}{', ' + series if series else ''}" for system, series in columns)]
    rows = []
    for x in sorted({point.x for point in points}):
        cells = [values.get((system, series, x)) for system, series in columns]
        rows.append([f"{x:,}", *(_cell(point) for point in cells)])
    on = {f"{p.publications:,}": None for p in points if p.publications is not None}
    told = f" Means over {', '.join(on)} publications, by the pace of the system." if on else ""
    return f"<p>{escape(unit)}; medians, and below them the least and greatest round.{told}</p>" + _rows(
        head, rows, escaped=True
    )


def _cell(point: Point | None) -> str:
    if point is None:
        return ""
    if point.low == point.high:
        return _figure(point.median)
    return f"{_figure(point.median)}<br><span class='spread'>{_figure(point.low)} – {_figure(point.high)}</span>"


def _figure(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _paper(results: Results) -> str:
    rows = []
    for each in PAPER:
        plain = results.value(each.figure, each.system, each.queries)
        compiled = results.value(each.figure, f"{each.system} compiled", each.queries)
        as_published = results.value(each.figure, f"paper's {each.system}", each.queries)
        if plain is None and compiled is None:
            continue
        values = ["" if value is None else _figure(value) for value in (as_published, plain, compiled)]
        printed = f"{each.value:,g}" + (f" ({each.wording})" if each.wording else "")
        rows.append([f"{each.figure}, {FIGURES[each.figure].y}", each.system, f"{each.queries:,}", printed, *values])
    if not rows:
        return ""
    head = [
        "figure",
        "system",
        "queries",
        "the paper, C++",
        "ours: its algorithm, plain",
        "ours, plain",
        "ours, compiled",
    ]
    return "<h2>The paper's own values beside ours</h2>" + _rows(head, rows)


def _systems(results: Results) -> str:
    known = {system.name: system for system in (*SYSTEMS.values(), *ABLATION)}
    measured = dict.fromkeys(point.system for point in results.points)
    rows = [[name, known[name].what] for name in measured if name in known]
    return "<h2>The systems</h2>" + _rows([], rows, "left")


def _notes(results: Results) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in results.notes)
    return f"<h2>How it was measured</h2><ul>{items}</ul>"


def _changes(compared: list[Change]) -> str:
    if not compared:
        return ""
    rows = [
        [
            f"{change.now.figure}: {change.now.system} {change.now.series}",
            f"{change.now.x:,}",
            _figure(change.before.median),
            _figure(change.now.median),
            f"{change.ratio:.2f}",
            "clear" if change.is_clear else "",
        ]
        for change in compared
    ]
    return "<h2>Against an earlier run</h2>" + _rows(["", "queries", "before", "now", "now / before", ""], rows)


def _rows(head: list[str], rows: list[list[str]], kind: str = "", *, escaped: bool = False) -> str:
    def cell(text: str) -> str:
        return text if escaped else escape(text)

    top = f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table class='{kind}'>{top}{body}</table>"
