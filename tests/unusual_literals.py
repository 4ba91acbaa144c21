"""Literals that people get wrong: Unicode at its edges, and lexical forms that nobody would write first."""

from __future__ import annotations

from typing import Final

from sparql_ft.terms import XSD, XSD_BOOLEAN, XSD_DECIMAL, XSD_INTEGER, Literal

__all__ = ["ODD_FORMS", "UNICODE"]

UNICODE: Final = [
    Literal("Straße \N{LATIN SMALL LIGATURE FI}n"),  # case-folded, both have more characters
    Literal("été"),
    Literal("e\N{COMBINING ACUTE ACCENT}te\N{COMBINING ACUTE ACCENT}"),  # the same word, another term
    Literal("Été", language="fr"),
    Literal("İx \N{KELVIN SIGN}"),
    Literal("Σας ΣΑΣ"),
    Literal("\N{LATIN CAPITAL LETTER D WITH SMALL LETTER Z WITH CARON}x"),  # title case
    Literal("日本 語", language="ja"),
    Literal("😀 x 👩\N{ZERO WIDTH JOINER}🔬"),
    Literal("𐐀 𝔵 y"),  # letters beyond 16 bits, one with a small form
    Literal("x\N{ZERO WIDTH JOINER}y a\N{SOFT HYPHEN}b"),
    Literal("١ Ⅷ 1"),
    Literal("\N{COMBINING GREEK YPOGEGRAMMENI}α ᾳ"),
    Literal('x\ty\r\nz "\\'),
    Literal("x\N{LINE SEPARATOR}y\x85z\x0cx"),  # ends of lines for some
    Literal("नमस्ते x", language="hi"),
]
ODD_FORMS: Final = [
    Literal("+7", XSD_INTEGER),
    Literal("-0", XSD_INTEGER),
    Literal("2.50", XSD_DECIMAL),
    Literal("1E2", XSD + "double"),
    Literal("3", XSD + "byte"),
    Literal("300", XSD + "byte"),  # no value
    Literal("TRUE", XSD_BOOLEAN),  # no value
    Literal("2024-02-29T12:00:00.0Z", XSD + "dateTime"),
    Literal("2023-02-29", XSD + "date"),  # no value
]
