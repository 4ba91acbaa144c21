"""Access tuples chosen for all queries at once are those that the mutable segment would choose."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rtf.compiled.access import expected
from rtf.compiled.columns import Columns
from rtf.index.selectivity import Sample, Selectivity
from rtf.index.tuples import IndexTuple, index_alternative
from sparql_ft import Publication, prepare
from tests.strategies import publications, texts


@given(st.lists(texts, min_size=1, max_size=8), st.lists(publications(), max_size=3))
@settings(max_examples=100)
def test_the_same_estimates(some: list[str], published: list[Publication]) -> None:
    """Each tuple is expected as often as `Selectivity` says, by the queries and by a sample."""
    sample = Sample()
    sample.learn(published)
    columns, selectivity = Columns(), Selectivity(sample)
    forms: dict[int, IndexTuple] = {}
    for text in some:
        before = len(columns.patterns)
        prepared = prepare(text)
        columns.add(prepared)
        if len(columns.patterns) == before:
            continue  # it is there already, and counts once
        for alternative in map(index_alternative, prepared.tuples.alternatives):
            if len(set(alternative.graphs)) > 1:
                continue
            for each in alternative.tuples:
                selectivity.count(each)
                forms[columns.tuples[columns._key(each)]] = each
    sampled, guessed = expected(columns, sample)
    for number, each in forms.items():
        assert (sampled[number], guessed[number]) == selectivity.expected(each)
