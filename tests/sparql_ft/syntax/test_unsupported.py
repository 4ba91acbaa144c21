"""Constructs of SPARQL that a standing query cannot have: refused by name, at their place."""

from __future__ import annotations

import pytest

from sparql_ft import QuerySyntaxError, UnsupportedFeatureError
from tests.sparql_ft.syntax.marked import complaint, complaint_of, refusal

OWN = "Each publication is matched on its own;"
BIND = "Write BIND(expression AS ?variable) in WHERE, and select the variable."
ONE = "A query matches as soon as it has one solution;"
DATA_SET = "A standing query is matched against each publication; it has no data set of its own."
UPDATE = "Register a SELECT, ASK or CONSTRUCT query."
SPARQL_11 = "Standing queries are written in SPARQL 1.1."


@pytest.mark.parametrize(
    ("marked", "construct", "hint"),
    [
        ("SELECT * { { ▲SELECT ?s { ?s ?p ?o } } }", "a sub-select", "Write its patterns in the query itself."),
        ("SELECT * { OPTIONAL {▲SELECT * { } } }", "a sub-select", "Write its patterns in the query itself."),
        ("ASK { FILTER EXISTS { ▲SELECT * { } } }", "a sub-select", "Write its patterns in the query itself."),
        ("ASK { ▲SELECT * { } }", "a sub-select", "Write its patterns in the query itself."),
        ("SELECT ▲(?a + 1 AS ?b) { }", "(expression AS ?variable) in SELECT", BIND),
        ("SELECT ?a ▲(str(?a) AS ?b) { }", "(expression AS ?variable) in SELECT", BIND),
        ("SELECT ▲str(?a) { }", "an expression in SELECT", BIND),
        ("SELECT * { ?s ?p ?o } ▲GROUP BY ?s", "GROUP BY", f"{OWN} leave GROUP BY out."),
        ("SELECT * { } ▲HAVING (?s > 1)", "HAVING", f"{OWN} leave HAVING out, or use FILTER."),
        ("SELECT * { } ▲HAVING bound(?s)", "HAVING", f"{OWN} leave HAVING out, or use FILTER."),
        ("SELECT * { } ▲ORDER BY DESC(?s)", "ORDER BY", "Matches have no order; leave ORDER BY out."),
        ("SELECT * { } ▲orderby ?s", "ORDER BY", "Matches have no order; leave ORDER BY out."),
        ("SELECT * { } ▲LIMIT 10", "LIMIT", f"{ONE} leave LIMIT out."),
        ("SELECT * { } ▲limit10", "LIMIT", f"{ONE} leave LIMIT out."),
        ("SELECT * { } ▲OFFSET 10 LIMIT 3", "OFFSET", f"{ONE} leave OFFSET out."),
        ("SELECT * { } VALUES ?s { } ▲LIMIT 3", "LIMIT", f"{ONE} leave LIMIT out."),
        ("▲DESCRIBE <x>", "DESCRIBE", "Use SELECT or ASK: a standing query matches by its WHERE."),
        (
            "PREFIX a: <b:> ▲DESCRIBE * { ?s ?p ?o }",
            "DESCRIBE",
            "Use SELECT or ASK: a standing query matches by its WHERE.",
        ),
        ("ASK { ▲SERVICE <x> { } }", "SERVICE", "A publication is matched by its own triples; leave SERVICE out."),
        (
            "ASK { ?s ?p ?o ▲SERVICE SILENT ?x { } }",
            "SERVICE",
            "A publication is matched by its own triples; leave SERVICE out.",
        ),
        ("SELECT * ▲FROM <x> { }", "FROM", DATA_SET),
        ("SELECT * ▲FROM NAMED <x> WHERE { }", "FROM", DATA_SET),
        ("ASK ▲FROM <x> { }", "FROM", DATA_SET),
        ("CONSTRUCT ▲FROM <x> WHERE { }", "FROM", DATA_SET),
        ("CONSTRUCT { } ▲FROM <x> WHERE { }", "FROM", DATA_SET),
        ("ASK { ?s ?p ?o ▲LATERAL { } }", "LATERAL", None),
        ("ASK { ?s ?p ?o . ▲LATERAL { } }", "LATERAL", None),
        ("ASK { FILTER <f>(▲DISTINCT ?x) }", "DISTINCT in a function call", None),
    ],
)
def test_constructs(marked: str, construct: str, hint: str | None) -> None:
    """Each is named, and what to do instead is said where there is something."""
    error = refusal(marked)
    assert isinstance(error, UnsupportedFeatureError)
    assert error.construct == construct
    assert str(error) == complaint_of(marked, f"{construct} is not supported in a standing query", hint)


