"""Results -> plots, readable in black and white: systems differ in marker, line and shade, and have a legend."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from rtf.compare.experiments import PARSING, TEXTS
from rtf.compare.results import FIGURES, Point, Results, systems_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

__all__ = ["plots"]

# marker, line, shade. RTF is black, IBROKER grey, what is simpler light; compiled systems have filled markers.
_STYLES: Final[dict[str, tuple[str, str, str]]] = {
    "naive": ("x", ":", "0.55"),
    "rarest term": ("+", ":", "0.35"),
    "paper's RTFM": ("v", "--", "0.0"),
    "paper's RTFS": ("^", "--", "0.0"),
    "RTFM": ("s", "-", "0.0"),
    "RTFS": ("o", "-", "0.0"),
    "IBROKER": ("D", "-.", "0.5"),
    "paper's RTFM compiled": ("v", "--", "0.0"),
    "paper's RTFS compiled": ("^", "--", "0.0"),
    "RTFM compiled": ("s", "-", "0.0"),
    "RTFS compiled": ("o", "-", "0.0"),
    "IBROKER compiled": ("D", "-.", "0.5"),
    PARSING: ("", "-", "0.7"),
    TEXTS: ("", "-", "0.7"),
}
_SERIES: Final = {"FT 0 %": (":", "0.6"), "FT 50 %": ("--", "0.35"), "FT 100 %": ("-", "0.0")}
_WIDTH: Final = 5.2  # inches of one panel
_HEIGHT: Final = 4.6
_BAR: Final = 0.32  # inches
_BARS: Final = ("5b", "ablation", "spark")
_NOT_DRAWN: Final = ("5b KB", "7 memory", "few")  # the first stands beside 5b; the others have too few values


def plots(results: Results) -> dict[str, bytes]:
    """A PNG for each figure that was measured."""
    import matplotlib as mpl

    mpl.use("Agg")
    found = {}
    for figure in FIGURES:
        points = results.of(figure)
        if points and figure not in _NOT_DRAWN:
            found[figure] = _plot(figure, points, results)
    return found


def _plot(figure: str, points: list[Point], results: Results) -> bytes:
    from matplotlib import pyplot

    panels: Sequence[tuple[str, list[Point]]]
    match figure:
        case "5b":
            panels = [("publications a second", points), ("KB a second", results.of("5b KB"))]
        case "ablation" | "growth":
            panels = [("", points)]
        case "spark":
            sizes = sorted({point.x for point in points}, reverse=True)
            panels = [(f"{x:,} publications", [point for point in points if point.x == x]) for x in sizes]
        case _:
            panels = _by_execution(points)
    are_bars = figure in _BARS
    height = max(2.2, 1 + _BAR * len(points)) if are_bars else _HEIGHT
    size = (max(_WIDTH * len(panels), 7.0), height)
    drawn, axes = pyplot.subplots(1, len(panels), figsize=size, squeeze=False, layout="constrained")
    for axis, (title, some) in zip(axes[0], panels, strict=True):
        axis.set_title(title, fontsize=10)
        (_bars if are_bars else _lines)(axis, figure, some)
    buffer = BytesIO()
    drawn.savefig(buffer, format="png", dpi=110)
    pyplot.close(drawn)
    return buffer.getvalue()


def _by_execution(points: list[Point]) -> list[tuple[str, list[Point]]]:
    compiled = [point for point in points if point.system.endswith("compiled")]
    plain = [point for point in points if not point.system.endswith("compiled")]
    shared = [point for point in plain if point.system in ("rarest term", PARSING, TEXTS)]
    panels = [("plain Python", plain), ("compiled", compiled + shared)]
    return [panel for panel in panels if any(point not in shared for point in panel[1])]


def _lines(axis: Axes, figure: str, points: list[Point]) -> None:
    what = FIGURES[figure]
    for name, series in systems_of(points):
        some = sorted((p for p in points if (p.system, p.series) == (name, series)), key=lambda point: point.x)
        marker, line, shade = _STYLES.get(name, ("o", "-", "0.0"))
        if series:
            line, shade = _SERIES.get(series, (line, shade))
        values = [point.median for point in some]
        spread = [[p.median - p.low for p in some], [p.high - p.median for p in some]]
        filled = name.endswith("compiled")
        options: dict[str, Any] = {} if marker in "x+" else {"markerfacecolor": shade if filled else "white"}
        label = f"{name}, {series}" if series else name
        axis.errorbar(
            [point.x for point in some],
            values,
            yerr=spread if any(map(any, spread)) else None,
            label=label,
            marker=marker,
            linestyle=line,
            color=shade,
            markersize=6,
            linewidth=1.3,
            capsize=3,
            **options,
        )
    if what.logarithmic:
        axis.set_yscale("log")
    else:
        axis.set_ylim(bottom=0)
    if figure == "growth":
        axis.set_xscale("log")
    else:
        axis.set_xlim(left=0)
    axis.set_xlabel(what.x)
    axis.set_ylabel(what.y)
    axis.xaxis.set_major_formatter(lambda value, _: _queries(value))
    _number(axis.yaxis)
    axis.grid(visible=True, color="0.88", linewidth=0.6)
    columns = 2 if len(axis.get_legend_handles_labels()[1]) > 2 else 1
    axis.legend(fontsize=8, frameon=False, ncols=columns, loc="upper center", bbox_to_anchor=(0.5, -0.14))


def _bars(axis: Axes, figure: str, points: list[Point]) -> None:
    labels = [point.system for point in points][::-1]
    values = [point.median for point in points][::-1]
    spread = [[p.median - p.low for p in points][::-1], [p.high - p.median for p in points][::-1]]
    shades = ["0.45" if "compiled" in label or label.startswith("+") else "0.8" for label in labels]
    hatches = ["" if "IBROKER" not in label else "///" for label in labels]
    bars = axis.barh(labels, values, xerr=spread, color=shades, edgecolor="0.0", hatch=hatches, capsize=2)
    axis.bar_label(bars, labels=[_told(value) for value in values], fontsize=8, padding=4)
    if FIGURES[figure].logarithmic:
        axis.set_xscale("log")
        axis.set_xlim(min(values) / 3, max(values) * 8)
    else:
        axis.set_xlim(0, max(point.high for point in points) * 1.2)
    _number(axis.xaxis)
    axis.set_xlabel(FIGURES[figure].y if figure != "5b" else axis.get_title())
    axis.tick_params(axis="y", labelsize=8)
    axis.grid(visible=True, axis="x", color="0.88", linewidth=0.6)
    axis.set_axisbelow(True)


def _number(axis: Axis) -> None:
    """Plain numbers, at powers of ten, and between them where the axis has just one of these."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    plain = FuncFormatter(lambda value, _: f"{value:,g}")
    axis.set_major_formatter(plain)
    if axis.get_scale() == "log":
        low, high = sorted(axis.get_view_interval())
        axis.set_minor_locator(LogLocator(subs=(2.0, 5.0)))
        axis.set_minor_formatter(plain if high < 30 * low else NullFormatter())


def _told(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _queries(count: float) -> str:
    if count >= 1_000_000:
        return f"{count / 1_000_000:,g}M"
    return f"{count / 1000:,g}K" if count >= 1000 else f"{count:g}"
