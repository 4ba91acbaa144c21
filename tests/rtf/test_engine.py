"""The engine beyond the contract: tags, bindings, highlights, segments, work, limits, threads."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pytest
from rdflib import Literal, URIRef

from rtf import Engine, IndexFileError, Ontology, Publication, RegistrationError, UnknownQueryError
from rtf.columns import columns_of
from rtf.mutable.forest import Layout
from rtf.stats import QueryTally
from sparql_ft import matches

PREFIX = "PREFIX : <http://example.org/> "
LAYOUTS: tuple[Layout, ...] = ("rtfm", "rtfs")
KINDS = [pytest.param(layout, freeze, id=f"{layout}-{freeze}") for layout in LAYOUTS for freeze in (None, 1)]


def publication(turtle: str) -> Publication:
    """A publication of this Turtle."""
    return Publication.parse(f"@prefix : <http://example.org/> . {turtle}", format="ttl", id="p")


RIO = publication(':rio a :City ; :people 6211223 ; :text "The Olympic Games came to Rio. Rio was glad."@en .')


# --- what is told of a match ------------------------------------------------------------------------------------------


def test_owner_and_tags() -> None:
    """They are kept with the query, in every segment, and tags choose which queries are looked at."""
    for freeze in (None, 1):
        engine = Engine(freeze_at=freeze, background=False)
        engine.register("a", PREFIX + "ASK { ?x a :City }", owner="ann", tags=["news", "travel"])
        engine.register("b", PREFIX + "ASK { ?x :people ?n }", tags=["travel"])
        engine.register("c", PREFIX + "ASK { ?x :text ?t }")
        assert [(query.id, query.owner, query.tags) for query in engine] == [
            ("a", "ann", {"news", "travel"}),
            ("b", None, {"travel"}),
            ("c", None, frozenset()),
        ]
        assert engine.match_ids(RIO) == ["a", "b", "c"]
        assert engine.match_ids(RIO, tags=["travel"]) == ["a", "b"]
        assert engine.match_ids(RIO, tags=["news", "sport"]) == ["a"]
        assert engine.match_ids(RIO, tags=[]) == []
        assert [match.query_id for match in engine.match(RIO, tags=["news"])] == ["a"]


def test_bindings() -> None:
    """The projected solutions, as rdflib's terms."""
    engine = Engine()
    engine.register("q", PREFIX + "SELECT ?x ?n { ?x a :City ; :people ?n }")
    (match,) = engine.match(RIO)
    assert match.bindings == [{"x": URIRef("http://example.org/rio"), "n": Literal(6211223)}]


def test_highlights() -> None:
    """Positions count words, spans are characters of the literal as written; what only ftNOT asks for has none."""
    engine = Engine()
    engine.register(
        "q",
        PREFIX + 'SELECT ?x { ?x :text ?t FILTER ftcontains(?t, "rio" ftAND "olympic games" ftAND ftNOT "london") }',
    )
    ((highlight,),) = (match.highlights for match in engine.match(RIO))
    text = "The Olympic Games came to Rio. Rio was glad."
    assert (highlight.variable, highlight.literal.lexical, highlight.positions) == ("t", text, (1, 2, 5, 6))
    assert [text[start:end] for start, end in highlight.spans] == ["Olympic", "Games", "Rio", "Rio"]


def test_highlights_without_full_text() -> None:
    """There is nothing to highlight where nobody looked for words."""
    engine = Engine()
    engine.register("q", PREFIX + "ASK { ?x :text ?t }")
    assert [match.highlights for match in engine.match(RIO)] == [[]]


# --- the ontology -----------------------------------------------------------------------------------------------------

