"""REGEX and REPLACE: SPARQL 1.1, 17.4.3.14 and 17.4.3.15, with the regular expressions of F&O 5.6."""

from __future__ import annotations

from dataclasses import replace as with_

import pytest

from sparql_ft.expressions.errors import EvaluationLimitError, ExpressionError
from sparql_ft.expressions.xpath_regex import matches, replace
from tests.sparql_ft.expressions.written import CONTEXT, value


@pytest.mark.parametrize(
    ("pattern", "found", "missed"),
    [
        ("", ["", "a"], []),
        ("b", ["abc"], ["ac", "B"]),
        ("^ab$", ["ab"], ["cab", "abc", "ab\n", "a\nb"]),
        ("a.c", ["abc", "a😀c"], ["ac", "a\nc", "a\rc"]),
        ("^(a|bc)+$", ["abca", "bc"], ["b", ""]),
        ("^a{2}$", ["aa"], ["a", "aaa"]),
        ("^a{2,}$", ["aa", "aaaa"], ["a"]),
        ("^a{1,2}$", ["a", "aa"], ["", "aaa"]),
        ("^a{0}$", [""], ["a"]),
        ("^a*?b+?$", ["b", "aabb"], ["a"]),
        ("^[abc]$", ["a", "c"], ["d", "ab"]),
        ("^[^abc]$", ["d", "\n"], ["a", ""]),
        ("^[a-cx]$", ["b", "x"], ["d", "-"]),
        ("^[-a]$", ["-", "a"], ["b"]),
        ("^[a-]$", ["-", "a"], ["b"]),
        (r"^[\]\\\-]$", ["]", "\\", "-"], ["a"]),
        ("^[a-z-[aeiou]]+$", ["xyz"], ["xaz", ""]),
        ("^[^a-c-[x]]$", ["d"], ["a", "x"]),
        (r"^\d+$", ["123", "١٢"], ["1a", "²"]),
        (r"^\w+$", ["aé1$+"], ["a b", "a-b", "a_b"]),  # all but punctuation, separators and others
        (r"^\s$", [" ", "\t", "\n", "\r"], ["\u00a0", "a"]),
        (r"^\S\W$", ["a-"], ["ab", " -"]),
        (r"^\i\c*$", ["_a-1", "é", ":b"], ["1a", "-"]),
        (r"^\p{Lu}\p{Ll}$", ["Aa", "Éé"], ["aa", "AA"]),
        (r"^\P{L}$", ["1", "-"], ["a"]),
        (r"^\p{IsGreek}$", ["α"], ["a"]),
        (r"^\p{IsBasicLatin}$", ["a"], ["é"]),
        (r"^[\p{L}\d]+$", ["aé1"], ["a b"]),
        (r"^[^\d\s]$", ["a"], ["1", " "]),
        (r"^\.\*\$$", [".*$"], ["a*$"]),
        (r"^\n\t$", ["\n\t"], ["nt"]),
        (r"^(a)(b)?\1$", ["aa", "aba"], ["ab"]),
        (r"^(a|(b))\2$", ["a", "bb"], ["b", "ab"]),  # a group that took no part matches the empty string
        (r"^(a)\10$", ["aa0"], ["a"]),  # group 1 and a 0, as there is no group 10
        ("^(?:ab)+$", ["abab"], ["aba"]),
        ("é", ["é"], ["e\u0301"]),
        ("a|", ["", "b"], []),
        ("x^y", [], ["x^y", "xy"]),
        ("a&b~c", ["a&b~c"], []),
    ],
)
def test_patterns(pattern: str, found: list[str], missed: list[str]) -> None:
    """What a pattern matches somewhere in a text."""
    assert [text for text in found if not matches(text, pattern)] == []
    assert [text for text in missed if matches(text, pattern)] == []


