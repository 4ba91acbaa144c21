"""What a query will be indexed by: as blocks for people, as JSON and rows for programs."""

from __future__ import annotations

import pytest

from rtf.files.query_files import QueryRecord
from rtf.files.query_report import COLUMNS, Decision, as_block, as_json, as_rows, shortener, visible
from sparql_ft import extract, parse

PREFIX = "PREFIX : <urn:x:> "


def block(text: str) -> list[str]:
    """The lines below the first."""
    record = QueryRecord("q.rq", 1, "q", text)
    head, *lines, end = as_block(record, extract(parse(text))).split("\n")
    assert (head, end) == ("q  (q.rq)", "")
    return lines


def only_tuple(text: str) -> dict[str, object]:
    """The one tuple of a query, as JSON."""
    told = as_json(extract(parse(text)))
    assert isinstance(told["alternatives"], list)
    ((each,),) = (alternative["tuples"] for alternative in told["alternatives"])
    assert isinstance(each, dict)
    return each


# --- blocks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"sea"', "sea"),
        ('"sea" ftAND "gulf"', "sea + gulf"),
        ('"sea" ftOR "gulf"', "sea | gulf"),
        ('"sea" ftAND ("gulf" ftOR "bay")', "sea + gulf | sea + bay"),
        ('"Seas" using stemming', "sea (en stem)"),
        ('"Meere" using stemming using language "de"', "meer (de stem)"),
        ('"Sea" using case sensitive', "Sea (case sensitive)"),
        ('"Müritz" using diacritics insensitive', "muritz (without diacritics)"),
    ],
)
def test_words(text: str, words: str) -> None:
    """Where the words decide, they are all there is to say."""
    lines = block(f"{PREFIX} ASK {{ ?x :p ?y FILTER ftcontains(?y, {text}) }}")
    assert lines == ["  ?x :p ?y", f"      words  {words}", "  decided   by its tuples alone"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('"black sea"', "black + sea"),
        ('"black" ftNEAR[0,3] "sea"', "black + sea"),
        ('"sea" ftAND ftNOT "gulf"', "sea"),
        ('"black s*" using wildcards', "black"),
        ('ftNOT "gulf"', "(none required)"),
        ('"*sea" using wildcards', "(none required)"),
    ],
)
def test_text(text: str, words: str) -> None:
    """Where they do not, the whole expression is shown as well."""
    lines = block(f"{PREFIX} ASK {{ ?x :p ?y FILTER ftcontains(?y, {text}) }}")
    assert lines == ["  ?x :p ?y", f"      words  {words}", f"      text   {text}", "  decided   by its tuples alone"]


def test_conditions() -> None:
    """A condition stands below its tuple, or below all of them if it needs several."""
    assert block(PREFIX + "ASK { ?x :p ?y ; :q ?z FILTER (?y > 3) FILTER (?y < ?z) }") == [
        "  ?x :p ?y",
        "      where  ?y > 3",
        "  ?x :q ?z",
        "  joins     ?x",
        "  where     ?y < ?z",
        "  decided   by its tuples and joins",
    ]


def test_star() -> None:
    """That tuples share their subject is seen at once, and is no join to be told."""
    assert block(PREFIX + "ASK { ?x a :C ; :p ?y }") == ["  ?x a :C", "  ?x :p ?y", "  decided   by its tuples alone"]


def test_joins() -> None:
    """Variables that must have one value in several tuples."""
    assert block(PREFIX + "ASK { ?x :p ?y . ?y :q ?z . ?z :p ?x }")[3:] == [
        "  joins     ?x, ?y, ?z",
        "  decided   by its tuples and joins",
    ]


def test_alternatives() -> None:
    """A UNION is indexed branch by branch."""
    assert block(PREFIX + "ASK { { ?x :p 1 } UNION { ?x :q * } }") == [
        "  alternative 1 of 2",
        "    ?x :p 1",
        "    decided   by its tuples alone",
        "  alternative 2 of 2",
        "    ?x :q *",
        "    decided   by its tuples alone",
    ]


