"""Functions on strings and hashes: SPARQL 1.1, sections 17.4.3 and 17.4.6."""

from __future__ import annotations

import pytest

from tests.sparql_ft.expressions.written import value


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('STRLEN("chat")', "4"),
        ('STRLEN("chat"@en)', "4"),
        ('STRLEN("chat"^^xsd:string)', "4"),
        ('STRLEN("")', "0"),
        ('STRLEN("😀é")', "2"),  # characters, not bytes nor UTF-16
        ('STRLEN("e\u0301")', "2"),
        ("STRLEN(1234)", "error"),
        ("STRLEN(:a)", "error"),
        ('STRLEN("a"^^:datatype)', "error"),
        ('UCASE("foo")', '"FOO"'),
        ('UCASE("foo"@en)', '"FOO"@en'),
        ('UCASE("straße")', '"STRASSE"'),
        ('LCASE("BAR"@en)', '"bar"@en'),
        ('LCASE("ÀÉ")', '"àé"'),
        ("LCASE(true)", "error"),
        ('ENCODE_FOR_URI("Los Angeles")', '"Los%20Angeles"'),
        ('ENCODE_FOR_URI("Los Angeles"@en)', '"Los%20Angeles"'),
        ('ENCODE_FOR_URI("aZ09-_.~")', '"aZ09-_.~"'),
        ('ENCODE_FOR_URI("é/?#:@!*\'()%")', '"%C3%A9%2F%3F%23%3A%40%21%2A%27%28%29%25"'),
        ("ENCODE_FOR_URI(:a)", "error"),
        ('CONCAT("foo", "bar")', '"foobar"'),
        ('CONCAT("foo"@en, "bar"@en)', '"foobar"@en'),
        ('CONCAT("foo"@en, "bar"@EN)', '"foobar"@en'),
        ('CONCAT("foo"@en, "bar"@es)', '"foobar"'),
        ('CONCAT("foo"@en, "bar")', '"foobar"'),
        ('CONCAT("foo"^^xsd:string, "bar")', '"foobar"'),
        ("CONCAT()", '""'),
        ('CONCAT("a"@en)', '"a"@en'),
        ('CONCAT("a", 1)', "error"),
        ('CONCAT("a", ?unbound)', "error"),
    ],
)
def test_examples(expression: str, expected: str) -> None:
    """The examples of the specification and their neighbours."""
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ('"foobar", 4', '"bar"'),
        ('"foobar", 4, 1', '"b"'),
        ('"foobar"@en, 4', '"bar"@en'),
        ('"foobar"@en, 4, 1', '"b"@en'),
        ('"foobar", 1, 0', '""'),
        ('"foobar", 7', '""'),
        ('"foobar", 100, 5', '""'),
        ('"foobar", 0', '"foobar"'),
        ('"foobar", 0, 3', '"fo"'),  # places 0, 1 and 2
        ('"foobar", -2, 5', '"fo"'),
        ('"foobar", -5, 3', '""'),
        ('"foobar", 2, -1', '""'),
        ('"foobar", 5, 100', '"ar"'),
        ('"😀é", 2', '"é"'),
        ('"", 1', '""'),
        ('"abc", "2"^^xsd:byte', '"bc"'),
        ('"abc", -99999999999999999999, 100000000000000000002', '"ab"'),
        ('"abc", 99999999999999999999', '""'),
        # the signature wants integers
        ('"abc", 2.0', "error"),
        ('"abc", 2e0', "error"),
        ('"abc", 1, 1.5', "error"),
        ('"abc", "1"', "error"),
        ("123, 1", "error"),
        (":a, 1", "error"),
    ],
)
def test_substr(arguments: str, expected: str) -> None:
    """Characters count from 1; places outside are no error; the language tag stays."""
    assert value(f"SUBSTR({arguments})") == expected


