"""Real query logs: every query is parsed, or unsupported by name, or a syntax error for pyoxigraph as well."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.logs.query_logs import LoggedQuery, logged_queries, outcome
from tests.shared import shared_dir

QUERIES = list(logged_queries(shared_dir("queries")))
SOURCES = sorted({query.source for query in QUERIES})


@pytest.mark.parametrize("source", SOURCES)
def test_source(source: str) -> None:
    """None fails, and none crashes."""
    found = [(query, outcome(query)) for query in QUERIES if query.source == source]
    assert [(query.id, result.what) for query, result in found if result.verdict == "failed"] == []
    assert all(result.what for _, result in found)


def test_most_are_parsed() -> None:
    """Were all refused, the test above would not notice."""
    found = Counter(outcome(query).verdict for query in QUERIES[::7])
    assert found["parsed"] > 0.6 * found.total()


def test_what_pyoxigraph_takes_is_no_syntax_error() -> None:
    """The test sees what it should see: a query that only we refused would fail."""
    wrong = LoggedQuery("test", "1", "ASK { ?s ?p + 1 }")  # pyoxigraph takes it, against productions [149, 152]
    assert outcome(wrong).verdict == "failed"
    assert outcome(LoggedQuery("test", "2", "ASK { ?s ?p")).verdict == "syntax error"
