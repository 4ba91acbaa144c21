"""Rows on stdout: as a table to be read, as JSON Lines, or as CSV."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable, Mapping
from itertools import chain, islice
from typing import Final, TypeAlias

from rtf.files.query_report import visible

__all__ = ["FORMATS", "print_rows"]

Row: TypeAlias = Mapping[str, object]

FORMATS: Final = ("table", "json", "csv")
_LOOKED_AT: Final = 1000  # rows, for the widths of a table; later ones may be wider
_WIDE: Final = 60  # characters of a cell that is shortened


def print_rows(rows: Iterable[Row], columns: Iterable[str], format: str, shortened: Iterable[str] = ()) -> None:
    """Print rows as they come. A table shows the columns `shortened` on one line, cut to a readable width."""
    names = list(columns)
    match format:
        case "json":
            for row in rows:
                print(json.dumps({name: row[name] for name in names}, ensure_ascii=False))
        case "csv":
            writer = csv.writer(sys.stdout, lineterminator="\n")
            writer.writerow(names)
            writer.writerows([_cell(row[name]) for name in names] for row in rows)
        case _:
            _print_table(rows, names, frozenset(shortened))


def _print_table(rows: Iterable[Row], names: list[str], shortened: frozenset[str]) -> None:
    def cells(row: Row) -> list[str]:
        return [(_short if name in shortened else visible)(_cell(row[name])) for name in names]

    iterator = iter(rows)
    first = [cells(row) for row in islice(iterator, _LOOKED_AT)]
    if not first:
        return  # a heading without rows looks like a row
    widths = [max(map(len, column)) for column in zip(names, *first, strict=True)]
    for row in chain([names], first, map(cells, iterator)):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


def _cell(value: object) -> str:
    """What CSV and a table have of a value that JSON has as such."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case list() if all(isinstance(each, str) for each in value):
            return ",".join(value)
        case _:
            return json.dumps(value, ensure_ascii=False)


def _short(text: str) -> str:
    line = visible(" ".join(text.split()))
    return line if len(line) <= _WIDE else f"{line[: _WIDE - 1]}…"