def test_graph() -> None:
    """A named graph is wanted."""
    assert block(PREFIX + "ASK { GRAPH ?g { ?x :p ?y } }")[1:] == ["  in graph  ?g", "  decided   by its tuples alone"]


def test_full_sparql() -> None:
    """What tuples cannot say is left to the evaluation of the query, where they are found."""
    lines = block(PREFIX + "ASK { ?x :p ?y MINUS { ?x :q ?z } }")
    assert lines == ["  ?x :p ?y", "  decided   by full SPARQL, on the publications that its tuples find"]


def test_no_tuple() -> None:
    """Without a tuple every publication is looked at, or matches at once."""
    assert block("ASK {}") == ["  no tuple is required", "  decided   at once: it matches every publication"]
    assert block("ASK { FILTER NOT EXISTS { ?x a <x> } }") == [
        "  no tuple is required",
        "  decided   by full SPARQL, on the publications that its tuples find",
    ]


def test_never() -> None:
    """A query without alternatives matches nothing."""
    assert block("ASK { VALUES ?x {} }") == ["  never matches"]


def test_place() -> None:
    """The line is told where it helps: not of a file that is one query."""
    tuples = extract(parse("ASK {}"))
    heads = [
        as_block(record, tuples).split("\n")[0]
        for record in (
            QueryRecord("q.rq", 1, "a", "ASK {}"),
            QueryRecord("q.rq", 2, "a", "ASK {}"),
            QueryRecord("q.jsonl", 1, "a", "ASK {}", quoted=True),
        )
    ]
    assert heads == ["a  (q.rq)", "a  (q.rq:2)", "a  (q.jsonl:1)"]


def test_long_texts_are_cut() -> None:
    """Programs write texts of thousands of words; a person sees the beginning, and how much there is."""
    words = " ftOR ".join(f'"a{number} b"' for number in range(1000))
    _, found, text, _ = block(f"ASK {{ ?x ?p ?y FILTER ftcontains(?y, {words}) }}")
    assert found == f"      words  {' | '.join(f'a{number} + b' for number in range(8))} | … and 992 more"
    assert text == f"      text   {words[:400]} … ({len(words):,} characters)"
    sets = only_tuple(f"ASK {{ ?x ?p ?y FILTER ftcontains(?y, {words}) }}")["words"]
    assert isinstance(sets, list)
    assert len(sets) == 1000


# --- programs -------------------------------------------------------------------------------------------------------


def test_json() -> None:
    """All there is, with IRIs in full."""
    text = PREFIX + 'ASK { ?x :p ?y FILTER (lang(?y) = "en") FILTER ftcontains(?y, "black sea" ftOR "baltic") }'
    assert as_json(extract(parse(text))) == {
        "decided_by": "tuples",
        "alternatives": [
            {
                "decided_by": "tuples",
                "tuples": [
                    {
                        "subject": "?x",
                        "predicate": "<urn:x:p>",
                        "object": "?y",
                        "text": '"black sea" ftOR "baltic"',
                        "words": [["black", "sea"], ["baltic"]],
                        "words_decide": False,
                        "conditions": ['LANG(?y) = "en"'],
                    }
                ],
                "joins": [],
                "conditions": [],
                "graphs": [],
            }
        ],
    }


def test_json_of_no_text() -> None:
    """Without full text there is nothing that words could decide; of ftNOT, the empty set is required."""
    plain = only_tuple("ASK { ?x ?p ?y }")
    assert (plain["text"], plain["words"], plain["words_decide"]) == (None, None, None)
    negated = only_tuple('ASK { ?x ?p ?y FILTER ftcontains(?y, ftNOT "sea") }')
    assert (negated["text"], negated["words"], negated["words_decide"]) == ('ftNOT "sea"', [[]], False)


