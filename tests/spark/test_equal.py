"""The Spark job and the engine in this process give the same matches, publication by publication."""

from __future__ import annotations

import bz2
import gzip
import random
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest

from datasets.publications import World
from datasets.queries import queries
from rtf import Engine, Publication
from rtf.pipeline import match, read
from sparql_ft.terms import IRI, BlankNode, Literal, Triple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

SEED = 4
DBPEDIA = """
PREFIX dbo: <http://dbpedia.org/ontology/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""
REAL = {
    "airlines": 'SELECT ?x WHERE { ?x a dbo:Airline ; rdfs:label ?l . FILTER ftcontains(?l, "airways" ftOR "air") }',
    "cities": 'SELECT * WHERE { ?x dbo:abstract ?t . FILTER ftcontains(?t, "capital" ftNEAR[0,5] "city") }',
    "near": 'ASK { ?x ?p ?t FILTER ftcontains(?t, "the" ftNEAR[0,3] "largest") }',
    "linked": "ASK { ?x dbo:wikiPageWikiLink ?y . ?x rdfs:label ?l }",
    "cars": 'ASK { ?x ?p ?t . FILTER ftcontains(?t, "car*" using wildcards ftAND "german*" using wildcards) }',
    "optional": "SELECT ?x ?l WHERE { ?x a ?c OPTIONAL { ?x rdfs:label ?l } FILTER(!bound(?l)) }",
    "negated": 'ASK { ?x rdfs:label ?l . ?x rdfs:comment ?c FILTER ftcontains(?c, ftNOT "is") }',
    "number": "ASK { ?x ?p ?v FILTER(isNumeric(?v) && ?v > 1000000) }",
}


def lines(triples: Iterable[Triple]) -> str:
    """Triples as N-Triples."""
    return "".join(f"{s} {p} {o} .\n" for s, p, o in triples)


def found(frame: DataFrame) -> Counter[tuple[str, str]]:
    """The matches of a DataFrame."""
    return Counter((row["publication"], row["query_id"]) for row in frame.collect())


def expected(engine: Engine, publications: Iterable[Publication]) -> Counter[tuple[str, str]]:
    """The matches that the engine finds, one publication after the other."""
    return Counter((each.id, id) for each in publications for id in engine.match_ids(each))


@pytest.fixture(scope="module")
def world() -> World:
    """What entities and queries are made of."""
    return World(SEED, classes=20, properties=40, vocabulary=500)


@pytest.fixture(scope="module")
def engine(world: World) -> Engine:
    """Dense queries, so that there are many matches."""
    engine = Engine()
    engine.register_many(queries(world, 300, SEED, dense=True), owner="ana")
    return engine


def test_generated(spark: SparkSession, tmp_path: Path, world: World, engine: Engine) -> None:
    """Entities whose triples are spread over files of all kinds, out of order."""
    publications = list(world.entities(400))
    triples = [triple for each in publications for triple in each.triples]
    random.Random(SEED).shuffle(triples)
    quarter = len(triples) // 4
    texts = [lines(triples[start : start + quarter + 1]) for start in range(0, len(triples), quarter + 1)]
    (tmp_path / "a.nt").write_text(texts[0], encoding="utf-8")
    (tmp_path / "b.ttl.bz2").write_bytes(bz2.compress(texts[1].encode()))
    (tmp_path / "c.nq.gz").write_bytes(gzip.compress(texts[2].encode()))
    (tmp_path / "d.txt").write_text(texts[3].replace("\n", "\r\n"), encoding="utf-8")
    matches = found(match(read(spark, str(tmp_path)), engine))
    assert matches == expected(engine, publications)
    assert matches.total() > 1_000


def test_quads_and_blank_nodes(spark: SparkSession, tmp_path: Path, world: World, engine: Engine) -> None:
    """Named graphs are publications, blank subjects too; a graph and a subject may have one name."""
    shape = list(world.entities(60))
    quads, publications = [], []
    for number, each in enumerate(shape):
        name = IRI(f"http://e.org/{number // 2}") if number % 4 else BlankNode(f"b{number}")
        triples = tuple((name, p, o) for _, p, o in each.triples)
        graph = name if number % 2 else None
        quads += [f"{s} {p} {o} {graph or ''} .\n" for s, p, o in triples]
        id = name.value if isinstance(name, IRI) else f"_:{tmp_path}/a.nq_{name.label}"
        publications.append(Publication(id, triples, graph))
    random.Random(SEED).shuffle(quads)
    (tmp_path / "a.nq").write_text("".join(quads), encoding="utf-8")
    matches = found(match(read(spark, [f"{tmp_path}/a.nq"]), engine))
    assert matches == expected(engine, publications)
    assert {id.partition("/")[0] for id, _ in matches} == {"http:", "_:"}


def test_documents(spark: SparkSession, tmp_path: Path) -> None:
    """Turtle and the other formats give the publications that the parser gives; together with lines in other files."""
    turtle = (Path(__file__).parents[2] / "docs" / "examples" / "news.ttl").read_bytes()
    (tmp_path / "news.ttl").write_bytes(turtle)
    triples = [quad.triple for quad in ox.parse(turtle, format=ox.RdfFormat.TURTLE, base_iri="urn:rtf:")]
    for ending, format in (("xml", ox.RdfFormat.RDF_XML), ("jsonld", ox.RdfFormat.JSON_LD)):
        data = ox.serialize(triples, format=format)
        assert data
        (tmp_path / f"news.{ending}").write_bytes(data.replace(b"example.org", f"{ending}.example.org".encode()))
    more = '<http://example.org/news/1> <http://example.org/more> "a wild goose" .\n'
    (tmp_path / "more.nt").write_text(more, encoding="utf-8")
    engine = Engine()
    for path in (Path(__file__).parents[2] / "docs" / "examples").glob("*.rq"):
        engine.register(path.stem, path.read_text(encoding="utf-8"))
    engine.register("both", 'ASK { ?x <urn:title> ?t ; <http://example.org/more> ?m FILTER ftcontains(?m, "goose") }')
    groups: dict[str, list[Triple]] = {}
    for name in ("news.ttl", "news.xml", "news.jsonld", "more.nt"):
        for each in Publication.parse_many((tmp_path / name).read_bytes(), Path(name).suffix, file=name):
            groups.setdefault(each.id, []).extend(each.triples)
    publications = [Publication(id, tuple(triples)) for id, triples in groups.items()]
    matches = found(match(read(spark, str(tmp_path)), engine))
    assert matches == expected(engine, publications)
    assert ("http://example.org/news/1", "both") in matches
    assert len({id.partition("/news")[0] for id, _ in matches}) > 2


def test_any_matcher(spark: SparkSession, tmp_path: Path, world: World, engine: Engine) -> None:
    """A matcher needs no more than `match_ids`: given as an object, or made on the executors."""
    (tmp_path / "a.nt").write_text(lines(world.entity(1).triples), encoding="utf-8")
    publications = read(spark, str(tmp_path))
    assert found(match(publications, _Words(("a", "b")))) == {(world.entity(1).id, str(len(world.entity(1)))): 1}
    assert found(match(publications, _words)) == {(world.entity(1).id, str(len(world.entity(1)))): 1}
    engine.save(tmp_path / "saved.index")
    assert found(match(publications, tmp_path / "saved.index")) == found(match(publications, engine))
    with pytest.raises(TypeError, match="is no matcher"):
        match(publications, 5)  # type: ignore[arg-type]


class _Words:
    """A matcher of somebody's own: how many triples there are."""

    def __init__(self, known: tuple[str, ...]) -> None:
        self._known = known

    def match_ids(self, publication: Publication) -> list[str]:
        """The number of triples as an id."""
        return [str(len(publication))] if self._known else []


