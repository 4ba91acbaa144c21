"""Generated queries: within the paper's limits, with the share of full text that is asked for, and not all in vain."""

from __future__ import annotations

import io
import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from datasets.dbpedia import DBpedia
from datasets.dump import write_dump
from datasets.observed import Observed, triples_of
from datasets.publications import ABSTRACT, LABEL, TYPE, World
from datasets.queries import Source, main, queries
from rtf import Engine, Publication
from rtf.files.query_files import QueryRecord, read_queries
from sparql_ft import parse
from sparql_ft.terms import IRI, Literal, Triple

DBPEDIA = DBpedia(1)
PLAIN = World(2026)


def drawn(source: Source, *, dense: bool, text_share: float, count: int = 2000) -> list[str]:
    """Texts of queries."""
    return [text for _, text in queries(source, count, 9, dense=dense, text_share=text_share)]


def words(text: str) -> list[list[str]]:
    """The words of each ftcontains."""
    return [re.findall(r'"(\w+)"', each) for each in re.findall(r"ftcontains\(([^)]*)\)", text)]


def tuples(text: str) -> int:
    """How many triple patterns there are."""
    return len(re.findall(r"\?x <", text))


@pytest.mark.parametrize("source", [PLAIN, DBPEDIA], ids=["plain", "dbpedia"])
@pytest.mark.parametrize("dense", [False, True], ids=["selective", "dense"])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_limits(source: Source, dense: bool, share: float) -> None:
    """At most four tuples and three words, and the share of tuples with full text is the one asked for."""
    texts = drawn(source, dense=dense, text_share=share)
    assert {tuples(text) for text in texts} == ({1, 2, 3, 4} if dense else {2, 3, 4})
    found = [each for text in texts for each in words(text)]
    assert all(1 <= len(each) <= 3 for each in found)
    assert abs(len(found) / sum(map(tuples, texts)) - share) < 0.02
    assert all(parse(text) for text in texts[:100])


def test_from_the_data() -> None:
    """Classes, properties and words are those of the world."""
    texts = drawn(DBPEDIA, dense=True, text_share=0.5)
    known = {*DBPEDIA.classes, *DBPEDIA.properties, TYPE, ABSTRACT}
    resources = {DBPEDIA.iri(number) for number in range(100_000)}
    named = {IRI(each) for text in texts for each in re.findall(r"<([^>]*)>", text)}
    assert named <= known | resources
    assert len(named & set(DBPEDIA.classes)) > 100
    assert {each for text in texts for found in words(text) for each in found} <= set(DBPEDIA.vocabulary)


def test_by_frequency() -> None:
    """Dense queries draw words as often as texts have them; selective ones leave out the most common."""
    dense, selective = (
        Counter(each for text in drawn(DBPEDIA, dense=dense, text_share=1) for found in words(text) for each in found)
        for dense in (True, False)
    )
    assert 5 < dense[DBPEDIA.vocabulary[0]] / dense[DBPEDIA.vocabulary[9]] < 20
    assert selective.keys().isdisjoint(DBPEDIA.vocabulary[:300])


def test_matches() -> None:
    """Entities match one dense query in some hundred, and selective ones hardly ever."""
    engine = Engine()
    for dense in (True, False):
        for id, text in queries(DBPEDIA, 100, 9, dense=dense):  # one by one: so few need not be compiled
            engine.register(f"{dense} {id}", text)
    found = Counter(id.split()[0] for entity in DBPEDIA.entities(200) for id in engine.match_ids(entity))
    assert found["True"] > 40
    assert found["False"] < 10


def test_share_is_a_probability() -> None:
    """Percentages are refused."""
    with pytest.raises(ValueError, match="text_share is a probability, from 0 to 1, and not 50"):
        list(queries(PLAIN, 1, 1, dense=True, text_share=50))


def test_same_queries() -> None:
    """Benchmark figures depend on what seeds give: one text is pinned. Queries do not depend on how many there are."""
    first, second, *_ = queries(PLAIN, 10, 9, dense=False)
    assert [first, second] == list(queries(PLAIN, 2, 9, dense=False))
    text = f"SELECT ?x WHERE {{ ?x {TYPE} <http://dbpedia.org/ontology/Nedoko> . "
    text += f'?x {LABEL} ?t1 . FILTER ftcontains(?t1, "kacedi" ftAND "tapibabada") '
    text += "?x <http://dbpedia.org/ontology/mimila> <http://dbpedia.org/resource/E84> . }"
    assert first == ("q0", text)


