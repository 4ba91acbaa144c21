"""Results -> one HTML page that needs nothing else: what came out, plots, tables, what the paper prints, conditions."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape
from typing import Final

from rtf.compare.on_spark import SPARK_SYSTEMS
from rtf.compare.paper_values import FINDINGS, PAPER, VARIANTS, ours
from rtf.compare.results import FIGURES, Change, Point, Results, systems_of
from rtf.compare.systems import ABLATION, SYSTEMS

__all__ = ["page", "ratios"]

_STYLE: Final = """
body { font: 16px/1.5 Georgia, serif; max-width: 66em; margin: 2em auto; padding: 0 1em; color: #111; }
h1, h2 { font-weight: normal; line-height: 1.2; } h2 { margin-top: 2.2em; border-bottom: 1px solid #bbb; }
table { border-collapse: collapse; font-size: 14px; margin: 1em 0; }
td, th { padding: .2em .8em; text-align: right; border-bottom: 1px solid #ddd; font-variant-numeric: tabular-nums; }
th { font-weight: normal; border-bottom: 1px solid #555; vertical-align: bottom; }
td:first-child, th:first-child, .words td, .words th { text-align: left; }
td:first-child, .figures td { white-space: nowrap; }
.pairs td:nth-child(2), .pairs th:nth-child(2) { text-align: left; }
img { max-width: 100%; } .spread { color: #555; font-size: 11px; } .unit { margin-bottom: 0; color: #333; }
"""
_INTRODUCTION: Final = (
    "RTF and IBROKER hold standing queries, SPARQL with full text, and tell which of them an RDF publication matches. "
    "Here they are measured against each other, and against simpler matchers. <i>Compiled</i> systems run numba's "
    "loops over flat arrays, all others are plain Python; compare like with like."
)

_PAIRS: Final = (
    ("the paper's algorithms, both compiled", "IBROKER compiled", "paper's RTFM compiled"),
    ("the paper's algorithms, both compiled", "IBROKER compiled", "paper's RTFS compiled"),
    ("the paper's algorithms, both in plain Python", "IBROKER", "paper's RTFM"),
    ("the paper's algorithms, both in plain Python", "IBROKER", "paper's RTFS"),
    ("our engine, both compiled", "IBROKER compiled", "RTFM compiled"),
    ("our engine, both compiled", "IBROKER compiled", "RTFS compiled"),
    ("our engine's mutable part, both in plain Python", "IBROKER", "RTFM"),
    ("our engine's mutable part, both in plain Python", "IBROKER", "RTFS"),
    ("the bar: plain Python that any index must clear", "rarest term", "RTFS compiled"),
)
_FEW: Final = (  # where one is so slow that both are taken on few publications
    ("both as the paper has them to the letter, plain Python", "IBROKER to the letter", "paper's RTFM"),
    ("both as the paper has them to the letter, plain Python", "IBROKER to the letter", "paper's RTFS"),
    ("the zero line: IBROKER must be far from it", "naive", "IBROKER"),
)


def ratios(results: Results) -> list[tuple[str, str, str, int, float]]:
    """How many times faster one system is than another: why both, slower, faster, queries, ratio."""
    found = []
    for figure, pairs in (("5a", _PAIRS), ("few", _FEW)):
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
        f"<style>{_STYLE}</style></head><body><h1>RTF and IBROKER compared</h1><p>{_INTRODUCTION}</p>",
        _in_short(results),
        _findings(results),
        _systems(results),
    ]
    for figure, what in FIGURES.items():
        points = results.of(figure)
        if not points or figure == "5b KB":
            continue
        number = f"Figure {figure}: " if figure in ("5a", "5b", "6a", "6b", "7a", "7b") else ""
        parts.append(f"<h2>{escape(number + what.title)}</h2><p>{escape(what.told)}</p>")
        if figure in plots:
            data = base64.b64encode(plots[figure]).decode()
            parts.append(f"<img alt='{escape(what.title)}' src='data:image/png;base64,{data}'>")
        parts.append(_table(figure, points))
        if figure == "5b":
            parts.append(_table("5b KB", results.of("5b KB")))
    parts += [_paper(results), _notes(results), _conditions(results), _changes(list(compared)), "</body></html>"]
    return "\n".join(part for part in parts if part)


def _in_short(results: Results) -> str:
    rows = [
        [why, f"{slower} / {faster}", f"{queries:,}", _figure(ratio)]
        for why, slower, faster, queries, ratio in ratios(results)
    ]
    if not rows:
        return ""
    return "<h2>In short: how many times faster</h2>" + _rows(
        ["", "filtering time of", "queries", "ratio"], rows, "pairs"
    )


def _findings(results: Results) -> str:
    rows = []
    for finding in FINDINGS:
        found = [finding.ratio(results, variant) for variant in VARIANTS]
        if any(ratio is not None for ratio in found):
            rows.append([finding.told, finding.paper, *("" if each is None else f"{each:.2f}" for each in found)])
    if not rows:
        return ""
    most = max(point.x for point in results.of("5a"))
    return (
        "<h2>What the paper found, as ratios</h2>"
        f"<p>The paper's are of C++ at 100,000 queries, ours of Python at {most:,}.</p>"
        + _rows(["", "the paper", *VARIANTS], rows)
    )


def _systems(results: Results) -> str:
    known = {system.name: system.what for system in (*SYSTEMS.values(), *ABLATION)}
    in_spark = {point.system for point in results.of("spark")}
    known |= {name: what for name, what in SPARK_SYSTEMS.items() if name in in_spark and name not in known}
    measured = {point.system for point in results.points}
    rows = [[name, what] for name, what in known.items() if name in measured]
    return "<h2>What is compared</h2>" + _rows([], rows, "words")


def _table(figure: str, points: list[Point]) -> str:
    """A row for each system, a column for each number of queries."""
    names = systems_of(points)
    values = {point.key[1:]: point for point in points}
    sizes = sorted({point.x for point in points})
    is_timed = any(point.publications is not None for point in points) and figure != "spark"
    head = [FIGURES[figure].x if figure != "5b" else "queries", *(f"{x:,}" for x in sizes)]
    rows = []
    for system, series in names:
        some = [values.get((system, series, x)) for x in sizes]
        row = [escape(f"{system}, {series}" if series else system), *map(_cell, some)]
        if is_timed:
            on = {point.publications for point in some if point is not None and point.publications is not None}
            row.append(" or ".join(f"{count:,}" for count in sorted(on)))
        rows.append(row)
    spread = "; medians, and beside them the least and the greatest round" if is_timed or figure == "spark" else ""
    unit = f"<p class='unit'>{escape(FIGURES[figure].y)}{spread}</p>"
    return unit + _rows([*head, *(["on publications"] if is_timed else [])], rows, "figures", escaped=True)


def _cell(point: Point | None) -> str:
    if point is None:
        return ""
    if point.low == point.high:
        return _figure(point.median)
    return f"{_figure(point.median)} <span class='spread'>{_figure(point.low)} – {_figure(point.high)}</span>"


def _figure(value: float) -> str:
    """Three digits, more of them only where they stand before the point."""
    if value == 0:
        return "0"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if 1 <= value < 10 else f"{value:.1f}" if value >= 10 else f"{value:#.3g}"


def _paper(results: Results) -> str:
    rows = []
    for each in PAPER:
        found = [ours(results, each, variant) for variant in VARIANTS]
        if all(value is None for value in found):
            continue
        printed = f"{each.value:,g}" + (f" ({each.wording})" if each.wording else "")
        system = f"{each.system}, {each.series}" if each.series else each.system
        figure = f"{each.figure.removesuffix(' KB')}, {FIGURES[each.figure].y}"
        rows.append([figure, system, f"{each.queries:,}", printed, *("" if v is None else _figure(v) for v in found)])
    if not rows:
        return ""
    head = ["figure", "system", "queries", "the paper, C++", *VARIANTS]
    return "<h2>The values that the paper prints, beside ours</h2>" + _rows(head, rows)


def _notes(results: Results) -> str:
    items = "".join(f"<li>{escape(note)}</li>" for note in results.notes)
    return f"<h2>How it was measured</h2><ul>{items}</ul>"


def _conditions(results: Results) -> str:
    rows = []
    for name, value in results.conditions.items():
        if value is not None:
            told = ", ".join(f"{key} {each}" for key, each in value.items()) if isinstance(value, dict) else str(value)
            rows.append([name, told])
    return "<h2>Conditions</h2>" + _rows([], rows, "words")


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
    told = "<p>It is clear where all rounds of one run lie on the same side of all rounds of the other.</p>"
    head = ["", "queries", "before", "now", "now / before", ""]
    return "<h2>Against an earlier run</h2>" + told + _rows(head, rows)


def _rows(head: list[str], rows: list[list[str]], kind: str = "", *, escaped: bool = False) -> str:
    def cell(text: str) -> str:
        return text if escaped else escape(text)

    top = f"<tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>" if head else ""
    body = "".join(f"<tr>{''.join(f'<td>{cell(text)}</td>' for text in row)}</tr>" for row in rows)
    return f"<table class='{kind}'>{top}{body}</table>"
