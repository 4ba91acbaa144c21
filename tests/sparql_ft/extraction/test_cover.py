"""The words that full text requires, and that they stay few."""

from __future__ import annotations

import pytest

from sparql_ft.extraction.cover import MAX_WORDS, Cover, cover
from sparql_ft.fulltext import ft_matches
from sparql_ft.nodes import FtAnd, FtExpression, FtNot, FtOr, FtWords
from tests.sparql_ft.extraction.shown import alternatives


def text(expression: str) -> FtExpression:
    """A full-text expression as it stands in a query."""
    (only,) = alternatives(f"{{ ?x :p ?y FILTER ftcontains(?y, {expression}) }}")
    found = only.tuples[0].text
    assert found is not None
    return found


def forms(found: Cover) -> list[str]:
    """The sets of words, each as one text."""
    return [" ".join(word.form for word in words) for words in found.sets]


@pytest.mark.parametrize(
    ("expression", "sets", "exact"),
    [
        ('"Rio"', ["rio"], True),
        ('"olympic games"', ["olympic games"], False),
        ('"games games"', ["games"], False),
        ('"a" ftAND "b"', ["a b"], True),
        ('"a" ftAND "a"', ["a"], True),
        ('"a" ftOR "b"', ["a", "b"], True),
        ('"a" ftOR "A"', ["a"], True),
        ('("a" ftOR "b") ftAND "c"', ["c a", "c b"], True),
        ('("a" ftOR "b") ftAND ("c" ftOR "d")', ["a c", "a d", "b c", "b d"], True),
        ('"a" ftNEAR[0,2] "b"', ["a b"], False),
        ('ftNOT "a"', [""], False),
        ('"a" ftAND ftNOT "b"', ["a"], False),
        ('"a" ftOR ftNOT "b"', [""], False),
        ('ftNOT ftNOT "a"', ["a"], True),
        ('ftNOT (ftNOT "a" ftOR ftNOT "b")', ["a b"], True),
        ('ftNOT (ftNOT "a" ftAND ftNOT "b")', ["a", "b"], True),
        ('"olymp*" using wildcards', [""], False),
        ('"olymp* games" using wildcards', ["games"], False),
        ('"games" using stemming', ["game"], True),
        ('"Rio" using case sensitive', ["Rio"], True),
        ('"é" using diacritics insensitive', ["e"], True),
        ('"Rio" ftAND "Rio" using case sensitive', ["rio Rio"], True),
    ],
)
def test_cover(expression: str, sets: list[str], exact: bool) -> None:
    """Sets of which one must be there; exact where nothing but words is asked for."""
    found = cover(text(expression))
    assert forms(found) == sets
    assert found.exact == exact


def test_a_word_is_read_as_its_options_say() -> None:
    """The same letters, compared in two ways, are two words."""
    (words,) = cover(text('"rio" ftAND "rio" using case sensitive')).sets
    assert len(words) == 2
    assert [word.analysis.case_sensitive for word in words] == [False, True]


def _words(name: str, n: int) -> tuple[FtWords, ...]:
    return tuple(FtWords(f"{name}{number}") for number in range(n))


LARGE: dict[str, tuple[FtExpression, str]] = {
    "ftAND of ftORs": (FtAnd(tuple(FtOr(_words(name, 2)) for name in "abcdefghijklmnopqrst")), "abcdefghijklmnopqrst"),
    "ftNOT of it all": (
        FtNot(FtOr(tuple(FtNot(FtOr(_words(name, 3))) for name in "abcdefghijklmnopqrst"))),
        "abcdefghijklmnopqrst",
    ),
    "an ftAND of words and an ftOR": (FtAnd((*_words("a", 5000), FtOr(_words("b", 5000)))), ""),
    "an ftOR and an ftAND of words": (FtAnd((FtOr(_words("b", 5000)), *_words("a", 5000))), ""),
    "two large ftORs": (FtAnd((FtOr(_words("a", 5000)), FtOr(_words("b", 4000)))), "ab"),
}


@pytest.mark.parametrize("name", LARGE)
def test_products_are_bounded(name: str) -> None:
    """Not more than MAX_WORDS, or twice what the expression has; and a text that satisfies it still has them."""
    expression, names = LARGE[name]
    found = cover(expression)
    total = sum(map(len, found.sets))
    assert 0 < total <= max(MAX_WORDS, 2 * 10_000)
    assert () not in found.sets
    satisfying = " ".join(f"{each}1" for each in names) or " ".join(["b7", *(f"a{n}" for n in range(5000))])
    assert ft_matches(expression, satisfying)
    words = set(satisfying.split())
    assert any(words.issuperset(word.form for word in each) for each in found.sets)
    assert not found.exact


def test_sums_are_kept() -> None:
    """Five thousand words of an ftOR are five thousand sets, beside one more word too."""
    either = FtOr(_words("a", 5000))
    assert cover(either) == Cover(tuple((word,) for (word,) in cover(either).sets), exact=True)
    assert len(cover(FtAnd((FtWords("b"), either))).sets) == 5000
    assert cover(FtAnd((FtWords("b"), either))).exact


def test_the_smallest_factor_is_kept() -> None:
    """Of two large ftORs the one with fewer words; one that needs no word is no choice."""
    small, large = FtOr(_words("a", 30)), FtOr(_words("b", 40))
    assert cover(FtAnd((large, small))).sets == cover(small).sets
    assert cover(FtAnd((FtOr((*_words("c", 2), FtNot(FtWords("d")))), large))).sets == cover(large).sets
