"""IBROKER's own doings: what it examines, how it is compiled and what removal leaves behind."""

from __future__ import annotations

import logging
import pickle
from typing import Any

import numpy as np
import pytest

from ibroker_baseline import IBroker
from ibroker_baseline.arrival import Arrival
from ibroker_baseline.compiled.columns import Columns
from ibroker_baseline.entries import ANY, stored_query
from ibroker_baseline.plain import PlainIndex
from sparql_ft import Publication, prepare
from sparql_ft.analyser import DEFAULT

PREFIX = "PREFIX : <http://x.org/> "
CITY = Publication.parse('@prefix : <http://x.org/> . :rio a :City ; :text "Rio, the city" .', format="ttl")


def test_chain() -> None:
    """A query is recomposed by following NextToMatch; each entry has its attribute, value or words, and variables."""
    text = PREFIX + 'ASK { ?x a :City ; :text ?t ; ?p ?o FILTER ftcontains(?t, "Rio" ftAND ("city" ftOR "town")) }'
    (chain,) = stored_query("q", 1, prepare(text)).chains
    entries = [(e.attribute.rpartition("/")[2].strip(">"), e.value, e.words, e.variables) for e in chain]
    assert entries == [
        ("22-rdf-syntax-ns#type", "<http://x.org/City>", (), ((0, 0),)),
        ("text", None, (frozenset({"rio", "city"}), frozenset({"rio", "town"})), ((0, 0),)),
        (ANY, None, (), ((0, 0),)),
    ]
    assert (chain.is_star, chain.is_enough) == (True, True)


def test_only_buckets_of_the_publication_are_examined() -> None:
    """A chain is followed if it begins with an attribute of the publication, and with what it has there."""
    index = PlainIndex()
    wheres = {
        "class": "?x a :City ; :absent ?y",  # begins, and then fails
        "other class": "?x a :River",
        "elsewhere": "?x :absent ?y ; a :City",
        "words": '?x :text ?t FILTER ftcontains(?t, "rio")',
        "other words": '?x :text ?t FILTER ftcontains(?t, "rio" ftAND "river")',
        "nothing": "",
    }
    for place, (id, where) in enumerate(wheres.items()):
        for chain in stored_query(id, place, prepare(f"{PREFIX} ASK {{ {where} }}")).chains:
            index.add(chain)
    arrival = Arrival(CITY, [DEFAULT], None)
    assert {chain.query.id for chain in index.candidates(arrival)} == {"class", "words", "nothing"}


def test_removal_leaves_nothing() -> None:
    """Buckets and readings go with the last query that needs them."""
    index = PlainIndex()
    text = PREFIX + 'ASK { ?x :text ?t FILTER ftcontains(?t, "city" using stemming) }'
    stored = [stored_query(str(place), place, prepare(text)) for place in range(2)]
    for query in stored:
        index.add(query.chains[0])
    assert [analysis.language for analysis in index.readings] == ["en"]
    for query in stored:
        index.remove(query.chains[0])
    assert not index.readings
    assert not index._buckets


def test_heads_come_first_in_their_bucket() -> None:
    """The list of a bucket has the entries that begin a chain first, each followed by NextToMatch to its own chain."""
    columns = Columns()
    texts = ["?x :a ?y ; :b ?z", "?x :b ?y ; :a ?z", "?x :a :v", ""]
    for number, where in enumerate(texts):
        for place, chain in enumerate(stored_query(str(number), number, prepare(f"{PREFIX} ASK {{ {where} }}")).chains):
            columns.add(number, place, chain)
    arrays = columns.arrays()
    assert arrays.heads.tolist() == [[0, 0], [0, 2], [3, 4]]  # ANY, :a, :b
    assert arrays.entries[:, 7].tolist() == [0, 2, 1, 1, 0]  # chains: two begin with :a, one goes on there
    followed = [arrays.entries[entry, 6] for entry in (0, 3)]
    assert np.array_equal(arrays.entries[followed, 7], [0, 1])
    assert arrays.always.tolist() == [3]


def test_compiled_and_plain_queries_together() -> None:
    """Queries are compiled when enough have come, removed ones stay away, and the order is that of registration."""
    broker = IBroker(compile_at=4)
    text = PREFIX + "ASK { ?x a :City }"
    for id in "abcdefg":
        broker.register(id, text)
    assert (broker.compiled, len(broker)) == (4, 7)
    broker.unregister("b")
    broker.register("c", PREFIX + "ASK { ?x :text ?t }", replace=True)
    assert broker.match_ids(CITY) == list("adefgc")
    broker.register_many((id, text) for id in "hijk")
    assert (broker.compiled, len(broker)) == (10, 10)
    assert broker.match_ids(CITY) == list("adefgchijk")


def test_serial_numbers_begin_again() -> None:
    """After two billion publications, what was seen long ago is not taken for seen."""
    broker = IBroker(compile_at=1)
    broker.register("q", PREFIX + 'ASK { ?x a :City ; :text ?t FILTER ftcontains(?t, "rio") }')
    assert broker.match_ids(CITY) == ["q"]  # stamped with 1
    assert broker._compiled is not None
    broker._compiled._serial = 2**31 - 2
    elsewhere = Publication.parse("<urn:x> a <http://x.org/City> .", format="ttl")
    assert [broker.match_ids(each) for each in (elsewhere, CITY, elsewhere)] == [[], ["q"], []]


@pytest.mark.parametrize("compile_at", [None, 1])
def test_a_query_that_takes_too_long(compile_at: int | None, caplog: pytest.LogCaptureFixture) -> None:
    """It has no answer, which is logged; the others are answered."""
    triples = " ".join(f":s{n} :p :o{n} ." for n in range(30))
    publication = Publication.parse(f"@prefix : <http://x.org/> . {triples}", format="ttl", id="p")
    broker = IBroker(max_steps=500, compile_at=compile_at)
    product = "?a :p ?b . ?c :p ?d . ?e :p ?f FILTER(?a != ?c && ?c != ?e && ?b = ?x && ?d = ?f)"
    broker.register("slow", f"{PREFIX} ASK {{ {product} MINUS {{ ?a :q ?x }} }}")
    broker.register("quick", f"{PREFIX} ASK {{ ?a :p ?b }}")
    with caplog.at_level(logging.WARNING):
        assert broker.match_ids(publication) == ["quick"]
    assert "query slow has no answer on p: the query takes more than 500 steps" in caplog.text


@pytest.mark.parametrize("options", [{"compile_at": None}, {"compile_at": 1}, {"to_the_letter": True}])
def test_travels(options: dict[str, Any]) -> None:
    """Pickled and back, as to an executor of Spark, it is the same system with the same queries in the same order."""
    broker = IBroker(**options)
    for id in "zab":
        broker.register(id, PREFIX + "ASK { ?x a :City }")
    broker.unregister("a")
    arrived = pickle.loads(pickle.dumps(broker))
    assert arrived.match_ids(CITY) == ["z", "b"]
    assert (arrived.compiled > 0, arrived.to_the_letter) == (broker.compiled > 0, broker.to_the_letter)
