"""Parsing to tuples, against rdflib's SPARQL parser alone on the same texts. Results are checked first.

make bench
.venv/bin/python benchmarks/bench_parse.py --log QUERIES.jsonl    also real queries, an object with `query` a line
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from rdflib.plugins.sparql.parser import parseQuery

from benchmarks.query_texts import from_log, of_many_shapes, of_one_shape
from rtf.compare.measure import conditions, interleaved, table
from sparql_ft import PreparedQuery, QueryError, extract, parse
from sparql_ft.shapes import Shapes


def to_tuples(text: str) -> PreparedQuery:
    """The full way, without what shapes save."""
    query = parse(text)
    return PreparedQuery(query, extract(query))


def both_accept(text: str) -> bool:
    """Whether a text is a query to rdflib and to us."""
    try:
        parse(text)
        parseQuery(text)
    except QueryError:
        return False
    except Exception:  # rdflib's parser raises whatever its pyparsing actions raise
        return False
    return True


def check(texts: list[str], *, shapes_help: bool) -> None:
    """Every text prints back to an equal tree, and shapes give what the full parser gives."""
    shapes = Shapes()
    for text in texts:
        expected = to_tuples(text)
        if parse(str(expected.query)) != expected.query or shapes.prepare(text) != expected:
            sys.exit(f"wrong result, nothing is timed:\n{text}")
    if shapes_help and shapes.filled < len(texts) - 10:
        sys.exit(f"only {shapes.filled} of {len(texts)} texts of one shape were recognised")


def each(function: Callable[[str], object], texts: list[str]) -> Callable[[], None]:
    """A task that applies a function to all texts."""

    def run() -> None:
        for text in texts:
            function(text)

    return run


def main() -> None:
    """Check, time, print."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--log", type=Path, help="JSON Lines with real queries")
    arguments.add_argument("--count", type=int, default=500, help="texts of many shapes")
    arguments.add_argument("--rounds", type=int, default=7)
    arguments.add_argument("--seed", type=int, default=2026)
    chosen = arguments.parse_args()

    sets = {
        f"{chosen.count:,} texts of many shapes": of_many_shapes(chosen.count, chosen.seed),
        "20,000 texts of one shape": of_one_shape(20_000, chosen.seed),
    }
    if chosen.log is not None:
        real = [text for text in from_log(chosen.log) if both_accept(text)]
        sets[f"{len(real):,} texts of {chosen.log.name}"] = real
    rows = []
    for name, texts in sets.items():
        print(f"checking and timing {name}", file=sys.stderr)
        check(texts, shapes_help="one shape" in name)
        few = texts[:500]  # rdflib takes milliseconds for each
        tasks = {
            "rdflib": each(parseQuery, few),
            "parse": each(to_tuples, few),
            "prepare": lambda texts=texts: each(Shapes().prepare, texts)(),  # a new cache each round
        }
        seconds = interleaved(tasks, chosen.rounds)
        rdflib, full, prepared = (
            seconds["rdflib"] / len(few),
            seconds["parse"] / len(few),
            seconds["prepare"] / len(texts),
        )
        rows.append(
            [
                name,
                f"{1 / rdflib:,.0f}",
                f"{1 / full:,.0f}",
                f"{rdflib / full:.1f}",
                f"{1 / prepared:,.0f}",
                f"{rdflib / prepared:.1f}",
            ]
        )
    head = ["queries a second", "rdflib, parser alone", "parse to tuples", "ratio", "`prepare` (shapes)", "ratio"]
    print("## Parsing\n")
    print(table(head, rows))
    print(f"\n{conditions(chosen.seed, chosen.rounds)}")


if __name__ == "__main__":
    main()
