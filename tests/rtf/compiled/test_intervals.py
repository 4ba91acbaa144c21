"""Comparisons with constants in the kernel: the same answers as evaluation, without looking at every bound."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rtf import Engine, Publication
from sparql_ft import matches
from sparql_ft.terms import IRI, XSD, BlankNode, Literal, Term

OPERATORS = st.sampled_from(["<", "<=", ">", ">=", "=", "!="])
NUMBERS = st.one_of(
    st.integers(-5, 5).map(str),
    st.integers(-(10**18), 10**18).map(str),
    st.sampled_from(
        ["16777216", "16777217", "16777218", "20000001", "20000000", "0.1", "0.10000000149011612", "1e-40"]
    ),
    st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr),
    st.decimals(-1000, 1000, places=3).map(str),
)
DATES = st.sampled_from(
    [
        *(
            "2016-08-05",
            "2016-08-06",
            "2016-08-07",
            "2016-08-08",
            "1900-02-28",
            "2000-02-29",
            "2000-03-01",
            "0001-01-01",
        ),
        *("2016-08-05Z", "2016-02-30", "-0044-03-15", "12016-01-01"),
    ]
)
TIMES = st.sampled_from(
    ["T00:00:00", "T19:59:59Z", "T23:59:59+14:00", "T24:00:00", "T12:00:00.5", "Tnoon", "T29:00:00", ""]
)
TYPES = ("integer", "decimal", "double", "float", "nonNegativeInteger", "positiveInteger", "byte", "string")


@st.composite
def literals(draw: st.DrawFn) -> Literal:
    """Numbers, dates and times of many types; some are no value of theirs."""
    kind = draw(st.sampled_from(["number", "number", "date", "dateTime"]))
    if kind == "number":
        return Literal(
            draw(NUMBERS | st.sampled_from(["", ".", "+1", "1.", ".5", "INF", "NaN", " 1", "1e", "x"])),
            XSD + draw(st.sampled_from(TYPES)),
        )
    return Literal(draw(DATES) + (draw(TIMES) if kind == "dateTime" else ""), XSD + kind)


values = literals() | st.sampled_from(
    [IRI("urn:x"), BlankNode("b"), Literal("5", language="en"), Literal("5", "urn:type")]
)


@given(
    st.lists(st.tuples(st.booleans(), OPERATORS, literals(), st.none() | literals()), min_size=1, max_size=10),
    st.lists(values, min_size=1, max_size=3),
)
@example([(True, ">", Literal("20000000", XSD + "integer"), None)], [Literal("20000001", XSD + "integer")])
@example([(True, "<", Literal("0.1", XSD + "float"), None)], [Literal("0.1", XSD + "decimal")])
@settings(max_examples=300)
def test_comparisons(some: list[tuple[bool, str, Literal, Literal | None]], found: list[Term]) -> None:
    """Whatever is compared with whatever, from either side, between two bounds, and together with another tuple."""
    queries = {}
    for number, (turned, operator, constant, other) in enumerate(some):
        left, right = (f"{constant}", "?v") if turned else ("?v", f"{constant}")
        more = "" if other is None else f" FILTER(?v < {other})"
        queries[f"{number}"] = f"ASK {{ ?x <urn:p> ?v FILTER({left} {operator} {right}){more} }}"
        queries[f"{number} star"] = f"ASK {{ ?x <urn:p> ?v ; a <urn:C> FILTER({left} {operator} {right}){more} }}"
    publication = Publication("p", tuple((IRI("urn:s"), IRI("urn:p"), value) for value in found))
    typed = Publication(
        "t",
        (*publication.triples, (IRI("urn:s"), IRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), IRI("urn:C"))),
    )
    for layout in ("rtfm", "rtfs"):
        engine = Engine(layout=layout, freeze_at=1, background=False)  # type: ignore[arg-type]
        engine.register_many(queries.items())
        for each in (publication, typed):
            assert engine.match_ids(each) == [id for id, text in queries.items() if matches(text, each)]


@pytest.mark.parametrize("layout", ["rtfm", "rtfs"])
def test_work_grows_with_what_is_found(layout: str) -> None:
    """Of ten thousand bounds only those are looked at that a value is beyond; what is clear is decided there."""
    engine = Engine(layout=layout, freeze_at=1, background=False)  # type: ignore[arg-type]
    engine.register_many(
        (f"{operator}{bound}", f"ASK {{ ?x <urn:price> ?v FILTER(?v {operator} {bound}) }}")
        for bound in range(0, 50_000, 10)
        for operator in ("<", ">")
    )
    report = engine.report(Publication.parse(f'<urn:s> <urn:price> "25"^^<{XSD}integer> .'))
    assert report.query_ids[:4] == [">0", ">10", ">20", "<30"]
    assert len(report.query_ids) == 3 + 4997
    assert (report.checked, report.candidates) == (0, 5000)
    few = engine.report(Publication.parse(f'<urn:s> <urn:price> "49985.5"^^<{XSD}double> .'))
    assert few.query_ids[-1] == "<49990"
    assert few.checked == 0
    none = engine.report(Publication.parse("<urn:s> <urn:price> <urn:free> ."))
    assert (none.query_ids, none.candidates) == ([], 0)
    near = engine.report(Publication.parse(f'<urn:s> <urn:price> "30"^^<{XSD}decimal> .'))
    assert ">30" not in near.query_ids
    assert "<30" not in near.query_ids
    assert 0 < near.checked < 5  # only what it is near to