ONTOLOGY = Ontology(
    publication(
        """
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :Capital rdfs:subClassOf :City . :City rdfs:subClassOf :Place, :Settlement .
        :Settlement rdfs:subClassOf :Place .
        :mayor rdfs:subPropertyOf :leader . :leader rdfs:subPropertyOf :person . :person rdfs:subPropertyOf :leader .
        :kind rdfs:subPropertyOf <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> .
        """
    ).triples
)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("{ ?x a :City }", True),
        ("{ ?x a :Place }", True),
        ("{ ?x a :Country }", False),
        ("{ ?x :leader :ann }", True),
        ("{ ?x :person :ann }", True),
        ("{ ?x :mayor :bob }", False),
        ("{ ?x a :Settlement FILTER NOT EXISTS { ?x a :Place } }", False),
        ("{ :york a :Place }", True),  # by way of :kind, since properties come first
    ],
)
def test_ontology(where: str, expected: bool) -> None:
    """Superclasses and superproperties hold; several parents and cycles are fine, and negation sees what follows."""
    engine = Engine(ontology=ONTOLOGY)
    engine.register("q", f"{PREFIX} ASK {where}")
    assert engine.match_ids(publication(":rome a :Capital ; :mayor :ann . :york :kind :Capital .")) == ["q"] * expected


def test_ontology_in_columns() -> None:
    """A batch is closed as each publication would be, also where IRIs are spelt with escapes."""
    engine = Engine(ontology=ONTOLOGY, freeze_at=1, background=False)
    engine.register_many(
        (where, f"{PREFIX} ASK {where}")
        for where in ("{ ?x a :Place }", "{ ?x a :City ; :person :ann }", "{ ?x :leader ?y }", "{ ?x a :Country }")
    )
    published = [
        publication(":rome a :Capital ; :mayor :ann ."),
        replace(publication(":york :kind :Capital ; :age 5 ."), id="york"),
        replace(publication(":bonn :age 5 ."), id="bonn"),
        replace(publication(":oslo a :Capital . :paris :leader :eve ."), id="both"),
    ]
    expected = [(each.id, id) for each in published for id in engine.match_ids(each)]
    assert len(expected) == 6
    table = columns_of(published)
    escaped = pc.replace_substring(table.column("predicate"), "mayor", "m\\u0061yor")
    spelt = table.set_column(table.schema.get_field_index("predicate"), "predicate", escaped)
    for columns in (table, spelt):
        found = engine.match_batch(columns).to_pylist()
        assert [(row["publication"], row["query_id"]) for row in found] == expected
    assert engine.match_batch(table.slice(0, 0)).num_rows == 0


def test_ontology_in_bindings() -> None:
    """Bindings see what follows, too."""
    engine = Engine(ontology=ONTOLOGY)
    engine.register("q", PREFIX + "SELECT ?c { :rome a ?c }")
    (match,) = engine.match(publication(":rome a :Capital ."))
    assert {str(row["c"]).rpartition("/")[2] for row in match.bindings} == {"Capital", "City", "Place", "Settlement"}


# --- segments ---------------------------------------------------------------------------------------------------------


def test_segments_are_merged_as_they_grow() -> None:
    """However many queries come one by one, there are few segments, and none is forgotten."""
    engine = Engine(freeze_at=4, background=False)
    for number in range(200):
        engine.register(f"q{number}", f"{PREFIX} ASK {{ ?x :p{number % 7} ?y }}")
        if number % 3 == 0:
            engine.unregister(f"q{number}")
    assert engine.stats().segments <= 7
    expected = [f"q{number}" for number in range(200) if number % 3 and number % 7 == 2]
    assert engine.match_ids(publication(":a :p2 :b .")) == expected
    assert len(engine) == len([number for number in range(200) if number % 3])


def test_garbage_is_collected_again() -> None:
    """Nothing is collected while many queries are frozen; afterwards it is as before, also after an error."""

    def queries(name: str) -> Iterator[tuple[str, str]]:
        return ((f"{name}{number}", f"ASK {{ ?x <urn:p{number}> ?y }}") for number in range(300))

    engine = Engine(background=False)
    engine.register_many(queries("a"))
    after = [gc.isenabled()]
    with pytest.raises(RegistrationError):
        engine.register_many([("wrong", "ASK {"), *queries("b")])
    after.append(gc.isenabled())
    gc.disable()
    try:
        engine.register_many(queries("c"))
        after.append(gc.isenabled())
    finally:
        gc.enable()
    assert after == [True, True, False]
    assert len(engine) == 600


