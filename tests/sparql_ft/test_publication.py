"""Publications: what is read, how it is divided, and what is said about data that cannot be read."""

from __future__ import annotations

import pickle
import re
from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from sparql_ft.publication import FORMATS, UNNAMED, Publication, PublicationError, format_name, publication_id
from sparql_ft.terms import IRI, XSD, XSD_INTEGER, BlankNode, Literal, Term, Triple
from tests.shared import shared_dir

A, B, C, G = (IRI(f"a:{name}") for name in "abcg")
X = BlankNode("x")

SAME_IN_ALL = {
    "nt": "<urn:s> <urn:p> <urn:o> .",
    "nq": "<urn:s> <urn:p> <urn:o> .",
    "ttl": "<s> <p> <o> .",
    "trig": "{ <s> <p> <o> }",
    "jsonld": '{"@id": "s", "urn:p": {"@id": "o"}}',
    "xml": """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="urn:">
              <rdf:Description rdf:about="s"><u:p rdf:resource="o"/></rdf:Description></rdf:RDF>""",
}


@pytest.mark.parametrize("name", FORMATS)
def test_formats(name: str) -> None:
    """Each format is read, from text and from bytes, relative IRIs by the default base."""
    expected = Publication("urn:s", ((IRI("urn:s"), IRI("urn:p"), IRI("urn:o")),))
    assert Publication.parse(SAME_IN_ALL[name], name) == expected
    assert Publication.parse(SAME_IN_ALL[name].encode(), format=name) == expected


def test_format_names() -> None:
    """Formats go by other names and file endings too; an unknown one lists those that are known."""
    names = [".NT", "turtle", "n-quads", "rdf", "owl", "json", ".jsonld"]
    assert list(map(format_name, names)) == ["nt", "ttl", "nq", "xml", "xml", "jsonld", "jsonld"]
    with pytest.raises(PublicationError, match=r"unknown format 'doc'\nthe formats are nt, nq, ttl, trig, jsonld, xml"):
        Publication.parse("", "doc")


def test_lexical_forms_stay_as_written() -> None:
    """Neither numbers nor their types are rewritten; language tags are in lower case."""
    data = f'<a:a> <a:b> 01, "1"^^<{XSD}int>, "1.50"^^<{XSD}double>, "x"@EN-gb, "y" .'
    assert [triple[2] for triple in Publication.parse(data, "ttl")] == [
        Literal("01", XSD_INTEGER),
        Literal("1", XSD + "int"),
        Literal("1.50", XSD + "double"),
        Literal("x", language="en-gb"),
        Literal("y"),
    ]


def test_base() -> None:
    """Relative IRIs meet the given base, and the one in the data before that."""
    assert Publication.parse("<a> <b> <#c> .", "ttl", base="http://x/y").triples[0][2] == IRI("http://x/y#c")
    assert Publication.parse("@base <http://z/> . <a> <b> <c> .", "ttl", base="http://x/y").id == "http://z/a"
    with pytest.raises(PublicationError, match="the base 'x' is no absolute IRI"):
        Publication.parse("<a> <b> <c> .", "ttl", base="x")


def test_dbpedia_dots() -> None:
    """DBpedia writes `"BA".` without a space before the dot."""
    assert Publication.parse('<a:a> <a:b> "BA".\n').triples == ((A, B, Literal("BA")),)


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        ("", "nt", UNNAMED),
        ("<a:a> <a:b> 1, 2 .", "ttl", "a:a"),
        ("<a:a> <a:b> [ <a:c> 1 ] .", "ttl", "a:a"),
        ("_:x <a:b> 1 .", "ttl", "_:x"),
        ("<a:a> <a:b> <a:c> . <a:c> <a:b> 1 .", "ttl", UNNAMED),
        ("_:x <a:b> _:y . _:y <a:b> 1 .", "ttl", UNNAMED),
        ("<a:a> <a:b> <a:c> <a:g> .", "nq", "a:g"),
        ("<a:a> <a:b> <a:c> _:x .", "nq", "_:x"),
    ],
)
def test_ids(data: str, name: str, expected: str) -> None:
    """A publication is named after its graph, or else its only subject; the caller's name comes first."""
    assert Publication.parse(data, name).id == expected
    assert Publication.parse(data, name, id="mine").id == "mine"