def _words() -> _Words:
    return _Words(("a",))


def test_data_frames(spark: SparkSession) -> None:
    """A DataFrame of one's own, with details: bindings and highlights are columns with terms as in SPARQL's JSON."""
    engine = Engine()
    text = 'SELECT ?t WHERE { ?x <http://e.org/p> ?t FILTER ftcontains(?t, "rio") }'
    engine.register("rio", text, owner="ana")
    rows = [("a", "<http://e.org/a>", "<http://e.org/p>", '"In Rio"@pt'), ("b", "<http://e.org/a>", "<x:p>", "<x:o>")]
    frame = spark.createDataFrame(rows, "publication string, subject string, predicate string, object string")
    (row,) = match(frame, engine, bindings=True, highlights=True).collect()
    assert (row["query_id"], row["publication"], row["owner"]) == ("rio", "a", "ana")
    (binding,) = row["bindings"]
    assert binding["t"].asDict() == {"type": "literal", "value": "In Rio", "xml:lang": "pt", "datatype": None}
    (highlight,) = row["highlights"]
    assert (highlight["words"], highlight["positions"], highlight["spans"]) == (["Rio"], [1], [[3, 6]])
    with pytest.raises(ValueError, match="lacks the columns predicate"):
        match(frame.drop("predicate"), engine)