def test_merging_goes_on_behind() -> None:
    """Queries that are dropped or replaced while they are merged are gone from what comes of it."""
    engine = Engine(freeze_at=4)
    for number in range(40):
        engine.register(f"q{number}", PREFIX + "ASK { ?x :people ?y }")
        engine.register(f"q{number // 2}", f"{PREFIX} ASK {{ ?x :p{number} ?y }}", replace=True)
        if number % 5 == 0:
            engine.unregister(f"q{number}")
    engine.wait()
    assert engine.match_ids(RIO) == [f"q{number}" for number in range(20, 40) if number % 5]
    assert engine.match_ids(publication(":a :p39 :b .")) == ["q19"]
    assert len(engine) == 36


def test_tallies() -> None:
    """How often a query was candidate, matched and verified is counted, whatever segment it is in by then."""
    engine = Engine(freeze_at=3, background=False)
    engine.register("text", PREFIX + 'ASK { ?x :text ?t FILTER ftcontains(?t, "olympic rio") }')
    engine.register("plain", PREFIX + "ASK { ?x a :City }")
    engine.match_ids(RIO)
    engine.register("more", PREFIX + "ASK { ?x a :Town }")  # the three are frozen
    engine.match_ids(RIO)
    engine.match_batch(columns_of([RIO, replace(RIO, id="again")]))
    engine.register_many([(str(number), f"{PREFIX} ASK {{ ?x :p{number} 1 }}") for number in range(9)])  # and merged
    engine.match_ids(RIO)
    tallies = dict(engine.tallies())
    assert next(iter(tallies)) == "text"  # it alone is verified outside of the kernel; the mutable segment needed not
    assert (tallies["text"].candidates, tallies["text"].matched, tallies["text"].verified) == (4, 0, 4)
    assert (tallies["plain"].candidates, tallies["plain"].matched) == (5, 5)
    assert tallies["more"] == tallies["0"] == QueryTally()
    assert tallies["text"].seconds > 0
    assert len(tallies) == len(engine) == 12


def test_stats() -> None:
    """What the engine holds is told by part."""
    engine = Engine(freeze_at=3, background=False)
    queries = [(word, f'{PREFIX} ASK {{ ?x a :City ; :text ?t FILTER ftcontains(?t, "{word}") }}') for word in "abcd"]
    engine.register_many(queries)
    stats = engine.stats()
    assert (stats.queries, stats.patterns, stats.tuples, stats.distinct_tuples, stats.words) == (4, 4, 8, 5, 4)
    assert stats.bytes.keys() == {"dictionary", "forest", "records", "ids", "texts"}
    assert stats.index_bytes == sum(stats.bytes[part] for part in ("dictionary", "forest", "records")) > 0


def test_equal_queries_are_stored_once() -> None:
    """Names of variables, projection and form do not matter to matching."""
    for freeze in (None, 1):
        engine = Engine(freeze_at=freeze, background=False)
        engine.register_many(
            [
                ("a", PREFIX + "SELECT ?x { ?x a :City ; :people ?n FILTER(?n > 5) }"),
                ("b", PREFIX + "ASK { ?y a :City . ?y :people ?m . FILTER(?m > 5) }"),
                ("c", PREFIX + "ASK { ?y a :City . ?z :people ?m . FILTER(?m > 5) }"),
            ]
        )
        assert (engine.stats().patterns, engine.stats().distinct_tuples) == (2, 2)
        assert engine.match_ids(RIO) == ["a", "b", "c"]


def test_unknown_ids() -> None:
    """Whoever asks for a query that is not there is told so."""
    engine = Engine()
    for ask in (engine.unregister, engine.__getitem__):
        with pytest.raises(UnknownQueryError, match="there is no query 'x'"):
            ask("x")


def test_unknown_layout() -> None:
    """There are two."""
    with pytest.raises(ValueError, match="there is no layout 'trie'; there are rtfm and rtfs"):
        Engine(layout="trie")  # type: ignore[arg-type]


# --- work -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("layout", "freeze"), KINDS)
def test_work_does_not_grow_with_the_queries(layout: Layout, freeze: int | None) -> None:
    """Queries that have nothing to do with a publication cost nothing: neither nodes nor candidates."""
    work = []
    for count in (10, 1000):
        engine = Engine(layout=layout, freeze_at=freeze, background=False)
        engine.register("q", PREFIX + 'ASK { ?x a :City ; :text ?t FILTER ftcontains(?t, "rio") }')
        engine.register_many(
            (f"q{n}", f'{PREFIX} ASK {{ ?x a :Class{n} ; :text ?t FILTER ftcontains(?t, "word{n}") }}')
            for n in range(count)
        )
        report = engine.report(RIO)
        assert (report.query_ids, report.candidates, report.verified) == (["q"], 1, 0)
        work.append(report.nodes_visited)
    assert work[0] == work[1] < 30


