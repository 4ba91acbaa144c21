"""The meaning of full-text expressions, by examples and against a second reading of their definition."""

from __future__ import annotations

from bisect import bisect_right
from itertools import count, pairwise
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sparql_ft import fulltext
from sparql_ft.analyser import Analysis, token_spans, tokens
from sparql_ft.fulltext import check_words, ft_matches, highlight_spans, highlights, occurrences, word_forms
from sparql_ft.nodes import FtAnd, FtExpression, FtNear, FtNot, FtOr, FtWords
from tests.oracles import fulltext_bruteforce as oracle

TEXT = "The Olympic Games of 1972: athletes running in Munich (München), the games of Avery Brundage"
# positions: the0 olympic1 games2 of3 1972=4 athletes5 running6 in7 munich8 münchen9 the10 games11 of12 avery13 …14


def near(*parts: str | tuple[int, int | None]) -> FtNear:
    """`near("a", (0, 2), "b")` is `"a" ftNEAR[0,2] "b"`."""
    return FtNear(
        tuple(FtWords(part) for part in parts if isinstance(part, str)),
        tuple(part for part in parts if isinstance(part, tuple)),
    )


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (FtWords("olympic"), True),
        (FtWords("OLYMPIC GAMES"), True),
        (FtWords("games olympic"), False),
        (FtWords("olymp"), False),
        (FtWords("Munich--münchen"), True),
        (FtWords("Avery Brundage the"), False),
        (FtWords("olymp* gam?s", wildcards=True), True),
        (FtWords("olymp? games", wildcards=True), False),
        (FtWords("*", wildcards=True), True),
        (FtWords("* * * * * * * * * * * * * * *", wildcards=True), True),
        (FtWords("* * * * * * * * * * * * * * * *", wildcards=True), False),
        (FtWords("game run", stemming=True), False),
        (FtWords("athlete runs", stemming=True), True),
        (FtWords("Olympic", case_sensitive=True), True),
        (FtWords("olympic", case_sensitive=True), False),
        (FtWords("munchen", diacritics_insensitive=True), True),
        (FtWords("munchen"), False),
        (FtWords("munche*", wildcards=True, diacritics_insensitive=True), True),
        (FtNot(FtWords("paris")), True),
        (FtAnd((FtWords("olympic"), FtNot(FtWords("munich")))), False),
        (FtOr((FtWords("paris"), FtWords("munich"))), True),
    ],
)
def test_examples(expression: FtExpression, expected: bool) -> None:
    """What each form of expression finds in one sentence."""
    assert ft_matches(expression, TEXT) is expected
    assert oracle.satisfies(TEXT, expression) is expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (near("olympic", (0, 0), "games"), [1, 2]),
        (near("games", (0, 0), "olympic"), []),
        (near("the", (0, 1), "games"), [0, 2]),
        (near("the", (0, 0), "games"), [10, 11]),
        (near("the", (2, None), "games"), [0, 11]),
        (near("munich", (1, 2), "the games"), [8, 10, 11]),
        (near("games", (0, 0), "games"), []),
        (near("the", (0, 1), "games", (1, 1), "1972"), [0, 2, 4]),
        # the nearest "games" after the first "the" leads nowhere: the chain has to choose the second
        (near("the", (0, 1), "games", (1, 1), "avery"), [10, 11, 13]),
    ],
)
def test_near(expression: FtNear, expected: list[int]) -> None:
    """Gaps count tokens between occurrences; a chain holds for one choice of them, which is the one highlighted."""
    assert ft_matches(expression, TEXT) is bool(expected)
    assert highlights(expression, TEXT) == expected


def test_near_does_not_overlap() -> None:
    """An occurrence ends before the next one starts, also where both could share a token."""
    assert not ft_matches(near("a b", (0, None), "b c"), "a b c")
    assert ft_matches(near("a b", (0, None), "b c"), "a b c b c")