@pytest.mark.parametrize("name", "COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT".split())
@pytest.mark.parametrize(
    "marked",
    [
        "SELECT (▲NAME(?x) AS ?n) { }",
        "SELECT ?s (▲NAME(DISTINCT ?x) AS ?n) { } GROUP BY ?s",
        "SELECT ▲NAME(?x) { }",
        "SELECT * { FILTER (▲NAME(?x) > 1) }",
        "SELECT * { BIND (1 + ▲NAME(?x) AS ?n) }",
    ],
)
def test_aggregates(marked: str, name: str) -> None:
    """Aggregates are named each, wherever they stand."""
    marked = marked.replace("NAME", name)
    message = f"the aggregate {name} is not supported in a standing query"
    assert complaint(marked) == complaint_of(marked, message, f"{OWN} select the variable itself.")


@pytest.mark.parametrize(
    ("marked", "word"),
    [
        ("▲INSERT DATA { <a> <b> <c> }", "INSERT"),
        ("▲DELETE WHERE { ?s ?p ?o }", "DELETE"),
        ("▲WITH <g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "WITH"),
        ("▲LOAD <x>", "LOAD"),
        ("▲CLEAR ALL", "CLEAR"),
        ("PREFIX a: <b:> ▲DROP GRAPH a:c", "DROP"),
        ("▲CREATE GRAPH <x>", "CREATE"),
        ("▲ADD DEFAULT TO <x>", "ADD"),
        ("▲MOVE <x> TO DEFAULT", "MOVE"),
        ("▲COPY <x> TO <y>", "COPY"),
    ],
)
def test_updates(marked: str, word: str) -> None:
    """An update is no query."""
    message = f"SPARQL Update ({word}) is not supported in a standing query"
    assert complaint(marked) == complaint_of(marked, message, UPDATE)


@pytest.mark.parametrize(
    ("marked", "what"),
    [
        ('▲VERSION "1.2" ASK { }', "VERSION"),
        ("ASK { ▲<< ?s ?p ?o >> ?q ?r }", "triple terms"),
        ("ASK { ▲<<( ?s ?p ?o )>> ?q ?r }", "triple terms"),
        ("ASK { ?x <says> ▲<<( ?s ?p ?o )>> }", "triple terms"),
        ("ASK { ?x <says> ▲<< <a> <b> <c> ~ <d> >> . }", "triple terms"),
        ("ASK { FILTER (?x = ▲<<( ?s ?p ?o )>>) }", "triple terms"),
        ("ASK { } VALUES ?s { ▲<<(<a> <b> <c>)>> }", "triple terms"),
        ("ASK { ?s ?p ?o ▲{| ?q ?r |} }", "annotations"),
        ("CONSTRUCT { ?s ?p ?o ▲{| ?q ?r |} } { }", "annotations"),
        ("ASK { ?s ?p ?o ▲~ ?r }", "reifiers"),
        ("ASK { [ ?p ?o ▲~ ?r ] }", "reifiers"),
        ("ASK { ?s ?p ?o ▲~ _:r {| ?q ?r |} . }", "reifiers"),
        ('ASK { ?s ?p "a"@en▲--ltr }', "base direction"),
        ('ASK { FILTER (?x = "a"@en▲--ltr) }', "base direction"),
        *(
            (f"ASK {{ FILTER (▲{name}(?x) = 1) }}", name.upper())
            for name in "TRIPLE SUBJECT PREDICATE OBJECT isTRIPLE LANGDIR STRLANGDIR hasLANG hasLANGDIR".split()
        ),
    ],
)
def test_sparql_12(marked: str, what: str) -> None:
    """SPARQL 1.2 is known by name, not mistaken for nonsense."""
    message = f"SPARQL 1.2 ({what}) is not supported in a standing query"
    assert complaint(marked) == complaint_of(marked, message, SPARQL_11)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { } LIMIT",
        "SELECT * { } LIMIT ?x",
        "SELECT * { } GROUP ?x",
        "ASK { ?s ?p ?o SERVICE }",
        "ASK { ~ ?s ?p ?o }",
        "ASK { FILTER (?x < < 1) }",
        "SELECT * FROM { }",
        "ASK { ?s limit 10 }",
        "ASK { ?s count (1 2) }",
        "ASK { ?s type service }",
        "ASK { insert <p> <o> }",
    ],
)
def test_what_is_no_construct(text: str) -> None:
    """A keyword without what belongs to it is a syntax error: nothing is unsupported that SPARQL does not have."""
    assert type(refusal(text)) is QuerySyntaxError


@pytest.mark.parametrize("name", "subject object predicate triple version lateral adjust langdir".split())
def test_words_of_sparql_12_are_names(name: str) -> None:
    """They are no keywords of SPARQL 1.1, so bare names may be spelt like them."""
    error = refusal(f"ASK {{ ?s {name} ▲. }}")
    assert error.message == "unexpected .; expected a term"