@pytest.mark.parametrize(
    "pattern",
    [
        *("(", ")", "a)", "(a", "[", "[]", "[^]", "]", "a]", "{", "}", "a{", "a{b}", "a{2", "a{3,2}", "a{,2}"),
        *("*", "+a", "?", "a**", "a++", "a{2}{3}", "|*", "(*)", "(?=a)", "(?!a)", "(?<n>a)", "(?i)a", "(?#c)"),
        *(r"\b", r"\A", r"\z", r"\x41", r"\u0041", r"\Q", "\\", r"\0", r"\1", r"(a\1)", r"(a)\2", r"\p", r"\p{}"),
        *(r"\pL", r"\p{Xx}", r"\p{IsNowhere}", "[b-a]", r"[a-\d]", "[a-z-[aeiou]b]", "[[a]]", "[a-c-e]", r"\-a["),
    ],
)
def test_what_is_no_pattern(pattern: str) -> None:
    """XPath knows fewer forms than Python, and no second quantifier; each is an error."""
    with pytest.raises(ExpressionError, match="is no regular expression"):
        matches("a", pattern)


@pytest.mark.parametrize(
    ("flags", "pattern", "found", "missed"),
    [
        ("i", "AbC", ["abc", "ABC", "xaBcx"], ["ab"]),
        ("i", "É", ["é"], ["e"]),
        ("i", "^[a-c]$", ["B"], ["D"]),
        ("i", r"^\p{Lu}$", ["A"], ["a"]),  # categories do not care for the flag
        ("i", r"^(a)\1$", ["aA"], ["ab"]),
        ("s", "a.b", ["a\nb", "a\rb"], ["ab"]),
        ("", "^b$", ["b"], ["a\nb", "b\nc"]),
        ("m", "^b$", ["b", "a\nb\nc"], ["ab"]),
        ("m", "^$", ["", "a\n\nb"], ["a", "a\n"]),
        ("m", "a$", ["a\nb", "a"], ["ab"]),
        ("ms", "a$.^b", ["a\nb"], ["ab"]),
        ("x", "a b\n c", ["abc"], ["a b c"]),
        ("x", "a[ ]b", ["a b"], ["ab"]),  # space in a class stays
        ("x", r"a\ b", [], []),
        ("q", "a.b*", ["xa.b*y"], ["aab"]),
        ("q", "(", ["("], ["a"]),
        ("qi", "A.", ["a."], ["ab"]),
        ("qx", "a b", ["a b"], ["ab"]),
        ("smix", "A . B", ["a\nb"], ["ab"]),
        ("ii", "A", ["a"], []),
    ],
)
def test_flags(flags: str, pattern: str, found: list[str], missed: list[str]) -> None:
    """F&O 5.6.2: s, m, i, x and q, in any combination."""
    if not found and not missed:  # a backslash before space is no escape; the flag takes the space, and the b is left
        with pytest.raises(ExpressionError):
            matches("ab", pattern, flags)
        return
    assert [text for text in found if not matches(text, pattern, flags)] == []
    assert [text for text in missed if matches(text, pattern, flags)] == []


@pytest.mark.parametrize("flags", ["g", "I", "iz", " "])
def test_what_is_no_flag(flags: str) -> None:
    """Any other letter is an error."""
    with pytest.raises(ExpressionError, match="no flags"):
        matches("a", "a", flags)


