"""IRIs: RFC 3986's examples, the W3C's, and pyoxigraph as the judge of the rest."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sparql_ft.iri import DEFAULT_BASE, is_absolute, is_valid_iri, resolve
from tests.shared import shared_dir

# RFC 3986, sections 5.4.1 and 5.4.2 (the strict reading of `http:g`), from the base http://a/b/c/d;p?q
RFC_3986 = """
g:h           g:h
g             http://a/b/c/g
./g           http://a/b/c/g
g/            http://a/b/c/g/
/g            http://a/g
//g           http://g
?y            http://a/b/c/d;p?y
g?y           http://a/b/c/g?y
#s            http://a/b/c/d;p?q#s
g#s           http://a/b/c/g#s
g?y#s         http://a/b/c/g?y#s
;x            http://a/b/c/;x
g;x           http://a/b/c/g;x
g;x?y#s       http://a/b/c/g;x?y#s
.             http://a/b/c/
./            http://a/b/c/
..            http://a/b/
../           http://a/b/
../g          http://a/b/g
../..         http://a/
../../        http://a/
../../g       http://a/g
../../../g    http://a/g
../../../../g http://a/g
/./g          http://a/g
/../g         http://a/g
g.            http://a/b/c/g.
.g            http://a/b/c/.g
g..           http://a/b/c/g..
..g           http://a/b/c/..g
./../g        http://a/b/g
./g/.         http://a/b/c/g/
g/./h         http://a/b/c/g/h
g/../h        http://a/b/c/h
g;x=1/./y     http://a/b/c/g;x=1/y
g;x=1/../y    http://a/b/c/y
g?y/./x       http://a/b/c/g?y/./x
g?y/../x      http://a/b/c/g?y/../x
g#s/./x       http://a/b/c/g#s/./x
g#s/../x      http://a/b/c/g#s/../x
http:g        http:g
"""


@pytest.mark.parametrize("line", RFC_3986.split("\n")[1:-1])
def test_rfc_3986(line: str) -> None:
    """The examples of the RFC."""
    reference, expected = line.split()
    assert resolve(reference, "http://a/b/c/d;p?q") == expected


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("type", "urn:type"),
        ("#type", "urn:rtf:#type"),
        ("?q", "urn:rtf:?q"),
        ("", "urn:rtf:"),
        ("a/b", "urn:a/b"),
        ("/a", "urn:/a"),
        ("http://a/./b", "http://a/./b"),
    ],
)
def test_default_base(reference: str, expected: str) -> None:
    """What a bare name, and other references, mean where nobody gave a base."""
    assert resolve(reference, DEFAULT_BASE) == expected == by_pyoxigraph(reference, DEFAULT_BASE)


@pytest.mark.parametrize("name", ["01", "02", "07", "08"])
def test_w3c_turtle(name: str) -> None:
    """The resolution tests of the W3C's Turtle suite: each line has an IRI that meets the base above it."""
    folder = shared_dir("w3c") / "rdf11" / "rdf-turtle"
    base, resolved = "", []
    for line in (folder / f"IRI-resolution-{name}.ttl").read_text().splitlines():
        iris = re.findall("<([^>]*)>", line)
        if line.startswith("@base"):
            base = iris[0]
        elif line.startswith("<"):
            resolved.append(resolve(iris[2], base))
    expected = (folder / f"IRI-resolution-{name}.nt").read_text()
    assert resolved == re.findall(r"<[^>]*> <[^>]*> <([^>]*)>", expected)


@pytest.mark.parametrize(
    ("reference", "base", "message"),
    [
        (":a", "urn:rtf:", "no scheme"),
        ("1a:b", "urn:rtf:", "no scheme"),
        (".//a", "urn:/", "begins with //"),
        ("a b/../c", "urn:rtf:", "a character that none may have"),
        ("a", "foo", "the base <foo> is no absolute IRI"),
    ],
)
def test_unresolvable(reference: str, base: str, message: str) -> None:
    """What has no meaning is refused, and the reason given."""
    with pytest.raises(ValueError, match=re.escape(message)):
        resolve(reference, base)


def by_pyoxigraph(reference: str, base: str) -> str | None:
    """What pyoxigraph's Turtle parser makes of a reference; None if it refuses it."""
    try:
        quads = list(ox.parse(f"<{reference}> <p:p> <p:o> .", format=ox.RdfFormat.TURTLE, base_iri=base))
    except SyntaxError:
        return None
    subject = quads[0].subject
    assert isinstance(subject, ox.NamedNode)
    return subject.value


def by_us(reference: str, base: str) -> str | None:
    """The same by `resolve`; None if it refuses, or if the result is invalid."""
    try:
        iri = resolve(reference, base)
    except ValueError:
        return None
    return iri if is_valid_iri(iri) else None


bases = st.sampled_from(
    [
        *("urn:rtf:", "urn:", "urn:a/b", "urn:/a", "urn:rtf:x/y/z", "a:b//c", "a:../b", "a:./", "a:b/.."),
        *("http://a", "http://a/", "http://a//", "http://a/b/c/d;p?q", "http://h?q#f", "http://a/b/../c/./d"),
        *("file:///a//b/", "http://u@[::1]:80/é"),
    ]
)
references = st.lists(
    st.sampled_from(["a", "é", ".", "..", "/", "//", "?", "#", ":", "@", "../", "./", "/..", "%41", "g:", "[::1]"])
).map("".join)


@given(references, bases)
@example("/[::1]/..", "urn:rtf:")
def test_resolves_as_pyoxigraph(reference: str, base: str) -> None:
    """Queries resolve references exactly as data does."""
    assert by_us(reference, base) == by_pyoxigraph(reference, base)


def valid_for_pyoxigraph(text: str) -> bool:
    """Whether pyoxigraph takes the text as an IRI."""
    try:
        ox.NamedNode(text)
    except ValueError:
        return False
    return True


iri_like = st.tuples(
    st.sampled_from(["", "http://", "urn:", "http:"]),
    st.lists(
        st.sampled_from(
            [
                *("a", "é", ":", "/", "//", "@", "[", "]", "::1", "1.2.3.4", "v1.", "%", "%4", "%41", "?", "#", "80"),
                *("^", "\ue000", "\ufffe", " ", "\n", "fe80:", "[::1]", "[v1.x]", "[1:2:3:4:5:6:7:8]", "[1::01234]"),
            ]
        )
    ).map("".join),
).map("".join)


@given(iri_like | st.text(max_size=8).map("a:".__add__))
def test_valid_as_pyoxigraph(text: str) -> None:
    """An IRI of a query is valid exactly if it could stand in data."""
    assert is_valid_iri(text) == valid_for_pyoxigraph(text)


@pytest.mark.parametrize("prefix", ["urn:", "urn:?", "urn:#", "http://", "http://[v1."])
def test_every_character(prefix: str) -> None:
    """Which characters may stand where, over the lower planes and the private ones."""
    characters = [chr(c) for c in (*range(0xD800), *range(0xE000, 0x20010), *range(0xDFFF0, 0x110000, 7))]
    suffix = "]" if prefix.endswith("v1.") else ""
    wrong = [c for c in characters if is_valid_iri(prefix + c + suffix) != valid_for_pyoxigraph(prefix + c + suffix)]
    assert wrong == []


def test_is_absolute() -> None:
    """A scheme makes an IRI absolute."""
    assert [is_absolute(text) for text in ("a:", "http://a", "a+b.c-1:x", "a", "/a:b", "", ":a", "1:a")] == (
        [True] * 3 + [False] * 5
    )