def test_several_graphs_are_several_publications() -> None:
    """`parse` makes one publication, so it refuses data that holds more, and says what to use."""
    data = "<a:a> <a:b> <a:c> <a:g> .\n<a:a> <a:b> <a:c> .\n"
    with pytest.raises(PublicationError, match=r"2 graphs \(<a:g>, the default graph\), not one\n.*parse_many"):
        Publication.parse(data, "nq")
    many = "".join(f"<a:a> <a:b> <a:c> <a:{i}> .\n" for i in range(5))
    with pytest.raises(PublicationError, match=r"5 graphs \(<a:0>, <a:1>, <a:2>, …\)"):
        Publication.parse(many, "nq")


def test_parse_many() -> None:
    """A named graph is a publication, and so is each subject of the default graph, in order of first appearance."""
    data = """<a:a> <a:b> <a:c> <a:g> .
              <a:a> <a:b> <a:c> .
              _:x <a:b> _:x .
              <a:c> <a:b> <a:a> <a:g> .
              <a:a> <a:b> "e" .
              <a:a> <a:b> "e" .
              <a:a> <a:b> "f" _:x ."""
    expected = [
        Publication("a:g", ((A, B, C), (C, B, A)), G),
        Publication("a:a", ((A, B, C), (A, B, Literal("e")))),
        Publication("_:dump.nq_x", ((X, B, X),)),
        Publication("_:dump.nq_x", ((A, B, Literal("f")),), X),
    ]
    assert Publication.parse_many(data, "nq", file="dump.nq") == expected
    assert [each.id for each in Publication.parse_many(data, "nq")] == ["a:g", "a:a", "_:x", "_:x"]
    assert Publication.parse_many("", "ttl") == []


def test_publication_id() -> None:
    """The rule that a dump reader needs too."""
    assert publication_id(A, "f") == "a:a"
    assert publication_id(X, "f") == "_:f_x"
    assert publication_id(X) == "_:x"


def test_anonymous_blank_nodes_have_the_same_label_each_time() -> None:
    """Their labels are random in pyoxigraph, and not all as long; the same data must give the same publication."""
    data = "<a:a> <a:b> [ <a:c> [] ], _:anon1 ."
    first, *others = (Publication.parse(data, "ttl") for _ in range(500))
    assert all(other == first for other in others)
    labels = {term.label for triple in first for term in triple if isinstance(term, BlankNode)}
    assert labels == {"anon1", "anon2", "anon3"}


def test_labels_that_look_random_stay_as_written() -> None:
    """A dump of pyoxigraph has such labels, and they are part of ids."""
    for label in ("fc4a35a5834ed657def1ccfc3a24d1c4", "fc4a35a5834ed657def1ccfc3a24d", "bed", "a"):
        for name in ("nt", "ttl"):
            assert Publication.parse_many(f"_:{label} <a:b> <a:c> .", name, file="f")[0].id == f"_:f_{label}"


@pytest.mark.parametrize(
    ("data", "name", "line", "message"),
    [
        ('<a:a> <a:b> "x" .\n<a:a> <a:b> "y .\n', "nt", 2, "it was read as nt; the formats are nt, nq"),
        ("<a> <a:b> <a:c> .", "nt", 1, "No scheme found in an absolute IRI\nIRIs are absolute in nt; relative"),
        ("<a:a> <a:b> <a:c> <a:g> .", "nt", 1, "read as nt"),
        (b'<a:a> <a:b> "\xff" .', "nt", 1, "Invalid UTF-8"),
        ("<a:a> <a:b> <a b> .", "ttl", 1, "Invalid IRI code point"),
        ("<a:a> <a:b> x:c .", "ttl", 1, "x:"),
        ("<rdf", "xml", None, "read as xml"),
        ("{", "jsonld", 1, "Object keys must be strings"),
        ('{"@context": "http://x/", "a": 1}', "jsonld", None, "nothing is fetched from the web"),
        ("\ud800", "nt", None, "cannot read the data as nt"),
        ("<a:a> <a:b> <<( <a:a> <a:b> <a:c> )>> .", "ttl", None, "triple term, which RDF 1.1 does not know"),
        ('<a:a> <a:b> "x"@en--ltr .', "nt", None, "has a base direction"),
    ],
)
def test_errors(data: bytes | str, name: str, line: int | None, message: str) -> None:
    """An error says what is wrong, where, and what to do; it can be sent to another process."""
    with pytest.raises(PublicationError, match=re.escape(message)) as caught:
        Publication.parse(data, name)
    assert caught.value.line == line
    assert (line is None) == (caught.value.column is None)
    assert str(caught.value).startswith("line ") == (line is not None)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