# Section 17.4.3.1.2: whether two arguments are compatible.
COMPATIBLE = [
    ('"abc"', '"b"'),
    ('"abc"', '"b"^^xsd:string'),
    ('"abc"@en', '"b"'),
    ('"abc"@en', '"b"@en'),
    ('"abc"@en', '"b"@EN'),
]
INCOMPATIBLE = [
    *[('"abc"', '"b"@en'), ('"abc"@en', '"b"@ja'), ('"abc"@en', '"b"@en-gb')],
    *[('"abc"', "1"), ("1", '"1"'), (":a", '"a"'), ('"a"', ":a"), ('"a"^^:datatype', '"a"'), ('"a"', "?unbound")],
]


@pytest.mark.parametrize("name", ["CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER"])
def test_argument_compatibility(name: str) -> None:
    """The second has no language tag, or the first one's; anything else is an error, for all five."""
    assert [pair for pair in COMPATIBLE if value(f"{name}({', '.join(pair)})") == "error"] == []
    assert [pair for pair in INCOMPATIBLE if value(f"{name}({', '.join(pair)})") != "error"] == []


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('CONTAINS("foobar", "bar")', "true"),
        ('CONTAINS("foobar"@en, "foo"@en)', "true"),
        ('CONTAINS("foobar", "BAR")', "false"),
        ('CONTAINS("foobar", "")', "true"),
        ('STRSTARTS("foobar", "foo")', "true"),
        ('STRSTARTS("foobar", "bar")', "false"),
        ('STRENDS("foobar"@en, "bar")', "true"),
        ('STRENDS("foobar", "foo")', "false"),
        ('STRBEFORE("abc", "b")', '"a"'),
        ('STRBEFORE("abc"@en, "bc")', '"a"@en'),
        ('STRBEFORE("abcb", "b")', '"a"'),
        ('STRBEFORE("abc"@en, "z")', '""'),  # without a match no language tag
        ('STRBEFORE("abc"@en, "")', '""@en'),
        ('STRBEFORE("abc"@en, ""@en)', '""@en'),
        ('STRAFTER("abc", "b")', '"c"'),
        ('STRAFTER("abc"@en, "ab")', '"c"@en'),
        ('STRAFTER("abcb", "b")', '"cb"'),
        ('STRAFTER("abc"@en, "z")', '""'),
        ('STRAFTER("abc"@en, "")', '"abc"@en'),
        ('STRAFTER("abc"@en, "c")', '""@en'),
    ],
)
def test_parts(expression: str, expected: str) -> None:
    """What the five functions give."""
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('langMatches("en", "en")', "true"),
        ('langMatches("en-GB", "en")', "true"),
        ('langMatches("EN-gb", "eN-Gb")', "true"),
        ('langMatches("en", "en-GB")', "false"),
        ('langMatches("eng", "en")', "false"),
        ('langMatches("en", "*")', "true"),
        ('langMatches("", "*")', "false"),
        ('langMatches("", "en")', "false"),
        ('langMatches(LANG("a"@de-AT), "de")', "true"),
        ('langMatches("en"@en, "en")', "error"),
        ('langMatches("en", 1)', "error"),
        ("langMatches(:a, :b)", "error"),
    ],
)
def test_lang_matches(expression: str, expected: str) -> None:
    """Basic filtering of RFC 4647, without regard to case."""
    assert value(expression) == expected


@pytest.mark.parametrize(
    ("name", "abc"),
    [
        ("MD5", "900150983cd24fb0d6963f7d28e17f72"),
        ("SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("SHA256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "SHA384",
            "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7",
        ),
        (
            "SHA512",
            (
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
            ),
        ),
    ],
)
def test_hashes(name: str, abc: str) -> None:
    """The test vectors of the algorithms for "abc"; arguments are strings without language tag."""
    assert value(f'{name}("abc")') == f'"{abc}"'
    assert value(f'{name}("abc"^^xsd:string)') == f'"{abc}"'
    assert [value(f"{name}({one})") for one in ('"abc"@en', "1", ":a")] == ["error"] * 3


def test_hash_of_utf8() -> None:
    """Characters are hashed in UTF-8: é is the bytes C3 A9."""
    assert value('SHA1("é")') == '"bf15be717ac1b080b4f1c456692825891ff5073d"'
