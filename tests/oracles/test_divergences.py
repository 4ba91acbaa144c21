"""The list of known divergences is true, and is what docs/divergences.md says."""

from __future__ import annotations

from pathlib import Path

import pytest

from sparql_ft.evaluation.evaluator import evaluate
from tests.oracles.divergence import Divergence
from tests.oracles.divergences import DIVERGENCES, concerned, markdown
from tests.oracles.engines import Multiset, multiset, pyoxigraph_solutions, rdflib_solutions
from tests.oracles.pair import Pair

ORACLES = {"pyoxigraph": pyoxigraph_solutions, "rdflib": rdflib_solutions}
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "divergences.md"


@pytest.mark.parametrize("entry", DIVERGENCES, ids=lambda entry: f"{entry.oracle}: {entry.does}")
def test_entry(entry: Divergence) -> None:
    """The oracle's answer is not the specification's, which is ours; and the entry concerns its own example."""
    query, publication = entry.example()
    found = multiset(evaluate(query, publication))
    assert entry.shown(found) == entry.answer
    try:
        theirs: Multiset | None = ORACLES[entry.oracle](query, publication)
    except Exception:
        theirs = None
    assert found != theirs
    assert entry in concerned(entry.oracle, Pair(query, publication))
    assert not entry.counts or (theirs is not None and set(theirs) == set(found))


def test_document() -> None:
    """The list for readers is this list; `python -m tests.oracles.divergences` writes it anew."""
    assert DOCUMENT.read_text(encoding="utf-8") == markdown()