def test_occurrences() -> None:
    """Occurrences are token positions, and may overlap."""
    assert occurrences(FtWords("the"), TEXT) == [(0, 1), (10, 11)]
    assert occurrences(FtWords("a a"), "a a a") == [(0, 2), (1, 3)]
    assert occurrences(FtWords("a b"), "") == []


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (FtWords("the"), [0, 10]),
        (FtAnd((FtWords("the games"), FtWords("of"))), [3, 10, 11, 12]),
        (FtAnd((FtWords("the games"), FtWords("paris"))), []),
        (FtOr((FtWords("paris"), FtWords("munich"))), [8]),
        (FtOr((FtAnd((FtWords("the"), FtWords("paris"))), FtWords("munich"))), [8]),
        (FtNot(FtWords("paris")), []),
        (FtNot(FtNot(FtWords("munich"))), []),
        (FtAnd((FtWords("munich"), FtNot(FtWords("paris")))), [8]),
    ],
)
def test_highlights(expression: FtExpression, expected: list[int]) -> None:
    """Highlighted is what made the expression true, and nothing else."""
    assert highlights(expression, TEXT) == expected


def test_highlight_spans() -> None:
    """Spans are characters of the text as written, not of its folded form."""
    text = "Auf der Straße nach Mu\u0308nchen"
    expression = FtAnd((FtWords("STRASSE"), FtWords("munchen", diacritics_insensitive=True)))
    assert [text[a:b] for a, b in highlight_spans(expression, text)] == ["Straße", "Mu\u0308nchen"]
    assert highlight_spans(FtWords("Paris"), text) == []


def test_five_thousand_operands() -> None:
    """Long chains of ftAND and ftOR need no deep recursion."""
    words = tuple(FtWords(f"w{i}") for i in range(5000))
    assert not ft_matches(FtOr(words), TEXT)
    assert ft_matches(FtOr((*words, FtWords("munich"))), TEXT)
    assert ft_matches(FtAnd(words), " ".join(word.text for word in words))


