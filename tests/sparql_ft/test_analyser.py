"""The analyser: exact by its definition, whatever short cuts it takes."""

from __future__ import annotations

import re
import sys
import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.snowball import SnowballStemmer

from sparql_ft.analyser import (
    DEFAULT,
    STEMMER_LANGUAGES,
    Analysis,
    _pieces,
    analyse,
    is_pattern,
    pattern_matches,
    stemmer_language,
    token_spans,
    tokens,
    wildcard_patterns,
)
from tests.oracles.fulltext_bruteforce import covers, plain_tokens

EVERYTHING = [chr(c) for c in range(sys.maxunicode + 1)]
# Characters that change length, combine, reorder, or sit at the border of a category.
ODD = (
    "aAéÉßẞİıσςΣǰﬁŉͅ²Ⅷ़्ক_-. 1*?\\😀𝔸𐐀"
    "\u0301\u0307\u0308\u0323\u0338\u0344\u0345\u0f73\u0958\u09be\u09c7\u1100\u1161\u11a8\uac00\u2adc\u212b\u2126"
    "=<>ب\u064e\u0654\u0627\u20dd\u200d\U0001d15e\U00011131\U00011127\ufb1d\u1e9b\u1fb7\n\x00"
)
odd_text = st.text(ODD, max_size=12) | st.text(max_size=12)


def is_word(character: str) -> bool:
    """The definition of a word character."""
    return unicodedata.category(character)[0] in "LMN"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Olympic Games, 1972!", ["the", "olympic", "games", "1972"]),
        ("snake_case x²  Ⅷ", ["snake", "case", "x²", "ⅷ"]),
        ("Straße STRASSE", ["strasse", "strasse"]),
        ("e\u0301 = é", ["é", "é"]),
        ("ΣΊΣΥΦΟΣ σίσυφος", ["σίσυφοσ", "σίσυφοσ"]),
        ("don't stop-me", ["don", "t", "stop", "me"]),
        ("日本語 한국어", ["日本語", "한국어"]),
        ("a😀b 𝔸", ["a", "b", "𝔸"]),
        (" .\t_", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    """Words as a reader expects them."""
    assert tokens(text) == expected


def test_every_code_point_alone_and_between_letters() -> None:
    """The fast paths agree with the definition on each character there is."""
    alone = "\n".join(EVERYTHING)
    between = "\n".join(f"A{c}b" for c in EVERYTHING if unicodedata.category(c) not in ("Cn", "Co"))
    lower = "\n".join(EVERYTHING[:0x10000])  # another pattern serves texts without characters above
    assert tokens(alone) == plain_tokens(alone)
    assert tokens(between) == plain_tokens(between)
    assert tokens(lower) == plain_tokens(lower)


@given(odd_text)
def test_tokens_by_definition(text: str) -> None:
    """The fast paths agree with the definition on any text."""
    assert tokens(text) == plain_tokens(text)
    assert analyse(text) == tokens(text)


def test_folding_keeps_separators_and_words_apart() -> None:
    """Positions are the same in every reading only because folding never changes what kind of character one is."""
    wrong = [c for c in EVERYTHING if {is_word(folded) for folded in c.casefold()} != {is_word(c)}]
    assert wrong == []


def test_no_character_folds_to_a_wildcard() -> None:
    """Only `*` and `?` themselves are wildcards, so that a pattern can be a plain string."""
    wild = [c for c in EVERYTHING if set("*?") & set(unicodedata.normalize("NFC", c).casefold())]
    assert wild == ["*", "?"]
    assert not any(is_word(c) for c in wild)


@pytest.mark.parametrize(
    ("analysis", "expected"),
    [
        (Analysis(case_sensitive=True), ["Éric", "İzmir", "GAMES"]),
        (Analysis(diacritics_insensitive=True), ["eric", "izmir", "games"]),
        (Analysis(case_sensitive=True, diacritics_insensitive=True), ["Eric", "Izmir", "GAMES"]),
        (Analysis(language="en"), ["éric", "i̇zmir", "game"]),
    ],
)
def test_options(analysis: Analysis, expected: list[str]) -> None:
    """What each option leaves of a token, composed or not."""
    assert analyse("Éric İzmir GAMES", analysis) == expected
    assert analyse(unicodedata.normalize("NFD", "Éric İzmir GAMES"), analysis) == expected


@given(odd_text, st.booleans(), st.booleans(), st.sampled_from([None, *STEMMER_LANGUAGES]))
def test_every_reading_has_the_same_positions(text: str, case: bool, marks: bool, language: str | None) -> None:
    """Options change tokens, never their number."""
    assert len(analyse(text, Analysis(case, marks, language))) == len(tokens(text))


def test_a_token_of_marks_keeps_its_place() -> None:
    """Dropping marks may leave an empty token, which still counts as one."""
    assert analyse("a . \u0301 . b", Analysis(diacritics_insensitive=True)) == ["a", "", "b"]


def test_stemmer_languages() -> None:
    """Every Snowball stemmer has a code, and can be named by code or English name in any case."""
    assert set(STEMMER_LANGUAGES.values()) == set(SnowballStemmer.languages) - {"porter"}
    assert [stemmer_language(name) for name in ("de", "DE", "German", "nb")] == ["de", "de", "de", "no"]
    assert [stemmer_language(name) for name in ("porter", "", "de-AT", "xx")] == [None] * 4
    with pytest.raises(ValueError, match="no stemmer for 'xx'; there are ar, da"):
        Analysis(language="xx")


def test_arabic_stems_do_not_depend_on_the_word_before() -> None:
    """NLTK's Arabic stemmer keeps state; ours must not show it."""
    words = "والكتاب يكتبون فسيكفيكهم المكتبات كتابهم استخدموا نكتب"
    forward = analyse(words, Analysis(language="ar"))
    alone = [analyse(word, Analysis(language="ar"))[0] for word in reversed(words.split())]
    assert forward == alone[::-1]
    assert forward == [SnowballStemmer("arabic").stem(word) for word in tokens(words)]


# --- wildcards --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("olymp* GAM?S", ["olymp*", "gam?s"]),
        (r"a\*b c\?d", ["a", "b", "c", "d"]),
        (r"a\\*b", ["a", "b"]),
        ("*", ["*"]),
        ("a**b ***", ["a*b", "*"]),
        ("a-*-b_?", ["a", "*", "b", "?"]),
        (r"\* \?", []),
        ("", []),
        ("e\u0301* STRAß?", ["é*", "strass?"]),
    ],
)
def test_wildcard_patterns(text: str, expected: list[str]) -> None:
    """How a string with wildcards is split into words."""
    assert wildcard_patterns(text) == expected


