"""Texts that the kernel reads by itself: it finds the words that the analyser finds."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rtf import Engine, Publication
from rtf.compiled.folding import END, fold_table, is_simple
from sparql_ft.analyser import tokens
from sparql_ft.terms import IRI, Literal

PREDICATE = IRI("urn:p")


def words_by_table(text: str) -> list[str]:
    """What the kernel makes of a simple text, in Python."""
    folded = [int(fold_table()[ord(character)]) for character in text]
    return "".join(chr(code) if code else " " for code in folded).split(" ")


@given(st.text())
@example("Straße ǅ ﬁ İ é e\u0301 \u1100\u1161 ᾳ K Å 中文 ٣ x²")
@example("naïve – “Curaçao” 1990–2000… Ærøskøbing ŁÓDŹ")
def test_simple_texts_have_the_words_of_the_analyser(text: str) -> None:
    """By the definition of a simple character."""
    simple = "".join(c for c in text if is_simple(c))
    assert [word for word in words_by_table(simple) if word] == tokens(simple)


def test_every_simple_character_beside_others() -> None:
    """Each one between letters: no character changes what is beside it."""
    simple = [chr(code) for code in np.flatnonzero(fold_table() >= 0) if code]
    wrong = [c for c in simple if [w for w in words_by_table(f"xE{c}e y{c}") if w] != tokens(f"xE{c}e y{c}")]
    assert wrong == []
    assert all(unicodedata.is_normalized("NFC", f"e{c}") for c in simple)


def test_most_characters_of_most_texts_are_simple() -> None:
    """Else the table would be for nothing."""
    assert all(is_simple(c) for c in "abcXYZ019 –—“”‘’…éÉüßñøŁжЖλΣ中の한".replace("ß", ""))
    assert not any(is_simple(c) for c in ("ß", "e\u0301", "İ", "\U0001d400", "\ud800"))
    assert len(fold_table()) == END


@pytest.mark.parametrize("layout", ["rtfm", "rtfs"])
@given(text=st.text(alphabet=st.characters(blacklist_categories=("Cs",)), min_size=1))
@example(text="Éa Straße\0x\x02y ŁÓDŹ")
@example(text="\u0301")
@example(text="a\U0001d400b")
def test_the_kernel_finds_every_word_of_any_text(layout: str, text: str) -> None:
    """A query for each word of the text, and one for a word that it lacks."""
    engine = Engine(layout=layout, freeze_at=1, background=False)  # type: ignore[arg-type]
    words = dict.fromkeys(tokens(text))
    lacking = next(word for word in ("x", "xx", "xxx", "xxxx") if word not in words)
    engine.register_many((w, f'ASK {{ ?s <urn:p> ?t FILTER ftcontains(?t, "{w}") }}') for w in (*words, lacking))
    assert engine.match_ids(Publication("p", ((IRI("urn:s"), PREDICATE, Literal(text)),))) == list(words)
