"""What is said about full text that is wrong, word for word."""

from __future__ import annotations

import pytest

from sparql_ft import QuerySyntaxError, parse
from tests.sparql_ft.syntax.marked import complaint, complaint_of, refusal

DISTANCE = "Say how many words may stand between, from least to most: ftNEAR[0,5], or ftNEAR[2,*] for 2 or more."
STEMMERS = (
    "ar (Arabic), da (Danish), de (German), en (English), es (Spanish), fi (Finnish), fr (French), hu (Hungarian), "
    "it (Italian), nl (Dutch), no (Norwegian), pt (Portuguese), ro (Romanian), ru (Russian), sv (Swedish)"
)
UNENDED = "A string ends with the quote it starts with; line breaks need triple quotes, a backslash needs another."
NEVER_A_LITERAL = "ftcontains looks at ?x, which can never be a literal here"
ONLY_OBJECTS = "Only the object of a triple pattern can be one, as in `?thing <title> ?x`."


def within(condition: str) -> str:
    """A query with the condition in a FILTER."""
    return f"SELECT * {{ ?s ?p ?o FILTER {condition} }}"


def portable(call: str) -> str:
    """A query with the portable spelling in a FILTER."""
    return f"PREFIX ft: <urn:sparql-ft:> {within(call)}"


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ('ftcontains(?o, "a" ▲ftNEER[0,2] "b")', "unexpected ftNEER; expected ')', ftAND, ftNEAR or ftOR", "ftNEAR"),
        ('ftcontains(?o, "a" ▲ft_and "b")', "unexpected ft_and; expected ')', ftAND, ftNEAR or ftOR", "ftAND"),
        ('ftcontains(?o, "a" ▲AND "b")', "unexpected AND; expected ')', ftAND, ftNEAR or ftOR", "ftAND"),
        ('ftcontains(?o, "a" ▲or "b")', "unexpected or; expected ')', ftAND, ftNEAR or ftOR", "ftOR"),
        ('ftcontains(?o, "a" ▲&& "b")', "unexpected &&; expected ')', ftAND, ftNEAR or ftOR", "ftAND"),
        ('ftcontains(?o, "a" ▲|| "b")', "unexpected ||; expected ')', ftAND, ftNEAR or ftOR", "ftOR"),
        ('ftcontains(?o, ▲NOT "b")', "unexpected NOT; expected a string, '(' or ftNOT", "ftNOT"),
        ('ftcontains(?o, "a" ftAND ▲! "b")', "unexpected !; expected a string, '(' or ftNOT", "ftNOT"),
        (
            '▲ftcontain(?o, "a")',
            "unexpected ftcontain; expected a function, '(', EXISTS, NOT or ftcontains",
            "ftcontains",
        ),
        (
            '▲ft-contains(?o, "a")',
            "unexpected ft-contains; expected a function, '(', EXISTS, NOT or ftcontains",
            "ftcontains",
        ),
        ('(ftcontains(?o, "a") ▲ftAND ftcontains(?o, "b"))', "unexpected ftAND; expected an operator or ')'", "&&"),
        (
            'ftcontains(?o, "a" using ▲steming)',
            "unexpected steming; expected case, diacritics, language, stemming or wildcards",
            "stemming",
        ),
    ],
)
def test_misspelt_operators(condition: str, message: str, hint: str) -> None:
    """A keyword that is almost right, or that of another language, is offered as it should be."""
    assert complaint(within(condition)) == complaint_of(within(condition), message, f"Did you mean {hint}?")


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        (
            'ftcontains(▲"a", ?o)',
            'unexpected "a"; expected a variable',
            'It looks at a variable for words in quotes: ftcontains(?text, "olympic" ftAND "games").',
        ),
        (
            'ftcontains(▲str(?o), "a")',
            "unexpected str; expected a variable",
            'It looks at a variable for words in quotes: ftcontains(?text, "olympic" ftAND "games").',
        ),
        (
            "ftcontains(?o, ▲olympic)",
            "unexpected olympic; expected a string, '(' or ftNOT",
            'Words stand in quotes: "olympic".',
        ),
        (
            "ftcontains(?o, ▲?x)",
            "unexpected ?x; expected a string, '(' or ftNOT",
            "Words stand in quotes; they cannot be taken from a variable.",
        ),
        (
            'ftcontains(?o, "a" ▲"b")',
            "unexpected \"b\"; expected ')', ftAND, ftNEAR or ftOR",
            "Join strings by ftAND, ftOR or ftNEAR; the words in one string are a phrase.",
        ),
        (
            'ftcontains(?o, "a"▲@en)',
            "unexpected @en; expected ')', ftAND, ftNEAR or ftOR",
            "A string of words has neither a language nor a datatype.",
        ),
        (
            'ftcontains(?o, "a" ▲stemming)',
            "unexpected stemming; expected ')', ftAND, ftNEAR or ftOR",
            "An option needs `using` before it: using stemming.",
        ),
        (
            'ftcontains(?o, "a") ▲ftAND ftcontains(?o, "b")',
            "unexpected ftAND; expected a pattern, '.' or '}'",
            "Conditions are joined by && and ||, with parentheses around all of them: FILTER (… && …).",
        ),
        ("ftcontains(?o▲)", "unexpected ); expected ','", None),
        ('ftcontains(?o, "a" ftAND▲)', "unexpected ); expected a string, '(' or ftNOT", None),
        ('ftcontains(?o, "a" using case▲)', "unexpected ); expected insensitive or sensitive", None),
        ('ftcontains(?o, "a" using language ▲de)', "unexpected de; expected a string", None),
    ],
)
def test_wrong_arguments(condition: str, message: str, hint: str | None) -> None:
    """What stands where words, a variable or an option should."""
    assert complaint(within(condition)) == complaint_of(within(condition), message, hint)