@pytest.mark.parametrize(("layout", "freeze"), KINDS)
def test_learning_finds_the_rare_part(layout: Layout, freeze: int | None) -> None:
    """What the sample shows to be rare is looked at first, whatever the queries suggest."""
    engine = Engine(layout=layout, freeze_at=freeze, background=False)
    engine.register_many(
        (word, f'{PREFIX} ASK {{ ?x a :Rare ; :text ?t FILTER ftcontains(?t, "{word}") }}')
        for word in ("olympic", "games", "rio", "glad")
    )
    before = engine.report(RIO).candidates
    engine.learn([RIO] * 3)
    assert (before, engine.report(RIO).candidates) == (4, 0)


# --- limits -----------------------------------------------------------------------------------------------------------

MANY = publication(" ".join(f":s{i} :p {i} ; :q {i} ; :r {i} ." for i in range(300)))
EVIL = publication(f':s :t "{"a" * 40}b" ; :p 1 .')


@pytest.mark.parametrize(("layout", "freeze"), KINDS)
@pytest.mark.parametrize(
    ("where", "data"),
    [
        ("{ ?a :p ?x . ?b :q ?y . ?c :r ?z FILTER(?x + ?y + ?z < 0) }", MANY),
        ("{ ?a ?p ?x . ?b ?q ?y . ?c ?r ?z FILTER(?x + ?y = ?z + 0.5) }", MANY),
        ("{ ?a :p ?x OPTIONAL { ?b :q ?y . ?c :r ?z FILTER(?y + ?z < ?x - 1000) } FILTER(bound(?y)) }", MANY),
        ("{ ?s :t ?t FILTER regex(?t, '^(a|a|aa)+$') }", EVIL),
        ("{ ?s :t ?t OPTIONAL { ?s :x ?x } FILTER(regex(?t, '^(a|a|aa)+$') || bound(?x)) }", EVIL),
    ],
)
def test_no_query_takes_long(layout: Layout, freeze: int | None, where: str, data: Publication) -> None:
    """A query that would take too long is given up and reported, and the others are answered."""
    engine = Engine(layout=layout, freeze_at=freeze, background=False)
    engine.register_many(
        [("before", "ASK {}"), ("slow", f"{PREFIX} ASK {where}"), ("after", PREFIX + "ASK { ?s :p 1 }")]
    )
    report = engine.report(data)
    assert report.query_ids == ["before", "after"]
    assert list(report.failures) == ["slow"]
    assert "steps" in report.failures["slow"] or "regular expression" in report.failures["slow"]


@pytest.mark.parametrize(("layout", "freeze"), KINDS)
def test_many_wildcards(layout: Layout, freeze: int | None) -> None:
    """Patterns of many stars are no danger: they take no more than the product of lengths."""
    engine = Engine(layout=layout, freeze_at=freeze, background=False)
    engine.register("q", f'{PREFIX} ASK {{ ?s :t ?t FILTER ftcontains(?t, "{"*a" * 60}*c" using wildcards) }}')
    assert engine.match_ids(publication(f':s :t "{"a" * 3000}b" .')) == []
    assert engine.match_ids(publication(f':s :t "{"a" * 3000}c" .')) == ["q"]