# --- from terms -------------------------------------------------------------------------------------------------------


def test_from_triples_takes_all_three_kinds_of_terms() -> None:
    """Our terms, rdflib's and pyoxigraph's make the same publication."""
    ours = [(A, B, Literal("01", XSD_INTEGER))]
    theirs = [(rdflib.URIRef("a:a"), rdflib.URIRef("a:b"), ox.Literal("01", datatype=ox.NamedNode(XSD_INTEGER)))]
    assert Publication.from_triples(ours) == Publication.from_triples(theirs) == Publication("a:a", (ours[0],))
    assert Publication.from_triples(ours, "n", graph=ox.NamedNode("a:g")) == Publication("n", (ours[0],), G)


def test_from_triples_resolves_relative_iris() -> None:
    """The default base serves here as well."""
    relative = [tuple(map(rdflib.URIRef, ("s", "p", "o")))]
    assert Publication.from_triples(relative).id == "urn:s"  # type: ignore[arg-type]
    assert Publication.from_triples(relative, base="http://x/").id == "http://x/s"  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("triple", "message"),
    [
        ((Literal("a"), B, C), '"a" <a:b> <a:c> is no triple'),
        ((A, X, C), "a predicate is an IRI"),
        ((A, B, "text"), "'text' is no RDF term"),
        ((A, B), "has 2 parts"),
        ((A, B, rdflib.URIRef(":x")), "no IRI reference"),
    ],
)
def test_from_triples_refuses(triple: tuple[object, object, object], message: str) -> None:
    """What is no triple is refused."""
    with pytest.raises(PublicationError, match=re.escape(message)):
        Publication.from_triples([triple])


def test_from_triples_refuses_a_literal_as_graph() -> None:
    """A graph is named by an IRI or a blank node."""
    with pytest.raises(PublicationError, match='"g" cannot name a graph'):
        Publication.from_triples([(A, B, C)], graph=Literal("g"))


def test_from_graph() -> None:
    """An rdflib graph is a publication; one with an IRI as identifier is a named graph."""
    graph = rdflib.Graph().parse(data="<a:a> <a:b> <a:c>, 'x'@en .", format="turtle")
    expected: set[Triple] = {(A, B, C), (A, B, Literal("x", language="en"))}
    assert set(Publication.from_graph(graph)) == expected
    assert Publication.from_graph(graph).id == "a:a"
    assert Publication.from_graph(graph).graph is None
    named = rdflib.Graph(identifier=rdflib.URIRef("a:g"))
    named += graph
    assert Publication.from_graph(named) == Publication("a:g", tuple(expected), G)
    assert Publication.from_graph(named, id="n").id == "n"


def test_from_graph_of_a_dataset() -> None:
    """A dataset is no graph, but its default graph is one without a name."""
    dataset = rdflib.Dataset()
    dataset.default_graph.add((rdflib.URIRef("a:a"), rdflib.URIRef("a:b"), rdflib.URIRef("a:c")))
    with pytest.raises(PublicationError, match="a Dataset may hold many graphs"):
        Publication.from_graph(dataset)
    assert Publication.from_graph(dataset.default_graph) == Publication("a:a", ((A, B, C),))


# --- as values --------------------------------------------------------------------------------------------------------


def test_a_publication_is_a_set() -> None:
    """Duplicates go, order is kept but does not count, and the id and the graph do."""
    publication = Publication("p", ((A, B, C), (B, B, C), (A, B, C)))
    assert publication.triples == ((A, B, C), (B, B, C))
    assert len(publication) == 2
    assert list(publication) == [(A, B, C), (B, B, C)]
    same = Publication("p", ((B, B, C), (A, B, C)))
    assert (same, hash(same)) == (publication, hash(publication))
    assert Publication("q", publication.triples) != publication
    assert Publication("p", publication.triples, G) != publication
    assert publication != "p"