@pytest.mark.parametrize(
    ("distance", "message", "hint"),
    [
        (
            "▲ftNEAR[5,2]",
            "ftNEAR[5,2] can never hold: at least 5 words between, but at most 2",
            "Did you mean ftNEAR[2,5]?",
        ),
        (
            "▲ftNEAR[1,9999999999]",
            "the distance of ftNEAR is too large",
            "Use * for any distance: ftNEAR[0,*].",
        ),
        ("ftNEAR▲", "unexpected \"b\"; expected '['", DISTANCE),
        ("ftNEAR▲(0,2)", "unexpected (; expected '['", DISTANCE),
        ("ftNEAR[3▲]", "unexpected ]; expected ','", DISTANCE),
        ("ftNEAR[▲*,3]", "unexpected *; expected a number", DISTANCE),
        ("ftNEAR[▲-1,3]", "unexpected -1; expected a number", DISTANCE),
        ("ftNEAR[1,▲2.5]", "unexpected 2.5; expected a number or '*'", DISTANCE),
        ("ftNEAR[1,2▲,3]", "unexpected ,; expected ']'", None),
    ],
)
def test_wrong_distances(distance: str, message: str, hint: str | None) -> None:
    """A distance is two numbers, the smaller first, and the second may be `*`."""
    marked = within(f'ftcontains(?o, "a" {distance}"b")')
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("condition", "message"),
    [
        ('ftcontains(?o, "a" ftNEAR[1,3] ▲("b" ftOR "c"))', "unexpected (; expected a string"),
        ('ftcontains(?o, ("a" ftOR "b") ▲ftNEAR[1,3] "c")', "unexpected ftNEAR; expected ')', ftAND or ftOR"),
    ],
)
def test_near_joins_strings(condition: str, message: str) -> None:
    """The operands of ftNEAR are strings with their options."""
    expected = complaint_of(
        within(condition), message, "ftNEAR stands between strings, not between expressions in parentheses."
    )
    assert complaint(within(condition)) == expected


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        (
            '"a" using case sensitive using ▲case insensitive',
            "the options `case sensitive` and `case insensitive` exclude each other",
            "Keep one of them.",
        ),
        (
            '"a" using diacritics insensitive using ▲diacritics sensitive',
            "the options `diacritics insensitive` and `diacritics sensitive` exclude each other",
            "Keep one of them.",
        ),
        (
            '"a" using language "de" using stemming using ▲language "en"',
            "the options `language de` and `language en` exclude each other",
            "Keep one of them.",
        ),
        (
            '"a" using stemming using ▲wildcards',
            "`using stemming` and `using wildcards` do not go together: a pattern has no stem",
            None,
        ),
        (
            '"a" using wildcards using ▲stemming',
            "`using stemming` and `using wildcards` do not go together: a pattern has no stem",
            None,
        ),
        (
            '"a" using stemming using ▲case sensitive',
            "`using stemming` and `using case sensitive` do not go together: stems are in lower case",
            None,
        ),
        (
            '"a" using ▲language "de"',
            "`using language` chooses a stemmer, but nothing is stemmed here",
            "Add `using stemming`.",
        ),
        (
            '"a" using stemming using language ▲"klingon"',
            f'there is no stemmer for the language "klingon"; there are: {STEMMERS}',
            None,
        ),
    ],
)
def test_options_that_exclude_each_other(words: str, message: str, hint: str | None) -> None:
    """The caret is under the option that does not fit to those before it."""
    marked = within(f"ftcontains(?o, {words})")
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("words", "shown", "more"),
    [
        ('▲"..."', "...", ""),
        ('▲""', "", ""),
        ('"a" ftAND ▲" - \\n"', " - \\n", ""),
        ('▲"\\\\* \\\\?" using wildcards', r"\* \?", ", or a wildcard that is not escaped"),
    ],
)
def test_string_without_a_word(words: str, shown: str, more: str) -> None:
    """Each string needs a token."""
    marked = within(f"ftcontains(?o, {words})")
    message = f'the string "{shown}" has no word: it needs a letter or a digit{more}'
    assert complaint(marked) == complaint_of(marked, message)


