"""What is said about a text that is no query, word for word."""

from __future__ import annotations

import pytest

from sparql_ft import QuerySyntaxError
from tests.sparql_ft.syntax.marked import complaint, complaint_of, refusal

DOT = "Put a dot between triples, and a semicolon between the properties of one subject."
NO_IRI = "Look for a character that must be written as %XX, or a part that is missing after the scheme or host."
CHARACTERS_OF_AN_IRI = 'An IRI has no spaces between its angle brackets, and none of < > " { } | ^ ` \\'
NEGATION = "Negation is written with !, as in FILTER (!bound(?x))."
UNENDED = "A string ends with the quote it starts with; line breaks need triple quotes, a backslash needs another."
ESCAPES = r"Write \\ for a backslash; the escapes are \t \b \n \r \f \" \' \\ and \uXXXX."
SPACE = "This is a space of another kind, or a mark that cannot be seen. Put an ordinary space, or nothing."
START = "expected ASK, BASE, CONSTRUCT, PREFIX or SELECT"
AFTER_A_TRIPLE = "expected ',', '.', ';' or '}'"
CONSTRAINT = "expected a function, '(', EXISTS, NOT or ftcontains"


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        ("▲SELET * { ?s ?p ?o }", f"unexpected SELET; {START}", "SELECT"),
        ("SELECT * { ?s ?p ?o ▲FLITER (?o > 3) }", f"unexpected FLITER; {AFTER_A_TRIPLE}", "FILTER"),
        ("SELECT * { ?s ?p ?o . ▲FLITER (?o > 3) }", "unexpected FLITER", "FILTER"),
        ("SELECT * { ?s ?p ?o . ▲FLITER(?o > 3) }", "unexpected FLITER", "FILTER"),
        ('SELECT * { ?s ?p ?o . ▲FLITER ftcontains(?o, "a") }', "unexpected FLITER", "FILTER"),
        ("SELECT * { ?s ?p ?o ▲OPTOINAL { ?s ?p ?q } }", f"unexpected OPTOINAL; {AFTER_A_TRIPLE}", "OPTIONAL"),
        ("SELECT * { ?s ?p ?o . ▲OPTOINAL { ?s ?p ?q } }", "unexpected OPTOINAL", "OPTIONAL"),
        ('SELECT * { ?s ?p ?o FILTER ▲contians(?o, "a") }', f"unexpected contians; {CONSTRAINT}", "CONTAINS"),
        ("SELECT * { ?s ?p ?o FILTER (?o > 3 ▲AND ?o < 5) }", "unexpected AND; expected an operator or ')'", "&&"),
        ("SELECT * { ?s ?p ?o FILTER (?o > 3 ▲or ?o < 5) }", "unexpected or; expected an operator or ')'", "||"),
        ("SELECT * { ?s ?p ?o FILTER (?o ▲<> 3) }", "unexpected <>; expected an operator or ')'", "!="),
        ("SELECT * { ?s ?p ?o FILTER (▲NOT bound(?o)) }", "unexpected NOT", "!"),
    ],
)
def test_misspelt_keywords(marked: str, message: str, hint: str) -> None:
    """A keyword is offered if parsing gets further with it; the caret is under the misspelt word."""
    assert complaint(marked) == complaint_of(marked, message, f"Did you mean {hint}?")


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        (
            "SELECT * { ?s ▲dbo:abstract ?o }",
            "the prefix dbo: is not declared",
            "Add this line at the top: PREFIX dbo: <http://dbpedia.org/ontology/>",
        ),
        (
            "SELECT * { ?s a ▲foaf:Person }",
            "the prefix foaf: is not declared",
            "Add this line at the top: PREFIX foaf: <http://xmlns.com/foaf/0.1/>",
        ),
        (
            "SELECT * { ?s ?p ?o FILTER ▲ft:contains(?o, '\"a\"') }",
            "the prefix ft: is not declared",
            "Add this line at the top: PREFIX ft: <urn:sparql-ft:>",
        ),
        (
            'ASK { ?s ?p "1"^^▲xsd:int }',
            "the prefix xsd: is not declared",
            "Add this line at the top: PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>",
        ),
        ("ASK { ?s ▲my:p ?o }", "the prefix my: is not declared", "Declare it at the top: PREFIX my: <…>"),
        ("ASK { ?s ▲:p ?o }", "the prefix : is not declared", "Declare it at the top: PREFIX : <…>"),
        (
            "PREFIX My: <urn:x> ASK { ?s ▲my:p ?o }",
            "the prefix my: is not declared",
            "Declare it at the top: PREFIX my: <…>",
        ),
    ],
)
def test_unknown_prefixes(marked: str, message: str, hint: str) -> None:
    """The line to add is there where everybody knows the prefix; none is declared silently."""
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        ("SELECT * { ?s ?p ▲}", "unexpected }; expected a term", None),
        ("SELECT * { ?s ▲}", "unexpected }; expected a predicate", None),
        ("SELECT * { ?s ?p ?o ▲?q }", f"unexpected ?q; {AFTER_A_TRIPLE}", DOT),
        ("SELECT * { ?s ?p ?o ▲?s ?p ?o }", f"unexpected ?s; {AFTER_A_TRIPLE}", DOT),
        (
            "SELECT * { ?s ?p* ▲?o }",
            f"unexpected ?o; {AFTER_A_TRIPLE}",
            "A path is made of IRIs; a variable cannot be repeated.",
        ),
        ("SELECT * { ?s <p>▲{2} ?o }", "unexpected {; expected a term", None),
        ("SELECT * { ?s <p>|▲?q ?o }", "unexpected ?q; expected a predicate", None),
        ("SELECT * { ?s !(<p>▲/<q>) ?o }", "unexpected /; expected ')' or '|'", None),
        ("SELECT * { ?s ▲<http://a.org/b c> ?o }", "unexpected <; expected a predicate", CHARACTERS_OF_AN_IRI),
        (
            "SELECT * { ?s http:/▲/a.org/p ?o }",
            "unexpected /; expected a predicate",
            "An IRI stands in angle brackets: <http://…>.",
        ),
        ("SELECT * { ?s ▲<http://a:b/c> ?o }", "<http://a:b/c> is no valid IRI", NO_IRI),
        ("SELECT * { ?s ▲<a%zz> ?o }", "<urn:a%zz> is no valid IRI", NO_IRI),
        ('SELECT * { GRAPH ▲"g" { } }', 'unexpected "g"; expected a variable or an IRI', None),
        ("SELECT * { { } UNION ▲?s ?p ?o }", "unexpected ?s; expected '{'", None),
        (
            "SELECT * { ▲UNION { } }",
            "unexpected UNION; expected a pattern or '}'",
            "UNION stands between two groups: { … } UNION { … }.",
        ),
        ("SELECT * { OPTIONAL ▲?s ?p ?o }", "unexpected ?s; expected '{'", None),
        ("SELECT * { VALUES ?a { ▲?b } }", "unexpected ?b; expected a constant, '}' or UNDEF", None),
        (
            "SELECT * { VALUES (?a ?b) { ▲(1) } }",
            "VALUES gives values to 2 variables, but this row has 1",
            "Write UNDEF where a row has no value.",
        ),
        ("SELECT * { VALUES (?a ?b ▲?a) { } }", "?a stands twice in the list of VALUES", None),
        (
            "SELECT * { ?s ?p ?o BIND(3 AS ▲?o) }",
            "BIND cannot assign ?o: the patterns before it in the group already bind it",
            "Choose a new name, and compare the two with FILTER if they should be equal.",
        ),
        (
            "SELECT * { _:a ?p ?o OPTIONAL { ▲_:a ?p ?q } }",
            "the blank node _:a is used in two graph patterns",
            "A blank node cannot join patterns; use a variable.",
        ),
    ],
)
def test_patterns(marked: str, message: str, hint: str | None) -> None:
    """What is wrong with a pattern, and where."""
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("condition", "message", "hint"),
    [
        ("▲?o > 3", f"unexpected ?o; {CONSTRAINT}", "A condition stands in parentheses: FILTER (…)."),
        ("NOT ▲?o", "unexpected ?o; expected EXISTS", NEGATION),
        ("NOT ▲bound(?o)", "unexpected bound; expected EXISTS", NEGATION),
        ("(?o =▲= 3)", "unexpected =; expected an expression", "Equality is written with one =."),
        ("(?a < ?b ▲< ?c)", "comparisons cannot be chained", "Join two comparisons by &&."),
        ("(?a IN (1, 2) ▲+ 3)", "nothing can be calculated with the result of IN", "Add parentheses."),
        ("(?a IN ▲3)", "unexpected 3; expected '(' or '()'", None),
        (
            "(?o = ▲name)",
            "unexpected name; expected an expression",
            "A bare name stands for an IRI only in a triple pattern; here, write <name>.",
        ),
        (
            "▲mylen(?o)",
            f"unexpected mylen; {CONSTRAINT}",
            "There is no function mylen; a function of your own needs an IRI.",
        ),
        (
            "(▲mylen(?o) > 3)",
            "unexpected mylen; expected an expression",
            "There is no function mylen; a function of your own needs an IRI.",
        ),
        ("▲STRLEN(?o, ?s)", "STRLEN takes 1 argument, not 2", None),
        ("▲regex(?o)", "REGEX takes 2 or 3 arguments, not 1", None),
        ("(▲bnode(1, 2) = 1)", "BNODE takes 0 or 1 argument, not 2", None),
        ("(▲now(1) = 1)", "NOW takes no argument, not 1", None),
        ("▲BOUND(3)", "BOUND takes a variable", "For example: bound(?x)"),
        (
            "(?o = 3) ▲|| ?o = 4",
            "unexpected ||; expected a pattern, '.' or '}'",
            "Conditions are joined by && and ||, with parentheses around all of them: FILTER (… && …).",
        ),
        (
            "(?a▲<?b&&?c>?d)",
            "unexpected <?b&&?c>; expected an operator or ')'",
            "Put a space after < and before >: without spaces, what stands between them is an IRI.",
        ),
        ("(?o = true ▲", "unexpected }; expected an operator or ')'", None),
    ],
)
def test_expressions(condition: str, message: str, hint: str | None) -> None:
    """What is wrong with a condition, and where."""
    marked = f"SELECT * {{ ?s ?p ?o FILTER {condition}}}"
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        ("CONSTRUCT { ?s ?p ▲* } WHERE { }", "`*` cannot stand in a CONSTRUCT template", "Use a variable."),
        ("CONSTRUCT { ?s ▲* ?o } WHERE { }", "`*` cannot stand in a CONSTRUCT template", "Use a variable."),
        ("CONSTRUCT WHERE { ?s ?p [ ?q ▲* ] }", "`*` cannot stand in a CONSTRUCT template", "Use a variable."),
        ("CONSTRUCT { ?s ▲<p>* ?o } WHERE { }", "a property path cannot stand in a CONSTRUCT template", "Use one IRI."),
        (
            "CONSTRUCT { ?s ▲(<p>) ?o } WHERE { }",
            "a property path cannot stand in a CONSTRUCT template",
            "Use one IRI.",
        ),
        (
            "CONSTRUCT { ?s ?p ?o ▲FILTER (?o) } { }",
            f"unexpected FILTER; {AFTER_A_TRIPLE}",
            "A template has triples only; patterns stand in WHERE.",
        ),
        ("CONSTRUCT { ?s ?p ?o ▲?x ?p ?o } { }", f"unexpected ?x; {AFTER_A_TRIPLE}", DOT),
        (
            "CONSTRUCT WHERE { ?s ?p ?o ▲OPTIONAL { } }",
            f"unexpected OPTIONAL; {AFTER_A_TRIPLE}",
            "CONSTRUCT WHERE has triples only; for more, write CONSTRUCT { … } WHERE { … }.",
        ),
        ("CONSTRUCT { ?s ?p ?o }▲", "the query ends here; expected '{' or WHERE", None),
    ],
)
def test_templates(marked: str, message: str, hint: str | None) -> None:
    """A template has triples of variables and terms."""
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize("word", ["limit", "filter", "select", "count", "group", "order", "year", "FTAND", "service"])
def test_keywords_as_names(word: str) -> None:
    """A keyword where a name should be is no construct that was meant."""
    marked = f"SELECT * {{ ?s ▲{word} ?o }}"
    hint = f"{word} is a keyword; as the name of something it is written <{word}>."
    assert complaint(marked) == complaint_of(marked, f"unexpected {word}; expected a predicate", hint)


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        ("▲{ ?s ?p ?o }", f"unexpected {{; {START}", None),
        ("▲hello world", f"unexpected hello; {START}", None),
        ("SELECT ▲{ ?s ?p ?o }", "unexpected {; expected a variable, '*', DISTINCT or REDUCED", None),
        ("SELECT ?a▲, ?b { }", "unexpected ,; expected a variable, '{' or WHERE", "Variables are separated by spaces."),
        ("SELECT DISTINCT ▲REDUCED * { }", "unexpected REDUCED; expected a variable or '*'", None),
        ("SELECT * WHERE ▲?s ?p ?o", "unexpected ?s; expected '{'", None),
        ("SELECT * { ?s ?p ?o }▲}", "unexpected }; expected VALUES or the end", None),
        ("ASK { } ▲;", "unexpected ;; expected VALUES or the end", None),
        ("ASK { } ▲// comment", "unexpected /; expected VALUES or the end", "A comment starts with #."),
        ("ASK { } ▲ASK { }", "unexpected ASK; expected VALUES or the end", None),
        ("PREFIX ▲dbo <urn:x> ASK { }", "unexpected dbo; expected a prefix ending in ':'", None),
        ("PREFIX ▲a:b <urn:x> ASK { }", "unexpected a:b; expected a prefix ending in ':'", None),
        ("PREFIX a: ▲http://x/ ASK { }", "unexpected http:; expected an IRI in angle brackets", None),
        ("PREFIX a: <urn:x> ▲. ASK { }", f"unexpected .; {START}", "There is no dot after PREFIX and BASE."),
        (
            "▲@prefix a: <urn:x> . ASK { }",
            f"unexpected @prefix; {START}",
            "Write PREFIX without @, and without a dot at its end.",
        ),
        ("BASE ▲x ASK { }", "unexpected x; expected an IRI in angle brackets", None),
        ("SELECT * { ?s ?p ?o▲", f"the query ends here; {AFTER_A_TRIPLE}", None),
        ("SELECT * {▲", "the query ends here; expected a pattern or '}'", None),
        ("SELECT *▲", "the query ends here; expected '{' or WHERE", None),
        ("ASK▲", "the query ends here; expected '{' or WHERE", None),
        ("# only a comment▲", f"the query ends here; {START}", None),
    ],
)
def test_queries(marked: str, message: str, hint: str | None) -> None:
    """What is wrong with the query as a whole."""
    assert complaint(marked) == complaint_of(marked, message, hint)