def test_publications_are_frozen_and_can_be_sent() -> None:
    """Spark pickles them; nobody changes them."""
    publication = Publication("p", ((A, B, X),), G)
    assert pickle.loads(pickle.dumps(publication)) == publication
    with pytest.raises(AttributeError):
        publication.id = "q"  # type: ignore[misc]


def test_repr() -> None:
    """A publication shows its name and size."""
    assert repr(Publication("a:a", ((A, B, C),))) == "<Publication a:a: 1 triple>"
    assert repr(Publication("a:g", (), G)) == "<Publication a:g: 0 triples, graph <a:g>>"


iris = st.sampled_from([A, B, C])
blanks = st.sampled_from([X, BlankNode("y")])
literals: st.SearchStrategy[Term] = st.builds(
    Literal,
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5),
    st.sampled_from([XSD_INTEGER, XSD + "string"]),
    st.sampled_from([None, "en"]),
)
triple_sets = st.lists(st.tuples(iris | blanks, iris, iris | blanks | literals)).map(tuple)


@given(triple_sets, st.none() | st.just(G))
def test_text_there_and_back(triples: tuple[Triple, ...], graph: IRI | None) -> None:
    """`str` of the terms is N-Quads that reads back to the same publication."""
    publication = Publication("p", triples, graph if triples else None)
    lines = [" ".join(map(str, (*triple, *([graph] if graph else []), "."))) for triple in triples]
    assert Publication.parse("\n".join(lines), "nq", id="p") == publication
    divided = Publication.parse_many("\n".join(lines), "nq")
    assert {triple for part in divided for triple in part} == set(triples)


# --- the W3C's tests --------------------------------------------------------------------------------------------------

BASE = "https://w3c.github.io/rdf-tests/rdf/rdf11/"
MF = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
SUITES = [("rdf-n-triples", "nt"), ("rdf-n-quads", "nq"), ("rdf-turtle", "ttl")]


def entries(folder: Path) -> list[tuple[str, str, str | None]]:
    """The tests of a folder: kind, file, and the file that is expected."""
    manifest = Publication.parse((folder / "manifest.ttl").read_bytes(), "ttl", base=f"{BASE}{folder.name}/")
    kind, action, result = {}, {}, {}
    for subject, predicate, value in manifest:
        if isinstance(value, IRI):
            name = value.value.rpartition("/")[2]
            if predicate.value.endswith("#type"):
                kind[subject] = name.rpartition("#")[2]
            elif predicate.value == MF + "action":
                action[subject] = name
            elif predicate.value == MF + "result":
                result[subject] = name
    return [(kind[subject], file, result.get(subject)) for subject, file in action.items()]


@pytest.mark.parametrize(("suite", "name"), SUITES)
def test_w3c(suite: str, name: str) -> None:
    """Good files are read, to the expected triples where these are given; bad files are refused."""
    folder = shared_dir("w3c") / "rdf11" / suite
    tests = entries(folder)
    wrong = []
    for kind, file, expected in tests:
        try:
            read = Publication.parse_many((folder / file).read_bytes(), name, base=f"{BASE}{suite}/{file}")
        except PublicationError:
            outcome = "Negative" in kind
        else:
            outcome = "Negative" not in kind
            if outcome and expected is not None:
                outcome = same_graph(read, Publication.parse_many((folder / expected).read_bytes(), "nt"))
        if not outcome:
            wrong.append(file)
    assert len(tests) > 50
    assert wrong == []


def same_graph(these: list[Publication], those: list[Publication]) -> bool:
    """Whether two lists of publications hold the same triples, but for the labels of blank nodes."""
    datasets = []
    for publications in (these, those):
        lines = [" ".join(map(str, (*triple, "."))) for part in publications for triple in part]
        dataset = ox.Dataset(ox.parse("\n".join(lines), format=ox.RdfFormat.N_TRIPLES))
        dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
        datasets.append(dataset)
    return datasets[0] == datasets[1]