def test_a_long_string_without_a_word() -> None:
    """A message does not repeat a string of a thousand dots."""
    error = refusal(within(f'ftcontains(?o, "{"." * 1000}")'))
    assert error.message == f'the string "{"." * 39}…" has no word: it needs a letter or a digit'


@pytest.mark.parametrize(
    "text",
    [
        'SELECT * { ?x ?p ?o FILTER ftcontains(▲?x, "a") }',
        'SELECT * { ?s ?x ?o FILTER ftcontains(▲?x, "a") }',
        'SELECT * { ?s ?p ?o FILTER ftcontains(▲?x, "a") }',
        'SELECT * { GRAPH ?x { ?s ?p ?o } FILTER ftcontains(▲?x, "a") }',
        'SELECT * { VALUES ?x { <a> UNDEF } FILTER (ftcontains(▲?x, "a") || true) }',
        'SELECT * { { ?x ?p 1 } UNION { ?s ?x 2 } FILTER ftcontains(▲?x, "a") }',
        'CONSTRUCT { ?s ?p ?x } WHERE { ?x ?p ?s FILTER ftcontains(▲?x, "a") }',
        "SELECT * { ?x ?p ?o FILTER <urn:sparql-ft:contains>(▲?x, '\"a\"') }",
    ],
)
def test_variable_that_can_never_be_a_literal(text: str) -> None:
    """A variable that is only a subject, a predicate or the name of a graph leaves nothing to look at."""
    assert complaint(text) == complaint_of(text, NEVER_A_LITERAL, ONLY_OBJECTS)