@pytest.mark.parametrize(("layout", "freeze"), KINDS)
def test_a_large_publication(layout: Layout, freeze: int | None) -> None:
    """A subject with many triples, and more hits than the kernel has room for at first."""
    data = publication(":s a :T . " + " ".join(f":s :p{i % 10} {i} . :o{i} :q :s ." for i in range(6000)))
    texts = {
        "star": "{ ?s a :T ; :p1 4001 ; :p2 ?v }",
        "join": "{ ?s a :T . ?o :q ?s . ?s :p3 3 }",
        "none": "{ ?s a :T ; :p1 4002 }",
        "any": "{ ?s ?p ?o . ?o ?q ?r }",
    }
    engine = Engine(layout=layout, freeze_at=freeze, background=False)
    engine.register_many((id, f"{PREFIX} ASK {where}") for id, where in texts.items())
    expected = [id for id, where in texts.items() if matches(f"{PREFIX} ASK {where}", data)]
    assert engine.match_ids(data) == expected == ["star", "join", "any"]


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A saved engine."""
    engine = Engine(layout="rtfm", base="http://base.example/")
    engine.register(
        "é\0", PREFIX + 'ASK { ?x :text ?t FILTER ftcontains(?t, "rio" using stemming) }', owner="ann", tags=["t"]
    )
    engine.register("phrase", PREFIX + 'ASK { ?x :text ?t FILTER ftcontains(?t, "olympic games") }')
    engine.save(tmp_path / "index")
    return tmp_path / "index"


def test_save_and_load(saved: Path) -> None:
    """All there is comes back: layout, base, ids, owners, tags, and what matches; and it can be changed."""
    engine = Engine.load(saved)
    assert (engine.layout, len(engine), "phrase" in engine) == ("rtfm", 2, True)
    assert (engine["é\0"].owner, engine["é\0"].tags) == ("ann", {"t"})
    assert engine.match_ids(RIO) == ["é\0", "phrase"]
    engine.unregister("é\0")
    engine.register("new", PREFIX + "ASK { ?x a :City }")
    assert engine.match_ids(RIO) == ["phrase", "new"]
    assert Engine.load(saved).match_ids(RIO) == ["é\0", "phrase"], "the file does not change"


def test_save_nothing(tmp_path: Path) -> None:
    """An engine without queries is one, too."""
    Engine().save(tmp_path / "index")
    engine = Engine.load(tmp_path / "index")
    assert (len(engine), engine.match_ids(RIO)) == (0, [])
    engine.register("q", "ASK {}")
    assert engine.match_ids(RIO) == ["q"]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda _: b"", "no saved index"),
        (lambda data: b"PK" + data, "no saved index"),
        (lambda data: data[:15], "in the middle of its header"),
        (lambda data: data[:200], "in the middle of its header"),
        (lambda data: data[:100] + b"x" + data[101:], "header is damaged"),
        (lambda data: data[:-100], "100 bytes are missing at the end"),
        (lambda data: data[:-10] + b"~" + data[-9:], "is damaged"),
        (lambda data: data.replace(b'"version": ', b'"version": 9'), "header is damaged"),
    ],
)
def test_unusable_files(saved: Path, damage: object, message: str) -> None:
    """Each says what is wrong, and what to do."""
    saved.write_bytes(damage(saved.read_bytes()))  # type: ignore[operator]
    with pytest.raises(IndexFileError, match=message) as caught:
        Engine.load(saved)
    assert "Engine.save" in str(caught.value)


@pytest.mark.parametrize(("name", "value"), [("VERSION", 9), ("unidata_version", "1.0")])
def test_files_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    """An index of another format, or of another Unicode, is not used."""
    with monkeypatch.context() as patched:
        patched.setattr(f"rtf.compiled.file.{name}", value)
        Engine().save(tmp_path / "index")
    with pytest.raises(IndexFileError, match=r"version 9|Unicode 1\.0"):
        Engine.load(tmp_path / "index")


# --- threads ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("freeze", [None, 8])
def test_threads(freeze: int | None) -> None:
    """Publications are matched in several threads while queries come and go in another: no answer is ever wrong."""
    engine = Engine(freeze_at=freeze)
    engine.register("always", PREFIX + "ASK { ?x a :City }")
    wrong: list[object] = []
    done = threading.Event()

    def match() -> None:
        while not done.is_set():
            found = engine.match_ids(RIO)
            if (
                found[:1] != ["always"]
                or any(not id.startswith("city") for id in found[1:])
                or found != list(dict.fromkeys(found))
            ):
                wrong.append(found)

    threads = [threading.Thread(target=match) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for number in range(60):
            engine.register(f"city{number}", f"{PREFIX} ASK {{ ?x a :City ; :people ?n FILTER(?n > {number}) }}")
            engine.register(f"town{number}", f"{PREFIX} ASK {{ ?x a :Town{number} }}")
            if number % 2:
                engine.unregister(f"city{number - 1}")
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert wrong == []
    assert engine.match_ids(RIO) == ["always", *(f"city{number}" for number in range(1, 60, 2))]
