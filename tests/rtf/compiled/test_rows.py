"""Rows of terms as the kernel reads them: whatever way they are written, they are the same terms."""

from __future__ import annotations

import random

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from rtf import Engine, Publication
from rtf.columns import columns_of
from sparql_ft.terms import IRI, XSD, BlankNode, Literal, Term

ODD = '\\"\0\x01\x02\n\r\t ßéÉ\u0301中\U0001d400K'
LITERALS = [
    Literal(f"a{ODD} Rio"),
    Literal("Rio", language="en-gb"),
    Literal("01", XSD + "integer"),
    Literal("x" * 2000 + " rio"),
    Literal("rio", "urn:t" + "t" * 3000),
    Literal(""),
]
QUERIES = {
    "word": 'ASK { ?s <urn:p> ?t FILTER ftcontains(?t, "RIO") }',
    "cased": 'ASK { ?s ?p ?t FILTER ftcontains(?t, "Rio" using case sensitive) }',
    "plain marks": 'ASK { ?s <urn:p> ?t FILTER ftcontains(?t, "e" using diacritics insensitive) }',
    "stem": 'ASK { ?s ?p ?t FILTER ftcontains(?t, "games" using stemming) }',
    "language": 'ASK { ?s <urn:p> "Rio"@EN-gb }',
    "number": f'ASK {{ ?s <urn:p> "01"^^<{XSD}integer> }}',
    "string": f'ASK {{ ?s <urn:p> ""^^<{XSD}string> }}',
    "long type": f'ASK {{ ?s <urn:p> "rio"^^<urn:t{"t" * 3000}> }}',
    "odd": 'ASK { ?s <urn:p> "a'
    + ODD.translate(str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\r": r"\r"}))
    + ' Rio" }',
    "object": "ASK { ?s <urn:é> <urn:É> }",
    "star": 'ASK { ?s <urn:é> ?o ; <urn:p> ?t FILTER ftcontains(?t, "rio") }',
    "graph": "ASK { GRAPH ?g { ?s ?p ?o } }",
    "named": "ASK { GRAPH <urn:g> { ?s ?p ?o } }",
    "join": "ASK { ?s <urn:é> ?o . ?o <urn:p> ?t }",
}


def written(term: Term, rng: random.Random) -> str:
    """A term in N-Triples, with characters escaped here and there, and tags in any case."""

    def escaped(text: str, must: str) -> str:
        return "".join(
            f"\\U{ord(c):08X}"
            if c in must or rng.random() < 0.1
            else f"\\u{ord(c):04x}"
            if ord(c) < 0x10000 and rng.random() < 0.1
            else c
            for c in text
        )

    match term:
        case IRI():
            return f"<{escaped(term.value, '')}>"
        case BlankNode():
            return f"_:{term.label}"
        case Literal():
            text = f'"{escaped(term.lexical, chr(92) + chr(34) + chr(10) + chr(13))}"'
            if term.language is not None:
                return f"{text}@{''.join(rng.choice((c, c.upper())) for c in term.language)}"
            return text if term.datatype == XSD + "string" and rng.random() < 0.5 else f"{text}^^<{term.datatype}>"


nodes = st.sampled_from([IRI("urn:s"), IRI("urn:É"), BlankNode("b"), BlankNode("c")])
literals = st.sampled_from(LITERALS) | st.text(alphabet=st.characters(exclude_categories=("Cs",))).map(Literal)
triples = st.tuples(nodes, st.sampled_from([IRI("urn:p"), IRI("urn:é"), IRI("urn:q")]), nodes | literals)
published = st.builds(
    lambda triples, graph: Publication("p", tuple(triples), graph),
    st.lists(triples, min_size=1, max_size=8),
    st.sampled_from([None, IRI("urn:g"), IRI("urn:h"), BlankNode("g")]),
)


@given(st.lists(published, min_size=1, max_size=4), st.randoms(use_true_random=False))
@settings(max_examples=150)
def test_rows_mean_what_publications_mean(publications: list[Publication], rng: random.Random) -> None:
    """The batch agrees with the mutable segment, which knows neither rows nor kernel."""
    compiled = Engine(freeze_at=1, background=False)
    plain = Engine(freeze_at=None)
    for engine in (compiled, plain):
        engine.register_many(QUERIES.items())
    rows = []
    for number, each in enumerate(publications):
        graph = None if each.graph is None else written(each.graph, rng)
        for triple in each.triples:
            terms = zip(("subject", "predicate", "object"), triple, strict=True)
            rows.append(
                {"publication": str(number), "graph": graph} | {name: written(term, rng) for name, term in terms}
            )
    found = compiled.match_batch(pa.Table.from_pylist(rows))
    expected = [(str(number), id) for number, each in enumerate(publications) for id in plain.match_ids(each)]
    assert [(row["publication"], row["query_id"]) for row in found.to_pylist()] == expected
    for each in publications:
        assert compiled.match_ids(each) == plain.match_ids(each)


def test_subjects_that_are_apart_belong_together() -> None:
    """Also where there are many, or one comes again after others."""
    engine = Engine(freeze_at=1, background=False)
    engine.register("q", 'ASK { ?x <urn:a> ?y ; <urn:p> ?t FILTER ftcontains(?t, "rio") }')
    lines = [f'<urn:s{i}> <urn:a> "x" .' for i in range(5000)] + ['<urn:s7> <urn:p> "Rio" .']
    apart = Publication.parse("\n".join(lines), id="apart")
    nobody = Publication.parse("\n".join([*lines[:-1], '<urn:t> <urn:p> "Rio" .']), id="nobody")
    assert engine.match_ids(apart) == ["q"]
    assert engine.match_ids(nobody) == []
    assert engine.match_batch(columns_of([apart, nobody])).to_pylist() == [{"publication": "apart", "query_id": "q"}]
