"""Queries that people and programs have asked, from public sets: what becomes of each here."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from rtf.files.query_report import Decision
from sparql_ft import QuerySyntaxError, UnsupportedFeatureError, extract, parse

__all__ = ["SETS", "LoggedQuery", "Outcome", "logged_queries", "outcome"]

SETS = {  # the beginning of a source -> the set it belongs to
    "qald": "QALD-1 to QALD-9",
    "lcquad": "LC-QuAD 1.0",
    "lsq-dbpedia": "LSQ: DBpedia",
    "lsq-swdf": "LSQ: Semantic Web Dog Food",
    "": "templates of DBPSB, FEASIBLE and QED",
}


@dataclass(frozen=True)
class LoggedQuery:
    """A query and where it comes from."""

    source: str
    id: str
    text: str

    @property
    def set(self) -> str:
        """The name of the public set."""
        return next(name for start, name in SETS.items() if self.source.startswith(start))


@dataclass(frozen=True)
class Outcome:
    """`verdict` is parsed, unsupported, syntax error or failed; `what` the decision, the construct or the message."""

    verdict: str
    what: str


def logged_queries(folder: Path) -> Iterator[LoggedQuery]:
    """All of them, in the order of the file."""
    with (folder / "sparql.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            yield LoggedQuery(record["source"], record["id"], record["query"])


def outcome(query: LoggedQuery) -> Outcome:
    """What becomes of a query; a syntax error counts as failed where pyoxigraph's parser sees none."""
    try:
        parsed = parse(query.text)
    except UnsupportedFeatureError as error:
        return Outcome("unsupported", error.construct)
    except QuerySyntaxError as error:
        return Outcome("failed" if pyoxigraph_takes(query.text) else "syntax error", error.message)
    if parse(str(parsed)) != parsed:
        return Outcome("failed", f"its text is another query: {parsed}")
    return Outcome("parsed", Decision.of_query(extract(parsed)).value)


def pyoxigraph_takes(text: str) -> bool:
    """Whether pyoxigraph's parser takes a text."""
    try:
        ox.Store().query(text)
    except SyntaxError:
        return False
    except RuntimeError:
        pass  # a function that does not exist is found when the query runs
    return True