# --- drawn from a dump ------------------------------------------------------------------------------------------------

S = IRI("http://x.org/s")
P, Q = IRI("http://x.org/p"), IRI("http://x.org/q")
C, R = IRI("http://x.org/C"), IRI("http://x.org/r")
TRIPLES: list[Triple] = [
    (S, TYPE, C),
    (S, LABEL, Literal("Sea, sea", language="en")),
    (S, ABSTRACT, Literal("The sea.")),
    (S, P, R),
    (S, P, S),
    (S, P, R),
    (S, Q, Literal("not text")),
]


def test_observed() -> None:
    """Everything is counted, the most frequent first; words are those of labels and abstracts."""
    observed = Observed(TRIPLES)
    assert (observed.classes, observed.properties, observed.vocabulary) == ([C], [P, Q], ["sea", "the"])
    rng = random.Random(1)
    counts = Counter(observed.word(rng) for _ in range(4000))
    assert 2.5 < counts["sea"] / counts["the"] < 3.5
    resources = Counter(observed.resource(rng) for _ in range(3000))
    assert 1.6 < resources[R] / resources[S] < 2.4


@pytest.mark.parametrize(
    ("left_out", "missing"),
    [(TYPE, "classes"), (P, "resources"), (LABEL, "words in labels and abstracts")],
)
def test_nothing_to_draw_from(left_out: IRI, missing: str) -> None:
    """It is said what the data has none of."""
    texts = (LABEL, ABSTRACT) if left_out == LABEL else (left_out,)
    with pytest.raises(ValueError, match=f"there are no {missing} in this data"):
        Observed(triple for triple in TRIPLES if triple[1] not in texts)


def test_real_dump(shared_dir: Callable[[str], Path]) -> None:
    """Queries from real files can all be registered, and a good many of the dense ones match something there."""
    files = [*shared_dir("dbpedia").glob("2015-10/*.bz2")]
    wanted = ("labels_", "long_abstracts_", "instance_types_", "mappingbased_")
    triples = [triple for file in files if file.name.startswith(wanted) for triple in triples_of(file)]
    entities: dict[object, list[Triple]] = {}
    for triple in triples:
        entities.setdefault(triple[0], []).append(triple)
    engine = Engine()
    engine.register_many(queries(Observed(triples), 500, 9, dense=True))
    matched = {id for each in entities.values() for id in engine.match_ids(Publication.from_triples(each))}
    assert len(matched) > 50


# --- the command ------------------------------------------------------------------------------------------------------


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints what `rtf register` reads, with owners by turns."""
    assert main(["--count", "5", "--seed", "1", "--dense", "--owners", "2"]) == 0
    printed = capsys.readouterr().out
    records = list(read_queries(["-"], stdin=io.BytesIO(printed.encode())))
    assert all(isinstance(each, QueryRecord) for each in records)
    found = [(each.id, each.text) for each in records if isinstance(each, QueryRecord)]
    assert found == list(queries(DBPEDIA, 5, 1, dense=True))
    assert [json.loads(each)["owner"] for each in printed.splitlines()] == ["owner0", "owner1"] * 2 + ["owner0"]


def test_command_on_a_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It draws from files, all of them or their first lines; --query-seed gives others."""
    files = [str(path) for path in write_dump(DBPEDIA, 50, tmp_path / "dump", compression="gz").files]
    texts = []
    for more in ([], ["--query-seed", "2"], ["--limit", "10"]):
        out = tmp_path / "queries.jsonl"
        assert main(["--count", "20", "--seed", "1", "--out", str(out), *more, "--dump", *files]) == 0
        texts.append(out.read_text(encoding="utf-8"))
        assert len(texts[-1].splitlines()) == 20
    assert len(set(texts)) == 3
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--dump", "nowhere.nt"], "No such file"),
        (["--text-share", "50"], "--text-share is from 0 to 1"),
        (["--dump", __file__], "test_queries.py: Parser error at line 1 "),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong is said, and the exit code is 2."""
    with pytest.raises(SystemExit) as stopped:
        main(["--count", "1", "--seed", "1", *arguments])
    assert stopped.value.code == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert printed.out == ""