def test_patterns_follow_the_options() -> None:
    """Case and diacritics of a pattern are read as those of a text."""
    assert wildcard_patterns("É* e?\u0301", Analysis(case_sensitive=True)) == ["É*", "e?\u0301"]
    assert wildcard_patterns("É* e?\u0301", Analysis(diacritics_insensitive=True)) == ["e*", "e?"]


@given(odd_text)
def test_without_wildcards_a_pattern_is_a_token(text: str) -> None:
    """A string without wildcard characters means the same with and without the option."""
    text = re.sub(r"[*?]", " ", text)
    assert wildcard_patterns(text) == tokens(text)
    assert not any(map(is_pattern, tokens(text)))


@given(st.text("ab*?é", min_size=1, max_size=8), st.text("abé", max_size=8))
def test_pattern_matches_by_definition(pattern: str, token: str) -> None:
    """Taking each piece where it first fits loses no match."""
    assert pattern_matches(pattern, token) == covers(pattern, token)


@pytest.mark.parametrize("pattern", ["a*" * 50 + "b", "*" + "a?*" * 50 + "b", "*a" * 50 + "*b*"])
def test_many_stars_take_no_exponential_time(pattern: str) -> None:
    """`a*a*a*…b` against `aaaa…` is the classic trap."""
    start = time.perf_counter()
    assert not pattern_matches(pattern, "a" * 5000)
    assert pattern_matches(pattern, "a" * 5000 + "b")
    assert time.perf_counter() - start < 5


# --- spans ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Games!", ["The", "Games"]),
        ("Die Straße, e\u0301te\u0301.", ["Die", "Straße", "e\u0301te\u0301"]),
        ("İzmir ﬁn", ["İzmir", "ﬁn"]),
        ("\u1100\u1161\u11a8 각", ["\u1100\u1161\u11a8", "각"]),
        ("a.\u0301b", ["a", "\u0301b"]),
    ],
)
def test_spans_show_the_text_as_written(text: str, expected: list[str]) -> None:
    """A span is the word as its author wrote it."""
    assert [text[start:end] for start, end in token_spans(text)] == expected


@given(odd_text)
def test_spans(text: str) -> None:
    """There is a span for each token; they ascend, do not overlap, and each alone reads as its token."""
    spans = token_spans(text)
    assert [tokens(text[start:end]) for start, end in spans] == [[token] for token in tokens(text)]
    bounds = [bound for span in spans for bound in span]
    assert bounds == sorted(bounds)
    assert all(start < end for start, end in spans)


@given(odd_text)
@example("=\u0f73\u0338")  # U+0F73 has combining class 0, but decomposes to characters that have others
@example("\u1100\u1161\u11a8")
def test_pieces_are_independent(text: str) -> None:
    """Spans rest on this: NFC of a text is NFC of its pieces, put together."""
    pieces = [text[start:end] for start, end in _pieces(text)]
    assert "".join(pieces) == text
    assert "".join(unicodedata.normalize("NFC", piece) for piece in pieces) == unicodedata.normalize("NFC", text)


def test_spans_of_every_character_that_changes() -> None:
    """Spans are right next to each character that folding or NFC changes, or that combines."""
    changing = [c for c in EVERYTHING if unicodedata.combining(c) or unicodedata.normalize("NFC", c).casefold() != c]
    text = " ".join(f"x {c}\u0301 .{c}y{c}" for c in changing)
    assert len(changing) > 3000
    assert [tokens(text[start:end]) for start, end in token_spans(text)] == [[token] for token in tokens(text)]


def test_default_analysis() -> None:
    """The default reads as `tokens` does."""
    assert Analysis() == DEFAULT
    assert analyse("Ä b", DEFAULT) == ["ä", "b"]