@pytest.mark.parametrize(
    ("marked", "message", "hint"),
    [
        ('ASK { ?s ?p ▲"abc }', "this string does not end", UNENDED),
        ("ASK { ?s ?p 'it's▲' }", "this string does not end", UNENDED),
        ('ASK { ?s ?p ▲"""abc"" }', "this string does not end", UNENDED),
        (r'ASK { ?s ?p "a▲\q" }', r"\q is no escape sequence", ESCAPES),
        (r'ASK { ?s ?p "▲\u12" }', r"\u is no escape sequence", ESCAPES),
        (r'ASK { ?s ?p "▲\uD800" }', r"\uD800 is no Unicode character", None),
        (r'ASK { ?s ?p "a▲\U00110000" }', r"\U00110000 is no Unicode character", None),
        ("ASK { ?s ?p ▲“abc” }", "unexpected character “", "Strings stand in straight quotes: \" or '."),
        ("ASK { ?s ?p ▲‘abc’ }", "unexpected character ‘", "Strings stand in straight quotes: \" or '."),
        ("ASK { FILTER (?a ▲& ?b) }", "unexpected character &", "The conjunction of conditions is &&, of words ftAND."),
        (
            "ASK { ?s poblaci▲ón ?o }",
            "unexpected character 'ó'",
            "Names outside of ASCII need a prefix or angle brackets: <…>.",
        ),
        ("ASK { ?s ?p 50▲% }", "unexpected character '%'", None),
        ('ASK { ?s ?p "a"▲@ }', "unexpected character '@'", None),
        ("▲\ufeffASK { }", "unexpected character '\\ufeff'", SPACE),
        ("ASK {▲\u00a0}", "unexpected character '\\xa0'", SPACE),
        ("ASK {▲\u200b}", "unexpected character '\\u200b'", SPACE),
    ],
)
def test_characters(marked: str, message: str, hint: str | None) -> None:
    """Characters at which no token starts, and strings that go wrong."""
    shown = marked.translate(dict.fromkeys(map(ord, "\ufeff\u00a0\u200b"), "\ufffd"))  # what cannot be seen
    assert complaint(marked) == complaint_of(shown, message, hint)