def test_rows() -> None:
    """A row a tuple, with what concerns the whole alternative in each of them."""
    text = PREFIX + 'ASK { { ?x :p ?y ; :q ?y FILTER ftcontains(?y, "a" ftOR "b c") } UNION { GRAPH :g { ?x :r 1 } } }'
    found = as_rows(QueryRecord("f", 3, "q", text), extract(parse(text)))
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in found]
    assert [(row["alternative"], row["tuple"]) for row in rows] == [(1, 1), (1, 2), (2, 1)]
    assert {(row["id"], row["source"], row["line"], row["decided_by"]) for row in rows} == {("q", "f", 3, "joins")}
    assert [str(row["predicate"]) for row in rows] == ["<urn:x:p>", "<urn:x:q>", "<urn:x:r>"]
    assert [row["words"] for row in rows] == ["a | b + c", "a | b + c", ""]
    assert [(row["joins"], row["graphs"]) for row in rows] == [("?x ?y", ""), ("?x ?y", ""), ("", "<urn:x:g>")]


@pytest.mark.parametrize(("text", "number"), [("ASK {}", 1), ("ASK { VALUES ?x {} }", "")])
def test_row_without_tuples(text: str, number: object) -> None:
    """A query is there even if there is nothing to index."""
    (row,) = as_rows(QueryRecord("f", 1, "q", text), extract(parse(text)))
    assert row == ["q", "f", 1, "tuples", number, *[""] * (len(COLUMNS) - 5)]


def test_no_required_word_in_rows() -> None:
    """An empty cell, since anything else would be taken for a word."""
    text = 'ASK { ?x ?p ?y FILTER ftcontains(?y, ftNOT "sea") }'
    (row,) = as_rows(QueryRecord("f", 1, "q", text), extract(parse(text)))
    assert row[COLUMNS.index("words")] == ""


@pytest.mark.parametrize(
    ("text", "decision"),
    [
        ("ASK { ?x a <c> ; <p> ?y }", Decision.TUPLES),
        ("ASK { ?x <p> ?y . ?y <p> ?x }", Decision.JOINS),
        ("ASK { ?x <p>+ ?y }", Decision.SPARQL),
        ("ASK { { ?x <p> ?y } UNION { ?x <p>+ ?y } }", Decision.SPARQL),
        ("ASK { VALUES ?x {} }", Decision.TUPLES),
    ],
)
def test_decision(text: str, decision: Decision) -> None:
    """What decides in the worst case."""
    assert Decision.of_query(extract(parse(text))) is decision


# --- texts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("<http://x.org/a>", "x:a"),
        ("<http://x.org/>", "x:"),
        ("<http://x.org/a/b>", "<http://x.org/a/b>"),
        ("<http://x.org/a b>", "<http://x.org/a b>"),  # no IRI
        ("<http://x.org/a.>", "<http://x.org/a.>"),  # no prefixed name ends in a dot
        ("<http://x.org/a(b)>", "<http://x.org/a(b)>"),
        ("<http://x.org/deep/b>", "deep:b"),
        ("<http://www.w3.org/2000/01/rdf-schema#label>", "rdfs:label"),  # well known
        ("<http://xmlns.com/foaf/0.1/name>", "<http://xmlns.com/foaf/0.1/name>"),  # the query has another foaf:
        ('"see <http://x.org/a>"', '"see <http://x.org/a>"'),
        ('"\\"" <http://x.org/a>', '"\\"" x:a'),
    ],
)
def test_shortener(text: str, short: str) -> None:
    """IRIs as the query has them, or by well-known prefixes that it does not use for something else."""
    query = "PREFIX x: <http://x.org/> prefix deep:<http://x.org/deep/> PREFIX foaf: <urn:mine:> ASK {}"
    assert shortener(query)(text) == short


@pytest.mark.parametrize(("text", "shown"), [("é 北", "é 北"), ("a\x1b[1m\n", "a\\x1b[1m\\n"), ("\u202e", "\\u202e")])
def test_visible(text: str, shown: str) -> None:
    """What could act on a terminal is escaped, also marks that turn the direction of writing."""
    assert visible(text) == shown