def test_long_chains_take_no_exponential_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of twenty over a text with thousands of occurrences of each: one search an occurrence and operand."""
    searches = count()
    monkeypatch.setattr(fulltext, "bisect_right", lambda *given: (next(searches), bisect_right(*given))[1])
    chain = FtNear((FtWords("a"),) * 20 + (FtWords("b"),), ((1, None),) * 20)
    assert not ft_matches(chain, "a " * 3000)
    assert ft_matches(chain, "a " * 3000 + "c b")
    assert 0 < next(searches) <= 2 * 20 * 3001


# --- the words of a query ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (FtWords("..."), 'the string "..." has no word'),
        (FtWords(""), "has no word"),
        (FtWords("*"), "has no word"),
        (FtWords(r"\*", wildcards=True), "or a wildcard that is not escaped"),
        (FtWords("a", stemming=True, language="xx"), 'no stemmer for the language "xx"; there are: ar (Arabic)'),
        (FtWords("a*", stemming=True, wildcards=True), "`using stemming` and `using wildcards`"),
        (FtWords("a", stemming=True, case_sensitive=True), "`using stemming` and `using case sensitive`"),
    ],
)
def test_check_words_refuses(words: FtWords, message: str) -> None:
    """What a string and its options may not be, said in words."""
    assert message in (check_words(words) or "")


@pytest.mark.parametrize(
    "words",
    [
        FtWords("a"),
        FtWords("*", wildcards=True),
        FtWords("\u0301", diacritics_insensitive=True),
        FtWords("Spiele", stemming=True, language="German"),
        FtWords("a", case_sensitive=True, wildcards=True, diacritics_insensitive=True),
    ],
)
def test_check_words_accepts(words: FtWords) -> None:
    """All other combinations are fine."""
    assert check_words(words) is None


def test_word_forms() -> None:
    """What an index needs to know of a string."""
    assert word_forms(FtWords("Olympic Games")) == (Analysis(), ("olympic", "games"))
    assert word_forms(FtWords("Gam*s X", wildcards=True)) == (Analysis(), ("gam*s", "x"))
    assert word_forms(FtWords("Spiele", stemming=True, language="German")) == (Analysis(language="de"), ("spiel",))
    assert word_forms(FtWords("É", case_sensitive=True)) == (Analysis(case_sensitive=True), ("É",))


# --- against brute force ----------------------------------------------------------------------------------------------

PIECES = [
    *("a", "b", "A", "é", "e\u0301", "e", "ß", "ss", "S", "İ", "i", "ς", "Σ", "\u0301", "\u0345", "²", "1", "ǰ"),
    *("ب", "بَ", "\u1100", "\u1161", "\u11a8", "각", "running", "runs", "_", "😀", "𝔸", "\u0338", "\u2adc"),
]
SEPARATORS = [" ", " ", " ", "-", "\n", ""]
WILD = ["*", "?", "\\*", "\\?", "\\", "a*", "?b"]


def texts(pieces: list[str], most: int) -> st.SearchStrategy[str]:
    """Short texts that repeat a few pieces, so that phrases and gaps come about."""
    some = st.lists(st.sampled_from(pieces), min_size=1, max_size=4).flatmap(
        lambda few: st.lists(st.tuples(st.sampled_from(few), st.sampled_from(SEPARATORS)), max_size=most)
    )
    return some.map(lambda pairs: "".join(piece + separator for piece, separator in pairs))


strings = st.builds(
    FtWords,
    text=st.sampled_from(PIECES) | texts(PIECES, 3) | texts(PIECES + WILD * 3, 3),
    wildcards=st.booleans(),
    stemming=st.booleans(),
    language=st.sampled_from(sorted(oracle.LANGUAGES)),
    case_sensitive=st.booleans(),
    diacritics_insensitive=st.booleans(),
).filter(lambda words: check_words(words) is None)
simple = st.sampled_from(["a", "b", "é"]).map(FtWords)
gaps = st.tuples(st.integers(0, 2), st.none() | st.integers(0, 2)).map(
    lambda gap: (gap[0], None if gap[1] is None else gap[0] + gap[1])
)
nears = st.lists(simple | strings, min_size=2, max_size=4).flatmap(
    lambda operands: st.builds(FtNear, st.just(tuple(operands)), st.tuples(*[gaps] * (len(operands) - 1)))
)


def several(of: st.SearchStrategy[FtExpression]) -> st.SearchStrategy[tuple[FtExpression, ...]]:
    """The operands of ftAND or ftOR."""
    return st.lists(of, min_size=2, max_size=4).map(tuple)


expressions: st.SearchStrategy[FtExpression] = st.recursive(
    simple | strings | nears,
    lambda inner: st.builds(FtNot, inner) | st.builds(FtAnd, several(inner)) | st.builds(FtOr, several(inner)),
    max_leaves=6,
)
bodies = texts(PIECES, 12) | texts(["a", "b", "é"], 12)


@given(expressions, bodies)
@settings(max_examples=600)
def test_against_brute_force(expression: FtExpression, text: str) -> None:
    """The evaluation agrees with a reading of the definition that shares no code with it."""
    assert ft_matches(expression, text) == oracle.satisfies(text, expression)


OPTIONS = [
    {},
    {"wildcards": True},
    {"case_sensitive": True},
    {"diacritics_insensitive": True},
    {"wildcards": True, "case_sensitive": True, "diacritics_insensitive": True},
    *({"stemming": True, "language": language} for language in sorted(oracle.LANGUAGES)),
    {"stemming": True, "language": "de", "diacritics_insensitive": True},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@given(data=st.data())
def test_occurrences_against_brute_force(options: dict[str, Any], data: st.DataObject) -> None:
    """Under every option, and also where the words are put into the text, so that there is something to find."""
    word_texts = texts(PIECES + WILD * 3, 3) if "wildcards" in options else st.sampled_from(PIECES) | texts(PIECES, 3)
    words = FtWords(data.draw(word_texts), **options)
    assume(check_words(words) is None)
    text = data.draw(bodies)
    at = data.draw(st.integers(0, len(text)))
    for body in (text, f"{text[:at]} {words.text} {text[at:]}"):
        assert occurrences(words, body) == oracle.places(words, body)


@given(nears, bodies)
@settings(max_examples=300)
def test_chosen_chain_against_brute_force(expression: FtNear, text: str) -> None:
    """The chain that is highlighted is one of the valid ones, and none ends before it."""
    valid = list(oracle.choices(expression, text))
    covered = [sorted({i for start, end in choice for i in range(start, end)}) for choice in valid]
    found = highlights(expression, text)
    assert found in covered if valid else found == []
    assert not valid or found[-1] == min(positions[-1] for positions in covered)


@given(expressions, bodies)
@settings(max_examples=300)
def test_highlights_against_brute_force(expression: FtExpression, text: str) -> None:
    """Exactly the positions that made the expression true, in order, with a span for each."""
    found = highlights(expression, text)
    assert found == sorted(oracle.marks(text, expression))
    assert highlight_spans(expression, text) == [token_spans(text)[i] for i in found]


@given(expressions, bodies)
def test_highlights_are_positions_of_the_text(expression: FtExpression, text: str) -> None:
    """They ascend, and lie in the text."""
    found = highlights(expression, text)
    assert all(a < b for a, b in pairwise(found))
    assert all(0 <= i < len(tokens(text)) for i in found)


# --- the table of the language, row by row ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "true", "false"),
    [
        # "w": one of the tokens, which are runs of letters, marks and numbers, folded
        (FtWords("Straße"), ["STRASSE", "die straße,"], ["Straßen", "stras"]),
        (FtWords("²"), ["x ²"], ["2"]),  # NFC, not NFKC
        (FtWords("e\u0301"), ["É"], ["e"]),
        # "w1 w2": consecutive
        (FtWords("a b"), ["a b", "a-b", "x a, (b)"], ["b a", "a x b", "ab", "a"]),
        # ftNEAR: at least m and at most n tokens between; * is no bound; [0,0] is adjacency
        (near("a", (0, 0), "b"), ["a b"], ["a x b", "b a"]),
        (near("a", (1, 2), "b"), ["a x b", "a x y b", "a a b"], ["a b", "a x y z b"]),
        (near("a", (2, None), "b"), ["a x y b", "a b b b"], ["a x b", "a b"]),
        # occurrences do not overlap, and one choice serves a whole chain
        (near("a b", (0, None), "b a"), ["a b b a", "a b a b a"], ["a b a"]),
        (near("a a", (0, 0), "a"), ["a a a"], ["a a"]),
        (near("a", (0, 1), "b", (1, 2), "c"), ["a b x c", "a b b c", "a x b x y c"], ["a b c", "a x x b x c"]),
        (near("a", (0, 0), "b", (0, 0), "c"), ["a b x a b c"], ["a b x b c"]),
        # Boolean
        (FtAnd((FtWords("a"), FtWords("b"))), ["b a"], ["a", "b"]),
        (FtOr((FtWords("a"), FtWords("b"))), ["a", "b"], ["c", ""]),
        (FtNot(FtWords("a")), ["", "b"], ["a"]),
        (FtNot(FtNot(FtWords("a"))), ["a"], ["b"]),
        # wildcards: * any run, also none; ? exactly one; escaped they separate
        (FtWords("olymp* gam?s", wildcards=True), ["Olympic Games", "olymp gamäs"], ["olympic gams", "olympic gamees"]),
        (FtWords("*a?", wildcards=True), ["ab", "xyab"], ["a", "abc"]),
        (FtWords(r"a\*b", wildcards=True), ["a b"], ["axb", "ab"]),
        (FtWords(r"a\?b", wildcards=True), ["a b", "a?b"], ["axb"]),
        (FtWords("?", wildcards=True), ["x", "ß 1"], ["ß"]),  # folded, ß is two
        (FtWords("* b", wildcards=True), ["x b"], ["b"]),
        (FtWords("A*", wildcards=True, case_sensitive=True), ["Ab"], ["ab"]),
        # stemming
        (FtWords("game", stemming=True), ["Games", "gaming"], ["gamer"]),
        (FtWords("Häuser", stemming=True, language="de"), ["Haus", "häusern"], ["Hausboot"]),
        (FtWords("chevaux", stemming=True, language="fr"), ["cheval", "Chevaux"], ["chevalier"]),
        (FtWords("running shoes", stemming=True), ["run shoe", "runs shoes"], ["shoes running"]),
        # case sensitive
        (FtWords("Polish", case_sensitive=True), ["Polish sausage"], ["polish", "POLISH"]),
        # diacritics insensitive, before stemming
        (FtWords("resume", diacritics_insensitive=True), ["Résumé"], ["resumes"]),
        (FtWords("résumé", diacritics_insensitive=True), ["resume"], ["rsm"]),
        (FtWords("Resume", case_sensitive=True, diacritics_insensitive=True), ["Résumé"], ["résumé"]),
        (FtWords("hauser", stemming=True, language="de", diacritics_insensitive=True), ["Häusern"], ["Maus"]),
    ],
)
def test_table(expression: FtExpression, true: list[str], false: list[str]) -> None:
    """Every row of the table, on texts that it is true of, and that it is false of."""
    assert [text for text in true if not ft_matches(expression, text)] == []
    assert [text for text in false if ft_matches(expression, text)] == []
    assert [
        text for text in (*true, *false) if ft_matches(expression, text) != oracle.satisfies(text, expression)
    ] == []