def test_failures(spark: SparkSession) -> None:
    """On request, a query that had to be given up on a publication has a row that tells why."""
    engine = Engine()
    engine.register("much", "ASK { ?x <http://e.org/p> ?t FILTER regex(?t, '^(a|a|aa)+$') }", owner="ana")
    engine.register("any", "ASK { ?x <http://e.org/p> ?t }")
    rows = [(id, f"<{id}>", "<http://e.org/p>", f'"{text}"') for id, text in (("x:a", "a" * 40 + "b"), ("x:b", "a"))]
    frame = spark.createDataFrame(rows, "publication string, subject string, predicate string, object string")
    matches = {("x:a", "any"), ("x:b", "any"), ("x:b", "much")}
    assert found(match(frame, engine)) == Counter(matches)
    told = {(row["publication"], row["query_id"]): row["why"] for row in match(frame, engine, failures=True).collect()}
    assert set(told) == matches | {("x:a", "much")}
    assert {key for key, why in told.items() if why is None} == matches
    assert "much" not in told["x:a", "much"]


def test_wide_offsets(spark: SparkSession, engine: Engine, world: World) -> None:
    """A session may be set to give texts wide offsets; rows may be in any order, and have other columns beside."""
    published = list(world.entities(20))
    rows = [(1, str(o), str(p), None, each.id) for each in published for _, p, o in each.triples]
    schema = "number int, object string, predicate string, subject string, publication string"
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        matches = found(match(spark.createDataFrame(rows, schema), engine))
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")
    assert matches == expected(engine, published)


def test_ontology(spark: SparkSession, tmp_path: Path) -> None:
    """An engine's ontology counts on the executors too."""
    owl = tmp_path / "o.owl"
    owl.write_text(
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description rdf:about="http://e.org/Politician">'
        '<rdfs:subClassOf rdf:resource="http://e.org/Agent"/></rdf:Description></rdf:RDF>',
        encoding="utf-8",
    )
    engine = Engine(ontology=owl)
    engine.register("agents", "ASK { ?x a <http://e.org/Agent> }")
    (tmp_path / "a.nt").write_text(
        "<http://e.org/x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.org/Politician> .\n",
        encoding="utf-8",
    )
    assert found(match(read(spark, f"{tmp_path}/a.nt"), engine)) == {("http://e.org/x", "agents"): 1}


@pytest.fixture(scope="module")
def real_engine() -> Engine:
    """Queries about DBpedia."""
    engine = Engine()
    engine.register_many((id, DBPEDIA + text) for id, text in REAL.items())
    return engine


def test_many_files_of_dbpedia(spark: SparkSession, shared_dir: Callable[[str], Path], real_engine: Engine) -> None:
    """Real files, as DBpedia publishes them: an entity is spread over twenty of them."""
    folder = shared_dir("dbpedia") / "2015-10"
    groups: dict[str, list[Triple]] = {}
    for path in sorted(folder.iterdir()):
        for each in Publication.parse_many(bz2.decompress(path.read_bytes()), "nt"):
            groups.setdefault(each.id, []).extend(each.triples)
    publications = [Publication(id, tuple(triples)) for id, triples in groups.items()]
    matches = found(match(read(spark, str(folder)), real_engine))
    assert matches == expected(real_engine, publications)
    assert len({query for _, query in matches}) > 3


@pytest.mark.slow
def test_one_file_of_dbpedia(spark: SparkSession, shared_dir: Callable[[str], Path], real_engine: Engine) -> None:
    """Real triples of 58,000 entities, in one file."""
    path = shared_dir("dbpedia") / "entities.nt.bz2"
    publications = Publication.parse_many(bz2.decompress(path.read_bytes()), "nt")
    matches = found(match(read(spark, str(path)), real_engine))
    assert matches == expected(real_engine, publications)
    assert matches.total() > 1_000


def test_literals_as_written(spark: SparkSession, tmp_path: Path) -> None:
    """Escapes come out as the right terms: in IRIs, in texts, and what only looks like one."""
    (tmp_path / "a.nt").write_text(
        '<http://e.org/\\u00e9> <http://e.org/p> "\\u00c9migr\\u00e9 \\"quoted\\" \\U0001F600 50%"@FR .\n'
        "<http://e.org/%C3%A9> <http://e.org/p> <http://e.org/a%20b> .\n",
        encoding="utf-8",
    )
    engine = Engine()
    engine.register("all", "SELECT ?x ?o WHERE { ?x <http://e.org/p> ?o }")
    rows = match(read(spark, str(tmp_path)), engine, bindings=True).collect()
    terms = {(row["publication"], row["bindings"][0]["x"]["value"], row["bindings"][0]["o"]["value"]) for row in rows}
    text = Literal('Émigré "quoted" 😀 50%').lexical
    assert terms == {
        ("http://e.org/é", "http://e.org/é", text),
        ("http://e.org/%C3%A9", "http://e.org/%C3%A9", "http://e.org/a%20b"),
    }