@pytest.mark.parametrize(
    "pattern",
    [
        "?x ?p 1 . ?s ?p ?x",
        "{ ?x ?p 1 } UNION { ?s ?p ?x }",
        "?x <p>* ?o",
        "?x ^<p> ?o",
        "?o <p>? ?x",
        "(?x) ?p 1",
        "?s ?p (1 ?x)",
        "?s ?p [ ?q ?x ]",
        "VALUES ?x { <a> 'b' }",
        "BIND (1 AS ?x)",
        "OPTIONAL { ?s ?p ?x }",
    ],
)
def test_variable_that_can_be_a_literal(pattern: str) -> None:
    """One place in one alternative is enough."""
    assert parse(f'SELECT * {{ {pattern} FILTER ftcontains(?x, "a") }}')
    assert parse(f'ASK {{ FILTER ftcontains(?x, "a") {pattern} }}')


@pytest.mark.parametrize(
    ("call", "message", "hint"),
    [
        (
            "ft:contains(?o, ▲'olympic')",
            "unexpected olympic; expected a string, '(' or ftNOT",
            'olympic\n  ^\nWords stand in quotes: "olympic".',
        ),
        (
            "ft:contains(?o, ▲\"'a' ftAND \")",
            "the expression ends here; expected a string, '(' or ftNOT",
            "'a' ftAND \n           ^",
        ),
        (
            'ft:contains(?o, ▲\'"a" ftNEER[0,1] "b"\')',
            "unexpected ftNEER; expected ftAND, ftNEAR, ftOR or the end",
            '"a" ftNEER[0,1] "b"\n      ^\nDid you mean ftNEAR?',
        ),
        ("ft:contains(?o, ▲'\".\"')", 'the string "." has no word: it needs a letter or a digit', '"."\n  ^'),
        (
            "ft:contains(?o, ▲'\"a')",
            "this string does not end",
            f'"a\n  ^\n{UNENDED}',
        ),
        (
            "ft:contains(?o, ▲'\"a\" LIMIT 3')",
            "unexpected LIMIT; expected ftAND, ftNEAR, ftOR or the end",
            '"a" LIMIT 3\n      ^',
        ),
    ],
)
def test_errors_in_the_portable_spelling(call: str, message: str, hint: str) -> None:
    """They show the string of ft:contains in the query, and the place in the string."""
    marked = portable(call)
    expected = complaint_of(marked, f"in the string of ft:contains: {message}", f"In that string:\n  {hint}")
    assert complaint(marked) == expected


def test_empty_string_in_the_portable_spelling() -> None:
    """There is nothing to show of an empty string."""
    marked = portable('ft:contains(?o, ▲"")')
    message = "in the string of ft:contains: the expression ends here; expected a string, '(' or ftNOT"
    assert complaint(marked) == complaint_of(marked, message)


@pytest.mark.parametrize("arguments", ["?o", "?o, ?s", "?o, 1 + 1", '"a", "b"', '?o, "a", "b"', ""])
def test_arguments_of_the_portable_spelling(arguments: str) -> None:
    """It takes a variable and a constant."""
    marked = portable(f"▲ft:contains({arguments})")
    hint = """For example: ft:contains(?body, '"olympic" ftAND "games"')"""
    assert complaint(marked) == complaint_of(marked, "ft:contains takes a variable and a constant string", hint)


def test_misspelt_portable_spelling() -> None:
    """A function of our namespace that does not exist would be an error in every solution: the query never matched."""
    marked = portable('▲ft:contain(?o, "a")')
    message, hint = "there is no function <urn:sparql-ft:contain>", "Did you mean ft:contains?"
    assert complaint(marked) == complaint_of(marked, message, hint)


def test_expectations_are_data_too() -> None:
    """A program finds what was expected in a list."""
    error = refusal(within('ftcontains(?o, "a" ▲ftNEER "b")'))
    assert isinstance(error, QuerySyntaxError)
    assert error.expected == ("')'", "ftAND", "ftNEAR", "ftOR")
