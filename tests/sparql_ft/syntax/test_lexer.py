"""Tokens: where they begin and end, and where in the source they stand."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sparql_ft import QuerySyntaxError
from sparql_ft.syntax.lexer import KIND_OF_KEYWORD, MAX_TOKENS, depth, lex


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("?a<?b&&?c>?d", ["?a", "<?b&&?c>", "?d"]),
        ("?a< ?b&&?c>?d", ["?a", "<", "?b", "&&", "?c", ">", "?d"]),
        ("?a>=?b<=?c!=?d", ["?a", ">=", "?b", "<=", "?c", "!=", "?d"]),
        ("a:b.c.d", ["a:b.c.d"]),
        ("a:b.c. ", ["a:b.c", "."]),
        ("a.b:c", ["a.b:c"]),
        ("a.b", ["a", ".", "b"]),
        ("_:a.b.", ["_:a.b", "."]),
        (":a:b::", [":a:b::"]),
        (r":a\.b\-.", [r":a\.b\-", "."]),
        ("1.5.", ["1.5", "."]),
        ("1.", ["1", "."]),
        ("1.e5", ["1.e5"]),
        ("1e5e", ["1e5", "e"]),
        ("-1-1", ["-1", "-1"]),
        ("?x+1", ["?x", "+1"]),
        ("?x?y", ["?x", "?y"]),
        ("<p>?", ["<p>", "?"]),
        ("'a''b'", ["'a'", "'b'"]),
        ("'''a''''b'", ["'''a'''", "'b'"]),
        ('""""a"""', ['""""a"""']),
        ("''", ["''"]),
        ("''''''", ["''''''"]),
        ("'a'@en-GB-1.", ["'a'", "@en-GB-1", "."]),
        ("'a'^^a:b", ["'a'", "^^", "a:b"]),
        ("a-b_c-", ["a-b_c-"]),
        ("\t ?x # ?y\r\n?z#", ["?x", "?z"]),
        ("# ?x\r?y", ["?y"]),
        ("SELECTDISTINCT*", ["SELECT", "DISTINCT", "*"]),
        ("constructWhere{", ["construct", "Where", "{"]),
        ("ASK{askwhere", ["ASK", "{", "askwhere"]),
        ("\\u0041SK", ["ASK"]),
        ("'\\u0027", ["''"]),
    ],
)
def test_longest_match(text: str, tokens: list[str]) -> None:
    """The longest token is taken, whatever stands around it."""
    assert lex(text).texts == tokens


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("?x $x", "vv"),
        ("<a> a:b a: name", "ipnw"),
        ("_:a 'a' @en", "bs@"),
        ("1 1.5 1e0 +1 -.5 -1.e0", "defDEF"),
        ("true FALSE a A", "ttaw"),
        ("^^ || && != <= >=", "TOANLG"),
    ],
)
def test_kinds(text: str, kinds: str) -> None:
    """Every kind of token is one character."""
    assert lex(text).kinds == kinds


@pytest.mark.parametrize("word", sorted(KIND_OF_KEYWORD))
def test_keywords_in_any_case(word: str) -> None:
    """Keywords do not mind their case, and are no names."""
    assert lex(f"{word.lower()} {word.upper()} {word.swapcase()}").kinds == KIND_OF_KEYWORD[word] * 3


def test_kinds_are_distinct() -> None:
    """No two keywords share a kind, nor one with a symbol or a letter."""
    kinds = list(KIND_OF_KEYWORD.values())
    assert len(set(kinds)) == len(kinds)
    assert not any(kind.isascii() for kind in kinds)


@given(
    st.lists(
        st.sampled_from(["?x", "<a>", "\\u0041", "\\U0001F600b", "'\\u0041'", " ", "\n", "{", "é", "1"]), max_size=12
    )
)
def test_offsets_are_those_of_the_source(pieces: list[str]) -> None:
    """An offset points at the token as it was written, also after escapes, longer than what they stand for."""
    source = "".join(pieces)
    try:
        tokens = lex(source)
    except QuerySyntaxError:
        return
    offsets = tokens.offsets()
    assert offsets[-1] == len(source)
    for start, end, text in zip(offsets, offsets[1:], tokens.texts, strict=False):
        written = re.sub(r"\\u(.{4})|\\U(.{8})", lambda m: chr(int(m[1] or m[2], 16)), source[start:end])
        assert written.rstrip(" \n") == text


def test_offset_of_a_wrong_character_after_escapes() -> None:
    """The column counts what the user sees."""
    with pytest.raises(QuerySyntaxError) as caught:
        lex("'\\u0041\\u0042' %")
    assert caught.value.column == 16


def test_too_many_tokens() -> None:
    """There is a limit, and it is said."""
    assert len(lex("." * MAX_TOKENS).kinds) == MAX_TOKENS
    with pytest.raises(QuerySyntaxError, match="more than 100,000 words and symbols"):
        lex("." * (MAX_TOKENS + 1))


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("", 0),
        ("?x", 0),
        ("()[]{}", 1),
        ("{[()]}", 3),
        ("}){(", 2),
        ("ftNOT ftNOT 'a'", 2),
        ("ftNOT ftNOT (ftNOT 'a') ftAND ('b')", 4),
        ("(ftNOT 'a' ftNOT 'b')", 2),
    ],
)
def test_depth(text: str, levels: int) -> None:
    """Brackets count, open or not, and each ftNOT that stands before what it negates."""
    assert depth(lex(text).kinds) == levels