@pytest.mark.parametrize(
    ("text", "pattern", "replacement", "flags", "expected"),
    [
        ("abcd", "b", "Z", "", "aZcd"),
        ("abab", "B", "Z", "i", "aZaZ"),
        ("abab", "B.", "Z", "i", "aZb"),
        ("abracadabra", "bra", "*", "", "a*cada*"),
        ("abracadabra", "a.*a", "*", "", "*"),
        ("abracadabra", "a.*?a", "*", "", "*c*bra"),
        ("abracadabra", "a", "", "", "brcdbr"),
        ("abracadabra", "a(.)", "a$1$1", "", "abbraccaddabbra"),
        ("AAAA", "A+", "b", "", "b"),
        ("AAAA", "A+?", "b", "", "bbbb"),
        ("darted", "^(.*?)d(.*)$", "$1c$2", "", "carted"),
        ("ab", "(a)(b)?(c)?", "[$0|$1|$2|$3]", "", "[ab|a|b|]"),
        ("ab", "(a)", "$12", "", "a2b"),  # group 1 and a 2, as there is no group 12
        ("ab", "a", "$1", "", "b"),  # a group that is not there is empty
        ("ab", "a", r"\$\\", "", "$\\b"),
        ("a.b", ".", "$1", "q", "a$1b"),
        ("a\nb", "^b", "c", "m", "a\nc"),
        ("abc", "z", "y", "", "abc"),
    ],
)
def test_replace(text: str, pattern: str, replacement: str, flags: str, expected: str) -> None:
    """The examples of fn:replace and their neighbours."""
    assert replace(text, pattern, replacement, flags) == expected


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [("a*", "b"), ("", "b"), ("(a)?", "b"), ("^", "b"), ("a", "$"), ("a", "$x"), ("a", "\\"), ("a", r"\n"), ("(", "b")],
)
def test_replace_errors(pattern: str, replacement: str) -> None:
    """A pattern that matches the empty string (FORX0003), a wrong replacement (FORX0004): also if nothing matches."""
    for text in ("aa", "zz", ""):
        with pytest.raises(ExpressionError):
            replace(text, pattern, replacement)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('REGEX("Alice", "^ali", "i")', "true"),
        ('REGEX("Alice"@en, "^Ali")', "true"),
        ('REGEX("a", "a"^^xsd:string)', "true"),
        ('REGEX("a", "a"@en)', "error"),
        ('REGEX("a", "a", ""@en)', "error"),
        ('REGEX(1, "1")', "error"),
        ('REGEX(:a, "a")', "error"),
        ('REGEX("a", "(")', "error"),
        ('REGEX("a", ?unbound)', "error"),
        ('REPLACE("abcd"@en, "b", "Z")', '"aZcd"@en'),
        ('REPLACE("abcd", "b", "Z"@en)', "error"),
        ('REPLACE("abcd", "b"@en, "Z")', "error"),
        ('REPLACE(1, "1", "2")', "error"),
    ],
)
def test_arguments(expression: str, expected: str) -> None:
    """The text may have a language tag, which REPLACE keeps; pattern, replacement and flags have none."""
    assert value(expression) == expected


def test_a_slow_pattern_is_given_up() -> None:
    """Neither true nor false, nor an error that a FILTER would take for false."""
    pattern, text = "^(a|aa)+$", "a" * 100 + "b"
    with pytest.raises(EvaluationLimitError, match=r"took more than 0.05 seconds"):
        matches(text, pattern, timeout=0.05)
    with pytest.raises(EvaluationLimitError, match=r"took more than 0.05 seconds"):
        replace(text, pattern, "x", timeout=0.05)
    with pytest.raises(EvaluationLimitError, match=r"took more than 0.05 seconds"):
        value(f'REGEX("{text}", "{pattern}") || true', with_(CONTEXT, regex_timeout=0.05))


@pytest.mark.parametrize(
    "pattern",
    [
        "a{100001}",
        "a{0,100001}",
        "a{1,99999999999999999999}",
        "(a{1000}){1000}",
        "(((a{1000}){1000}){1000}){1000}",
        "(((a?){1000}){1000}){1000}",
        "(a{400}b{400}){200}",
        "(?:(?:[a-c]{50}|x){50}){50}",
    ],
)
def test_patterns_that_are_too_large(pattern: str) -> None:
    """Repetitions multiply, and `regex` takes time in proportion to compile them: a limit, before it is tried."""
    with pytest.raises(EvaluationLimitError, match="too large"):
        matches("a", pattern)


def test_large_patterns() -> None:
    """Within the limit all is well."""
    assert matches("a" * 10_000, "^(a{100}){100}$")
    assert not matches("a" * 9_999, "^(a{100}){100}$")
    assert matches("b" * 50_000, "^b{50000}$")
    assert matches("ab" * 3, "^((a?){10}b{0,5000}){3}$")


def test_deep_patterns() -> None:
    """Ten thousand parentheses: no RecursionError."""
    with pytest.raises(EvaluationLimitError, match="too large"):
        matches("a", "(" * 10_000 + "a" + ")" * 10_000)
    assert matches("a", "(" * 50 + "a" + ")" * 50)