def test_the_empty_text() -> None:
    """There is no line to show."""
    assert complaint("") == f"line 1, column 1: the query ends here; {START}"


def test_a_whole_message() -> None:
    """As a user sees it, in a query of several lines."""
    text = """\
PREFIX dbo: <http://dbpedia.org/ontology/>
SELECT ?film
WHERE {
  ?film dbo:abstract ?text
  FILTER ftcontains(?text, "novel" ftNEER[0,5] "sea")
}
"""
    assert (
        complaint(text)
        == """\
line 5, column 36: unexpected ftNEER; expected ')', ftAND, ftNEAR or ftOR
    FILTER ftcontains(?text, "novel" ftNEER[0,5] "sea")
                                     ^
Did you mean ftNEAR?"""
    )


def test_the_end_is_that_of_the_last_line_with_something_in_it() -> None:
    """Nobody looks for the missing brace on the empty lines after the query."""
    error = refusal("ASK {\n  ?s ?p ?o\n\n\n")
    assert isinstance(error, QuerySyntaxError)
    assert (error.line, error.column) == (2, 11)


def test_a_long_query_is_searched_for_misspellings_no_more() -> None:
    """Replacements are tried by parsing again, so not for queries of a size nobody writes by hand."""
    wrong = "?s ?p ?o . FLITER (?o > 3) }"
    assert refusal(f"ASK {{ {'?s ?p ?o . ' * 3000} {wrong}").hint is None
    assert refusal(f"ASK {{ {'?s ?p ?o . ' * 2000} {wrong}").hint == "Did you mean FILTER?"
